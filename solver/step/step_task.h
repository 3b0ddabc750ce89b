// SPDX-License-Identifier: Apache-2.0
// What a step asks of the tangential solver: the rigid motion and the forces that it prescribes,
// and starting values for the rest (THEORY.md 5.2, 5.3, 5.6, 5.7).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <variant>
#include <vector>

#include "solver/fields/own_rows.h"
#include "solver/fields/solver_backend.h"
#include "solver/fields/tangential_ops.h"
#include "solver/friction.h"
#include "solver/grid.h"
#include "solver/material.h"
#include "solver/problem.h"
#include "solver/rolling.h"
#include "solver/step/step_outcome.h"
#include "solver/tangential/tangential_task.h"

namespace slipfield {

template <SolverBackend Backend>
struct StepModel;

// Rigid slip of a step per creepage [length]; 1 for a shift, which is a rigid slip already.
inline double slip_distance(const Tangential& tangential) {
  return is_rolling(tangential.problem) ? tangential.step : 1.0;
}

// Evaluates the spin `ahead` in front of the element [length].
inline void place_spin(double direction, double ahead, RigidSlip& rigid) {
  rigid.arm_x = ahead * std::cos(direction);
  rigid.arm_y = ahead * std::sin(direction);
}

// The prescribed motion. Where a force is prescribed instead, a starting value: in rolling the
// creepage of the step before.
inline RigidSlip first_rigid_slip(const Tangential& tangential, double last_creepage_x,
                                  double last_creepage_y) {
  RigidSlip rigid;
  if (tangential.problem == TangentialProblem::none) return rigid;
  const bool rolling = is_rolling(tangential.problem);
  const double distance = slip_distance(tangential);
  const auto first = [&](const TangentialLoad& load, double creepage) {
    if (load.control == TangentialControl::rigid) return distance * load.value;
    return rolling ? distance * creepage : 0.0;
  };
  rigid.x = first(tangential.x, last_creepage_x);
  rigid.y = first(tangential.y, last_creepage_y);
  rigid.rotation = distance * tangential.rotation;
  if (rolling) place_spin(tangential.direction, distance / 6.0, rigid);
  return rigid;
}

// Sums over the elements, to which prescribed forces refer.
struct ForceSums {
  double bound = 0.0;     // of the traction bounds
  double pressure = 0.0;  // of the pressures
};

// The prescribed sum of tractions; 0 if the rigid motion is prescribed.
inline double force_sum(const TangentialLoad& load, const ForceSums& sums, const Grid& grid) {
  switch (load.control) {
    case TangentialControl::rigid:
      break;
    case TangentialControl::force:
      return load.value / grid.element_area();
    case TangentialControl::force_ratio:
      return load.value * sums.bound;
    case TangentialControl::traction_coefficient:
      return load.value * sums.pressure;
  }
  return 0.0;
}

// Rigid slip per sum of tractions for a circle of the same area in full adhesion. Mindlin 1949:
// shift/force = (2 - nu)/(8 G a) for each body. Steady rolling: force = C11 G a^2 creepage with C11
// near 4 [Kalker1990]. A layer adds its own compliance, in steady rolling only a share, since
// tractions build up along the contact.
inline double adhesive_compliance(const Tangential& tangential, double elements_in_contact,
                                  const Grid& grid, const CombinedMaterial& material) {
  const double area = std::max(elements_in_contact, 1.0) * grid.element_area();
  const double radius = std::sqrt(area / std::numbers::pi);
  const double stiffness = tangential.problem == TangentialProblem::steady_rolling
                               ? 4.0 * radius * radius / tangential.step
                               : 4.0 * radius / (2.0 - material.poisson_ratio);
  const double bodies = grid.element_area() / (material.shear_modulus * stiffness);
  if (material.layer == 0.0) return bodies;
  const double share = tangential.problem == TangentialProblem::steady_rolling
                           ? std::min(1.0, tangential.step / radius)
                           : 1.0;
  return bodies + share * material.layer / std::max(elements_in_contact, 1.0);
}

// The static coefficient of each of the backend's elements.
template <SolverBackend Backend>
std::vector<double> static_values(const StepModel<Backend>& model, const Friction& friction) {
  return own_values(model.backend, model.whole, static_coefficients(friction, model.whole));
}

// The static coefficient; if it varies over the contact, by temperature or otherwise, its mean
// weighted with the pressure. A layer that yields lowers the bound, not the coefficient.
template <SolverBackend Backend>
double mean_static(StepModel<Backend>& model, const Friction& friction) {
  if (friction.along_y.empty() && !friction.varies()) return friction.coefficient;
  const bool warm =
      std::holds_alternative<FrictionByTemperature>(friction.place) && !model.warm_friction.empty();
  const std::vector<double> fixed = warm ? model.warm_friction : static_values(model, friction);
  const std::vector<double> p = model.backend.download(model.state.pressure);
  double bound = 0.0;
  double force = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    bound += fixed[i] * p[i];
    force += p[i];
  }
  bound = sum_over_owners(model.backend, bound);
  force = sum_over_owners(model.backend, force);
  return force > 0.0 ? bound / force : friction.coefficient;
}

