// SPDX-License-Identifier: Apache-2.0
// A part of a step implements one effect completely: it adds to the problems that the loop of
// contact_step.h solves in rounds, states what the rounds have to do for it, follows their results,
// reports, and remembers what the next step needs. step_parts.h makes the list of parts of a
// problem; the loop runs them in this order and names none.
//
// Every function has an empty default. The functions work on whole fields, so a virtual call per
// round costs nothing; work per element is an inlined operation (solver_backend.h).
#pragma once

#include <string>

#include "solver/contact_solver.h"
#include "solver/fields/fixed_point_ops.h"
#include "solver/fields/iteration_limits.h"
#include "solver/fields/solver_backend.h"
#include "solver/fields/step_ops.h"
#include "solver/influence/influence_table.h"
#include "solver/problem.h"
#include "solver/solution.h"
#include "solver/step/step_model.h"
#include "solver/step/step_outcome.h"
#include "solver/tangential/tangential_task.h"

namespace slipfield {

// Each part adds its requirements, in list order.
struct RoundNeeds {
  // What must agree between rounds, for messages. Null: this round is the last one.
  const char* agree = nullptr;
  bool open = false;      // this round is not the last one, even if its change is small
  bool changes = false;   // the input of this round will change: its tractions need not be exact
  int leads = 0;          // parts that depend on the tractions: rounds converge only linearly
  bool loosely = false;   // tractions accurate to a large part of the change suffice
  bool corrects = false;  // this round's tractions decide whether a correction has settled
  bool compares = false;  // the outer iteration measures the change of pressure and tractions
  bool relaxes = false;   // a part relaxes its own input; the tractions stay as found
  bool presses = false;   // the tractions act on the normal problem
  bool exact_pressure = false;  // a part makes decisions from the pressures of each round
  bool whole_law = true;        // newton's rows may follow all of a friction law at once
  int reach = 0;                // elements around the contact whose slip is needed
  int most = GridLimits::kRounds;
};

// Sums of a finished step.
struct StepMeasures {
  StepTotals totals;
  StepResiduals residuals;
  bool frictional = false;  // elements in contact must have a traction bound
};

template <SolverBackend Backend>
class StepPart {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  explicit StepPart(StepModel<Backend>& model) : model_(model) {}
  virtual ~StepPart() = default;
  StepPart(const StepPart&) = delete;
  StepPart& operator=(const StepPart&) = delete;
  StepPart(StepPart&&) = delete;
  StepPart& operator=(StepPart&&) = delete;

  // ContactSolver::follow_friction.
  virtual void follow_friction(FrictionFollower& /*follower*/) {}
  // Allocates in advance what the functions below allocate on first use. StepModel::begin() has
  // run, the parts' begin() has not.
  virtual void reserve(const StepInput& /*step*/) {}

  // Called before the first round of a step; the fields are those of the step before.
  virtual void add_to_influence(const StepInput& /*step*/, InfluenceKind& /*kind*/) {}
  virtual void begin(const StepInput& /*step*/) {}

  // Called before each try at the step: its first rounds, or those requested by tries_again().
  // others: needs of the parts before this one.
  virtual void begin_rounds(const StepInput& /*step*/, const RoundNeeds& /*others*/) {}

  // Called in each round, in this order.
  //
  // Returns the undeformed distance h plus the displacement by the tractions, or by earlier steps.
  virtual const Array<double>& add_to_distance(const Array<double>& h) { return h; }
  // Changes the load into the one that acts on that distance, without what the part carries and
  // with what it adds. Returns false if no contact can hold the load; the step then fails.
  virtual bool take_load(NormalLoad& /*load*/) { return true; }
  // Called after the normal problem is solved. Returns true if it must be solved again.
  virtual bool follow_normal() { return false; }
  // The pressure is known and the elements in contact are determined.
  virtual void enter_contact(int /*round*/) {}
  virtual void add_needs(RoundNeeds& /*needs*/) const {}
  virtual void correct(int /*round*/) {}
  // Adds slip due to neither the tractions nor the rigid slip; scratch_x and scratch_y are free.
  virtual void add_to_slip(double* /*x*/, double* /*y*/) {}
  virtual void pose(const StepInput& /*step*/, int /*round*/, TangentialTask& /*task*/) {}
  // Returns false to reject the tractions found; the round is then repeated in another way.
  virtual bool accepts(const StepInput& /*step*/, const TangentialResult& /*found*/) {
    return true;
  }
  // Updates the part from the tractions of the round; returns its relative change.
  virtual double update(const StepInput& /*step*/, int /*round*/, const OuterChanges& /*changes*/) {
    return 0.0;
  }

  // After a try without agreement: returns true if the part offers another way to try.
  virtual bool tries_again(const StepInput& /*step*/, Ending /*ending*/) { return false; }
  // If no part does: adds to the message why the step failed.
  virtual void explain(const StepInput& /*step*/, Ending /*ending*/, std::string& /*message*/) {}
  // After a try that ended in agreement: adds remarks for the user.
  virtual void remark(const StepInput& /*step*/, StepReport& /*report*/) {}

  // After the rounds, whatever they found.
  virtual void add_to_displacements() {}
  virtual void report(const StepInput& /*step*/, StepMeasures& /*found*/, StepReport& /*report*/) {}
  virtual void finish(const StepInput& /*step*/, StepReport& /*report*/) {}
  // Not counted in the step's time and matrix products.
  virtual void estimate(const StepInput& /*step*/, StepReport& /*report*/) {}

  // clear(): back to an unloaded contact. save(), restore(): to and from a saved state.
  virtual void clear() {}
  virtual void save(SolverState& /*state*/) const {}
  virtual void restore(const SolverState& /*state*/, const StepInput& /*last*/) {}

 protected:
  StepModel<Backend>& model_;
};

}  // namespace slipfield
