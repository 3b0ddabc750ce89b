// SPDX-License-Identifier: Apache-2.0
#include "io/case/wheel_rail/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <variant>

#include "io/case/names.h"
#include "io/case/wheel_rail/step_override.h"

namespace slipfield {
namespace {

constexpr NumberRange kAngle{.least = -1.0, .greatest = 1.0};  // [rad]
// Velocities and a curvature beyond any wheel; their products with lengths stay finite.
constexpr NumberRange kRate{
    .least = -1.0e12, .lower = Bound::closed, .greatest = 1.0e12, .upper = Bound::closed};
constexpr NumberRange kRollerRadius{.least = 50.0, .lower = Bound::closed};  // [mm]
constexpr std::array<Choice<bool>, 2> kShifts{{{"steady_rolling", false}, {"shift", true}}};
enum class Wheels { left, right, both };
constexpr std::array<Choice<Wheels>, 3> kSides{
    {{"left", Wheels::left}, {"right", Wheels::right}, {"both", Wheels::both}}};

void read_irregularity(CaseSection& parent, std::string_view key, Track& track) {
  auto irregular = parent.section(key, "a map {y, z, roll, velocity_y, velocity_z, velocity_roll}",
                                  Presence::optional);
  if (!irregular) return;
  track.rail_y = irregular->number_or("y", kAnyNumber, 0.0);
  track.rail_z = irregular->number_or("z", kAnyNumber, 0.0);
  track.rail_roll = irregular->number_or("roll", kAngle, 0.0);
  track.rail_velocity_y = irregular->number_or("velocity_y", kRate, 0.0);
  track.rail_velocity_z = irregular->number_or("velocity_z", kRate, 0.0);
  track.rail_velocity_roll = irregular->number_or("velocity_roll", kRate, 0.0);
  irregular->finish();
}

void read_roller(CaseSection& section, Track& track) {
  auto roller = section.section("roller", "a map {radius, pitch}", Presence::optional);
  if (!roller) return;
  track.roller_radius = roller->number("radius", kRollerRadius, Presence::required).value_or(0.0);
  track.roller_pitch = roller->number_or("pitch", kRate, 0.0);
  roller->finish();
  for (const std::string_view key : {"cant", "curvature"})
    if (section.has(key) && (key == "cant" ? track.cant : track.curvature) != 0.0)
      section.error_at_value(key, "given together with 'roller', which has none",
                             "0, or no roller");
}

// In place of the gauge.
void read_rail_origin(CaseSection& section, Track& track) {
  track.rail_origin = section.number_pair("rail_origin", kAnyNumber, "[y, z]", Presence::optional);
  if (!track.rail_origin) return;
  for (const std::string_view key : {"gauge", "gauge_height", "roller"})
    if (section.has(key))
      section.error_at_key(key, "given together with 'rail_origin', which places the rail",
                           "one of them");
}

// Of the wheels, one or two.
void read_track(CaseSection& state, std::vector<WheelStep>& wheels) {
  auto section = state.section("track",
                               "a map {gauge, gauge_height, rail_origin, cant, curvature, roller, "
                               "irregularity}",
                               Presence::optional);
  if (!section) return;
  Track track;
  track.gauge = section->number_or("gauge", kPositive, track.gauge);
  track.gauge_height = section->number_or("gauge_height", kPositive, track.gauge_height);
  track.cant = section->number_or("cant", kAngle, 0.0);
  track.curvature = section->number_or("curvature", kRate, 0.0);
  read_roller(*section, track);
  read_rail_origin(*section, track);
  for (WheelStep& wheel : wheels) wheel.position.track = track;
  if (wheels.size() == 2 && track.rail_origin)  // given of the right rail
    wheels.front().position.track.rail_origin->front() = -track.rail_origin->front();
  if (wheels.size() == 1) {
    read_irregularity(*section, "irregularity", wheels.front().position.track);
  } else if (auto both = section->section("irregularity", "a map {left: {...}, right: {...}}",
                                          Presence::optional)) {
    read_irregularity(*both, "left", wheels[0].position.track);
    read_irregularity(*both, "right", wheels[1].position.track);
    both->finish();
  }
  section->finish();
}

void read_velocity(CaseSection& wheelset, const Track& track, Wheelset& set) {
  const double rolls = track.roller_pitch * track.roller_radius;
  set.velocity_pitch = -rolls / set.nominal_radius;
  auto section =
      wheelset.section("velocity", "a map {x, y, z, roll, pitch, yaw}", Presence::optional);
  if (!section) return;
  set.velocity_x = section->number_or("x", kRate, 0.0);
  set.velocity_y = section->number_or("y", kRate, 0.0);
  set.velocity_z = section->number_or("z", kRate, 0.0);
  set.velocity_roll = section->number_or("roll", kRate, 0.0);
  set.velocity_pitch =
      section->number_or("pitch", kRate, -(set.velocity_x + rolls) / set.nominal_radius);
  if (track.roller_radius > 0.0 && set.velocity_x != 0.0)
    section->error_at_value("x", "given with 'track.roller', over which the axle stays",
                            "0, and track.roller.pitch");
  set.velocity_yaw = section->number_or("yaw", kRate, 0.0);
  section->finish();
}

// True: its height is given.
bool read_wheelset(CaseSection& state, const Track& track, Wheelset& set) {
  auto section = state.section("wheelset",
                               "a map {flange_back_distance, flange_back_position, "
                               "nominal_radius, y, z, roll, yaw, velocity}",
                               Presence::optional);
  if (!section) {
    set.velocity_pitch = -track.roller_pitch * track.roller_radius / set.nominal_radius;
    return false;
  }
  set.flange_back_distance =
      section->number_or("flange_back_distance", kNotNegative, set.flange_back_distance);
  set.flange_back_position =
      section->number_or("flange_back_position", kAnyNumber, set.flange_back_position);
  set.nominal_radius = section->number_or("nominal_radius", kPositive, set.nominal_radius);
  set.y = section->number_or("y", kAnyNumber, 0.0);
  set.z = section->number_or("z", kAnyNumber, 0.0);
  set.roll = section->number_or("roll", kAngle, 0.0);
  set.yaw = section->number_or("yaw", kAngle, 0.0);
  read_velocity(*section, track, set);
  section->finish();
  return section->has("z");
}

// On both rails the same, or [left, right].
void read_forces(CaseSection& state, std::vector<WheelStep>& wheels) {
  if (wheels.size() == 2)
    state.takes("vertical_force", [] {
      return KeyForm{
          .kind = KeyForm::Kind::list, .items = {number_form(kPositive)}, .least = 2, .most = 2};
    });
  const YamlNode* node = state.node().find("vertical_force");
  if (wheels.size() == 2 && node != nullptr && node->kind == YamlNode::Kind::sequence) {
    const auto forces =
        state.number_pair("vertical_force", kPositive, "[left, right]", Presence::optional);
    for (std::size_t i = 0; i < 2 && forces; ++i) wheels[i].vertical_force = (*forces)[i];
    return;
  }
  const auto force = state.number("vertical_force", kPositive, Presence::optional);
  for (WheelStep& wheel : wheels) wheel.vertical_force = force;
}

const YamlNode* velocity_of(const YamlNode& state) {
  const YamlNode* set = state.find("wheelset");
  return set != nullptr ? set->find("velocity") : nullptr;
}

// In place of the pitch velocity.
void read_longitudinal_force(CaseSection& state, WheelsetStep& step) {
  const auto force = state.number("longitudinal_force", kAnyNumber, Presence::optional);
  if (!force) return;
  for (WheelStep& wheel : step.wheels) wheel.longitudinal_force = force;
  const YamlNode* velocity = velocity_of(state.node());
  const WheelRailPosition& position = step.wheels.front().position;
  if (velocity != nullptr && velocity->index_of("pitch"))
    state.error_at_key("longitudinal_force",
                       "given together with 'wheelset.velocity.pitch', which follows from it",
                       "one of them");
  else if (!position.shifts && !step.geometry_only && position.wheelset.velocity_x == 0.0 &&
           position.track.roller_pitch * position.track.roller_radius == 0.0)
    state.error_at_key("longitudinal_force", "given of a wheel that does not roll",
                       "'wheelset.velocity.x' with it, on a roller 'track.roller.pitch', or "
                       "problem: shift");
}

// What of the axle's place is given, and what is found.
void check_pose(CaseSection& state, const WheelsetStep& step, bool has_height) {
  const bool has_force = state.has("vertical_force");
  if (!step.geometry_only && has_height == has_force) {
    state.error_here(has_height ? "both 'vertical_force' and 'wheelset.z' are given"
                                : "neither 'vertical_force' nor 'wheelset.z' is given",
                     "one of them");
    return;
  }
  const YamlNode* set = state.node().find("wheelset");
  const bool has_roll = set != nullptr && set->index_of("roll").has_value();
  if (step.wheels.size() == 2 && has_roll && !has_height)
    state.error_here(fmt::format("'wheelset.roll' is given, which with 'side: both' {}",
                                 step.geometry_only ? "is found where the wheels touch"
                                                    : "follows from 'vertical_force'"),
                     "'wheelset.z' with it, or no 'wheelset.roll'");
}

bool has_roller_without_pitch(const YamlNode& state) {
  const YamlNode* track = state.find("track");
  const YamlNode* roller = track != nullptr ? track->find("roller") : nullptr;
  return roller != nullptr && !roller->index_of("pitch");
}

// A shift along the track whose wheel turns with it, as nothing else is said: it rolls, and next to
// nothing shifts in its contact.
void warn_of_rolling_shift(const WheelsetStep& step, const CaseSection& where) {
  const WheelStep& wheel = step.wheels.front();
  const Wheelset& set = wheel.position.wheelset;
  const YamlNode* velocity = velocity_of(where.node());
  const bool turns = velocity != nullptr && velocity->index_of("pitch").has_value();
  if (turns || set.velocity_pitch == 0.0 || wheel.longitudinal_force ||
      wheel.friction.coefficient == 0.0)
    return;
  where.diagnostics().warn(
      where.place(), where.path(),
      fmt::format("in this shift the wheel turns by wheelset.velocity.pitch = {:.4g} rad, the "
                  "default with which it rolls, so that its contact hardly shifts along the track; "
                  "wheelset.velocity.pitch: 0 of a wheel that does not turn, or the angle",
                  set.velocity_pitch),
      "wheel_rolling_shift");
}

// A roller whose velocity was forgotten, and friction that can do nothing, as nothing rolls.
void warn_of_rest(const WheelsetStep& step, const CaseSection& where) {
  if (step.geometry_only) return;
  if (step.wheels.front().position.shifts) return warn_of_rolling_shift(step, where);
  const auto warn = [&](std::string_view what, const std::string& topic) {
    where.diagnostics().warn(where.place(), where.path(), what, topic);
  };
  if (has_roller_without_pitch(where.node()))
    return warn("the roller stands still: track.roller.pitch is not given, and 0 rad/s by default",
                "roller_rest");
  const WheelStep& wheel = step.wheels.front();
  const Wheelset& set = wheel.position.wheelset;
  if (wheel.friction.coefficient == 0.0 || set.velocity_x != 0.0 || set.velocity_pitch != 0.0 ||
      wheel.position.track.roller_pitch != 0.0)
    return;
  warn(
      "the wheel stands still (wheelset.velocity.x is 0), so there is pressure and no friction; "
      "wheelset.velocity.x, or friction.coefficient: 0",
      "wheel_rest");
}

WheelsetStep read_state(const YamlNode& node, const CaseSection& where, bool geometry_only,
                        Completeness completeness = Completeness::whole) {
  CaseSection state(node, where.place(), where.path(), where.diagnostics(), completeness);
  const Wheels wheels = state.choice("side", kSides, Presence::required).value_or(Wheels::right);
  WheelsetStep step;
  step.geometry_only = geometry_only;
  step.wheels.resize(wheels == Wheels::both ? 2 : 1);
  step.wheels.front().position.side = wheels == Wheels::right ? Side::right : Side::left;
  step.wheels.back().position.side = wheels == Wheels::left ? Side::left : Side::right;
  read_track(state, step.wheels);
  Wheelset set;
  const bool has_height = read_wheelset(state, step.wheels.front().position.track, set);
  const bool shifts = state.choice("problem", kShifts, Presence::optional).value_or(false);
  for (WheelStep& wheel : step.wheels) {
    wheel.position.wheelset = set;
    wheel.position.shifts = shifts;
  }
  read_forces(state, step.wheels);
  step.touching = geometry_only && !has_height;
  read_longitudinal_force(state, step);
  state.finish();
  check_pose(state, step, has_height);
  return step;
}

std::optional<Friction> read_step_friction(const YamlNode* node, const CaseSection& where,
                                           const FrictionContext& context) {
  if (node == nullptr) {
    where.diagnostics().add_missing(where.place(), "friction", "a map {coefficient}");
    return std::nullopt;
  }
  CaseSection section(*node, node->place, "friction", where.diagnostics());
  return read_friction(section, context);
}

// An entry of `steps` for whoever observes the reader: by itself, where otherwise what it changes
// is read with the rest.
void observe_entry(CaseSection& entry, const FrictionContext& context, bool geometry_only) {
  CaseDiagnostics& diagnostics = entry.diagnostics();
  const auto part = [&](std::string_view key, const auto& read) {
    entry.takes(key, map_form);
    const YamlNode* node = entry.value(key, "a map", Presence::optional);
    if (node == nullptr || node->kind != YamlNode::Kind::map) return;
    CaseSection section(*node, node->place, entry.path_of(key), diagnostics, Completeness::part);
    read(section);
  };
  part("friction", [&](CaseSection& section) { read_friction(section, context); });
  part("wheel_rail", [&](CaseSection& section) {
    read_state(section.node(), section, geometry_only, Completeness::part);
  });
  entry.finish();
}

}  // namespace

std::vector<WheelsetStep> read_wheel_steps(CaseSection& root, const FrictionContext& context,
                                           bool geometry_only) {
  constexpr std::string_view kAccepted = "a list of steps with friction, wheel_rail";
  CaseDiagnostics& diagnostics = root.diagnostics();
  const YamlNode& whole = *root.node().find("wheel_rail");
  const SourcePlace place = root.key_place("wheel_rail");
  YamlNode state;  // what of it may change
  state.kind = YamlNode::Kind::map;
  state.place = whole.place;
  for (std::size_t i = 0; i < whole.keys.size(); ++i) {
    if (std::find(kStateKeys.begin(), kStateKeys.end(), whole.keys[i].name) == kStateKeys.end())
      continue;
    state.keys.push_back(whole.keys[i]);
    state.items.push_back(whole.items[i]);
  }
  root.takes("friction", map_form);
  const YamlNode* friction = root.value("friction", "a map {coefficient}", Presence::optional);
  root.takes("steps", [] { return list_form(map_form(), 1); });
  const YamlNode* entries = root.value("steps", kAccepted, Presence::optional);
  std::vector<WheelsetStep> steps;
  const auto add = [&](const CaseSection& where) {
    WheelsetStep step = read_state(state, where, geometry_only);
    const auto read = read_step_friction(friction, where, context);
    for (WheelStep& wheel : step.wheels) {
      if (!read) continue;
      wheel.friction = *read;
      wheel.friction_by_inclination =
          std::holds_alternative<FrictionAlongY>(read->place) || !read->along_y.empty();
    }
    if (read) warn_of_rest(step, where);
    steps.push_back(std::move(step));
  };
  if (entries == nullptr) {
    if (!root.has("steps")) add(CaseSection(state, place, "wheel_rail", diagnostics));
    return steps;
  }
  if (entries->kind != YamlNode::Kind::sequence || entries->items.empty()) {
    root.error_at_value("steps", "is not a list of steps, or an empty one", kAccepted);
    return steps;
  }
  if (diagnostics.observed() != nullptr) add(CaseSection(state, place, "wheel_rail", diagnostics));
  for (std::size_t i = 0; i < entries->items.size(); ++i) {
    CaseSection entry(entries->items[i], entries->items[i].place, fmt::format("steps.{}", i),
                      diagnostics);
    if (!entry.is_map()) continue;
    if (diagnostics.observed() != nullptr) {
      observe_entry(entry, context, geometry_only);
      continue;
    }
    if (const YamlNode* own = entry.value("friction", "a map", Presence::optional)) friction = own;
    const YamlNode* over = entry.value(
        "wheel_rail", "a map with keys of track, wheelset and vertical_force", Presence::optional);
    entry.finish();
    if (over != nullptr) override_state(state, *over);
    const std::size_t before = diagnostics.count();
    add(CaseSection(state, over != nullptr ? entry.key_place("wheel_rail") : entry.place(),
                    fmt::format("steps.{}.wheel_rail", i), diagnostics));
    if (diagnostics.count() != before) break;  // the next steps would say it again
  }
  return steps;
}

}  // namespace slipfield
