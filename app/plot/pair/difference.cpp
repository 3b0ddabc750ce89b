// SPDX-License-Identifier: Apache-2.0
// The difference of two results as maps.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "app/plot/map.h"
#include "app/plot/page.h"
#include "app/plot/pair/fields.h"
#include "app/plot/pair/figure.h"
#include "app/plot/pair/sides.h"
#include "io/result/field_table.h"
#include "io/result/surface/table.h"
#include "solver/error.h"

namespace slipfield {
namespace {

// The second one under the first one: both are seen where they are the same.
constexpr std::string_view kFirstOutline = "linewidth 0.9 linecolor rgb 'black'";
constexpr std::string_view kSecondOutline = "linewidth 2.8 linecolor rgb '#56B4E9'";

// Interpolated fields would differ most where the contact ends between two elements: that is a
// difference of grids, not of the solutions.
void require_same_grid(const ResultFile& first, const ResultFile& second) {
  constexpr double kSame = 1.0e-6;  // of an element
  const Grid& a = first.info().header.grid;
  const Grid& b = second.info().header.grid;
  const auto same = [](double p, double q, double size) {
    return std::fabs(p - q) <= kSame * size;
  };
  const bool equal = a.mx == b.mx && a.my == b.my && same(a.dx * a.mx, b.dx * b.mx, a.dx) &&
                     same(a.dy * a.my, b.dy * b.my, a.dy) && same(a.x0, b.x0, a.dx) &&
                     same(a.y0, b.y0, a.dy);
  if (equal) return;
  const auto text = [](const Grid& grid) {
    return fmt::format("{} x {} elements of {:.6g} x {:.6g} from ({:.6g}, {:.6g})", grid.mx,
                       grid.my, grid.dx, grid.dy, grid.x0, grid.y0);
  };
  throw InputError(
      fmt::format("{} has {} and {} has {}; accepted: two results on the same grid, or cuts over "
                  "each other, without --difference",
                  first.path().string(), text(a), second.path().string(), text(b)));
}

class DifferenceFigure {
 public:
  DifferenceFigure(const ResultFile& first, const ResultFile& second,
                   const std::vector<std::string>& names, const PairRequest& request)
      : names_(names), headers_{first.info().header, second.info().header} {
    require_same_grid(first, second);
    const ResultStep& a = first.step(request.step);
    const ResultStep& b = second.step(request.step);
    fields_.emplace_back(first, a);
    fields_.emplace_back(second, b);
    scene_.grid = headers_[0].grid;
    scene_.units = headers_[0].units;
    Window contact;
    if (!request.whole_grid)
      for (FieldsOfStep& side : fields_)
        contact = united(contact, contact_window(side.division(), scene_.grid));
    scene_.window = contact.empty() ? whole_window(scene_.grid) : with_margin(contact, scene_.grid);
    if (scene_.one_row())
      throw InputError(
          fmt::format("{}: the grid has one row of elements, which is no map; "
                      "accepted: cuts over each other, without --difference",
                      first.path().string()));
    for (const std::string& field : drawn_fields(fields_, request.fields, "a difference"))
      add_map(field);
    for (std::size_t side = 0; side < 2; ++side)
      if (fields_[side].step().report.outcome != Outcome::converged)
        notes_.push_back(fmt::format("{} did not converge.", names[side]));
    for (const std::string& note : map_notes(scene_, true)) notes_.push_back(note);
  }

  [[nodiscard]] std::string script(PictureFormat format) const {
    PageText page{
        common_title(headers_, names_), "", fmt::format("{}", fmt::join(notes_, " ")), {}};
    page.summary = fmt::format("{} less {}. {}", names_[0], names_[1], difference_text(headers_));
    page.legend = {
        {LegendEntry::Kind::line, std::string(kFirstOutline), "contact of " + names_[0]},
        {LegendEntry::Kind::line, std::string(kSecondOutline), "contact of " + names_[1]}};
    const auto count = static_cast<int>(maps_.size());
    const std::vector<PanelSize> panels(maps_.size(), map_panel_size(scene_, true));
    return page_script(
        page, panels, columns_for(count), format,
        [&](std::size_t panel, const Frame& frame) { return draw(maps_[panel], frame); });
  }

