// SPDX-License-Identifier: Apache-2.0
// normal, tangential: the load and the relative motion of one step.
#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/case/table.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

// --- normal

// The load by whichever of the three keys is given.
using Load = std::optional<NormalLoad>;

template <NormalControl control>
void read_load(CaseSection& section, const KeyRow& row, Load& to) {
  double value = 0.0;
  if (keys::read(section, row, Presence::optional, value)) to = NormalLoad{control, value};
}
template <NormalControl control>
std::string load_text(const Load& load) {
  return load->control == control ? fmt::format("{}", load->value) : std::string();
}
template <NormalControl control>
KeyRow load_row(std::string_view name, const NumberRange& range, std::string_view meaning) {
  return number(name, nullptr, range, "one of the three", meaning)
      .gives({""})
      .by(read_load<control>, load_text<control>);
}

}  // namespace

const KeyTable kNormalTable{
    "normal",
    {load_row<NormalControl::force>("force", kNormalForce,
                                    "F_n > 0; of surfaces with `adhesion` also a pull, <= 0"),
     load_row<NormalControl::approach>(
         "approach", kAnyNumber,
         "of the bodies, which touch where it exceeds the least h (below 0 of `rough` "
         "surfaces)"),
     load_row<NormalControl::pull_off>(
         "pull_off", kPositive,
         "a length: of surfaces with `adhesion` the least force, as they are drawn apart by this "
         "length again and again")},
    {one_of({"force", "approach", "pull_off"})}};

std::optional<NormalLoad> read_normal(CaseSection& normal, bool adhesion) {
  Load load;
  const bool good = kNormalTable.read_into(normal, &load);
  if (load && load->control == NormalControl::force && !adhesion && !(load->value > 0.0)) {
    normal.error_at_value("force", normal.node().find("force")->text + " is out of range",
                          kPositive.describe_one());
    return std::nullopt;
  }
  return good ? load : std::nullopt;
}

std::string normal_text(const NormalLoad& load) {
  const Load given = load;
  return flow_text(kNormalTable, &given);
}

// --- tangential

namespace {

const std::vector<std::string_view> kRolling{"transient_rolling", "steady_rolling"};
const std::vector<std::string_view> kMoving{"shift", "transient_rolling", "steady_rolling"};
constexpr std::string_view kNotOfProblem = "given although the tangential problem is {}";

KeyRow of_problem(KeyRow row, const std::vector<std::string_view>& problems,
                  std::string_view accepted) {
  return std::move(row).with("problem", problems).refused_as(kNotOfProblem, accepted);
}
KeyRow of_shift(KeyRow row) { return of_problem(std::move(row), {"shift"}, "problem: shift"); }
KeyRow of_rolling(KeyRow row) {
  return of_problem(std::move(row), kRolling, "problem: steady_rolling or transient_rolling");
}
KeyRow of_moving(KeyRow row) { return of_problem(std::move(row), kMoving, "problem: shift"); }

// x and y: one of the keys.
struct DirectionKeys {
  std::optional<double> shift;
  std::optional<double> creepage;
  std::optional<double> force;
  std::optional<double> force_ratio;
  std::optional<double> traction_coefficient;
};

const KeyTable kDirectionTable{
    "tangential.x",
    {of_shift(number("shift", &DirectionKeys::shift, kAnyNumber, "",
                     "of a shift: rigid, of body 1 on body 2, in this step alone"))
         .or_else("creepage"),
     of_rolling(number("creepage", &DirectionKeys::creepage, kAnyNumber, "",
                       "of rolling: the rigid slip of body 1 over body 2 in the step, over its "
                       "distance; where it varies, its mean over the step"))
         .or_else("shift"),
     number("force", &DirectionKeys::force, kAnyNumber, "", "F"),
     number("force_ratio", &DirectionKeys::force_ratio, kForceRatio, "", "F/(mu F_n)"),
     number("traction_coefficient", &DirectionKeys::traction_coefficient, kAnyNumber, "", "F/F_n")},
    {one_of({"shift", "creepage", "force", "force_ratio", "traction_coefficient"})}};

struct ForceKey {
  TangentialControl control;
  std::optional<double> DirectionKeys::*key;
};
constexpr std::array<ForceKey, 3> kForceKeys{
    {{TangentialControl::force, &DirectionKeys::force},
     {TangentialControl::force_ratio, &DirectionKeys::force_ratio},
     {TangentialControl::traction_coefficient, &DirectionKeys::traction_coefficient}}};

TangentialLoad load_of(const DirectionKeys& keys) {
  for (const auto& [control, key] : kForceKeys)
    if (keys.*key) return {control, *(keys.*key)};
  return {TangentialControl::rigid, keys.shift ? *keys.shift : keys.creepage.value_or(0.0)};
}

DirectionKeys keys_of(const TangentialLoad& load, bool rolling) {
  DirectionKeys keys;
  if (load.control == TangentialControl::rigid) (rolling ? keys.creepage : keys.shift) = load.value;
  for (const auto& [control, key] : kForceKeys)
    if (control == load.control) keys.*key = load.value;
  return keys;
}

template <TangentialLoad Tangential::*load>
void read_direction(CaseSection& section, const KeyRow& row, Tangential& to) {
  DirectionKeys keys;
  auto part = keys::read_section(section, row, Presence::optional);
  if (part && kDirectionTable.read_into(*part, &keys)) to.*load = load_of(keys);
}
template <TangentialLoad Tangential::*load>
std::string direction_text(const Tangential& from) {
  const DirectionKeys keys = keys_of(from.*load, is_rolling(from.problem));
  return flow_text(kDirectionTable, &keys);
}

// A moment excludes the key of the rotation that it determines.
KeyRow without_moment(KeyRow row) {
  row.write = [write = row.write](const KeyRow& self, const void* from) {
    return static_cast<const Tangential*>(from)->moment ? std::string() : write(self, from);
  };
  return row;
}

// Steady rolling is the limit of short steps, so a longer step only makes it coarser.
void shorten_step(CaseSection& section, Tangential& tangential, const Grid& grid) {
  if (!steps_over_element(tangential, grid)) return;
  const double longest = longest_step(tangential.direction, grid);
  section.warn_at_value("step",
                        fmt::format("steady rolling takes no step longer than an element: {} is "
                                    "used instead of {}",
                                    longest, tangential.step));
  tangential.step = longest;
}

// The default step is one element long.
void complete_step(CaseSection& section, Tangential& tangential, const std::optional<Grid>& grid) {
  if (!(tangential.step > 0.0))
    tangential.step = grid ? element_length(tangential.direction, *grid) : 1.0;
  if (grid && tangential.problem == TangentialProblem::steady_rolling)
    shorten_step(section, tangential, *grid);
}

}  // namespace

