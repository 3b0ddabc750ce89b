#include "io/contact/step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include "io/case/angle.h"
#include "io/contact/surface.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

bool same_numbers(const InputNumbers& a, const InputNumbers& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const InputNumber& x, const InputNumber& y) { return x.value == y.value; });
}

std::string coulomb_text(const InputFriction& friction, const Grid& grid) {
  const auto& rows = friction.rows;
  const bool same = std::all_of(rows.begin(), rows.end(), [&](const InputNumbers& row) {
    return same_numbers(row, rows.front());
  });
  if (same) return fmt::format("{{coefficient: {}}}", rows.front()[0].value);
  std::vector<double> y;
  std::vector<double> value;
  for (int iy = 0; iy < grid.my; ++iy) {
    y.push_back(grid.y(iy));
    value.push_back(rows[static_cast<std::size_t>(iy)][0].value);
  }
  return fmt::format("{{coefficient: {{y: [{}], value: [{}]}}}}", fmt::join(y, ", "),
                     fmt::join(value, ", "));
}

// How far the coefficient falls.
double falling_drop(const InputFriction& friction) {
  const InputNumbers& row = friction.rows.front();
  const int law = friction.law.value;
  return law >= 2 && law <= 4 ? row[1].value + row[3].value : 0.0;
}

// FKIN and one falling term; of two with the same velocity the sum.
std::string falling_text(const InputFriction& friction) {
  const InputNumbers& row = friction.rows.front();
  const double kinetic = row[0].value;
  const double drop = falling_drop(friction);
  if (drop == 0.0) return fmt::format("{{coefficient: {}}}", kinetic);
  constexpr std::array<std::string_view, 3> kLaws{"linear_falling", "rational", "exponential"};
  return fmt::format("{{law: {}, static: {}, kinetic: {}, half_velocity: {}}}",
                     kLaws[static_cast<std::size_t>(friction.law.value - 2)], kinetic + drop,
                     kinetic, row[1].value > 0.0 ? row[2].value : row[4].value);
}

// FREF up to TREF, from there to FREF + DFHEAT within DTHEAT.
std::string warm_text(const InputFriction& friction) {
  const InputNumbers& row = friction.rows.front();
  return fmt::format("{{coefficient: {{temperature: [{}, {}], value: [{}, {}]}}}}", row[1].value,
                     row[1].value + row[3].value, row[0].value, row[0].value + row[2].value);
}

void set_friction(const InputCase& input, const Grid& grid, InputStep& step) {
  const InputFriction& friction = input.state.friction;
  const int law = friction.law.value;
  step.friction = law == 0   ? coulomb_text(friction, grid)
                  : law == 6 ? warm_text(friction)
                             : falling_text(friction);
  constexpr std::array<std::string_view, 7> kNames{"FSTAT",
                                                   "",
                                                   "FKIN, FLIN1, SABSH1",
                                                   "FKIN, FRAT1, SABSH1",
                                                   "FKIN, FEXP1, SABSH1",
                                                   "",
                                                   "FREF, TREF, DFHEAT, DTHEAT"};
  InputNumbers places;
  for (const InputNumbers& row : friction.rows) places.push_back(row.front());
  step.friction_remark = fmt::format("{}: L = {}, {}", lines_of(places), friction.law.value,
                                     kNames[static_cast<std::size_t>(friction.law.value)]);
}

void set_normal(const InputCase& input, InputStep& step) {
  const bool force = input.digit('N') == 1;
  step.normal = fmt::format("{{{}: {}}}", force ? "force" : "approach", input.kinematic[0].value);
  step.normal_remark =
      fmt::format("{}: N = {}, {}", lines_of(input.kinematic), force ? 1 : 0, force ? "FN" : "PEN");
}

// About a centre of its own the spin is one about the origin and a motion of the origin.
double motion_of_origin(const InputCase& input, std::size_t other) {
  const InputNumbers& kinematic = input.kinematic;
  return kinematic.size() == 6 ? kinematic[other].value * kinematic[3].value : 0.0;
}

void set_motion(const InputCase& input, const Grid& grid, InputStep& step) {
  constexpr std::array<std::string_view, 4> kProblems{"none", "shift", "transient_rolling",
                                                      "steady_rolling"};
  const int tangential = input.digit('T');
  step.problem = kProblems[static_cast<std::size_t>(tangential)];
  step.problem_remark = fmt::format("T = {}, F = {}", tangential, input.digit('F'));
  if (tangential == 0) return;
  const std::string_view rigid = input.rolls() ? "creepage" : "shift";
  const auto direction = [&](std::string_view key, bool force, double value,
                             std::string_view remark) {
    step.motion.push_back({std::string(key),
                           fmt::format("{{{}: {}}}", force ? "force_ratio" : rigid, value),
                           std::string(remark)});
  };
  const InputNumbers& kinematic = input.kinematic;
  const bool force_x = input.digit('F') >= 1;
  const bool force_y = input.digit('F') == 2;
  direction("x", force_x, kinematic[1].value + (force_x ? 0.0 : motion_of_origin(input, 5)),
            force_x ? "FX" : "CKSI");
  direction("y", force_y, kinematic[2].value - (force_y ? 0.0 : motion_of_origin(input, 4)),
            force_y ? "FY" : "CETA");
  const auto number = [&](std::string_view key, const std::string& value, std::string_view remark) {
    step.motion.push_back({std::string(key), value, std::string(remark)});
  };
  if (kinematic[3].value != 0.0)
    number(input.rolls() ? "spin" : "rotation", fmt::format("{}", kinematic[3].value), "CPHI");
  if (falling_drop(input.state.friction) > 0.0 && input.state.initial_slip.value != 0.0)
    number("start", input.state.initial_slip.value > 0.0 ? "adhesion" : "slip", "INISLP");
  if (!input.rolls()) return;
  const InputNumbers& rolling = input.state.rolling;
  const double chi = input_direction(input);
  if (chi != 0.0) number("direction", degrees_text(chi), "CHI, in degrees");
  const bool own_step = tangential == 2 || (input.digit('G') == 2 && !input.simplified());
  const bool shorter = rolling[1].value < longest_step(chi, grid) * (1.0 - 1.0e-9);
  if (tangential == 2 || (own_step && shorter))
    number("step", fmt::format("{}", rolling[1].value), "DQ");
  number("velocity", fmt::format("{}", rolling[2].value), "VELOC");
}

// "{creepage" of "{creepage: 0.1}": whether one value may take the place of the other.
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

double input_direction(const InputCase& input) {
  const double chi = input.state.rolling[0].value;
  if (input.digit('T') != 3 || (input.digit('G') == 2 && !input.simplified())) return chi;
  return std::abs(chi - std::numbers::pi) <= 0.01 ? std::numbers::pi : 0.0;
}

InputStep input_step(const InputCase& input, const Grid& grid) {
  InputStep step;
  set_friction(input, grid, step);
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
