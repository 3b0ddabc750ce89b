// SPDX-License-Identifier: Apache-2.0
// The tangential problem of one step with given pressure, on either backend (THEORY.md 5 to 7).
//
// newton solves it if the method is automatic or dense (`direct` in a case). If newton stalls,
// another method takes over from its tractions and the result says so: gauss_seidel or, in short
// steps of steady rolling, where that is hopeless, the proximal point method.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <variant>

#include "solver/fields/own_rows.h"
#include "solver/fields/tangential_ops.h"
#include "solver/problem.h"
#include "solver/rolling.h"
#include "solver/tangential/coarse_start.h"
#include "solver/tangential/gauss_seidel_solver.h"
#include "solver/tangential/newton_solver.h"
#include "solver/tangential/proximal_point.h"
#include "solver/tangential/tangential_task.h"

namespace slipfield {

template <class Backend>
class TangentialSolver {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  // grid: the whole grid.
  TangentialSolver(Backend& backend, const Grid& grid, const CombinedMaterial& material,
                   InfluenceMethod influence_method)
      : backend_(backend),
        grid_(grid),
        material_(material),
        influence_method_(influence_method),
        count_(own_grid(backend, grid).count()),
        sums_(1) {}

  // Allocates the memory of solve(), except for newton after sweeps whose tractions underflow.
  void reserve(const TangentialTask& task, TangentialMethod method,
               SlipOperator<Backend>& influence) {
    const bool tables = influence.table_operator() != nullptr;
    if (method != TangentialMethod::gauss_seidel) {
      if (!newton_) newton_.emplace(backend_, grid_);
      newton_->reserve(task, influence);
      if (method != TangentialMethod::dense && coarse_start_pays_on<Backend>(grid_)) {
        if (!coarse_) coarse_.emplace(backend_, grid_, material_, influence_method_);
        coarse_->reserve(task, influence.kind());
      }
      if (steps_shortly(influence)) {
        if (!proximal_) proximal_.emplace(backend_, grid_, material_);
        return proximal_->reserve(task, *newton_, influence);
      }
      if (task.moment_given) return;
    }
    if (!tables) return;
    if (!gauss_seidel_) gauss_seidel_.emplace(backend_, grid_);
    gauss_seidel_->reserve(influence);
  }

  // Starts from the tractions in the fields.
  TangentialResult solve(const TangentialTask& task, TangentialMethod method,
                         const TangentialSystem<Backend>& system, double tolerance,
                         const IterationReport& report) {
    const bool dense = method == TangentialMethod::dense;
    const LinearMethod linear = dense ? LinearMethod::dense : LinearMethod::gmres;
    int steps = 0;
    TangentialTask rest = task;
    const bool given = std::holds_alternative<GivenBound>(task.law);
    if (method != TangentialMethod::gauss_seidel || !given) {
      if (!newton_) newton_.emplace(backend_, grid_);
      if (std::holds_alternative<FallingBound>(task.law))
        return follow_falling(task, linear, system, tolerance, report);
      if (!given) return follow_law(task, linear, system, tolerance, report);
      if (!dense && coarse_start_pays_on<Backend>(grid_)) start_from_coarse(rest, system);
      TangentialResult result =
          newton_->solve(rest, linear, NewtonSolver<Backend>::kMaxSteps, system, tolerance, report);
      if (result.converged) return result;
      steps = result.iterations;
      if (std::isfinite(result.rigid.x) && std::isfinite(result.rigid.y)) rest.rigid = result.rigid;
      if (steps_shortly(system.influence)) {
        if (!proximal_) proximal_.emplace(backend_, grid_, material_);
        result = proximal_->solve(rest, *newton_, system, tolerance, after(steps, report));
        result.iterations += steps;
        return result;
      }
      if (system.influence.table_operator() == nullptr || task.moment_given) {
        start_from_sliding(task, system.fields);
        result = newton_after(steps, task, system, tolerance, report);
        result.took_over = TookOver::newton_from_full_slip;
        if (!result.converged && task.moment_given)
          search_rotation(task, method, system, tolerance, report, result);
        return result;
      }
      run(FitTractions{system.fields});
    }
    if (!gauss_seidel_) gauss_seidel_.emplace(backend_, grid_);
    const GaussSeidelResult sweeps =
        gauss_seidel_->solve(rest, system, tolerance, after(steps, report));
    TangentialResult result = sweeps.tangential;
    result.iterations += steps;
    if (method != TangentialMethod::gauss_seidel) {
      result.took_over = TookOver::gauss_seidel;
    } else if (result.converged && sweeps.unseen) {
      rest.rigid = result.rigid;
      // Sweeps treat tractions whose squares underflow as 0; newton resolves them.
      return newton_after(result.iterations, rest, system, tolerance, report);
    }
    return result;
  }

