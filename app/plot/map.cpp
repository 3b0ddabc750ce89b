// SPDX-License-Identifier: Apache-2.0
#include "app/plot/map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/report/step_table.h"
#include "io/result/field_table.h"

namespace slipfield {
namespace {

constexpr double kHeadingRoom = 190.0;  // a heading is longer than a narrow map
constexpr int kMostPixels = 512;        // more than a panel has on paper
constexpr int kLeastPixels = 400;       // about what it has on a screen

// Colour maps that grow evenly in lightness and that colour-blind readers can tell apart: viridis
// (S. van der Walt, N. Smith; CC0), PuOr (ColorBrewer, C. Brewer; Apache 2.0).
constexpr std::string_view kViridis =
    "set palette defined (0 '#440154', 1 '#482475', 2 '#414487', 3 '#355f8d', 4 '#2a788e', "
    "5 '#21918c', 6 '#22a884', 7 '#44bf70', 8 '#7ad151', 9 '#bddf26', 10 '#fde725')\n";
constexpr std::string_view kPuOr =
    "set palette defined (0 '#2d004b', 1 '#542788', 2 '#8073ac', 3 '#b2abd2', 4 '#d8daeb', "
    "5 '#f7f7f7', 6 '#fee0b6', 7 '#fdb863', 8 '#e08214', 9 '#b35806', 10 '#7f3b08')\n";

class MapRow final : public PanelRow {
 public:
  MapRow(const PlotScene& scene, std::string field) : scene_(scene), field_(std::move(field)) {}

  void read(FieldsOfStep& fields) override {
    friction_.push_back(!is_frictionless(fields.step().input, fields.step().report));
    if (is_division()) {
      states_.include(fields.division(), friction_.back());
      rasters_.push_back(raster_of_states(scene_, fields));
      return;
    }
    rasters_.push_back(raster_of(scene_, fields, fields.field(field_), is_contact_field(field_)));
    const std::vector<double>& values = rasters_.back().values;
    whole_.include(values);
    const Range shown = without_extremes(values);
    values_.include(shown.low);
    values_.include(shown.high);
  }

  [[nodiscard]] PanelSize size() const override { return map_panel_size(scene_, !is_division()); }

  [[nodiscard]] std::string draw(std::size_t column, const Frame& frame) const override {
    const Raster& raster = rasters_[column];
    const UnitScale length = scene_.length();
    const UnitScale unit =
        unit_scale(values_.greatest(), unit_text(field_dimension(field_), scene_.units));
    const std::string name =
        is_division() ? shown_name(field_) : with_unit(shown_name(field_), unit);
    const std::string text = panel_commands(frame, step_heading(scene_, raster.step, name),
                                            map_axes(scene_, length), {});
    if (is_division())
      return text + state_colour_commands(friction_[column]) + raster_plot(raster, length, 1.0, "");
    ColourRange colours = colour_range(values_);
    colours.range.low *= unit.factor;
    colours.range.high *= unit.factor;
    return text + colour_commands(frame, colours) + raster_plot(raster, length, unit.factor, "");
  }

  [[nodiscard]] std::vector<std::string> notes() const override {
    std::vector<std::string> notes = map_notes(scene_, is_contact_field(field_) || is_division());
    if (std::any_of(rasters_.begin(), rasters_.end(),
                    [](const Raster& raster) { return raster.infinite; }))
      notes.emplace_back("White: infinite.");
    if (is_division()) return notes;
    const auto unit = unit_text(field_dimension(field_), scene_.units);
    if (!whole_.empty() && whole_.greatest() == 0.0)
      notes.push_back(fmt::format("The {} is 0 everywhere.", shown_name(field_)));
    if (whole_.greatest() > values_.greatest())
      notes.push_back(
          fmt::format("The colours of {} end at {}; single elements reach {}.", shown_name(field_),
                      quantity_text(values_.greatest(), unit),
                      quantity_text(whole_.high > -whole_.low ? whole_.high : whole_.low, unit)));
    return notes;
  }

  [[nodiscard]] std::vector<LegendEntry> legend() const override { return state_legend(states_); }

 private:
  [[nodiscard]] bool is_division() const { return field_ == kDivisionName; }

