// run --resume: what an earlier run of the same case left, and whether it fits.
#pragma once

#include "app/run_case.h"
#include "io/checkpoint.h"

namespace slipfield {

// What the folder holds of this case; last_step is 0 where there is nothing to go on from. Throws
// InputError where it is of another case, or the result's name is taken by something else than an
// unfinished result of this case.
Checkpoint find_checkpoint(const CaseFile& case_file, const RunOptions& options,
                           CheckpointFolder& folder);

// The complete result of this case where it exists already: there is nothing left to do.
std::optional<RunRecord> find_complete_result(const CaseFile& case_file,
                                              const std::filesystem::path& result);

// The backend that goes on; throws InputError where another one was asked for.
BackendChoice backend_to_resume(const Checkpoint& checkpoint, BackendChoice asked);

// Tells where the same bits cannot be promised: another program, device or number of threads.
void warn_of_other_bits(const Checkpoint& checkpoint, const std::string& device);

}  // namespace slipfield
