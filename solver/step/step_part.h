// SPDX-License-Identifier: Apache-2.0
// A part of a step: one effect with all that it does. It adds to the problems that the loop of
// contact_step.h solves in rounds, says what these rounds have to do for it, follows what they
// found, reports, and remembers what the next step needs. step_parts.h makes the list of parts of a
// problem; the loop runs them in its order and names none.
//
// Every function has an empty default. They work on whole fields: the call for each round costs
// nothing, what is done for one element is an inlined operation (solver_backend.h).
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

// The parts add what they need of a round before it, in the order of the list.
struct RoundNeeds {
  // What the rounds bring to agree, as a message names it. Null: this round is the last one.
  const char* agree = nullptr;
  bool open = false;      // this round is not the last one, even if its change is small
  bool changes = false;   // what this round is given will change: its tractions need not be exact
  int leads = 0;          // parts that the tractions act on; rounds bring both only so much closer
  bool close = false;     // the change falls slowly: tractions to 0.05 of it, not to 0.01
  bool compares = false;  // the round's change of pressure and tractions is wanted
  bool relaxes = false;   // a part relaxes what it gives; the tractions stay as found
  bool presses = false;   // the tractions act on the normal problem
  bool exact_pressure = false;  // a part decides by the pressures of each round
  bool whole_law = true;        // newton's rows may follow all of a friction law at once
  int reach = 0;                // of the slip around the contact, in elements
  int most = GridLimits::kRounds;
};

// Sums of a finished step.
struct StepMeasures {
  StepTotals totals;
  StepResiduals residuals;
  bool frictional = false;  // elements in contact have a traction bound
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

  // Allocates in advance what the functions below allocate on first use; the step has begun, but
  // not its parts.
  virtual void reserve(const StepInput& /*step*/) {}

  // Before the first round of a step; the fields are those that the step before left.
  virtual void add_to_influence(const StepInput& /*step*/, InfluenceKind& /*kind*/) {}
  virtual void begin(const StepInput& /*step*/) {}

  // Before each try at the step: its first rounds, or those that tries_again() asked for. others:
  // needs of the parts before this one.
  virtual void begin_rounds(const StepInput& /*step*/, const RoundNeeds& /*others*/) {}

  // In each round, in this order.
  // The undeformed distance with what the tractions, or steps before, displace on top of h.
  virtual const Array<double>& add_to_distance(const Array<double>& h) { return h; }
  // The load on that distance, less what the part carries or with what it adds. False: nothing can
  // hold it, and the step fails.
  virtual bool take_load(NormalLoad& /*load*/) { return true; }
  // The normal problem is solved; true: it has to be, once more, with what the part now gives it.
  virtual bool follow_normal() { return false; }
  // The pressure is found, the contact entered.
  virtual void enter_contact(int /*round*/) {}
  virtual void add_needs(RoundNeeds& /*needs*/) const {}
  virtual void correct(int /*round*/) {}
  // Slip that neither the tractions nor the rigid slip make; scratch_x and scratch_y are free.
  virtual void add_to_slip(double* /*x*/, double* /*y*/) {}
  virtual void pose(const StepInput& /*step*/, int /*round*/, TangentialTask& /*task*/) {}
  // False: the tractions found are not wanted, and the round is to be repeated in another way.
  virtual bool accepts(const StepInput& /*step*/, const TangentialResult& /*found*/) {
    return true;
  }
  // Follows the tractions of the round; returns how far it was from them, as part of what it gave.
  virtual double update(const StepInput& /*step*/, int /*round*/, const OuterChanges& /*changes*/) {
    return 0.0;
  }

  // After a try that ended without agreement: whether there is another way to try.
  virtual bool tries_again(const StepInput& /*step*/, Ending /*ending*/) { return false; }
  // Where there is none, what the message says about it.
  virtual void explain(const StepInput& /*step*/, Ending /*ending*/, std::string& /*message*/) {}
  // After a try that ended in agreement: what the user should know.
  virtual void remark(const StepInput& /*step*/, StepReport& /*report*/) {}

  // After the rounds, whatever they found.
  virtual void add_to_displacements() {}
  virtual void report(const StepInput& /*step*/, StepMeasures& /*found*/, StepReport& /*report*/) {}
  virtual void finish(const StepInput& /*step*/, StepReport& /*report*/) {}
  // Outside the step's time and products.
  virtual void estimate(const StepInput& /*step*/, StepReport& /*report*/) {}

  // As if no step had been before; to and from a saved state.
  virtual void clear() {}
  virtual void save(SolverState& /*state*/) const {}
  virtual void restore(const SolverState& /*state*/, const StepInput& /*last*/) {}

 protected:
  StepModel<Backend>& model_;
};

}  // namespace slipfield
