// SPDX-License-Identifier: Apache-2.0
// run --resume of a sweep: the points that an earlier run of the same case has finished.
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

// What the unfinished result of an earlier run and the parts of its checkpoint hold; their rows are
// read block by block, when they are asked for.
class FinishedPoints {
 public:
  // Nothing where there is nothing to resume. Throws InputError where something is of another case,
  // of another shard or damaged, or the result's name is taken by something else.
  static std::optional<FinishedPoints> find(const CaseFile& case_file,
                                            const std::filesystem::path& result,
                                            const CheckpointFolder& folder);

  [[nodiscard]] const ResultInfo& begun() const { return begun_; }

  struct Finished {
    int number = 0;                // of the point
    std::filesystem::path fields;  // the file that has them; empty: none has
  };
  // Takes the finished points of the block into the table, as far as `wanted` likes them.
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
  // Parts of the checkpoint that have points of the block only.
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
  std::vector<File> files_;  // from the oldest on
};

// All but the rows of the result of this case. Throws InputError where it is of another case, or
// has other points of the sweep.
SweepOutline result_of_sweep(const CaseFile& case_file, const std::filesystem::path& path);

}  // namespace slipfield