  // Forwards to NewtonSolver.
  std::optional<LinearizedFriction> linearize_solution(const TangentialTask& task,
                                                       const TangentialSystem<Backend>& system,
                                                       const FallOfBound& fall) {
    if (!newton_) newton_.emplace(backend_, grid_);
    return newton_->linearize_solution(task, system, fall);
  }
  bool respond(Eigen::MatrixXd& columns, double wanted) {
    return newton_->respond(columns, wanted);
  }

  // Products since construction, on coarser grids only.
  [[nodiscard]] std::int64_t coarse_products() const {
    return coarse_products_ + (coarse_ ? coarse_->products() : 0);
  }

  // Frees its memory until it has to solve again.
  void release() {
    coarse_products_ = coarse_products();
    gauss_seidel_.reset();
    newton_.reset();
    proximal_.reset();
    coarse_.reset();
  }

 private:
  // Whether this is steady rolling in short steps with one table of coefficients.
  [[nodiscard]] bool steps_shortly(SlipOperator<Backend>& influence) const {
    const InfluenceKind& kind = influence.kind();
    return kind.displacement == Displacement::change && influence.table_operator() != nullptr &&
           is_short_steady_step(std::hypot(kind.offset_x, kind.offset_y),
                                std::atan2(kind.offset_y, kind.offset_x), grid_);
  }

  // Runs newton from the given tractions and, if that fails, from full slip.
  TangentialResult follow_law(const TangentialTask& task, LinearMethod linear,
                              const TangentialSystem<Backend>& system, double tolerance,
                              const IterationReport& report) {
    const TangentialResult first =
        newton_->solve(task, linear, NewtonSolver<Backend>::kMaxSteps, system, tolerance, report);
    if (first.converged) return first;
    start_from_sliding(task, system.fields);
    return newton_after(first.iterations, task, system, tolerance, report);
  }

  // Runs newton with rows that follow a falling law or a share of it. The first time it starts from
  // the solution on coarser grids or, on the coarsest one, from that of the static coefficient.
  TangentialResult follow_falling(TangentialTask task, LinearMethod linear,
                                  const TangentialSystem<Backend>& system, double tolerance,
                                  const IterationReport& report) {
    auto& law = std::get<FallingBound>(task.law);
    if (!law.whole)
      return newton_->solve(task, linear, kMaxFallingSteps, system, tolerance, report);
    int steps = 0;
    if (task.search == WholeLawSearch::from_elsewhere && !law.first) {
      start_from_sliding(task, system.fields);
      run(SlipEverywhere{system.fields});
    }
    if (law.first && linear == LinearMethod::gmres && coarse_start_pays_on<Backend>(grid_)) {
      start_from_coarse(task, system);
    } else if (law.first) {
      TangentialTask fixed = task;
      fixed.law = GivenBound{};
      constexpr double kLoose = 3.0e-3;
      const TangentialResult start =
          newton_->solve(fixed, linear, NewtonSolver<Backend>::kMaxSteps, system, kLoose, report);
      steps = start.iterations;
      task.rigid = start.rigid;
    }
    TangentialResult result;
    for (const double most : kMostAtOnce) {
      law.most_at_once = most;
      const bool searches = task.search != WholeLawSearch::none;
      const int most_steps = searches ? kMaxSearchSteps : NewtonSolver<Backend>::kMaxSteps;
      result = newton_->solve(task, linear, most_steps, system, tolerance, after(steps, report));
      if (result.converged || searches) break;
      steps += result.iterations;
      task.rigid = result.rigid;
      law.first = false;
    }
    result.iterations += steps;
    return result;
  }

  // Limits of the fall that newton's rows use, tried in turn if a few elements keep jumping: each
  // leads through other states.
  static constexpr std::array<double, 3> kMostAtOnce{0.4, 0.2, 0.65};
  // Limit of steps with a share of a falling law: if newton needs more, the share is too large.
  static constexpr int kMaxFallingSteps = 8;
  static constexpr int kMaxSearchSteps = 12;

  template <class Op>
  void run(const Op& op) {
    backend_.run(count_, op);
  }

  // Starts from the coarse solution if the given tractions are far from a solution.
  void start_from_coarse(TangentialTask& task, const TangentialSystem<Backend>& system) {
    constexpr double kFar = 0.1;
    if (!(newton_->start_error(task, system) > kFar)) return;
    if (!coarse_) coarse_.emplace(backend_, grid_, material_, influence_method_);
    task.rigid = coarse_->improve(task, system);
  }

