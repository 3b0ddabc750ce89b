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
// InputError where it is of another case.
Checkpoint find_checkpoint(const CaseFile& case_file, CheckpointFolder& folder);

// Clears the folder of a run or a sweep that begins. Throws InputError where it holds what an
// earlier one has finished, which may not be overwritten.
void begin_again(const CaseFile& case_file, CheckpointFolder& folder, const RunOptions& options);

// What the complete result of this case says of its run, where it exists already: there is nothing
// left to do. Throws InputError where a result of another case has its name.
std::optional<RunSummary> find_complete(const CaseFile& case_file,
                                        const std::filesystem::path& result);

// Reports that there is nothing to resume, and removes the checkpoint of a run that was killed
// before it did so.
void tell_complete(const CaseFile& case_file, const std::filesystem::path& result);

// Text on where an interrupted run with `finished` steps continues. `written`: whether the run has
// written or resumed a checkpoint; `after`: as CheckpointFolder::continues_after(), since a user
// may have removed some of its files.
std::string continues_text(bool written, std::optional<int> after, std::size_t finished);
// The backend to resume with; throws InputError where another one than `begun` is asked for.
BackendChoice backend_to_resume(const std::string& begun, BackendChoice asked);

// Throws InputError where the texts of the cases, ours and that of the file or folder, differ.
void require_same_case(const std::filesystem::path& path, const std::string& ours,
                       const std::string& theirs);

// Warns where the same bits cannot be promised: the run was started by another program (as
// checkpoint_program()) or on another device.
void warn_of_other_bits(const std::string& program, const std::string& begun_on,
                        const std::string& device);

}  // namespace slipfield
