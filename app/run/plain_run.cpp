// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

#include "app/console.h"
#include "app/failure.h"
#include "app/report/run_warnings.h"
#include "app/report/step_table.h"
#include "app/report/step_warnings.h"
#include "app/run/conductor.h"
#include "app/run/interior.h"
#include "app/run/resume.h"
#include "app/run/write_behind.h"
#include "io/case/step_task.h"
#include "io/result/field_table.h"
#include "io/result/reader.h"
#include "solver/error.h"
#include "solver/ranks/rank_solver.h"
#include "solver/ranks/ranks.h"

namespace slipfield {
namespace {

// A finished step that `output: steps` leaves out; it is saved if the run ends early.
struct HeldStep {
  StepRecord record;  // with its history, or of a wheelset with all that was solved
  ContactSolution solution{};
};

// Returns nothing for a result that was complete before --resume and may hold fewer steps than ran.
std::vector<ExpectationResult> compare_with_expected(const CaseFile& case_file,
                                                     const RunRecord& record) {
  const int steps_run = record.steps.empty() ? 0 : record.steps.back().number;
  if (static_cast<int>(record.steps.size()) != steps_run) return {};
  return compare_with_expected(case_file.expected, record.steps,
                               record.outcome != RunOutcome::incomplete);
}

class PlainRun : public Conductor {
 public:
  PlainRun(const CaseFile& case_file, const RunOptions& options, const RunObserver& observer)
      : Conductor(case_file, options, observer),
        step_count_(count_steps(case_file)),
        run_warnings_(case_file.warnings) {}

 private:
  std::optional<Begun> find_begun() override {
    checkpoint_ = find_checkpoint(case_file_, folder_);
    if (checkpoint_.last_step == 0) return std::nullopt;
    return Begun{checkpoint_.backend, checkpoint_.program, checkpoint_.device};
  }

  void prepare() override {
    interior_planes_ = interior_planes_on(backend_);
    session_.emplace(backend_, case_file_,
                     [this](const Progress& progress) { report_progress(progress); });
    if (ranks::several()) header_.rows = ranks::own_rows(case_file_.problem.grid.my);
  }

  void start() override {
    if (can_write_behind(case_file_, backend_)) behind_.emplace(*writer_);
    if (checkpoint_.last_step > 0) resume(std::exchange(checkpoint_, {}));
  }

  void settle_last(Failure& failure) override {
    try {
      take_written();
    } catch (const std::exception& error) {
      const std::string lost = std::string("the step before could not be written: ") + error.what();
      if (record_.steps.empty()) log_warning(lost);
      failure.message += "; " + lost;
    }
  }

  [[nodiscard]] std::string finished() const override {
    return record_.steps.empty() ? "" : counted(record_.steps.size(), "finished step");
  }

  std::string after_early_end() override {
    return continues_text(checkpointed_, folder_.continues_after(), record_.steps.size());
  }

  [[nodiscard]] std::string in_checkpoint() const override {
    const int after = checkpointed_ ? folder_.continues_after().value_or(0) : 0;
    return after > 0 ? counted(static_cast<std::size_t>(after), "finished step") : "";
  }

  // Shows no step unless the solver accepts the state.
  void resume(const Checkpoint& checkpoint) {
    std::vector<StepRecord> steps;
    for (const Checkpoint::Step& done : checkpoint.steps) {
      StepRecord step;
      step.number = static_cast<int>(steps.size()) + 1;
      if (!done.wheel) step.input = std::get<StepInput>(step_task(case_file_, step.number));
      step.report = done.report;
      step.wheel = done.wheel;
      steps.push_back(std::move(step));
    }
    session_->restore({case_file_.problem.grid, case_file_.wheel_rail != nullptr, steps.back(),
                       checkpoint.state});
    for (StepRecord& step : steps) add(std::move(step));
    checkpointed_ = true;
    const StepRecord& newest = record_.steps.back();
    ranks::each([&] {
      if (!ranks::is_first()) return;
      for (const std::filesystem::path& part : checkpoint.parts)
        writer_->import_steps(part, checkpoint.last_step);
    });
    if (!wants(newest.number) && !newest.wheel) held_ = HeldStep{newest, session_->solution()};
    log_info(fmt::format("resumed after step {} of {}", checkpoint.last_step, step_count_));
  }

