// SPDX-License-Identifier: Apache-2.0
// How far two results of a step differ, field by field and in their totals.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// One side of a comparison.
struct StepResult {
  int number = 0;
  StepInput input;
  StepReport report;
  ContactSolution solution;  // fields that a file does not hold are empty
};

struct FieldDifference {
  std::string name;
  double relative = 0.0;  // |a - b|/|a|, L2 over the elements; infinite where a is 0 and b is not
  // The same over the norm of the field and its kin (tractions; displacements, gap and slip). This
  // one is judged, since a component that is 0 except for rounding has no digits of its own.
  double of_kin = 0.0;
};

struct TotalDifference {
  std::string name;
  double first = 0.0;
  double second = 0.0;
  double of_kin = 0.0;  // |a - b| over the greatest of its kin (total_kin.h)
};

struct StepDifference {
  int number = 0;
  std::vector<FieldDifference> fields;  // those that both sides hold
  std::vector<TotalDifference> totals;
  std::vector<std::string>
      of_one;                 // fields and totals that only one side holds: they are not compared
  bool has_division = false;  // both have
  std::vector<std::size_t> differing;  // elements whose division differs
  bool both_converged = true;
  bool ended_alike = true;  // both converged, or neither did

  // Both ended in the same way, every field and every total is within the tolerance (relative to
  // its kin), and every element is in the same state.
  [[nodiscard]] bool equal(double tolerance) const;
};

// Throws InputError where the grids have different sizes.
StepDifference compare_steps(const StepResult& first, const StepResult& second);

std::vector<std::string> difference_table(const StepDifference& difference, const Grid& grid,
                                          double tolerance);
nlohmann::ordered_json difference_json(const StepDifference& difference, double tolerance);

}  // namespace slipfield
