// SPDX-License-Identifier: Apache-2.0
// The table of a sweep: the values of its keys, and the totals of the last step of each point; all
// of it, or a block of consecutive points.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

// A quantity of the last step, point by point; not a number where the step does not have it or the
// point has no result.
struct SweepColumn {
  std::string name;  // one of quantity_names()
  std::vector<double> values;
};

struct SweepTable {
  int first_point = 1;  // the number of the first row
  std::vector<SweepInput> inputs;
  std::vector<std::size_t> shape;  // points of each entry of the sweep, the last one fastest
  std::vector<SweepColumn> columns;
  std::vector<PointOutcome> outcomes;
  std::vector<std::string> messages;       // why a point is not converged, or its remark
  std::vector<std::string> warnings;       // what is suspicious in a point, a line each
  std::vector<std::uint8_t> touches_edge;  // 1 where contact reaches the edge of the grid

  [[nodiscard]] std::size_t count() const { return outcomes.size(); }
  [[nodiscard]] bool has_totals(std::size_t point) const {
    return outcomes[point] == PointOutcome::converged ||
           outcomes[point] == PointOutcome::not_converged;
  }
  // nullptr where there is no such column.
  [[nodiscard]] const SweepColumn* find(std::string_view name) const;
  [[nodiscard]] const SweepInput* find_input(std::string_view key) const;
  [[nodiscard]] int number_of(std::size_t row) const { return first_point + static_cast<int>(row); }
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
// Takes how a point ended and its totals from another table of the sweep, which has it.
void take_point(SweepTable& table, int number, const SweepTable& from);
void set_totals(SweepTable& table, std::size_t point, const StepInput& input,
                const StepReport& report);
// Of a wheel on a rail: WheelRecord::totals().
void set_totals(SweepTable& table, std::size_t point, const NamedNumbers& totals);
// Names of all columns that a table may have.
std::vector<std::string> sweep_column_names();
// Drops the columns that hold no number at all.
void drop_empty_columns(SweepTable& table);

}  // namespace slipfield
