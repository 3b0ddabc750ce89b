// SPDX-License-Identifier: Apache-2.0
// Contacts that a batch has solved and kept, and their derivatives, each by values of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "app/library/step_gradient.h"
#include "solver/batch/batch.h"
#include "solver/gradient/step_derivatives.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// One contact of one step. Of small contacts the batch keeps its own fields, from which the others
// follow.
struct KeptContact {
  ContactProblem problem;
  StepInput input;
  StepReport report;
  std::variant<BatchFields, ContactSolution> fields;
};

// Throws InputError where `found` has no value of this name.
const NamedValue& value_of(const NamedValues& found, const std::string& name);

// Throws as StepDerivatives.
std::unique_ptr<StepDerivatives> derivatives_of(const KeptContact& contact);

// By the names of StepGradient. Values of a name: those of the first contact, then of the next,
// ...; of a field all contacts have one grid. Computed side by side on threads of the CPU. Throw as
// StepGradient, naming the contact, counted from 0.
class BatchGradient {
 public:
  // threads: as many at a time; 0: as OpenMP has it.
  BatchGradient(std::vector<std::shared_ptr<const KeptContact>> contacts, int threads)
      : contacts_(std::move(contacts)), threads_(threads) {}

  [[nodiscard]] std::size_t count() const { return contacts_.size(); }
  // pressure, traction_x, traction_y, slip_x or slip_y.
  [[nodiscard]] std::vector<double> field(const std::string& name) const;
  // The inputs with derivatives.
  [[nodiscard]] std::vector<std::string> inputs() const;
  // Called by the calling thread between contacts; what it throws ends the work, and is thrown.
  using Watch = std::function<void()>;
  // One scalar for each contact, by its derivatives to outputs: its derivatives to these inputs.
  [[nodiscard]] NamedValues gradient(const NamedValues& seeds,
                                     const std::vector<std::string>& inputs,
                                     const Watch& watch = {}) const;
  // The changes of these outputs with those of inputs.
  [[nodiscard]] NamedValues derivative(const NamedValues& directions,
                                       const std::vector<std::string>& outputs,
                                       const Watch& watch = {}) const;

 private:
  template <class Find>
  NamedValues of_each(const NamedValues& given, const std::vector<std::string>& names,
                      const Watch& watch, const Find& find) const;

  std::vector<std::shared_ptr<const KeptContact>> contacts_;
  int threads_;
};

}  // namespace slipfield
