// SPDX-License-Identifier: Apache-2.0
// What of a result goes into an exported table.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/export/table.h"
#include "io/result/any_result.h"
#include "io/result/reader.h"

namespace slipfield {

// Rows of a result's table: which they are, as far as these rows differ in it, the keys, the totals.
// `quantities`: names of total_names(); empty: all that the table has. Throws InputError for one
// that no row has; `file`: its name for that message.
ExportTable export_totals(const AnyResult& any, const SweepTable& table,
                          const std::vector<std::string>& quantities, const std::string& file);
// A row for each number of the table instead: its name, value and unit.
ExportTable long_table(const ExportTable& table);

// The table with the totals that a paper shows: forces, their motions, the greatest pressure.
std::vector<std::string> telling_totals(const SweepTable& table);

// Fields of a step with the coordinates of its elements, x fastest; with `along`, 'x' or 'y', of
// one row of elements: through `at`, or through the middle of the pressure. Throws InputError where
// the file does not have a field.
struct ExportedElements {
  std::vector<std::string> fields;
  char along = ' ';  // ' ': all elements
  std::optional<std::array<double, 2>> at;
};
ExportTable export_fields(const ResultFile& result, const ResultStep& step,
                          const ExportedElements& request);

}  // namespace slipfield
