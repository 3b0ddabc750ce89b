// SPDX-License-Identifier: Apache-2.0
// Creep forces out of a table's bytes: slipfield_table.h, compiled once for the program and Python.
#pragma once

#include <array>
#include <cstddef>

#include "solver/table/slipfield_table.h"

namespace slipfield {

struct TableForces {
  std::array<double, 3> force{};       // F_x, F_y, M_z/c over mu F_n, or with units
  std::array<double, 9> derivative{};  // [3 i + k]: of force i by creepage k
  int status = SLIPFIELD_TABLE_OK;     // or _CLAMPED, or _NOT_FINITE with forces of 0
};

// Refers to the bytes, which are aligned for doubles. Throws Error if they are not a table.
class TableEvaluator {
 public:
  TableEvaluator(const void* bytes, std::size_t size);

  // At a/b and creepages as pure numbers; finite numbers, a/b above 0.
  [[nodiscard]] TableForces at(double ratio, const std::array<double, 3>& creepage) const;
  // In the contact's units.
  [[nodiscard]] TableForces at(const slipfield_table_rolling& contact) const;

 private:
  slipfield_table table_{};
};

}  // namespace slipfield
