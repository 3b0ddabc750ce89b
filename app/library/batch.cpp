// SPDX-License-Identifier: Apache-2.0
#include "solver/batch/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "app/failure.h"
#include "app/library/batch_gradient.h"
#include "app/library/case_solver.h"
#include "app/library/step_gradient.h"
#include "app/library/wheel_gradient.h"
#include "app/report/run_warnings.h"
#include "app/report/step_warnings.h"
#include "gpu/cuda_device.h"
#include "io/case/sections.h"
#include "io/result/field_table.h"
#include "io/result/warnings.h"
#include "io/yaml/source.h"
#include "solver/error.h"
#include "solver/rolling.h"
#include "solver/threads/team_work.h"

namespace slipfield {
namespace {

constexpr int kAtATimeOnGpu = 4;
// Contacts read at a time, then solved together if they are small.
constexpr std::size_t kPiece = 8192;

// Fewer if derivatives need the fields of all of them, which then take some 200 MB, and gradients
// to heights and friction another 64 MB for each scalar.
constexpr std::size_t kElementsWithFields = 4096 * 1024;

// Contacts of a piece that are solved together.
struct SmallContactsOfPiece {
  ContactBatch batch;
  std::vector<std::size_t> numbers;
  std::vector<StepInput> inputs;
  std::vector<ContactProblem> problems;
  BatchSolution solution{};
  std::vector<AdjointSolution> gradients{};
  std::vector<std::size_t> converged{};  // of numbers
};

class Batch {
 public:
  Batch(CaseSolver& solver, const BatchRequest& request,
        const std::function<bool(std::size_t)>& progress)
      : solver_(solver),
        request_(request),
        progress_(progress),
        options_(solver.options()),
        needs_interior_(std::ranges::any_of(request.outputs, is_of_interior)) {
    on_gpu_ = solver.backend_name() == "cuda";
    cores_ = options_.threads > 0 ? options_.threads : omp_get_max_threads();
    options_.threads = 1;
    options_.rewind = false;
    options_.progress = [this](int, const Progress&) { return !stop_.load(); };
    result_.totals.assign(request.count * request.outputs.size(),
                          std::numeric_limits<double>::quiet_NaN());
    result_.outcomes.assign(request.count, Outcome::converged);
    result_.messages.resize(request.count);
    result_.warnings.resize(request.count);
    doubts_.resize(request.count);
    failed_.assign(request.count, 0);
    refused_.assign(request.count, 0);
    if (has_gradients()) result_.near_change.assign(request.count, 0);
    if (request.keep) result_.kept.resize(request.count);
    if (request.count > 0)
      for (const KeyValue& input : request.inputs(0))
        if (const auto refused = not_swept(input.key))
          throw InputError(fmt::format("{} is nothing to sweep over; {}",
                                       in_quotes(refused->section), refused->accepted));
    require_kept_step(solver);
    stages_ = has_gradients() ? 2 : 1;
    row_ = gradient_row(solver, request);
    result_.gradients.assign(request.count * request.gradient_of.size() * row_,
                             std::numeric_limits<double>::quiet_NaN());
  }

  BatchResult run() {
    std::size_t piece = kPiece;
    if (needs_fields())
      piece = std::clamp<std::size_t>(
          kElementsWithFields / std::max<std::size_t>(solver_.problem().grid.count(), 1), 1,
          kPiece);
    for (std::size_t first = 0; first < request_.count && !stop_; first += piece)
      solve_piece(first, std::min(request_.count, first + piece));
    if (first_error_) std::rethrow_exception(first_error_);
    if (stop_) throw Cancelled();
    result_.failed.assign(failed_.begin(), failed_.end());
    result_.refused.assign(refused_.begin(), refused_.end());
    return std::move(result_);
  }

 private:
  // For the case, and for each contact: what is set for it may be steps.
  void require_kept_step(const CaseSolver& solver) const {
    if (request_.keep && (solver.steps_in_case() != 1 || solver.is_wheel()))
      throw InputError(
          "a batch keeps contacts of one step for their derivatives; accepted: a case of one step, "
          "without wheel_rail");
  }

