// SPDX-License-Identifier: Apache-2.0
#include "solver/surface/wear.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>

#include "solver/geometry/cubic_spline.h"
#include "solver/rolling.h"
#include "solver/step/archard_ops.h"
#include "solver/step/energy_balance.h"

namespace slipfield {
namespace {

std::size_t interval_of(const std::vector<double>& limits, double value) {
  return static_cast<std::size_t>(std::upper_bound(limits.begin(), limits.end(), value) -
                                  limits.begin());
}

// Converts tractions to N/mm^2, and ug/(m mm^2) over a density to the case's units.
struct TGammaUnits {
  double traction = 1.0;
  double rate = 1.0e-12;  // 1e-9 kg per 1e3 mm and mm^2
};

TGammaUnits t_gamma_units(Units units) {
  if (units == Units::si) return {1.0e-6, 1.0e-3};  // 1e-9 kg per m and 1e-6 m^2
  return {};
}

ArchardLookup lookup_of(const ArchardMap& map, double hardness, double rate) {
  return {map.slip_velocity.data(),
          static_cast<int>(map.slip_velocity.size()),
          map.pressure.data(),
          static_cast<int>(map.pressure.size()),
          map.value.data(),
          hardness,
          rate};
}

std::vector<double> archard_depths(const WearRequest& request, double step, double rate,
                                   const std::vector<double>& pressure, const WearingSlip& slip) {
  const ArchardLookup law = lookup_of(request.coefficient, request.hardness, rate);
  std::vector<double> depth(pressure.size());
  for (std::size_t i = 0; i < depth.size(); ++i)
    depth[i] = law.depth(pressure[i], slip.distance[i]) / step;
  return depth;
}

std::vector<double> t_gamma_depths(const TGammaLaw& law, Units units, const WearingSlip& slip) {
  const TGammaUnits factors = t_gamma_units(units);
  std::vector<double> depth = slip.t_gamma;
  for (double& value : depth)
    value = law.at(factors.traction * std::max(value, 0.0)) * factors.rate / law.density;
  return depth;
}

// Sum of p.w over the elements, w the slip of single elements over dq.
double work_of_extra_slip(const ExtraSlip& extra, const ContactSolution& solution) {
  double sum = 0.0;
  for (std::size_t i = 0; i < solution.traction_x.size(); ++i) {
    if (extra.x) sum += solution.traction_x[i] * (*extra.x)[i];
    if (extra.y) sum += solution.traction_y[i] * (*extra.y)[i];
  }
  return sum;
}

// M_z phi; for FASTSIM with the spin in one component only, the part of that component.
double work_of_spin(const StepInput& step, const StepReport& report, const Grid& grid,
                    const ContactSolution& solution) {
  const SpinSlip components = step.tangential.spin_slip;
  if (components == SpinSlip::both) return report.moment_z * report.rotation;
  double moment = 0.0;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      const std::size_t i = grid.index(ix, iy);
      moment += components == SpinSlip::x ? -grid.y(iy) * solution.traction_x[i]
                                          : grid.x(ix) * solution.traction_y[i];
    }
  return grid.element_area() * moment * report.rotation;
}

bool slips(ElementState state) {
  return state == ElementState::slip || state == ElementState::plastic;
}

// Used if no element slips on this grid: the last element that a particle passes in the contact
// slips by its traction times one length, so that it dissipates in proportion to the energy that it
// releases.
WearingSlip slip_at_trailing_edge(const Grid& grid, const Tangential& rolling,
                                  const ContactSolution& solution) {
  const int ahead_x = static_cast<int>(std::lround(std::cos(rolling.direction)));
  const int ahead_y = static_cast<int>(std::lround(std::sin(rolling.direction)));
  const auto touches = [&](int ix, int iy) {
    return ix >= 0 && ix < grid.mx && iy >= 0 && iy < grid.my &&
           solution.element_division[grid.index(ix, iy)] != ElementState::exterior;
  };
  WearingSlip slip{std::vector<double>(grid.count()), std::vector<double>(grid.count())};
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      if (!touches(ix, iy) || touches(ix - ahead_x, iy - ahead_y)) continue;
      const std::size_t i = grid.index(ix, iy);
      slip.distance[i] = std::hypot(solution.traction_x[i], solution.traction_y[i]);
      slip.t_gamma[i] = slip.distance[i] * slip.distance[i] / rolling.step;
    }
  return slip;
}

