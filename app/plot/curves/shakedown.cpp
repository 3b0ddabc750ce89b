// SPDX-License-Identifier: Apache-2.0
// The shakedown map: limits of the load over the friction, and where a step is.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/plot/row.h"
#include "app/report/ellipse_doubt.h"
#include "solver/error.h"
#include "solver/surface/shakedown.h"

namespace slipfield {
namespace {

constexpr double kShakedownWidth = 440.0;
constexpr double kShakedownHeight = 300.0;
constexpr int kPointsOfCurve = 60;
constexpr double kLeastShownFriction = 0.6;
constexpr double kLeastShownLoad = 5.5;

struct LimitCurve {
  std::string_view line;
  std::string_view name;
};
constexpr std::array<LimitCurve, 2> kShakedownLines = {{
    // Okabe and Ito's palette
    {"linewidth 1.8 linecolor rgb '#0072B2' dashtype (8,5)", "elastic limit"},
    {"linewidth 1.8 linecolor rgb '#D55E00'", "shakedown limit"},
}};
constexpr std::string_view kPointStyle = "linecolor rgb '#202020' pointtype 7 pointsize 1.1";

class ShakedownRow final : public PanelRow {
 public:
  explicit ShakedownRow(const PlotScene& scene) : scene_(scene) {}

  void read(FieldsOfStep& fields) override {
    const SurfaceNumbers& numbers = fields.step().report.surface;
    if (!numbers.shakedown_load || !numbers.used_friction)
      throw InputError(fmt::format(
          "{}: step {} has no point in the shakedown map; accepted: a case with 'fatigue'",
          fields.result().path().string(), fields.step().number));
    points_.push_back({fields.step().number, *numbers.used_friction, *numbers.shakedown_load});
    const std::string doubt = ellipse_doubt(width_over_length(scene_.grid, fields.division()));
    if (!doubt.empty()) notes_.push_back(fmt::format("Step {}: {}.", fields.step().number, doubt));
    friction_ = std::max(friction_, 1.1 * *numbers.used_friction);
    load_ = std::max(load_, 1.1 * *numbers.shakedown_load);
  }

  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }

  [[nodiscard]] PanelSize size() const override {
    return {kShakedownWidth, kShakedownHeight, kPlainRight};
  }

  [[nodiscard]] std::string draw(std::size_t column, const Frame& frame) const override {
    const Point& point = points_[column];
    const bool line = scene_.grid.my == 1;
    const Axes axes{{0.0, friction_}, {0.0, load_}, "tangential over normal force", "p_0/k"};
    std::vector<LegendEntry> legend;
    for (const LimitCurve& limit : kShakedownLines)
      legend.push_back({LegendEntry::Kind::line, std::string(limit.line), std::string(limit.name)});
    std::string text = panel_commands(
        frame,
        step_heading(scene_, point.step,
                     line ? "shakedown map of line contact" : "shakedown map of circular contact"),
        axes, legend);
    text += "$limits << END\n";
    for (int i = 0; i <= kPointsOfCurve; ++i) {
      const double friction = friction_ * i / kPointsOfCurve;
      const ShakedownLimits limits = line ? line_limits(friction) : point_limits(friction);
      text += fmt::format("{:.6g} {:.6g} {:.6g}\n", friction, limits.elastic, limits.shakedown);
    }
    text += fmt::format("END\n$point << END\n{:.6g} {:.6g}\nEND\nplot", point.friction, point.load);
    for (std::size_t i = 0; i < kShakedownLines.size(); ++i)
      text += fmt::format(" $limits using 1:{} with lines {},", i + 2, kShakedownLines[i].line);
    return text + fmt::format(" $point using 1:2 with points {}\n", kPointStyle);
  }

 private:
  struct Point {
    int step = 0;
    double friction = 0.0;
    double load = 0.0;
  };
  PlotScene scene_;
  std::vector<Point> points_;
  std::vector<std::string> notes_;
  double friction_ = kLeastShownFriction;
  double load_ = kLeastShownLoad;
};

}  // namespace

std::unique_ptr<PanelRow> make_shakedown_row(const PlotScene& scene) {
  return std::make_unique<ShakedownRow>(scene);
}

}  // namespace slipfield
