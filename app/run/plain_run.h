// SPDX-License-Identifier: Apache-2.0
// The steps of a run without a sweep, one after another: each is written, behind the next one where
// the machine allows it, and some of them leave a checkpoint.
#pragma once

#include <memory>

#include "app/run/conductor.h"

namespace slipfield {

// All three outlive it.
std::unique_ptr<Conductor> make_plain_run(const CaseFile& case_file, const RunOptions& options,
                                          const RunObserver& observer);

// The steps of a complete result of this case, and how they compare with the expected numbers.
RunRecord read_complete_run(const CaseFile& case_file, const RunSummary& run);

}  // namespace slipfield
