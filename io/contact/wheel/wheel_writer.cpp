// SPDX-License-Identifier: Apache-2.0
#include "io/contact/wheel/wheel_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "io/case/sections.h"
#include "io/contact/friction.h"
#include "io/contact/points.h"
#include "io/contact/step.h"
#include "io/contact/surface.h"
#include "io/contact/writer.h"
#include "io/profiles/reader.h"
#include "io/yaml/tree.h"

namespace slipfield {
namespace {

constexpr double kUnitOfFile = 5.0e-4;  // up to this SCALE the file's own unit applies
constexpr double kNoTape = 999.0;       // from this YTAPE on, in magnitude, there is none

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

// A value of wheel_rail that may change from step to step: its path below it, and its text.
struct StateEntry {
  std::string path;
  std::string value;
  bool usual = false;  // the case file's default if the key is missing

  bool operator==(const StateEntry&) const = default;
};
using StateEntries = std::vector<StateEntry>;

StateEntries entries_of(const WheelInput& input) {
  const WheelState& state = input.state;
  const bool shifts = input.digit('T') == 1;
  StateEntries entries{{"side", input.is_left() ? "left" : "right"},
                       {"problem", shifts ? "shift" : "steady_rolling", !shifts}};
  const auto add = [&](std::string path, const InputNumber& number, bool optional = true) {
    entries.push_back(
        {std::move(path), fmt::format("{}", number.value), optional && number.value == 0.0});
  };
  if (input.has_gauge()) {
    add("track.gauge", state.track[2]);
    add("track.gauge_height", state.track[0]);
  } else {
    entries.push_back(
        {"track.rail_origin", fmt::format("[{}, {}]", state.track[1].value, state.track[2].value)});
  }
  if (input.on_rollers()) {
    add("track.roller.radius", state.track[3], false);
    add("track.roller.pitch", state.velocity[0]);
  } else {
    add("track.cant", state.track[3]);
    add("track.curvature", state.track.size() > 4 ? state.track[4] : InputNumber{});
  }
  constexpr std::array<const char*, 6> kDeviation{"y",          "z",          "roll",
                                                  "velocity_y", "velocity_z", "velocity_roll"};
  for (std::size_t i = 0; i < kDeviation.size(); ++i)
    add(std::string("track.irregularity.") + kDeviation[i], state.deviation[i]);
  add("wheelset.flange_back_distance", state.wheelset[0], false);
  add("wheelset.flange_back_position", state.wheelset[1], false);
  add("wheelset.nominal_radius", state.wheelset[2]);
  add("wheelset.y", state.position[1], false);
  if (input.digit('N') == 0) add("wheelset.z", state.position[2], false);
  add("wheelset.roll", state.position[3]);
  add("wheelset.yaw", state.position[4]);
  constexpr std::array<const char*, 6> kVelocity{"x", "y", "z", "roll", "yaw", "pitch"};
  const bool has_force = input.digit('F') == 1;
  for (std::size_t i = input.on_rollers() ? 1 : 0; i < kVelocity.size() - (has_force ? 1 : 0); ++i)
    add(std::string("wheelset.velocity.") + kVelocity[i], state.velocity[i],
        i > 0 && i + 1 < kVelocity.size());
  if (has_force) add("longitudinal_force", state.velocity[5], false);
  if (input.digit('N') == 1) add("vertical_force", state.position[2], false);
  return entries;
}

// "{a: 1, b: {c: 2}}" for entries with the paths a, b.c, from position `from` of the paths.
std::string flow_map(const StateEntries& entries, std::size_t from) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < entries.size();) {
    const std::string& path = entries[i].path;
    const std::size_t dot = path.find('.', from);
    const std::string key = path.substr(from, dot - from);
    if (dot == std::string::npos) {
      parts.push_back(key + ": " + entries[i].value);
      ++i;
      continue;
    }
    StateEntries below;
    for (; i < entries.size() && entries[i].path.starts_with(path.substr(0, dot + 1)); ++i)
      below.push_back(entries[i]);
    parts.push_back(key + ": " + flow_map(below, dot + 1));
  }
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

// Lines of the entries that differ from the defaults, the first level as a block.
std::string block_of(const StateEntries& entries) {
  std::string text;
  for (std::size_t i = 0; i < entries.size();) {
    const std::string head = entries[i].path.substr(0, entries[i].path.find('.'));
    StateEntries below;
    for (; i < entries.size() && entries[i].path.substr(0, entries[i].path.find('.')) == head; ++i)
      if (!entries[i].usual) below.push_back(entries[i]);
    if (below.empty()) continue;
    const std::string map = flow_map(below, 0);
    text += "  " + map.substr(1, map.size() - 2) + "\n";
  }
  return text;
}

StateEntries changed(const StateEntries& now, const StateEntries& before) {
  StateEntries result;
  for (const StateEntry& entry : now)
    if (std::find(before.begin(), before.end(), entry) == before.end()) result.push_back(entry);
  return result;
}

// T = 0: pressure alone.
std::string friction_of(const WheelInput& input) {
  if (input.digit('T') == 0) return "{coefficient: 0}";
  if (const auto uniform = uniform_friction(input)) return input_friction(*uniform, Grid{});
  return inclined_friction(input.base.state.friction);
}

bool same_profile(const InputProfile& a, const InputProfile& b) {
  return a.name == b.name && same_numbers(a.numbers, b.numbers) &&
         same_numbers(a.mirror_z, b.mirror_z) && same_numbers(a.smoothing, b.smoothing);
}

std::string steps_of(const std::vector<const WheelInput*>& cases) {
  if (cases.size() == 1) return {};
  std::string text = "steps:\n";
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::vector<std::string> lines;
    if (i > 0) {
      const std::string friction = friction_of(*cases[i]);
      if (friction != friction_of(*cases[i - 1])) lines.push_back("friction: " + friction);
      const StateEntries entries = changed(entries_of(*cases[i]), entries_of(*cases[i - 1]));
      if (!entries.empty()) lines.push_back("wheel_rail: " + flow_map(entries, 0));
    }
    text += step_entry(cases[i]->base, cases[i]->base, lines);
  }
  return text;
}

}  // namespace

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

