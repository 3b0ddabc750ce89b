// SPDX-License-Identifier: Apache-2.0
// Derivatives of a converged step: of any scalar of its fields and totals with respect to heights,
// friction, loads, motions and stiffness (the adjoint), and of fields and totals along a change of
// these (the tangent). They need only the step's fields, however these were computed (THEORY.md
// 11.8).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "solver/gradient/law_numbers.h"
#include "solver/gradient/step_systems.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// A change of a step's results; or the derivative of a scalar with respect to them. Fields have one
// value per element of the grid, or are empty for 0 everywhere.
struct StepOutputs {
  std::vector<double> pressure;
  std::vector<double> traction_x;
  std::vector<double> traction_y;
  std::vector<double> slip_x;
  std::vector<double> slip_y;
  // As in StepReport.
  double normal_force = 0.0;
  double approach = 0.0;
  double force_x = 0.0;
  double force_y = 0.0;
  double moment_z = 0.0;
  double rigid_x = 0.0;
  double rigid_y = 0.0;
  double rotation = 0.0;
  double friction_work = 0.0;
};

// The same for the tractions of the step before, if that dependence is included; fields have one
// value per element, or are empty for 0 everywhere.
struct StepBefore {
  std::vector<double> pressure;
  std::vector<double> traction_x;
  std::vector<double> traction_y;
};

// A change of a step's inputs; or the derivative of a scalar with respect to them.
struct StepInputs {
  std::vector<double> heights;  // undeformed distance of each element [length]
  // Coefficient of each element; if it depends on the slip, a common change of its static value and
  // of its value at every slip.
  std::vector<double> friction;
  // The parameters of a friction law that is the same everywhere; `fixed` is its static
  // coefficient, and the kinetic one changes with it unless it is given.
  LawNumbers law;
  double normal = 0.0;        // NormalLoad::value, a force or an approach
  double tangential_x = 0.0;  // TangentialLoad::value, whatever it controls
  double tangential_y = 0.0;
  double rotation = 0.0;   // Tangential::rotation, or the moment if that is prescribed
  double stiffness = 0.0;  // relative, of all moduli and of a layer, Poisson's ratios held
  StepBefore before;
};

// Held fixed: which elements are in contact, and whether each adheres or slips; where one of these
// changes, a scalar has two one-sided derivatives. Also held: the state of the step before unless
// it is given; and the undeformed distance if a shape follows a load (Hertz's).
class StepDerivatives {
 public:
  // step: the solved step; solution, report: its results. Throws InputError if it has no
  // derivatives: it did not converge, or combinations.h says why.
  // before: the solution that the step continued from; its tractions are then among the
  // inputs. Null: they are held fixed, and have no derivatives.
  // tolerance: accepted residual of a linear system relative to its right-hand side; 0: rounding.
  // make: where to solve the linear systems; empty, or out of memory there: on the CPU.
  StepDerivatives(const ContactProblem& problem, const StepInput& step,
                  const ContactSolution& solution, const StepReport& report,
                  const ContactSolution* before = nullptr, double tolerance = 0.0,
                  const StepSystemsMaker& make = {});
  ~StepDerivatives();
  StepDerivatives(const StepDerivatives&) = delete;
  StepDerivatives& operator=(const StepDerivatives&) = delete;

  // Returns dJ of the step's inputs, given dJ of its outputs in `seed`. Throws InputError for a
  // field of another size or a value that is not finite, and Error if the linear system has no
  // solution.
  StepInputs gradient(const StepOutputs& seed);
  // Returns the change of the outputs with the inputs. Throws like gradient().
  StepOutputs derivative(const StepInputs& direction);

  // Number of elements close to another state (THEORY.md 11.8): pressure below 1e-3 of the
  // greatest, a gap that 1e-3 of the greatest pressure would open, |q - rho s| within 1e-3 of the
  // bound.
  [[nodiscard]] std::int64_t near_change() const;

 private:
  class Linear;
  std::unique_ptr<Linear> linear_;
};

}  // namespace slipfield
