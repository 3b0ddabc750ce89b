#include "app/run/run_sweep.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "app/console.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/report/step_table.h"
#include "app/run/checkpoint_pace.h"
#include "app/run/chosen_solver.h"
#include "app/run/resume.h"
#include "app/run/sweep_point.h"
#include "app/run/sweep_resume.h"
#include "gpu/cuda_device.h"
#include "io/case/sweep.h"
#include "io/result/sweep_writer.h"
#include "solver/cpu/host_memory.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr int kAtATimeOnGpu = 4;

// Another point has ended the sweep.
struct Stopped {};

// The result cannot be written, which is not the fault of a point.
struct WriteFailure {
  std::exception_ptr error;
};

class SweepRun {
 public:
  SweepRun(const CaseFile& case_file, const SweepOptions& options, const SweepObserver& observer)
      : sweep_(*case_file.sweep),
        observer_(observer),
        folder_(options.run.output, case_file.input_files),
        keeps_fields_(keeps_fields(case_file)),
        units_(case_file.problem.units) {
    folder_.hold();
    const std::optional<FinishedPoints> finished = start_points(case_file, options.run);
    const ContactProblem& problem = case_file.problem;
    BackendRequest request{options.run.backend, options.run.gpu};
    if (finished)
      request.choice = backend_to_resume(finished->begun.header.backend, options.run.backend);
    backend_ = settle_backend(request, problem);
    log_backend(backend_, problem);
    record_.backend = backend_.name;
    record_.device = backend_.device;
    record_.table = empty_sweep_table(sweep_.inputs(), sweep_.shape());
    record_.at_a_time = points_at_a_time(options.at_a_time);
    const ResultHeader header{problem.title, case_file.resolved_yaml, {},
                              problem.units, record_.backend,         record_.device};
    writer_.emplace(options.run.output, header, output_rule(case_file, options.run),
                    folder_.unfinished_result());
    record_.results = writer_->path();
    observer_.on_start(record_);
    if (finished) adopt(*finished);
  }

  SweepRecord run() {
    std::vector<std::thread> workers;
    const int threads =
        backend_.choice == BackendChoice::cpu ? omp_get_max_threads() / record_.at_a_time : 1;
    for (int i = 0; i < record_.at_a_time; ++i)
      workers.emplace_back([this, threads] { work(std::max(1, threads)); });
    for (std::thread& worker : workers) worker.join();
    clear_progress();
    finish();
    return std::move(record_);
  }

 private:
  // What an earlier run has finished; nothing where the sweep begins.
  std::optional<FinishedPoints> start_points(const CaseFile& case_file, const RunOptions& options) {
    if (options.resume) {
      std::optional<FinishedPoints> finished =
          find_finished_points(case_file, options.output, folder_);
      if (!finished) log_info("nothing to resume: the sweep begins with point 1");
      return finished;
    }
    if (!folder_.sweep_parts().empty() && options.overwrite == Overwrite::refuse)
      throw InputError(folder_.path().string() +
                       ": holds the finished points of an interrupted sweep; --resume continues "
                       "from them, --overwrite starts again");
    folder_.clear();
    return {};
  }

  // Points with expected numbers run again, since these may be of a step that no table holds.
  void adopt(const FinishedPoints& finished) {
    std::set<int> compared;
    for (const Expectation& expectation : sweep_.expected()) compared.insert(expectation.point);
    for (int number = 1; number <= sweep_.count(); ++number) {
      const auto point = static_cast<std::size_t>(number - 1);
      const auto fields = finished.fields.find(number);
      if (!finished.table.has_totals(point) || compared.contains(number) ||
          (keeps_fields_ && fields == finished.fields.end()))
        continue;
      if (keeps_fields_) {
        writer_->import_point(fields->second, number);
        with_fields_[number] = false;  // there, and finished
      }
      take_row(record_.table, point, finished.table);
      results_[number].outcome = record_.table.outcomes[point];
      results_[number].message = record_.table.messages[point];
      adopted_.insert(number);
      unsaved_.push_back(number);
      ++done_;
    }
    const ResultInfo& begun = finished.begun;
    warn_of_other_bits(fmt::format("{} ({})", begun.program_version, begun.git_commit),
                       begun.header.device, record_.device);
    log_info(fmt::format("resumed: {} of {} are finished", counted(adopted_.size(), "point"),
                         sweep_.count()));
    show_points();
    gather_parts();
  }

  // One part of the checkpoint instead of those that the earlier run left.
  void gather_parts() {
    const std::map<int, std::filesystem::path> parts = folder_.sweep_parts();
    if (!parts.empty()) part_ = parts.rbegin()->first;
    if (!write_checkpoint()) return;
    std::error_code ignored;
    for (const auto& [number, part] : parts) std::filesystem::remove(part, ignored);
  }

