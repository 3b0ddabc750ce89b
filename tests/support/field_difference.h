// SPDX-License-Identifier: Apache-2.0
// The greatest difference between two solutions of one small contact in any element.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield::test {

struct FieldDifference {
  double tractions = 0.0;  // and pressures, over the greatest pressure
  double slip = 0.0;       // over the rigid slip: all may adhere
};

// How far the surfaces would slip in a step without tractions, at most.
inline double rigid_slip(const ContactProblem& problem, const StepReport& report) {
  const Grid& grid = problem.grid;
  const double half = 0.5 * std::max(grid.mx * grid.dx, grid.my * grid.dy);
  return problem.steps.front().tangential.step *
         (std::hypot(report.rigid_x, report.rigid_y) + std::fabs(report.rotation) * half);
}

// one, two: each a BatchFields or a ContactSolution.
template <class One, class Two>
FieldDifference field_difference(const ContactProblem& problem, const StepReport& report,
                                 const One& one, const Two& two) {
  const std::size_t count = two.pressure.size();
  REQUIRE(one.pressure.size() == count);
  for (const auto* field : {&one.traction_x, &one.traction_y, &one.slip_x, &one.slip_y,
                            &two.traction_x, &two.traction_y, &two.slip_x, &two.slip_y})
    REQUIRE(field->size() == count);
  FieldDifference greatest;
  double pressure = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    pressure = std::max(pressure, two.pressure[i]);
    const double tractions =
        std::hypot(one.traction_x[i] - two.traction_x[i], one.traction_y[i] - two.traction_y[i],
                   one.pressure[i] - two.pressure[i]);
    const double slip = std::hypot(one.slip_x[i] - two.slip_x[i], one.slip_y[i] - two.slip_y[i]);
    REQUIRE(std::isfinite(tractions + slip));
    greatest.tractions = std::max(greatest.tractions, tractions);
    greatest.slip = std::max(greatest.slip, slip);
  }
  REQUIRE(pressure > 0.0);
  greatest.tractions /= pressure;
  if (greatest.slip > 0.0) greatest.slip /= rigid_slip(problem, report);
  return greatest;
}

}  // namespace slipfield::test
