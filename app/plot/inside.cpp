// SPDX-License-Identifier: Apache-2.0
// Stresses inside a body: the greatest ones over the depth, and sections through the greatest.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/plot/map.h"
#include "app/plot/row.h"
#include "io/result/field_table.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr double kDepthWidth = 380.0;
constexpr double kWideDepthWidth = 500.0;  // with fatigue: room for its legend
constexpr double kDepthHeight = 260.0;
constexpr int kMostRowsOfSection = 400;
constexpr std::array<std::string_view, 5> kDepthLines = {
    "linewidth 1.8 linecolor rgb '#0072B2'",  // Okabe and Ito's palette for colour-blind readers
    "linewidth 1.8 linecolor rgb '#D55E00' dashtype (12,7)",
    "linewidth 1.4 linecolor rgb '#009E73' dashtype (4,4)", "linewidth 1.8 linecolor rgb '#CC79A7'",
    "linewidth 1.8 linecolor rgb '#E69F00' dashtype (12,4,3,4)"};

InteriorBody body_of(FieldsOfStep& fields, Body body) {
  for (InteriorBody& found : fields.result().interior(fields.step()))
    if (found.body == body) return std::move(found);
  throw InputError(fmt::format(
      "{}: step {} has no interior of the {} body; accepted: a case with 'interior', or what "
      "`slipfield interior` writes",
      fields.result().path().string(), fields.step().number, body_name(body)));
}

enum class GreatestOver { depth, rows };  // rows: along y, of a passage along x only

class DepthRow final : public PanelRow {
 public:
  DepthRow(const PlotScene& scene, Body body, GreatestOver over)
      : scene_(scene), body_(body), over_(over) {}

  void read(FieldsOfStep& fields) override {
    const InteriorBody body = body_of(fields, body_);
    const InteriorSummary& summary = body.summary;
    Curves curves{
        fields.step().number,
        body.depths,
        {summary.von_mises.by_depth, summary.tresca.by_depth, summary.principal_1.by_depth,
         summary.dang_van.by_depth, summary.crossland.by_depth}};
    if (over_ == GreatestOver::rows) {
      curves.depths = body.y;
      curves.values = {{{}, {}, {}, body.dang_van_along_y, body.crossland_along_y}};
      if ((body.dang_van_along_y.empty() && body.crossland_along_y.empty()) || body.y.size() < 2)
        throw InputError(fmt::format(
            "{}: step {} has no fatigue along y; accepted: a case with 'interior.fatigue' and "
            "two or more rows, or what `slipfield interior --fatigue` writes",
            fields.result().path().string(), fields.step().number));
    }
    for (const std::vector<double>& values : curves.values)
      if (!values.empty()) stress_.include(values);
    depth_.include(curves.depths);
    curves_.push_back(std::move(curves));
  }

  [[nodiscard]] PanelSize size() const override {
    const bool wide = std::any_of(curves_.begin(), curves_.end(), [](const Curves& curves) {
      return !curves.values[3].empty() || !curves.values[4].empty();
    });
    return {wide ? kWideDepthWidth : kDepthWidth, kDepthHeight, kPlainRight};
  }

