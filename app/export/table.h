// SPDX-License-Identifier: Apache-2.0
// Numbers of a result as a table for other programs and for papers.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "io/result/any_result.h"
#include "io/result/reader.h"

namespace slipfield {

// A column of numbers, or of texts if it has any.
struct ExportColumn {
  std::string name;  // as in the result: "force_ratio_x"
  std::string unit;  // "N/mm^2"; "-": none
  std::vector<double> numbers;
  std::vector<std::string> texts;
  std::string label;       // for people: "longitudinal force / µFₙ"
  double factor = 1.0;     // converts the number to the label's unit
  std::string label_unit;  // "%"
  bool is_key = false;     // identifies the row, and is not a total
};

struct ExportTable {
  std::vector<ExportColumn> columns;  // all of the same length

  [[nodiscard]] std::size_t rows() const;
};

// RFC 4180 with \n at the ends of lines. The header has names and units, "force_x [N]"; numbers
// have enough digits to be read back unchanged; NaN is an empty cell.
std::string csv_text(const ExportTable& table);
// Only the rows of csv_text(), to append to a table.
std::string csv_rows(const ExportTable& table);

// A `tabular` with the rules of booktabs: names, units and numbers of five digits; NaN is a dash.
std::string latex_text(const ExportTable& table);

// Escapes LaTeX's special characters; sets "µ" and "Fₙ" in mathematics.
std::string latex_escaped(const std::string& text);

// --- Selecting the parts of a result for a table (gather.cpp).

// What a row of a table of totals stands for: a step with all its sides as columns, or a step, side
// or contact.
enum class ExportedRows { steps, parts };
// The rows of a result's table: the columns that identify a row, as far as the rows of this result
// differ in them, the keys, the totals. They are the same for each block of a table. `quantities`:
// names of total_names(); empty: all that the table has. Throws InputError for a quantity that no
// row has; `file`: the name for that message.
ExportTable export_totals(const AnyResult& any, const SweepTable& table, ExportedRows rows,
                          const std::vector<std::string>& quantities, const std::string& file);
// Converts the table to one row per number: its name, value and unit.
ExportTable long_table(const ExportTable& table);

// Names of the totals that a paper shows: forces, their motions, the greatest pressure.
std::vector<std::string> telling_totals(const SweepTable& table);

// Fields of a step with the coordinates of its elements, x fastest. `along` 'x' or 'y' selects one
// row of elements: through `at`, or through the middle of the pressure. Throws InputError if the
// file does not have a field.
struct ExportedElements {
  std::vector<std::string> fields;
  char along = ' ';  // ' ': all elements
  std::optional<std::array<double, 2>> at;
};
ExportTable export_fields(const ResultFile& result, const ResultStep& step,
                          const ExportedElements& request);

}  // namespace slipfield
