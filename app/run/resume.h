// SPDX-License-Identifier: Apache-2.0
// run --resume: finds the results of an earlier run of the same case and checks that they fit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "app/run/run_case.h"
#include "io/result/checkpoint.h"
#include "io/result/reader.h"

namespace slipfield {

// Reads the checkpoint in the folder; last_step is 0 if there is nothing to resume. Throws
// InputError if it belongs to another case.
Checkpoint find_checkpoint(const CaseFile& case_file, CheckpointFolder& folder);

// Clears the folder for a new run or sweep. Throws InputError if it holds finished results that may
// not be overwritten.
void begin_again(const CaseFile& case_file, CheckpointFolder& folder, const RunOptions& options);

// Returns the summary of an existing complete result of this case, which leaves nothing to do.
// Throws InputError if a result of another case has its name.
std::optional<RunSummary> find_complete(const CaseFile& case_file,
                                        const std::filesystem::path& result);

// Reports that there is nothing to resume, and removes the checkpoint that a killed run left.
void tell_complete(const CaseFile& case_file, const std::filesystem::path& result);

// Explains where an interrupted run with `finished` steps continues. `written`: whether the run has
// written or resumed a checkpoint; `after`: CheckpointFolder::continues_after(), since a user may
// have removed some of its files.
std::string continues_text(bool written, std::optional<int> after, std::size_t finished);
// Returns the backend to resume with; throws InputError if another one than `begun` is requested.
BackendChoice backend_to_resume(const std::string& begun, BackendChoice asked);

// Throws InputError if our case and that of the file or folder differ, or a file that it names has
// changed; `inputs`: ResultHeader::inputs there.
void require_same_case(const std::filesystem::path& path, const CaseFile& ours,
                       const std::string& theirs, const std::vector<std::string>& inputs);

// Warns if the results may differ in their last bits: the run was started by another program (see
// checkpoint_program()) or on another device.
void warn_of_other_bits(const std::string& program, const std::string& begun_on,
                        const std::string& device);

}  // namespace slipfield
