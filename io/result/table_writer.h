// SPDX-License-Identifier: Apache-2.0
// Writes /table of a result (RESULT.md): columns of equal length with a row for each point, step,
// side and contact.
//
// Rows that come in one call are written as they are; for several calls each column has chunks of
// kSweepBlock rows and grows. A total that no row has gets no column.
#pragma once

#include <set>
#include <string>

#include "io/hdf5/handle.h"
#include "io/result/sweep_table.h"
#include "solver/problem.h"

namespace slipfield {

inline constexpr std::string_view kTableGroup = "table";
inline constexpr std::string_view kTouchesEdgeName = "touches_edge";

class TableWriter {
 public:
  // Makes the group in the root of a file.
  TableWriter(hid_t root, Units units);

  // Records which points of a sweep the table has.
  void describe(const SweepLayout& layout);
  // Appends rows with the same keys; `all`: no others follow. Throws Hdf5Error.
  void write(const SweepTable& rows, bool all);
  // Writes the coordinates of the columns.
  void finish();

 private:
  // Writes rows of a column of any type; makes its dataset if it is new.
  template <typename T>
  void write_column(const std::string& name, const std::vector<T>& values, std::string_view unit,
                    std::string_view description);
  template <typename T>
  void grow_column(const std::string& name, const std::vector<T>& values);
  void write_inputs(const SweepTable& rows);
  void write_worn(const SweepTable& rows);

  Units units_;
  hdf5::Handle group_;
  std::set<std::string> columns_;
  std::size_t before_ = 0;  // rows written so far
  bool all_ = false;
};

}  // namespace slipfield