 private:
  struct DifferenceMap {
    std::string field;
    Raster raster;
    std::array<std::vector<Segment>, 2> outlines;
  };

  void add_map(const std::string& field) {
    std::vector<double> values = fields_[0].field(field);
    const std::vector<double>& others = fields_[1].field(field);
    Range first = kNoRange;
    first.include(values);
    const std::vector<ElementState>& a = fields_[0].division();
    const std::vector<ElementState>& b = fields_[1].division();
    const auto outside = [](const std::vector<ElementState>& division, std::size_t i) {
      return !division.empty() && division[i] == ElementState::exterior;
    };
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] -= others[i];
      if (is_contact_field(field) && outside(a, i) && outside(b, i))
        values[i] = std::numeric_limits<double>::quiet_NaN();
    }
    Range difference = kNoRange;
    difference.include(values);
    maps_.push_back({field, raster_of(scene_, fields_[0], values, false), {}});
    maps_.back().outlines[0] = std::move(maps_.back().raster.outline);
    maps_.back().raster.outline.clear();
    maps_.back().outlines[1] = raster_of(scene_, fields_[1], others, false).outline;
    const std::string_view unit = unit_text(field_dimension(field), scene_.units);
    notes_.push_back(
        difference.greatest() == 0.0
            ? fmt::format("The {} is the same.", shown_name(field))
            : fmt::format(
                  "The {} differs by {} at most{}.", shown_name(field),
                  quantity_text(difference.greatest(), unit),
                  first.greatest() > 0.0
                      ? fmt::format(", {:.3g} % of its greatest value in {}",
                                    100.0 * difference.greatest() / first.greatest(), names_[0])
                      : ""));
  }

  [[nodiscard]] std::string draw(const DifferenceMap& map, const Frame& frame) const {
    const Range shown = without_extremes(map.raster.values);
    const UnitScale length = scene_.length();
    const UnitScale unit =
        unit_scale(shown.greatest(), unit_text(field_dimension(map.field), scene_.units));
    ColourRange colours{{-1.0, 1.0}, true};  // 0 has the colour of no difference
    if (shown.greatest() > 0.0)
      colours.range = {-shown.greatest() * unit.factor, shown.greatest() * unit.factor};
    std::string text =
        panel_commands(frame, with_unit("difference of " + shown_name(map.field), unit),
                       map_axes(scene_, length), {});
    text += colour_commands(frame, colours);
    for (std::size_t side = 0; side < 2; ++side) {
      text += fmt::format("$contact{} << END\nNaN NaN\n\n", side);
      for (const Segment& segment : map.outlines[side])
        text += fmt::format("{:.7g} {:.7g}\n{:.7g} {:.7g}\n\n", segment.x0 * length.factor,
                            segment.y0 * length.factor, segment.x1 * length.factor,
                            segment.y1 * length.factor);
      text += "END\n";
    }
    return text + raster_plot(map.raster, length, unit.factor,
                              fmt::format(", $contact1 using 1:2 with lines {}, $contact0 using "
                                          "1:2 with lines {}",
                                          kSecondOutline, kFirstOutline));
  }

  const std::vector<std::string>& names_;
  std::vector<ResultHeader> headers_;
  PlotScene scene_;
  std::vector<FieldsOfStep> fields_;
  std::vector<DifferenceMap> maps_;
  std::vector<std::string> notes_;
};

}  // namespace

std::string difference_script(const ResultFile& first, const ResultFile& second,
                              const std::vector<std::string>& names, const PairRequest& request,
                              PictureFormat format) {
  return DifferenceFigure(first, second, names, request).script(format);
}

}  // namespace slipfield
