// SPDX-License-Identifier: Apache-2.0
// The table of a result: totals with a row for each point, step, side and contact, and the values
// of a sweep's keys; the whole table or a block of consecutive points. Rows of a point are
// consecutive, as in the file: its step, then each side followed by its contacts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/result/field_table.h"
#include "io/result/wheel/table.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

inline constexpr int kMaxSweepPoints = 10'000'000;
// Points of a sweep in memory at a time, and rows in a piece of its file.
inline constexpr int kSweepBlock = 8192;

// Consecutive points of a sweep, numbered from 1.
struct PointRange {
  int first = 1;
  int count = 0;

  [[nodiscard]] int end() const { return first + count; }  // one past the last
  [[nodiscard]] bool contains(const PointRange& other) const {
    return other.first >= first && other.end() <= end();
  }
  friend bool operator==(const PointRange&, const PointRange&) = default;
};
// The points in both ranges; a count of 0 if none.
PointRange common_points(const PointRange& a, const PointRange& b);
// "point 7", "points 31 to 45".
std::string points_text(const PointRange& points);
// The ranges of kSweepBlock points, the last one shorter.
std::vector<PointRange> blocks_of(const PointRange& points);

// One of `of` parts of a sweep, run independently; numbered from 1.
struct Shard {
  int index = 1;
  int of = 1;

  [[nodiscard]] bool is_whole() const { return of == 1; }
};
std::string shard_text(const Shard& shard);  // "3/64"
// Nothing if the text has another form or a number is out of range.
std::optional<Shard> shard_from_text(std::string_view text);
// Consecutive points; the first shards may have one more than the others.
PointRange points_of_shard(const Shard& shard, int count);

// The points of a sweep in a file.
struct SweepLayout {
  PointRange points;
  std::vector<std::size_t> shape;  // of the whole sweep: points of each entry
  Shard shard;                     // the shard of the file

  [[nodiscard]] PointRange whole() const;  // all points of the sweep
};

enum class Spacing { linear, logarithmic };

// The values of one key, point by point.
struct SweepInput {
  std::string key;                 // key.path, as for --set
  std::vector<std::string> texts;  // YAML in one line
  std::vector<double> numbers;     // empty unless every value is a number
  Spacing spacing = Spacing::linear;

  [[nodiscard]] bool is_number() const { return !numbers.empty(); }
};

// The shortest text of the number.
std::string number_as_text(double number);

enum class PointOutcome : std::uint8_t {
  converged = 0,
  not_converged = 1,  // at least one step did not
  failed = 2,         // ended by an error
  not_run = 3         // the sweep ended before it
};
std::string_view point_outcome_name(PointOutcome outcome);

// A total, row by row; NaN if the row does not have it.
struct SweepColumn {
  std::string name;  // one of total_names()
  std::vector<double> values;
};

// Identifies a row.
struct RowKey {
  int point = 1;
  int step = 0;      // 0: the point has not run
  std::string side;  // "left", "right", "both": for a wheel on a rail; else empty
  int contact = 0;   // of that side, from 1; 0: the totals of the step or side

  friend bool operator==(const RowKey&, const RowKey&) = default;
};

struct SweepTable {
  int first_point = 1;             // set even without rows
  std::vector<RowKey> keys;        // of each row, in the order of points and steps
  std::vector<SweepInput> inputs;  // row by row
  std::vector<std::size_t> shape;  // points of each entry of the sweep, the last one fastest
  std::vector<SweepColumn> columns;
  std::vector<PointOutcome> outcomes;
  std::vector<std::string> messages;       // why it did not converge, or its remark; in first rows
  std::vector<std::string> warnings;       // a line for each; in first rows
  std::vector<std::uint8_t> touches_edge;  // 1 if contact reaches the edge of the grid
  std::vector<WornRows> worn;              // of contacts, in sweeps

