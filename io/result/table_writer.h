// SPDX-License-Identifier: Apache-2.0
// Writes /table of a result (RESULT.md): columns of equal length with a row for each point, step,
// side and contact.
//
// Rows that come at once are written as they are; of more, each column is in chunks of kSweepBlock
// rows and grows. A total that no row has has no column.
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

  // Which points of a sweep the table has.
  void describe(const SweepLayout& layout);
  // Rows behind those so far, with the same keys; `all`: no others follow. Throws
  // Hdf5Error.
  void write(const SweepTable& rows, bool all);
  // The coordinates of the columns.
  void finish();

 private:
  // A column of any type: its dataset, where it is new, and its rows.
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
  std::size_t before_ = 0;  // rows
  bool all_ = false;
};

}  // namespace slipfield
