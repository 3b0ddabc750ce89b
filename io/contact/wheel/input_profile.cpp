// SPDX-License-Identifier: Apache-2.0
#include "io/contact/wheel/input_profile.h"

#include <fmt/format.h>

#include <cmath>

#include "io/profiles/reader.h"
#include "io/yaml/writer.h"

namespace slipfield {
namespace {

constexpr double kUnitOfFile = 5.0e-4;  // SCALE up to which the file's own unit counts
constexpr double kNoTape = 999.0;       // |YTAPE| from which on there is none

ProfileChanges profile_changes(const InputProfile& profile) {
  ProfileChanges changes;
  changes.mirror_y = profile.numbers[1].value == 1.0;
  const double mirror_z = profile.mirror_z.empty() ? 0.0 : profile.mirror_z[0].value;
  if (mirror_z != 0.0) changes.mirror_z = mirror_z > 0.0;
  if (profile.numbers[2].value > kUnitOfFile) changes.scale = profile.numbers[2].value;
  changes.smoothing = profile.numbers[3].value;
  return changes;
}

std::string profile_text(const InputProfile& profile, const std::filesystem::path& folder,
                         double shift_z) {
  const auto path = (folder / profile.name).lexically_normal();
  const ProfileChanges changes = profile_changes(profile);
  std::string text = fmt::format("{{profile: {}, mirror_y: {}",
                                 double_quoted(path.generic_string()), *changes.mirror_y);
  if (changes.mirror_z) text += fmt::format(", mirror_z: {}", *changes.mirror_z);
  if (changes.scale != 1.0) text += fmt::format(", scale: {}", changes.scale);
  if (shift_z != 0.0) text += fmt::format(", shift: [0, {}]", shift_z);
  if (changes.smoothing > 0.0) text += fmt::format(", smoothing: {}", changes.smoothing);
  return text + "}";
}

}  // namespace

std::string rail_text(const WheelInput& input, const std::filesystem::path& folder) {
  return profile_text(input.state.rail, folder, 0.0);
}

std::string wheel_text(const WheelInput& input, const std::filesystem::path& folder) {
  return profile_text(input.state.wheel, folder, -tape_height(input));
}

double tape_height(const WheelInput& input) {
  const InputNumbers& wheelset = input.state.wheelset;
  if (wheelset.size() < 4 || std::fabs(wheelset[3].value) >= kNoTape) return 0.0;
  const InputProfile& profile = input.state.wheel;
  const std::filesystem::path folder =
      std::filesystem::path(profile.numbers[0].place.source->name()).parent_path();
  const Profile wheel =
      read_profile(folder / profile.name, ProfileRole::wheel, profile_changes(profile));
  const auto at = wheel.curve.parameter_at_y(wheelset[3].value, SeenFrom::below);
  return at ? wheel.curve.at(*at).z() : 0.0;
}

}  // namespace slipfield
