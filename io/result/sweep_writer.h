// SPDX-License-Identifier: Apache-2.0
// Writes a sweep as one HDF5 file:
//   /                   attributes as of a result, file_type "slipfield-sweep"
//   /case               the case as text
//   /table              a row for each point (its last step), side and contact (table_writer.h);
//                       attribute `shape`: points of each entry. Of a part of a sweep `shape` is
//                       the number of its points, `sweep_shape` that of the sweep, and
//                       `first_point` and `shard` ("3/64") say which part
//   /points/0001 ...    where fields were asked for: each laid out as a result file
// The file has a temporary name until finish(); see pending_file.h. One thread at a time.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/result/sweep_table.h"
#include "io/result/writer.h"

namespace slipfield {

inline constexpr std::string_view kSweepFileType = "slipfield-sweep";
inline constexpr std::string_view kPointsGroup = "points";

class SweepWriter {
 public:
  // `header`: its grid does not matter. Throws InputError where the file exists and may not be
  // replaced, or cannot be written. `temporary`: the name until finish(); empty: next to `path`.
  SweepWriter(const std::filesystem::path& path, const ResultHeader& header, const OutputRule& rule,
              const std::filesystem::path& temporary = {});
  // Without finish() nothing stays behind.
  ~SweepWriter();
  SweepWriter(const SweepWriter&) = delete;
  SweepWriter& operator=(const SweepWriter&) = delete;

  // A step of a point (from 1) with fields. `header`: of the point, with its grid.
  void write_step(int point, const ResultHeader& header, const FieldChoice& fields, int number,
                  const StepInput& input, const StepReport& report,
                  const ContactSolution& solution);
  // Finishes a point with written steps.
  void finish_point(int point, RunOutcome outcome, const std::vector<std::string>& warnings = {});
  // What was written of a point that does not come to its end; quietly, where there is nothing.
  void drop_point(int point) noexcept;

  // Another sweep file, whole or not at all: this table, a part of the sweep of `layout`, and the
  // fields of these points of ours that have any.
  void write_part(const std::filesystem::path& part, const SweepTable& table,
                  const SweepLayout& layout, const std::vector<int>& points);
  // Takes the fields of a point from another sweep file.
  void import_point(const std::filesystem::path& part, int point);

  // The next block of the table, of a file with this layout, the same in every call.
  void write_rows(const SweepTable& block, const SweepLayout& layout);
  // Completes the file, whose blocks are written, and moves it into place. `warning`: may be empty.
  // `warnings`: all of the run's.
  void finish(RunOutcome outcome, const std::string& warning,
              const std::vector<std::string>& warnings = {});
  // Finishes a table in one block.
  void finish(const SweepTable& table, RunOutcome outcome, const std::string& warning);

  [[nodiscard]] const std::filesystem::path& path() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace slipfield
