// SPDX-License-Identifier: Apache-2.0
#include "app/run/conductor.h"

#include <utility>

#include "app/run/resume.h"
#include "app/run/solver_factory.h"
#include "io/case/sweep.h"
#include "solver/error.h"
#include "solver/ranks/ranks.h"

namespace slipfield {

RunRecord Conductor::run() {
  begin();
  try {
    run_all();
  } catch (const std::exception&) {
    Failure failure = failure_of(std::current_exception());
    settle_last(failure);
    if (finished().empty() || !ranks::is_failure_shared()) throw;
    end_early(failure);
    return std::move(record_);
  }
  complete();
  return std::move(record_);
}

void Conductor::begin() {
  const bool sweep = case_file_.sweep != nullptr;
  std::optional<Begun> begun;
  ranks::each([&] {
    if (!ranks::is_first()) return;
    folder_.hold();
    if (!options_.resume) return begin_again(case_file_, folder_, options_);
    begun = find_begun();
    if (!begun)
      log_info(sweep ? fmt::format("nothing to resume: the sweep begins with point {}",
                                   case_file_.sweep->points().first)
                     : "nothing to resume: the run begins with step 1");
  });
  ranks::each([&] {
    if (options_.resume && !ranks::is_first()) begun = find_begun();
  });
  const ContactProblem& problem = case_file_.problem;
  BackendRequest request{options_.backend, options_.gpu, options_.gpus};
  if (begun) request.choice = backend_to_resume(begun->backend, options_.backend);
  backend_ = sweep ? settle_for_points(request, problem) : settle_backend(request, problem);
  if (begun && options_.backend == BackendChoice::automatic) backend_.reason = "as the run began";
  record_.backend = backend_.name;
  record_.device = backend_.device;
  header_ = run_header(case_file_, sweep || case_file_.wheel_rail ? Grid{} : problem.grid,
                       record_.backend, record_.device);
  timed("the solver is set up", [&] { prepare(); });
  log_backend(backend_, problem);
  writer_.emplace(options_.output, header_, output_rule(case_file_, options_),
                  case_file_.output.fields, folder_.unfinished_result());
  record_.results = writer_->path();
  observer_.on_start(record_);
  if (begun) warn_of_other_bits(begun->program, begun->device, record_.device);
  start();
}

void Conductor::complete() {
  tell_whole();
  timed("the result is on the disk", [&] {
    writer_->finish(record_.outcome);
    if (ranks::is_first()) folder_.clear();
  });
}

// Later failures follow the first reason in the same sentence.
void Conductor::end_early(const Failure& failure) {
  record_.outcome = RunOutcome::incomplete;
  record_.error = failure.message;
  record_.error_code = failure.exit_code;
  try {
    write_unfinished();
    tell_whole();
    writer_->finish(RunOutcome::incomplete);
    log_info(
        fmt::format("kept: {} in {}{}", finished(), record_.results.string(), after_early_end()));
  } catch (const Error& error) {
    record_.results.clear();
    const std::string detail = error.what();  // do not repeat the same failure
    record_.error += detail.starts_with(failure.message)
                         ? detail.substr(failure.message.size())
                         : fmt::format("; the finished {} could not be saved: {}",
                                       case_file_.sweep ? "points" : "steps", detail);
    if (const std::string kept = in_checkpoint(); !kept.empty())
      log_info(fmt::format("kept: {} in {}", kept, folder_.path().string()));
  }
}

}  // namespace slipfield
