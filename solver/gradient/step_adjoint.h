// SPDX-License-Identifier: Apache-2.0
// The adjoint of a step (THEORY.md 11.8): from the derivatives of a scalar with respect to the
// step's results to those with respect to its inputs.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "solver/gradient/linear_systems.h"
#include "solver/gradient/particles_before.h"

namespace slipfield::gradient {

class StepAdjoint {
 public:
  StepAdjoint(LinearSystems& step, ParticlesBefore& before) : step_(step), before_(before) {}

  StepInputs gradient(const StepOutputs& seed) {
    const auto here = step_.systems->enter();
    StepInputs result;
    result.heights.assign(step_.whole.count(), 0.0);
    result.friction.assign(step_.whole.count(), 0.0);
    const Seed b = take_seed(seed);
    Multipliers found = solve_adjoint(b);
    if (step_.sliding) to_friction(found, result);
    step_.put_back(found.normal, -1.0, result.heights);
    result.normal = step_.input.normal.control == NormalControl::force
                        ? found.load
                        : b.approach + sum(found.normal);
    if (step_.sliding) {
      const Motion rest = step_.motion_of(found.tangential);
      result.tangential_x = to_load(step_.input.tangential.x, 0, b, rest, found);
      result.tangential_y = to_load(step_.input.tangential.y, 1, b, rest, found);
      result.rotation = step_.input.tangential.moment ? found.motion[2]
                                                      : step_.distance * (b.motion[2] - rest[2]);
    }
    result.stiffness = to_stiffness(b, found);
    if (step_.follows) result.before = before_.transposed(to_slip_back(b, found));
    return result;
  }

 private:
  // Derivatives of the scalar with respect to the unknowns and, if needed, to slip.
  struct Seed {
    Values pressure;
    SurfaceField traction, slip;
    double approach = 0.0;
    Motion motion{};
  };
  // Multipliers of the rows: of the pressures, the tractions, the normal force, and the prescribed
  // tangential forces.
  struct Multipliers {
    Values normal;
    SurfaceField tangential;
    double load = 0.0;
    Motion motion{};  // of prescribed forces
  };

  Seed take_seed(const StepOutputs& seed) {
    Seed b;
    b.pressure = step_.cut_out(seed.pressure);
    b.pressure +=
        step_.touches.select(Values::Constant(step_.count, step_.area * seed.normal_force), 0.0);
    b.approach = seed.approach;
    if (!step_.sliding) return b;
    const SurfaceField by = step_.by_forces({seed.force_x, seed.force_y, seed.moment_z});
    const double work = step_.area * seed.friction_work;
    b.traction = step_.cut_out(seed.traction_x, seed.traction_y) + (by + work * step_.slip);
    b.slip = step_.cut_out(seed.slip_x, seed.slip_y) + work * step_.traction;
    b.motion = step_.transposed_rigid_slip(b.slip);
    const Motion rigid{seed.rigid_x, seed.rigid_y, seed.rotation};
    for (std::size_t k = 0; k < 3; ++k) b.motion.at(k) += rigid.at(k) / step_.distance;
    if ((b.slip == 0.0).all()) return b;
    b.traction += step_.slip_by(step_.slip_operator(true), b.slip);
    b.pressure += step_.normal_by(step_.slip_operator(true), b.slip);
    return b;
  }

  Multipliers solve_adjoint(const Seed& b) {
    Multipliers found = step_.nothing<Multipliers>();
    if (step_.contact.empty()) return found;
    if (!step_.sliding) {
      solve_pressure_rows(b.pressure, b.approach, found);
      return found;
    }
    make_columns();
    return step_.solve_in_rounds<Multipliers>(
        {b.pressure, b.traction}, 1.0, [&](Rest& rest, bool first) {
          return adjoint_round(first ? b.motion : Motion{}, first ? b.approach : 0.0, rest);
        });
  }
  // Multipliers for pressures that respond to tractions. rest: in, the right-hand sides; out, what
  // remains of them.
  Multipliers adjoint_round(const Motion& motion, double approach, Rest& rest) {
    Multipliers found = step_.nothing<Multipliers>();
    const double wanted = step_.coupled ? kOfRound : kPressureTolerance;
    Rest left;
    solve_traction_rows(rest.tangential, motion, wanted, found,
                        step_.coupled ? &left.tangential : nullptr);
    solve_pressure_rows(pressure_side(rest.normal, found), approach, found, wanted,
                        step_.coupled ? &left.normal : nullptr);
    if (!step_.coupled) return found;
    left.tangential -= step_.slip_by_pressure(kCurrent, found.normal);  // A_nt^T = A_tn
    rest = std::move(left);
    return found;
  }

