// SPDX-License-Identifier: Apache-2.0
#include "app/export/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/case/of_result.h"
#include "io/result/field_table.h"
#include "io/result/surface/table.h"
#include "io/result/wheel/table.h"
#include "solver/error.h"

namespace slipfield {
namespace {

// The heading of a table column for people. Values are multiplied by the factor and shown in the
// unit; "-": none. slipfield/figures/names.py has the names for figures.
struct CurveName {
  std::string name;
  double factor = 1.0;
  std::string unit = "-";
};

// A quantity that a key prescribes and a total reports.
struct KnownName {
  std::string_view key;    // empty: no key
  std::string_view total;  // empty: no total
  std::string_view name;
  std::string_view turned;  // if rolling may have another direction; empty: the same
  Dimension dimension = Dimension::none;
  bool percent = false;
};

constexpr std::array kNames = {
    KnownName{
        "tangential.x.creepage", "creepage_x", "longitudinal creepage", "creepage in x", {}, true},
    KnownName{"tangential.y.creepage", "creepage_y", "lateral creepage", "creepage in y", {}, true},
    KnownName{"tangential.spin", "", "spin", "", Dimension::angle_per_length},
    KnownName{"tangential.x.force", "force_x", "longitudinal force", "force in x",
              Dimension::force},
    KnownName{"tangential.y.force", "force_y", "lateral force", "force in y", Dimension::force},
    KnownName{"tangential.x.force_ratio", "force_ratio_x", "longitudinal force / µFₙ",
              "force in x / µFₙ"},
    KnownName{"tangential.y.force_ratio", "force_ratio_y", "lateral force / µFₙ",
              "force in y / µFₙ"},
    KnownName{"tangential.x.traction_coefficient", "", "longitudinal force / Fₙ",
              "force in x / Fₙ"},
    KnownName{"tangential.y.traction_coefficient", "", "lateral force / Fₙ", "force in y / Fₙ"},
    KnownName{"tangential.x.shift", "shift_x", "shift in x", "", Dimension::length},
    KnownName{"tangential.y.shift", "shift_y", "shift in y", "", Dimension::length},
    KnownName{"tangential.rotation", "", "rotation", "", Dimension::angle},
    KnownName{"friction.coefficient", "", "coefficient of friction", ""},
    KnownName{"normal.force", "", "normal force", "", Dimension::force},
    KnownName{"normal.approach", "", "approach", "", Dimension::length},
    KnownName{"wheel_rail.wheelset.y", "", "lateral position of the wheelset", "",
              Dimension::length},
    KnownName{"wheel_rail.wheelset.z", "", "height of the axle, down", "", Dimension::length},
    KnownName{"wheel_rail.wheelset.yaw", "", "yaw of the wheelset", "", Dimension::angle},
    KnownName{"wheel_rail.wheelset.roll", "", "roll of the wheelset", "", Dimension::angle},
    KnownName{"wheel_rail.longitudinal_force", "", "longitudinal force", "", Dimension::force},
    KnownName{"tangential.velocity", "", "rolling velocity", "", Dimension::velocity},
    KnownName{"wheel_rail.vertical_force", "", "vertical force", "", Dimension::force},
    KnownName{"", "moment_z", "moment about the normal", "", Dimension::moment},
    KnownName{"", "max_pressure", "greatest pressure", "", Dimension::traction},
};

// along_x: see rolls_along_x().
CurveName shown(const KnownName& entry, bool along_x, Units units) {
  const bool other = !along_x && !entry.turned.empty();
  CurveName name{std::string(other ? entry.turned : entry.name)};
  name.unit = entry.percent ? "%" : unit_text(entry.dimension, units);
  if (entry.percent) name.factor = 100.0;
  return name;
}

// key: "tangential.x.creepage"; a key without a known name keeps its path. Unless the case
// rolls along_x, x is not called longitudinal.
CurveName key_name(std::string_view key, bool along_x, Units units) {
  const auto known = std::ranges::find(kNames, key, &KnownName::key);
  return known == kNames.end() ? CurveName{std::string(key)} : shown(*known, along_x, units);
}

// quantity: one of total_names().
CurveName total_name(std::string_view quantity, bool along_x, Units units) {
  const auto known = std::ranges::find(kNames, quantity, &KnownName::total);
  if (known != kNames.end()) return shown(*known, along_x, units);
  std::string name(quantity);
  std::replace(name.begin(), name.end(), '_', ' ');
  return {name, 1.0, std::string(unit_text(quantity_dimension(quantity), units))};
}

// The elements ix0 <= ix < ix1, iy0 <= iy < iy1.
struct Window {
  int ix0 = 0;
  int iy0 = 0;
  int ix1 = 0;
  int iy1 = 0;
};

// Throws InputError if the place of --at is not on the grid.
void require_on_grid(const std::array<double, 2>& at, const Grid& grid, const std::string& file) {
  const double x1 = grid.x0 + grid.mx * grid.dx;
  const double y1 = grid.y0 + grid.my * grid.dy;
  const auto [x, y] = at;
  if (x >= grid.x0 && x <= x1 && y >= grid.y0 && y <= y1) return;
  throw InputError(fmt::format(
      "{}: --at {:g},{:g} is not on the grid; accepted: x from {:g} to {:g}, y from {:g} to {:g}",
      file, x, y, grid.x0, x1, grid.y0, y1));
}

// Returns the element that contains the coordinate, of `count` elements of `size` from `origin`;
// outside, the nearest one. A place between two elements belongs to the second.
int element_at(double place, double origin, double size, int count) {
  constexpr double kBetweenElements = 1.0e-6;
  const double elements = std::floor((place - origin) / size + kBetweenElements);
  return static_cast<int>(std::clamp(elements, 0.0, count - 1.0));
}

// Returns the pressure's centroid (x, y) or, if that is out of contact (a contact in several
// parts), the place of the greatest pressure; nothing without pressure.
std::optional<std::array<double, 2>> middle_of_pressure(const std::vector<double>& pressure,
                                                        const Grid& grid) {
  double sum = 0.0;
  double x = 0.0;
  double y = 0.0;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double value = pressure[grid.index(ix, iy)];
      sum += value;
      x += value * grid.x(ix);
      y += value * grid.y(iy);
    }
  if (!(sum > 0.0)) return std::nullopt;
  const std::array<double, 2> centroid = {x / sum, y / sum};
  const int ix = element_at(centroid[0], grid.x0, grid.dx, grid.mx);
  const int iy = element_at(centroid[1], grid.y0, grid.dy, grid.my);
  if (pressure[grid.index(ix, iy)] > 0.0) return centroid;
  const auto greatest = std::max_element(pressure.begin(), pressure.end()) - pressure.begin();
  return std::array<double, 2>{grid.x(static_cast<int>(greatest % grid.mx)),
                               grid.y(static_cast<int>(greatest / grid.mx))};
}

ExportColumn plain_column(const std::string& name, const std::string& unit,
                          std::vector<double> numbers) {
  ExportColumn column{name, unit, std::move(numbers), {}, name, 1.0, unit};
  std::replace(column.label.begin(), column.label.end(), '_', ' ');
  return column;
}

ExportColumn key_column(const SweepInput& input, bool along_x, Units units) {
  const CurveName name = key_name(input.key, along_x, units);
  ExportColumn column{input.key,     name.factor == 1.0 ? name.unit : "-",
                      input.numbers, {},
                      name.name,     name.factor,
                      name.unit,     true};
  if (!input.is_number()) column.texts = input.texts;
  return column;
}

ExportColumn total_column(const SweepColumn& total, bool along_x, Units units) {
  const CurveName name = total_name(total.name, along_x, units);
  return {total.name,   std::string(unit_text(quantity_dimension(total.name), units)),
          total.values, {},
          name.name,    name.factor,
          name.unit};
}

std::vector<double> picked(const std::vector<double>& values, const Grid& grid,
                           const Window& window) {
  std::vector<double> kept;
  for (int iy = window.iy0; iy < window.iy1; ++iy)
    for (int ix = window.ix0; ix < window.ix1; ++ix) kept.push_back(values[grid.index(ix, iy)]);
  return kept;
}

// The elements requested.
Window window_of(const ResultFile& result, const ResultStep& step,
                 const ExportedElements& request) {
  const Grid& grid = result.info().header.grid;
  Window window{0, 0, grid.mx, grid.my};
  if (request.along == ' ') return window;
  if (request.at) require_on_grid(*request.at, grid, result.path().string());
  std::optional<std::array<double, 2>> place = request.at;
  const auto& known = step.fields;
  if (!place && std::find(known.begin(), known.end(), "pressure") != known.end())
    place = middle_of_pressure(result.field(step, "pressure"), grid);
  if (!place) place = {grid.x0 + 0.5 * grid.mx * grid.dx, grid.y0 + 0.5 * grid.my * grid.dy};
  if (request.along == 'x') {
    window.iy0 = element_at((*place)[1], grid.y0, grid.dy, grid.my);
    window.iy1 = window.iy0 + 1;
  } else {
    window.ix0 = element_at((*place)[0], grid.x0, grid.dx, grid.mx);
    window.ix1 = window.ix0 + 1;
  }
  return window;
}

// Explains why no row has a number that a result may have, or returns nothing.
std::string why_missing(const AnyResult& any, const std::string& name) {
  if (any.rows.find(name) != nullptr)
    return "; it belongs to a contact, and the rows to the wheel; accepted: --contact N";
  const SurfaceNumberEntry* surface = surface_number_behind(name);
  using Of = SurfaceNumberEntry::Of;
  const bool wears = has_section(any.info.header, "wear");
  if (surface != nullptr && wears && surface->of == Of::shift_wear)
    return "; it is a total of shifts";
  if (surface != nullptr && wears && surface->of == Of::rolling_wear)
    return "; it is a total of steady rolling";
  const bool asked = surface != nullptr && surface->of != Of::every_case;
  return asked ? fmt::format("; its case needs '{}'", request_text(surface->of)) : "";
}

}  // namespace

