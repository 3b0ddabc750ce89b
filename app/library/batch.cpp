#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

#include "app/failure.h"
#include "app/library/case_solver.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr int kAtATimeOnGpu = 4;

class Batch {
 public:
  Batch(CaseSolver& solver, const BatchRequest& request,
        const std::function<bool(std::size_t)>& progress)
      : request_(request),
        progress_(progress),
        yaml_(solver.resolved()),
        options_(solver.options()),
        steps_(solver.steps_in_case()) {
    at_a_time_ = solver.backend_name() == "cuda" ? kAtATimeOnGpu
                 : options_.threads > 0          ? options_.threads
                                                 : omp_get_max_threads();
    options_.threads = 1;
    options_.rewind = false;
    options_.progress = [this](int, const Progress&) { return !stop_.load(); };
    result_.totals.assign(request.count * request.outputs.size(),
                          std::numeric_limits<double>::quiet_NaN());
    result_.outcomes.assign(request.count, Outcome::converged);
    result_.messages.resize(request.count);
    failed_.assign(request.count, 0);
  }

  BatchResult run() {
    std::vector<std::thread> workers;
    const auto most = std::min<std::size_t>(static_cast<std::size_t>(at_a_time_), request_.count);
    working_ = most;
    for (std::size_t i = 0; i < most; ++i)
      workers.emplace_back([this] {
        work();
        const std::lock_guard<std::mutex> guard(mutex_);
        --working_;
        ended_.notify_one();
      });
    watch();
    for (std::thread& worker : workers) worker.join();
    if (first_error_) std::rethrow_exception(first_error_);
    if (stop_) throw Cancelled();
    result_.failed.assign(failed_.begin(), failed_.end());
    return std::move(result_);
  }

 private:
  void work() {
    for (std::size_t i = taken_++; i < request_.count && !stop_; i = taken_++) {
      try {
        solve(i);
      } catch (const Cancelled&) {
        return;
      } catch (const BackendLost&) {
        const std::lock_guard<std::mutex> guard(mutex_);
        if (!first_error_) first_error_ = std::current_exception();
        stop_ = true;
        return;
      } catch (const std::exception&) {
        result_.messages[i] = failure_of(std::current_exception()).message;
        failed_[i] = 1;
      }
      ++done_;
    }
  }

  // The caller hears of it in its own thread: there a language behind it sees Ctrl-C.
  void watch() {
    std::unique_lock<std::mutex> guard(mutex_);
    while (working_ > 0) {
      ended_.wait_for(guard, std::chrono::milliseconds(50));
      if (!progress_ || stop_) continue;
      guard.unlock();
      std::exception_ptr error;
      bool goes_on = false;
      try {
        goes_on = progress_(done_);
      } catch (...) {
        error = std::current_exception();
      }
      guard.lock();
      if (error && !first_error_) first_error_ = error;
      if (!goes_on) stop_ = true;
    }
  }

  void solve(std::size_t i) {
    const auto solver = CaseSolver::from_text(yaml_, options_);
    solver->set(request_.inputs(i));
    for (int step = 0; step < steps_; ++step) {
      const StepReport& report = solver->advance().report;
      if (report.outcome == Outcome::converged) continue;
      result_.outcomes[i] = report.outcome;
      result_.messages[i] = report.message;
    }
    for (std::size_t k = 0; k < request_.outputs.size(); ++k)
      result_.totals[i * request_.outputs.size() + k] = solver->total(request_.outputs[k]);
  }

  const BatchRequest& request_;
  const std::function<bool(std::size_t)>& progress_;
  std::string yaml_;
  CaseSolverOptions options_;
  int steps_;
  int at_a_time_ = 1;
  BatchResult result_;
  std::vector<char> failed_;  // of their own byte, unlike bits
  std::atomic<std::size_t> taken_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t working_ = 0;  // threads
  std::atomic<std::size_t> done_ = 0;
  std::exception_ptr first_error_;
};

}  // namespace

BatchResult solve_batch(CaseSolver& solver, const BatchRequest& request,
                        const std::function<bool(std::size_t)>& progress) {
  return Batch(solver, request, progress).run();
}

}  // namespace slipfield
