// SPDX-License-Identifier: Apache-2.0
// What the derivatives of a step ask of a backend (step_derivatives.h): products of operators, and
// the linear systems of the pressures and of the tractions.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "solver/fields/newton_ops.h"
#include "solver/influence/block.h"
#include "solver/influence/influence_table.h"
#include "solver/problem.h"

namespace slipfield {

// The part of the grid around a contact, and the displacements on it.
struct SystemsTask {
  Grid grid;
  CombinedMaterial material;
  InfluenceMethod method = InfluenceMethod::automatic;
  InfluenceKind kind;
};

// All fields are in the host's memory. One thread at a time.
class StepSystems {
 public:
  virtual ~StepSystems() = default;

  // Hold the result while calling members: it may make the backend's device the thread's own.
  [[nodiscard]] virtual std::shared_ptr<void> enter() const { return {}; }

  // Operators are named by numbers: 0 is the task's; this makes another, of the same bodies.
  virtual int add_operator(const Grid& grid, const InfluenceKind& kind) = 0;
  [[nodiscard]] virtual double self(int number, Component component) = 0;
  virtual void multiply(int number, Block block, const TractionField& tractions,
                        const DisplacementField& displacements) = 0;

  // As NormalSolver's, by operator 0.
  virtual bool follow_approach(const std::vector<unsigned char>& contact, double elements,
                               const double* displaced, double tolerance, double* q,
                               double* moved) = 0;

  // The rows of the tractions, J = (I - D) + rho D S, from fields of the task's grid.
  virtual void set_rows(const NewtonFields& rows) = 0;
  // Which operator is S, and what its preconditioner needs.
  virtual void set_across(int number, const AcrossSymbol& symbol) = 0;
  // J v = b on the places of a Krylov vector, where b becomes v. wanted: how much of |b| may be
  // left. Returns whether v was found, as solve_columns().
  virtual bool solve_tractions(int number, const std::vector<std::size_t>& places, double wanted,
                               double* b) = 0;
  // The same by dense factors; contact: the elements, whose x come before y in b.
  virtual void solve_densely(int number, const std::vector<int>& contact, double* b) = 0;
};

// Makes them where the step was solved, or elsewhere.
using StepSystemsMaker = std::function<std::unique_ptr<StepSystems>(const SystemsTask& task)>;

}  // namespace slipfield
