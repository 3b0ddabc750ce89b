// SPDX-License-Identifier: Apache-2.0
// normal, tangential: what presses the bodies together and moves them on each other in one step.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/case/angle.h"
#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/case/table.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

// --- normal

struct NormalKeys {
  std::optional<double> force;
  std::optional<double> approach;
  std::optional<double> pull_off;
};

}  // namespace

const KeyTable& normal_table() {
  static const KeyTable table{
      "normal",
      {number("force", &NormalKeys::force, kNormalForce, "one of the three",
              "F_n > 0; of surfaces with `adhesion` also a pull, <= 0")
           .gives({""}),
       number("approach", &NormalKeys::approach, kAnyNumber, "one of the three",
              "of the bodies, which touch where it exceeds the least h (below 0 of `rough` "
              "surfaces)")
           .gives({""}),
       number(
           "pull_off", &NormalKeys::pull_off, kPositive, "one of the three",
           "a length: of surfaces with `adhesion` the least force, as they are drawn apart by this "
           "length again and again")
           .gives({""})},
      {one_of({"force", "approach", "pull_off"})}};
  return table;
}

std::optional<NormalLoad> read_normal(CaseSection& normal, bool adhesion) {
  NormalKeys keys;
  normal_table().read_into(normal, &keys);
  if (!adhesion && keys.force && !(*keys.force > 0.0)) {
    normal.error_at_value("force", normal.node().find("force")->text + " is out of range",
                          kPositive.describe_one());
    return std::nullopt;
  }
  const int given = (keys.force ? 1 : 0) + (keys.approach ? 1 : 0) + (keys.pull_off ? 1 : 0);
  if (given != 1) return std::nullopt;
  if (keys.force) return NormalLoad{NormalControl::force, *keys.force};
  if (keys.approach) return NormalLoad{NormalControl::approach, *keys.approach};
  return NormalLoad{NormalControl::pull_off, *keys.pull_off};
}

std::string normal_text(const NormalLoad& load) {
  NormalKeys keys;
  (load.control == NormalControl::force      ? keys.force
   : load.control == NormalControl::approach ? keys.approach
                                             : keys.pull_off) = load.value;
  return flow_text(normal_table(), &keys);
}

// --- tangential

