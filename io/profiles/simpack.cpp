// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "io/profiles/formats.h"
#include "io/yaml/source.h"

namespace slipfield {
namespace {

constexpr std::string_view kComment = "!%";
constexpr double kMetre = 1000.0;  // [mm]

// The keywords of a file that are used, by name; numbers, or lines that begin a section.
struct Keywords {
  std::map<std::string, double, std::less<>> numbers;

  [[nodiscard]] double get(std::string_view name, double otherwise) const {
    const auto found = numbers.find(name);
    return found == numbers.end() ? otherwise : found->second;
  }
  [[nodiscard]] bool is_set(std::string_view name) const { return get(name, 0.0) != 0.0; }
};

// Applies the keywords in the order numbered in the format's comments.
void apply(const Keywords& words, const ProfileText& text, std::vector<ProfilePoint>& points) {
  if (words.is_set("rotate"))
    refuse_profile(text.path, 0, "is to be turned (rotate is not 0), which is not supported");
  const double least = words.get("point.dist.min", 0.0);
  std::vector<ProfilePoint> kept;
  for (const ProfilePoint& point : points)
    if (kept.empty() || std::hypot(point.y - kept.back().y, point.z - kept.back().z) >= least)
      kept.push_back({point.y, point.z});
  for (ProfilePoint& point : kept) {
    point.y += words.get("shift.y", 0.0);
    point.z += words.get("shift.z", 0.0);
  }
  const double y_min = words.get("bound.y.min", 1.0);
  const double y_max = words.get("bound.y.max", 0.0);
  const double z_min = words.get("bound.z.min", 1.0);
  const double z_max = words.get("bound.z.max", 0.0);
  if (y_min < y_max)
    std::erase_if(kept, [&](const ProfilePoint& p) { return p.y < y_min || p.y > y_max; });
  const double factor = kMetre / words.get("units.len.f", kMetre);
  for (ProfilePoint& point : kept) {
    if (z_min < z_max) point.z = std::clamp(point.z, z_min, z_max);
    if (words.is_set("mirror.y")) point.y = -point.y;
    if (words.is_set("mirror.z")) point.z = -point.z;
    point = {factor * point.y, factor * point.z};
  }
  points = std::move(kept);
}

}  // namespace

ProfileFileContent read_simpack(const ProfileText& text) {
  ProfileFileContent content;
  content.knows_upwards = true;
  Keywords keywords;
  std::string unit_name;
  bool in_points = false;
  bool in_header = false;
  for (std::size_t i = 0; i < text.lines.size(); ++i) {
    const std::string_view line = before_comment(text.lines[i], kComment);
    const auto words = words_of(line, " \t=");
    if (words.empty()) continue;
    const std::string key = lower_case(words.front());
    if (key == "point.begin" || key == "point.end") {
      in_points = key == "point.begin";
    } else if (key == "header.begin" || key == "header.end") {
      in_header = key == "header.begin";
    } else if (in_points) {
      const std::vector<double> numbers = numbers_of(text, i + 1, words, 2);
      content.points.push_back({numbers[0], numbers[1]});
    } else if (line.find('=') != std::string_view::npos && words.size() > 1) {
      const auto number = number_of(words[1]);
      if (number && in_header && key == "type")
        content.role = *number == 0.0 ? ProfileRole::rail : ProfileRole::wheel;
      else if (number)
        keywords.numbers.insert_or_assign(key, *number);
      else if (key == "units.len")
        unit_name = words[1];
      else if (key.starts_with("mirror.") || key.starts_with("shift.") ||
               key.starts_with("bound.") || key == "units.len.f" || key == "rotate" ||
               key == "point.dist.min")
        refuse_profile(text.path, i + 1,
                       fmt::format("{} is {}; accepted: a number", key, in_quotes(words[1])));
    }
  }
  if (in_points)
    refuse_profile(text.path, 0, "ends within its points, before point.end: the file is cut off");
  if (!(keywords.get("units.len.f", kMetre) > 0.0))
    refuse_profile(text.path, 0, "units.len.f is not above 0");
  if (!unit_name.empty() && !keywords.numbers.contains("units.len.f")) {
    const auto unit = millimetres_of(unit_name);
    if (!unit)
      refuse_profile(
          text.path, 0,
          fmt::format("units.len is {}; accepted: mm, cm, m, inch", in_quotes(unit_name)));
    keywords.numbers["units.len.f"] = kMetre / *unit;
  }
  if (keywords.is_set("approx.smooth"))
    content.warnings.push_back(
        fmt::format("asks for a smoothing (approx.smooth = {:.6g}), which is not done; smoothing "
                    "of the case is",
                    keywords.get("approx.smooth", 0.0)));
  if (keywords.numbers.contains("units.len.f"))
    content.unit = kMetre / keywords.get("units.len.f", kMetre);
  apply(keywords, text, content.points);
  return content;
}

}  // namespace slipfield
