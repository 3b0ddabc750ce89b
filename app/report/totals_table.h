// SPDX-License-Identifier: Apache-2.0
// The totals of a result as lines of text, for `run` and `inspect`: a line for each point or step
// (for a wheel on a rail one for each contact of a step), and every number of a single step.
#pragma once

#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/report/shown_table.h"
#include "io/result/sweep_table.h"
#include "solver/problem.h"

namespace slipfield {

// Returns whether the total is meaningless without friction, where every element counts as slip.
bool needs_friction(std::string_view total);

// Value of a key at a point, with six digits if it is a number.
std::string value_text(const SweepInput& input, std::size_t point);

// SweepTable::total for people: 0 instead of rounding noise (without_noise), NaN if it is
// meaningless.
double shown_total(const SweepTable& table, std::string_view name, std::size_t row);

// Rounds 504.3 to 500: an estimate has no more digits.
double to_two_digits(double value);

// The columns of a table.
struct ShownTotals {
  std::vector<std::string> keys{};    // of a sweep; empty: the lines are steps
  std::vector<std::size_t> widths{};  // of their values
  bool by_contact = false;            // a line for each contact of a step
  std::vector<std::string> totals{};
};

// The totals wanted most of a contact; `motions`: those that were found.
std::vector<std::string> contact_totals(const std::vector<std::string>& motions, bool by_contact);
// The totals of a wheel on a rail, one wheel or both: the forces on the rails or, for cases that
// solve nothing else, its place.
std::vector<std::string> wheel_totals(bool both_wheels, bool place_only);

// Collects over all rows, which may come in blocks, what a table shows.
class TotalsSurvey {
 public:
  void add(const SweepTable& table);
  [[nodiscard]] const OutcomeCounts& counts() const { return counts_; }
  // Leaves out the totals that no row has.
  [[nodiscard]] ShownTotals shown() const;

 private:
  struct Motion {
    double least = std::numeric_limits<double>::infinity();
    double greatest = -std::numeric_limits<double>::infinity();
    std::vector<bool> set_by;  // for each key: true if it has the same values
  };
  // The file does not say which motions were found: the function takes those that vary between
  // points and that no key sets, and those that are not zero in a step.
  [[nodiscard]] std::vector<std::string> motions() const;

  OutcomeCounts counts_;
  ShownTotals shown_;  // keys, widths, by_contact
  std::set<std::string, std::less<>> with_numbers_;
  std::map<std::string, Motion> motions_;
};

class TotalsTable {
 public:
  // Shows the columns that fit into `width` characters; 0: all.
  TotalsTable(ShownTotals shown, Units units, int width);
  [[nodiscard]] std::vector<std::string> head() const;
  // The lines of the step or point with this first row.
  [[nodiscard]] std::vector<std::string> lines(const SweepTable& table, std::size_t first) const;

 private:
  void add_total(const std::string& name, int rank, Units units);
  void leave_out_single_wheels();
  [[nodiscard]] std::string line(const SweepTable& table, std::size_t first, std::size_t row,
                                 int contact) const;

  ShownTotals shown_;
  std::vector<TableColumn> columns_;
  std::vector<std::size_t> fitting_;  // indices of the columns
};

// Every number of the step with this first row, one per line: of the whole step, of each wheel and
// each contact. frictionless: leaves out those that need friction.
std::vector<std::string> number_lines(const SweepTable& table, std::size_t first, Units units,
                                      int width, bool frictionless);

}  // namespace slipfield
