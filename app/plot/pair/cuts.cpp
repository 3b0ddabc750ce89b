// SPDX-License-Identifier: Apache-2.0
// Cuts of several results over each other.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "app/plot/page.h"
#include "app/plot/pair/fields.h"
#include "app/plot/pair/figure.h"
#include "app/plot/pair/sides.h"
#include "app/plot/row.h"
#include "io/result/field_table.h"
#include "io/result/surface/table.h"

namespace slipfield {
namespace {

constexpr double kPairWidth = 400.0;
constexpr double kPairHeight = 230.0;
constexpr int kMostPairPoints = 2048;

// A field of one result along one row of its elements, in the units of the file.
struct PairLine {
  std::vector<double> places;
  std::vector<double> values;
};

// One panel: a field along x or y, a line for each result.
struct PairPanel {
  std::string field;
  CutAlong along = CutAlong::x;
  std::vector<PairLine> lines;
  Range places = kNoRange;
};

class PairFigure {
 public:
  PairFigure(const std::vector<ResultFile>& results, const std::vector<std::string>& names,
             const PairRequest& request)
      : results_(results), names_(names), request_(request) {
    for (const ResultFile& result : results) {
      const ResultStep& step = result.step(request.step);
      headers_.push_back(result.info().header);
      fields_.emplace_back(result, step);
      if (step.report.outcome != Outcome::converged)
        notes_.push_back(fmt::format("{} did not converge.", names[notes_index()]));
      if (step.report.touches_edge)
        notes_.push_back(fmt::format("{}: {}.", names[notes_index()], kEdgeWarning));
    }
    place_ = place();
    for (const std::string& field : drawn_fields(fields_, request.fields, "a cut"))
      for (const CutAlong along : {CutAlong::x, CutAlong::y}) add_panel(field, along);
  }

  [[nodiscard]] std::string script(PictureFormat format) const {
    PageText page{
        common_title(headers_, names_), "", fmt::format("{}", fmt::join(notes_, " ")), {}};
    page.summary = difference_text(headers_);
    const std::vector<std::string> labels = side_labels(names_, headers_);
    for (std::size_t i = 0; i < labels.size(); ++i)
      page.legend.push_back({LegendEntry::Kind::line, side_style(i), labels[i]});
    const std::vector<PanelSize> panels(panels_.size(), {kPairWidth, kPairHeight, kPlainRight});
    return page_script(
        page, panels, panels_.size() > 1 ? 2 : 1, format,
        [&](std::size_t panel, const Frame& frame) { return draw(panels_[panel], frame); });
  }

 private:
  [[nodiscard]] std::size_t notes_index() const { return fields_.size() - 1; }

  [[nodiscard]] std::array<double, 2> place() {
    const Grid& grid = headers_.front().grid;
    if (request_.at) {
      for (std::size_t i = 0; i < results_.size(); ++i)
        require_on_grid(*request_.at, headers_[i].grid, results_[i].path().string());
      return *request_.at;
    }
    if (fields_.front().has("pressure"))
      if (const auto middle = middle_of_pressure(fields_.front().field("pressure"), grid))
        return *middle;
    return {grid.x0 + 0.5 * grid.mx * grid.dx, grid.y0 + 0.5 * grid.my * grid.dy};
  }

  // Where no result has more than one element, there is no cut.
  void add_panel(const std::string& field, CutAlong along) {
    PairPanel panel{field, along, {}, kNoRange};
    bool long_enough = false;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const Grid& grid = headers_[i].grid;
      long_enough = long_enough || (along == CutAlong::x ? grid.mx : grid.my) > 1;
      add_line(panel, fields_[i], grid);
    }
    if (long_enough) panels_.push_back(std::move(panel));
  }

