// SPDX-License-Identifier: Apache-2.0
// run --resume for a sweep: finds the points that an earlier run of the same case has finished.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "io/case/reader.h"
#include "io/result/any_result.h"
#include "io/result/checkpoint.h"

namespace slipfield {

// The contents of the unfinished result of an earlier run and of its checkpoint's parts; rows are
// read block by block on request.
class FinishedPoints {
 public:
  // Returns nothing if there is nothing to resume. Throws InputError if a file belongs to another
  // case or shard or is damaged, or if something else has the result's name.
  static std::optional<FinishedPoints> find(const CaseFile& case_file,
                                            const std::filesystem::path& result,
                                            const CheckpointFolder& folder);

  [[nodiscard]] const ResultInfo& begun() const { return begun_; }

  struct Finished {
    int number = 0;                // of the point
    std::filesystem::path fields;  // the file with its fields; empty: none
  };
  // Copies the finished points of the block for which `wanted` returns true into the table.
  template <typename Wanted>
  std::vector<Finished> take(SweepTable& table, const Wanted& wanted) const {
    std::for_each(files_.rbegin(), files_.rend(), [&](const File& file) {  // the newest first
      take_rows(file, table, [&](int number) { return wanted({number, fields_of(number)}); });
    });
    std::vector<Finished> taken;
    for (int number = table.first_point; number < table.points().end(); ++number)
      if (table.has_totals(table.row_of(number))) taken.push_back({number, fields_of(number)});
    return taken;
  }
  // Parts of the checkpoint whose points all belong to the block.
  [[nodiscard]] std::vector<std::filesystem::path> parts_of(const PointRange& block) const;

 private:
  struct File {
    std::filesystem::path path;
    bool is_part = false;
    PointRange points;
    std::vector<int> with_fields;
  };
  static void take_rows(const File& file, SweepTable& table,
                        const std::function<bool(int number)>& wanted);
  [[nodiscard]] std::filesystem::path fields_of(int point) const;

  ResultInfo begun_;         // of the newest: backend, device, program
  std::vector<File> files_;  // the oldest first
};

// Reads the result of this case without its rows. Throws InputError if it belongs to another case
// or has other points of the sweep.
SweepOutline result_of_sweep(const CaseFile& case_file, const std::filesystem::path& path);

}  // namespace slipfield