namespace {

const std::vector<std::string_view> kRolling{"transient_rolling", "steady_rolling"};
const std::vector<std::string_view> kMoving{"shift", "transient_rolling", "steady_rolling"};
constexpr std::string_view kNotOfProblem = "given although the tangential problem is {}";

// x and y: one of the keys.
struct DirectionKeys {
  std::optional<double> shift;
  std::optional<double> creepage;
  std::optional<double> force;
  std::optional<double> force_ratio;
  std::optional<double> traction_coefficient;
};

const KeyTable& direction_table() {
  using S = DirectionKeys;
  static const KeyTable table{
      "tangential.x",
      {number("shift", &S::shift, kAnyNumber, "", "of a shift: rigid, of body 1 on body 2")
           .with("problem", {"shift"})
           .or_else("creepage")
           .refused_as(kNotOfProblem, "problem: shift"),
       number("creepage", &S::creepage, kAnyNumber, "", "of rolling")
           .with("problem", kRolling)
           .or_else("shift")
           .refused_as(kNotOfProblem, "problem: steady_rolling or transient_rolling"),
       number("force", &S::force, kAnyNumber, "", "F"),
       number("force_ratio", &S::force_ratio, kForceRatio, "", "F/(mu F_n)"),
       number("traction_coefficient", &S::traction_coefficient, kAnyNumber, "", "F/F_n")},
      {one_of({"shift", "creepage", "force", "force_ratio", "traction_coefficient"})}};
  return table;
}

TangentialLoad load_of(const std::optional<DirectionKeys>& keys) {
  if (!keys) return {};
  if (keys->force) return {TangentialControl::force, *keys->force};
  if (keys->force_ratio) return {TangentialControl::force_ratio, *keys->force_ratio};
  if (keys->traction_coefficient)
    return {TangentialControl::traction_coefficient, *keys->traction_coefficient};
  return {TangentialControl::rigid, keys->shift ? *keys->shift : keys->creepage.value_or(0.0)};
}

DirectionKeys keys_of(const TangentialLoad& load, bool rolling) {
  DirectionKeys keys;
  switch (load.control) {
    case TangentialControl::rigid:
      (rolling ? keys.creepage : keys.shift) = load.value;
      break;
    case TangentialControl::force:
      keys.force = load.value;
      break;
    case TangentialControl::force_ratio:
      keys.force_ratio = load.value;
      break;
    case TangentialControl::traction_coefficient:
      keys.traction_coefficient = load.value;
      break;
  }
  return keys;
}

struct TangentialKeys {
  std::optional<TangentialProblem> problem;
  std::optional<DirectionKeys> x;
  std::optional<DirectionKeys> y;
  std::optional<double> rotation;
  std::optional<double> spin;
  std::optional<double> moment;
  double direction = 0.0;  // [rad], in degrees in the case
  std::optional<double> step;
  std::optional<double> velocity;
  std::optional<double> duration;
  std::optional<std::vector<double>> extra_x;  // one value for each element, x fastest
  std::optional<std::vector<double>> extra_y;
  FrictionStart start = FrictionStart::last;
  SpinSlip spin_slip = SpinSlip::both;
};

void read_direction_angle(CaseSection& section, const KeyRow& row, TangentialKeys& to) {
  const auto degrees = section.number(row.name, kAnyNumber, Presence::optional);
  if (degrees) to.direction = radians_from_degrees(*degrees);
}
std::string direction_text(const TangentialKeys& keys) { return degrees_text(keys.direction); }

KeyRow of_shift(KeyRow row) {
  return std::move(row).with("problem", {"shift"}).refused_as(kNotOfProblem, "problem: shift");
}
KeyRow of_rolling(KeyRow row) {
  return std::move(row)
      .with("problem", kRolling)
      .refused_as(kNotOfProblem, "problem: steady_rolling or transient_rolling");
}
KeyRow of_moving(KeyRow row) {
  return std::move(row).with("problem", kMoving).refused_as(kNotOfProblem, "problem: shift");
}

}  // namespace

const KeyTable& tangential_table() {
  using S = TangentialKeys;
  static const KeyTable table{
      "tangential",
      {word("problem", &S::problem, kTangentialProblems, "none",
            "`none`, `shift`, `transient_rolling`: one step of the length `step` each, "
            "`steady_rolling`: the state that lasts"),
       of_moving(map("x", direction_table, "no motion",
                     "one of {shift} (of rolling {creepage}), {force}, {force_ratio: F/(mu F_n)}, "
                     "{traction_coefficient: F/F_n}"))
           .at_map(&S::x),
       of_moving(map("y", direction_table, "no motion", "likewise")).at_map(&S::y),
       of_shift(number("rotation", &S::rotation, kAnyNumber, "0", "of a shift: about z [rad]"))
           .or_else("spin"),
       of_rolling(
           number("spin", &S::spin, kAnyNumber, "0", "of rolling: spin creepage [rad per length]"))
           .or_else("rotation")
           .gives({"rotation"}),
       of_moving(number("moment", &S::moment, kAnyNumber, "none",
                        "M_z about the origin, on body 1, in place of `rotation` or `spin`, which "
                        "is found: bearings and tyres spin freely at 0")),
       of_rolling(number("direction", kAnyNumber, "0", "of rolling, degrees from x"))
           .by(read_direction_angle, direction_text),
       of_rolling(number("step", &S::step, kPositive, "an element",
                         "rolling distance of a step; in steady rolling a millionth of an element "
                         "to a whole one, with a warning below .3 of one")),
       of_rolling(number("velocity", &S::velocity, kPositive, "none",
                         "V of rolling: gives slip velocities and the frictional power")),
       of_shift(number("duration", &S::duration, kPositive, "none",
                       "time that a shift takes: gives slip velocities and the frictional power; "
                       "needed by a falling law and by viscoelastic bodies"))
           .or_else("velocity"),
       of_moving(word("start", &S::start, kFrictionStarts, "last",
                      "`last`, `adhesion`, `slip`: where the coefficients of friction start")),
       of_moving(
           numbers("extra_x", &S::extra_x, kAnyNumber, 1, "none",
                   "rigid slip of each element besides: a list of m_x m_y lengths, of rolling "
                   "creepages over `step`, x fastest")),
       of_moving(numbers("extra_y", &S::extra_y, kAnyNumber, 1, "none", "likewise")),
       of_rolling(
           word("spin_slip", &S::spin_slip, kSpinSlips, "both",
                "`both`, `x`, `y`: components of the rigid slip that the spin has a part in; "
                "FASTSIM and FaStrip only"))},
      {{{{"moment"}, {"rotation", "spin"}}, Presence::optional}}};
  return table;
}

