// SPDX-License-Identifier: Apache-2.0
#include "solver/ranks/rank_solver.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "solver/check/checked_solver.h"
#include "solver/cpu/host_memory.h"
#include "solver/error.h"
#include "solver/memory_estimate.h"
#include "solver/normal/normal_solver.h"
#include "solver/problem_check.h"
#include "solver/ranks/ranks.h"
#include "solver/ranks/slab_backend.h"
#include "solver/ranks/slab_distance.h"
#include "solver/step/step_ops.h"
#include "solver/step/step_outcome.h"
#include "solver/tangential/tangential_ops.h"

namespace slipfield {
namespace {

// The whole grid's rows from `first` on, as a grid of their own.
Grid slab_of(const Grid& grid, const RowRange& rows) {
  Grid slab = grid;
  slab.my = rows.count;
  slab.y0 = grid.y0 + rows.first * grid.dy;
  return slab;
}

class RankSolver final : public ContactSolver {
 public:
  template <class T>
  using Array = SlabBackend::Array<T>;

  RankSolver(const ContactProblem& problem, ProgressCallback progress)
      : progress_(std::move(progress)),
        settings_(problem.solver),
        grid_(problem.grid),
        rows_(ranks::own_rows(problem.grid.my)),
        slab_(slab_of(problem.grid, rows_)),
        coupled_(couples(problem.upper, problem.lower)),
        influence_(problem.grid, contact_material(problem)),
        normal_(backend_, slab_, influence_),
        distance_(slab_.count()),
        pressure_(slab_.count()),
        displacement_n_(slab_.count()),
        displacement_x_(slab_.count()),
        displacement_y_(slab_.count()),
        bound_(slab_.count()),
        friction_(slab_.count()),
        none_(slab_.count()),
        division_(slab_.count()),
        contact_count_(1),
        totals_(1),
        residuals_(1) {
    const std::vector<double> h =
        slab_distance(problem.geometry, problem.grid, contact_material(problem));
    backend_.upload(h, distance_);
    if (grid_.boundary != Boundary::periodic) return;
    std::array<double, 1> sum{};
    for (const double value : h) sum[0] += value;
    ranks::add_up(sum);
    full_approach_ = sum[0] / static_cast<double>(grid_.count());
  }