  void solve_piece(std::size_t first, std::size_t end) {
    small_ = {};
    alone_.clear();
    for_each_of(end - first, cores_, [&](std::size_t k) { read(first + k); });
    if (!small_.numbers.empty() && !stop_)
      for_each_of(1, 1, [this](std::size_t /*k*/) { solve_small(); });
    if (needs_fields())
      for_each_of(small_.converged.size(), cores_,
                  [&](std::size_t k) { add_small_gradients(small_.converged[k]); });
    // Several at a time fill a GPU.
    const int at_a_time = on_gpu_ ? kAtATimeOnGpu : cores_;
    for_each_of(alone_.size(), at_a_time, [&](std::size_t k) { solve_alone(alone_[k]); });
  }

  // Calls work(k) for each k < count, several side by side. Exceptions belong to that contact.
  template <class Work>
  void for_each_of(std::size_t count, int at_a_time, const Work& work) {
    std::atomic<std::size_t> taken = 0;
    const auto threads = std::min(static_cast<std::size_t>(at_a_time), count);
    run_in_threads(
        threads,
        [&](std::size_t /*thread*/) {
          try {
            for (std::size_t k = taken++; k < count && !stop_; k = taken++) work(k);
          } catch (...) {
            end_with(std::current_exception());
          }
        },
        [this] { report_progress(); });
  }

  void end_with(const std::exception_ptr& error) {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (!first_error_) first_error_ = error;
    stop_ = true;
  }

  // Turns exceptions into the contact's message, except those that end the batch. stages: the
  // contact's stages that an exception leaves out.
  template <class Work>
  void guarded(std::size_t i, std::size_t stages, const Work& work) {
    try {
      work();
    } catch (const Cancelled&) {
      stop_ = true;
    } catch (const BackendLost&) {
      throw;
    } catch (const std::exception&) {
      Failure failure = failure_of(std::current_exception());
      result_.messages[i] = std::move(failure.message);
      failed_[i] = 1;
      refused_[i] = failure.exit_code == static_cast<int>(ExitCode::bad_input) ? 1 : 0;
      stages_done_ += stages;
    }
  }

  // In the caller's thread, so that Python sees Ctrl-C.
  void report_progress() {
    if (!progress_ || stop_) return;
    try {
      told_ = std::max(told_, stages_done_ / stages_);  // some are solved twice
      if (!progress_(told_)) stop_ = true;
    } catch (...) {
      end_with(std::current_exception());
    }
  }

  std::unique_ptr<CaseSolver> solver_of(std::size_t i) {
    auto solver = std::make_unique<CaseSolver>(solver_, options_);
    solver->set(request_.inputs(i),
                request_.arrays ? request_.arrays(i) : std::vector<NamedArray>(),
                OpenCase::Loads::in_case);
    return solver;
  }

  // Decides whether a contact is solved with others or alone.
  void read(std::size_t i) {
    guarded(i, stages_, [&] {
      const auto solver = solver_of(i);
      require_names(*solver);
      require_kept_step(*solver);
      ContactProblem problem = solver->problem();
      const StepTask& task = solver->next_step();
      doubts_[i] = solver->doubts_of_next(solver_);
      if (solver->steps_in_case() == 1 && !solver->is_wheel())
        problem.steps[0] = std::get<StepInput>(task);
      const bool small =
          !solver->is_wheel() && !needs_interior_ && batch_refusal(problem).empty() &&
          !(needs_fields() && enters_within_step(problem.steps[0].tangential, problem.grid));
      ContactBatch one;
      if (small) add_to_batch(one, problem);
      const std::lock_guard<std::mutex> guard(mutex_);
      if (!small) {
        alone_.push_back(i);
        return;
      }
      one.contacts[0].shape = small_.batch.shapes.size();
      small_.batch.shapes.push_back(std::move(one.shapes[0]));
      small_.batch.contacts.push_back(one.contacts[0]);
      small_.numbers.push_back(i);
      small_.inputs.push_back(problem.steps[0]);
      small_.problems.push_back(std::move(problem));
    });
  }

