// SPDX-License-Identifier: Apache-2.0
// How far the tables of two sweeps differ, column by column.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "io/result/any_result.h"

namespace slipfield {

struct ColumnDifference {
  std::string name;
  // Greatest |a - b| of a point over the greatest |a| of all points, of the column and its kin (all
  // forces, all lengths, ...): a total that is 0 except for rounding has no digits of its own.
  double of_kin = 0.0;
  std::size_t point = 0;  // where it is greatest, from 1
};

// Points or steps that only one of two runs reached, for example because the other was interrupted:
// they are compared with nothing.
struct NotRun {
  std::vector<std::size_t> first;   // points or steps that the first file has not run, from 1
  std::vector<std::size_t> second;  // likewise
  std::size_t both_ran = 0;
  std::string row = "point";  // or "step"
};

struct SweepDifference {
  std::vector<ColumnDifference> columns;  // without iterations, counts, residual and times
  std::vector<std::size_t> unequal;       // points, from 1, that ended otherwise in the other
  // Points, from 1, that did not converge in either, with the same outcome: their totals are
  // compared.
  std::vector<std::size_t> not_converged;
  NotRun not_run;

  // The points that both files have run are the same.
  [[nodiscard]] bool agrees(double tolerance) const;
  // The same, and neither has run a point that the other has not.
  [[nodiscard]] bool equal(double tolerance) const;
};

// Throws InputError where the keys, their values or the units differ, or no point was run in both.
SweepDifference compare_sweeps(const AnyResult& first, const AnyResult& second,
                               const std::string& first_name, const std::string& second_name);

std::vector<std::string> difference_table(const SweepDifference& difference, double tolerance);
// "  not run in a: 2 steps: 3 4", a line for each file that misses some.
std::vector<std::string> not_run_lines(const NotRun& not_run);
// "equal within 1e-05", "DIFFERENT within 1e-05", and what was compared where points are missing.
std::string verdict(bool agrees, const NotRun& not_run, double tolerance);
nlohmann::ordered_json not_run_json(const NotRun& not_run);
nlohmann::ordered_json difference_json(const SweepDifference& difference, double tolerance);

}  // namespace slipfield