  [[nodiscard]] std::string draw(std::size_t column, const Frame& frame) const override {
    const Curves& curves = curves_[column];
    const UnitScale length =
        unit_scale(depth_.greatest(), unit_text(Dimension::length, scene_.units));
    const UnitScale stress =
        unit_scale(stress_.greatest(), unit_text(Dimension::traction, scene_.units));
    Range shown = axis_range(stress_);
    shown.low *= stress.factor;
    shown.high *= stress.factor;
    const Axes axes{{depth_.low * length.factor, depth_.high * length.factor},
                    shown,
                    with_unit(over_ == GreatestOver::rows ? "y" : "depth", length),
                    with_unit("greatest stress", stress)};
    std::vector<LegendEntry> legend;
    constexpr std::array<std::string_view, 5> kNames = {"von mises", "tresca", "principal 1",
                                                        "dang van", "crossland"};
    std::string plots = "plot 0 with lines linewidth 0.6 linecolor rgb '#808080'";
    int row = 1;
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      if (curves.values[i].empty()) continue;
      legend.push_back(
          {LegendEntry::Kind::line, std::string(kDepthLines[i]), std::string(kNames[i])});
      plots += fmt::format(", $depths using 1:{} with lines {}", ++row, kDepthLines[i]);
    }
    std::string text = panel_commands(
        frame, step_heading(scene_, curves.step, fmt::format("{} body", body_name(body_))), axes,
        legend);
    text += "$depths << END\n";
    for (std::size_t k = 0; k < curves.depths.size(); ++k) {
      text += fmt::format("{:.7g}", curves.depths[k] * length.factor);
      for (const std::vector<double>& values : curves.values)
        if (!values.empty()) text += fmt::format(" {:.6g}", values[k] * stress.factor);
      text += '\n';
    }
    return text + "END\n" + plots + "\n";
  }

 private:
  struct Curves {
    int step = 0;
    std::vector<double> depths;                 // or places along y
    std::array<std::vector<double>, 5> values;  // empty: not asked for
  };
  PlotScene scene_;
  Body body_;
  GreatestOver over_;
  std::vector<Curves> curves_;
  Range stress_ = kNoRange;
  Range depth_ = kNoRange;
};

std::size_t nearest(const std::vector<double>& values, double wanted) {
  const auto found = std::min_element(values.begin(), values.end(), [&](double a, double b) {
    return std::fabs(a - wanted) < std::fabs(b - wanted);
  });
  return static_cast<std::size_t>(found - values.begin());
}

// A plane of values at any depths as rows of pixels at even ones, interpolated between depths.
std::vector<double> even_rows(const std::vector<double>& values, const std::vector<double>& depths,
                              std::size_t columns, int rows, double row_height) {
  std::vector<double> even;
  std::size_t above = 0;
  for (int row = 0; row < rows; ++row) {
    const double depth = depths.front() + (row + 0.5) * row_height;
    while (above + 2 < depths.size() && depths[above + 1] <= depth) ++above;
    const double step = depths[above + 1] - depths[above];
    const double t = std::clamp((depth - depths[above]) / step, 0.0, 1.0);
    for (std::size_t i = 0; i < columns; ++i)
      even.push_back((1.0 - t) * values[above * columns + i] +
                     t * values[(above + 1) * columns + i]);
  }
  return even;
}

class SectionRow final : public PanelRow {
 public:
  SectionRow(const PlotScene& scene, Body body, CutAlong along, std::string quantity)
      : scene_(scene), body_(body), along_(along), quantity_(std::move(quantity)) {}

  void read(FieldsOfStep& fields) override {
    const InteriorBody body = body_of(fields, body_);
    check(body, fields);
    const bool in_x = along_ == CutAlong::x;
    const std::vector<double>& along = in_x ? body.x : body.y;
    const InteriorGreatest& greatest = body.summary.von_mises;
    const std::size_t at = in_x ? nearest(body.y, greatest.y) : nearest(body.x, greatest.x);
    // A row of elements through 0 is not quite there.
    const double unit = 1.0e-3 * (in_x ? scene_.grid.dy : scene_.grid.dx);
    across_ = std::round((in_x ? body.y[at] : body.x[at]) / unit) * unit;
    const hdf5::Block block = in_x
                                  ? hdf5::Block{{0, at, 0}, {body.depths.size(), 1, body.x.size()}}
                                  : hdf5::Block{{0, 0, at}, {body.depths.size(), body.y.size(), 1}};
    const std::vector<double> values =
        fields.result().interior_block(fields.step(), body_, quantity_, block);
    rasters_.push_back(raster(values, along, body.depths));
    rasters_.back().step = fields.step().number;
    values_.include(rasters_.back().values);
  }

  [[nodiscard]] PanelSize size() const override {
    const Grid& pixels = rasters_.front().pixels;
    PanelSize size = map_size(pixels.mx * pixels.dx, pixels.my * pixels.dy);
    size.right = kColourBarRight;
    return size;
  }

