// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "app/console.h"
#include "app/failure.h"
#include "app/report/step_table.h"
#include "app/run/conductor.h"
#include "app/run/resume.h"
#include "app/run/sweep/points_together.h"
#include "app/run/sweep/sweep_point.h"
#include "app/run/sweep/sweep_resume.h"
#include "app/run/sweep/sweep_tally.h"
#include "io/case/reader.h"
#include "io/case/step_task.h"
#include "io/case/sweep.h"
#include "io/result/warnings.h"
#include "solver/error.h"
#include "solver/threads/team_work.h"

namespace slipfield {
namespace {

// Thrown because another point has ended the sweep.
struct Stopped {};

// Thrown if the result cannot be written, which is not the fault of a point.
struct WriteFailure {
  std::exception_ptr error;
};

class SweepRun : public Conductor {
 public:
  SweepRun(const CaseFile& case_file, const RunOptions& options, const RunObserver& observer)
      : Conductor(case_file, options, observer),
        sweep_(*case_file.sweep),
        reader_(case_file),
        keeps_fields_(!case_file.output.fields || !case_file.output.fields->empty()) {
    for (const Expectation& expectation : sweep_.expected()) compared_.insert(expectation.point);
  }

 private:
  std::optional<Begun> find_begun() override {
    finished_ = FinishedPoints::find(case_file_, options_.output, folder_);
    if (!finished_) return std::nullopt;
    const ResultInfo& begun = finished_->begun();
    return Begun{begun.header.backend,
                 fmt::format("{} ({})", begun.program_version, begun.git_commit),
                 begun.header.device};
  }

  void prepare() override {
    record_.layout = {sweep_.points(), sweep_.shape(), sweep_.shard()};
    record_.table = empty_block(blocks_of(record_.layout.points).front());
    shown_ = record_.layout.points.first - 1;
    positions_ = positions_together(case_file_, backend_, keeps_fields_, options_.at_a_time,
                                    points_at_a_time(backend_, sweep_, options_.at_a_time));
    record_.at_a_time = positions_.at_a_time;
    header_.sweep = record_.layout;
  }

  void start() override {
    if (case_file_.interior)
      log_warning(
          "a sweep computes no interior; accepted: a point of it with --point, or `slipfield "
          "interior` on the result of a point");
    if (!finished_) return;
    const std::map<int, std::filesystem::path> parts = folder_.numbered_parts();
    if (!parts.empty()) part_ = parts.rbegin()->first;
  }

  void run_all() override {
    for (const PointRange& block : blocks_of(record_.layout.points)) {
      adopting_ = true;
      begin_block(block);
      adopting_ = false;
      if (!stop_) run_block(block);
      finish_block();
    }
    clear_progress();
    if (first_error_) std::rethrow_exception(first_error_);
    if (record_.counts.with_totals() == 0) throw_first_failure(record_);
  }

  // Empty if the points finished by an earlier run could not be read: its result and parts stay
  // unchanged.
  [[nodiscard]] std::string finished() const override {
    if (adopting_) return "";
    const std::size_t count = record_.counts.with_totals();
    return count == 0 ? "" : counted(count, "finished point");
  }

  void tell_whole() override {
    if (unwritten_) std::rethrow_exception(unwritten_);
    for (const std::string& line : tally_.failures()) warnings_.add_logged(line);
    for (const std::string& line : tally_.warnings(case_file_.warnings)) log_warning(line);
    if (const std::string edge = writer_->edge_warning(); !edge.empty()) log_warning(edge);
    warn_of_expected(record_.expected);
    record_.warnings = warnings_.texts();
    writer_->set_warnings(record_.warnings);
  }

  // --resume continues from the unfinished result.
  std::string after_early_end() override {
    folder_.clear();
    return {};
  }

  // Points that no part has are lost with the result.
  [[nodiscard]] std::string in_checkpoint() const override {
    const std::size_t lost = unsaved_.size();
    const auto done = static_cast<std::size_t>(done_);
    return done > lost && folder_.holds_anything() ? counted(done - lost, "finished point") : "";
  }

