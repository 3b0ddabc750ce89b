// SPDX-License-Identifier: Apache-2.0
#include "app/plot/wheel/contact_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "app/plot/layout.h"
#include "app/plot/page.h"
#include "app/plot/scale.h"
#include "app/plot/wheel/wheel_case.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr double kLinesWidth = 560.0;
constexpr double kLinesHeight = 360.0;
constexpr double kCurvesHeight = 230.0;
constexpr double kBetween = 14.0;       // [mm] between the profiles
constexpr std::size_t kMostLines = 41;  // that a reader can follow
constexpr double kLabelRoom = 24.0;     // pixels between their labels
constexpr double kNearCentre = 1.0e-9;  // [mm], where the conicity is a limit that is left out
constexpr double kDegrees = 57.29577951308232;
constexpr const char* kKey = "wheel_rail.wheelset.y";

struct SidePanel {
  std::string prefix;  // of its columns
  std::string heading;
  double sign = 1.0;  // of y from canonical profiles
  DrawnLine rail;     // canonical
  DrawnLine wheel;
};

struct CurvePanel {
  std::string heading;
  std::string label;
  std::vector<std::pair<std::string, std::vector<double>>> curves;  // with their names
};

class ContactLines {
 public:
  ContactLines(const SweepFile& sweep, const std::string& name)
      : table_(sweep.table), title_(sweep.info.header.title) {
    const SweepInput* input = table_.find_input(kKey);
    if (!has_contact_lines(table_))
      throw InputError(
          fmt::format("{}: contact lines are over the lateral position; accepted: a "
                      "sweep over {} alone",
                      name, kKey));
    y_ = input->numbers;
    const auto wheel_rail = wheel_case_of(sweep.info, name);
    if (table_.find("left_nearest_rail_y") != nullptr) {
      sides_ = {{"left_", "left wheel", -1.0, {}, {}}, {"right_", "right wheel", 1.0, {}, {}}};
    } else {
      const bool left = wheel_rail->steps.front().wheels.front().position.side == Side::left;
      sides_ = {{"", left ? "left wheel" : "right wheel", left ? -1.0 : 1.0, {}, {}}};
    }
    for (SidePanel& panel : sides_) {
      const Side side = panel.sign < 0.0 ? Side::left : Side::right;
      panel.rail = drawn_line(wheel_rail->rail.of(side).profile->curve, 1.0);
      panel.wheel = drawn_line(wheel_rail->wheel.of(side).profile->curve, 1.0);
    }
    for (const SidePanel& side : sides_)
      for (const char* needed : {"nearest_rail_y", "nearest_wheel_y", "nearest_angle"})
        if (table_.find(side.prefix + needed) == nullptr)
          throw InputError(
              fmt::format("{}: no point of the sweep has a {}{}; accepted: a sweep of "
                          "a wheel on a rail",
                          name, side.prefix, needed));
    make_curves();
  }

  [[nodiscard]] std::string script(PictureFormat format) const {
    std::vector<PanelSize> panels(sides_.size(), {kLinesWidth, kLinesHeight, kPlainRight});
    const int columns = sides_.size() == 2 ? 2 : 1;
    for (std::size_t i = 0; i < curves_.size(); ++i)
      panels.push_back({kLinesWidth, kCurvesHeight, kPlainRight});
    const PageText page{
        title_,
        fmt::format("contact positions over the wheelset's lateral position, {} positions",
                    y_.size()),
        "Numbers at the lines: lateral position of the wheelset in mm, to the right. Equivalent "
        "conicity: difference of the rolling radii over twice the lateral position."};
    return page_script(page, panels, columns, format, [&](std::size_t panel, const Frame& frame) {
      return panel < sides_.size() ? draw_lines(sides_[panel], frame)
                                   : draw_curves(curves_[panel - sides_.size()], frame);
    });
  }

 private:
  [[nodiscard]] const std::vector<double>& column(const std::string& name) const {
    return table_.find(name)->values;
  }

  void make_curves() {
    if (table_.find("rolling_radius_difference") != nullptr) {
      std::vector<double> difference = column("rolling_radius_difference");
      if (sides_.size() == 1 && sides_.front().sign < 0.0)  // right less left
        for (double& value : difference) value = -value;
      std::vector<double> conicity;
      for (std::size_t i = 0; i < y_.size(); ++i)
        conicity.push_back(std::fabs(y_[i]) > kNearCentre ? difference[i] / (2.0 * y_[i])
                                                          : std::nan(""));
      curves_.push_back(
          {"difference of the rolling radii, right less left", "[mm]", {{"", difference}}});
      curves_.push_back({"equivalent conicity", "[-]", {{"", std::move(conicity)}}});
    }
    CurvePanel angles{"contact angle, down towards the field side", "[°]", {}};
    CurvePanel radii{"rolling radius", "[mm]", {}};
    for (const SidePanel& side : sides_) {
      std::vector<double> angle = column(side.prefix + "nearest_angle");
      for (double& value : angle) value *= side.sign * kDegrees;
      angles.curves.emplace_back(side.heading, std::move(angle));
      if (table_.find(side.prefix + "rolling_radius") != nullptr)
        radii.curves.emplace_back(side.heading, column(side.prefix + "rolling_radius"));
    }
    curves_.push_back(std::move(angles));
    curves_.push_back(std::move(radii));
  }

  // z of the upper or lower line at y; of several the one nearest to the contact's side.
  static double height_at(const DrawnLine& line, double y, bool lowest) {
    double z = std::nan("");
    for (std::size_t i = 1; i < line.size(); ++i) {
      const DrawnPoint& a = line[i - 1];
      const DrawnPoint& b = line[i];
      if ((a.y - y) * (b.y - y) > 0.0 || a.y == b.y) continue;
      const double found = a.z + (b.z - a.z) * (y - a.y) / (b.y - a.y);
      if (std::isnan(z) || (lowest ? found > z : found < z)) z = found;
    }
    return z;
  }

