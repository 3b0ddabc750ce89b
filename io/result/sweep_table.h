// The table of a sweep: the values of its keys, and the totals of the last step of each point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/result/field_table.h"
#include "io/result/wheel/table.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

inline constexpr int kMaxSweepPoints = 100'000;

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
  std::vector<SweepInput> inputs;
  std::vector<std::size_t> shape;  // points of each entry of the sweep, the last one fastest
  std::vector<SweepColumn> columns;
  std::vector<PointOutcome> outcomes;
  std::vector<std::string> messages;       // why a point is not converged; else empty
  std::vector<std::uint8_t> touches_edge;  // 1 where contact reaches the edge of the grid

  [[nodiscard]] std::size_t count() const { return outcomes.size(); }
  [[nodiscard]] bool has_totals(std::size_t point) const {
    return outcomes[point] == PointOutcome::converged ||
           outcomes[point] == PointOutcome::not_converged;
  }
  // nullptr where there is no such column.
  [[nodiscard]] const SweepColumn* find(std::string_view name) const;
  [[nodiscard]] const SweepInput* find_input(std::string_view key) const;
  // "friction.coefficient = 0.3, normal.force = 10"; points from 0.
  [[nodiscard]] std::string describe(std::size_t point) const;
};

// Every point not run, with a column for each quantity.
SweepTable empty_sweep_table(std::vector<SweepInput> inputs, std::vector<std::size_t> shape);
void set_totals(SweepTable& table, std::size_t point, const StepInput& input,
                const StepReport& report);
// Of a wheel on a rail: WheelRecord::totals().
void set_totals(SweepTable& table, std::size_t point, const NamedNumbers& totals);
// Names of all columns that a table may have.
std::vector<std::string> sweep_column_names();
// Drops the columns that hold no number at all.
void drop_empty_columns(SweepTable& table);

}  // namespace slipfield