bool same_wheel_and_rail(const WheelInput& a, const WheelInput& b) {
  const WheelState& first = a.state;
  const WheelState& second = b.state;
  const auto patch = [](const WheelState& state, std::size_t i) { return state.patches[i].value; };
  for (const std::size_t i : {0U, 1U, 3U, 4U})
    if (patch(first, i) != patch(second, i)) return false;
  if (a.on_rollers() != b.on_rollers() || a.is_conformal() != b.is_conformal()) return false;
  if (!same_heat(a.base, b.base)) return false;
  if (tape_height(a) != tape_height(b) || input_solver(a.base) != input_solver(b.base))
    return false;
  return same_profile(first.rail, second.rail) && same_profile(first.wheel, second.wheel) &&
         same_numbers(a.base.state.material, b.base.state.material);
}

ConvertedCase write_wheel_inputs(const std::vector<const WheelInput*>& cases,
                                 const std::string& name, const std::filesystem::path& folder) {
  const WheelInput& first = *cases.front();
  const InputCase& last = cases.back()->base;
  const InputNumbers& patches = first.state.patches;
  ConvertedCase result;
  result.first_case = first.base.number;
  result.last_case = last.number;
  result.steps = static_cast<int>(cases.size());
  const std::string which = case_numbers(first.base, last);
  result.head = fmt::format(
      "# Converted from {}: {}.\n"
      "# How it iterates (G, I, MAXGS to EPS) and what it prints (A, O, W) is not taken over. "
      "Regions\n# nearer than D_SEP are one contact, which CONTACT couples in part from D_COMB "
      "on.\n"
      "schema: 1\ntitle: {}\nunits: N-mm-s\n",
      name, case_source(first.base, last), double_quoted(fmt::format("{}, {}", name, which)));
  result.head += fmt::format("bodies:\n  rail: {}\n  wheel: {}\n",
                             body_text(upper_body(first.base)), body_text(lower_body(first.base)));
  result.head += "friction: " + friction_of(first) + "\n";
  result.head += fmt::format("wheel_rail:\n  rail: {}\n  wheel: {}\n",
                             profile_text(first.state.rail, folder, 0.0),
                             profile_text(first.state.wheel, folder, -tape_height(first)));
  result.head +=
      fmt::format("  spacing: [{}, {}]\n  merge: {{distance: {}, angle: {}}}\n", patches[0].value,
                  patches[1].value, patches[4].value, patches[3].value);
  if (first.is_conformal()) result.head += "  contact_surface: conformal\n";
  result.head += block_of(entries_of(first)) + steps_of(cases);
  result.head += input_solver(first.base);
  result.head += input_heat(first.base, {"rail", "wheel"});
  std::vector<const InputCase*> bases;
  for (const WheelInput* input : cases) bases.push_back(&input->base);
  result.head += wheel_points_text(bases, patches[0].value, patches[1].value);
  return result;
}

}  // namespace slipfield
