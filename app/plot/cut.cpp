// SPDX-License-Identifier: Apache-2.0
// Fields along one row of elements.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/plot/map.h"
#include "app/plot/row.h"
#include "io/result/field_table.h"

namespace slipfield {
namespace {

constexpr double kCutWidth = 380.0;
constexpr double kLeastCutWidth = 220.0;
constexpr double kCutHeight = 230.0;
constexpr int kMostPoints = 2048;
constexpr std::array<std::string_view, 3> kLines = {
    "linewidth 1.8 linecolor rgb '#0072B2'",  // blue, vermilion: Okabe and Ito's palette for
    "linewidth 1.8 linecolor rgb '#D55E00' dashtype (12,7)",  // colour-blind readers
    "linewidth 1.1 linecolor rgb '#202020' dashtype (6,5)"};

// One step's curves, in the units of the file.
struct Cut {
  int step = 0;
  double across = 0.0;  // the coordinate of the row of elements
  Grid points;          // one row of pixels
  std::vector<std::vector<double>> curves;
  bool friction = false;
  std::vector<double> bound;         // empty where it is not drawn
  std::vector<ElementState> states;  // empty where the file has none
};

class CutRow final : public PanelRow {
 public:
  CutRow(const PlotScene& scene, CutAlong along, const std::string& name)
      : scene_(scene), along_(along), name_(name), names_{name} {
    if (name == "traction" || name == "slip") names_ = {name + "_x", name + "_y"};
    if (is_shape()) names_ = {"gap", "undeformed_distance"};
  }

  void read(FieldsOfStep& fields) override {
    const Window row = row_of_elements(fields);
    const Blocks blocks = blocks_of(scene_.grid, row, kMostPoints);
    const bool in_contact_only = is_contact_field(names_.front()) || is_shape();
    Cut cut;
    cut.step = fields.step().number;
    cut.across = along_ == CutAlong::x ? scene_.grid.y(row.iy0) : scene_.grid.x(row.ix0);
    cut.points = blocks.pixels;
    cut.friction = fields.step().input.tangential.problem != TangentialProblem::none;
    for (const std::string& name : names_) {
      cut.curves.push_back(block_means(fields.field(name), scene_.grid, blocks, {}));
      if (name == "undeformed_distance" && is_shape())
        for (double& value : cut.curves.back()) value -= fields.step().report.approach;
      values_.include(cut.curves.back());
    }
    if (cut.curves.size() == 2) second_.include(cut.curves.back());
    if (name_ == "traction" && fields.has("traction_bound")) {
      cut.bound = block_means(fields.field("traction_bound"), scene_.grid, blocks, {});
      bound_.include(cut.bound);
    }
    if (!fields.division().empty() && in_contact_only)
      cut.states = block_states(fields.division(), scene_.grid, blocks);
    states_.include(cut.states, cut.friction);
    averaged_ = std::max(averaged_, blocks.bx * blocks.by);
    cuts_.push_back(std::move(cut));
  }

  // As wide as the maps, with the same axis, where these are wide enough for curves.
  [[nodiscard]] PanelSize size() const override {
    const double map = map_panel_size(scene_, false).width;
    const bool as_map = along_ == CutAlong::x && !scene_.one_row() && map >= kLeastCutWidth;
    return {as_map ? map : kCutWidth, kCutHeight, kPlainRight};
  }

  [[nodiscard]] std::string draw(std::size_t column, const Frame& frame) const override {
    const Cut& cut = cuts_[column];
    const UnitScale length = scene_.length();
    const UnitScale unit = unit_scale(shown_values().greatest(),
                                      unit_text(field_dimension(names_.front()), scene_.units));
    Range shown = axis_range(shown_values());
    shown.low *= unit.factor;
    shown.high *= unit.factor;
    const Grid& points = cut.points;
    const bool in_x = along_ == CutAlong::x;
    const double begin = in_x ? points.x0 : points.y0;
    const double end = in_x ? begin + points.mx * points.dx : begin + points.my * points.dy;
    const Axes axes{{begin * length.factor, end * length.factor},
                    shown,
                    with_unit(in_x ? "x" : "y", length),
                    with_unit(is_shape() ? "distance of the surfaces" : shown_name(name_), unit)};
    std::string text =
        panel_commands(frame, step_heading(scene_, cut.step, heading(cut)), axes, {});
    text += areas(cut, length.factor);
    text += data(cut, length.factor, unit.factor);
    return text + plot_command(cut);
  }

  [[nodiscard]] std::vector<LegendEntry> legend() const override {
    std::vector<LegendEntry> entries;
    if (names_.size() == 2)
      for (std::size_t i = 0; i < drawn_curves(); ++i)
        entries.push_back({LegendEntry::Kind::line, std::string(kLines[i]), curve_text(i)});
    if (!bound_.empty() && !far_bound())
      entries.push_back({LegendEntry::Kind::line, std::string(kLines[2]), "± traction bound"});
    for (const LegendEntry& entry : state_legend(states_)) entries.push_back(entry);
    return entries;
  }

  [[nodiscard]] std::vector<std::string> notes() const override {
    std::vector<std::string> notes;
    if (averaged_ > 1)
      notes.push_back(fmt::format("Each point of a curve is the mean of {} elements.", averaged_));
    if (far_bound())
      notes.push_back(
          fmt::format("The traction bound, up to {}, is beyond the axis of the cuts.",
                      quantity_text(bound_.high, unit_text(Dimension::traction, scene_.units))));
    return notes;
  }

 private:
  [[nodiscard]] bool is_shape() const { return name_ == kShapeName; }