  void run_all() override {
    resumed_ = static_cast<int>(record_.steps.size());
    for (running_number_ = resumed_ + 1; running_number_ <= step_count_; ++running_number_)
      advance();
  }

  void advance() {
    throw_if_interrupted();
    StepRecord step;
    timed("the step is solved",
          [&] { step = session_->advance(step_task(case_file_, running_number_)); });
    clear_progress();
    if (behind_ && running_number_ < step_count_ && wants(running_number_)) {
      keep_behind(std::move(step));
    } else {
      take_written();
      timed("its fields are written", [&] { keep(step); });
      add_finished(std::move(step));
    }
    if (running_number_ < step_count_) write_checkpoint();
  }

  // Writes the step while the next one is solved.
  void keep_behind(StepRecord step) {
    ContactSolution solution;
    timed("its fields are fetched",
          [&] { solution = session_->solution(fields_of(case_file_.output.fields, step.input)); });
    timed("the step before has been waited for", [&] { take_written(); });
    behind_->begin(std::move(step), std::move(solution));
  }

  // Finishes the step that is written behind, if any, once it is written.
  void take_written() {
    if (!behind_ || !behind_->waits()) return;
    StepRecord step = behind_->take();
    held_.reset();
    clear_progress();
    add_finished(std::move(step));
  }

  void add_finished(StepRecord step) {
    step.report.history = {};
    if (ranks::is_first()) {
      FinishedStep done{step.input, step.report};
      if (step.wheelset) {
        done.wheelset = {step.wheelset, &step.wheelset->solved};
        done.warnings = step.wheel->warnings;
      }
      folder_.add(std::move(done));
    }
    drop_fields(step);
    add(std::move(step));
  }

  [[nodiscard]] bool wants(int number) const {
    return case_file_.output.wants_step(number, step_count_);
  }

  void add(StepRecord step) {
    tell(step);
    record_.steps.push_back(std::move(step));
    observer_.on_step(record_.steps.back());
  }

  // Writes after every step that takes long compared with writing it; short ones share a
  // checkpoint.
  void write_checkpoint() {
    if (!checkpoints_fit_) return;
    if (ranks::greatest(ranks::is_first() && pace_.due() ? 1.0 : 0.0) == 0.0) return;
    take_written();
    const CheckpointPace::Clock::duration cost = pace_.time([this] {
      try {
        const SolverState state = session_->save().state;
        if (ranks::is_first()) folder_.write(header_, *writer_, state);
        checkpointed_ = true;
      } catch (const BackendLost&) {
        throw;
      } catch (const StateTooLarge& error) {  // on all ranks
        checkpoints_fit_ = false;
        log_warning(fmt::format("the run continues without checkpoints: {}", error.what()));
      } catch (const Error& error) {
        log_warning(
            fmt::format("no checkpoint could be written, the run continues: {}", error.what()));
      }
    });
    log_debug(fmt::format("checkpoint after step {} in {:.3g} s", running_number_,
                          std::chrono::duration<double>(cost).count()));
  }

  // Writes the step, with its interior if the case requests it, or holds it if it is not in the
  // output.
  void keep(StepRecord& step) {
    std::vector<std::string> warnings;  // here of a step; tell() keeps those of a contact
    if (step.wheelset) warnings = session_->warnings();
    if (wants(step.number)) {
      if (!step.wheelset && one_field_at_a_time())
        writer_->write_step(
            step.number, step.input, step.report,
            [this](const ChosenFields& chosen) { return session_->solution(chosen); });
      else
        write_with_interior(*writer_, case_file_, interior_planes_, step, fields_to_keep(step),
                            warnings);
      held_.reset();
      return add_numbers(step, std::move(warnings));
    }
    add_numbers(step, std::move(warnings));
    held_ = HeldStep{step, fields_to_keep(step)};
  }