  [[nodiscard]] int points_at_a_time(int asked) const {
    std::size_t most = kAtATimeOnGpu;
    std::size_t available = 0;
    if (backend_.choice == BackendChoice::cpu) {
      most = static_cast<std::size_t>(omp_get_max_threads());
      available = available_host_bytes();
    } else {
      available = cuda_free_bytes(backend_.gpu);
    }
    if (asked > 0) most = static_cast<std::size_t>(asked);
    const std::size_t fit = available / std::max<std::size_t>(1, sweep_.memory_bytes());
    const auto count = static_cast<std::size_t>(sweep_.count());
    return static_cast<int>(std::max<std::size_t>(1, std::min({most, fit, count})));
  }

  // One thread's part: the next point that no other has taken, until there is none.
  void work(int threads) {
    omp_set_num_threads(threads);
    try {
      for (int number = ++taken_; number <= sweep_.count() && !stop_; number = ++taken_)
        if (!adopted_.contains(number)) keep(number, solve(number));
    } catch (const Stopped&) {
      return;
    } catch (...) {
      stop_ = true;
      const std::lock_guard<std::mutex> guard(mutex_);
      if (!first_error_) first_error_ = std::current_exception();
    }
  }

  // A solver error fails only that point; an interrupt, a GPU that is lost and a result that cannot
  // be written end the sweep.
  PointResult solve(int number) {
    try {
      const CaseFile file = read_point(number);
      const int step_count = count_steps(file.problem.steps);
      return solve_point(file, backend_,
                         {[this] { throw_if_ended(); },
                          [&](const StepRecord& step, StepSession& session) {
                            if (keeps_fields_ && file.output.wants_step(step.number, step_count))
                              write_step(number, file, step, session.solution());
                          }});
    } catch (const Interrupted&) {
      throw;
    } catch (const BackendLost&) {
      throw;
    } catch (const WriteFailure& failure) {
      std::rethrow_exception(failure.error);
    } catch (const std::exception&) {
      const Failure failure = failure_of(std::current_exception());
      PointResult result;
      result.outcome = PointOutcome::failed;
      result.message = failure.message;
      result.error_code = failure.exit_code;
      return result;
    }
  }

  // HDF5, which may hold heights of the geometry, allows one thread at a time.
  CaseFile read_point(int number) {
    const std::lock_guard<std::mutex> guard(mutex_);
    return sweep_.point(number, PointUse::in_sweep, files_);
  }

  static bool keeps_fields(const CaseFile& file) {
    return !file.output.fields || !file.output.fields->empty();
  }

  void throw_if_ended() const {
    throw_if_interrupted();
    if (stop_) throw Stopped{};
  }

  void write_step(int number, const CaseFile& file, const StepRecord& step,
                  const ContactSolution& solution) {
    const ContactProblem& problem = file.problem;
    const ResultHeader header{problem.title, file.resolved_yaml, problem.grid,
                              problem.units, record_.backend,    record_.device};
    const std::lock_guard<std::mutex> guard(mutex_);
    try {
      writer_->write_step(number, header, file.output.fields, step.number, step.input, step.report,
                          solution);
      with_fields_[number] = true;
    } catch (const Error&) {
      throw WriteFailure{std::current_exception()};
    }
  }

  void keep(int number, PointResult result) {
    const std::lock_guard<std::mutex> guard(mutex_);
    const auto point = static_cast<std::size_t>(number - 1);
    SweepTable& table = record_.table;
    table.outcomes[point] = result.outcome;
    table.messages[point] = result.message;
    record_.doubts.add(number, result.findings, units_);
    const bool failed = result.outcome == PointOutcome::failed;
    if (!failed && result.wheel) set_totals(table, point, *result.wheel);
    if (!failed && !result.wheel) set_totals(table, point, result.last_input, result.last_report);
    if (with_fields_[number] && failed) writer_->drop_point(number);
    if (with_fields_[number] && !failed)
      writer_->finish_point(number, result.outcome == PointOutcome::converged
                                        ? RunOutcome::converged
                                        : RunOutcome::not_converged);
    with_fields_[number] = false;
    if (result.outcome != PointOutcome::converged)
      log_warning(fmt::format("point {} ({}): {}", number, table.describe(point), result.message));
    table.touches_edge[point] = result.touches_edge ? 1 : 0;
    results_[number] = std::move(result);
    ++done_;
    show_points();
    unsaved_.push_back(number);
    if (done_ < sweep_.count() && !stop_ && pace_.due()) pace_.time([this] { write_checkpoint(); });
    show_progress(fmt::format("{} of {} points done", done_, sweep_.count()));
  }

  void show_points() {
    for (; results_.contains(shown_ + 1); ++shown_)
      observer_.on_point(record_, static_cast<std::size_t>(shown_));
  }

