// SPDX-License-Identifier: Apache-2.0
// The tangent of a step (THEORY.md 11.8): the change of its results with given changes of its
// inputs.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "solver/gradient/linear_systems.h"
#include "solver/gradient/particles_before.h"

namespace slipfield::gradient {

class StepTangent {
 public:
  StepTangent(LinearSystems& step, ParticlesBefore& before) : step_(step), before_(before) {}

  StepOutputs derivative(const StepInputs& direction) {
    const auto here = step_.systems->enter();
    const Given given{{}, 0.0, step_.change_of_friction(direction), given_slip(direction)};
    return outputs_of(solve_tangent(direction, step_.cut_out(direction.heights), given),
                      given.slip);
  }

 private:
  struct Changes {
    Values normal;            // pressure
    SurfaceField tangential;  // tractions
    double load = 0.0;        // approach
    Motion motion{};
  };

  // Right sides of a tangent: changes that are given.
  struct Given {
    Motion motion{};  // or forces
    double load = 0.0;
    CoefficientChange friction;
    SurfaceField slip;
  };
  // Slip due to given changes: of the stiffness, and of the state of the step before.
  SurfaceField given_slip(const StepInputs& to) {
    if (!step_.sliding) return step_.no_field();
    SurfaceField slip = -to.stiffness * step_.elastic_slip;
    if (step_.follows) before_.subtract_from(slip, to.before);
    return slip;
  }
  Changes solve_tangent(const StepInputs& to, const Values& heights, Given given) {
    Changes found = step_.nothing<Changes>();
    const bool force = step_.input.normal.control == NormalControl::force;
    given.motion = {to.tangential_x, to.tangential_y, to.rotation};
    given.load = to.normal;
    if (step_.contact.empty()) {
      found.load = force ? 0.0 : to.normal;
      if (step_.sliding) found.motion = rigid_part(given.motion);
      return found;
    }
    make_columns();
    Rest side = step_.nothing<Rest>();
    side.normal = to.stiffness * step_.displacement_n - heights;
    if (!step_.sliding) {
      follow_distance(given.load, side.normal, kPressureTolerance, found, nullptr);
      return found;
    }
    const Given none{{}, 0.0, {step_.zeros(), step_.zeros()}, step_.no_field()};
    return step_.solve_in_rounds<Changes>(
        side, step_.systems->self(kCurrent, Component::nn),
        [&](Rest& rest, bool first) { return tangent_round(first ? given : none, rest); });
  }
  // Changes of the tractions that respond to pressures. rest: in, the right-hand sides that are not
  // given; out, what remains of them.
  Changes tangent_round(const Given& given, Rest& rest) {
    Changes found = step_.nothing<Changes>();
    const double wanted = step_.coupled ? kOfRound : kPressureTolerance;
    Rest left;
    follow_distance(given.load, rest.normal, wanted, found, step_.coupled ? &left.normal : nullptr);
    follow_pressure(given, rest.tangential, wanted, found,
                    step_.coupled ? &left.tangential : nullptr);
    if (!step_.coupled) return found;
    left.normal -= step_.normal_by(kCurrent, found.tangential);
    rest = std::move(left);
    return found;
  }
  // The motions among what is given.
  [[nodiscard]] Motion rigid_part(const Motion& values) const {
    Motion motion{};
    for (std::size_t k = 0; k < 3; ++k)
      if (!step_.is_prescribed(k)) motion.at(k) = step_.distance * values.at(k);
    return motion;
  }
  // side: the change of the distance, with the sign that increases pressure.
  void follow_distance(double load, Values side, double wanted, Changes& change, Values* residual) {
    const bool force = step_.input.normal.control == NormalControl::force;
    std::optional<double> sum_of_pressures;
    if (force)
      sum_of_pressures = load / step_.area;
    else
      side += load * step_.touches.cast<double>();
    const Pressures by = step_.solve_normal(std::move(side), sum_of_pressures, wanted, residual);
    change.normal = by.change;
    change.load = force ? -by.load : load;
  }