  // Leaves contacts that do not converge to the single solver, which has more methods, also for
  // derivatives.
  void solve_small() {
    BatchOptions options;
    options.threads = cores_;
    options.fields = request_.keep;
    const std::size_t before = stages_done_;
    options.progress = [&](std::size_t done) {
      stages_done_ = before + done;  // one stage of each is done: its solution
      return !stop_;
    };
    if (on_gpu_ && !on_card_) on_card_ = make_cuda_batches(options_.backend.gpu.value_or(0));
    if (has_gradients())
      solve_with_gradients(options);
    else
      small_.solution = on_card_ ? on_card_->solve(small_.batch, options)
                                 : solve_batch_on_cpu(small_.batch, options);
    std::size_t stages = 0;
    for (std::size_t k = 0; k < small_.numbers.size(); ++k) {
      const std::size_t i = small_.numbers[k];
      const StepReport& report = small_.solution.reports[k];
      if (report.outcome != Outcome::converged || lacks_gradients(k)) {
        alone_.push_back(i);
        continue;
      }
      guarded(i, 0, [&] {
        RunWarnings warnings(std::move(doubts_[i]));
        warnings.add_unsaid(
            1, step_remarks(report, step_warnings(small_.problems[k], small_.inputs[k], report)));
        result_.warnings[i] = joined_lines(warnings.lines());
        for (std::size_t n = 0; n < request_.outputs.size(); ++n)
          result_.totals[i * request_.outputs.size() + n] =
              quantity(report, small_.inputs[k], request_.outputs[n]);
        small_.converged.push_back(k);
      });
      stages += failed_[i] != 0 ? stages_ : 1;
    }
    stages_done_ = before + stages;
  }

  void solve_alone(std::size_t i) {
    guarded(i, stages_, [&] {
      const auto solver = solver_of(i);
      RunWarnings warnings(std::move(doubts_[i]));
      for (int step = 0; step < solver->steps_in_case(); ++step) {
        const StepReport& report = solver->advance().report;
        warnings.add_unsaid(step + 1, solver->warnings_of_step());
        if (report.outcome == Outcome::converged) continue;
        result_.outcomes[i] = report.outcome;
        result_.messages[i] = report.message;
      }
      result_.warnings[i] = joined_lines(warnings.lines());
      std::ranges::copy(solver->totals(request_.outputs),
                        &result_.totals[i * request_.outputs.size()]);
      if (solver->last().report.outcome == Outcome::converged) {
        if (request_.keep)
          result_.kept[i] = std::make_shared<KeptContact>(KeptContact{
              solver->problem(), solver->last().input, solver->last().report, solver->solution()});
        if (has_gradients()) add_gradients_alone(i, *solver);
      }
      stages_done_ += stages_;
    });
  }

  // --- Derivatives

  [[nodiscard]] bool has_gradients() const { return !request_.gradient_of.empty(); }
  [[nodiscard]] bool needs_fields() const { return has_gradients() || request_.keep; }
  // Called before anything is solved.
  void require_names(CaseSolver& solver) const {
    for (const std::string& name : request_.outputs) solver.require_asked(name);
    if (!has_gradients()) return;
    const StepTask& last = solver.step(solver.steps_in_case());
    if (const auto* wheels = std::get_if<WheelsetStep>(&last))
      require_derivatives(*wheels, request_.gradient_of, request_.gradient_to);
    else
      require_derivatives(std::get<StepInput>(last), request_.gradient_of, request_.gradient_to);
  }

