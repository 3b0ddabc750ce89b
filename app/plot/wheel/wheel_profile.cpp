// SPDX-License-Identifier: Apache-2.0
#include "app/plot/wheel/wheel_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/plot/layout.h"
#include "app/plot/page.h"
#include "app/plot/scale.h"

namespace slipfield {
namespace {

constexpr double kProfileWidth = 720.0;
constexpr double kGreatestProfileHeight = 420.0;
constexpr double kCurveHeight = 190.0;
constexpr std::size_t kCurveSamples = 2000;
constexpr double kDegreesPerRadian = 57.29577951308232;
constexpr double kPerMetre = 1000.0;  // of curvatures in 1/mm
constexpr int kDepthTicks = 5;

struct ProfileSample {
  double y = 0.0;
  double z = 0.0;
  double slope = 0.0;      // of the surface [degrees], positive where it falls towards +y
  double curvature = 0.0;  // [1/m]
};

std::vector<ProfileSample> samples_of(const Profile& profile) {
  const SplineCurve& curve = profile.curve;
  std::vector<ProfileSample> samples;
  for (std::size_t i = 0; i <= kCurveSamples; ++i) {
    const double s = curve.first() + (curve.last() - curve.first()) * static_cast<double>(i) /
                                         static_cast<double>(kCurveSamples);
    const Eigen::Vector3d at = curve.at(s);
    // A wheel's profile runs towards -y.
    const Eigen::Vector3d along =
        profile.role == ProfileRole::rail ? curve.tangent(s) : -curve.tangent(s);
    samples.push_back({at.y(), at.z(), kDegreesPerRadian * std::atan2(along.z(), along.y()),
                       kPerMetre * profile_curvature(profile, s)});
  }
  return samples;
}

class ProfileFigure {
 public:
  explicit ProfileFigure(const Profile& profile)
      : profile_(profile), samples_(samples_of(profile)) {
    for (const ProfileSample& sample : samples_) {
      y_.include(sample.y);
      z_.include(sample.z);
    }
    for (const ProfilePoint& point : profile_.points) {
      y_.include(point.y);
      z_.include(point.z);
    }
    y_ = axis_range(y_);
    z_ = axis_range(z_);
  }

  [[nodiscard]] std::string script(const std::string& name, PictureFormat format) const {
    const double to_scale = kProfileWidth * (z_.high - z_.low) / (y_.high - y_.low);
    const std::vector<PanelSize> panels = {
        {kProfileWidth, std::clamp(to_scale, kCurveHeight, kGreatestProfileHeight), kPlainRight},
        {kProfileWidth, kCurveHeight, kPlainRight},
        {kProfileWidth, kCurveHeight, kPlainRight}};
    std::string notes;
    for (const auto* lines : {&profile_.notes, &profile_.warnings})
      for (const std::string& line : *lines) notes += (notes.empty() ? "" : "; ") + line;
    const PageText page{name, summary(), notes};
    return page_script(page, panels, 1, format, [&](std::size_t panel, const Frame& frame) {
      if (panel == 0) return draw_profile(frame);
      return panel == 1
                 ? draw_curve(frame, "slope of the surface, down towards the field side", "[°]",
                              [](const ProfileSample& sample) { return sample.slope; })
                 : draw_curve(frame, "curvature, positive where the surface bulges", "[1/m]",
                              [](const ProfileSample& sample) { return sample.curvature; });
    });
  }

 private:
  [[nodiscard]] std::string summary() const {
    return fmt::format("{}, right side: {} points, {:.4g} mm along its surface",
                       profile_.role == ProfileRole::rail ? "rail" : "wheel",
                       profile_.points.size(), profile_.curve.last() - profile_.curve.first());
  }

  // z points down.
  [[nodiscard]] std::string draw_profile(const Frame& frame) const {
    const std::string line = "linewidth 1.4 linecolor rgb '#0072B2'";
    const std::string mark = "pointtype 7 pointsize 0.3 linecolor rgb '#D55E00'";
    std::string text = panel_commands(
        frame, "profile", {y_, z_, "y [mm]", "z [mm], down"},
        {{LegendEntry::Kind::line, line, "curve"},
         {LegendEntry::Kind::line, "linewidth 2.5 linecolor rgb '#D55E00'", "points of the file"}});
    text += fmt::format("set yrange [{:.9g}:{:.9g}]\nset ytics {:.9g}\n", z_.high, z_.low,
                        nice_step(z_.high - z_.low, kDepthTicks));
    text += "$points << END\n";
    for (const ProfilePoint& point : profile_.points)
      text += fmt::format("{:.9g} {:.9g}\n", point.y, point.z);
    text += "END\n" + data([](const ProfileSample& sample) { return sample.z; });
    return text + "plot $points using 1:2 with points " + mark + ", $curve using 1:2 with lines " +
           line + "\n";
  }

  using Quantity = std::function<double(const ProfileSample&)>;
  [[nodiscard]] std::string draw_curve(const Frame& frame, const std::string& heading,
                                       const std::string& label, const Quantity& get) const {
    Range values = kNoRange;
    for (const ProfileSample& sample : samples_) values.include(get(sample));
    std::string text =
        panel_commands(frame, heading, {y_, axis_range(values), "y [mm]", label}, {});
    text += "set grid linetype 1 linewidth 0.4 linecolor rgb '#d8d8d8'\n";
    return text + data(get) +
           "plot 0 with lines linewidth 0.6 linecolor rgb '#808080', $curve using 1:2 with lines "
           "linewidth 1.4 linecolor rgb '#0072B2'\n";
  }
  [[nodiscard]] std::string data(const Quantity& get) const {
    std::string text = "$curve << END\n";
    for (const ProfileSample& sample : samples_)
      text += fmt::format("{:.9g} {:.9g}\n", sample.y, get(sample));
    return text + "END\n";
  }

  const Profile& profile_;
  std::vector<ProfileSample> samples_;
  Range y_ = kNoRange;
  Range z_ = kNoRange;
};

}  // namespace

void write_profile_figure(const Profile& profile, const std::filesystem::path& source,
                          const std::filesystem::path& path, Overwrite overwrite) {
  const PictureFormat format = still_format(path, "the steps of one contact");
  PendingFile file(path, FileKind::picture, {overwrite, {source.string()}});
  write_picture(file, ProfileFigure(profile).script(source.filename().string(), format), format);
}

}  // namespace slipfield
