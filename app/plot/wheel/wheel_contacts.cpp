// SPDX-License-Identifier: Apache-2.0
#include "app/plot/wheel/wheel_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/plot/layout.h"
#include "app/plot/page.h"
#include "app/plot/scale.h"
#include "app/plot/wheel/wheel_case.h"
#include "io/result/reader.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr double kPanelWidth = 560.0;
constexpr double kAbove = 30.0;    // [mm] shown above the rail's top
constexpr double kBelow = 35.0;    // and below it
constexpr double kBeside = 8.0;    // and beside the rail
constexpr double kHighest = 12.0;  // [mm], how high the greatest pressure is drawn
constexpr const char* kRailStyle = "linewidth 1.6 linecolor rgb '#0072B2'";
constexpr const char* kWheelStyle = "linewidth 1.6 linecolor rgb '#D55E00'";
constexpr const char* kPressureColour = "#009E73";

// The greatest pressure of each row of a contact, drawn upwards from the contact plane.
struct PressureHill {
  double y = 0.0;  // of the reference point, and the plane's angle
  double z = 0.0;
  double angle = 0.0;
  std::vector<double> across;
  std::vector<double> pressure;

  [[nodiscard]] double greatest() const {
    return pressure.empty() ? 0.0 : *std::max_element(pressure.begin(), pressure.end());
  }
  // Closed, `scale` mm for each unit of pressure.
  [[nodiscard]] DrawnLine outline(double scale) const {
    DrawnLine line;
    const auto add = [&](double s, double height) {
      line.push_back({y + s * std::cos(angle) + height * std::sin(angle),
                      z + s * std::sin(angle) - height * std::cos(angle)});
    };
    for (std::size_t i = 0; i < across.size(); ++i) add(across[i], scale * pressure[i]);
    for (std::size_t i = across.size(); i-- > 0;) add(across[i], 0.0);
    return line;
  }
};

struct DrawnWheel {
  std::string heading;
  DrawnLine rail;
  DrawnLine wheel;
  std::vector<PressureHill> hills;
  Range y = kNoRange;
  Range z = kNoRange;
};

DrawnWheel draw_bodies(const WheelRailCase& wheel_rail, WheelRailPosition position, double axle_z,
                       double roll) {
  position.wheelset.z = axle_z;
  position.wheelset.roll = roll;
  const bool left = position.side == Side::left;
  const WheelRailPosition right = left ? mirrored(position) : position;
  const double sign = left ? -1.0 : 1.0;
  DrawnWheel drawn;
  const PlacedRail rail = place_rail(*wheel_rail.rail.of(position.side).profile, right.track);
  drawn.rail = drawn_line(rail.curve, sign);
  drawn.wheel = drawn_line(contact_locus(*wheel_rail.wheel.of(position.side).profile,
                                         place_wheel(right.wheelset), rail.curvature()),
                           sign);
  double top = drawn.rail.front().z;
  for (const DrawnPoint& point : drawn.rail) {
    drawn.y.include(point.y);
    top = std::min(top, point.z);
  }
  drawn.y = {drawn.y.low - kBeside, drawn.y.high + kBeside};
  drawn.z = {top - kAbove, top + kBelow};
  drawn.heading = left ? "left wheel, track coordinates" : "right wheel, track coordinates";
  return drawn;
}

PressureHill hill_of(const WheelFile& wheel, const WheelRecord& record, int patch) {
  PressureHill hill{record.get("track_y", patch),
                    record.get("track_z", patch),
                    record.get("contact_angle", patch),
                    {},
                    {}};
  const ResultFile result = read_result(wheel.path, {0, record.number, {}, patch});
  const ResultStep& step = result.step(record.number);
  if (std::find(step.fields.begin(), step.fields.end(), "pressure") == step.fields.end())
    return hill;
  const std::vector<double> pressure = result.field(step, "pressure");
  const Grid& grid = result.info().header.grid;
  for (int iy = 0; iy < grid.my; ++iy) {
    double greatest = 0.0;
    for (int ix = 0; ix < grid.mx; ++ix)
      greatest = std::max(greatest, pressure[grid.index(ix, iy)]);
    hill.across.push_back(grid.y(iy));
    hill.pressure.push_back(greatest);
  }
  return hill;
}

