// SPDX-License-Identifier: Apache-2.0
// Steps of the frictionless normal problem on one sharer's rows of the grid, whether a rank or a
// GPU holds them: each runs this text on its own rows, and what an operation sums is summed over
// all of them. The sums have the same bits everywhere, so that all take the same branches.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/error.h"
#include "solver/normal/normal_solver.h"
#include "solver/problem.h"
#include "solver/ranks/shared_rows.h"
#include "solver/ranks/unshared_methods.h"
#include "solver/step/step_ops.h"
#include "solver/step/step_outcome.h"
#include "solver/step/step_state.h"
#include "solver/tangential/tangential_ops.h"

namespace slipfield {

// Backend: as solver/step/solver_backend.h has it, for one sharer's elements, and
//   own_rows(rows)       of so many, those of this sharer
//   add_up(values)       sums over the sharers
//   greatest_of(value)   over the sharers
// Every call but slab() is made by all sharers together.
template <class Backend>
class SlabRun {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;
  using Influence = typename Backend::Influence;

  // distance: undeformed, on this sharer's rows. backend outlives the run.
  SlabRun(Backend& backend, const ContactProblem& problem, const std::vector<double>& distance,
          ProgressCallback progress)
      : progress_(std::move(progress)),
        settings_(problem.solver),
        grid_(problem.grid),
        rows_(backend.own_rows(problem.grid.my)),
        slab_(slab_of(problem.grid, rows_)),
        coupled_(couples(problem.upper, problem.lower)),
        backend_(backend),
        influence_(backend, problem.grid, contact_material(problem)),
        normal_(backend, slab_, influence_),
        distance_(slab_.count()),
        pressure_(slab_.count()),
        displacement_n_(slab_.count()),
        displacement_x_(coupled_ ? slab_.count() : 0),
        displacement_y_(coupled_ ? slab_.count() : 0),
        bound_(slab_.count()),
        friction_(slab_.count()),
        none_(slab_.count()),
        division_(slab_.count()),
        contact_count_(1),
        totals_(1),
        residuals_(1) {
    backend_.upload(distance, distance_);
    if (grid_.boundary != Boundary::periodic) return;
    std::array<double, 1> sum{};
    for (const double value : distance) sum[0] += value;
    backend_.add_up(sum);
    full_approach_ = sum[0] / static_cast<double>(grid_.count());
  }

