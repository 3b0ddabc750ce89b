// SPDX-License-Identifier: Apache-2.0
#include "io/case/wheel_rail/step_override.h"

#include <cstddef>
#include <string_view>

namespace slipfield {
namespace {

void erase(YamlNode& map, std::string_view key) {
  const auto index = map.index_of(key);
  if (!index) return;
  map.keys.erase(map.keys.begin() + static_cast<std::ptrdiff_t>(*index));
  map.items.erase(map.items.begin() + static_cast<std::ptrdiff_t>(*index));
}

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
      map.keys.push_back(over.keys[i]);
      map.items.push_back(over.items[i]);
    }
  }
}

// What places the rail in a step drops the other way to place it: the gauge, or its origin.
void override_rail_place(YamlNode& state, const YamlNode& over) {
  const YamlNode* track = over.find("track");
  const auto own = state.index_of("track");
  if (track == nullptr || !own) return;
  YamlNode& before = state.items[*own];
  if (before.kind != YamlNode::Kind::map) return;
  if (track->index_of("rail_origin")) {
    erase(before, "gauge");
    erase(before, "gauge_height");
    erase(before, "gauge_face");
  } else if (track->index_of("gauge") || track->index_of("gauge_height") ||
             track->index_of("gauge_face")) {
    erase(before, "rail_origin");
  }
}

// A step that gives the longitudinal force drops the pitch velocity in force, and the other way
// round.
void override_pitch(YamlNode& state, const YamlNode& over) {
  const auto velocity_of = [](const YamlNode& node) -> const YamlNode* {
    const YamlNode* set = node.find("wheelset");
    return set != nullptr ? set->find("velocity") : nullptr;
  };
  const YamlNode* velocity = velocity_of(over);
  const bool has_pitch = velocity != nullptr && velocity->index_of("pitch");
  const bool has_force = over.index_of("longitudinal_force").has_value();
  if (has_pitch && !has_force) erase(state, "longitudinal_force");
  if (!has_force || velocity_of(state) == nullptr) return;
  YamlNode& set = state.items[*state.index_of("wheelset")];
  erase(set.items[*set.index_of("velocity")], "pitch");
}

// The irregularity of one rail drops that of both, and the other way round.
void override_irregularity(YamlNode& state, const YamlNode& over) {
  const auto irregularity_of = [](const YamlNode& node) -> const YamlNode* {
    const YamlNode* track = node.find("track");
    return track != nullptr ? track->find("irregularity") : nullptr;
  };
  const auto of_both = [](const YamlNode& node) {
    return node.index_of("left").has_value() || node.index_of("right").has_value();
  };
  const YamlNode* before = irregularity_of(state);
  const YamlNode* now = irregularity_of(over);
  if (before == nullptr || now == nullptr || of_both(*before) == of_both(*now)) return;
  erase(state.items[*state.index_of("track")], "irregularity");
}

void rename_key(YamlNode& map, std::string_view from, std::string_view to) {
  const auto index = map.index_of(from);
  if (!index) return;
  erase(map, to);
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
  const YamlNode* wheelset = over.find("wheelset");
  if (wheelset != nullptr && wheelset->index_of("z") && !over.index_of("vertical_force"))
    erase(state, "vertical_force");
  const auto own = state.index_of("wheelset");
  if (over.index_of("vertical_force") && own) {
    erase(state.items[*own], "z");
    const YamlNode* given = over.find("side") != nullptr ? over.find("side") : state.find("side");
    if ((given != nullptr ? std::string_view(given->text) : side) == "both")
      erase(state.items[*own], "roll");
  }
  put_over(state, over);
}

}  // namespace slipfield
