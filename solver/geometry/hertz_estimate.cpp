// SPDX-License-Identifier: Apache-2.0
#include "solver/geometry/hertz_estimate.h"

#include <cmath>
#include <numbers>

#include "solver/geometry/hertz_ellipse.h"
#include "solver/geometry/simplified_paraboloid.h"

namespace slipfield {
namespace {

bool is_usable(double number) { return std::isfinite(number) && number > 0.0; }

std::optional<HertzEstimate> ellipse_estimate(const Paraboloid& paraboloid, NormalLoad load,
                                              double contact_modulus) {
  if (load.control == NormalControl::approach) load.value -= paraboloid.lowest;
  if (!is_usable(load.value) || load.control == NormalControl::pull_off) return std::nullopt;
  const HertzEllipse ellipse =
      hertz_ellipse(paraboloid.curvature_x, paraboloid.curvature_y, load, contact_modulus);
  HertzEstimate estimate;
  estimate.semi_axis_x = ellipse.semi_axis_x;
  estimate.semi_axis_y = ellipse.semi_axis_y;
  estimate.max_pressure = ellipse.max_pressure;
  estimate.approach = ellipse.approach + paraboloid.lowest;
  if (!is_usable(estimate.semi_axis_x) || !is_usable(estimate.semi_axis_y)) return std::nullopt;
  return estimate;
}

// Johnson 1985, eq. 4.43 to 4.45: a^2 = 4 P R/(pi E*), p0 = 2 P/(pi a), P the force per length.
std::optional<HertzEstimate> line_estimate(const Paraboloid& paraboloid, const NormalLoad& load,
                                           double contact_modulus, const Grid& grid) {
  if (load.control != NormalControl::force) return std::nullopt;
  const bool across_x = paraboloid.curvature_x > 0.0;
  const double length = across_x ? grid.my * grid.dy : grid.mx * grid.dx;
  const double curvature = across_x ? paraboloid.curvature_x : paraboloid.curvature_y;
  const double per_length = load.value / length;
  const double semi_axis =
      std::sqrt(2.0 * per_length / (std::numbers::pi * contact_modulus * curvature));
  if (!is_usable(semi_axis)) return std::nullopt;
  HertzEstimate estimate;
  (across_x ? estimate.semi_axis_x : estimate.semi_axis_y) = semi_axis;
  estimate.max_pressure = 2.0 * per_length / (std::numbers::pi * semi_axis);
  return estimate;
}

}  // namespace

std::optional<HertzEstimate> hertz_estimate(const ContactProblem& problem, const NormalLoad& load) {
  if (problem.grid.boundary != Boundary::free || problem.layer.normal_compliance > 0.0 ||
      problem.adhesion.exists() || is_layered(problem.upper) || is_layered(problem.lower))
    return std::nullopt;
  const CombinedMaterial material = combine(problem.upper, problem.lower);
  const auto paraboloid = paraboloid_of(problem.geometry, material);
  if (!paraboloid || paraboloid->twisted || paraboloid->tilted) return std::nullopt;
  const double a = paraboloid->curvature_x;
  const double b = paraboloid->curvature_y;
  std::optional<HertzEstimate> estimate;
  if (is_usable(a) && is_usable(b))
    estimate = ellipse_estimate(*paraboloid, load, material.contact_modulus());
  else if ((is_usable(a) && b == 0.0) || (a == 0.0 && is_usable(b)))
    estimate = line_estimate(*paraboloid, load, material.contact_modulus(), problem.grid);
  if (!estimate || !is_usable(estimate->max_pressure)) return std::nullopt;
  estimate->centre_x = paraboloid->centre_x;
  estimate->centre_y = paraboloid->centre_y;
  if (a > 0.0) estimate->radius_x = 0.5 / a;
  if (b > 0.0) estimate->radius_y = 0.5 / b;
  return estimate;
}

}  // namespace slipfield
