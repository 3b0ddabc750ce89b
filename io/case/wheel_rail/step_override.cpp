// SPDX-License-Identifier: Apache-2.0
#include "io/case/wheel_rail/step_override.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace slipfield {
namespace {

// Keys of `over` replace those of `map`, maps key by key.
void put_over(YamlNode& map, const YamlNode& over) {
  if (map.kind != YamlNode::Kind::map || over.kind != YamlNode::Kind::map) {
    map = over;
    return;
  }
  for (std::size_t i = 0; i < over.keys.size(); ++i) {
    if (const auto index = map.index_of(over.keys[i].name)) {
      map.keys[*index] = over.keys[i];
      put_over(map.items[*index], over.items[i]);
    } else {
      map.put(over.keys[i], over.items[i]);
    }
  }
}

// What places the rail in a step drops the other way to place it: the gauge, or its origin.
void override_rail_place(YamlNode& state, const YamlNode& over) {
  constexpr std::array<std::string_view, 3> kByGauge{"gauge", "gauge_height", "gauge_face"};
  const YamlNode* track = over.find("track");
  YamlNode* before = state.find("track");
  if (track == nullptr || before == nullptr) return;
  if (track->find("rail_origin") != nullptr)
    for (const std::string_view key : kByGauge) before->erase(key);
  else if (std::any_of(kByGauge.begin(), kByGauge.end(),
                       [&](std::string_view key) { return track->find(key) != nullptr; }))
    before->erase("rail_origin");
}

// A step that gives the longitudinal force drops the pitch velocity in force, and the other way
// round.
void override_pitch(YamlNode& state, const YamlNode& over) {
  const YamlNode* velocity = over.find("wheelset", "velocity");
  const bool has_pitch = velocity != nullptr && velocity->find("pitch") != nullptr;
  const bool has_force = over.find("longitudinal_force") != nullptr;
  if (has_pitch && !has_force) state.erase("longitudinal_force");
  YamlNode* before = state.find("wheelset", "velocity");
  if (has_force && before != nullptr) before->erase("pitch");
}

// The irregularity of one rail drops that of both, and the other way round.
void override_irregularity(YamlNode& state, const YamlNode& over) {
  const auto of_both = [](const YamlNode& node) {
    return node.find("left") != nullptr || node.find("right") != nullptr;
  };
  const YamlNode* before = state.find("track", "irregularity");
  const YamlNode* now = over.find("track", "irregularity");
  if (before != nullptr && now != nullptr && of_both(*before) != of_both(*now))
    state.find("track")->erase("irregularity");
}

void rename_key(YamlNode& map, std::string_view from, std::string_view to) {
  const auto index = map.index_of(from);
  if (!index) return;
  map.erase(to);
  map.keys[*map.index_of(from)].name = to;
}

// Another problem than transient rolling sets its step aside, and the next transient step has it
// again. `over` may itself be a state with a resting step.
void rest_step(YamlNode& state, const YamlNode& over) {
  const YamlNode* problem = over.find("problem");
  if (problem == nullptr) return;
  if (problem->text == "transient_rolling")
    rename_key(state, kRestingStep, "step");
  else
    rename_key(state, "step", kRestingStep);
}

}  // namespace

void override_state(YamlNode& state, const YamlNode& over, std::string_view side) {
  override_rail_place(state, over);
  override_pitch(state, over);
  override_irregularity(state, over);
  rest_step(state, over);
  const bool has_force = over.find("vertical_force") != nullptr;
  if (over.find("wheelset", "z") != nullptr && !has_force) state.erase("vertical_force");
  if (YamlNode* set = state.find("wheelset"); set != nullptr && has_force) {
    set->erase("z");
    const YamlNode* given = over.find("side") != nullptr ? over.find("side") : state.find("side");
    if ((given != nullptr ? std::string_view(given->text) : side) == "both") set->erase("roll");
  }
  put_over(state, over);
}

}  // namespace slipfield