  [[nodiscard]] SweepTable empty_block(const PointRange& block) const {
    return empty_sweep_block(sweep_.inputs(block), sweep_.shape(), block);
  }

  void begin_block(const PointRange& block) {
    record_.table = empty_block(block);
    results_.clear();
    block_part_ = 0;
    if (finished_) adopt(block);
  }

  void run_block(const PointRange& block) {
    if (results_.size() == static_cast<std::size_t>(block.count)) return;
    if (!keeps_fields_) solve_together(block);
    if (stop_) return;
    taken_ = block.first - 1;
    const int threads =
        backend_.choice == BackendChoice::cpu ? omp_get_max_threads() / record_.at_a_time : 1;
    const auto wanted = static_cast<std::size_t>(record_.at_a_time);
    const std::size_t worked = run_in_threads(wanted, [=, this](std::size_t i) {
      work(threads, positions_.backend_of(backend_, static_cast<int>(i)));
    });
    if (worked < wanted)
      log_warning(fmt::format("{} points at a time in place of {}: no more threads can be started",
                              worked, wanted));
    const bool last = block.end() == record_.layout.points.end();
    if (!last && !unsaved_.empty()) write_checkpoint();
  }

  // Points with expected numbers run again, because these may refer to a step that no table holds.
  void adopt(const PointRange& block) {
    const auto taken =
        finished_->take(record_.table, [this](const FinishedPoints::Finished& finished) {
          return !compared_.contains(finished.number) &&
                 (!keeps_fields_ || !finished.fields.empty());
        });
    for (const auto& [number, fields] : taken) {
      if (keeps_fields_) {
        writer_->import_point(fields, number);
        with_fields_[number] = false;  // there, and finished
      }
      results_[number].outcome = record_.table.outcomes[record_.table.row_of(number)];
      unsaved_.push_back(number);
      ++done_;
      ++resumed_points_;
    }
    const PointRange& all = record_.layout.points;
    const bool missing = taken.size() < static_cast<std::size_t>(block.count);
    if (!resumed_ && (missing || block.end() == all.end())) {
      resumed_ = true;
      std::string text = fmt::format("resumed: {} of {} finished", done_,
                                     counted(static_cast<std::size_t>(all.count), "point"));
      if (const std::size_t count = compared_.size(); count > 0)
        text += fmt::format("; {} with expected numbers {} again", counted(count, "point"),
                            count == 1 ? "runs" : "run");
      log_info(text);
    }
    show_points();
    if (!taken.empty() && !stop_) gather_parts(block);
  }

  // Replaces the parts that the earlier run left of the block by one part of the checkpoint.
  void gather_parts(const PointRange& block) {
    const std::vector<std::filesystem::path> parts = finished_->parts_of(block);
    if (parts.size() == 1 && block != record_.layout.points && !keeps_fields_) {
      unsaved_.clear();
      return;
    }
    if (!write_checkpoint()) return;
    std::error_code ignored;
    for (const std::filesystem::path& part : parts) std::filesystem::remove(part, ignored);
  }

  // Solves the block's small contacts, many at a time.
  void solve_together(const PointRange& block) {
    try {
      solve_points_together(
          backend_, block,
          {[this](int number) { return is_done(number); },
           [this](int number) { return read_point(number); },
           [this](std::size_t done) { return goes_on(done); }, [this] { throw_if_ended(); },
           [this](int number, PointResult result) { keep(number, std::move(result)); }});
    } catch (...) {
      stop_ = true;
      if (!first_error_) first_error_ = std::current_exception();
    }
  }

  // Called from any thread.
  bool goes_on(std::size_t done) {
    const std::lock_guard<std::mutex> guard(mutex_);
    show_points_done(done_ + static_cast<int>(done));
    try {
      throw_if_interrupted();
    } catch (const Interrupted&) {
      return false;  // rethrown by throw_if_ended()
    }
    return !stop_;
  }