double linear_at(const std::vector<double>& y, const std::vector<double>& depth, double at) {
  if (at < y.front() || at > y.back()) return 0.0;
  const std::size_t k = std::min(interval_of(y, at), y.size() - 1);
  if (k == 0) return depth.front();
  return depth[k - 1] + (depth[k] - depth[k - 1]) * (at - y[k - 1]) / (y[k] - y[k - 1]);
}

}  // namespace

double ArchardMap::at(double velocity, double p) const {
  return lookup_of(*this, 1.0, 1.0).coefficient(velocity, p);
}

double TGammaLaw::at(double tau) const {
  if (tau < limit[0]) return rate[0] * tau;
  return rate[1] + rate[2] * std::max(0.0, tau - limit[1]);
}

double DamageFunction::at(double t_gamma_now) const {
  if (t_gamma_now <= t_gamma.front()) return value.front();
  if (t_gamma_now >= t_gamma.back()) return value.back();
  const std::size_t k = interval_of(t_gamma, t_gamma_now);
  const double part = (t_gamma_now - t_gamma[k - 1]) / (t_gamma[k] - t_gamma[k - 1]);
  return value[k - 1] + part * (value[k] - value[k - 1]);
}

std::vector<double> depth_of_shift(const WearRequest& request, const StepInput& step,
                                   const ContactSolution& solution) {
  const ArchardLookup law =
      lookup_of(request.coefficient, request.hardness, slip_rate(step.tangential));
  std::vector<double> depth(solution.pressure.size());
  for (std::size_t i = 0; i < depth.size(); ++i)
    if (wears(static_cast<unsigned char>(solution.element_division[i])))
      depth[i] =
          law.depth(solution.pressure[i], std::hypot(solution.slip_x[i], solution.slip_y[i]));
  return depth;
}

std::vector<double> t_gamma_density(const ContactSolution& solution, double rolling_step) {
  std::vector<double> density(solution.traction_x.size());
  for (std::size_t i = 0; i < density.size(); ++i)
    density[i] = -(solution.traction_x[i] * solution.slip_x[i] +
                   solution.traction_y[i] * solution.slip_y[i]) /
                 rolling_step;
  return density;
}

TGamma t_gamma(const StepInput& step, const StepReport& report, const Grid& grid,
               const ContactSolution& solution) {
  const double spin = work_of_spin(step, report, grid, solution);
  double work = report.force_x * report.rigid_x + report.force_y * report.rigid_y + spin;
  if (!slips_without_traction(solution)) work += report.stored_work / step.tangential.step;
  if (step.tangential.extra.given())
    work += grid.element_area() * work_of_extra_slip(step.tangential.extra, solution);
  return {0.0 - work, 0.0 - spin};  // no -0
}

bool slips_without_traction(const ContactSolution& solution) {
  const auto none = [](double traction) { return traction == 0.0; };
  const auto& division = solution.element_division;
  return std::all_of(solution.traction_x.begin(), solution.traction_x.end(), none) &&
         std::all_of(solution.traction_y.begin(), solution.traction_y.end(), none) &&
         std::any_of(division.begin(), division.end(), slips);
}

