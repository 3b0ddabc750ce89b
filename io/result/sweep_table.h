// SPDX-License-Identifier: Apache-2.0
// The table of a result: totals with a row for each point, step, side and contact, and the values of
// the keys of a sweep; all of it, or a block of consecutive points.
//
// In memory it has a row for each point of a sweep (its last step), or for each step of one result;
// the wheels' numbers have the names of table.h, and contacts are apart. all_rows() makes the rows
// of the file from it, point_rows() it from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
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
// Points of a sweep that are in memory at a time, and rows of a piece of its file.
inline constexpr int kSweepBlock = 8192;

// Consecutive points of a sweep, numbered from 1.
struct PointRange {
  int first = 1;
  int count = 0;

  [[nodiscard]] int end() const { return first + count; }  // one behind the last
  [[nodiscard]] bool contains(const PointRange& other) const {
    return other.first >= first && other.end() <= end();
  }
  friend bool operator==(const PointRange&, const PointRange&) = default;
};
// The points of both; none: a count of 0.
PointRange common_points(const PointRange& a, const PointRange& b);
// "point 7", "points 31 to 45".
std::string points_text(const PointRange& points);
// The ranges of kSweepBlock points, the last one shorter.
std::vector<PointRange> blocks_of(const PointRange& points);

// One of so many parts of a sweep that run by themselves, numbered from 1.
struct Shard {
  int index = 1;
  int of = 1;

  [[nodiscard]] bool is_whole() const { return of == 1; }
};
std::string shard_text(const Shard& shard);  // "3/64"
// Nothing where it is no such text, or a number is out of range.
std::optional<Shard> shard_from_text(std::string_view text);
// Consecutive points; the first shards may have one more than the others.
PointRange points_of_shard(const Shard& shard, int count);

// Which points of a sweep a file has.
struct SweepLayout {
  PointRange points;
  std::vector<std::size_t> shape;  // of the whole sweep: points of each entry
  Shard shard;                     // that the file was written for

  [[nodiscard]] PointRange whole() const;  // all points of the sweep
};

enum class Spacing { linear, logarithmic };

// The values of one key, point by point.
struct SweepInput {
  std::string key;                 // key.path, as of --set
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
inline constexpr std::string_view kPointOutcomeDescription =
    "how the point ended: 0 converged, 1 not_converged, 2 failed, 3 not_run";

// A total, row by row; not a number where the row does not have it.
struct SweepColumn {
  std::string name;  // one of total_names()
  std::vector<double> values;
};

// Which row it is.
struct RowKey {
  int point = 1;
  int step = 0;      // 0: the point has not run
  std::string side;  // "left", "right", "both": of a wheel on a rail; else empty
  int contact = 0;   // of that side, from 1; 0: the totals of the step or side

  friend bool operator==(const RowKey&, const RowKey&) = default;
};

// Rows of contacts, as they came.
struct ContactRows {
  std::vector<RowKey> keys;
  std::map<std::string, std::vector<double>, std::less<>> columns;

  void append(RowKey key, const NamedNumbers& totals);
  [[nodiscard]] NamedNumbers totals(std::size_t row) const;
};

struct SweepTable {
  int first_point = 1;       // the number of the first row
  std::vector<RowKey> keys;  // of each row
  std::vector<SweepInput> inputs;
  std::vector<std::size_t> shape;  // points of each entry of the sweep, the last one fastest
  std::vector<SweepColumn> columns;
  std::vector<PointOutcome> outcomes;
  std::vector<std::string> messages;       // why a point is not converged, or its remark
  std::vector<std::string> warnings;       // what is suspicious in a point, a line each
  std::vector<std::uint8_t> touches_edge;  // 1 where contact reaches the edge of the grid
  ContactRows contacts;                    // of the rows, where they are points or steps

  [[nodiscard]] std::size_t count() const { return outcomes.size(); }
  [[nodiscard]] bool has_totals(std::size_t point) const {
    return outcomes[point] == PointOutcome::converged ||
           outcomes[point] == PointOutcome::not_converged;
  }
  // nullptr where there is no such column.
  [[nodiscard]] const SweepColumn* find(std::string_view name) const;
  [[nodiscard]] const SweepInput* find_input(std::string_view key) const;
  // Of the row's point.
  [[nodiscard]] int number_of(std::size_t row) const {
    return row < keys.size() ? keys[row].point : first_point + static_cast<int>(row);
  }
  [[nodiscard]] PointRange points() const { return {first_point, static_cast<int>(count())}; }
  // "friction.coefficient = 0.3, normal.force = 10"; rows from 0.
  [[nodiscard]] std::string describe(std::size_t point) const;
};

// How many points ended how, by the number of the outcome.
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

// Every point not run, with a column for each quantity.
SweepTable empty_sweep_table(std::vector<SweepInput> inputs, std::vector<std::size_t> shape);
// The same of a block of the sweep's points; `inputs`: of these points.
SweepTable empty_sweep_block(std::vector<SweepInput> inputs, std::vector<std::size_t> shape,
                             const PointRange& points);
// Takes how a point ended and its totals from another table of the sweep, which has it; that one's
// contacts are in the order of the points.
void take_point(SweepTable& table, int number, const SweepTable& from);
// The rows of a step, into the row of its point.
void set_totals(SweepTable& table, std::size_t row, int step, const std::vector<TableRow>& rows);
// Names of all totals, those of a wheelset's sides too, in the order of a table's columns.
const std::vector<std::string>& total_names();
// Drops the columns that hold no number at all.
void drop_empty_columns(SweepTable& table);

// A row for each point, step, side and contact, in this order.
SweepTable all_rows(const SweepTable& table);
SweepTable point_rows(const SweepTable& rows);
// Of all rows those of one side and contact; `side` empty: of the whole step, or contacts counted
// through both wheels, as the groups in the file are.
SweepTable rows_of(const SweepTable& rows, const std::string& side, int contact);
SweepTable rows_where(const SweepTable& rows, const std::function<bool(const RowKey&)>& wanted);

// A step of one result.
struct StepRows {
  int step = 1;
  Outcome outcome = Outcome::converged;
  std::string message;
  std::string warnings;  // a line each
  bool touches_edge = false;
  std::vector<TableRow> rows;  // the first: of the whole step
};
StepRows rows_of_step(int number, const StepInput& input, const StepReport& report);
StepRows rows_of_step(const WheelRecord& record);
// A row for each of them.
SweepTable table_of_steps(const std::vector<StepRows>& steps);

}  // namespace slipfield
