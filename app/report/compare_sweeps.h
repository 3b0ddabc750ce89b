// SPDX-License-Identifier: Apache-2.0
// How far the tables of two sweeps differ, column by column.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "io/result/sweep_reader.h"

namespace slipfield {

struct ColumnDifference {
  std::string name;
  // Greatest |a - b| of a point over the greatest |a| of all points, of the column and its kin (all
  // forces, all lengths, ...): a total that is 0 but for rounding has no digits of its own.
  double of_kin = 0.0;
  std::size_t point = 0;  // where it is greatest, from 1
};

struct SweepDifference {
  std::vector<ColumnDifference> columns;  // without iterations, counts, residual and times
  std::vector<std::size_t> unequal;       // points, from 1, that ended otherwise in the other
  // Points, from 1, that ended alike in both and did not converge: their totals are compared.
  std::vector<std::size_t> not_converged;

  [[nodiscard]] bool equal(double tolerance) const;
};

// Throws InputError where the keys, their values or the units differ.
SweepDifference compare_sweeps(const SweepFile& first, const SweepFile& second,
                               const std::string& first_name, const std::string& second_name);

std::vector<std::string> difference_table(const SweepDifference& difference, double tolerance);
nlohmann::ordered_json difference_json(const SweepDifference& difference, double tolerance);

}  // namespace slipfield
