// SPDX-License-Identifier: Apache-2.0
#include "app/library/wheel_derivatives.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>

#include "io/result/wheel/table.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr double kPartOfScale = 0.1;
constexpr std::size_t kOtherGrids = 2;
constexpr double kLeastFriction = 0.01;  // gives scales to a wheel without friction

// Changes that alter a contact as a whole; for several contacts the smallest.
struct ContactScales {
  double radius = std::numeric_limits<double>::infinity();    // of a circle of its area
  double approach = std::numeric_limits<double>::infinity();  // of the bodies
  double steepest = 0.0;                                      // tangent of the greatest inclination
  double creepage = std::numeric_limits<double>::infinity();  // of approximately full sliding
  double velocity = 0.0;                                      // V; 0: nothing rolls
  double friction = kLeastFriction;
};

ContactScales scales_of(const WheelsetOfStep& wheelset) {
  ContactScales scales;
  for (const SolvedWheel& wheel : wheelset.solved.wheels)
    for (const SolvedPatch& patch : wheel.patches) {
      const StepReport& report = patch.report;
      const double elements = std::max(1.0, static_cast<double>(report.elements_contact));
      const double radius =
          std::sqrt(elements * patch.patch.grid.element_area() / std::numbers::pi);
      const double approach = report.approach > 0.0 ? report.approach : patch.patch.penetration;
      const double friction = std::max(kLeastFriction, patch.input.friction.coefficient);
      scales.radius = std::min(scales.radius, radius);
      scales.approach = std::min(scales.approach, approach);
      scales.steepest = std::max(scales.steepest, std::fabs(std::tan(patch.patch.angle)));
      scales.creepage = std::min(scales.creepage, friction * approach / radius);
      scales.velocity = std::max(scales.velocity, patch.patch.creepages.velocity);
      scales.friction = std::max(scales.friction, friction);
    }
  if (std::isfinite(scales.radius)) return scales;
  const Wheelset& set = wheelset.task.wheels.front().position.wheelset;
  // Typical values if nothing touches.
  return {5.0, 0.05, 0.05, 0.002, std::max(std::fabs(set.velocity_x), 1.0), 0.3};
}

// Combines scales of several effects; approximately that of the strongest.
double together(double a, double b, double c = std::numeric_limits<double>::infinity()) {
  return 1.0 / (1.0 / a + 1.0 / b + 1.0 / c);
}

struct Axle {
  const Wheelset& set;
  double half_distance;  // of the wheels
  bool at_height;        // true: the height is held and the normal force follows
  bool shifts;
};

Axle axle_of(const WheelsetStep& step) {
  const WheelStep& wheel = step.wheels.front();
  const Wheelset& set = wheel.position.wheelset;
  return {set, std::fabs(0.5 * set.flange_back_distance - set.flange_back_position),
          !wheel.vertical_force, wheel.position.shifts};
}

double lateral_scale(const ContactScales& s, const Axle& axle) {
  const double steepest = std::max(1e-12, s.steepest);
  return together(s.radius, axle.set.nominal_radius * s.creepage / steepest,
                  axle.at_height ? s.approach / steepest : std::numeric_limits<double>::infinity());
}
double rate_scale(const ContactScales& s, const Axle& axle) {
  return s.creepage * (axle.shifts ? s.radius : s.velocity);
}

struct DerivativeKey {
  std::string_view name;
  bool (*prescribed)(const WheelsetStep& step);
  WheelNumber number;
  double (*scale)(const ContactScales& s, const Axle& axle);
};

void add_to(WheelStep& wheel, const WheelNumber& number, double difference) {
  if (const auto* of_wheelset = std::get_if<double Wheelset::*>(&number))
    wheel.position.wheelset.** of_wheelset += difference;
  else
    *(wheel.*std::get<std::optional<double> WheelStep::*>(number)) += difference;
}
bool always(const WheelsetStep& /*step*/) { return true; }
bool under_force(const WheelsetStep& step) {
  return step.wheels.front().vertical_force.has_value();
}
bool at_height(const WheelsetStep& step) { return !under_force(step); }
bool braked(const WheelsetStep& step) { return step.wheels.front().longitudinal_force.has_value(); }

