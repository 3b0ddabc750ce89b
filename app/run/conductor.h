// SPDX-License-Identifier: Apache-2.0
// What every run does, in one order: looks for what an earlier run left, settles on a backend,
// opens the result, computes what is missing, and completes the result, or saves what is finished
// where the run ends early. What it computes is the steps of a plain run or the points of a sweep.
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

// When a run writes its next checkpoint: at most a hundredth of the time so far is at stake, and
// a twentieth is spent on writing.
class CheckpointPace {
 public:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] Clock::time_point begin() const { return begin_; }
  [[nodiscard]] bool due() const {
    const Clock::time_point now = Clock::now();
    return now >= last_ + std::max(20 * cost_, (now - begin_) / 100);
  }
  // Times `write`, whether it succeeds or not.
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

  // Once; as run_case().
  RunRecord run();

 protected:
  Conductor(const CaseFile& case_file, const RunOptions& options, const RunObserver& observer)
      : case_file_(case_file),
        options_(options),
        observer_(observer),
        warnings_(case_file.warnings),
        folder_(options.output, case_file.input_files) {}

  // What an earlier run of the case used.
  struct Begun {
    std::string backend;
    std::string program;
    std::string device;
  };

  // --- What the parts of a run do, in this order; all ranks together.
  // What --resume continues from, which the object keeps; nothing: the run begins.
  virtual std::optional<Begun> find_begun() = 0;
  // With backend_ and the record's backend: makes what computes, and completes header_.
  virtual void prepare() = 0;
  // The writer is there, nothing has run; with what find_begun() has found, or without.
  virtual void start() = 0;
  // Throws what ends the run early.
  virtual void run_all() = 0;
  // The run has ended early: takes in what is still being written. What then fails joins `failure`.
  virtual void settle_last(Failure& failure) { static_cast<void>(failure); }
  // Says how much is finished, such as "3 finished steps"; empty where nothing is.
  [[nodiscard]] virtual std::string finished() const = 0;
  // Writes what is finished and not in the file yet, where the run ends early.
  virtual void write_unfinished() {}
  // Logs what is suspicious in all of it together, and compares expected numbers.
  virtual void tell_whole() = 0;
  // The result is saved although the run ended early: for the sentence that says so.
  virtual std::string after_early_end() = 0;

  // With --verbose, what the time of a run goes into.
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
  CheckpointFolder folder_;  // given back after the result is moved out of it or removed
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

// The steps of a run without a sweep, one after another: each is written, behind the next one where
// the machine allows it, and some of them leave a checkpoint. All three outlive it.
std::unique_ptr<Conductor> make_plain_run(const CaseFile& case_file, const RunOptions& options,
                                          const RunObserver& observer);
// The steps of a complete result of this case, and how they compare with the expected numbers.
RunRecord read_complete_run(const CaseFile& case_file, const RunSummary& run);

// The points of a sweep, side by side: in batches where their contacts are small, in threads
// otherwise. Finished points leave parts of a checkpoint. All three outlive it.
std::unique_ptr<Conductor> make_sweep_run(const CaseFile& case_file, const RunOptions& options,
                                          const RunObserver& observer);
// A complete result of this case; its table is only the last block. Throws InputError where it has
// other points of the sweep.
RunRecord read_complete_sweep(const CaseFile& case_file, const RunSummary& run);

}  // namespace slipfield
