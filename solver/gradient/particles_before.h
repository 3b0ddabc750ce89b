// SPDX-License-Identifier: Apache-2.0
// The step before one with derivatives: displacements, one step ago, of the particles that are now
// in contact, on the whole grid, for it may have touched elsewhere (THEORY.md 5.2, 5.4, 5.5).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "solver/gradient/linear_step.h"

namespace slipfield::gradient {

class ParticlesBefore {
 public:
  explicit ParticlesBefore(LinearStep& step) : step_(step) {}

  // After the systems have moved to another backend.
  void reset() { before_ = {}; }
  // Derivatives with respect to the tractions of the step before, from those with respect to minus
  // the slip that they cause.
  StepBefore transposed(const SurfaceField& back) {
    StepBefore result;
    for (Field* field : {&result.pressure, &result.traction_x, &result.traction_y})
      field->assign(step_.whole.count(), 0.0);
    if (!continues()) return result;
    for (const bool at_edge : {false, true}) {
      SurfaceField of_particles = SurfaceField::Zero(step_.whole.count(), 2);
      bool any = false;
      for (const std::size_t i : step_.contact) {
        if ((step_.edge[i] >= 0) != at_edge) continue;
        of_particles.row(came_from(i)) += back.row(i);
        any = true;
      }
      if (any) add_to_before(displacement_before(at_edge, true), of_particles, result);
    }
    return result;
  }
  // Subtracts the displacements by given tractions of the step before from the slip.
  void subtract_from(SurfaceField& slip, const StepBefore& before) {
    if (!continues() ||
        (before.pressure.empty() && before.traction_x.empty() && before.traction_y.empty()))
      return;
    for (const bool at_edge : {false, true}) {
      if (at_edge && *std::max_element(step_.edge.begin(), step_.edge.end()) < 0) continue;
      const SurfaceField moved = moved_before(displacement_before(at_edge, false), before);
      for (const std::size_t i : step_.contact)
        if ((step_.edge[i] >= 0) == at_edge) slip.row(i) -= moved.row(came_from(i));
    }
  }

 private:
  [[nodiscard]] bool continues() const {
    return step_.sliding && step_.input.tangential.problem != TangentialProblem::steady_rolling;
  }
  // The displacement at x + offset (reversed: x - offset), offset 0 in a shift; for elements that
  // entered at the leading edge in rolling, one element ahead.
  Operator displacement_before(bool at_edge, bool reversed) {
    std::optional<Operator>& made = before_.at((at_edge ? 2 : 0) + (reversed ? 1 : 0));
    if (made) return *made;
    InfluenceKind kind = step_.kind;
    const Tangential& t = step_.input.tangential;
    if (is_rolling(t.problem)) {
      const double sign = reversed ? -1.0 : 1.0;
      const bool along_y = rolls_along_y(t.direction);
      const double x = at_edge ? (along_y ? 0.0 : step_.whole.dx) : step_.distance;
      const double y = at_edge ? (along_y ? step_.whole.dy : 0.0) : step_.distance;
      kind.displacement = Displacement::previous;
      kind.offset_x = sign * x * std::cos(t.direction);
      kind.offset_y = sign * y * std::sin(t.direction);
    }
    made = step_.systems->add_operator(step_.whole, kind);
    return *made;
  }
  // The grid element at which a particle's displacement one step ago is evaluated.
  [[nodiscard]] std::size_t came_from(std::size_t i) const {
    return step_.edge[i] >= 0 ? static_cast<std::size_t>(step_.edge[i]) : step_.place(i);
  }
  void add_to_before(Operator by, const SurfaceField& of_particles, StepBefore& sum) const {
    SurfaceField part(step_.whole.count(), 2);
    const TractionField from = LinearStep::tractions(of_particles);
    step_.systems->multiply(by, Block::tangential, from, LinearStep::slips(part));
    on_grid(sum.traction_x) += part.col(0);
    on_grid(sum.traction_y) += part.col(1);
    if (!step_.coupled) return;
    step_.systems->multiply(by, Block::normal_from_tangential, from, {.n = LinearStep::x_of(part)});
    on_grid(sum.pressure) += part.col(0);
  }
  static Eigen::Map<Values> on_grid(Field& field) { return {field.data(), std::ssize(field)}; }
  SurfaceField moved_before(Operator by, const StepBefore& before) const {
    SurfaceField traction = SurfaceField::Zero(step_.whole.count(), 2);
    std::ranges::copy(before.traction_x, LinearStep::x_of(traction));
    std::ranges::copy(before.traction_y, LinearStep::y_of(traction));
    SurfaceField moved(step_.whole.count(), 2);
    step_.systems->multiply(by, Block::tangential, LinearStep::tractions(traction),
                            LinearStep::slips(moved));
    if (!step_.coupled || before.pressure.empty()) return moved;
    SurfaceField part(step_.whole.count(), 2);
    step_.systems->multiply(by, Block::tangential_from_normal, {.n = before.pressure.data()},
                            LinearStep::slips(part));
    return moved + part;
  }

  LinearStep& step_;
  std::array<std::optional<Operator>, 4> before_;
};

}  // namespace slipfield::gradient
