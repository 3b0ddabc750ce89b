// SPDX-License-Identifier: Apache-2.0
// The points of a sweep, side by side: in batches where their contacts are small, in threads
// otherwise. Finished points leave parts of a checkpoint.
#pragma once

#include <memory>

#include "app/run/conductor.h"

namespace slipfield {

// All three outlive it.
std::unique_ptr<Conductor> make_sweep_run(const CaseFile& case_file, const RunOptions& options,
                                          const RunObserver& observer);

// A complete result of this case; its table is only the last block. Throws InputError where it has
// other points of the sweep.
RunRecord read_complete_sweep(const CaseFile& case_file, const RunSummary& run);

}  // namespace slipfield
