// SPDX-License-Identifier: Apache-2.0
#include "app/plot/curves/heat.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "app/plot/curves/names.h"
#include "app/plot/map.h"
#include "app/plot/page.h"
#include "app/report/sweep_report.h"
#include "io/yaml/suggestion.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr double kHeatWidth = 420.0;
constexpr double kHeatHeight = 320.0;

// The first point of each value of the key, by the value.
std::vector<std::size_t> first_points(const SweepInput& key) {
  std::vector<std::string> seen;
  std::vector<std::size_t> points;
  for (std::size_t point = 0; point < key.texts.size(); ++point) {
    const std::string value = value_text(key, point);
    if (std::find(seen.begin(), seen.end(), value) != seen.end()) continue;
    seen.push_back(value);
    points.push_back(point);
  }
  if (key.is_number())
    std::stable_sort(points.begin(), points.end(), [&](std::size_t first, std::size_t second) {
      return key.numbers[first] < key.numbers[second];
    });
  return points;
}

class HeatFigure {
 public:
  HeatFigure(const SweepFile& sweep, const std::string& name, const SweepFigureRequest& request)
      : table_(points_where(sweep.table, name, request.where)),
        header_(sweep.info.header),
        cells_(heat_cells_of(table_, name, request.over)),
        quantities_(request.quantities.empty() ? default_quantities(table_) : request.quantities),
        held_(request.where) {
    for (const std::string& quantity : quantities_)
      if (table_.find(quantity) == nullptr)
        throw InputError(fmt::format("{}: no point of the sweep has a {}", name, quantity));
  }

  [[nodiscard]] std::string script(PictureFormat format) const {
    const std::vector<PanelSize> panels(quantities_.size(),
                                        {kHeatWidth, kHeatHeight, kColourBarRight});
    std::string notes = "A cell for each pair of values; white: no result.";
    if (!held_.empty()) notes += fmt::format(" Held: {}.", fmt::join(held_, ", "));
    return page_script({header_.title, sweep_summary(table_), notes}, panels,
                       columns_for(static_cast<int>(panels.size())), format,
                       [&](std::size_t panel, const Frame& frame) {
                         return draw(*table_.find(quantities_[panel]), frame);
                       });
  }

 private:
  [[nodiscard]] CurveName name_of(const SweepInput& key) const {
    return key_name(key.key, header_.case_yaml, header_.units);
  }

  [[nodiscard]] std::string key_label(const SweepInput& key) const {
    const CurveName name = name_of(key);
    return with_unit(name.name, {1.0, name.unit});
  }

  // Values at the middles of their cells, which are at 1, 2, ...; as many as there is room for.
  [[nodiscard]] std::string value_ticks(const char* axis, const SweepInput& key,
                                        const std::vector<std::size_t>& points,
                                        std::size_t most) const {
    const std::size_t every = 1 + (points.size() - 1) / most;
    std::string ticks;
    for (std::size_t i = 0; i < points.size(); i += every) {
      const std::string value =
          key.is_number() ? fmt::format("{:.3g}", key.numbers[points[i]] * name_of(key).factor)
                          : key.texts[points[i]];
      ticks += fmt::format("{}{} {}", ticks.empty() ? "" : ", ", gnuplot_text(value), i + 1);
    }
    return fmt::format("set {} ({})\n", axis, ticks);
  }

  [[nodiscard]] std::string draw(const SweepColumn& column, const Frame& frame) const {
    Raster raster;
    raster.pixels = {static_cast<int>(cells_.across_first.size()),
                     static_cast<int>(cells_.upwards_first.size()),
                     1.0,
                     1.0,
                     0.5,
                     0.5,
                     Boundary::free};
    Range range = kNoRange;
    for (const std::size_t point : cells_.points) {
      raster.values.push_back(point == HeatCells::kNoPoint
                                  ? std::numeric_limits<double>::quiet_NaN()
                                  : column.values[point]);
      range.include(raster.values.back());
    }
    const CurveName name = total_name(column.name, header_.case_yaml, header_.units);
    const UnitScale unit = name.scale(range.greatest());
    ColourRange colours = colour_range(range);
    colours.range.low *= unit.factor;
    colours.range.high *= unit.factor;
    const Axes axes{{0.5, 0.5 + raster.pixels.mx},
                    {0.5, 0.5 + raster.pixels.my},
                    key_label(*cells_.across),
                    key_label(*cells_.upwards)};
    return panel_commands(frame, with_unit(name.name, unit), axes, {}) +
           value_ticks("xtics", *cells_.across, cells_.across_first, 7) +
           value_ticks("ytics", *cells_.upwards, cells_.upwards_first, 12) +
           colour_commands(frame, colours) + raster_plot(raster, {1.0, "-"}, unit.factor, "");
  }

  SweepTable table_;
  const ResultHeader& header_;
  HeatCells cells_;
  std::vector<std::string> quantities_;
  std::vector<std::string> held_;
};

// Which of the values the point has.
std::size_t index_of(const SweepInput& key, const std::vector<std::size_t>& first,
                     std::size_t point) {
  const std::string value = value_text(key, point);
  const auto found = std::find_if(first.begin(), first.end(), [&](std::size_t other) {
    return value_text(key, other) == value;
  });
  return static_cast<std::size_t>(found - first.begin());
}

}  // namespace

HeatCells heat_cells_of(const SweepTable& table, const std::string& name, const std::string& over) {
  std::vector<const SweepInput*> keys;
  std::vector<std::string_view> names;
  for (const SweepInput& input : table.inputs)
    if (shown_values(input).size() > 1) {
      keys.push_back(&input);
      names.emplace_back(input.key);
    }
  if (keys.size() != 2)
    throw InputError(fmt::format(
        "{}: a heat map is of two keys, and {} of the sweep take{} several values; accepted: "
        "--where key=value for the others",
        name, keys.size(), keys.size() == 1 ? "s" : ""));
  if (!over.empty() && over != keys[0]->key && over != keys[1]->key)
    throw InputError(fmt::format("{}: \"{}\" is neither of the two; {}", name, over,
                                 accepted_words(over, names)));
  const bool second = over.empty() ? shown_values(*keys[1]).size() > shown_values(*keys[0]).size()
                                   : over == keys[1]->key;
  if (second) std::swap(keys[0], keys[1]);
  HeatCells cells{keys[0], keys[1], first_points(*keys[0]), first_points(*keys[1]), {}};
  const std::size_t width = cells.across_first.size();
  cells.points.assign(width * cells.upwards_first.size(), HeatCells::kNoPoint);
  for (std::size_t point = 0; point < table.count(); ++point)
    cells.points[index_of(*cells.upwards, cells.upwards_first, point) * width +
                 index_of(*cells.across, cells.across_first, point)] = point;
  return cells;
}

std::string heat_map_script(const SweepFile& sweep, const std::string& name,
                            const SweepFigureRequest& request, PictureFormat format) {
  return HeatFigure(sweep, name, request).script(format);
}

}  // namespace slipfield