  void solve_with_gradients(const BatchOptions& options) {
    BatchScalars scalars;
    for (std::size_t k = 0; k < small_.numbers.size(); ++k) {
      std::vector<StepOutputs>& of = scalars.emplace_back();
      for (const std::string& name : request_.gradient_of)
        of.push_back(
            seed_by_names(small_.inputs[k], small_.problems[k].grid.count(), {{name, {1.0}}}));
    }
    AdjointOptions adjoint = fields_among(request_.gradient_to);
    adjoint.threads = cores_;
    adjoint.progress = [this](std::size_t /*done*/) { return !stop_; };
    SolvedWithGradients solved =
        on_card_ ? on_card_->solve_with_gradients(small_.batch, options, scalars, adjoint)
                 : solve_with_gradients_on_cpu(small_.batch, options, scalars, adjoint);
    small_.solution = std::move(solved.solution);
    small_.gradients = std::move(solved.gradients);
  }
  [[nodiscard]] bool lacks_gradients(std::size_t k) const {
    return has_gradients() && small_.gradients[k].gradients.empty();
  }
  // find: computes the derivatives of a scalar from its seed.
  template <class Find>
  void add_gradients(std::size_t i, std::int64_t near_change, const Find& find) {
    std::vector<double> rows(request_.gradient_of.size() * row_);  // all of a contact, or none
    double* to = rows.data();
    for (const std::string& name : request_.gradient_of) {
      const NamedValues found = find(NamedValues{{name, {1.0}}});
      double* const end = to + row_;
      for (const std::string& input : request_.gradient_to) {
        const NamedValue& value = value_of(found, input);
        if (static_cast<std::ptrdiff_t>(value.values.size()) > end - to)
          throw InputError(input +
                           ": the contact has another grid than the case as it is; accepted: "
                           "contacts of one grid, or inputs that are one number");
        to = std::ranges::copy(value.values, to).out;
      }
      if (to != end)
        throw InputError(
            "the contact has another grid than the case as it is; accepted: contacts of one grid");
    }
    std::ranges::copy(rows,
                      result_.gradients.begin() + static_cast<std::ptrdiff_t>(i * rows.size()));
    result_.near_change[i] = near_change;
  }
  void add_small_gradients(std::size_t k) {
    const std::size_t i = small_.numbers[k];
    guarded(i, stages_ - 1, [&] {
      if (has_gradients()) {
        const AdjointSolution& found = small_.gradients[k];
        auto next = found.gradients.begin();
        add_gradients(i, found.near_change, [&](const NamedValues& /*seed*/) {
          return names_of(small_.inputs[k], *next++);
        });
      }
      if (request_.keep)
        result_.kept[i] = std::make_shared<KeptContact>(
            KeptContact{std::move(small_.problems[k]), std::move(small_.inputs[k]),
                        small_.solution.reports[k], std::move(small_.solution.fields[k])});
      if (has_gradients()) ++stages_done_;
    });
  }
  void add_gradients_alone(std::size_t i, CaseSolver& solver) {
    const ThreadCount threads(1);
    const auto add = [&](auto& gradient) {
      add_gradients(i, gradient.near_change(),
                    [&](const NamedValues& seed) { return gradient.gradient(seed); });
    };
    if (!solver.is_wheel()) return add(solver.gradient());
    add(solver.wheel_gradient(StepSide::whole, ProfilePoints::none));
  }

  const CaseSolver& solver_;
  const BatchRequest& request_;
  const std::function<bool(std::size_t)>& progress_;
  CaseSolverOptions options_;
  bool needs_interior_;  // of each contact, which is then solved alone
  bool on_gpu_ = false;
  int cores_ = 1;
  std::size_t row_ = 0;     // of gradients
  std::size_t stages_ = 1;  // of a contact: its solution, and its gradients
  std::optional<CudaBatches> on_card_;
  SmallContactsOfPiece small_;
  std::vector<std::size_t> alone_;
  BatchResult result_;
  // Each has a byte of its own, unlike bits.
  std::vector<char> failed_;
  std::vector<char> refused_;
  std::vector<std::vector<std::string>> doubts_;  // in what was set for each contact
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;  // of small_ and alone_ while contacts are read, and of what follows
  std::atomic<std::size_t> stages_done_ = 0;
  std::size_t told_ = 0;  // the greatest count that progress_ was called with
  std::exception_ptr first_error_;
};

}  // namespace

std::size_t gradient_row(const CaseSolver& solver, const BatchRequest& request) {
  std::size_t row = 0;
  for (const std::string& name : request.gradient_to) {
    const bool is_field =
        !solver.is_wheel() && (name == "undeformed_distance" || name == "friction");
    row += is_field ? solver.problem().grid.count() : 1;
  }
  return row;
}

BatchResult solve_batch(CaseSolver& solver, const BatchRequest& request,
                        const std::function<bool(std::size_t)>& progress) {
  return Batch(solver, request, progress).run();
}

}  // namespace slipfield
