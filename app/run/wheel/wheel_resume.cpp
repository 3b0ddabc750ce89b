// SPDX-License-Identifier: Apache-2.0
#include "app/run/wheel/wheel_resume.h"

#include <utility>

#include "app/console.h"
#include "app/run/resume.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "io/output_rule.h"
#include "solver/error.h"

namespace slipfield {
namespace {

namespace fs = std::filesystem;

std::optional<FinishedWheelSteps> find_finished(const CaseFile& case_file,
                                                const CheckpointFolder& folder) {
  std::optional<FinishedWheelSteps> found;
  for (const auto& [number, part] : folder.numbered_parts()) {
    WheelFile file = read_of_case(case_file, part, read_wheel_file);
    if (!found) found.emplace();
    found->begun = std::move(file.info);
    for (WheelRecord& record : file.steps) {
      if (record.number != static_cast<int>(found->steps.size()) + 1)
        throw InputError(
            folder.path().string() +
            ": finished steps are missing in the checkpoint; --overwrite starts again");
      found->steps.push_back({std::move(record), part});
    }
  }
  if (found && found->steps.size() > case_file.wheel_rail->steps.size())
    throw InputError(folder.path().string() + ": the checkpoint has more steps than the case");
  return found;
}

}  // namespace

std::optional<FinishedWheelSteps> begin_or_resume_wheel(const CaseFile& case_file,
                                                        const RunOptions& options,
                                                        CheckpointFolder& folder) {
  if (options.resume) {
    if (is_taken(options.output)) read_of_case(case_file, options.output, read_wheel_file);
    std::optional<FinishedWheelSteps> finished = find_finished(case_file, folder);
    if (!finished) log_info("nothing to resume: the run begins with step 1");
    return finished;
  }
  begin_again(folder, !folder.numbered_parts().empty(), options);
  return {};
}

std::optional<WheelFile> find_complete_wheel(const CaseFile& case_file, const fs::path& result) {
  if (!is_taken(result)) return std::nullopt;
  WheelFile file = read_wheel_file(result);
  if (file.info.outcome == run_outcome_name(RunOutcome::incomplete)) return std::nullopt;
  require_same_case(result, case_file.resolved_yaml, file.info.header.case_yaml);
  return file;
}

}  // namespace slipfield
