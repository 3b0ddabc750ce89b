// SPDX-License-Identifier: Apache-2.0
// Finds all faults of a contact problem at once, in the problem's own terms: the case reader
// translates a field into a key and its place in the file.
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
  std::string remedy;  // what is accepted; `field: value` if another field must change
  FaultKind kind = FaultKind::senseless;
};

// All faults of all fields and of combinations of fields; if there are none the problem can be
// computed, provided there is enough memory (memory_estimate.h).
std::vector<Fault> check_problem(const ContactProblem& problem);

// Only the excluded combinations (combinations.h), when geometry and bodies are not yet known.
std::vector<Fault> check_combinations(const ContactProblem& problem);

// Faults of a step of this problem, possibly later than the steps it holds; field names start with
// "step.". The rest of the problem must be faultless. checked: a friction whose coefficients by
// place were already checked, often those of the step before.
std::vector<Fault> check_step(const ContactProblem& problem, const StepInput& step,
                              const Friction* checked = nullptr);

// Parts of check_problem, for readers that know only part of a problem. Field names start with
// "body.", "grid.", "shape.", "friction.", "step.". grid: null if unknown.
std::vector<Fault> check_body(const ElasticBody& body);
std::vector<Fault> check_grid(const Grid& grid);
std::vector<Fault> check_shape(const Shape& shape, const Grid* grid);
std::vector<Fault> check_friction(const Friction& friction);
std::vector<Fault> check_step(const StepInput& step, const Grid* grid,
                              const Friction* checked = nullptr);

// "upper.poisson_ratio: 0.9 is out of range; accepted: a number >= 0 and <= 0.5".
std::string fault_text(const Fault& fault);

// Throws InputError with a line for each senseless fault.
void require_sound(const std::vector<Fault>& faults);

// Whether the coordinates of all elements in one direction are finite and differ.
bool resolves_elements(double origin, double spacing, int elements);

}  // namespace slipfield
