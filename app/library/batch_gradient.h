// SPDX-License-Identifier: Apache-2.0
// Derivatives of the contacts that a batch has solved and kept, with separate values for each.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/library/step_gradient.h"
#include "solver/batch/batch.h"
#include "solver/gradient/batch_adjoint.h"
#include "solver/gradient/step_derivatives.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// One contact of one step. For small contacts the batch keeps only its own fields; the other fields
// are computed from them.
struct KeptContact {
  ContactProblem problem;
  StepInput input;
  StepReport report;
  std::variant<BatchFields, ContactSolution> fields;
};

// Linear systems of gradients end at this fraction of the solution's own tolerance.
inline constexpr double kGradientOfTolerance = 0.1;

// Which fields of a gradient these inputs are; the others need not be made.
AdjointOptions fields_among(const std::vector<std::string>& inputs);

// Throws InputError if `found` has no value of this name.
const NamedValue& value_of(const NamedValues& found, const std::string& name);

// Throws like StepDerivatives.
std::unique_ptr<StepDerivatives> derivatives_of(const KeptContact& contact);

struct BatchesOnCard;

// Derivatives of all contacts by the names of StepGradient. The values of a name are those of the
// first contact, then of the next, and so on; with fields all contacts must have the same grid.
// Gradients of small contacts are computed together, on the GPU if one is given; all else by
// threads of the CPU, side by side. Errors are those of StepGradient and name the contact, counted
// from 0.
class BatchGradient {
 public:
  // threads: contacts at a time; 0: OpenMP's default.
  // gpu: number of the device, whose memory for gradients stays with this object.
  BatchGradient(std::vector<std::shared_ptr<const KeptContact>> contacts, int threads,
                std::optional<int> gpu = {});

  [[nodiscard]] std::size_t count() const { return contacts_.size(); }
  // pressure, traction_x, traction_y, slip_x or slip_y.
  [[nodiscard]] std::vector<double> field(const std::string& name) const;
  // The inputs with derivatives.
  [[nodiscard]] std::vector<std::string> inputs() const;
  // Called by the calling thread between contacts; an exception from it ends the work and is
  // rethrown.
  using Watch = std::function<void()>;
  // One scalar per contact: from its derivatives to outputs, computes its derivatives to the
  // inputs.
  [[nodiscard]] NamedValues gradient(const NamedValues& seeds,
                                     const std::vector<std::string>& inputs,
                                     const Watch& watch = {}) const;
  // Computes the changes of these outputs from changes of inputs.
  [[nodiscard]] NamedValues derivative(const NamedValues& directions,
                                       const std::vector<std::string>& outputs,
                                       const Watch& watch = {}) const;

 private:
  void require_sizes(const NamedValues& given) const;
  [[nodiscard]] NamedValues of_contact(const NamedValues& given, std::size_t i) const;
  // find(i): the values found for contact i, by name.
  template <class Find>
  NamedValues of_each(const std::vector<std::string>& names, const Watch& watch,
                      const Find& find) const;
  std::vector<AdjointSolution> solve_together(const NamedValues& seeds,
                                              const std::vector<std::string>& inputs,
                                              const Watch& watch) const;

  std::vector<std::shared_ptr<const KeptContact>> contacts_;
  int threads_;
  std::optional<int> gpu_;
  std::shared_ptr<BatchesOnCard> on_card_;  // if a GPU is given
};

}  // namespace slipfield
