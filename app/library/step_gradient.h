// SPDX-License-Identifier: Apache-2.0
// Derivatives of the last step by the names of results and the paths of keys, for C and Python
// (solver/gradient/step_derivatives.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/library/case_solver.h"
#include "solver/gradient/sequence_derivatives.h"
#include "solver/gradient/step_derivatives.h"

namespace slipfield {

// A number is one value; a field has a value for each element, x fastest; points have y and z of
// each.
enum class ValueKind { number, field, points };
struct NamedValue {
  std::string name;
  std::vector<double> values;
  ValueKind kind = ValueKind::number;
};
using NamedValues = std::vector<NamedValue>;

// The last step of a solver. Outputs: pressure, traction_x, traction_y, slip_x, slip_y by element;
// normal_force, approach, force_x, force_y, moment_z, friction_work; and the rigid motion as
// results name it (shift_x, ..., spin). Inputs: undeformed_distance and friction by element; where
// the friction is the same everywhere friction.coefficient, or friction.static, friction.kinetic
// and the other numbers of its law; the loads by the paths of their keys (normal.force,
// tangential.x.creepage, ...); stiffness, the relative change of all moduli. For a wheel on a rail:
// one contact, in its own coordinates, its place and plane held; its approach is that of the
// undeformed bodies, however the height was found. All of the wheel: wheel_gradient.h.
class StepGradient {
 public:
  // Throws InputError where there is no step, no such contact, or a step without derivatives.
  StepGradient(CaseSolver& solver, const ResultPart& part);

  // The derivatives of a scalar with respect to all inputs, from those with respect to outputs;
  // what is left out counts as 0. Throws InputError for an unknown name, a wrong size or a value
  // that is not finite; Error where they are not found.
  NamedValues gradient(const NamedValues& seed);
  // The changes of all outputs with those of inputs; inputs left out stay as they are.
  NamedValues derivative(const NamedValues& direction);
  // The number of values: one, or one for each element. Both throw InputError for an unknown name.
  [[nodiscard]] std::size_t size_of_output(const std::string& name) const;
  [[nodiscard]] std::size_t size_of_input(const std::string& name) const;
  [[nodiscard]] std::int64_t near_change() const { return derivatives_.near_change(); }

 private:
  StepInput step_;
  std::size_t count_;
  StepDerivatives derivatives_;
};

// As StepGradient's, by derivatives that have been made. count: of elements.
NamedValues gradient_by_names(StepDerivatives& derivatives, const StepInput& step,
                              std::size_t count, const NamedValues& seed);
NamedValues derivative_by_names(StepDerivatives& derivatives, const StepInput& step,
                                std::size_t count, const NamedValues& direction);
// Throws InputError where a step that is to be solved will have no derivatives of a number to an
// input.
void require_derivatives(const StepInput& step, const std::vector<std::string>& numbers,
                         const std::vector<std::string>& inputs);

// The same for steps that followed each other, of one contact: each value of a step's tractions
// also depends on what was given to the steps before.
class SequenceGradient {
 public:
  // steps: kept with all fields; the first one from nothing, or from a state that is held. Throws
  // InputError where they do not follow each other. problem and steps outlive this.
  // make: as of StepDerivatives.
  SequenceGradient(const ContactProblem& problem, const std::vector<const KeptStep*>& steps,
                   StepSystemsMaker make = {});

  // Gradients of each step, the earliest first; seeds likewise. Throws as StepGradient, naming the
  // step.
  std::vector<NamedValues> gradient(const std::vector<NamedValues>& seeds);
  std::vector<NamedValues> derivative(const std::vector<NamedValues>& directions);
  [[nodiscard]] std::size_t size_of_output(std::size_t step, const std::string& name) const;
  [[nodiscard]] std::size_t size_of_input(std::size_t step, const std::string& name) const;
  [[nodiscard]] const std::vector<std::int64_t>& near_change() const {
    return derivatives_.near_change();
  }

 private:
  std::vector<const StepInput*> steps_;
  std::size_t count_;
  SequenceDerivatives derivatives_;
};

}  // namespace slipfield
