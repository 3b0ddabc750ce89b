// SPDX-License-Identifier: Apache-2.0
// run --resume: what an earlier run of the same case left, and whether it fits.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "app/run/run_case.h"
#include "io/result/checkpoint.h"
#include "io/result/reader.h"

namespace slipfield {

// What the folder holds of this case; last_step is 0 where there is nothing to resume. Throws
// InputError where it is of another case, or the result's name is taken by something else than an
// unfinished result of this case.
Checkpoint find_checkpoint(const CaseFile& case_file, const RunOptions& options,
                           CheckpointFolder& folder);

// Clears the folder of a run that begins with the first step. Throws InputError where it holds
// finished steps (`holds`), which may not be overwritten.
void begin_again(CheckpointFolder& folder, bool holds, const RunOptions& options);

// The complete result of this case where it exists already: there is nothing left to do.
std::optional<RunRecord> find_complete_result(const CaseFile& case_file,
                                              const std::filesystem::path& result);

// What a complete result says of its run.
void take_complete(const std::filesystem::path& result, const ResultInfo& info, RunSummary& run);

// Reports that there is nothing to resume, and removes the checkpoint of a run that was killed
// before it did so.
void tell_complete(const CaseFile& case_file, const std::filesystem::path& result);

// Text on where an interrupted run with `finished` steps continues. `written`: whether the run has
// written or resumed a checkpoint; `after`: as CheckpointFolder::continues_after(), since a user
// may have removed some of its files.
std::string continues_text(bool written, std::optional<int> after, std::size_t finished);
// Reports where the finished steps of an interrupted run are; likewise.
void log_kept(const RunSummary& run, bool written, std::optional<int> after, std::size_t finished);

// The backend to resume with; throws InputError where another one than `begun` is asked for.
BackendChoice backend_to_resume(const std::string& begun, BackendChoice asked);

// Throws InputError where the texts of the cases, ours and that of the file or folder, differ.
void require_same_case(const std::filesystem::path& path, const std::string& ours,
                       const std::string& theirs);

// What `read` gives of the file, with its `info`; throws InputError where it is of another case.
template <class Read>
auto read_of_case(const CaseFile& case_file, const std::filesystem::path& path, const Read& read) {
  auto file = read(path);
  require_same_case(path, case_file.resolved_yaml, file.info.header.case_yaml);
  return file;
}

// Warns where the same bits cannot be promised: the run was started by another program (as
// checkpoint_program()) or on another device.
void warn_of_other_bits(const std::string& program, const std::string& begun_on,
                        const std::string& device);

}  // namespace slipfield