  StepReport advance(const StepInput& step) override {
    const auto begin = std::chrono::steady_clock::now();
    const std::int64_t products = influence_.products();
    StepReport report;
    if (broken_) start_again();
    run(FillField{step.friction.coefficient, friction_.data()});
    report.iterations_outer = 1;
    solve(step.normal, report);
    measure(step.friction, report);
    if (report.outcome != Outcome::converged) find_broken_field(report);
    report.matrix_products = influence_.products() - products;
    report.seconds = ranks::greatest(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    return report;
  }

  [[nodiscard]] ContactSolution download() const override {
    ContactSolution out;
    out.pressure = backend_.download(pressure_);
    out.traction_x = out.traction_y = out.slip_x = out.slip_y = backend_.download(none_);
    out.traction_bound = backend_.download(bound_);
    out.displacement_x = backend_.download(displacement_x_);
    out.displacement_y = backend_.download(displacement_y_);
    out.displacement_n = backend_.download(displacement_n_);
    out.undeformed_distance = backend_.download(distance_);
    for (std::size_t i = 0; i < slab_.count(); ++i) {
      out.gap.push_back(out.undeformed_distance[i] + out.displacement_n[i] - approach_);
      out.element_division.push_back(static_cast<ElementState>(division_.data()[i]));
    }
    return out;
  }

  [[nodiscard]] SolverState state() const override {
    throw Error("the state of several ranks is not saved");
  }
  void restore(const SolverState& /*state*/, const StepInput& /*last*/) override {
    throw Error("the state of several ranks is not restored");
  }
  [[nodiscard]] std::string backend_name() const override { return SlabBackend::name(); }
  [[nodiscard]] std::string device_name() const override { return backend_.device_name(); }

 private:
  template <class Op>
  void run(const Op& op) {
    backend_.run(slab_.count(), op);
  }

  void start_again() {
    run(FillField{0.0, pressure_.data()});
    run(FillField{0.0, displacement_n_.data()});
    approach_ = 0.0;
    broken_ = false;
  }

  void solve(const NormalLoad& load, StepReport& report) {
    if (load.control == NormalControl::approach && load.value >= full_approach_) {
      approach_ = load.value;
      return fail(report, full_contact_text(approach_, full_approach_));
    }
    const NormalResult result =
        normal_.solve(distance_, load, settings_.normal, settings_.tolerance, pressure_,
                      displacement_n_, [&](int iteration, double change) {
                        report.history.push_back({Phase::normal, iteration, change});
                        if (progress_) progress_({Phase::normal, iteration, change});
                      });
    approach_ = result.approach;
    report.iterations_normal = result.iterations;
    if (!result.converged)
      fail(report, failure_of(Ending::normal_failed, {}, coupled_, false, report));
  }

  // Displacements and totals of the pressures found, and from them the residual.
  void measure(const Friction& friction, StepReport& report) {
    influence_.apply(Block::normal, {nullptr, nullptr, pressure_.data()},
                     {nullptr, nullptr, displacement_n_.data()});
    if (coupled_)
      influence_.apply(Block::tangential_from_normal, {nullptr, nullptr, pressure_.data()},
                       {displacement_x_.data(), displacement_y_.data(), nullptr});
    run(EnterContact{pressure_.data(), friction_.data(), bound_.data(), none_.data(), none_.data(),
                     division_.data(), contact_count_.data()});
    const ElementCentres centres(slab_);
    run(SumStep{centres, fields(), totals_.data()});
    constexpr int kNoEdgeAcross = 1;  // the slab's first and last rows are not those of the grid
    run(MeasureResiduals{centres, kNoEdgeAcross, fields(), approach_,
                         1.0 / influence_.self(Component::nn), 0.0, residuals_.data()});
    const StepTotals totals = backend_.read(totals_);
    const StepResiduals residuals = backend_.read(residuals_);
    report_totals(totals, grid_.element_area(), report);
    report.approach = approach_;
    report.friction_coefficient = friction.coefficient;
    report.max_pressure = backend_.greatest(pressure_);
    report.touches_edge =
        grid_.boundary == Boundary::free && residuals.at_edge + loaded_in_edge_rows() > 0.0;
    report_residual(residuals, totals, friction.coefficient > 0.0, settings_.tolerance, report);
  }

  // Elements in contact in the grid's first and last row.
  [[nodiscard]] double loaded_in_edge_rows() const {
    std::array<double, 1> loaded{};
    for (int row = 0; row < rows_.count; ++row) {
      const int iy = rows_.first + row;
      if (grid_.my == 1 || (iy != 0 && iy + 1 != grid_.my)) continue;
      for (int ix = 0; ix < grid_.mx; ++ix)
        loaded[0] += in_contact(division_.data()[grid_.index(ix, row)]) ? 1.0 : 0.0;
    }
    ranks::add_up(loaded);
    return loaded[0];
  }

  // As ContactRun: a field that is not finite is why the step did not converge.
  void find_broken_field(StepReport& report) {
    const std::array<std::pair<const char*, const Array<double>*>, 2> fields = {
        {{"pressure", &pressure_}, {"displacement_n", &displacement_n_}}};
    for (const auto& [name, array] : fields) {
      const double* const end = array->data() + array->size();
      const double* const bad =
          std::find_if(array->data(), end, [](double value) { return !std::isfinite(value); });
      const auto none = static_cast<double>(grid_.count());
      const double own = bad == end ? none
                                    : static_cast<double>(bad - array->data()) +
                                          static_cast<double>(grid_.index(0, rows_.first));
      const double first = -ranks::greatest(-own);
      if (first == none) continue;
      broken_ = true;
      report.message = broken_field_text(name, static_cast<int>(first), grid_, report);
      return;
    }
    if (report.history.empty() || std::isfinite(report.history.back().change)) return;
    broken_ = true;
    report.message = broken_change_text(report.history.back());
  }

  [[nodiscard]] StepFields fields() {
    return {.pressure = pressure_.data(),
            .traction_x = none_.data(),
            .traction_y = none_.data(),
            .displacement_x = displacement_x_.data(),
            .displacement_y = displacement_y_.data(),
            .displacement_n = displacement_n_.data(),
            .slip_x = none_.data(),
            .slip_y = none_.data(),
            .bound = bound_.data(),
            .distance = distance_.data(),
            .state = division_.data()};
  }

  ProgressCallback progress_;
  SolverSettings settings_;
  Grid grid_;
  RowRange rows_;
  Grid slab_;
  bool coupled_;
  SlabBackend backend_;
  SlabInfluence influence_;
  NormalSolver<SlabBackend> normal_;
  Array<double> distance_, pressure_, displacement_n_, displacement_x_, displacement_y_;
  Array<double> bound_, friction_;
  Array<double> none_;  // tractions and slip: there is no tangential problem
  Array<unsigned char> division_;
  Array<double> contact_count_;
  Array<StepTotals> totals_;
  Array<StepResiduals> residuals_;
  double approach_ = 0.0;
  double full_approach_ = std::numeric_limits<double>::infinity();  // as StepModel's
  bool broken_ = false;
};

[[noreturn]] void refuse_on_ranks(const std::string& what) {
  throw InputError(what + " not computed on several ranks; accepted: one process");
}

void require_kind_for_ranks(const ContactProblem& problem) {
  for (const StepInput& step : problem.steps) {
    if (step.tangential.problem != TangentialProblem::none) refuse_on_ranks("friction is");
    if (step.friction.varies() || !step.friction.along_y.empty())
      refuse_on_ranks("friction that varies over the grid is");
  }
  if (problem.layer.yields()) refuse_on_ranks("a layer that yields is");
  if (is_viscoelastic(problem.upper) || is_viscoelastic(problem.lower))
    refuse_on_ranks("viscoelastic bodies are");
  if (problem.influence.exists()) refuse_on_ranks("coefficients of curved surfaces are");
  if (!problem.surface.empty()) refuse_on_ranks("wear and heat of the surfaces are");
  if (problem.sensitivities) refuse_on_ranks("sensitivities are");
  if (is_simplified(problem.solver.tangential)) refuse_on_ranks("the simplified theory is");
  if (problem.solver.influence == InfluenceMethod::summation)
    refuse_on_ranks("products by summation are");
  const NormalMethod method = problem.solver.normal;
  if (method == NormalMethod::dense || method == NormalMethod::newton)
    refuse_on_ranks("the normal problem by a direct or Newton method is");
}

}  // namespace

void require_for_ranks(const ContactProblem& problem) {
  require_sound(check_problem(problem));
  require_kind_for_ranks(problem);
  constexpr std::size_t kFields =
      28;  // of doubles by element, those for the result's file included
  constexpr std::size_t kOfTheRest = std::size_t{16} << 20;
  const bool coupled = couples(problem.upper, problem.lower);
  const std::size_t elements =
      problem.grid.index(0, ranks::rows_of(0, ranks::count(), problem.grid.my).count);
  const std::size_t each =
      kOfTheRest + kFields * sizeof(double) * elements +
      SlabConvolution::memory_bytes(problem.grid, ranks::count(), 2, coupled ? 6 : 2);
  require_memory(problem, each * static_cast<std::size_t>(ranks::on_this_host()),
                 available_host_bytes(), "this machine has free");
}

std::unique_ptr<ContactSolver> make_rank_solver(const ContactProblem& problem,
                                                ProgressCallback progress) {
  return checked_solver(problem, std::make_unique<RankSolver>(problem, std::move(progress)));
}

}  // namespace slipfield
