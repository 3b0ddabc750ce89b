// SPDX-License-Identifier: Apache-2.0
#include "io/contact/step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include "io/contact/friction.h"
#include "io/contact/lines.h"
#include "io/contact/surface.h"
#include "io/yaml/number.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

void set_normal(const InputCase& input, InputStep& step) {
  const bool force = input.digit('N') == 1;
  step.normal = fmt::format("{{{}: {}}}", force ? "force" : "approach", input.kinematic[0].value);
  step.normal_remark =
      fmt::format("{}: N = {}, {}", lines_of(input.kinematic), force ? 1 : 0, force ? "FN" : "PEN");
}

// FACPHI is 1/6, or not given.
bool takes_sixth(const InputCase& input) {
  const InputNumbers& rolling = input.state.rolling;
  return rolling.size() <= 3 || std::abs(rolling[3].value - 1.0 / 6.0) <= 1.0e-4;
}

// A spin about its own centre is a spin about the origin plus a motion of the origin.
double motion_of_origin(const InputCase& input, std::size_t other) {
  const InputNumbers& kinematic = input.kinematic;
  return kinematic.size() == 6 ? kinematic[other].value * kinematic[3].value : 0.0;
}

// If the spin is left out of one direction (E = 2: y, E = 3: x), subtracts it there; a FACPHI other
// than 1/6 takes it at a place further ahead.
struct SpinPart {
  double at = 0.0;     // distance ahead of the element at which the spin is taken
  double extra = 0.0;  // the part beyond that of rolling here
};

double step_of(const InputCase& input, const Grid& grid) {
  if (!input.rolls()) return 0.0;
  const double longest = longest_step(input_direction(input), grid);
  if (steps_by_elements(input)) return longest;
  const double stated = input.state.rolling[1].value;
  return input.digit('T') == 2 ? stated : std::min(stated, longest);
}

SpinPart spin_ahead(const InputCase& input, const Grid& grid) {
  const double step = step_of(input, grid);
  const InputNumbers& rolling = input.state.rolling;
  if (!input.rolls()) return {};
  return {step / 6.0, takes_sixth(input) ? 0.0 : step * (rolling[3].value - 1.0 / 6.0)};
}

std::string element_list(const std::vector<double>& values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}

// Motions of single elements.
void set_extra(const InputCase& input, const Grid& grid, InputStep& step) {
  const int form = input.state.extra_slip.value;
  const double spin = input.kinematic[3].value;
  if (form == 9) {
    std::array<std::vector<double>, 2> parts;
    for (std::size_t i = 0; i < input.state.extra->size(); ++i)
      parts[i % 2].push_back((*input.state.extra)[i].value);
    step.motion.push_back({"extra_x", element_list(parts[0]), "EXRHS"});
    step.motion.push_back({"extra_y", element_list(parts[1]), "EXRHS"});
  }
  if ((form != 2 && form != 3) || spin == 0.0) return;
  if (input.simplified()) {  // whose spin has its own flexibility
    step.motion.push_back({"spin_slip", form == 2 ? "x" : "y", fmt::format("E = {}", form)});
    return;
  }
  const double chi = input.rolls() ? input_direction(input) : 0.0;
  const double ahead = spin_ahead(input, grid).at;
  std::vector<double> away;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix)
      away.push_back(form == 2 ? -spin * (grid.x(ix) + std::cos(chi) * ahead)
                               : spin * (grid.y(iy) + std::sin(chi) * ahead));
  step.motion.push_back(
      {form == 2 ? "extra_y" : "extra_x", element_list(away), fmt::format("E = {}", form)});
}

