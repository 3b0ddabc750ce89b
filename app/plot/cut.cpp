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
  }

  void read(StepFields& fields) override {
    const Window row = row_of_elements(fields);
    const Blocks blocks = blocks_of(scene_.grid, row, kMostPoints);
    const bool in_contact_only = is_contact_field(names_.front());
    Cut cut;
    cut.step = fields.step().number;
    cut.across = along_ == CutAlong::x ? scene_.grid.y(row.iy0) : scene_.grid.x(row.ix0);
    cut.points = blocks.pixels;
    cut.friction = fields.step().input.tangential.problem != TangentialProblem::none;
    for (const std::string& name : names_) {
      cut.curves.push_back(block_means(fields.field(name), scene_.grid, blocks, {}));
      values_.include(cut.curves.back());
    }
    if (cut.curves.size() == 2) second_.include(cut.curves.back());
    if (name_ == "traction" && fields.has("traction_bound")) {
      cut.bound = block_means(fields.field("traction_bound"), scene_.grid, blocks, {});
      values_.include(cut.bound);
      for (const double bound : cut.bound) values_.include(-bound);
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
    const UnitScale unit =
        unit_scale(values_.greatest(), unit_text(field_dimension(names_.front()), scene_.units));
    Range shown = axis_range(values_);
    shown.low *= unit.factor;
    shown.high *= unit.factor;
    const Grid& points = cut.points;
    const bool in_x = along_ == CutAlong::x;
    const double begin = in_x ? points.x0 : points.y0;
    const double end = in_x ? begin + points.mx * points.dx : begin + points.my * points.dy;
    const Axes axes{{begin * length.factor, end * length.factor},
                    shown,
                    with_unit(in_x ? "x" : "y", length),
                    with_unit(shown_name(name_), unit)};
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
        entries.push_back({LegendEntry::Kind::line, std::string(kLines[i]),
                           names_[i].substr(names_[i].size() - 1) + " component"});
    if (std::any_of(cuts_.begin(), cuts_.end(), [](const Cut& cut) { return !cut.bound.empty(); }))
      entries.push_back({LegendEntry::Kind::line, std::string(kLines[2]), "± traction bound"});
    for (const LegendEntry& entry : state_legend(states_)) entries.push_back(entry);
    return entries;
  }

  [[nodiscard]] std::vector<std::string> notes() const override {
    if (averaged_ == 1) return {};
    return {fmt::format("Each point of a curve is the mean of {} elements.", averaged_)};
  }

 private:
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
  Window row_of_elements(StepFields& fields) const {
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
            !cut.friction                     ? kContactColour
            : state == ElementState::adhesion ? kAdhesionColour
                                              : kSlipColour);
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
    constexpr double kNoise = 1.0e-6;
    const bool no_second = second_.greatest() <= kNoise * values_.greatest();
    return names_.size() == 2 && !no_second ? 2 : 1;
  }

  [[nodiscard]] std::string plot_command(const Cut& cut) const {
    std::string text = "plot 0 with lines linewidth 0.6 linecolor rgb '#808080'";
    const std::size_t bound = cut.curves.size() + 2;
    if (!cut.bound.empty())
      text +=
          fmt::format(", $curves using 1:{} with lines {}, $curves using 1:(-${}) with lines {}",
                      bound, kLines[2], bound, kLines[2]);
    for (std::size_t i = 0; i < drawn_curves(); ++i)
      text += fmt::format(", $curves using 1:{} with lines {}", i + 2, kLines[i]);
    return text + "\n";
  }

  PlotScene scene_;
  CutAlong along_;
  std::string name_;
  std::vector<std::string> names_;
  std::vector<Cut> cuts_;
  ShownStates states_;
  Range values_ = kNoRange;
  Range second_ = kNoRange;  // of the second curve
  int averaged_ = 1;
};

}  // namespace

std::unique_ptr<PanelRow> make_cut_row(const PlotScene& scene, CutAlong along,
                                       const std::string& name) {
  return std::make_unique<CutRow>(scene, along, name);
}

}  // namespace slipfield