// The greatest force in partial slip, to which a force ratio refers: the mean static coefficient
// times the sum of the pressure. It equals the sum of the bounds unless slip, temperature, a
// yielding layer, adhesion or a shear strength changes these; device fields are then summed on the
// device. model.tangential_sums must be those of this round.
template <SolverBackend Backend>
double static_bound(StepModel<Backend>& model, const Friction& friction, double pressure) {
  if constexpr (!kInHostMemory<Backend>) {
    const bool is_sum_of_bounds = !friction.depends_on_slip() && friction.shear_strength == 0.0 &&
                                  !std::holds_alternative<FrictionByTemperature>(friction.place) &&
                                  model.bounds_are_static;
    if (friction.varies() && is_sum_of_bounds)
      return model.backend.read(model.tangential_sums).bound;
  }
  return mean_static(model, friction) * pressure;
}

// In rolling an element's slip depends mainly on its own traction and the one ahead, so each row is
// swept from its leading end. Rows are swept from the trailing side: the error that a sweep leaves
// in a row acts on the row behind it by more than its own size and would grow from row to row.
inline SweepOrder sweep_order(double direction) {
  return {std::cos(direction) > 0.0, std::sin(direction) < 0.0};
}

// model.rigid holds the prescribed motion, or the motion found so far.
template <SolverBackend Backend>
TangentialTask tangential_task(StepModel<Backend>& model, const StepInput& step) {
  const Tangential& tangential = step.tangential;
  TangentialTask task;
  task.rigid = model.rigid;
  task.rolling = is_rolling(tangential.problem);
  if (task.rolling) task.order = sweep_order(tangential.direction);
  task.force_x_given = tangential.x.control != TangentialControl::rigid;
  task.force_y_given = tangential.y.control != TangentialControl::rigid;
  task.contact_count = model.backend.read(model.contact_count);
  if (task.force_x_given || task.force_y_given) {
    model.sum_step();
    model.sum_tractions();
    ForceSums sums;
    sums.pressure = model.backend.read(model.totals).pressure;
    if (tangential.x.control == TangentialControl::force_ratio ||
        tangential.y.control == TangentialControl::force_ratio)
      sums.bound = static_bound(model, step.friction, sums.pressure);
    task.force_x = force_sum(tangential.x, sums, model.grid);
    task.force_y = force_sum(tangential.y, sums, model.grid);
  }
  task.moment_given = tangential.moment.has_value();
  task.moment = tangential.moment.value_or(0.0) / model.grid.element_area();
  task.compliance = adhesive_compliance(tangential, task.contact_count, model.grid, model.material);
  return task;
}

// Detects a task that prescribes more force or moment than the bounds of friction, or of a layer,
// carry; Ending::agreed if it does not.
template <SolverBackend Backend>
BeyondBounds beyond_bounds(StepModel<Backend>& model, const TangentialTask& task) {
  const double area = model.grid.element_area();
  const double* const of_law = std::visit([](const auto& law) { return law.greatest(); }, task.law);
  const auto bounds = [&] {
    return model.backend.download(of_law != nullptr ? of_law : model.fields.bound, model.count);
  };
  if (task.force_x_given || task.force_y_given) {
    double bound = 0.0;
    if (of_law != nullptr) {
      const std::vector<double> all = bounds();
      bound = sum_over_owners(model.backend, std::accumulate(all.begin(), all.end(), 0.0));
    } else {
      bound = model.backend.read(model.tangential_sums).bound;
    }
    if (is_beyond_friction(task, bound))
      return {Ending::beyond_friction, area * std::hypot(task.force_x, task.force_y), area * bound};
  }
  if (!task.moment_given) return {};
  const std::vector<double> all = bounds();
  const ElementCentres centre = model.centres();
  double greatest = 0.0;  // about the origin, over dx dy
  for (std::size_t i = 0; i < all.size(); ++i)
    greatest += all[i] * std::hypot(centre.x(i), centre.y(i));
  greatest = sum_over_owners(model.backend, greatest);
  if (std::abs(task.moment) < greatest) return {};
  return {Ending::beyond_moment, area * std::abs(task.moment), area * greatest};
}

}  // namespace slipfield
