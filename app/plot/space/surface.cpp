// SPDX-License-Identifier: Apache-2.0
// Fields in three dimensions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/plot/map.h"
#include "app/plot/row.h"
#include "io/result/field_table.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr double kSurfaceWidth = 430.0;
constexpr double kSurfaceHeight = 330.0;
constexpr int kMostFacets = 80;  // in each direction; more are a black area of lines

class SurfaceRow final : public PanelRow {
 public:
  SurfaceRow(const PlotScene& scene, std::string field) : scene_(scene), field_(std::move(field)) {}

  void read(FieldsOfStep& fields) override {
    const Blocks blocks = blocks_of(scene_.grid, scene_.window, kMostFacets);
    const bool contact_only = is_contact_field(field_);
    Surface surface{fields.step().number, blocks.pixels,
                    block_means(fields.field(field_), scene_.grid, blocks,
                                contact_only ? fields.division() : std::vector<ElementState>{})};
    // Tractions end at the edge of the contact; a slip is not defined beyond it.
    if (field_dimension(field_) == Dimension::traction)
      for (double& value : surface.values)
        if (std::isnan(value)) value = 0.0;
    const Range shown = without_extremes(surface.values);
    whole_.include(surface.values);
    values_.include(shown.low);
    values_.include(shown.high);
    averaged_ = std::max(averaged_, blocks.bx * blocks.by);
    surfaces_.push_back(std::move(surface));
  }

  [[nodiscard]] PanelSize size() const override {
    return {kSurfaceWidth, kSurfaceHeight, kPlainRight};
  }

  [[nodiscard]] std::string draw(std::size_t column, const Frame& frame) const override {
    const Surface& surface = surfaces_[column];
    const Grid& pixels = surface.pixels;
    const UnitScale length = scene_.length();
    const UnitScale unit =
        unit_scale(values_.greatest(), unit_text(field_dimension(field_), scene_.units));
    ColourRange colours = colour_range(values_);
    colours.range.low *= unit.factor;
    colours.range.high *= unit.factor;
    const Axes axes = map_axes(scene_, length);
    std::string text = panel_commands(
        frame, step_heading(scene_, surface.step, with_unit(shown_name(field_), unit)),
        {axes.x, axes.y, axes.x_label, ""}, {});
    text += colour_commands(frame, colours) + "unset colorbox\n";
    text += view_commands(frame, axes, colours.range);
    std::vector<double> shown = surface.values;
    for (double& value : shown)
      value = std::clamp(value * unit.factor, colours.range.low, colours.range.high);
    return text +
           fmt::format(
               "splot '-' binary array=({},{}) format='%float32' origin=({:.9g},{:.9g},0) "
               "dx={:.9g} dy={:.9g} with pm3d\n",
               pixels.mx, pixels.my, pixels.x(0) * length.factor, pixels.y(0) * length.factor,
               pixels.dx * length.factor, pixels.dy * length.factor) +
           gnuplot_floats(shown) + "\n";
  }

  [[nodiscard]] std::vector<std::string> notes() const override {
    std::vector<std::string> notes;
    if (averaged_ > 1)
      notes.push_back(
          fmt::format("Each corner of a surface is the mean of {} elements.", averaged_));
    if (whole_.greatest() > values_.greatest())
      notes.push_back(fmt::format("The surface of {} is cut off at {}; single elements reach {}.",
                                  shown_name(field_),
                                  quantity_text(values_.greatest(), field_unit()),
                                  quantity_text(whole_.greatest(), field_unit())));
    return notes;
  }

 private:
  struct Surface {
    int step = 0;
    Grid pixels;
    std::vector<double> values;
  };

  [[nodiscard]] std::string_view field_unit() const {
    return unit_text(field_dimension(field_), scene_.units);
  }

  // From the front, right and above; both horizontal directions have the same scale unless one of
  // them is more than eight times as long.
  static std::string view_commands(const Frame& frame, const Axes& axes, const Range& upwards) {
    constexpr double kMostSlender = 8.0;
    const double width = axes.x.high - axes.x.low;
    const double depth = axes.y.high - axes.y.low;
    const bool to_scale = std::max(width, depth) <= kMostSlender * std::min(width, depth);
    std::string text = fmt::format(
        "set view 60,28,0.83,0.6\n{}set xyplane at {:.9g}\nset zrange [{:.9g}:{:.9g}]\n",
        to_scale ? "set view equal xy\n" : "", upwards.low, upwards.low, upwards.high);
    text +=
        fmt::format("set xlabel {} offset 0,-1\nset ylabel {} offset 1,-0.5\nset ztics {:.9g}\n",
                    gnuplot_text(axes.x_label), gnuplot_text(axes.y_label),
                    nice_step(upwards.high - upwards.low, 4));
    text += fmt::format("set xtics {:.9g} offset 0,-0.2\nset ytics {:.9g}\n", nice_step(width, 4),
                        nice_step(depth, 4));
    text += "set border 127 linewidth 0.5\nset grid z linewidth 0.4\n";
    text += "set pm3d depthorder border linewidth 0.25 linecolor rgb '#404040'\n";
    return text + fmt::format("set tmargin at screen {:.6f}\n",
                              1.0 - (frame.top - 10.0) / frame.figure_height);
  }

  PlotScene scene_;
  std::string field_;
  std::vector<Surface> surfaces_;
  Range whole_ = kNoRange;
  Range values_ = kNoRange;
  int averaged_ = 1;
};

}  // namespace

std::unique_ptr<PanelRow> make_surface_row(const PlotScene& scene, const std::string& field) {
  return std::make_unique<SurfaceRow>(scene, field);
}

}  // namespace slipfield
