// run --resume of a sweep: the points that an earlier run of the same case has finished.
#pragma once

#include <map>
#include <optional>

#include "app/run/run_sweep.h"
#include "io/result/checkpoint.h"
#include "io/result/sweep_reader.h"

namespace slipfield {

// What the unfinished result of an earlier run and the parts of its checkpoint hold.
struct FinishedPoints {
  ResultInfo begun;                             // of the earlier run: backend, device, program
  SweepTable table;                             // the newest one, which has every finished point
  std::map<int, std::filesystem::path> fields;  // of points, from 1: the file that has them
};

// Nothing where there is nothing to resume. Throws InputError where something is of another
// case or damaged, or the result's name is taken by something else.
std::optional<FinishedPoints> find_finished_points(const CaseFile& case_file,
                                                   const std::filesystem::path& result,
                                                   const CheckpointFolder& folder);

// The complete result of this sweep where it exists already: there is nothing left to do.
std::optional<SweepRecord> find_complete_sweep(const CaseFile& case_file,
                                               const std::filesystem::path& result);

// The row of a point, from one table of the sweep to another.
void take_row(SweepTable& table, std::size_t point, const SweepTable& from);

}  // namespace slipfield