  [[nodiscard]] std::string draw(std::size_t column, const Frame& frame) const override {
    const Raster& raster = rasters_[column];
    const Grid& pixels = raster.pixels;
    const UnitScale length = scene_.length();
    const Dimension dimension = interior_entry(*interior_from_name(quantity_)).dimension;
    const UnitScale unit = unit_scale(values_.greatest(), unit_text(dimension, scene_.units));
    const bool in_x = along_ == CutAlong::x;
    const auto range = [&](double origin, int count, double spacing) {
      return Range{origin * length.factor, (origin + count * spacing) * length.factor};
    };
    const Axes axes{range(pixels.x0, pixels.mx, pixels.dx), range(pixels.y0, pixels.my, pixels.dy),
                    with_unit(in_x ? "x" : "y", length), with_unit("z", length)};
    const std::string heading = fmt::format(
        "{}, {} body at {} = {}", with_unit(shown_name(quantity_), unit), body_name(body_),
        in_x ? 'y' : 'x', quantity_text(across_, unit_text(Dimension::length, scene_.units)));
    ColourRange colours = colour_range(values_);
    colours.range.low *= unit.factor;
    colours.range.high *= unit.factor;
    return panel_commands(frame, step_heading(scene_, raster.step, heading), axes, {}) +
           colour_commands(frame, colours) + raster_plot(raster, length, unit.factor, "");
  }

 private:
  void check(const InteriorBody& body, FieldsOfStep& fields) const {
    const auto& known = body.quantities;
    if (std::find(known.begin(), known.end(), quantity_) == known.end())
      throw InputError(fmt::format("{}: the interior of step {} does not hold {}; it holds {}",
                                   fields.result().path().string(), fields.step().number, quantity_,
                                   fmt::join(known, ", ")));
    if (body.depths.size() < 2)
      throw InputError(
          fmt::format("{}: the interior of step {} has one depth, and a section needs two or more",
                      fields.result().path().string(), fields.step().number));
  }

  // z upwards: the surface is at the lower edge of body 1 and at the upper edge of body 2.
  [[nodiscard]] Raster raster(const std::vector<double>& values, const std::vector<double>& along,
                              const std::vector<double>& depths) const {
    Raster raster;
    const double thickness = depths.back() - depths.front();
    Grid& pixels = raster.pixels;
    pixels.mx = static_cast<int>(along.size());
    pixels.my = std::min(kMostRowsOfSection, std::max(64, static_cast<int>(depths.size())));
    pixels.dx = along_ == CutAlong::x ? scene_.grid.dx : scene_.grid.dy;
    pixels.dy = thickness / pixels.my;
    pixels.x0 = along.front() - 0.5 * pixels.dx;
    pixels.y0 = body_ == Body::upper ? depths.front() : -depths.back();
    raster.values = even_rows(values, depths, along.size(), pixels.my, pixels.dy);
    if (body_ == Body::lower) {
      for (int row = 0; row < pixels.my / 2; ++row) {
        const auto begin = raster.values.begin();
        std::swap_ranges(begin + row * pixels.mx, begin + (row + 1) * pixels.mx,
                         begin + (pixels.my - 1 - row) * pixels.mx);
      }
    }
    return raster;
  }

  PlotScene scene_;
  Body body_;
  CutAlong along_;
  std::string quantity_;
  double across_ = 0.0;
  std::vector<Raster> rasters_;
  Range values_ = kNoRange;
};

}  // namespace

std::unique_ptr<PanelRow> make_depth_row(const PlotScene& scene, Body body) {
  return std::make_unique<DepthRow>(scene, body, GreatestOver::depth);
}

std::unique_ptr<PanelRow> make_fatigue_row(const PlotScene& scene, Body body) {
  return std::make_unique<DepthRow>(scene, body, GreatestOver::rows);
}

std::unique_ptr<PanelRow> make_section_row(const PlotScene& scene, Body body, CutAlong along,
                                           const std::string& quantity) {
  return std::make_unique<SectionRow>(scene, body, along, quantity);
}

}  // namespace slipfield