  // One thread's work: takes the next free point until there is none.
  void work(int threads, const SettledBackend& backend) {
    omp_set_num_threads(std::max(1, threads));
    const ContactQueue::Member member(backend.queue.get());
    try {
      const int end = record_.table.points().end();
      for (int number = ++taken_; number < end && !stop_; number = ++taken_)
        if (!is_done(number)) keep(number, solve(number, backend));
    } catch (const Stopped&) {
      return;
    } catch (...) {
      stop_ = true;
      const std::lock_guard<std::mutex> guard(mutex_);
      if (!first_error_) first_error_ = std::current_exception();
    }
  }

  bool is_done(int number) {
    const std::lock_guard<std::mutex> guard(mutex_);
    return results_.contains(number);
  }

  // A solver error fails only its point; an interrupt, a lost GPU or a result that cannot be
  // written ends the sweep.
  PointResult solve(int number, const SettledBackend& backend) {
    try {
      const CaseFile file = read_point(number);
      const int step_count = count_steps(file);
      return solve_point(file, backend,
                         {[this] { throw_if_ended(); },
                          [&](StepRecord& step, StepSession& session) {
                            if (keeps_fields_ && file.output.wants_step(step.number, step_count))
                              write_step(number, file, step, session);
                          }});
    } catch (const Interrupted&) {
      throw;
    } catch (const BackendLost&) {
      throw;
    } catch (const WriteFailure& failure) {
      std::rethrow_exception(failure.error);
    } catch (const std::exception&) {
      return failed_point(std::current_exception());
    }
  }

  CaseFile read_point(int number) { return reader_.read(number, mutex_); }

  void throw_if_ended() const {
    throw_if_interrupted();
    if (stop_) throw Stopped{};
  }

  void write_step(int number, const CaseFile& file, StepRecord& step, StepSession& session) {
    ContactSolution solution;
    if (!step.wheelset) solution = session.solution(fields_of(file.output.fields, step.input));
    const std::vector<std::string> warnings = session.warnings();
    const StepPlace place{step.number, number};
    const std::lock_guard<std::mutex> guard(mutex_);
    try {
      if (with_fields_.emplace(number, true).second)
        writer_->begin_point(number, header_of_point(file), file.output.fields);
      if (step.wheelset) return writer_->write_step(place, step.wheelset->solved, warnings);
      writer_->write_step(place, step.input, step.report, solution);
      for (const std::string& warning : warnings) writer_->warn(place, warning);
    } catch (const Error&) {
      throw WriteFailure{std::current_exception()};
    }
  }

  [[nodiscard]] ResultHeader header_of_point(const CaseFile& file) const {
    const ContactProblem& problem = file.problem;
    return {problem.title,          write_case(file), file.wheel_rail ? Grid{} : problem.grid,
            problem.units,          record_.backend,  record_.device,
            file.output.compression};
  }

  void keep(int number, PointResult result) {
    const std::lock_guard<std::mutex> guard(mutex_);
    unplaced_.push_back({number, result.last_step, result.outcome, result.message,
                         joined_lines(result.warnings), result.touches_edge,
                         std::move(result.rows)});
    const bool failed = result.outcome == PointOutcome::failed;
    if (with_fields_[number] && failed) writer_->drop_point(number);
    if (with_fields_[number] && !failed)
      writer_->finish_point(number,
                            result.outcome == PointOutcome::converged ? RunOutcome::converged
                                                                      : RunOutcome::not_converged,
                            result.warnings);
    with_fields_[number] = false;
    if (result.outcome != PointOutcome::converged)  // other messages are among the warnings
      log_warning_of_part(
          failure_line(record_.table, record_.table.row_of(number), result.message));
    results_[number] = {result.outcome, result.error_code, std::move(result.expected)};
    ++done_;
    unsaved_.push_back(number);
    if (placing_is_due()) place_points();
    const int count = record_.layout.points.count;
    if (done_ < count && !stop_ && pace_.due()) pace_.time([this] { write_checkpoint(); });
    show_points_done(done_);
  }

  // Inserting rows in the middle of a table moves all rows behind them: one by one, this took
  // longer than solving thousands of points. Points that end soon after one another are inserted
  // together.
  [[nodiscard]] bool placing_is_due() const {
    constexpr std::size_t kShare = 16;
    constexpr Clock::duration kSoon = std::chrono::milliseconds(100);
    return kShare * unplaced_.size() >= record_.table.count() ||
           Clock::now() >= placed_ + std::max(kSoon, 50 * placing_cost_);
  }