  // Lets all elements slip, against the given rigid slips and with the given forces. In full
  // contact a periodic surface has no mean displacement: newton cannot leave adhesion everywhere.
  void start_from_sliding(const TangentialTask& task, const TangentialFields& fields) {
    run(SumTractions{fields.traction_x, fields.traction_y, fields.bound, sums_.data()});
    const double bound = backend_.read(sums_).bound;
    if (!(bound > 0.0)) return;
    const double force_x = task.force_x_given ? task.force_x / bound : 0.0;
    const double force_y = task.force_y_given ? task.force_y / bound : 0.0;
    const double slip_x = task.force_x_given ? 0.0 : task.rigid.x;
    const double slip_y = task.force_y_given ? 0.0 : task.rigid.y;
    const double slip = std::hypot(slip_x, slip_y);
    const double rest = std::sqrt(std::max(0.0, 1.0 - force_x * force_x - force_y * force_y));
    const double part = slip > 0.0 ? -rest / slip : 0.0;
    const auto fill = [&](double factor, double* traction) {
      run(CopyField{fields.bound, traction, factor});
    };
    fill(force_x + part * slip_x, fields.traction_x);
    fill(force_y + part * slip_y, fields.traction_y);
  }

  // Last resort if newton stalls: near the limit of friction few elements change the sign of their
  // traction. The moment falls as the rotation grows, so this brackets the rotation for the given
  // moment and bisects, solving a problem of given rotation each time.
  void search_rotation(const TangentialTask& task, TangentialMethod method,
                       const TangentialSystem<Backend>& system, double tolerance,
                       const IterationReport& report, TangentialResult& result) {
    TangentialTask turned = task;
    turned.moment_given = false;
    const ElementCentres centres(own_grid(backend_, grid_));
    const double lever = std::sqrt(task.contact_count * grid_.element_area() / std::numbers::pi);
    const TangentialFields& fields = system.fields;
    run(SumTractions{fields.traction_x, fields.traction_y, fields.bound, sums_.data()});
    const double bound = backend_.read(sums_).bound;
    const double small = tolerance * std::max(std::abs(task.moment), 1.0e-3 * bound * lever);
    bool solved = true;
    const auto excess = [&](double rotation) {
      turned.rigid.rotation = rotation;
      const TangentialResult found = solve(turned, method, system, tolerance, report);
      solved = solved && found.converged;
      result.rigid = turned.rigid = found.rigid;
      result.iterations += found.iterations;
      const auto px = backend_.download(fields.traction_x, count_);
      const auto py = backend_.download(fields.traction_y, count_);
      double sum = counted_once(backend_, -task.moment);
      for (std::size_t i = 0; i < count_; ++i) sum += centres.moment(i, px[i], py[i]);
      sum = sum_over_owners(backend_, sum);
      result.converged = solved && std::abs(sum) <= small;
      return sum;
    };
    double low = 0.0;  // the moment there exceeds the wanted one
    double high = 0.0;
    double step = (task.compliance * bound + std::hypot(task.rigid.x, task.rigid.y)) / lever;
    const bool grows = excess(0.0) > 0.0;
    constexpr int kMostDoublings = 60;
    for (int k = 0; k < kMostDoublings && solved && !result.converged; ++k, step *= 2.0) {
      (grows ? high : low) = grows ? step : -step;
      if ((excess(grows ? high : low) > 0.0) != grows) break;
      (grows ? low : high) = grows ? high : low;
    }
    constexpr int kMostHalvings = 80;
    for (int k = 0; k < kMostHalvings && solved && !result.converged; ++k) {
      const double middle = 0.5 * (low + high);
      (excess(middle) > 0.0 ? low : high) = middle;
    }
  }

  // Runs newton after other iterations and counts on from theirs.
  TangentialResult newton_after(int done, const TangentialTask& task,
                                const TangentialSystem<Backend>& system, double tolerance,
                                const IterationReport& report) {
    if (!newton_) newton_.emplace(backend_, grid_);
    TangentialResult result =
        newton_->solve(task, LinearMethod::gmres, NewtonSolver<Backend>::kMaxSteps, system,
                       tolerance, after(done, report));
    result.iterations += done;
    return result;
  }

  Backend& backend_;
  Grid grid_;
  CombinedMaterial material_;
  InfluenceMethod influence_method_;
  std::size_t count_;
  Array<TangentialSums> sums_;
  std::optional<GaussSeidelSolver<Backend>> gauss_seidel_;  // made on first use
  std::optional<NewtonSolver<Backend>> newton_;
  std::optional<ProximalPoint<Backend>> proximal_;
  std::optional<CoarseStart<Backend>> coarse_;
  std::int64_t coarse_products_ = 0;  // of released solvers
};

}  // namespace slipfield
