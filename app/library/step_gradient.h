// SPDX-License-Identifier: Apache-2.0
// Derivatives of the last step, addressed by names of results and paths of keys, for C and Python
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

// A number is one value; a field has one value per element, x fastest; points have y and z each.
enum class ValueKind { number, field, points };
struct NamedValue {
  std::string name;
  std::vector<double> values;
  ValueKind kind = ValueKind::number;
};
using NamedValues = std::vector<NamedValue>;

// Derivatives of a solver's last step.
// Outputs by element: pressure, traction_x, traction_y, slip_x, slip_y; numbers: normal_force,
// approach, force_x, force_y, moment_z, friction_work, and the rigid motion as results name it
// (shift_x, ..., spin).
// Inputs by element: undeformed_distance and friction; with uniform friction friction.coefficient,
// or friction.static, friction.kinetic and the other numbers of its law; the loads by the paths of
// their keys (normal.force, tangential.x.creepage, ...); stiffness, the relative change of all
// moduli.
// For a wheel on a rail: one contact in its own coordinates, with its place and plane held; its
// approach is that of the undeformed bodies, however the height was found. For the whole wheel see
// wheel_gradient.h.
class StepGradient {
 public:
  // Throws InputError if there is no step, no such contact, or a step without derivatives.
  StepGradient(CaseSolver& solver, const ResultPart& part);

  // Computes the derivatives of a scalar to all inputs from its derivatives to outputs; outputs not
  // given count as 0. Throws InputError for an unknown name, a wrong size or a value that is not
  // finite; Error if the equations are not solved.
  NamedValues gradient(const NamedValues& seed);
  // Computes the changes of all outputs from changes of inputs; inputs not given stay unchanged.
  NamedValues derivative(const NamedValues& direction);
  // The number of values: one, or one per element. Both throw InputError for an unknown name.
  [[nodiscard]] std::size_t size_of_output(const std::string& name) const;
  [[nodiscard]] std::size_t size_of_input(const std::string& name) const;
  [[nodiscard]] std::int64_t near_change() const { return derivatives_.near_change(); }

 private:
  StepInput step_;
  std::size_t count_;
  StepDerivatives derivatives_;
};

// What StepGradient converts: a scalar's derivatives by names, and those found, to names. count: of
// elements.
StepOutputs seed_by_names(const StepInput& step, std::size_t count, const NamedValues& seed);
NamedValues names_of(const StepInput& step, const StepInputs& gradient);
// StepGradient's functions with derivatives made by the caller.
NamedValues gradient_by_names(StepDerivatives& derivatives, const StepInput& step,
                              std::size_t count, const NamedValues& seed);
NamedValues derivative_by_names(StepDerivatives& derivatives, const StepInput& step,
                                std::size_t count, const NamedValues& direction);
// Throws InputError if a step that is yet to be solved will have no derivatives of a number to an
// input.
void require_derivatives(const StepInput& step, const std::vector<std::string>& numbers,
                         const std::vector<std::string>& inputs);

// Derivatives through consecutive steps of one contact: a step's tractions also depend on the
// inputs of the steps before it.
class SequenceGradient {
 public:
  // steps: kept with all fields; the first one starts from nothing or from a state that is held
  // fixed. Throws InputError if they are not consecutive. problem and steps must outlive this
  // object. make: as for StepDerivatives.
  SequenceGradient(const ContactProblem& problem, const std::vector<const KeptStep*>& steps,
                   StepSystemsMaker make = {});

  // Gradients of each step, the earliest first; seeds in the same order. Throws like StepGradient
  // and names the step.
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