double rate_over_radius(const ContactScales& s, const Axle& axle) {
  return rate_scale(s, axle) / axle.set.nominal_radius;
}

constexpr std::array kKeys{
    DerivativeKey{"wheel_rail.wheelset.y", always, &Wheelset::y, lateral_scale},
    DerivativeKey{"wheel_rail.wheelset.z", at_height, &Wheelset::z,
                  [](const ContactScales& s, const Axle&) { return s.approach; }},
    DerivativeKey{
        "wheel_rail.wheelset.roll",
        [](const WheelsetStep& step) { return at_height(step) || step.wheels.size() == 1; },
        &Wheelset::roll,
        [](const ContactScales& s, const Axle& axle) {
          const double across = s.radius / axle.set.nominal_radius;
          return axle.at_height ? together(across, s.approach / axle.half_distance) : across;
        }},
    DerivativeKey{"wheel_rail.wheelset.yaw", always, &Wheelset::yaw,
                  [](const ContactScales& s, const Axle& axle) {
                    return together(s.creepage, s.radius / (axle.set.nominal_radius *
                                                            std::max(1e-12, s.steepest)));
                  }},
    DerivativeKey{"wheel_rail.wheelset.velocity.x",
                  [](const WheelsetStep& step) {
                    return step.wheels.front().position.track.roller_radius ==
                           0.0;  // it stays in place
                  },
                  &Wheelset::velocity_x, rate_scale},
    DerivativeKey{"wheel_rail.wheelset.velocity.y", always, &Wheelset::velocity_y, rate_scale},
    DerivativeKey{"wheel_rail.wheelset.velocity.z", always, &Wheelset::velocity_z, rate_scale},
    DerivativeKey{"wheel_rail.wheelset.velocity.roll", always, &Wheelset::velocity_roll,
                  rate_over_radius},
    DerivativeKey{"wheel_rail.wheelset.velocity.pitch",
                  [](const WheelsetStep& step) { return !braked(step); }, &Wheelset::velocity_pitch,
                  rate_over_radius},
    DerivativeKey{"wheel_rail.wheelset.velocity.yaw", always, &Wheelset::velocity_yaw,
                  [](const ContactScales& s, const Axle& axle) {
                    return rate_scale(s, axle) / axle.half_distance;
                  }},
    DerivativeKey{"wheel_rail.vertical_force", under_force, &WheelStep::vertical_force, nullptr},
    DerivativeKey{"wheel_rail.longitudinal_force", braked, &WheelStep::longitudinal_force,
                  nullptr}};

const DerivativeKey& key_of(const std::string& name, const WheelsetStep& step) {
  for (const DerivativeKey& key : kKeys)
    if (key.name == name && key.prescribed(step)) return key;
  throw InputError(fmt::format("{}: the last step does not prescribe it; accepted: {}", name,
                               fmt::join(wheel_derivative_keys(step), ", ")));
}

double distance_of(const DerivativeKey& key, const WheelsetOfStep& wheelset) {
  const ContactScales scales = scales_of(wheelset);
  if (key.scale != nullptr) return kPartOfScale * key.scale(scales, axle_of(wheelset.task));
  double force = std::numeric_limits<double>::infinity();
  for (const SolvedWheel& wheel : wheelset.solved.wheels)
    force = std::min(force, std::fabs(wheel.track_force.z()));
  return kPartOfScale * force *
         (key.number == WheelNumber(&WheelStep::vertical_force) ? 1.0 : scales.friction);
}

// Totals scatter by s between points and between grids, because elements come into contact one by
// one. Differences that would vanish to leading order measure the scatter: over the whole minus
// over half the distance, 2.5 s^2/h^2; the fourth difference over h, 70 s^2/h^2; on other grids
// minus on this grid, s^2/h^2 each. A single one may be small by chance.
double error_of(double by_distance, double fourth, const std::array<double, kOtherGrids>& by_grid) {
  double squares = 0.0;
  for (const double other : by_grid) squares += other * other;
  const double of_grids = std::sqrt(squares / kOtherGrids);
  const double of_places =
      std::sqrt((by_distance * by_distance / 2.5 + fourth * fourth / 70.0) / 2.0);
  return std::max(std::fabs(by_distance), 2.0 * std::max(of_grids, of_places));
}

}  // namespace