void set_motion(const InputCase& input, const Grid& grid, InputStep& step) {
  constexpr std::array<std::string_view, 4> kProblems{"none", "shift", "transient_rolling",
                                                      "steady_rolling"};
  const int tangential = input.digit('T');
  step.problem = kProblems[static_cast<std::size_t>(tangential)];
  step.problem_remark = fmt::format("T = {}, F = {}", tangential, input.digit('F'));
  if (tangential == 0) return;
  const std::string_view rigid = input.rolls() ? "creepage" : "shift";
  const InputFriction& friction = input.state.friction;
  const bool of_bound =
      input.digit('V') == 0 && friction.rows.size() == 1 && friction.law.value != 6;
  const bool normal_force = input.digit('N') == 1;
  const std::string_view force_key = of_bound       ? "force_ratio"
                                     : normal_force ? "force"
                                                    : "traction_coefficient";
  const auto direction = [&](std::string_view key, bool force, double value,
                             std::string_view remark) {
    if (force && !of_bound)
      value *= (normal_force ? input.kinematic[0].value : 1.0) * force_coefficient(input);
    step.motion.push_back({std::string(key),
                           fmt::format("{{{}: {}}}", force ? force_key : rigid, as_decimal(value)),
                           std::string(remark)});
  };
  const InputNumbers& kinematic = input.kinematic;
  const bool force_x = input.digit('F') >= 1;
  const bool force_y = input.digit('F') == 2;
  // A spin left out of a direction (E) has no centre there either.
  const int left_out = input.state.extra_slip.value;
  const double chi_now = input.rolls() ? input_direction(input) : 0.0;
  const double further = spin_ahead(input, grid).extra * kinematic[3].value;
  const double origin_x =
      left_out == 3 ? 0.0 : motion_of_origin(input, 5) - further * std::sin(chi_now);
  const double origin_y =
      left_out == 2 ? 0.0 : motion_of_origin(input, 4) - further * std::cos(chi_now);
  direction("x", force_x, kinematic[1].value + (force_x ? 0.0 : origin_x), force_x ? "FX" : "CKSI");
  direction("y", force_y, kinematic[2].value - (force_y ? 0.0 : origin_y), force_y ? "FY" : "CETA");
  const auto number = [&](std::string_view key, const std::string& value, std::string_view remark) {
    step.motion.push_back({std::string(key), value, std::string(remark)});
  };
  if (kinematic[3].value != 0.0)
    number(input.rolls() ? "spin" : "rotation", fmt::format("{}", kinematic[3].value), "CPHI");
  set_extra(input, grid, step);
  if (falls(friction) && input.state.initial_slip.value != 0.0)
    number("start", input.state.initial_slip.value > 0.0 ? "adhesion" : "slip", "INISLP");
  if (tangential == 1 && (falls(friction) || input.viscoelastic()))
    number("duration", "1", "a shift takes one second");
  if (!input.rolls()) return;
  const InputNumbers& rolling = input.state.rolling;
  const double chi = input_direction(input);
  if (chi != 0.0) number("direction", degrees_text(chi), "CHI, in degrees");
  const bool shorter = rolling[1].value < longest_step(chi, grid) * (1.0 - 1.0e-9);
  if (!steps_by_elements(input) && (tangential == 2 || shorter))
    number("step", fmt::format("{}", rolling[1].value), "DQ");
  number("velocity", fmt::format("{}", rolling[2].value), "VELOC");
}

// "{creepage" of "{creepage: 0.1}": decides whether one value may replace the other.
std::string_view form_of(const MotionEntry& entry) {
  return std::string_view(entry.value).substr(0, entry.value.find(':'));
}

bool same_forms(const InputStep& a, const InputStep& b) {
  return a.problem == b.problem &&
         std::equal(a.motion.begin(), a.motion.end(), b.motion.begin(), b.motion.end(),
                    [](const MotionEntry& x, const MotionEntry& y) {
                      return x.key == y.key && (x.value.front() != '{' || form_of(x) == form_of(y));
                    });
}

bool same_motion(const InputStep& a, const InputStep& b) {
  return a.problem == b.problem &&
         std::equal(a.motion.begin(), a.motion.end(), b.motion.begin(), b.motion.end(),
                    [](const MotionEntry& x, const MotionEntry& y) {
                      return x.key == y.key && x.value == y.value;
                    });
}

}  // namespace

bool steps_by_elements(const InputCase& input) {
  if (input.rolls() && input.digit('M') == 4) return true;
  return input.digit('T') == 3 && (input.state.iteration.value != 2 || input.simplified());
}

double input_direction(const InputCase& input) {
  const double chi = input.state.rolling[0].value;
  if (!steps_by_elements(input)) return chi;
  return std::abs(chi - std::numbers::pi) <= 0.01 ? std::numbers::pi : 0.0;
}

double force_coefficient(const InputCase& input) {
  const InputFriction& friction = input.state.friction;
  return input.digit('V') == 0 ? static_of(friction, friction.rows.front()) : 1.0;
}

InputStep input_step(const InputCase& input, const Grid& grid) {
  InputStep step;
  InputFriction friction = input.state.friction;
  if (input.simplified()) friction.memory.clear();  // one coefficient, which has none in CONTACT
  step.friction = input_friction(friction, grid);
  step.friction_remark = friction_remark(input.state.friction);
  set_normal(input, step);
  set_motion(input, grid, step);
  return step;
}

bool same_step(const InputStep& a, const InputStep& b) {
  return a.friction == b.friction && a.normal == b.normal && same_motion(a, b);
}

std::vector<std::string> changed_sections(const InputStep& step, const InputStep& before) {
  std::vector<std::string> lines;
  if (step.friction != before.friction) lines.push_back("friction: " + step.friction);
  if (step.normal != before.normal) lines.push_back("normal: " + step.normal);
  if (same_motion(step, before)) return lines;
  const bool whole = !same_forms(step, before);
  std::vector<std::string> entries;
  if (whole) entries.push_back("problem: " + step.problem);
  for (std::size_t i = 0; i < step.motion.size(); ++i) {
    const MotionEntry& entry = step.motion[i];
    if (whole || entry.value != before.motion[i].value)
      entries.push_back(entry.key + ": " + entry.value);
  }
  lines.push_back(fmt::format("tangential: {{{}}}", fmt::join(entries, ", ")));
  return lines;
}

}  // namespace slipfield