ExportTable export_totals(const AnyResult& any, const SweepTable& table, ExportedRows rows,
                          const std::vector<std::string>& quantities, const std::string& file) {
  const ResultInfo& info = any.info;
  const Units units = info.header.units;
  const bool along_x = rolls_along_x(info.header);
  ExportTable exported;
  const auto add_number = [&](const std::string& name, auto number_of) {
    std::vector<double> numbers;
    for (const RowKey& key : table.keys) numbers.push_back(number_of(key));
    exported.columns.push_back(plain_column(name, "-", std::move(numbers)));
    exported.columns.back().is_key = true;
  };
  const bool sweep = any.kind == ResultKind::sweep;
  if (sweep) add_number("point", [](const RowKey& key) { return key.point; });
  if (!sweep || steps_of_case(info.header) > 1)
    add_number("step", [](const RowKey& key) { return key.step; });
  if (rows == ExportedRows::parts && has_section(info.header, "wheel_rail")) {
    std::vector<std::string> sides;
    for (const RowKey& key : table.keys) sides.push_back(key.side);
    exported.columns.push_back({"side", "-", {}, std::move(sides), "side", 1.0, "-", true});
    add_number("contact", [](const RowKey& key) { return key.contact; });
  }
  for (const SweepInput& input : table.inputs)
    exported.columns.push_back(key_column(input, along_x, units));
  std::vector<std::string> outcomes;
  for (const PointOutcome outcome : table.outcomes)
    outcomes.emplace_back(point_outcome_name(outcome));
  exported.columns.push_back({"outcome", "-", {}, std::move(outcomes), "outcome", 1.0, "-", true});
  if (quantities.empty())
    for (const SweepColumn& total : table.columns)
      exported.columns.push_back(total_column(total, along_x, units));
  for (const std::string& name : quantities) {
    const SweepColumn* total = table.find(name);
    if (total == nullptr)
      throw InputError(fmt::format("{}: no {} of it has a {}{}", file, sweep ? "point" : "step",
                                   name, why_missing(any, name)));
    exported.columns.push_back(total_column(*total, along_x, units));
  }
  return exported;
}