namespace {

// Steady rolling is the limit of short steps, so that a longer one only makes it coarser.
void shorten_step(CaseSection& section, Tangential& tangential, const Grid& grid) {
  if (!steps_over_element(tangential, grid)) return;
  const double longest = longest_step(tangential.direction, grid);
  section.warn_at_value("step",
                        fmt::format("steady rolling takes no step longer than an element: {} is "
                                    "used instead of {}",
                                    longest, tangential.step));
  tangential.step = longest;
}

// A step without a length has that of an element.
void complete_step(CaseSection& section, Tangential& tangential, const std::optional<Grid>& grid) {
  if (!(tangential.step > 0.0))
    tangential.step = grid ? element_length(tangential.direction, *grid) : 1.0;
  if (grid && tangential.problem == TangentialProblem::steady_rolling)
    shorten_step(section, tangential, *grid);
}

std::shared_ptr<const std::vector<double>> shared(std::optional<std::vector<double>> values) {
  if (!values) return nullptr;
  return std::make_shared<const std::vector<double>>(std::move(*values));
}

}  // namespace

std::optional<Tangential> read_tangential(CaseSection& section, const TangentialContext& context) {
  std::optional<TangentialProblem> problem = context.in_force;
  if (section.is_whole()) problem = TangentialProblem::none;
  if (problem && !section.is_whole())
    section.assume("problem", name_of(kTangentialProblems, *problem));
  TangentialKeys keys;
  const bool good = tangential_table().read_into(section, &keys);
  if (section.has("problem")) problem = keys.problem;
  Tangential result;
  result.problem = problem.value_or(TangentialProblem::none);
  result.x = load_of(keys.x);
  result.y = load_of(keys.y);
  result.rotation =
      is_rolling(result.problem) ? keys.spin.value_or(0.0) : keys.rotation.value_or(0.0);
  result.moment = keys.moment;
  result.direction = keys.direction;
  result.step = keys.step.value_or(0.0);
  result.velocity = keys.velocity.value_or(0.0);
  result.duration = keys.duration.value_or(0.0);
  result.start = keys.start;
  result.extra = {shared(std::move(keys.extra_x)), shared(std::move(keys.extra_y))};
  result.spin_slip = keys.spin_slip;
  if (is_rolling(result.problem) && section.is_whole() && good)
    complete_step(section, result, context.grid);
  if (!problem || !good || !section.is_map()) return std::nullopt;
  return result;
}

std::string tangential_text(const Tangential& tangential) {
  const bool rolling = is_rolling(tangential.problem);
  TangentialKeys keys;
  keys.problem = tangential.problem;
  keys.x = keys_of(tangential.x, rolling);
  keys.y = keys_of(tangential.y, rolling);
  keys.moment = tangential.moment;
  if (!tangential.moment) (rolling ? keys.spin : keys.rotation) = tangential.rotation;
  keys.direction = tangential.direction;
  keys.step = tangential.step;
  if (tangential.velocity > 0.0) keys.velocity = tangential.velocity;
  if (tangential.duration > 0.0) keys.duration = tangential.duration;
  if (tangential.extra.x) keys.extra_x = *tangential.extra.x;
  if (tangential.extra.y) keys.extra_y = *tangential.extra.y;
  keys.start = tangential.start;
  keys.spin_slip = tangential.spin_slip;
  return flow_text(tangential_table(), &keys);
}

}  // namespace slipfield