  [[nodiscard]] std::size_t count() const { return outcomes.size(); }
  [[nodiscard]] bool has_totals(std::size_t row) const {
    return outcomes[row] == PointOutcome::converged || outcomes[row] == PointOutcome::not_converged;
  }
  // Returns whether the row is the first of its point and step.
  [[nodiscard]] bool is_first(std::size_t row) const {
    return row == 0 || keys[row].point != keys[row - 1].point ||
           keys[row].step != keys[row - 1].step;
  }
  // The first row of each point and step; one past the last row of the step that begins at `first`.
  [[nodiscard]] std::vector<std::size_t> steps() const;
  [[nodiscard]] std::size_t end_of_step(std::size_t first) const;
  // The first row of a point that the table has.
  [[nodiscard]] std::size_t row_of(int point) const;
  // The side's prefix in tables with one row per step: nothing, "left_", "right_".
  [[nodiscard]] std::string prefix_of(std::size_t row) const;
  // A total of a step by its first row; with a prefix, of one side.
  [[nodiscard]] double total(std::size_t first, std::string_view name) const;
  // nullptr if there is no such column.
  [[nodiscard]] const SweepColumn* find(std::string_view name) const;
  [[nodiscard]] const SweepInput* find_input(std::string_view key) const;
  [[nodiscard]] PointRange points() const {
    return {first_point, keys.empty() ? 0 : keys.back().point + 1 - first_point};
  }
  // "friction.coefficient = 0.3, normal.force = 10".
  [[nodiscard]] std::string describe(std::size_t row) const;
};

// The number of points for each outcome.
struct OutcomeCounts {
  std::array<std::size_t, 4> of{};

  void add(const SweepTable& table);
  [[nodiscard]] std::size_t points() const;
  [[nodiscard]] std::size_t count(PointOutcome outcome) const {
    return of.at(static_cast<std::size_t>(outcome));
  }
  [[nodiscard]] std::size_t with_totals() const {
    return count(PointOutcome::converged) + count(PointOutcome::not_converged);
  }
};

// A step of a result, or the last step of a point.
struct StepRows {
  int point = 1;
  int step = 1;
  PointOutcome outcome = PointOutcome::converged;
  std::string message;
  std::string warnings;  // a line each
  bool touches_edge = false;
  std::vector<TableRow> rows = {{}};  // the first: of the whole step
};
StepRows rows_of_step(int number, const StepInput& input, const StepReport& report);
StepRows rows_of_step(const WheelRecord& record);
// Puts the remark of a converged step of one contact before its warnings, as points have it.
void add_remark(StepRows& step);

// Points of a sweep before they run, with one row each and a column for each quantity; `inputs`: of
// these points.
SweepTable empty_sweep_block(std::vector<SweepInput> inputs, std::vector<std::size_t> shape,
                             const PointRange& points);
// Replaces the rows of these points, each once, in any order. One point costs as much as all: every
// row of the table moves.
void put_points(SweepTable& table, std::vector<StepRows> points);
// The outcome and totals of a point in a table that has it.
StepRows rows_of_point(const SweepTable& table, int number);
// A table with one row per step of a single result.
SweepTable table_of_steps(const std::vector<StepRows>& steps);

// All totals, including those that begin with a side, in the order of a table's columns.
const std::vector<std::string>& total_names();
bool has_no_number(const SweepColumn& column);  // true if no row has a number
// Drops such columns.
void drop_empty_columns(SweepTable& table);

// The rows of one side and contact; `side` empty: of the whole step, or contacts counted through
// both wheels like the groups in the file.
SweepTable rows_of(const SweepTable& table, const std::string& side, int contact);
SweepTable rows_where(const SweepTable& table, const std::function<bool(const RowKey&)>& wanted);
// For people and pages: one row per point and step, with the sides as columns that begin with
// prefix_of(). Without contacts, or with them in the last columns, as
// "left_contact_2_normal_force".
SweepTable one_row_a_step(const SweepTable& table, bool with_contacts = false);

}  // namespace slipfield
