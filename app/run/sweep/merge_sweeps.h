// SPDX-License-Identifier: Apache-2.0
// Joins the parts of a sweep (run --shard) into the file that a single run would have written.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/output_rule.h"
#include "io/result/sweep_table.h"
#include "io/result/writer.h"

namespace slipfield {

// Points that no part has finished.
struct MissingPoints {
  PointRange points;
  std::string shards;  // the shards with them, "shard 3/64"; empty: the parts are not shards
};

struct MergeRecord {
  RunOutcome outcome = RunOutcome::converged;
  OutcomeCounts counts;
  std::size_t with_fields = 0;  // points
  std::vector<MissingPoints> missing;
  std::vector<std::filesystem::path> unfinished;  // folders that a killed shard left next to a part
};

// `paths`: of the parts. Only one block of points at a time is in memory. Points missing in all
// parts are marked as not run, and the file is `incomplete`. Throws InputError if a part is not a
// sweep, belongs to another sweep than the first, or repeats points of another part, and if the
// output may not be written.
MergeRecord merge_sweeps(const std::filesystem::path& output,
                         const std::vector<std::filesystem::path>& paths, Overwrite overwrite);

}  // namespace slipfield