  // So far away that the tractions between the bounds would be one line on the axis.
  [[nodiscard]] bool far_bound() const {
    constexpr double kLeastShare = 0.05;
    return !bound_.empty() && values_.greatest() > 0.0 &&
           values_.greatest() < kLeastShare * bound_.high;
  }
  [[nodiscard]] Range shown_values() const {
    Range shown = values_;
    if (bound_.empty() || far_bound()) return shown;
    shown.include(bound_.high);
    shown.include(-bound_.high);
    shown.include(bound_.low);
    shown.include(-bound_.low);
    return shown;
  }

  [[nodiscard]] std::string curve_text(std::size_t curve) const {
    if (is_shape()) return curve == 0 ? "deformed" : "undeformed, after the same approach";
    return names_[curve].substr(names_[curve].size() - 1) + " component";
  }

  [[nodiscard]] std::string heading(const Cut& cut) const {
    if (scene_.one_row()) return shown_name(name_);
    const bool in_x = along_ == CutAlong::x;
    // A row of elements through 0 is not quite there where the origin was given with few digits.
    const double unit = 1.0e-3 * (in_x ? scene_.grid.dy : scene_.grid.dx);
    const double across = std::round(cut.across / unit) * unit;
    return fmt::format("{} along {} at {} = {}", shown_name(name_), in_x ? 'x' : 'y',
                       in_x ? 'y' : 'x',
                       quantity_text(across, unit_text(Dimension::length, scene_.units)));
  }

  // Through the middle of the window where there is neither a place nor a pressure.
  Window row_of_elements(FieldsOfStep& fields) const {
    const Window& window = scene_.window;
    int ix = (window.ix0 + window.ix1) / 2;
    int iy = (window.iy0 + window.iy1) / 2;
    std::optional<std::array<double, 2>> place = scene_.at;
    if (!place && !scene_.one_row() && fields.has("pressure"))
      place = middle_of_pressure(fields.field("pressure"), scene_.grid);
    if (place) {
      ix = element_at((*place)[0], scene_.grid.x0, scene_.grid.dx, scene_.grid.mx);
      iy = element_at((*place)[1], scene_.grid.y0, scene_.grid.dy, scene_.grid.my);
    }
    return along_ == CutAlong::x ? Window{window.ix0, iy, window.ix1, iy + 1}
                                 : Window{ix, window.iy0, ix + 1, window.iy1};
  }

  // Bands behind the curves where the elements stick and where they slip.
  [[nodiscard]] std::string areas(const Cut& cut, double factor) const {
    std::string text;
    const auto count = static_cast<int>(cut.states.size());
    const double start = along_ == CutAlong::x ? cut.points.x0 : cut.points.y0;
    const double size = along_ == CutAlong::x ? cut.points.dx : cut.points.dy;
    for (int begin = 0; begin < count;) {
      const ElementState state = cut.states[static_cast<std::size_t>(begin)];
      int end = begin + 1;
      while (end < count && cut.states[static_cast<std::size_t>(end)] == state) ++end;
      if (state != ElementState::exterior)
        text += fmt::format(
            "set object rectangle from first {:.7g}, graph 0 to first {:.7g}, graph 1 behind "
            "fillstyle solid noborder fillcolor rgb '{}'\n",
            (start + begin * size) * factor, (start + end * size) * factor,
            state_colour(state, cut.friction));
      begin = end;
    }
    return text;
  }

  // Columns: coordinate, the curves, the bound.
  [[nodiscard]] std::string data(const Cut& cut, double length_factor, double factor) const {
    std::string text = "$curves << END\n";
    for (std::size_t i = 0; i < cut.points.count(); ++i) {
      const auto at = static_cast<int>(i);
      const double place = along_ == CutAlong::x ? cut.points.x(at) : cut.points.y(at);
      text += fmt::format("{:.7g}", place * length_factor);
      for (const std::vector<double>& curve : cut.curves) text += number(curve[i] * factor);
      if (!cut.bound.empty()) text += number(cut.bound[i] * factor);
      text += '\n';
    }
    return text + "END\n";
  }

  static std::string number(double value) {
    return std::isfinite(value) ? fmt::format(" {:.6g}", value) : " NaN";
  }

  // In two-dimensional contact there is no second component.
  [[nodiscard]] std::size_t drawn_curves() const {
    constexpr double kNoise = 1.0e-4;  // less is a line on the axis
    const bool no_second = second_.greatest() <= kNoise * shown_values().greatest();
    return names_.size() == 2 && !no_second ? 2 : 1;
  }

  [[nodiscard]] std::string plot_command(const Cut& cut) const {
    std::string text = "plot 0 with lines linewidth 0.6 linecolor rgb '#808080'";
    const std::size_t bound = cut.curves.size() + 2;
    if (!cut.bound.empty() && !far_bound())
      text +=
          fmt::format(", $curves using 1:{} with lines {}, $curves using 1:(-${}) with lines {}",
                      bound, kLines[2], bound, kLines[2]);
    const bool one_point = cut.points.count() == 1;  // which is no line
    for (std::size_t i = 0; i < drawn_curves(); ++i)
      text += fmt::format(", $curves using 1:{} with {} {}{}", i + 2,
                          one_point ? "linespoints" : "lines", kLines[i],
                          one_point ? " pointtype 7 pointsize 0.7" : "");
    return text + "\n";
  }

  PlotScene scene_;
  CutAlong along_;
  std::string name_;
  std::vector<std::string> names_;
  std::vector<Cut> cuts_;
  ShownStates states_;
  Range values_ = kNoRange;
  Range bound_ = kNoRange;
  Range second_ = kNoRange;  // of the second curve
  int averaged_ = 1;
};

}  // namespace

std::unique_ptr<PanelRow> make_cut_row(const PlotScene& scene, CutAlong along,
                                       const std::string& name) {
  return std::make_unique<CutRow>(scene, along, name);
}

}  // namespace slipfield