WearingSlip wearing_slip_without_friction(const ContactProblem& problem, const StepInput& step,
                                          const StepReport& report, ContactSolution solution) {
  const Grid& grid = problem.grid;
  StepReport per_unit = report;
  per_unit.force_x = per_unit.force_y = per_unit.moment_z = 0.0;
  per_unit.friction_work = 0.0;
  const double area = grid.element_area();
  for (std::size_t i = 0; i < solution.pressure.size(); ++i) {
    const double slip = std::hypot(solution.slip_x[i], solution.slip_y[i]);
    if (!slips(solution.element_division[i]) || !(slip > 0.0)) continue;
    const double x = solution.traction_x[i] = -solution.pressure[i] * solution.slip_x[i] / slip;
    const double y = solution.traction_y[i] = -solution.pressure[i] * solution.slip_y[i] / slip;
    const int row = static_cast<int>(i / static_cast<std::size_t>(grid.mx));
    const int column = static_cast<int>(i % static_cast<std::size_t>(grid.mx));
    per_unit.force_x += area * x;
    per_unit.force_y += area * y;
    per_unit.moment_z += area * (grid.x(column) * y - grid.y(row) * x);
    per_unit.friction_work -= area * solution.pressure[i] * slip;
  }
  WearingSlip slip = wearing_slip(
      problem, step,
      dissipated_by_slip(problem, per_unit, t_gamma(step, per_unit, grid, solution).total,
                         step.tangential.step),
      solution);
  std::fill(slip.t_gamma.begin(), slip.t_gamma.end(), 0.0);
  return slip;
}

WearingSlip wearing_slip(const ContactProblem& problem, const StepInput& step,
                         std::optional<double> total, const ContactSolution& solution) {
  WearingSlip slip;
  slip.t_gamma = t_gamma_density(solution, step.tangential.step);
  for (std::size_t i = 0; i < slip.t_gamma.size(); ++i)
    slip.distance.push_back(std::hypot(solution.slip_x[i], solution.slip_y[i]));
  if (!total || !(*total > 0.0)) return slip;
  WearingSlip worn = slip;
  const auto& division = solution.element_division;
  if (std::any_of(division.begin(), division.end(), slips)) {
    for (std::size_t i = 0; i < division.size(); ++i)
      if (!slips(division[i])) worn.t_gamma[i] = worn.distance[i] = 0.0;
  } else {
    worn = slip_at_trailing_edge(problem.grid, step.tangential, solution);
  }
  const double found =
      problem.grid.element_area() * std::accumulate(worn.t_gamma.begin(), worn.t_gamma.end(), 0.0);
  if (!(found > 0.0)) return slip;
  for (double& value : worn.t_gamma) value *= *total / found;
  for (double& value : worn.distance) value *= *total / found;
  return worn;
}

std::vector<double> wear_per_pass(const WearRequest& request, const Grid& grid, Units units,
                                  const StepInput& step, const std::vector<double>& pressure,
                                  const WearingSlip& slip) {
  const Tangential& rolling = step.tangential;
  const double rate = rolling.velocity / rolling.step;
  std::vector<double> depth = request.law == WearLaw::archard
                                  ? archard_depths(request, rolling.step, rate, pressure, slip)
                                  : t_gamma_depths(request.t_gamma, units, slip);
  for (double& value : depth) value *= grid.dx;
  return depth;
}

std::vector<double> worn_profile(const std::vector<double>& wear_per_pass, const Grid& grid,
                                 double passes) {
  std::vector<double> profile(static_cast<std::size_t>(grid.my));
  for (int iy = 0; iy < grid.my; ++iy) {
    double sum = 0.0;
    for (int ix = 0; ix < grid.mx; ++ix) sum += wear_per_pass[grid.index(ix, iy)];
    profile[static_cast<std::size_t>(iy)] = passes * sum;
  }
  return profile;
}

ProfileTable add_depth(const ProfileTable& profile, const std::vector<double>& y,
                       const std::vector<double>& depth) {
  ProfileTable result;
  std::merge(profile.y.begin(), profile.y.end(), y.begin(), y.end(), std::back_inserter(result.y));
  // Outside the profile there is nothing to wear; points that differ by rounding count as one.
  const double near = 1.0e-9 * (result.y.back() - result.y.front());
  const auto beyond = [&](double at) {
    return at < profile.y.front() - near || at > profile.y.back() + near;
  };
  result.y.erase(std::remove_if(result.y.begin(), result.y.end(), beyond), result.y.end());
  result.y.erase(std::unique(result.y.begin(), result.y.end(),
                             [&](double a, double b) { return b - a <= near; }),
                 result.y.end());
  result.z = SplineKnots(profile.y).interpolate(profile.z, result.y);
  for (std::size_t i = 0; i < result.y.size(); ++i) result.z[i] += linear_at(y, depth, result.y[i]);
  return result;
}

}  // namespace slipfield
