// SPDX-License-Identifier: Apache-2.0
// What is wrong with a contact problem, all of it at once, in the problem's own terms: the case
// reader turns a field into a key and its place in the file.
#pragma once

#include <string>
#include <vector>

#include "solver/problem.h"

namespace slipfield {

enum class FaultKind {
  senseless,   // nothing could be computed: makers of solvers and advance() refuse it
  no_solution  // a force that friction cannot carry: advance() reports it as not converged
};

struct Fault {
  std::string field;   // "upper.poisson_ratio", "geometry[0].radius", "steps[2].tangential.step"
  std::string reason;  // "0.9 is out of range"
  std::string remedy;  // what is accepted; `field: value` where another field is meant
  FaultKind kind = FaultKind::senseless;
};

// Every fault of every field, and of fields that do not go together; empty: it can be computed, as
// far as memory allows (memory_estimate.h).
std::vector<Fault> check_problem(const ContactProblem& problem);

// Only what does not go together (combinations.h), where geometry and bodies are not known.
std::vector<Fault> check_combinations(const ContactProblem& problem);

// Faults of a step of this problem, which may also be later than the steps it holds; fields begin
// with "step.". The rest of the problem has no fault. `checked`: a friction whose coefficients by
// place have been checked, often those of the step before.
std::vector<Fault> check_step(const ContactProblem& problem, const StepInput& step,
                              const Friction* checked = nullptr);

// Parts of check_problem, for readers that have no more yet. Fields begin with "body.", "grid.",
// "shape.", "friction.", "step.". `grid`: null where it is not known.
std::vector<Fault> check_body(const ElasticBody& body);
std::vector<Fault> check_grid(const Grid& grid);
std::vector<Fault> check_shape(const Shape& shape, const Grid* grid);
std::vector<Fault> check_friction(const Friction& friction);
std::vector<Fault> check_step(const StepInput& step, const Grid* grid,
                              const Friction* checked = nullptr);

// "upper.poisson_ratio: 0.9 is out of range; accepted: a number >= 0 and <= 0.5".
std::string fault_text(const Fault& fault);

// Throws InputError with a line for each fault that is senseless.
void require_sound(const std::vector<Fault>& faults);

// The coordinates of all elements, in one direction, are finite and differ.
bool resolves_elements(double origin, double spacing, int elements);

}  // namespace slipfield