  void make_columns() {
    if (!step_.sliding || has_columns_) return;
    for (const std::size_t k : step_.prescribed) {
      columns_.at(k) =
          step_.solve_tangential(false, step_.times_d(step_.rigid_slip(unit(k)), step_.rows.rho));
      rows_.at(k) = step_.forces_of(columns_.at(k));
    }
    has_columns_ = true;
  }
  void follow_pressure(const Given& given, const SurfaceField& rows, double wanted, Changes& found,
                       SurfaceField* residual) {
    found.motion = rigid_part(given.motion);
    const SurfaceField by = step_.slip_by_pressure(step_.slip_operator(false), found.normal);
    const Values bound = step_.friction * found.normal + step_.pressure * given.friction.now +
                         step_.touches.cast<double>() * given.friction.strength;
    const Values fixed =
        step_.fixed * found.normal + step_.pressure * given.friction.fixed;  // static
    SurfaceField side =
        step_.times_d(step_.rigid_slip(found.motion) + (by + given.slip), -step_.rows.rho);
    side += step_.direction.colwise() * bound + rows;
    found.tangential = step_.solve_tangential(false, side, wanted, residual);
    Motion rhs = step_.forces_of(found.tangential);
    for (std::size_t k = 0; k < 3; ++k)
      if (step_.is_prescribed(k))
        rhs.at(k) -= change_of_force(k, given.motion.at(k), fixed, found.normal);
    const Motion moved = step_.solve_rows(rows_, rhs);
    for (const std::size_t k : step_.prescribed) {
      found.tangential += -moved.at(k) * columns_.at(k);
      found.motion.at(k) = moved.at(k);
    }
  }
  [[nodiscard]] double change_of_force(std::size_t k, double value, const Values& bound,
                                       const Values& pressure) const {
    if (k == 2) return value;
    const TangentialLoad& of = step_.load(k);
    const double direct = value * step_.of_value(of);
    if (of.control == TangentialControl::force_ratio)
      return direct + of.value * step_.area * sum(bound);
    if (of.control == TangentialControl::traction_coefficient)
      return direct + of.value * step_.area * sum(pressure);
    return direct;
  }

  StepOutputs outputs_of(const Changes& found, const SurfaceField& given) {
    StepOutputs out;
    const auto over_grid = [&](const Eigen::Ref<const Values>& part) {
      Field field(step_.whole.count(), 0.0);
      step_.put_back(part, 1.0, field);
      return field;
    };
    out.pressure = over_grid(found.normal);
    out.normal_force = step_.area * sum(found.normal);
    out.approach = found.load;
    if (!step_.sliding) return out;
    const SurfaceField& q = found.tangential;
    const SurfaceField by = step_.slip_by(step_.slip_operator(false), q);
    const SurfaceField by_pressure =
        step_.slip_by_pressure(step_.slip_operator(false), found.normal);
    const SurfaceField slip = step_.rigid_slip(found.motion) + (by + by_pressure + given);
    for (const std::size_t i : step_.contact)
      out.friction_work +=
          step_.area * (q(i, 0) * step_.slip(i, 0) + q(i, 1) * step_.slip(i, 1) +
                        step_.traction(i, 0) * slip(i, 0) + step_.traction(i, 1) * slip(i, 1));
    out.traction_x = over_grid(q.col(0));
    out.traction_y = over_grid(q.col(1));
    out.slip_x = over_grid(slip.col(0));
    out.slip_y = over_grid(slip.col(1));
    const Motion forces = step_.forces_of(found.tangential);
    out.force_x = forces[0];
    out.force_y = forces[1];
    out.moment_z = forces[2];
    out.rigid_x = found.motion[0] / step_.distance;
    out.rigid_y = found.motion[1] / step_.distance;
    out.rotation = found.motion[2] / step_.distance;
    return out;
  }

  LinearSystems& step_;
  ParticlesBefore& before_;
  bool has_columns_ = false;
  std::array<SurfaceField, 3> columns_;
  std::array<Motion, 3> rows_{};
};

}  // namespace slipfield::gradient
