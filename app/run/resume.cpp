// SPDX-License-Identifier: Apache-2.0
#include "app/run/resume.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "app/console.h"
#include "app/report/step_table.h"
#include "io/output_rule.h"
#include "solver/error.h"

namespace slipfield {
namespace {

namespace fs = std::filesystem;

// Empty where the two are the same; else the first line that differs.
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

void require_same_case(const fs::path& path, const std::string& ours, const std::string& theirs) {
  const std::string difference = first_difference(ours, theirs);
  if (difference.empty()) return;
  throw InputError(fmt::format(
      "{}: belongs to another case and cannot be resumed ({}); name another file with -o, or start "
      "again with --overwrite",
      path.string(), difference));
}

Checkpoint find_checkpoint(const CaseFile& case_file, const RunOptions& options,
                           CheckpointFolder& folder) {
  Checkpoint checkpoint = folder.read();
  if (checkpoint.last_step > 0)
    require_same_case(folder.path(), case_file.resolved_yaml, checkpoint.case_yaml);
  if (is_taken(options.output)) {
    const ResultFile result = read_result(options.output);
    require_same_case(options.output, case_file.resolved_yaml, result.info().header.case_yaml);
  }
  if (checkpoint.last_step > count_steps(case_file.problem.steps))
    throw InputError(folder.path().string() + ": the checkpoint has more steps than the case");
  return checkpoint;
}

std::optional<RunRecord> find_complete_result(const CaseFile& case_file, const fs::path& result) {
  if (!is_taken(result)) return std::nullopt;
  const ResultFile file = read_result(result);
  const std::string& outcome = file.info().outcome;
  if (outcome == run_outcome_name(RunOutcome::incomplete)) return std::nullopt;
  require_same_case(result, case_file.resolved_yaml, file.info().header.case_yaml);
  RunRecord record;
  take_complete(result, file.info(), record);
  for (const ResultStep& step : file.steps())
    record.steps.push_back({step.number, step.input, step.report});
  return record;
}

void take_complete(const fs::path& result, const ResultInfo& info, RunSummary& run) {
  run.results = result;
  run.backend = info.header.backend;
  run.device = info.header.device;
  run.warnings = info.warnings;
  if (info.outcome != run_outcome_name(RunOutcome::converged))
    run.outcome = RunOutcome::not_converged;
}

void begin_again(CheckpointFolder& folder, bool holds, const RunOptions& options) {
  if (holds && options.overwrite == Overwrite::refuse)
    throw InputError(folder.path().string() +
                     ": holds the finished steps of an interrupted run; --resume continues from "
                     "them, --overwrite starts again");
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

void log_kept(const RunSummary& run, bool written, std::optional<int> after, std::size_t finished) {
  log_info(fmt::format("kept: {} in {}{}", counted(finished, "finished step"), run.results.string(),
                       continues_text(written, after, finished)));
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
