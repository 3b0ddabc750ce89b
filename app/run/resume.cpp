// SPDX-License-Identifier: Apache-2.0
#include "app/run/resume.h"

#include <fmt/format.h>

#include <sstream>

#include "app/console.h"
#include "app/report/step_table.h"
#include "io/case/step_task.h"
#include "io/checksum.h"
#include "io/output_rule.h"
#include "io/result/header.h"
#include "io/result/reader.h"
#include "io/result/wheel/table.h"
#include "solver/error.h"

namespace slipfield {
namespace {

namespace fs = std::filesystem;

// Empty if the texts are equal; else the first line that differs.
std::string first_difference(const std::string& ours, const std::string& theirs) {
  std::istringstream our_lines(ours);
  std::istringstream their_lines(theirs);
  std::string a;
  std::string b;
  while (true) {
    const bool more_a = static_cast<bool>(std::getline(our_lines, a));
    const bool more_b = static_cast<bool>(std::getline(their_lines, b));
    if (!more_a && !more_b) return {};
    if (!more_a) a = "nothing";
    if (!more_b) b = "nothing";
    if (a != b) return fmt::format("\"{}\" here, \"{}\" there", a, b);
  }
}

}  // namespace

void require_same_case(const fs::path& path, const CaseFile& ours, const std::string& theirs,
                       const std::vector<std::string>& inputs) {
  constexpr const char* kAccepted = "name another file with -o, or start again with --overwrite";
  const std::string difference = first_difference(ours.resolved_yaml, theirs);
  if (!difference.empty())
    throw InputError(fmt::format("{}: belongs to another case and cannot be resumed ({}); {}",
                                 path.string(), difference, kAccepted));
  const std::string changed = changed_between(inputs, input_lines(ours));
  if (!changed.empty())
    throw InputError(
        fmt::format("{}: cannot be resumed, because {} has changed since the run began; {}",
                    path.string(), changed, kAccepted));
}

Checkpoint find_checkpoint(const CaseFile& case_file, CheckpointFolder& folder) {
  Checkpoint checkpoint = folder.read();
  if (checkpoint.last_step > 0)
    require_same_case(folder.path(), case_file, checkpoint.case_yaml, checkpoint.inputs);
  if (checkpoint.last_step > count_steps(case_file))
    throw InputError(folder.path().string() + ": the checkpoint has more steps than the case");
  return checkpoint;
}

std::optional<RunSummary> find_complete(const CaseFile& case_file, const fs::path& result) {
  if (!is_taken(result)) return std::nullopt;
  const ResultInfo info = read_result_info(result);
  require_same_case(result, case_file, info.header.case_yaml, info.header.inputs);
  if (info.outcome == run_outcome_name(RunOutcome::incomplete)) return std::nullopt;
  RunSummary run;
  run.results = result;
  run.backend = info.header.backend;
  run.device = info.header.device;
  run.warnings = info.warnings;
  if (info.outcome != run_outcome_name(RunOutcome::converged))
    run.outcome = RunOutcome::not_converged;
  return run;
}

void begin_again(const CaseFile& case_file, CheckpointFolder& folder, const RunOptions& options) {
  if (folder.holds_anything() && options.overwrite == Overwrite::refuse)
    throw InputError(fmt::format(
        "{}: holds the finished {}; --resume continues from them, --overwrite starts again",
        folder.path().string(),
        case_file.sweep ? "points of an interrupted sweep" : "steps of an interrupted run"));
  folder.clear();
}

void tell_complete(const CaseFile& case_file, const fs::path& result) {
  log_info(fmt::format("{} is complete: nothing to resume", result.string()));
  CheckpointFolder left(result, case_file.input_files);
  left.hold();
  left.clear();
}

std::string continues_text(bool written, std::optional<int> after, std::size_t finished) {
  if (!written) return "; no checkpoint was written, so --resume starts again";
  if (!after)
    return "; files of the checkpoint have been removed, so --resume cannot continue, and "
           "--overwrite starts again";
  if (*after == 0) return "; the checkpoint has been removed, so --resume starts again";
  const auto behind = finished - static_cast<std::size_t>(*after);
  std::string text = fmt::format("; --resume continues after step {}", *after);
  if (behind > 0)
    text += fmt::format(", its last checkpoint, and solves {} again", counted(behind, "step"));
  return text;
}

BackendChoice backend_to_resume(const std::string& begun, BackendChoice asked) {
  const BackendChoice choice = backend_from_name(begun);
  if (asked != BackendChoice::automatic && asked != choice)
    throw InputError(
        fmt::format("--resume: the run started with the backend {}; accepted: the same", begun));
  return choice;
}

void warn_of_other_bits(const std::string& program, const std::string& begun_on,
                        const std::string& device) {
  if (begun_on != device)
    log_warning(
        fmt::format("the run started on {} and resumes on {}: the results may differ in "
                    "their last digits",
                    begun_on, device));
  if (program != checkpoint_program())
    log_warning(fmt::format("the run started with program version {} and resumes with {}", program,
                            checkpoint_program()));
}

}  // namespace slipfield
