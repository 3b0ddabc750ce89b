// SPDX-License-Identifier: Apache-2.0
// Contact problems for tests, and how far a solution is from solving them, recomputed by direct
// summation: no solver code but influence_coefficient() enters.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/rolling.h"
#include "tests/support/oracle_dense.h"

namespace slipfield::test {

inline constexpr double kPi = std::numbers::pi;

// mx x my elements over [-half_x, half_x] x [-half_y, half_y].
inline Grid centred_grid(int mx, int my, double half_x, double half_y) {
  return {mx, my, 2.0 * half_x / mx, 2.0 * half_y / my, -half_x, -half_y};
}

// Off the centre of the grid, with no symmetry.
inline QuadraticShape tilted_paraboloid(const Grid& grid) {
  const double length_x = grid.mx * grid.dx;
  const double length_y = grid.my * grid.dy;
  return {0.9 / (length_x * length_x),
          0.35 / (length_x * length_y),
          1.3 / (length_y * length_y),
          0.07 / length_x,
          -0.11 / length_y,
          0.0};
}

// Two bodies of one material; the normal load only.
inline ContactProblem normal_problem(const Grid& grid, const ElasticBody& body, const Shape& shape,
                                     NormalControl control, double value, double tolerance = 1e-8) {
  ContactProblem problem;
  problem.upper = problem.lower = body;
  problem.grid = grid;
  problem.geometry = {shape};
  problem.steps.resize(1);
  problem.steps[0].normal = {control, value};
  problem.solver.tolerance = tolerance;
  return problem;
}

// Friction and the rigid motion of the first step, which rolls from element to element.
inline StepInput& set_motion(ContactProblem& problem, double friction, TangentialProblem kind,
                             double x = 0.0, double y = 0.0, double rotation = 0.0) {
  StepInput& step = problem.steps[0];
  step.friction.coefficient = friction;
  step.tangential.problem = kind;
  step.tangential.x.value = x;
  step.tangential.y.value = y;
  step.tangential.rotation = rotation;
  if (is_rolling(kind)) step.tangential.step = problem.grid.dx;
  return step;
}

struct Solved {
  StepReport report;
  ContactSolution fields;
};

// All steps; the last one's state.
inline Solved solve(const ContactProblem& problem, ContactSolver& solver) {
  Solved solved;
  for (const StepInput& step : problem.steps) {
    for (int k = 0; k < step.repeat; ++k) solved.report = solver.advance(step);
  }
  solved.fields = solver.download();
  return solved;
}

inline Solved solve(const ContactProblem& problem) {
  return solve(problem, *make_cpu_solver(problem));
}

// Pressure, tractions and counts of the first as those of the second.
inline void check_equal(const Solved& one, const Solved& two, double tolerance) {
  REQUIRE(one.report.outcome == Outcome::converged);
  REQUIRE(two.report.outcome == Outcome::converged);
  CHECK(relative_difference(one.fields.pressure, two.fields.pressure) <= tolerance);
  CHECK(relative_difference(one.fields.traction_x, two.fields.traction_x) <= tolerance);
  CHECK(relative_difference(one.fields.traction_y, two.fields.traction_y) <= tolerance);
  CHECK(one.report.elements_contact == two.report.elements_contact);
}

struct DenseDisplacements {
  std::vector<double> x, y, n;
};

// Displacement differences by all tractions of a solution, seen from (offset_x, offset_y) further
// on.
inline DenseDisplacements dense_displacements(const Grid& grid, const CombinedMaterial& material,
                                              const ContactSolution& f, double offset_x = 0.0,
                                              double offset_y = 0.0) {
  const DenseInfluence dense(grid, material, offset_x, offset_y);
  const auto sum = [&](Axis a) {
    return sum_of(
        sum_of(dense.apply(a, Axis::x, f.traction_x), dense.apply(a, Axis::y, f.traction_y)),
        dense.apply(a, Axis::n, f.pressure));
  };
  return {sum(Axis::x), sum(Axis::y), sum(Axis::n)};
}

struct NormalErrors {
  double least_pressure = 0.0;
  double gap_in_contact = 0.0;  // greatest |e| where p > 0, over the approach
  double penetration = 0.0;     // greatest -e outside, over the approach
};

inline NormalErrors normal_errors(const ContactSolution& f, const std::vector<double>& distance,
                                  const std::vector<double>& displacement, double approach) {
  NormalErrors errors;
  for (std::size_t i = 0; i < distance.size(); ++i) {
    const double gap = (distance[i] + displacement[i] - approach) / std::abs(approach);
    errors.least_pressure = std::min(errors.least_pressure, f.pressure[i]);
    if (f.pressure[i] > 0.0) {
      grow(errors.gap_in_contact, std::abs(gap));
    } else {
      grow(errors.penetration, -gap);
    }
  }
  return errors;
}

// Rigid slip of a shift step.
struct Shift {
  double x = 0.0;
  double y = 0.0;
  double rotation = 0.0;
};

struct FrictionErrors {
  double above_bound = 0.0;       // greatest |p_t|/g - 1
  double slip_in_adhesion = 0.0;  // over the greatest rigid slip
  double below_bound = 0.0;       // greatest 1 - |p_t|/g in slip
  double not_opposite = 0.0;      // greatest |s + |s| p_t/g| in slip, over the greatest rigid slip
  double traction_outside = 0.0;  // greatest |p_t| without contact
};

// Coulomb's law element by element; friction: a coefficient for each; `before`: displacements of
// the step before, zero at the first.
inline FrictionErrors friction_errors(const Grid& grid, const ContactSolution& f,
                                      const std::vector<double>& friction,
                                      const DenseDisplacements& now,
                                      const DenseDisplacements& before, const Shift& shift) {
  FrictionErrors errors;
  double rigid = 0.0;
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      rigid = std::max(rigid, std::hypot(shift.x - shift.rotation * grid.y(iy),
                                         shift.y + shift.rotation * grid.x(ix)));
    }
  }
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      const std::size_t i = grid.index(ix, iy);
      const double size = std::hypot(f.traction_x[i], f.traction_y[i]);
      const double bound = friction[i] * f.pressure[i];
      if (!(f.pressure[i] > 0.0)) {
        grow(errors.traction_outside, size);
        continue;
      }
      grow(errors.above_bound, size / bound - 1.0);
      const double x = shift.x - shift.rotation * grid.y(iy) + now.x[i] - before.x[i];
      const double y = shift.y + shift.rotation * grid.x(ix) + now.y[i] - before.y[i];
      const double slip = std::hypot(x, y);
      if (f.element_division[i] == ElementState::adhesion) {
        grow(errors.slip_in_adhesion, slip / rigid);
      } else {
        grow(errors.below_bound, 1.0 - size / bound);
        const double parallel =
            std::hypot(x + slip * f.traction_x[i] / bound, y + slip * f.traction_y[i] / bound);
        grow(errors.not_opposite, parallel / rigid);
      }
    }
  }
  return errors;
}

// One coefficient.
inline FrictionErrors friction_errors(const Grid& grid, const ContactSolution& f, double friction,
                                      const DenseDisplacements& now,
                                      const DenseDisplacements& before, const Shift& shift) {
  return friction_errors(grid, f, std::vector<double>(grid.count(), friction), now, before, shift);
}

inline DenseDisplacements no_displacements(const Grid& grid) {
  const std::vector<double> none(grid.count(), 0.0);
  return {none, none, none};
}

// Least-squares slope of ln(error) over ln(h).
inline double observed_order(const std::vector<double>& h, const std::vector<double>& error) {
  double sum_x = 0.0;
  double sum_y = 0.0;
  double sum_xx = 0.0;
  double sum_xy = 0.0;
  const auto n = static_cast<double>(h.size());
  for (std::size_t i = 0; i < h.size(); ++i) {
    const double x = std::log(h[i]);
    const double y = std::log(std::abs(error[i]));
    sum_x += x;
    sum_y += y;
    sum_xx += x * x;
    sum_xy += x * y;
  }
  return (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
}

}  // namespace slipfield::test
