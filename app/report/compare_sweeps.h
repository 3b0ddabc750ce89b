// SPDX-License-Identifier: Apache-2.0
// How far the tables of two sweeps differ, column by column.
#pragma once

#include <filesystem>
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

struct SweepDifference {
  std::vector<ColumnDifference> columns;  // without iterations, counts, residual and times
  std::vector<std::size_t> unequal;       // points, from 1, that ended otherwise in the other
  // Points, from 1, that did not converge in either, with the same outcome: their totals are
  // compared.
  std::vector<std::size_t> not_converged;
  // Points, from 1, that the first or the second file has not run, as an interrupted sweep: they
  // are compared with nothing.
  std::vector<std::size_t> not_run_first;
  std::vector<std::size_t> not_run_second;
  std::size_t both_ran = 0;   // points
  std::string row = "point";  // or "step", with their numbers

  // The points that both files have run are the same.
  [[nodiscard]] bool agrees(double tolerance) const;
  // The same, and neither has run a point that the other has not.
  [[nodiscard]] bool equal(double tolerance) const;
};

// Throws InputError where the keys, their values or the units differ, or no point was run in both.
SweepDifference compare_sweeps(const AnyResult& first, const AnyResult& second,
                               const std::string& first_name, const std::string& second_name);

std::vector<std::string> difference_table(const SweepDifference& difference, double tolerance);
// "equal within 1e-05", "DIFFERENT within 1e-05", and what was compared where points are missing.
std::string verdict(const SweepDifference& difference, double tolerance);
nlohmann::ordered_json difference_json(const SweepDifference& difference, double tolerance);

}  // namespace slipfield