  void make_columns() {
    if (has_columns_) return;
    for (const std::size_t k : step_.prescribed) {
      columns_.at(k) = step_.solve_transposed(step_.by_forces(unit(k)));
      rows_.at(k) = step_.motion_of(columns_.at(k));
    }
    has_columns_ = true;
  }
  void solve_traction_rows(const SurfaceField& side, const Motion& motion, double wanted,
                           Multipliers& found, SurfaceField* residual) {
    found.tangential = step_.solve_transposed(side, wanted, residual);
    Motion rhs = step_.motion_of(found.tangential);
    for (std::size_t k = 0; k < 3; ++k) rhs.at(k) -= motion.at(k);
    found.motion = step_.solve_rows(rows_, rhs);
    for (const std::size_t k : step_.prescribed)
      found.tangential += -found.motion.at(k) * columns_.at(k);
  }
  Values pressure_side(Values side, const Multipliers& found) {
    const Values by =
        step_.normal_by(step_.slip_operator(true), step_.times_d(found.tangential, step_.rows.rho));
    const Values pulled = step_.pull_of_bound(found.tangential);
    const double of_bound = step_.by_bounds(found.motion);
    const double of_pressure = step_.by_pressures(found.motion);
    for (const std::size_t i : step_.contact)
      side[i] += step_.friction[i] * pulled[i] + step_.fixed[i] * of_bound + of_pressure - by[i];
    return side;
  }
  void solve_pressure_rows(const Values& side, double approach, Multipliers& found,
                           double wanted = kPressureTolerance, Values* residual = nullptr) {
    std::optional<double> sum_of_multipliers;
    if (step_.input.normal.control == NormalControl::force) sum_of_multipliers = -approach;
    const Pressures by = step_.solve_normal(side, sum_of_multipliers, wanted, residual);
    found.normal = by.change;
    found.load = by.load / step_.area;
  }

  void to_friction(const Multipliers& found, StepInputs& result) const {
    Values friction = step_.zeros();
    const Values pulled = step_.pull_of_bound(found.tangential);
    const double of_bound = step_.by_bounds(found.motion);
    for (const std::size_t i : step_.contact) {
      const double now = step_.pressure[i] * pulled[i];
      const double fixed = step_.pressure[i] * of_bound;
      friction[i] = now + fixed;
      const LawNumbers by = step_.by_law(i);
      for (const auto number : LinearStep::kLawNumbers) result.law.*number += now * by.*number;
      result.law.fixed += fixed;
      result.law.shear_strength += pulled[i];
    }
    step_.put_back(friction, 1.0, result.friction);
  }
  [[nodiscard]] double to_load(const TangentialLoad& load, std::size_t k, const Seed& b,
                               const Motion& rest, const Multipliers& found) const {
    if (load.control == TangentialControl::rigid)
      return step_.distance * (b.motion.at(k) - rest.at(k));
    return found.motion.at(k) * step_.of_value(load);
  }
  [[nodiscard]] double to_stiffness(const Seed& b, const Multipliers& found) const {
    double result = 0.0;
    for (const std::size_t i : step_.contact) result += found.normal[i] * step_.displacement_n[i];
    if (!step_.sliding) return result;
    const SurfaceField back = to_slip_back(b, found);
    for (const std::size_t i : step_.contact)
      result += back(i, 0) * step_.elastic_slip(i, 0) + back(i, 1) * step_.elastic_slip(i, 1);
    return result;
  }
  // Minus the slip due to neither motion nor tractions.
  [[nodiscard]] SurfaceField to_slip_back(const Seed& b, const Multipliers& found) const {
    return step_.times_d(found.tangential, step_.rows.rho) - b.slip;
  }

  LinearSystems& step_;
  ParticlesBefore& before_;
  bool has_columns_ = false;
  std::array<SurfaceField, 3> columns_;
  std::array<Motion, 3> rows_{};
};

}  // namespace slipfield::gradient