  // The fields of one contact; a wheelset holds its own.
  [[nodiscard]] ContactSolution fields_to_keep(const StepRecord& step) {
    if (step.wheelset) return {};
    return case_file_.interior
               ? session_->solution()
               : session_->solution(fields_of(case_file_.output.fields, step.input));
  }

  // Only for large grids: on small ones threads cost more than they save.
  [[nodiscard]] bool one_field_at_a_time() const {
    constexpr std::size_t kLeast = std::size_t{1} << 18U;
    const ContactProblem& problem = case_file_.problem;
    return problem.grid.count() >= kLeast && problem.surface.empty() && !case_file_.interior &&
           contact_hardness(problem) == 0.0 && !problem.adhesion.exists() && !ranks::several();
  }

  void tell(const StepRecord& step) {
    const int number = step.number;
    const StepReport& report = step.report;
    if (report.outcome != Outcome::converged) record_.outcome = RunOutcome::not_converged;
    if (step.wheel) {
      for (const std::string& line : run_warnings_.add(number, report, step.wheel->warnings))
        log_warning(line);
      return;
    }
    const ContactProblem& problem = case_file_.problem;
    for (const std::string& line : run_warnings_.add(number, problem, step.input, report))
      log_warning(line);
    for (const std::string& warning : step_warnings(problem, step.input, report))
      writer_->warn(number, warning);
  }

  void tell_whole() override {
    for (const std::string& line : run_warnings_.of_all_steps()) log_warning(line);
    record_.expected = compare_with_expected(case_file_, record_);
    if (record_.outcome != RunOutcome::incomplete) warn_of_expected(record_.expected);
    record_.warnings = warnings_.texts();
    writer_->set_warnings(record_.warnings);
  }

  void write_unfinished() override {
    if (!held_) return;
    auto& [step, solution] = *held_;
    if (step.wheelset)
      writer_->write_step(step.number, step.wheelset->solved, step.wheel->warnings);
    else
      writer_->write_step(step.number, step.input, step.report, solution);
  }

  void report_progress(const Progress& progress) {
    throw_if_interrupted();
    if (behind_ && behind_->is_done()) take_written();
    std::string text = fmt::format("step {}/{}", running_number_, step_count_);
    if (progress.iteration > 0)  // it is 0 before each contact of a wheel
      text += fmt::format("  {} iteration {}  change {:.2e}", phase_name(progress.phase),
                          progress.iteration, progress.change);
    text += time_left_text(pace_.begin(), running_number_ - 1 - resumed_,
                           step_count_ - running_number_ + 1);
    log_debug(text);
    show_progress(text);
  }

  int step_count_;
  int resumed_ = 0;  // steps that an earlier run has finished
  int running_number_ = 0;
  Checkpoint checkpoint_;        // until it is resumed
  bool checkpointed_ = false;    // a checkpoint was written or resumed
  bool checkpoints_fit_ = true;  // into the memory of the first rank's machine
  std::optional<StepSession> session_;
  MakeInteriorPlanes interior_planes_;
  std::optional<WriteBehind> behind_;  // nothing: steps are written in turn
  std::optional<HeldStep> held_;
  RunWarnings run_warnings_;
};

}  // namespace

std::unique_ptr<Conductor> make_plain_run(const CaseFile& case_file, const RunOptions& options,
                                          const RunObserver& observer) {
  return std::make_unique<PlainRun>(case_file, options, observer);
}

RunRecord read_complete_run(const CaseFile& case_file, const RunSummary& run) {
  RunRecord record;
  static_cast<RunSummary&>(record) = run;
  for (const ResultStep& step : read_steps(run.results).steps)
    record.steps.push_back({step.number, step.input, step.report, {}, step.wheel});
  record.expected = compare_with_expected(case_file, record);
  return record;
}

}  // namespace slipfield