class WheelFigure {
 public:
  WheelFigure(const WheelFile& wheel, int number) : record_(wheel.step(number)) {
    const std::string name = wheel.path.string();
    const auto wheel_rail = wheel_case_of(wheel.info, name);
    const auto index = static_cast<std::size_t>(record_.number - 1);
    if (index >= wheel_rail->steps.size())
      throw InputError(fmt::format("{}: its case has no step {}", name, record_.number));
    const auto& wheels = wheel_rail->steps[index].wheels;
    const double z = record_.get("axle_z", 0);
    const auto known = record_.wheel.find("axle_roll");  // older results have the case's roll
    for (const WheelStep& one : wheels)
      drawn_.push_back(
          draw_bodies(*wheel_rail, one.position, z,
                      known == record_.wheel.end() ? one.position.wheelset.roll : known->second));
    for (int patch = 1; patch <= static_cast<int>(record_.patches.size()); ++patch) {
      PressureHill hill = hill_of(wheel, record_, patch);
      greatest_ = std::max(greatest_, hill.greatest());
      (hill.y < 0.0 ? drawn_.front() : drawn_.back()).hills.push_back(std::move(hill));
    }
    title_ = wheel.info.header.title;
  }

  [[nodiscard]] std::string script(PictureFormat format) const {
    std::vector<PanelSize> panels;
    for (const DrawnWheel& wheel : drawn_)
      panels.push_back({kPanelWidth,
                        kPanelWidth * (wheel.z.high - wheel.z.low) / (wheel.y.high - wheel.y.low),
                        kPlainRight});
    const PageText page{
        title_,
        summary(),
        notes(),
        {{LegendEntry::Kind::line, kRailStyle, "rail"},
         {LegendEntry::Kind::line, kWheelStyle, "wheel where its circles are lowest"},
         {LegendEntry::Kind::box, kPressureColour, "pressure"}}};
    return page_script(
        page, panels, static_cast<int>(panels.size()), format,
        [&](std::size_t panel, const Frame& frame) { return draw(drawn_[panel], frame); });
  }

 private:
  [[nodiscard]] std::string summary() const {
    return fmt::format(
        "step {}: axle {:.4f} mm below its nominal height, {} contact{}; force on "
        "the rail{} {:.4g} N right, {:.5g} N down",
        record_.number, record_.get("axle_z", 0), record_.patches.size(),
        record_.patches.size() == 1 ? "" : "s", drawn_.size() == 2 ? "s" : "",
        record_.get("track_force_y", 0), record_.get("track_force_z", 0));
  }
  [[nodiscard]] std::string notes() const {
    if (!(greatest_ > 0.0)) return "The result holds no pressure.";
    return fmt::format(
        "Pressure: the greatest of each row of elements, upwards from the contact "
        "plane; the highest is {:.5g} N/mm².",
        greatest_);
  }

  [[nodiscard]] std::string draw(const DrawnWheel& wheel, const Frame& frame) const {
    std::string text = panel_commands(frame, wheel.heading,
                                      {wheel.y, wheel.z, "y [mm], right", "z [mm], down"}, {});
    text += fmt::format("set yrange [{:.9g}:{:.9g}]\n", wheel.z.high, wheel.z.low);
    text += drawn_data("rail", wheel.rail) + drawn_data("wheel", wheel.wheel);
    std::string hills;
    std::string places;
    for (std::size_t i = 0; i < wheel.hills.size(); ++i) {
      const PressureHill& hill = wheel.hills[i];
      places += fmt::format("{:.9g} {:.9g}\n", hill.y, hill.z);
      if (!(greatest_ > 0.0)) continue;
      text += drawn_data(fmt::format("hill{}", i), hill.outline(kHighest / greatest_));
      hills += fmt::format(
          "$hill{} using 1:2 with filledcurves closed fillstyle solid 0.6 noborder "
          "linecolor rgb '{}', ",
          i, kPressureColour);
    }
    text += "$places << END\nNaN NaN\n" + places + "END\n";
    return text + "plot " + hills + "$rail using 1:2 with lines " + kRailStyle +
           ", $wheel using 1:2 with lines " + kWheelStyle +
           ", $places using 1:2 with points pointtype 7 pointsize 0.4 linecolor rgb '#202020'\n";
  }

  const WheelRecord& record_;
  std::string title_;
  std::vector<DrawnWheel> drawn_;
  double greatest_ = 0.0;
};

}  // namespace

void write_wheel_figure(const WheelFile& wheel, int number, const std::filesystem::path& path,
                        Overwrite overwrite) {
  const PictureFormat format = still_format(path, "the steps of one contact");
  PendingFile file(path, FileKind::picture, {overwrite, {wheel.path}});
  write_picture(file, WheelFigure(wheel, number).script(format), format);
}

}  // namespace slipfield
