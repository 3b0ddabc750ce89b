// SPDX-License-Identifier: Apache-2.0
// The section `tangential` of one step: a shift, or rolling.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/case/angle.h"
#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/result/field_table.h"

namespace slipfield {
namespace {

// What the keys of the section are judged by. `unknown`: a part whose problem is elsewhere.
enum class Motion { unknown, none, shift, rolling };

Motion motion_of(TangentialProblem problem) {
  if (problem == TangentialProblem::none) return Motion::none;
  return is_rolling(problem) ? Motion::rolling : Motion::shift;
}

constexpr std::array<std::string_view, 4> kShiftForms{"shift", "force", "force_ratio",
                                                      "traction_coefficient"};
constexpr std::array<std::string_view, 4> kRollingForms{"creepage", "force", "force_ratio",
                                                        "traction_coefficient"};
constexpr std::array<std::string_view, 5> kForms{"shift", "creepage", "force", "force_ratio",
                                                 "traction_coefficient"};

struct TangentialReading {
  CaseSection& section;
  Motion motion = Motion::unknown;
  std::string_view problem = {};  // its name
  bool good = true;

  [[nodiscard]] bool takes(Motion other) const {
    return motion == other || motion == Motion::unknown;
  }
  // A key that the problem does not have. `where`: the section that holds it; `instead`: the key
  // that takes its place; `owner`: the problem that has it.
  void refuse(CaseSection& where, std::string_view key, std::string_view instead,
              std::string_view owner) {
    if (where.has(key)) good = false;
    where.refuse(key, fmt::format("given although the tangential problem is {}", problem),
                 fmt::format("{}, or {}", instead, owner));
  }
  double number_or(std::string_view key, const NumberRange& range, double otherwise) {
    const auto value = section.number(key, range, Presence::optional);
    if (section.has(key) && !value) good = false;
    return value.value_or(otherwise);
  }
  // A key that only one of shift and rolling has; 0 without it.
  double own_number(Motion owner, std::string_view key, const NumberRange& range,
                    std::string_view instead) {
    if (takes(owner)) return number_or(key, range, 0.0);
    refuse(section, key, motion == Motion::none ? "no such key" : instead,
           owner == Motion::shift ? "problem: shift" : "a rolling problem");
    return 0.0;
  }
};

// The load in one direction, such as {shift: s} or {force: F}; without the key no rigid motion.
TangentialLoad read_direction(TangentialReading& reading, std::string_view key) {
  if (reading.motion == Motion::none) {
    reading.refuse(reading.section, key, "no such key", "problem: shift");
    return {};
  }
  std::span<const std::string_view> forms = kForms;
  if (reading.motion == Motion::shift) forms = kShiftForms;
  if (reading.motion == Motion::rolling) forms = kRollingForms;
  auto section = reading.section.section(
      key, fmt::format("a map with exactly one of {}", fmt::join(forms, ", ")), Presence::optional);
  if (!section) {
    if (reading.section.has(key)) reading.good = false;
    return {};
  }
  bool foreign = false;
  if (reading.motion == Motion::shift) {
    reading.refuse(*section, "creepage", "shift", "a rolling problem");
    foreign = section->has("creepage");
  } else if (reading.motion == Motion::rolling) {
    reading.refuse(*section, "shift", "creepage", "problem: shift");
    foreign = section->has("shift");
  }
  const auto form = section->one_of(forms, foreign ? Presence::optional : Presence::required);
  std::optional<TangentialLoad> load;
  for (const std::string_view name : forms) {
    const bool ratio = name == "force_ratio";
    const auto value = section->number(name, ratio ? kForceRatio : kAnyNumber, Presence::optional);
    if (!value) continue;
    load = TangentialLoad{tangential_control(name), *value};
  }
  section->finish();
  if (!form || !load) reading.good = false;
  return load.value_or(TangentialLoad{});
}

FrictionStart read_start(TangentialReading& reading) {
  if (reading.motion == Motion::none) {
    reading.refuse(reading.section, "start", "no such key", "another problem");
    return FrictionStart::last;
  }
  const auto start = reading.section.choice("start", kFrictionStarts, Presence::optional);
  if (reading.section.has("start") && !start) reading.good = false;
  return start.value_or(FrictionStart::last);
}

SpinSlip read_spin_slip(TangentialReading& reading) {
  if (!reading.takes(Motion::rolling)) {
    reading.refuse(reading.section, "spin_slip", "no such key", "a rolling problem");
    return SpinSlip::both;
  }
  const auto parts = reading.section.choice("spin_slip", kSpinSlips, Presence::optional);
  if (reading.section.has("spin_slip") && !parts) reading.good = false;
  return parts.value_or(SpinSlip::both);
}

// One value for each element, x fastest.
std::shared_ptr<const std::vector<double>> read_extra(TangentialReading& reading,
                                                      std::string_view key) {
  if (reading.motion == Motion::none) {
    reading.refuse(reading.section, key, "no such key", "another problem");
    return nullptr;
  }
  auto values = reading.section.number_list(key, kAnyNumber, 1, Presence::optional);
  if (reading.section.has(key) && !values) reading.good = false;
  if (!values) return nullptr;
  return std::make_shared<const std::vector<double>>(std::move(*values));
}

// The moment about z in place of spin or rotation.
std::optional<double> read_moment(TangentialReading& reading) {
  CaseSection& section = reading.section;
  if (reading.motion == Motion::none) {
    reading.refuse(section, "moment", "no such key", "problem: shift");
    return std::nullopt;
  }
  const auto moment = section.number("moment", kAnyNumber, Presence::optional);
  if (!section.has("moment")) return std::nullopt;
  const std::string_view rotation = section.has("spin") ? "spin" : "rotation";
  if (section.has(rotation))
    section.error_at_key("moment", fmt::format("given together with '{}'", rotation),
                         fmt::format("one of moment, {}", rotation));
  reading.good = reading.good && moment && !section.has(rotation);
  return moment;
}

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

}  // namespace

std::optional<Tangential> read_tangential(CaseSection& section, const TangentialContext& context) {
  const auto own = section.choice("problem", kTangentialProblems, Presence::optional);
  std::optional<TangentialProblem> problem = own;
  if (!section.has("problem"))
    problem = section.is_whole() ? TangentialProblem::none : context.in_force;
  TangentialReading reading{section};
  if (problem) {
    reading.motion = motion_of(*problem);
    reading.problem = problem_name(*problem);
  }
  Tangential result;
  result.problem = problem.value_or(TangentialProblem::none);
  result.x = read_direction(reading, "x");
  result.y = read_direction(reading, "y");
  const double rotation = reading.own_number(Motion::shift, "rotation", kAnyNumber, "spin");
  const double spin = reading.own_number(Motion::rolling, "spin", kAnyNumber, "rotation");
  result.rotation = reading.motion == Motion::rolling ? spin : rotation;
  result.moment = read_moment(reading);
  result.direction = radians_from_degrees(
      reading.own_number(Motion::rolling, "direction", kAnyNumber, "no such key"));
  result.step = reading.own_number(Motion::rolling, "step", kPositive, "no such key");
  result.velocity = reading.own_number(Motion::rolling, "velocity", kPositive, "no such key");
  result.duration = reading.own_number(Motion::shift, "duration", kPositive, "velocity");
  result.start = read_start(reading);
  result.extra = {read_extra(reading, "extra_x"), read_extra(reading, "extra_y")};
  result.spin_slip = read_spin_slip(reading);
  section.finish();
  if (reading.motion == Motion::rolling && section.is_whole() && reading.good)
    complete_step(section, result, context.grid);
  if (!problem || !reading.good || !section.is_map()) return std::nullopt;
  return result;
}

}  // namespace slipfield