const KeyTable kTangentialTable{
    "tangential",
    {word("problem", &Tangential::problem, kTangentialProblems, "none",
          "`none`, `shift`, `transient_rolling`: one step of the length `step` each, "
          "`steady_rolling`: the state that lasts"),
     of_moving(map("x", kDirectionTable, "no motion",
                   "one of {shift} (of rolling {creepage}), {force}, {force_ratio: F/(mu F_n)}, "
                   "{traction_coefficient: F/F_n}"))
         .by(read_direction<&Tangential::x>, direction_text<&Tangential::x>),
     of_moving(map("y", kDirectionTable, "no motion", "likewise"))
         .by(read_direction<&Tangential::y>, direction_text<&Tangential::y>),
     without_moment(of_shift(number("rotation", &Tangential::rotation, kAnyNumber, "0",
                                    "of a shift: about z [rad]"))
                        .or_else("spin")),
     without_moment(of_rolling(number("spin", &Tangential::rotation, kAnyNumber, "0",
                                      "of rolling: spin creepage [rad per length]"))
                        .or_else("rotation")
                        .gives({"rotation"})),
     of_moving(number("moment", &Tangential::moment, kAnyNumber, "none",
                      "M_z about the origin, on body 1, in place of `rotation` or `spin`, which "
                      "is found: bearings and tyres spin freely at 0")),
     of_rolling(
         number("direction", &Tangential::direction, kAnyNumber, "0", "of rolling, degrees from x"))
         .in_degrees(),
     of_rolling(number("step", &Tangential::step, kPositive, "an element",
                       "rolling distance of a step; in steady rolling a millionth of an element "
                       "to a whole one, with a warning below .3 of one")),
     of_rolling(number("velocity", &Tangential::velocity, kPositive, "none",
                       "V of rolling, the mean of both bodies' speeds: gives slip velocities and "
                       "the frictional power"))
         .or_none(),
     of_shift(number("duration", &Tangential::duration, kPositive, "none",
                     "time that a shift takes: gives slip velocities and the frictional power; "
                     "needed by a falling law and by viscoelastic bodies"))
         .or_none()
         .or_else("velocity"),
     of_moving(word("start", &Tangential::start, kFrictionStarts, "last",
                    "`last`, `adhesion`, `slip`: where the coefficients of friction start")),
     of_moving(numbers("extra_x", InPart{&Tangential::extra, &ExtraSlip::x}, kAnyNumber, 1, "none",
                       "rigid slip of each element besides, the mean of the step as creepages are: "
                       "a list of m_x m_y lengths, of rolling creepages over `step`, x fastest")),
     of_moving(numbers("extra_y", InPart{&Tangential::extra, &ExtraSlip::y}, kAnyNumber, 1, "none",
                       "likewise")),
     of_rolling(word("spin_slip", &Tangential::spin_slip, kSpinSlips, "both",
                     "`both`, `x`, `y`: components of the rigid slip that the spin has a part in; "
                     "FASTSIM and FaStrip only"))},
    {{{{"moment"}, {"rotation", "spin"}}, Presence::optional}}};

std::optional<Tangential> read_tangential(CaseSection& section, const std::optional<Grid>& grid,
                                          std::optional<TangentialProblem> in_force) {
  std::optional<TangentialProblem> problem = in_force;
  if (section.is_whole()) problem = TangentialProblem::none;
  if (problem && !section.is_whole())
    section.assume("problem", name_of(kTangentialProblems, *problem));
  Tangential result;
  const bool good = kTangentialTable.read_into(section, &result);
  if (section.has("problem")) problem = result.problem;
  result.problem = problem.value_or(TangentialProblem::none);
  if (is_rolling(result.problem) && section.is_whole() && good)
    complete_step(section, result, grid);
  if (!problem || !good || !section.is_map()) return std::nullopt;
  return result;
}

}  // namespace slipfield
