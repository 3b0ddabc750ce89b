// SPDX-License-Identifier: Apache-2.0
// What bounds the traction of an element in contact: a value that newton is given, with its derivative
// (THEORY.md 6.11). Sweeps take a bound that is given.
//
// A law is a plain struct of numbers and of fields over the grid. Inlined, for one element:
//   linearize(rows, i, sums)   puts the element's residual, matrix D and sums into newton's rows, as
//                              LinearizeFriction does for a bound that is given
//   after_step(f, i)           the radius of the disc onto which a step of newton's is put back
// For the host:
//   jumps()          elements may jump between states, so that newton takes parts of its steps
//   linearized()     the first linearization is done
//   greatest()       the field of the most that elements may carry; null: their bound
//   visit_fields(v)  v(pointer) of each of its fields, for a copy of it on another grid
// Another law is such a struct in a file of its own, a line in ElementLaw, two in
// gpu/device/element_instances.cu, and the part of the step that gives it (step_part.h).
#pragma once

#include <cstddef>
#include <variant>

#include "solver/fields/newton_ops.h"
#include "solver/host_device.h"
#include "solver/tangential/falling_ops.h"
#include "solver/tangential/hardening_ops.h"

namespace slipfield {

// The bound of the step's fields, whose rows are LinearizeFriction and TakeNewtonStep by themselves.
struct GivenBound {
  [[nodiscard]] bool jumps() const { return false; }
  void linearized() {}
  [[nodiscard]] const double* greatest() const { return nullptr; }
  template <class Visit>
  void visit_fields(const Visit& /*visit*/) {}
};

using ElementLaw = std::variant<GivenBound, FallingBound, HardeningBound>;

// Newton's operations on elements of one law.
template <class Law>
struct LinearizeLaw {
  using Sum = LinearizeFriction::Sum;
  LinearizeFriction rows;
  Law law;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const { law.linearize(rows, i, sums); }
  SLIPFIELD_HD void finish(const double* sums) const { rows.finish(sums); }
};
template <class Law>
struct TakeLawStep {
  using Sum = TakeNewtonStep::Sum;
  TakeNewtonStep rows;
  Law law;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    rows.take(i, law.after_step(rows.f, i), sums);
  }
  SLIPFIELD_HD void finish(const double* sums) const { rows.finish(sums); }
};

}  // namespace slipfield
