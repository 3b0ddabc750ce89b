// SPDX-License-Identifier: Apache-2.0
// VAMPIRE's .whe and .rai: a line WHEELPROFILE or RAILPROFILE, a title, the datum and the distance
// of the sides, then in each line y and z of the left and of the right side, with y from the
// track's centre.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "io/profiles/formats.h"
#include "io/yaml/source.h"

namespace slipfield {
namespace {

constexpr std::string_view kVampireComment = "\"!%";
constexpr std::size_t kTitleLine = 1;
constexpr double kInch = 25.4;  // [mm]

struct VampireHeader {
  ProfileRole role = ProfileRole::rail;
  std::size_t lines = 0;          // where the points begin
  std::optional<double> datum;    // [mm]: of the flange's back, or below the rail's top
  std::optional<double> between;  // [mm]: of the flange backs, or the gauge
};

std::string first_word(const ProfileText& text) {
  if (text.lines.empty()) return {};
  const auto words = words_of(text.lines.front(), " \t");
  return words.size() == 1 ? lower_case(words.front()) : std::string();
}

// TREADDATUM EUROPEAN | US1 | US2 | CUSTOM 70, GAUGEPOINT EUROPEAN | US | CUSTOM 14.
double datum_of(const ProfileText& text, std::size_t line,
                const std::vector<std::string_view>& words, bool wheel) {
  const std::string name = words.size() > 1 ? lower_case(words[1]) : std::string();
  if (name == "european") return wheel ? 70.0 : 14.0;
  if (wheel && name == "us1") return (2.0 + 27.0 / 32.0) * kInch;
  if (wheel && name == "us2") return (3.0 + 1.0 / 16.0) * kInch;
  if (!wheel && name == "us") return 5.0 / 8.0 * kInch;
  const auto number = words.size() > 2 && name == "custom" ? number_of(words[2]) : std::nullopt;
  if (!number)
    refuse_profile(text.path, line,
                   fmt::format("{} has no known datum; accepted: EUROPEAN, {} or CUSTOM with a "
                               "length in mm",
                               words.front(), wheel ? "US1, US2" : "US"));
  return *number;
}

VampireHeader read_header(const ProfileText& text) {
  VampireHeader header;
  const bool wheel = first_word(text) == "wheelprofile";
  header.role = wheel ? ProfileRole::wheel : ProfileRole::rail;
  const std::string_view datum = wheel ? "TREADDATUM" : "GAUGEPOINT";
  const std::string_view between = wheel ? "FLANGEBACK" : "GAUGE";
  for (std::size_t i = kTitleLine + 1; i < text.lines.size(); ++i) {
    const auto words = words_of(before_comment(text.lines[i], kVampireComment), " \t,=");
    if (words.empty()) continue;
    const std::string key = lower_case(words.front());
    if (number_of(words.front())) {
      header.lines = i;
      break;
    }
    if (key == lower_case(datum)) header.datum = datum_of(text, i + 1, words, wheel);
    if (key != lower_case(between)) continue;
    header.between = words.size() > 1 ? number_of(words[1]) : std::nullopt;
    if (!header.between || !(*header.between > 0.0))
      refuse_profile(text.path, i + 1,
                     fmt::format("{} has no length; accepted: a number of mm > 0", words.front()));
  }
  if (!header.datum || !header.between)
    refuse_profile(text.path, 0,
                   fmt::format("is one of VAMPIRE's without a line {}; accepted: both {} and {}",
                               !header.datum ? datum : between, datum, between));
  return header;
}

}  // namespace

bool looks_like_vampire(const ProfileText& text) {
  const std::string word = first_word(text);
  return word == "wheelprofile" || word == "railprofile";
}

ProfileFileContent read_vampire(const ProfileText& text) {
  const VampireHeader header = read_header(text);
  const bool wheel = header.role == ProfileRole::wheel;
  ProfileFileContent content;
  content.role = header.role;
  const double origin = 0.5 * *header.between + (wheel ? *header.datum : 0.0);
  std::vector<std::vector<double>> rows;
  double right = 0.0;  // sum of the right side's y
  for (std::size_t i = header.lines; i < text.lines.size(); ++i) {
    const auto words = words_of(before_comment(text.lines[i], kVampireComment), " \t,;");
    if (words.empty()) continue;
    rows.push_back(numbers_of(text, i + 1, words, 4));
    right += rows.back()[2];
  }
  // The track's centre is on the gauge side of either rail, whatever the direction of y.
  const double outwards = right < 0.0 ? -1.0 : 1.0;
  double differ = 0.0;  // [mm], of the left side
  for (const std::vector<double>& row : rows) {
    content.points.push_back({outwards * row[2] - origin, row[3]});
    differ = std::max(differ, std::hypot(row[0] + row[2], row[1] - row[3]));
  }
  if (outwards < 0.0)
    content.warnings.emplace_back(
        "its right side (the third column) is at y < 0: its y points to the left, and is turned "
        "round");
  content.notes.push_back(
      wheel ? fmt::format("its file has the flange backs {:.6g} mm apart at y = {:.4g} mm "
                          "(flange_back_distance, flange_back_position)",
                          *header.between, -*header.datum)
            : fmt::format("its file has the gauge of {:.6g} mm at y = 0, {:.4g} mm below the top "
                          "(gauge, gauge_height)",
                          *header.between, *header.datum));
  constexpr double kSame = 1.0e-3;  // [mm]
  if (differ > kSame)
    content.warnings.push_back(
        fmt::format("its left side differs from its right one by up to {:.3g} mm; the right one is "
                    "taken, and the left one needs a file of its own",
                    differ));
  return content;
}

}  // namespace slipfield