std::string_view wheel_derivative_key(const WheelNumber& number) {
  return std::ranges::find(kKeys, number, &DerivativeKey::number)->name;
}

std::vector<std::string> wheel_derivative_keys(const WheelsetStep& step) {
  std::vector<std::string> names;
  for (const DerivativeKey& key : kKeys)
    if (key.prescribed(step)) names.emplace_back(key.name);
  return names;
}

WheelDerivatives wheel_derivatives(CaseSolver& solver, const std::vector<std::string>& names,
                                   const std::vector<std::string>& keys, const ResultPart& part,
                                   bool with_errors) {
  const std::shared_ptr<const WheelsetOfStep> last = solver.last().wheelset;
  if (!last)
    throw InputError(
        "the case has one contact; accepted: a case with wheel_rail, or the jacobian of a case "
        "with output.sensitivities: true");
  if (last->task.wheels.front().is_transient())
    throw InputError(std::string(kNoTransientDerivatives));
  for (const std::string& name : names)
    if (is_of_interior(without_side(name_of_part(name).name)))
      throw InputError(name +
                       ": derivatives of stresses inside are not computed; accepted: other totals");
  const std::vector<double> here = solver.totals(names, part);
  const auto totals_at = [&](const DerivativeKey& key, double difference, std::size_t grid = 0) {
    WheelsetOfStep there{last->task, {}};
    for (WheelStep& wheel : there.task.wheels) add_to(wheel, key.number, difference);
    there.solved = solver.try_out(there.task, grid);
    const NamedNumbers numbers = numbers_of(there, part);
    std::vector<double> totals;
    for (const std::string& name : names) {
      const auto found = numbers.find(name);
      totals.push_back(found == numbers.end() ? std::numeric_limits<double>::quiet_NaN()
                                              : found->second);
    }
    return totals;
  };
  // If nothing touches, forces and all totals of a contact stay 0; places of the bodies change, and
  // those of a contact do not exist.
  const auto stays = [&](const std::string& name) {
    const WheelEntry* const entry = find_wheel_entry(name);
    return !touches(*last, part.side, name) &&
           (entry != nullptr ? entry->needs == NumberNeeds::solution
                             : find_contact_entry(name) == nullptr);
  };
  const bool all_stay = std::ranges::all_of(names, stays);
  std::vector<const DerivativeKey*> columns;
  for (const std::string& key : keys) columns.push_back(&key_of(key, last->task));
  WheelDerivatives result;
  result.values.resize(names.size() * keys.size());
  if (with_errors) result.errors.resize(names.size() * keys.size());
  for (std::size_t k = 0; k < keys.size() && !all_stay; ++k) {
    const double h = distance_of(*columns[k], *last);
    const std::vector<double> forth = totals_at(*columns[k], h);
    const std::vector<double> back = totals_at(*columns[k], -h);
    const std::vector<double> half_forth = totals_at(*columns[k], 0.5 * h);
    const std::vector<double> half_back = totals_at(*columns[k], -0.5 * h);
    std::array<std::array<std::vector<double>, 2>, kOtherGrids> other;
    for (std::size_t grid = 0; with_errors && grid < kOtherGrids; ++grid)
      other[grid] = {totals_at(*columns[k], h, grid + 1), totals_at(*columns[k], -h, grid + 1)};
    for (std::size_t n = 0; n < names.size(); ++n) {
      if (stays(names[n])) continue;
      const double whole = (forth[n] - back[n]) / (2.0 * h);
      const double half = (half_forth[n] - half_back[n]) / h;
      result.values[n * keys.size() + k] = 0.8 * whole + 0.2 * half;  // least squares
      if (!with_errors) continue;
      const double fourth =
          (forth[n] + back[n] - 4.0 * (half_forth[n] + half_back[n]) + 6.0 * here[n]) / h;
      std::array<double, kOtherGrids> by_grid{};
      for (std::size_t grid = 0; grid < kOtherGrids; ++grid)
        by_grid[grid] = (other[grid][0][n] - other[grid][1][n]) / (2.0 * h) - whole;
      result.errors[n * keys.size() + k] = error_of(whole - half, fourth, by_grid);
    }
  }
  return result;
}

}  // namespace slipfield
