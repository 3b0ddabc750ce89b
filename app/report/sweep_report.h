// SPDX-License-Identifier: Apache-2.0
// The table of a sweep as lines of text and as JSON, for `run`, `inspect` and `compare`.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/report/shown_table.h"
#include "io/result/sweep_table.h"
#include "solver/problem.h"

namespace slipfield {

// Value of a key in a point, numbers with six digits.
std::string value_text(const SweepInput& input, std::size_t point);

// SweepTable::total, for people: 0 where it is rounding (without_noise).
double shown_total(const SweepTable& table, const std::string& name, std::size_t row);

// What the lines of a table depend on, of all rows, which may come in blocks.
class SweepSurvey {
 public:
  void add(const SweepTable& table);

  [[nodiscard]] const OutcomeCounts& counts() const { return counts_; }
  [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }
  [[nodiscard]] const std::vector<std::size_t>& widths() const { return widths_; }
  // The total has a number in some row.
  [[nodiscard]] bool has(std::string_view total) const;
  // The shifts and creepages that vary and that no key sets.
  [[nodiscard]] std::vector<std::string> motions() const;

 private:
  struct Motion {
    double least = std::numeric_limits<double>::infinity();
    double greatest = -std::numeric_limits<double>::infinity();
    std::vector<bool> set_by;  // for each key: it has the same values
  };
  OutcomeCounts counts_;
  std::vector<std::string> keys_;
  std::vector<std::size_t> widths_;
  std::set<std::string, std::less<>> with_numbers_;
  std::map<std::string, Motion> motions_;
};

// The totals of a wheel on a rail, of one wheel or both: the forces on the rails, or, for cases that
// find nothing else, its place.
std::vector<std::string> wheel_totals(bool both_wheels, bool place_only);

// Lines of text: the values of the keys and the totals most looked for.
class SweepLines {
 public:
  // Before the points have run. found, width: as of StepTable. `totals`: shown instead of those of
  // a contact.
  SweepLines(const SweepTable& table, Units units, const std::vector<std::string>& found, int width,
             const std::vector<std::string>& totals = {});
  // After the points have run: leaves out totals that no point has.
  SweepLines(const SweepSurvey& survey, Units units, int width);
  [[nodiscard]] std::vector<std::string> head() const;
  [[nodiscard]] std::string row(const SweepTable& table, std::size_t first) const;

 private:
  void add_keys(const SweepSurvey& survey);
  void add_total(const std::string& name, const std::string& head, int rank, Units units);

  std::vector<std::string> totals_;  // in the order of their columns
  std::vector<TableColumn> columns_;
  std::vector<std::size_t> shown_;  // of the columns of the keys
};

// "200 points: 198 converged, 2 not_converged".
std::string sweep_summary(const SweepTable& table);
std::string sweep_summary(const OutcomeCounts& counts);

// How many points ended how, the units of the totals, and one object for each point with its inputs
// and all of its totals; not a number is null.
nlohmann::ordered_json sweep_json(const SweepTable& table, Units units);

}  // namespace slipfield
