// SPDX-License-Identifier: Apache-2.0
// Tractions or slips as arrows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/plot/map.h"
#include "io/result/field_table.h"

namespace slipfield {
namespace {

constexpr int kMostArrows = 25;         // per direction
constexpr double kLengthShare = 0.95;   // of the distance of two arrows, for the longest one
constexpr double kLongestArrow = 32.0;  // pixels
constexpr double kNarrowPanel = 200.0;
constexpr double kOverHeading = 32.0;
constexpr double kShortestStroke = 1.0;
constexpr double kShortestHead = 3.5;

class ArrowRow final : public PanelRow {
 public:
  ArrowRow(const PlotScene& scene, std::string name) : scene_(scene), name_(std::move(name)) {}

  void read(FieldsOfStep& fields) override {
    const std::vector<double>& u = fields.field(name_ + "_x");
    const std::vector<double>& v = fields.field(name_ + "_y");
    const std::vector<ElementState>& division = fields.division();
    if (over_states()) {
      states_.include(division, true);
      rasters_.push_back(raster_of_states(scene_, fields));
    } else {
      std::vector<double> magnitude(u.size());
      for (std::size_t i = 0; i < u.size(); ++i) magnitude[i] = std::hypot(u[i], v[i]);
      rasters_.push_back(raster_of(scene_, fields, magnitude, true));
      magnitudes_.include(rasters_.back().values);
    }
    arrows_.push_back(thin_arrows(u, v, scene_.grid, scene_.window, division, kMostArrows));
    for (const Arrow& arrow : arrows_.back().arrows)
      longest_ = std::max(longest_, std::hypot(arrow.u, arrow.v));
  }

  [[nodiscard]] PanelSize size() const override { return map_panel_size(scene_, !over_states()); }

  [[nodiscard]] std::string draw(std::size_t column, const Frame& frame) const override {
    const Raster& raster = rasters_[column];
    const UnitScale length = scene_.length();
    const Axes axes = map_axes(scene_, length);
    const std::string unit(unit_text(field_dimension(name_ + "_x"), scene_.units));
    const UnitScale scale = unit_scale(magnitudes_.greatest(), unit);
    const std::string heading =
        over_states() ? shown_name(name_) : with_unit(shown_name(name_), scale);
    std::string text = panel_commands(frame, step_heading(scene_, raster.step, heading), axes, {});
    if (over_states()) {
      text += state_colour_commands(true);
    } else {
      ColourRange colours = colour_range(magnitudes_);
      colours.range.low *= scale.factor;
      colours.range.high *= scale.factor;
      text += colour_commands(frame, colours);
    }
    std::string over;
    if (longest_ > 0.0) {
      const double per_pixel = (axes.x.high - axes.x.low) / length.factor / frame.width;
      const double pixels =
          std::min(kLengthShare * arrows_[column].spacing / per_pixel, kLongestArrow);
      text += scale_arrow(frame, unit, pixels);
      text += arrow_styles(frame);
      text += arrow_data(arrows_[column], pixels * per_pixel / longest_, per_pixel, length.factor);
      over = ", " + arrow_plot();
    }
    return text + raster_plot(raster, length, over_states() ? 1.0 : scale.factor, over);
  }

  [[nodiscard]] std::vector<LegendEntry> legend() const override { return state_legend(states_); }

  [[nodiscard]] std::vector<std::string> notes() const override {
    std::vector<std::string> notes = map_notes(scene_, true);
    const ArrowField& field = arrows_.front();
    if (longest_ > 0.0 && (field.bx > 1 || field.by > 1))
      notes.push_back(fmt::format("Each arrow is the mean of {} x {} elements, those in contact.",
                                  field.bx, field.by));
    return notes;
  }

 private:
  [[nodiscard]] bool over_states() const { return name_ == "traction"; }

  static std::string head(const Frame& frame) {
    return fmt::format("head filled size screen {:.6f},18", 6.0 / frame.figure_width);
  }

  // An arrow of a round value with its number, at the right end of the heading; over the heading
  // where the panel is too narrow for both.
  [[nodiscard]] std::string scale_arrow(const Frame& frame, const std::string& unit,
                                        double pixels) const {
    const double value = nice_below(longest_);
    const double right = frame.left + frame.width;
    const double left = right - pixels * value / longest_;
    const double y = frame.top - (frame.width < kNarrowPanel ? kOverHeading : kLegendMiddle);
    return fmt::format("set arrow from {} to {} {} linewidth 1 linecolor rgb 'black' front\n",
                       frame.at(left, y), frame.at(right, y), head(frame)) +
           fmt::format("set label {} at {} right\n", gnuplot_text(quantity_text(value, unit)),
                       frame.at(left - 6.0, y));
  }

  // Arrows with their middles at the places of their vectors. The last column is 1 for a stroke
  // without a head: gnuplot draws a head on less than its own length the wrong way round.
  static std::string arrow_data(const ArrowField& field, double length_per_value, double per_pixel,
                                double factor) {
    std::string text = "$arrows << END\n";
    for (const Arrow& arrow : field.arrows) {
      const double u = arrow.u * length_per_value;
      const double v = arrow.v * length_per_value;
      const double pixels = std::hypot(u, v) / per_pixel;
      if (pixels < kShortestStroke) continue;
      text += fmt::format("{:.6g} {:.6g} {:.6g} {:.6g} {}\n", (arrow.x - 0.5 * u) * factor,
                          (arrow.y - 0.5 * v) * factor, u * factor, v * factor,
                          pixels < kShortestHead ? 1 : 0);
    }
    return text + "END\n";
  }

  // Styles 1 and 2: with and without a head; 3 and 4: the light rim of these, which they need over
  // colours of any lightness.
  static std::string arrow_styles(const Frame& frame) {
    constexpr std::string_view kDark = "linewidth 0.9 linecolor rgb 'black'";
    constexpr std::string_view kRim = "linewidth 2.4 linecolor rgb 'white'";
    return fmt::format(
        "set style arrow 1 {0} {1}\nset style arrow 2 nohead {1}\n"
        "set style arrow 3 {0} {2}\nset style arrow 4 nohead {2}\n",
        head(frame), kDark, kRim);
  }

  [[nodiscard]] std::string arrow_plot() const {
    const std::string dark = "$arrows using 1:2:3:4:(1+$5) with vectors arrowstyle variable";
    const std::string rim = "$arrows using 1:2:3:4:(3+$5) with vectors arrowstyle variable";
    return over_states() ? dark : rim + ", " + dark;
  }

  PlotScene scene_;
  std::string name_;
  std::vector<Raster> rasters_;
  std::vector<ArrowField> arrows_;
  ShownStates states_;
  double longest_ = 0.0;
  Range magnitudes_ = kNoRange;
};

}  // namespace

std::unique_ptr<PanelRow> make_arrow_row(const PlotScene& scene, const std::string& name) {
  return std::make_unique<ArrowRow>(scene, name);
}

}  // namespace slipfield