ExportTable long_table(const ExportTable& table) {
  ExportTable rows;
  std::vector<const ExportColumn*> totals;
  for (const ExportColumn& column : table.columns) {
    if (!column.is_key)
      totals.push_back(&column);
    else
      rows.columns.push_back({column.name, column.unit, {}, {}, column.label, 1.0, "-", true});
  }
  ExportColumn name{"quantity", "-", {}, {}, "quantity", 1.0, "-", true};
  ExportColumn value{"value", "-", {}, {}, "value", 1.0, "-"};
  ExportColumn unit{"unit", "-", {}, {}, "unit", 1.0, "-"};
  for (std::size_t row = 0; row < table.rows(); ++row)
    for (const ExportColumn* total : totals) {
      if (std::isnan(total->numbers[row])) continue;
      std::size_t i = 0;
      for (const ExportColumn& key : table.columns) {
        if (!key.is_key) continue;
        ExportColumn& column = rows.columns[i++];
        if (key.texts.empty())
          column.numbers.push_back(key.numbers[row]);
        else
          column.texts.push_back(key.texts[row]);
      }
      name.texts.push_back(total->name);
      value.numbers.push_back(total->numbers[row]);
      unit.texts.push_back(total->unit);
    }
  for (ExportColumn* column : {&name, &value, &unit}) rows.columns.push_back(std::move(*column));
  return rows;
}