  StepReport advance(const StepInput& step) {
    const auto begin = std::chrono::steady_clock::now();
    const std::int64_t products = influence_.products();
    StepReport report;
    if (broken_) start_again();
    report.iterations_outer = 1;
    solve(step.normal, report);
    measure(step.friction, report);
    if (report.outcome != Outcome::converged) find_broken_field(report);
    report.matrix_products = influence_.products() - products;
    report.seconds = backend_.greatest_of(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    return report;
  }

  // The chosen fields on this sharer's rows.
  [[nodiscard]] ContactSolution download(const ChosenFields& chosen) const {
    ContactSolution out;
    const auto take = [&](ChosenFields::Field field, const Array<double>& array) {
      if (!chosen.has(field)) return;
      out.*field =
          array.size() != 0 ? backend_.download(array) : std::vector<double>(slab_.count());
    };
    take(&ContactSolution::pressure, pressure_);
    take(&ContactSolution::traction_bound, bound_);
    take(&ContactSolution::displacement_x, displacement_x_);
    take(&ContactSolution::displacement_y, displacement_y_);
    take(&ContactSolution::displacement_n, displacement_n_);
    take(&ContactSolution::undeformed_distance, distance_);
    for (const ChosenFields::Field field :
         {&ContactSolution::traction_x, &ContactSolution::traction_y, &ContactSolution::slip_x,
          &ContactSolution::slip_y})
      if (chosen.has(field)) (out.*field).assign(slab_.count(), 0.0);
    if (chosen.has(&ContactSolution::gap)) {
      out.gap = backend_.download(distance_);
      const std::vector<double> displacement = backend_.download(displacement_n_);
      for (std::size_t i = 0; i < slab_.count(); ++i)
        out.gap[i] = out.gap[i] + displacement[i] - approach_;
    }
    if (chosen.has_division()) {
      out.element_division.reserve(slab_.count());
      for (const unsigned char state : backend_.download(division_))
        out.element_division.push_back(static_cast<ElementState>(state));
    }
    return out;
  }

  // The fields that ContactRun saves, on this sharer's rows: joined row after row they are the
  // state of one solver that holds them all. Without K it holds none of the tangential problem.
  [[nodiscard]] SolverState state() const {
    SolverState state;
    const SaveArray<Backend> save{backend_, state};
    save("pressure", pressure_);
    save("displacement_n", displacement_n_);
    save("element_division", division_);
    save("undeformed_distance", distance_);
    state["scalars"] = {approach_, 0.0, 0.0, broken_ ? 1.0 : 0.0};
    if (!coupled_) return state;
    for (const char* name :
         {"traction_x", "traction_y", "slip_x", "slip_y", "outer_traction_x", "outer_traction_y"})
      save(name, none_);
    save("displacement_x", displacement_x_);
    save("displacement_y", displacement_y_);
    save("traction_bound", bound_);
    save("friction", friction_);
    save("outer_pressure", pressure_);
    return state;
  }

  // Throws InputError where a saved state lacks what restore() takes of it. Asks no other sharer.
  void require_fields(const SolverState& state) const {
    for (const char* name :
         {"pressure", "displacement_n", "element_division", "undeformed_distance"})
      saved_values(state, name);
    for (const char* name : {"displacement_x", "displacement_y"})
      if (coupled_) saved_values(state, name);
    if (saved_values(state, "scalars").size() != StepState<Backend>::kScalars)
      refuse_state("scalars");
  }

  // Whether this is the problem's undeformed distance on this sharer's rows. Asks no other sharer.
  [[nodiscard]] bool has_distance(const std::vector<double>& distance) const {
    return slab_.count() == 0 || distance == backend_.download(distance_);
  }

  // From this sharer's rows of a saved state, after the step `last`; both of the calls above hold.
  // Bound and division follow from pressure and friction.
  void restore(const SolverState& state, const StepInput& last) {
    const LoadArray<Backend> load{backend_, state};
    load("pressure", pressure_);
    load("displacement_n", displacement_n_);
    load("displacement_x", displacement_x_);
    load("displacement_y", displacement_y_);
    const std::vector<double>& scalars = saved_values(state, "scalars");
    approach_ = scalars.front();
    broken_ = scalars.back() != 0.0;
    enter_contact(last.friction);
  }

  [[nodiscard]] const Grid& slab() const { return slab_; }

 private:
  template <class Op>
  void run(const Op& op) {
    backend_.run(slab_.count(), op);
  }

  // Bound and division by the pressure.
  void enter_contact(const Friction& friction) {
    run(FillField{friction.coefficient, friction_.data()});
    run(EnterContact{pressure_.data(), friction_.data(), bound_.data(), none_.data(), none_.data(),
                     division_.data(), contact_count_.data()});
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
    enter_contact(friction);
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
    for (const int iy : {0, grid_.my - 1}) {
      const int row = iy - rows_.first;
      if (grid_.my == 1 || row < 0 || row >= rows_.count) continue;
      const auto columns = static_cast<std::size_t>(grid_.mx);
      for (const unsigned char state :
           backend_.download(division_.data() + grid_.index(0, row), columns))
        loaded[0] += in_contact(state) ? 1.0 : 0.0;
    }
    backend_.add_up(loaded);
    return loaded[0];
  }

  // As ContactRun: a field that is not finite is why the step did not converge.
  void find_broken_field(StepReport& report) {
    const std::array<std::pair<const char*, const Array<double>*>, 2> fields = {
        {{"pressure", &pressure_}, {"displacement_n", &displacement_n_}}};
    for (const auto& [name, array] : fields) {
      const std::vector<double> values = backend_.download(*array);
      const auto bad = std::find_if(values.begin(), values.end(),
                                    [](double value) { return !std::isfinite(value); });
      const auto none = static_cast<double>(grid_.count());
      const double own = bad == values.end() ? none
                                             : static_cast<double>(bad - values.begin()) +
                                                   static_cast<double>(grid_.index(0, rows_.first));
      const double first = -backend_.greatest_of(-own);
      if (first == none) continue;
      broken_ = true;
      report.message = broken_field_text(name, static_cast<std::size_t>(first), grid_, report);
      return;
    }
    if (report.history.empty() || std::isfinite(report.history.back().change)) return;
    broken_ = true;
    report.message = broken_change_text(report.history.back());
  }

  // Of an operation that reads the displacements along the surface.
  [[nodiscard]] StepFields fields() {
    return {.pressure = pressure_.data(),
            .traction_x = none_.data(),
            .traction_y = none_.data(),
            .displacement_x = (coupled_ ? displacement_x_ : none_).data(),
            .displacement_y = (coupled_ ? displacement_y_ : none_).data(),
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
  Backend& backend_;
  Influence influence_;
  NormalSolver<Backend> normal_;
  Array<double> distance_, pressure_, displacement_n_;
  // Where K is not 0; without it pressures displace nothing along the surface.
  Array<double> displacement_x_, displacement_y_;
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

}  // namespace slipfield
