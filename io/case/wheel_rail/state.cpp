// SPDX-License-Identifier: Apache-2.0
// The keys of `wheel_rail` that may change between steps.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/case/table.h"
#include "io/yaml/number.h"
#include "io/yaml/source.h"
#include "solver/problem_limits.h"
#include "solver/wheel_rail/wheelset/wheelset_solver.h"

namespace slipfield {
namespace {

constexpr NumberRange kAngle{.least = -1.0, .greatest = 1.0, .besides = " rad"};
// Velocities and a curvature beyond any wheel; their products with lengths stay finite.
constexpr NumberRange kRate{
    .least = -1.0e12, .lower = Bound::closed, .greatest = 1.0e12, .upper = Bound::closed};
// Farther away rounding exceeds the penetration of a contact.
constexpr NumberRange kPlaceOfRail{.least = -1.0e6,
                                   .lower = Bound::closed,
                                   .greatest = 1.0e6,
                                   .upper = Bound::closed,
                                   .besides = " mm"};
constexpr NumberRange kRollerRadius{.least = 50.0, .lower = Bound::closed};  // [mm]
enum class WheelProblem { steady_rolling, transient_rolling, shift };
constexpr std::array<Choice<WheelProblem>, 3> kWheelProblems{
    {{"steady_rolling", WheelProblem::steady_rolling},
     {"transient_rolling", WheelProblem::transient_rolling},
     {"shift", WheelProblem::shift}}};
enum class Wheels { left, right, both };
constexpr std::array<Choice<Wheels>, 3> kSides{
    {{"left", Wheels::left}, {"right", Wheels::right}, {"both", Wheels::both}}};

// --- track

constexpr std::array<Choice<GaugeFace>, 3> kGaugeFaces{
    {{"auto", GaugeFace::automatic}, {"head", GaugeFace::head}, {"lip", GaugeFace::lip}}};

struct TrackKeys {
  Track track;  // of the right rail if there are both
  std::optional<Track> left_irregularity;
  std::optional<Track> right_irregularity;
};

// Rows of the irregularity of one rail; `of_one`: of a single rail.
std::vector<KeyRow> irregularity_rows(bool of_one) {
  std::vector<KeyRow> rows{
      number("y", &Track::rail_y, kPlaceOfRail, "0", "to the right"),
      number("z", &Track::rail_z, kPlaceOfRail, "0",
             "downwards; of a roller, whose radius it changes, at most half of that"),
      number("roll", &Track::rail_roll, kAngle, "0", "about x"),
      number("velocity_y", &Track::rail_velocity_y, kRate, "0", "with which y changes"),
      number("velocity_z", &Track::rail_velocity_z, kRate, "0", "with which z changes"),
      number("velocity_roll", &Track::rail_velocity_roll, kRate, "0",
             "with which the roll changes")};
  for (KeyRow& row : rows)
    if (of_one)
      row = std::move(row)
                .with("side", {"left", "right"})
                .refused_as("given although side is {}", "left and right");
  return rows;
}

const KeyTable kOneIrregularityTable{"wheel_rail.track.irregularity.left",
                                     irregularity_rows(false)};
const KeyTable kIrregularityTable{
    "wheel_rail.track.irregularity",
    joined_rows(rows_within(&TrackKeys::track, irregularity_rows(true)),
                {map("left", &TrackKeys::left_irregularity, kOneIrregularityTable, "0 each",
                     "of the left rail")
                     .with("side", {"both"}),
                 map("right", &TrackKeys::right_irregularity, kOneIrregularityTable, "0 each",
                     "of the right rail")
                     .with("side", {"both"})})};

const KeyTable kRollerTable{"wheel_rail.track.roller",
                            {number("radius", &Track::roller_radius, kRollerRadius, "required",
                                    "at z = 0 of its profile, at least 50"),
                             number("pitch", &Track::roller_pitch, kRate, "0",
                                    "its angular velocity, > 0 turns the wheel forward")}};

// Reads a word, or a range of y in the profile.
void read_gauge_face(CaseSection& track, const KeyRow& row, TrackKeys& keys) {
  const YamlNode* node = track.value(row.name, row.accepted, Presence::optional);
  if (node == nullptr) return;
  if (node->kind != YamlNode::Kind::sequence) {
    const auto found = std::ranges::find_if(
        kGaugeFaces, [&](const Choice<GaugeFace>& face) { return face.name == node->text; });
    if (found != kGaugeFaces.end())
      keys.track.gauge_face = found->value;
    else
      track.error_at_value(row.name, in_quotes(node->text) + " is not known",
                           fmt::format("accepted: {}", row.accepted));
    return;
  }
  std::optional<std::array<double, 2>> between;
  if (!keys::read(track, row, Presence::optional, between)) return;
  if ((*between)[0] < (*between)[1])
    keys.track.gauge_between = between;
  else
    track.error_at_value(row.name,
                         fmt::format("[{}, {}] holds nothing", (*between)[0], (*between)[1]),
                         "two y of the rail's profile, the lesser one first");
}
std::string gauge_face_text(const TrackKeys& keys) {
  if (const auto& between = keys.track.gauge_between)
    return fmt::format("[{}, {}]", (*between)[0], (*between)[1]);
  return std::string(name_of(kGaugeFaces, keys.track.gauge_face));
}

std::string roller_text(const TrackKeys& keys) {
  return keys.track.roller_radius > 0.0 ? flow_text(kRollerTable, &keys.track) : std::string();
}
std::string irregularity_text(const TrackKeys& keys) {
  if (!keys.left_irregularity) return flow_text(kOneIrregularityTable, &keys.track);
  return fmt::format("{{left: {}, right: {}}}",
                     flow_text(kOneIrregularityTable, &*keys.left_irregularity),
                     flow_text(kOneIrregularityTable, &*keys.right_irregularity));
}

const KeyTable kTrackTable{
    "wheel_rail.track",
    {pair("rail_origin", InPart{&TrackKeys::track, &Track::rail_origin}, kAnyNumber, "[y, z]",
          "by the gauge",
          "in place of gauge and height: [y, z] of the origin of the rail's profile, in track "
          "coordinates, y < 0 on the left; with `side: both` of the right rail, whose mirror image "
          "the left one is"),
     number("gauge", InPart{&TrackKeys::track, &Track::gauge}, kPositive, "1435",
            "distance of the gauge points"),
     number("gauge_height", InPart{&TrackKeys::track, &Track::gauge_height}, kPositive, "14",
            "below the rail's top, where the gauge is measured; of a grooved rail on the head, not "
            "on the lip or a higher check rail"),
     value("gauge_face",
           {word_form({"auto", "head", "lip"}), pair_form(number_form(kAnyNumber), "[y, y]")},
           "auto, head, lip or [y, y]", "auto",
           "the face towards the track's centre on which the gauge is measured: `head`, of the "
           "widest part between grooves; `lip`, of the part beyond the groove next to it; [y, "
           "y], between these y of the rail's profile, as is its top then, for crossings; "
           "`auto`, of the highest part, or of the head where a check rail is higher")
         .by(read_gauge_face, gauge_face_text),
     number("cant", InPart{&TrackKeys::track, &Track::cant}, kAngle, "0",
            "angle [rad] by which the rail is inclined, > 0 towards the track's centre; 0 for a "
            "profile whose points are inclined already"),
     number("curvature", InPart{&TrackKeys::track, &Track::curvature}, kRate, "0",
            "1/radius of the track, < 0 for a left-hand curve"),
     map("roller", kRollerTable, "none",
         "a roller in the rail's place: `{radius, pitch}`; no `cant`, `curvature`, "
         "`wheelset.velocity.x`")
         .at_own<Track>()
         .within(&TrackKeys::track)
         .written_by(roller_text),
     map("irregularity", kIrregularityTable, "0 each",
         "`{y, z, roll, velocity_y, velocity_z, velocity_roll}`: of this rail, in track "
         "coordinates; with `side: both` `{left: {...}, right: {...}}`")
         .says("a map {y, z, roll, velocity_y, velocity_z, velocity_roll}, with side: both {left: "
               "{...}, right: {...}}")
         .at_own<TrackKeys>()
         .written_by(irregularity_text)},
    {{{{"rail_origin"}, {"gauge", "gauge_height", "gauge_face"}},
      Presence::optional,
      "one of them"}}};

// --- wheelset

struct WheelsetKeys {
  Wheelset set;
  std::optional<double> z;
  std::optional<double> roll;
  std::optional<double> pitch_velocity;
};

KeyRow rate(std::string_view name, double Wheelset::*member, std::string_view meaning) {
  return number(name, InPart{&WheelsetKeys::set, member}, kRate, "0", meaning);
}
const KeyTable kVelocityTable{
    "wheel_rail.wheelset.velocity",
    {rate("x", &Wheelset::velocity_x, "forward"), rate("y", &Wheelset::velocity_y, "to the right"),
     rate("z", &Wheelset::velocity_z, "downwards"),
     rate("roll", &Wheelset::velocity_roll, "about x"),
     number("pitch", &WheelsetKeys::pitch_velocity, kRate, "-x/nominal_radius",
            "about y, < 0 rolls forward; on a roller -pitch radius/nominal_radius of it"),
     rate("yaw", &Wheelset::velocity_yaw, "about z")}};

const KeyTable kWheelsetTable{
    "wheel_rail.wheelset",
    {number("flange_back_distance", InPart{&WheelsetKeys::set, &Wheelset::flange_back_distance},
            kNotNegative, "1360", "between the wheels; 0: y counts from the back of one wheel"),
     number("flange_back_position", InPart{&WheelsetKeys::set, &Wheelset::flange_back_position},
            kAnyNumber, "-70", "y of the flange's back in the wheel's profile"),
     number("nominal_radius", InPart{&WheelsetKeys::set, &Wheelset::nominal_radius}, kPositive,
            "460", "at z = 0 of the wheel's profile"),
     number("x", InPart{&WheelsetKeys::set, &Wheelset::x}, kAnyNumber, "0",
            "of the axle along the track, for a rail that changes along it"),
     number("y", InPart{&WheelsetKeys::set, &Wheelset::y}, kAnyNumber, "0",
            "of the axle's centre, to the right"),
     number("z", &WheelsetKeys::z, kAnyNumber, "this, or `vertical_force`",
            "of the axle's centre, below the height at which the wheel's z = 0 is at the rail's "
            "top"),
     number("roll", &WheelsetKeys::roll, kAngle, "0",
            "about x, > 0 lowers the right wheel; with `side: both` only together with `z`"),
     number("yaw", InPart{&WheelsetKeys::set, &Wheelset::yaw}, kAngle, "0",
            "about z, > 0 moves the right wheel back"),
     map("velocity", kVelocityTable, "0 each",
         "`{x, y, z, roll, pitch, yaw}`; `pitch` < 0 rolls forward, by default "
         "-x/`nominal_radius`, on a roller -`pitch` `radius`/`nominal_radius` of it; with "
         "`longitudinal_force` it is found")
         .at_own<WheelsetKeys>()}};

// --- What may change from step to step.

struct StateKeys {
  Wheels side = Wheels::right;
  WheelProblem problem = WheelProblem::steady_rolling;
  std::optional<double> step;  // of transient rolling
  TrackKeys track;
  WheelsetKeys wheelset;
  std::optional<std::vector<double>> vertical_force;      // of each wheel, or one for both
  std::optional<std::vector<double>> longitudinal_force;  // of the wheelset, or of each wheel
};

// One number, or one for each wheel, [left, right].
using Forces = std::optional<std::vector<double>>;
template <Forces StateKeys::*forces>
void read_forces(CaseSection& state, const KeyRow& row, StateKeys& keys) {
  const auto value = state.at(row.name, row.forms.front().accepted_text(), Presence::optional);
  const bool both = keys.side == Wheels::both && value && value->is_list();
  if constexpr (forces == &StateKeys::vertical_force) {
    const auto is_zero = [](const YamlNode& node) {
      return parse_number(node.text).value.value_or(1.0) == 0.0;
    };
    if (both && std::ranges::any_of(value->node.items, is_zero))
      return value->refuse("has a wheel that carries nothing",
                           "forces > 0; of a wheel that is lifted, wheelset.z and wheelset.roll in "
                           "place of the forces, or side: left or right alone");
  }
  std::vector<double> read;
  if (value && keys::read_value(*value, row.form(both), read)) keys.*forces = std::move(read);
}

constexpr NumberRange kRolledDistance{
    .least = 0.0, .greatest = 1.0e6, .upper = Bound::closed};  // [mm], a kilometre

std::vector<KeyRow> state_rows() {
  using S = StateKeys;
  const auto both = [](const NumberRange& range) {
    return pair_form(number_form(range), "[left, right]");
  };
  return {
      word("side", &S::side, kSides, "required",
           "which wheel of the wheelset: `left`, `right`, or `both`"),
      word("problem", &S::problem, kWheelProblems, "steady_rolling",
           "`steady_rolling`, `transient_rolling`: one step of the length `step`, which continues "
           "from the contacts of the step before, or `shift`: velocities and rates of wheelset, "
           "irregularity and roller are then displacements [mm] and rotations [rad], which shift "
           "the bodies against each other from rest, in one second"),
      number("step", &S::step, kRolledDistance, "dx of `spacing`",
             "rolling distance of a step of transient rolling")
          .with("problem", {"transient_rolling"}),
      map("track", &S::track, kTrackTable, "that of its keys", "where the rail is"),
      map("wheelset", &S::wheelset, kWheelsetTable, "that of its keys",
          "where the axle is, and how it moves"),
      value(
          "vertical_force", {number_form(kPositive), both(kPositive)}, "a number > 0",
          "this, or `wheelset.z`",
          "on the rail, downwards; the height of the axle is found that gives it. With `both`: on "
          "each rail, or [left, right]; height and roll are found")
          .at(&S::vertical_force)
          .by(read_forces<&S::vertical_force>),
      value("longitudinal_force", {number_form(kAnyNumber), both(kAnyNumber)}, "a number", "none",
            "on the rail along the wheelset's x axis, in place of `wheelset.velocity.pitch`: the "
            "pitch velocity is found that gives it. With `both`: the sum of both wheels; or [left, "
            "right] of wheels that turn independently, each with a pitch velocity of its own ([0, "
            "0]: both free). < 0: the wheel drives, > 0: it brakes")
          .at(&S::longitudinal_force)
          .by(read_forces<&S::longitudinal_force>)};
}

void check_track(CaseSection& state, const Track& track) {
  if (track.roller_radius == 0.0) return;
  for (const auto& [key, number] :
       {std::pair("track.cant", track.cant), std::pair("track.curvature", track.curvature)})
    if (number != 0.0)
      state.error_at_value(key, "given together with 'roller', which has none", "0, or no roller");
  if (track.rail_origin && track.rail_origin->back() != 0.0)
    state.error_at_value(
        "track.rail_origin",
        "has a z other than 0, and the roller's axle is its radius below that of 0",
        "[y, 0], and a shift of the rail's profile for another radius");
}

// The axle of a roller stays, so that z changes its radius, in which its velocity is measured.
void check_roller_irregularity(CaseSection& state, const WheelsetStep& step, bool of_each) {
  constexpr double kMost = 0.5;  // of the radius
  for (const WheelStep& wheel : step.wheels) {
    const Track& track = wheel.position.track;
    if (track.roller_radius == 0.0 || std::fabs(track.rail_z) <= kMost * track.roller_radius)
      continue;
    const char* const side = wheel.position.side == Side::left ? "left." : "right.";
    state.error_at_value(
        fmt::format("track.irregularity.{}z", of_each ? side : ""),
        fmt::format("{} is more than half the roller's radius of {} mm, which it "
                    "changes",
                    track.rail_z, track.roller_radius),
        fmt::format("-{0} to {0}, or another track.roller.radius", kMost * track.roller_radius));
  }
}

Wheelset wheelset_of(CaseSection& state, const WheelsetKeys& keys, const Track& track) {
  Wheelset set = keys.set;
  set.z = keys.z.value_or(0.0);
  set.roll = keys.roll.value_or(0.0);
  const double rolls = track.roller_pitch * track.roller_radius;
  set.velocity_pitch = keys.pitch_velocity.value_or(-(set.velocity_x + rolls) / set.nominal_radius);
  if (track.roller_radius > 0.0 && set.velocity_x != 0.0)
    state.error_at_value("wheelset.velocity.x",
                         "given with 'track.roller', over which the axle stays",
                         "0, and track.roller.pitch");
  return set;
}

void take_irregularity(const std::optional<Track>& from, Track& to) {
  if (!from) return;
  to.rail_y = from->rail_y;
  to.rail_z = from->rail_z;
  to.rail_roll = from->rail_roll;
  to.rail_velocity_y = from->rail_velocity_y;
  to.rail_velocity_z = from->rail_velocity_z;
  to.rail_velocity_roll = from->rail_velocity_roll;
}

bool rolls(const WheelRailPosition& position) {
  return position.wheelset.velocity_x != 0.0 ||
         position.track.roller_pitch * position.track.roller_radius != 0.0;
}

// A transient step without rolling would lose the tractions of the previous step.
void check_rolling(CaseSection& state, const WheelsetStep& step) {
  if (step.geometry_only || rolls(step.wheels.front().position)) return;
  const YamlNode* velocity = state.node().find("wheelset", "velocity");
  const bool given = velocity != nullptr && velocity->index_of("x").has_value();
  const char* const key = given ? "wheelset.velocity.x" : "problem";
  state.error_at_value(key, "nothing rolls in this step of transient rolling",
                       "'wheelset.velocity.x' other than 0, on a roller 'track.roller.pitch', or "
                       "problem: shift");
}

// A longitudinal force replaces the pitch velocity.
void check_longitudinal_force(CaseSection& state, const WheelsetStep& step) {
  if (!step.wheels.front().longitudinal_force) return;
  const YamlNode* velocity = state.node().find("wheelset", "velocity");
  const WheelRailPosition& position = step.wheels.front().position;
  if (velocity != nullptr && velocity->index_of("pitch"))
    state.error_at_key("longitudinal_force",
                       "given together with 'wheelset.velocity.pitch', which follows from it",
                       "one of them");
  else if (!position.shifts && !step.geometry_only && !rolls(position))
    state.error_at_key("longitudinal_force", "given of a wheel that does not roll",
                       "'wheelset.velocity.x' with it, on a roller 'track.roller.pitch', or "
                       "problem: shift");
}

// Checks which of the axle's coordinates are given and which are solved for.
void check_pose(CaseSection& state, const WheelsetStep& step, bool has_height) {
  const bool has_force = state.has("vertical_force");
  if (!step.geometry_only && has_height == has_force) {
    state.error_here(has_height ? "both 'vertical_force' and 'wheelset.z' are given"
                                : "neither 'vertical_force' nor 'wheelset.z' is given",
                     "one of them");
    return;
  }
  const bool has_roll = state.node().find("wheelset", "roll") != nullptr;
  if (step.wheels.size() == 2 && has_roll && !has_height)
    state.error_here(fmt::format("'wheelset.roll' is given, which with 'side: both' {}",
                                 step.geometry_only ? "is found where the wheels touch"
                                                    : "follows from 'vertical_force'"),
                     "'wheelset.z' with it, or no 'wheelset.roll'");
}

bool has_roller_without_pitch(const YamlNode& state) {
  const YamlNode* roller = state.find("track", "roller");
  return roller != nullptr && roller->find("pitch") == nullptr;
}

// Warns of a shift along the track in which the wheel, unless told otherwise, turns along: it
// rolls, and its contact hardly shifts.
void warn_of_rolling_shift(const WheelsetStep& step, const CaseSection& where) {
  const WheelStep& wheel = step.wheels.front();
  const Wheelset& set = wheel.position.wheelset;
  const YamlNode* velocity = where.node().find("wheelset", "velocity");
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

// Warns of a roller whose velocity was forgotten, and of friction without effect because nothing
// rolls.
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

// --- Overriding the previous step's state.

// The name of a step length at rest within a state. It cannot be a key of a case, and readers of
// the state skip it.
constexpr std::string_view kRestingStep = "step\n(resting)";

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

// A step with a longitudinal force drops the pitch velocity in force, and vice versa.
void override_pitch(YamlNode& state, const YamlNode& over) {
  const YamlNode* velocity = over.find("wheelset", "velocity");
  const bool has_pitch = velocity != nullptr && velocity->find("pitch") != nullptr;
  const bool has_force = over.find("longitudinal_force") != nullptr;
  if (has_pitch && !has_force) state.erase("longitudinal_force");
  YamlNode* before = state.find("wheelset", "velocity");
  if (has_force && before != nullptr) before->erase("pitch");
}

// The irregularity of one rail drops that of both, and vice versa.
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

// A problem other than transient rolling suspends the step length, and the next transient step
// restores it. `over` may itself be a state with a suspended step length.
void rest_step(YamlNode& state, const YamlNode& over) {
  const YamlNode* problem = over.find("problem");
  if (problem == nullptr) return;
  if (problem->text == "transient_rolling")
    rename_key(state, kRestingStep, "step");
  else
    rename_key(state, "step", kRestingStep);
}

// Keys of `over` replace those of `state`, maps key by key. Of two keys that exclude each other the
// given one drops the other: the vertical force the height and, for both wheels, the roll; the
// longitudinal force the pitch velocity; the gauge the rail's origin; one rail's irregularity that
// of both. The step length of transient rolling is suspended while another problem is in force.
// `side`: the side in force if neither gives it.
void override_state(YamlNode& state, const YamlNode& over, std::string_view side = {}) {
  const YamlNode* track = over.find("track");
  YamlNode* before = state.find("track");  // the gauge has the place of the rail's origin
  if (track != nullptr && before != nullptr) kTrackTable.drop_alternatives(*before, *track);
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

WheelsetStep read_state(YamlNode node, const CaseSection& where, const WheelKind& kind) {
  node.erase(kRestingStep);
  CaseSection state(node, where.place(), where.path(), where.diagnostics());
  StateKeys keys;
  kWheelStateTable.read_into(state, &keys);
  const Track& track = keys.track.track;
  check_track(state, track);
  const Wheelset set = wheelset_of(state, keys.wheelset, track);
  WheelsetStep step;
  step.geometry_only = kind.geometry_only;
  const bool transient = keys.problem == WheelProblem::transient_rolling;
  if (keys.step && !transient && !state.has("problem"))  // otherwise the table says it
    state.error_at_value("step", "given although problem is steady_rolling",
                         "no step, or problem: transient_rolling");
  if (keys.step && transient && kind.conformal && *keys.step > kind.spacing_x * (1.0 + 1.0e-9))
    state.error_at_value("step",
                         fmt::format("{} is longer than an element, and on a curved surface the "
                                     "slip of elements is not known for a part of a step",
                                     *keys.step),
                         fmt::format("at most {}, or contact_surface: planar", kind.spacing_x));
  step.wheels.resize(keys.side == Wheels::both ? 2 : 1);
  step.independent_wheels = keys.longitudinal_force && keys.longitudinal_force->size() == 2;
  for (WheelStep& wheel : step.wheels) {
    const bool left =
        keys.side == Wheels::left || (keys.side == Wheels::both && &wheel == &step.wheels.front());
    wheel.position.side = left ? Side::left : Side::right;
    wheel.position.track = track;
    take_irregularity(left ? keys.track.left_irregularity : keys.track.right_irregularity,
                      wheel.position.track);
    wheel.position.wheelset = set;
    wheel.position.shifts = keys.problem == WheelProblem::shift;
    if (transient) wheel.position.rolled = keys.step.value_or(kind.spacing_x);
    if (keys.longitudinal_force)
      wheel.longitudinal_force =
          left ? keys.longitudinal_force->front() : keys.longitudinal_force->back();
    if (keys.vertical_force)
      wheel.vertical_force = left ? keys.vertical_force->front() : keys.vertical_force->back();
  }
  if (step.wheels.size() == 2 && track.rail_origin)  // given of the right rail
    step.wheels.front().position.track.rail_origin->front() = -track.rail_origin->front();
  const bool has_height = keys.wheelset.z.has_value();
  step.touching = kind.geometry_only && !has_height;
  check_roller_irregularity(state, step, keys.side == Wheels::both);
  check_longitudinal_force(state, step);
  if (transient) check_rolling(state, step);
  check_pose(state, step, has_height);
  return step;
}

// The part of the section that may change.
YamlNode state_of(const YamlNode& section) {
  YamlNode state = YamlNode::empty_map(section.place);
  for (std::size_t i = 0; i < section.keys.size(); ++i) {
    const std::string& name = section.keys[i].name;
    if (kWheelStateTable.has_row(name) || name == kRestingStep)
      state.put(section.keys[i], section.items[i]);
  }
  return state;
}

std::optional<Friction> read_step_friction(const YamlNode* node, const CaseSection& where,
                                           const CaseContext& context) {
  if (node == nullptr) {
    where.diagnostics().add_missing(where.place(), "friction", "a map {coefficient}");
    return std::nullopt;
  }
  CaseSection section(*node, node->place, "friction", where.diagnostics());
  return read_friction(section, context);
}

}  // namespace

const KeyTable kWheelStateTable{"wheel_rail, in steps", state_rows()};

std::string wheel_state_text(const WheelsetStep& step, std::string_view indent) {
  const bool both = step.wheels.size() == 2;
  const WheelStep& first = step.wheels.front();
  const WheelStep& last = step.wheels.back();
  StateKeys keys;
  keys.side =
      both ? Wheels::both : (first.position.side == Side::left ? Wheels::left : Wheels::right);
  if (first.position.shifts) keys.problem = WheelProblem::shift;
  if (first.is_transient()) {
    keys.problem = WheelProblem::transient_rolling;
    keys.step = first.position.rolled;
  }
  keys.track.track = last.position.track;
  if (both) {
    keys.track.left_irregularity = first.position.track;
    keys.track.right_irregularity = last.position.track;
  }
  const Wheelset& set = first.position.wheelset;
  keys.wheelset.set = set;
  const bool has_height = step.geometry_only ? !step.touching : !first.vertical_force;
  if (has_height) keys.wheelset.z = set.z;
  if (has_height || !both) keys.wheelset.roll = set.roll;
  if (!first.longitudinal_force) keys.wheelset.pitch_velocity = set.velocity_pitch;
  if (first.longitudinal_force) keys.longitudinal_force = {*first.longitudinal_force};
  if (step.independent_wheels) keys.longitudinal_force->push_back(*last.longitudinal_force);
  if (first.vertical_force) keys.vertical_force = {*first.vertical_force};
  if (first.vertical_force && both) keys.vertical_force->push_back(*last.vertical_force);
  return block_text(kWheelStateTable, &keys, indent);
}

void override_wheel_loads(YamlNode& loads, const YamlNode& over, std::string_view side) {
  if (const auto index = over.index_of("friction"))
    loads.put(over.keys[*index], over.items[*index]);
  const auto index = over.index_of("wheel_rail");
  if (!index) return;
  YamlNode* const state = loads.find("wheel_rail");
  if (state == nullptr) return loads.put(over.keys[*index], state_of(over.items[*index]));
  override_state(*state, over.items[*index], side);
  loads.keys[*loads.index_of("wheel_rail")] = over.keys[*index];
}

YamlNode wheel_step_tree(const YamlNode& root, std::size_t entry, const YamlNode& change) {
  YamlNode loads = loads_in_force(root, entry);
  override_wheel_loads(loads, change);
  YamlNode tree = root;
  tree.erase("steps");
  tree.erase("expected");
  if (YamlNode* output = tree.find("output")) output->erase("steps");
  const YamlNode section = *tree.find("wheel_rail");
  YamlNode fixed = YamlNode::empty_map(section.place);  // the keys that may not change
  for (std::size_t i = 0; i < section.keys.size(); ++i)
    if (!kWheelStateTable.has_row(section.keys[i].name))
      fixed.put(section.keys[i], section.items[i]);
  YamlNode& state = *loads.find("wheel_rail");
  state.erase(kRestingStep);
  for (std::size_t i = 0; i < state.keys.size(); ++i) fixed.put(state.keys[i], state.items[i]);
  state = std::move(fixed);
  for (std::size_t i = 0; i < loads.keys.size(); ++i) tree.put(loads.keys[i], loads.items[i]);
  return tree;
}

YamlNode wheel_loads_over(const YamlNode& root, std::size_t entry, const YamlNode& loads,
                          const YamlNode& change) {
  const YamlNode in_force = loads_in_force(root, entry);
  const YamlNode* side = in_force.find("wheel_rail", "side");
  YamlNode all = YamlNode::empty_map(change.place);
  override_wheel_loads(all, loads);
  override_wheel_loads(all, change,
                       side != nullptr ? std::string_view(side->text) : std::string_view());
  return all;
}

void put_wheel_state(YamlNode& root, const YamlNode& change) {
  override_state(*root.find("wheel_rail"), *change.find("wheel_rail"));
}

std::vector<WheelsetStep> read_wheel_steps(CaseSection& root, const CaseContext& context,
                                           const WheelKind& kind) {
  constexpr std::string_view kAccepted = "a list of steps with friction, wheel_rail, repeat";
  CaseDiagnostics& diagnostics = root.diagnostics();
  const YamlNode& whole = *root.node().find("wheel_rail");
  const SourcePlace place = root.key_place("wheel_rail");
  YamlNode state = state_of(whole);
  const YamlNode* friction = root.value("friction", "a map {coefficient}", Presence::optional);
  std::vector<WheelsetStep> steps;
  const auto add = [&](const CaseSection& where) {
    WheelsetStep step = read_state(state, where, kind);
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
  if (!root.has("steps")) add(CaseSection(state, place, "wheel_rail", diagnostics));
  std::int64_t count = 0;
  for (CaseSection& entry :
       root.maps("steps", kAccepted, Presence::optional, CaseSection::Maps::list)) {
    const auto repeat = entry.integer("repeat", kRepeats, Presence::optional);
    if (const YamlNode* own = entry.value("friction", "a map", Presence::optional)) friction = own;
    const YamlNode* over = entry.value(
        "wheel_rail", "a map with keys of track, wheelset and vertical_force", Presence::optional);
    entry.finish();
    if (over != nullptr) override_state(state, *over);
    const std::size_t before = diagnostics.count();
    add(CaseSection(state, over != nullptr ? entry.key_place("wheel_rail") : entry.place(),
                    entry.path_of("wheel_rail"), diagnostics));
    if (diagnostics.count() != before) break;  // later steps would repeat the errors
    steps.back().repeat = static_cast<int>(repeat.value_or(1));
    count += steps.back().repeat;
  }
  if (count > kMaxRepeat)
    root.error_at_key("steps", fmt::format("the sequence has {} steps", count),
                      fmt::format("at most {}", kMaxRepeat));
  return steps;
}

}  // namespace slipfield