  PlotScene scene_;
  std::string field_;
  std::vector<Raster> rasters_;
  std::vector<bool> friction_;  // of the steps
  ShownStates states_;
  Range whole_ = kNoRange;   // of all values
  Range values_ = kNoRange;  // that have colours of their own
};

void add_outline(Raster& raster, const PlotScene& scene, FieldsOfStep& fields,
                 const Blocks& blocks) {
  if (fields.division().empty()) return;
  raster.outline =
      contact_outline(block_states(fields.division(), scene.grid, blocks), blocks.pixels);
}

}  // namespace

Raster raster_of(const PlotScene& scene, FieldsOfStep& fields, const std::vector<double>& values,
                 bool in_contact_only) {
  const Blocks blocks = blocks_of(scene.grid, scene.window, kMostPixels);
  Raster raster;
  raster.step = fields.step().number;
  raster.pixels = blocks.pixels;
  raster.values = block_means(values, scene.grid, blocks,
                              in_contact_only ? fields.division() : std::vector<ElementState>{});
  raster.infinite = !in_contact_only && std::any_of(raster.values.begin(), raster.values.end(),
                                                    [](double value) { return std::isnan(value); });
  add_outline(raster, scene, fields, blocks);
  return raster;
}

Raster raster_of_states(const PlotScene& scene, FieldsOfStep& fields) {
  const Blocks blocks = blocks_of(scene.grid, scene.window, kMostPixels);
  Raster raster;
  raster.step = fields.step().number;
  raster.pixels = blocks.pixels;
  if (fields.division().empty()) {
    raster.values.assign(blocks.pixels.count(), std::nan(""));
  } else {
    for (const ElementState state : block_states(fields.division(), scene.grid, blocks))
      raster.values.push_back(state == ElementState::exterior ? std::nan("")
                                                              : static_cast<double>(state));
  }
  add_outline(raster, scene, fields, blocks);
  return raster;
}

PanelSize map_panel_size(const PlotScene& scene, bool colour_bar) {
  const Grid pixels = blocks_of(scene.grid, scene.window, kMostPixels).pixels;
  PanelSize size = map_size(pixels.mx * pixels.dx, pixels.my * pixels.dy);
  size.right = std::max(colour_bar ? kColourBarRight : kPlainRight, kHeadingRoom - size.width);
  return size;
}

Axes map_axes(const PlotScene& scene, const UnitScale& length) {
  const Grid pixels = blocks_of(scene.grid, scene.window, kMostPixels).pixels;
  const double factor = length.factor;
  return {{pixels.x0 * factor, (pixels.x0 + pixels.mx * pixels.dx) * factor},
          {pixels.y0 * factor, (pixels.y0 + pixels.my * pixels.dy) * factor},
          with_unit("x", length),
          with_unit("y", length)};
}

std::string colour_commands(const Frame& frame, const ColourRange& colours) {
  const Range& range = colours.range;
  std::string text(colours.diverging ? kPuOr : kViridis);
  text += fmt::format("set cbrange [{:.9g}:{:.9g}]\n", range.low, range.high);
  text += fmt::format(
      "set cbtics {:.9g} scale 0.5\n",
      nice_step(range.high - range.low, static_cast<int>(std::max(3.0, frame.height / 30.0))));
  text += fmt::format("set colorbox user origin {} size screen {:.6f}, screen {:.6f}\n",
                      frame.at(frame.left + frame.width + 12.0, frame.top + frame.height),
                      12.0 / frame.figure_width, frame.height / frame.figure_height);
  return text;
}

std::string state_colour_commands(bool friction) {
  return fmt::format(
      "set palette defined (1 '{}', 2 '{}', 3 '{}') maxcolors 3\nset cbrange [0.5:3.5]\nunset "
      "colorbox\n",
      state_colour(ElementState::adhesion, friction), state_colour(ElementState::slip, friction),
      state_colour(ElementState::plastic, friction));
}

std::string raster_plot(const Raster& raster, const UnitScale& length, double factor,
                        const std::string& over) {
  Grid pixels = raster.pixels;
  std::string text;
  std::string outline;
  if (!raster.outline.empty()) {
    text += "$outline << END\n";
    for (const Segment& segment : raster.outline)
      text += fmt::format("{:.7g} {:.7g}\n{:.7g} {:.7g}\n\n", segment.x0 * length.factor,
                          segment.y0 * length.factor, segment.x1 * length.factor,
                          segment.y1 * length.factor);
    text += "END\n";
    outline = ", $outline using 1:2 with lines linecolor rgb 'black' linewidth 1.2";
  }
  std::vector<double> shown = raster.values;
  for (double& value : shown) value *= factor;
  enlarge(shown, pixels, kLeastPixels);
  text += fmt::format(
      "plot '-' binary array=({},{}) format='%float32' origin=({:.9g},{:.9g}) dx={:.9g} "
      "dy={:.9g} with image{}{}\n",
      pixels.mx, pixels.my, pixels.x(0) * length.factor, pixels.y(0) * length.factor,
      pixels.dx * length.factor, pixels.dy * length.factor, outline, over);
  return text + gnuplot_floats(shown) + "\n";
}

std::vector<std::string> map_notes(const PlotScene& scene, bool in_contact_only) {
  const Blocks blocks = blocks_of(scene.grid, scene.window, kMostPixels);
  if (blocks.single()) return {};
  return {fmt::format("Each pixel of a map is the mean of {} x {} elements{}.", blocks.bx,
                      blocks.by, in_contact_only ? ", those in contact" : "")};
}

std::unique_ptr<PanelRow> make_map_row(const PlotScene& scene, const std::string& field) {
  return std::make_unique<MapRow>(scene, field);
}

}  // namespace slipfield