  void add_line(PairPanel& panel, FieldsOfStep& fields, const Grid& grid) const {
    const bool in_x = panel.along == CutAlong::x;
    const int ix = element_at(place_[0], grid.x0, grid.dx, grid.mx);
    const int iy = element_at(place_[1], grid.y0, grid.dy, grid.my);
    Window window = whole_window(grid);
    if (!request_.whole_grid) {
      const Window contact = contact_window(fields.division(), grid);
      if (!contact.empty()) window = with_margin(contact, grid);
    }
    const Window row = in_x ? Window{window.ix0, iy, window.ix1, iy + 1}
                            : Window{ix, window.iy0, ix + 1, window.iy1};
    const Blocks blocks = blocks_of(grid, row, kMostPairPoints);
    PairLine line{{}, block_means(fields.field(panel.field), grid, blocks, {})};
    const Grid& points = blocks.pixels;
    const int count = in_x ? points.mx : points.my;
    for (int i = 0; i < count; ++i) line.places.push_back(in_x ? points.x(i) : points.y(i));
    panel.places.include(in_x ? points.x0 : points.y0);
    panel.places.include(in_x ? points.x0 + points.mx * points.dx
                              : points.y0 + points.my * points.dy);
    panel.lines.push_back(std::move(line));
  }

  [[nodiscard]] std::string draw(const PairPanel& panel, const Frame& frame) const {
    const Units units = headers_.front().units;
    const bool in_x = panel.along == CutAlong::x;
    Range values = kNoRange;
    for (const PairPanel& other : panels_)  // both directions have the same scale
      if (other.field == panel.field)
        for (const PairLine& line : other.lines) values.include(line.values);
    const UnitScale length =
        unit_scale(panel.places.greatest(), unit_text(Dimension::length, units));
    const UnitScale unit =
        unit_scale(values.greatest(), unit_text(field_dimension(panel.field), units));
    const Range shown = axis_range(values);
    const Axes axes{{panel.places.low * length.factor, panel.places.high * length.factor},
                    {shown.low * unit.factor, shown.high * unit.factor},
                    with_unit(in_x ? "x" : "y", length),
                    with_unit(shown_name(panel.field), unit)};
    std::string text = panel_commands(frame, heading(panel), axes, {});
    std::string command = "plot 0 with lines linewidth 0.6 linecolor rgb '#808080'";
    for (std::size_t i = 0; i < panel.lines.size(); ++i) {
      const PairLine& line = panel.lines[i];
      text += fmt::format("$side{} << END\n", i);
      for (std::size_t k = 0; k < line.places.size(); ++k)
        text += fmt::format("{:.7g} {}\n", line.places[k] * length.factor,
                            std::isfinite(line.values[k])
                                ? fmt::format("{:.6g}", line.values[k] * unit.factor)
                                : "NaN");
      text += "END\n";
      command += fmt::format(", $side{} using 1:2 with lines {}", i, side_style(i));
    }
    return text + command + "\n";
  }

  [[nodiscard]] std::string heading(const PairPanel& panel) const {
    const bool in_x = panel.along == CutAlong::x;
    const Grid& grid = headers_.front().grid;
    if (grid.mx == 1 || grid.my == 1) return shown_name(panel.field);
    const double place = in_x ? grid.y(element_at(place_[1], grid.y0, grid.dy, grid.my))
                              : grid.x(element_at(place_[0], grid.x0, grid.dx, grid.mx));
    // A row of elements through 0 is not quite there.
    const double unit = 1.0e-3 * (in_x ? grid.dy : grid.dx);
    const double across = std::round(place / unit) * unit;
    return fmt::format("{} along {} at {} = {}", shown_name(panel.field), in_x ? 'x' : 'y',
                       in_x ? 'y' : 'x',
                       quantity_text(across, unit_text(Dimension::length, headers_.front().units)));
  }

  const std::vector<ResultFile>& results_;
  const std::vector<std::string>& names_;
  const PairRequest& request_;
  std::vector<ResultHeader> headers_;
  std::vector<FieldsOfStep> fields_;
  std::vector<std::string> notes_;
  std::array<double, 2> place_{};
  std::vector<PairPanel> panels_;
};

}  // namespace

std::string pair_cuts_script(const std::vector<ResultFile>& results,
                             const std::vector<std::string>& names, const PairRequest& request,
                             PictureFormat format) {
  return PairFigure(results, names, request).script(format);
}

}  // namespace slipfield