  [[nodiscard]] std::string draw_lines(const SidePanel& side, const Frame& frame) const {
    DrawnLine rail = side.rail;
    DrawnLine wheel = side.wheel;
    Range rail_y = kNoRange;
    double top = rail.front().z;
    for (DrawnPoint& point : rail) {
      top = std::min(top, point.z);
      point.y *= side.sign;
      rail_y.include(point.y);
    }
    double lowest = -1.0e9;
    for (DrawnPoint& point : wheel) {
      point.y *= side.sign;
      if (point.y > rail_y.low && point.y < rail_y.high) lowest = std::max(lowest, point.z);
    }
    const double lift = lowest - top + kBetween;
    for (DrawnPoint& point : wheel) point.z -= lift;
    Range z = kNoRange;
    for (const DrawnPoint& point : rail) z.include(point.z);
    for (const DrawnPoint& point : wheel)
      if (point.y > rail_y.low && point.y < rail_y.high) z.include(point.z);
    const Range across = axis_range(rail_y);
    const Range shown = axis_range(z);
    std::string text =
        panel_commands(frame, side.heading + ": wheel above, rail below",
                       {across, shown, "y of the profiles [mm]", "z [mm], down"}, {});
    text += fmt::format("set yrange [{:.9g}:{:.9g}]\n", shown.high, shown.low);
    text += drawn_data("rail", rail) + drawn_data("wheel", wheel) + "$lines << END\nNaN NaN\n";
    std::string labels;
    const auto& on_rail = column(side.prefix + "nearest_rail_y");
    const auto& on_wheel = column(side.prefix + "nearest_wheel_y");
    const std::size_t every = (y_.size() + kMostLines - 1) / kMostLines;
    const double room = kLabelRoom * (across.high - across.low) / frame.width;
    std::vector<double> labelled;
    for (std::size_t i = 0; i < y_.size(); i += every) {
      const double a = height_at(wheel, on_wheel[i], true);
      const double b = height_at(rail, on_rail[i], false);
      if (std::isnan(a) || std::isnan(b)) continue;
      text += fmt::format("{:.9g} {:.9g}\n{:.9g} {:.9g}\n\n", on_wheel[i], a, on_rail[i], b);
      if (std::any_of(labelled.begin(), labelled.end(),
                      [&](double y) { return std::fabs(y - on_wheel[i]) < room; }))
        continue;
      labelled.push_back(on_wheel[i]);
      labels += fmt::format("set label {} at {:.9g},{:.9g} center offset 0,0.6{}\n",
                            gnuplot_text(fmt::format("{:.3g}", y_[i])), on_wheel[i], a,
                            font_option(8.0, frame.format));
    }
    return text + "END\n" + labels +
           "plot $lines using 1:2 with lines linewidth 0.7 linecolor rgb '#808080', $rail using "
           "1:2 with lines linewidth 1.6 linecolor rgb '#0072B2', $wheel using 1:2 with lines "
           "linewidth 1.6 linecolor rgb '#D55E00'\n";
  }

  [[nodiscard]] std::string draw_curves(const CurvePanel& panel, const Frame& frame) const {
    constexpr std::array<const char*, 2> kStyles{"linewidth 1.6 linecolor rgb '#0072B2'",
                                                 "linewidth 1.6 linecolor rgb '#D55E00'"};
    Range values = kNoRange;
    Range xs = kNoRange;
    xs.include(y_);
    std::vector<LegendEntry> legend;
    for (std::size_t i = 0; i < panel.curves.size(); ++i) {
      values.include(panel.curves[i].second);
      if (panel.curves.size() > 1)
        legend.push_back({LegendEntry::Kind::line, kStyles[i], panel.curves[i].first});
    }
    if (values.empty()) values = {0.0, 1.0};
    if (!(xs.high > xs.low)) xs = axis_range(xs);
    std::string text = panel_commands(
        frame, panel.heading,
        {xs, axis_range(values), "lateral position of the wheelset [mm]", panel.label}, legend);
    text += "set grid linetype 1 linewidth 0.4 linecolor rgb '#d8d8d8'\n";
    std::string plot = "plot 0 with lines linewidth 0.6 linecolor rgb '#808080'";
    for (std::size_t i = 0; i < panel.curves.size(); ++i) {
      text += fmt::format("$curve{} << END\nNaN NaN\n", i);
      for (std::size_t k = 0; k < y_.size(); ++k)
        text += fmt::format("{:.9g} {:.9g}\n", y_[k], panel.curves[i].second[k]);
      text += "END\n";
      plot += fmt::format(", $curve{} using 1:2 with lines {}", i, kStyles[i]);
    }
    return text + plot + "\n";
  }

  const SweepTable& table_;
  std::string title_;
  std::vector<double> y_;
  std::vector<SidePanel> sides_;
  std::vector<CurvePanel> curves_;
};

}  // namespace

bool has_contact_lines(const SweepTable& table) {
  const SweepInput* input = table.find_input(kKey);
  return input != nullptr && input->is_number() && table.inputs.size() == 1;
}

std::string contact_lines_script(const SweepFile& sweep, const std::string& name,
                                 PictureFormat format) {
  return ContactLines(sweep, name).script(format);
}

void write_contact_lines(const SweepFile& sweep, const std::string& name,
                         const std::filesystem::path& path, Overwrite overwrite) {
  const PictureFormat format = still_format(path, "the steps of one contact");
  PendingFile file(path, FileKind::picture, {overwrite, {name}});
  write_picture(file, contact_lines_script(sweep, name, format), format);
}

}  // namespace slipfield