  void place_points() {
    const Clock::time_point begin = Clock::now();
    put_points(record_.table, std::exchange(unplaced_, {}));
    placed_ = Clock::now();
    placing_cost_ = placed_ - begin;
    show_points();
  }

  void show_points_done(int done) const {
    const int count = record_.layout.points.count;
    show_progress(fmt::format("{} of {} points done{}", done, count,
                              time_left_text(pace_.begin(), done - resumed_points_, count - done)));
  }

  void show_points() {
    for (; results_.contains(shown_ + 1); ++shown_)
      observer_.on_point(record_, record_.table.row_of(shown_ + 1));
  }

  // Writes the block so far; without fields it replaces the block's previous part. Returns false on
  // failure.
  bool write_checkpoint() {
    place_points();
    const std::filesystem::path part = folder_.numbered_part(++part_);
    try {
      writer_->write_part(part, record_.table, unsaved_);
    } catch (const Error& error) {
      log_warning(
          fmt::format("no checkpoint could be written, the sweep continues: {}", error.what()));
      return false;
    }
    unsaved_.clear();
    std::error_code ignored;
    if (!keeps_fields_ && block_part_ > 0)
      std::filesystem::remove(folder_.numbered_part(block_part_), ignored);
    block_part_ = part_;
    return true;
  }

  // Writes the block to the file and keeps only its numbers.
  void finish_block() {
    place_points();
    SweepTable& table = record_.table;
    tally_.add(record_, results_);
    results_.clear();
    for (const auto& [number, unfinished] : with_fields_)
      if (unfinished) writer_->drop_point(number);
    with_fields_.clear();
    drop_empty_columns(table);
    try {
      writer_->write_rows(table);
    } catch (const Error&) {
      stop_ = true;
      if (!unwritten_) unwritten_ = std::current_exception();
    }
  }

  using Clock = CheckpointPace::Clock;

  const CaseSweep& sweep_;
  PositionsTogether positions_;
  PointReader reader_;
  bool keeps_fields_;
  std::optional<FinishedPoints> finished_;  // by an earlier run
  std::set<int> compared_;                  // points with expected numbers
  std::atomic<int> taken_ = 0;
  std::atomic<bool> stop_ = false;

  // Guards the record, the writer, the console, HDF5 and everything below while points run.
  std::mutex mutex_;
  SweepTally tally_;
  std::map<int, EndedPoint> results_;  // of the block
  std::map<int, bool> with_fields_;  // points with fields in the file: true until they are finished
  std::vector<StepRows> unplaced_;   // finished points whose rows are not yet in the table
  Clock::time_point placed_;
  Clock::duration placing_cost_{0};
  bool resumed_ = false;  // and logged
  int done_ = 0;
  int resumed_points_ = 0;    // of those
  int shown_ = 0;             // the last point that the observer has seen
  std::vector<int> unsaved_;  // finished points that are in no part of the checkpoint
  int part_ = 0;              // the newest part of the checkpoint
  int block_part_ = 0;        // that of the block; 0: none yet
  bool adopting_ = false;     // finished points of the earlier run
  std::exception_ptr first_error_;
  std::exception_ptr unwritten_;  // why a block is not in the file
};

}  // namespace

std::unique_ptr<Conductor> make_sweep_run(const CaseFile& case_file, const RunOptions& options,
                                          const RunObserver& observer) {
  return std::make_unique<SweepRun>(case_file, options, observer);
}

RunRecord read_complete_sweep(const CaseFile& case_file, const RunSummary& run) {
  RunRecord record;
  static_cast<RunSummary&>(record) = run;
  record.layout = result_of_sweep(case_file, run.results).layout;
  for (const PointRange& block : blocks_of(record.layout.points)) {
    record.table = read_sweep_rows(run.results, block);
    record.counts.add(record.table);
  }
  return record;
}

}  // namespace slipfield
