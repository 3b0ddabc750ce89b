// SPDX-License-Identifier: Apache-2.0
// The order of every run: look for the results of an earlier run, choose a backend, open the
// result, compute what is missing, then complete the result, or save the finished part if the run
// ends early. A plain run computes steps, a sweep points.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "app/console.h"
#include "app/failure.h"
#include "app/run/run_case.h"
#include "io/result/checkpoint.h"

namespace slipfield {

// Times the checkpoints of a run: at most a hundredth of the elapsed time is at risk, and a
// fiftieth is spent on writing.
class CheckpointPace {
 public:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] Clock::time_point begin() const { return begin_; }
  [[nodiscard]] bool due() const {
    const Clock::time_point now = Clock::now();
    return now >= last_ + std::max(50 * cost_, (now - begin_) / 100);
  }
  // Measures the time of `write`, whether or not it succeeds.
  template <typename Write>
  Clock::duration time(Write write) {
    const Clock::time_point before = Clock::now();
    write();
    last_ = Clock::now();
    cost_ = last_ - before;
    return cost_;
  }

 private:
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
  Clock::duration cost_{0};
};

class Conductor {
 public:
  virtual ~Conductor() = default;
  Conductor(const Conductor&) = delete;
  Conductor& operator=(const Conductor&) = delete;

  // Call once; returns and throws like run_case().
  RunRecord run();

 protected:
  Conductor(const CaseFile& case_file, const RunOptions& options, const RunObserver& observer)
      : case_file_(case_file),
        options_(options),
        observer_(observer),
        warnings_(case_file.warnings),
        folder_(options.output, case_file.input_files) {}

  // The program and backend of an earlier run of the case.
  struct Begun {
    std::string backend;
    std::string program;
    std::string device;
  };

  // --- The stages of a run, in this order; all ranks call them together.
  // Finds the results that --resume continues from and keeps them; nothing: the run starts afresh.
  virtual std::optional<Begun> find_begun() = 0;
  // Makes the solver from backend_, fills in the record's backend, and completes header_.
  virtual void prepare() = 0;
  // Called once the writer exists and before anything is solved, with or without results from
  // find_begun().
  virtual void start() = 0;
  // Throws if the run ends early.
  virtual void run_all() = 0;
  // Called after an early end: waits for writing in progress and appends its errors to `failure`.
  virtual void settle_last(Failure& failure) { static_cast<void>(failure); }
  // Describes the finished part, such as "3 finished steps"; empty if there is none.
  [[nodiscard]] virtual std::string finished() const = 0;
  // Called after an early end: writes finished results that are not in the file yet.
  virtual void write_unfinished() {}
  // Logs the warnings about the whole run and compares it with the expected numbers.
  virtual void tell_whole() = 0;
  // The sentence for a result that was saved although the run ended early.
  virtual std::string after_early_end() = 0;
  // What the checkpoint keeps if the result could not be saved, such as "3 finished steps"; empty
  // if there is nothing to continue from.
  [[nodiscard]] virtual std::string in_checkpoint() const = 0;

  // Reports with --verbose how a run spends its time.
  template <typename Work>
  static void timed(const char* what, const Work& work) {
    const auto before = CheckpointPace::Clock::now();
    work();
    log_debug(
        fmt::format("{} after {:.3g} s", what,
                    std::chrono::duration<double>(CheckpointPace::Clock::now() - before).count()));
  }

  const CaseFile& case_file_;
  const RunOptions& options_;
  const RunObserver& observer_;
  WarningRecord warnings_;
  CheckpointFolder folder_;  // released after the result is moved out of it or removed
  SettledBackend backend_;
  ResultHeader header_;
  std::optional<ResultWriter> writer_;
  RunRecord record_;
  CheckpointPace pace_;

 private:
  void begin();
  void end_early(const Failure& failure);
  void complete();
};

// Runs the steps of a case without a sweep in order. Each step is written, if possible while the
// next one is solved, and some leave a checkpoint. All arguments must outlive the run.
std::unique_ptr<Conductor> make_plain_run(const CaseFile& case_file, const RunOptions& options,
                                          const RunObserver& observer);
// Reads the steps of a complete result of this case and compares them with the expected numbers.
RunRecord read_complete_run(const CaseFile& case_file, const RunSummary& run);

// Runs the points of a sweep side by side: in batches if their contacts are small, else in threads.
// Finished points leave parts of a checkpoint. All arguments must outlive the run.
std::unique_ptr<Conductor> make_sweep_run(const CaseFile& case_file, const RunOptions& options,
                                          const RunObserver& observer);
// Reads a complete result of this case; its table holds only the last block. Throws InputError if
// it has other points of the sweep.
RunRecord read_complete_sweep(const CaseFile& case_file, const RunSummary& run);

}  // namespace slipfield