std::vector<std::string> telling_totals(const SweepTable& table) {
  std::vector<std::string> names;
  for (const char* name : {"normal_force", "approach", "max_pressure", "creepage_x", "creepage_y",
                           "force_x", "force_y", "force_ratio_x", "force_ratio_y", "track_force_x",
                           "track_force_y", "track_force_z"}) {
    const SweepColumn* column = table.find(name);
    if (column != nullptr) names.emplace_back(name);
  }
  return names;
}

namespace {

bool is_row_field(const std::string& name) {
  return find_by_name(row_field_table(), name) != nullptr;
}

// Fields with one value per row of elements, with the coordinate of the rows.
ExportTable export_row_fields(const ResultFile& result, const ResultStep& step,
                              const ExportedElements& request) {
  const Grid& grid = result.info().header.grid;
  const Units units = result.info().header.units;
  const std::string file = result.path().string();
  for (const std::string& name : request.fields)
    if (!is_row_field(name))
      throw InputError(
          fmt::format("{}: {} has a value for each row of elements, and {} for each element; "
                      "accepted: in tables of their own",
                      file, *std::ranges::find_if(request.fields, is_row_field), name));
  if (request.along == 'x' || request.at)
    throw InputError(
        fmt::format("{}: {} has a value for each row of elements, along y; accepted: "
                    "without --along x and --at",
                    file, request.fields.front()));
  std::vector<double> y;
  for (int iy = 0; iy < grid.my; ++iy) y.push_back(grid.y(iy));
  ExportTable table;
  table.columns.push_back(
      plain_column("y", std::string(unit_text(Dimension::length, units)), std::move(y)));
  for (const std::string& name : request.fields) {
    std::vector<double> values = result.row_field(step, name);
    if (values.empty())
      throw InputError(
          fmt::format("{}: step {} has no {}; accepted: the result of a case with "
                      "'wear' that keeps it",
                      file, step.number, name));
    table.columns.push_back(
        plain_column(name, std::string(unit_text(field_dimension(name), units)), values));
  }
  return table;
}

}  // namespace

ExportTable export_fields(const ResultFile& result, const ResultStep& step,
                          const ExportedElements& request) {
  if (std::ranges::any_of(request.fields, is_row_field))
    return export_row_fields(result, step, request);
  const Grid& grid = result.info().header.grid;
  const Units units = result.info().header.units;
  const Window window = window_of(result, step, request);
  const std::string length(unit_text(Dimension::length, units));
  std::vector<double> x;
  std::vector<double> y;
  for (int iy = window.iy0; iy < window.iy1; ++iy)
    for (int ix = window.ix0; ix < window.ix1; ++ix) {
      x.push_back(grid.x(ix));
      y.push_back(grid.y(iy));
    }
  ExportTable table;
  table.columns.push_back(plain_column("x", length, std::move(x)));
  table.columns.push_back(plain_column("y", length, std::move(y)));
  for (const std::string& name : request.fields)
    table.columns.push_back(plain_column(name, std::string(unit_text(field_dimension(name), units)),
                                         picked(result.field(step, name), grid, window)));
  return table;
}

}  // namespace slipfield
