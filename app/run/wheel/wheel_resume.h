// SPDX-License-Identifier: Apache-2.0
// run --resume of a wheel on a rail: the steps that an earlier run of the same case has finished.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "app/run/run_case.h"
#include "io/result/checkpoint.h"
#include "io/result/wheel/reader.h"

namespace slipfield {

struct FinishedWheelSteps {
  struct Step {
    WheelRecord record;
    std::filesystem::path part;  // the file that has it
  };
  ResultInfo begun;         // backend, device and program of the newest part
  std::vector<Step> steps;  // from the first on, without a gap
};

// What the parts of the folder hold; nothing where the run begins, in an empty folder. Throws
// InputError where something is of another case or damaged, where the result's name is taken by
// something else, and without `options.resume` where the folder holds steps that may not be
// overwritten.
std::optional<FinishedWheelSteps> begin_or_resume_wheel(const CaseFile& case_file,
                                                        const RunOptions& options,
                                                        CheckpointFolder& folder);

// The complete result of this case where it exists already: there is nothing left to do.
std::optional<WheelFile> find_complete_wheel(const CaseFile& case_file,
                                             const std::filesystem::path& result);

}  // namespace slipfield