  // The table so far; without fields it makes the part before superfluous. False: it failed.
  bool write_checkpoint() {
    const std::filesystem::path part = folder_.sweep_part(++part_);
    try {
      writer_->write_part(part, record_.table, unsaved_);
    } catch (const Error& error) {
      log_warning(
          fmt::format("no checkpoint could be written, the sweep continues: {}", error.what()));
      return false;
    }
    unsaved_.clear();
    std::error_code ignored;
    if (!keeps_fields_) std::filesystem::remove(folder_.sweep_part(part_ - 1), ignored);
    return true;
  }

  void finish() {
    settle_outcome();
    if (first_error_ && done_with_totals() == 0) std::rethrow_exception(first_error_);
    if (done_with_totals() == 0) throw_first_failure();
    for (const auto& [number, unfinished] : with_fields_)
      if (unfinished) writer_->drop_point(number);
    drop_empty_columns(record_.table);
    for (auto& [number, result] : results_)
      std::move(result.expected.begin(), result.expected.end(),
                std::back_inserter(record_.expected));
    if (!first_error_) {
      writer_->finish(record_.table, record_.outcome, edge_warning());
      folder_.clear();
      return;
    }
    try {
      writer_->finish(record_.table, record_.outcome, edge_warning());
      folder_.clear();  // --resume continues from the unfinished result
      log_info(fmt::format("kept: {} in {}", counted(done_with_totals(), "finished point"),
                           record_.results.string()));
    } catch (const Error& error) {  // logged, and does not hide the first reason
      record_.results.clear();
      log_error(fmt::format("the finished points could not be saved: {}", error.what()));
    }
  }

  [[nodiscard]] std::size_t done_with_totals() const {
    std::size_t count = 0;
    for (std::size_t point = 0; point < record_.table.count(); ++point)
      count += record_.table.has_totals(point) ? 1 : 0;
    return count;
  }

  void settle_outcome() {
    for (const auto& [number, result] : results_) {
      if (result.outcome == PointOutcome::not_converged && record_.outcome == RunOutcome::converged)
        record_.outcome = RunOutcome::not_converged;
      if (result.outcome != PointOutcome::failed || record_.error_code != 0) continue;
      record_.outcome = RunOutcome::incomplete;
      record_.error = fmt::format("point {} failed: {}", number, result.message);
      record_.error_code = result.error_code;
    }
    if (!first_error_) return;
    record_.outcome = RunOutcome::incomplete;
    const Failure failure = failure_of(first_error_);
    record_.error = failure.message;
    record_.error_code = failure.exit_code;
  }

  // Not one point has a result, so there is nothing to keep.
  [[noreturn]] void throw_first_failure() const {
    const std::string message = record_.error + "; no point has a result, nothing was written";
    if (record_.error_code == static_cast<int>(ExitCode::bad_input)) throw InputError(message);
    throw Error(message);
  }

  [[nodiscard]] std::string edge_warning() const {
    int first = 0;
    std::size_t count = 0;
    for (std::size_t point = 0; point < record_.table.count(); ++point) {
      if (record_.table.touches_edge[point] == 0) continue;
      if (first == 0) first = static_cast<int>(point) + 1;
      ++count;
    }
    if (count == 0) return {};
    std::string warning =
        fmt::format("{} ({}, first in point {})", kEdgeWarning, counted(count, "point"), first);
    log_warning(warning);
    return warning;
  }

  const CaseSweep& sweep_;
  const SweepObserver& observer_;
  CheckpointFolder folder_;  // given back after the result is moved out of it or removed
  SettledBackend backend_;
  bool keeps_fields_;
  Units units_;
  std::set<int> adopted_;  // points that an earlier run has finished
  std::atomic<int> taken_ = 0;
  std::atomic<bool> stop_ = false;

  std::mutex mutex_;  // of all that follows, of the console and of HDF5, while points run
  HeightsFiles files_;
  SweepRecord record_;
  std::optional<SweepWriter> writer_;
  std::map<int, PointResult> results_;
  std::map<int, bool> with_fields_;  // points with fields in the file: true until they are finished
  int done_ = 0;
  int shown_ = 0;             // points that the observer has seen
  std::vector<int> unsaved_;  // finished points that are in no part of the checkpoint
  int part_ = 0;
  CheckpointPace pace_;
  std::exception_ptr first_error_;
};

}  // namespace

SweepRecord run_sweep(const CaseFile& case_file, const SweepOptions& options,
                      const SweepObserver& observer) {
  check_output(options.run.output, FileKind::result, output_rule(case_file, options.run));
  if (options.run.resume) {
    if (std::optional<SweepRecord> complete = find_complete_sweep(case_file, options.run.output)) {
      tell_complete(case_file, options.run.output);
      return std::move(*complete);
    }
  }
  return SweepRun(case_file, options, observer).run();
}

}  // namespace slipfield
