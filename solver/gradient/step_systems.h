// SPDX-License-Identifier: Apache-2.0
// What the derivatives of a step need from a backend (step_derivatives.h): products of operators,
// and the linear systems of the pressures and of the tractions.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "solver/fields/newton_ops.h"
#include "solver/influence/block.h"
#include "solver/influence/influence_table.h"
#include "solver/normal/normal_ops.h"
#include "solver/problem.h"

namespace slipfield {

// The part of the grid around a contact, and the displacements on it.
struct SystemsTask {
  Grid grid;
  CombinedMaterial material;
  InfluenceMethod method = InfluenceMethod::automatic;
  InfluenceKind kind;
};

// All fields are in host memory. Not thread-safe.
class StepSystems {
 public:
  virtual ~StepSystems() = default;

  // Called between products if it is set; what it throws leaves the member that multiplies.
  std::function<void()> between{};

  // Hold the result while calling members: it may make the backend's device the thread's own.
  [[nodiscard]] virtual std::shared_ptr<void> enter() const { return {}; }

  // Operators have numbers: 0 is that of the task; this adds another one for the same bodies.
  virtual int add_operator(const Grid& grid, const InfluenceKind& kind) = 0;
  [[nodiscard]] virtual double self(int number, Component component) = 0;
  virtual void multiply(int number, Block block, const TractionField& tractions,
                        const DisplacementField& displacements) = 0;

  // Sets the ElementState of each element of the task's grid, before what follows.
  virtual void set_contact(const std::vector<unsigned char>& division) = 0;
  // Like NormalSolver::respond, with operator 0.
  virtual std::optional<double> respond(Held held, double wanted, double* h, double* v) = 0;

  // Sets the rows of the tractions, J = (I - D) + rho D S, from fields on the task's grid.
  virtual void set_rows(const NewtonFields& rows) = 0;
  // Chooses the operator S, and sets what its preconditioner needs.
  virtual void set_across(int number, const AcrossSymbol& symbol) = 0;
  // Solves J v = b at the given places of a Krylov vector; v replaces b. wanted: accepted residual
  // relative to |b|. Returns whether v was found, like solve_columns().
  virtual bool solve_tractions(int number, const std::vector<std::size_t>& places, double wanted,
                               double* b) = 0;
  // The same with dense factors; contact: the elements; in b all x come before all y.
  virtual void solve_densely(int number, const std::vector<int>& contact, double* b) = 0;
};

// Creates the systems where the step was solved, or elsewhere.
using StepSystemsMaker = std::function<std::unique_ptr<StepSystems>(const SystemsTask& task)>;
std::unique_ptr<StepSystems> make_cpu_step_systems(const SystemsTask& task);

}  // namespace slipfield
