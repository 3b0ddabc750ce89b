// SPDX-License-Identifier: Apache-2.0
// The tangential problem on a window of the grid, if the contact covers little of it, so that
// newton costs no more than the contact's size requires (THEORY.md 8.3). On either backend.
#pragma once

#include <Eigen/Dense>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "solver/fields/own_rows.h"
#include "solver/problem.h"
#include "solver/tangential/linearized_friction.h"
#include "solver/tangential/slip_operator.h"
#include "solver/tangential/tangential_solver.h"
#include "solver/tangential/tangential_task.h"
#include "solver/window/grid_window.h"
#include "solver/window/window_ops.h"
#include "solver/window/window_rows.h"

namespace slipfield {

template <class Backend>
class TangentialWindow {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  // linearizes: solutions will be linearized. Several owners do that only on the grid: in a window
  // each would factor the whole contact.
  TangentialWindow(Backend& backend, const Grid& grid, const CombinedMaterial& material,
                   const SolverSettings& settings, bool linearizes)
      : backend_(backend),
        grid_(grid),
        rows_(backend, grid, settings.influence),
        material_(material),
        method_(settings.tangential),
        influence_method_(settings.influence),
        whole_(backend, grid, material, settings.influence),
        wanted_(rows_.possible() && (Backend::kOneOwner || !linearizes) &&
                (settings.tangential == TangentialMethod::automatic ||
                 settings.tangential == TangentialMethod::newton)) {}

  // Chooses the window of the contact, or none if it would not pay, from this step alone. state: on
  // the grid; bodies: the kind of the grid's influence; kind: of the step's operator; first: first
  // call in this step; in later calls the window stays if it holds the contact, and grows
  // otherwise. reach: elements around the contact that the window must also hold. The solvers of
  // the grid and of a window never exist at the same time.
  void choose(const Array<unsigned char>& state, const InfluenceKind& bodies,
              const InfluenceKind& kind, bool first, int reach) {
    find(state, kind, first, reach);
    if (active_)
      take_up(bodies, kind);
    else
      release();
  }
  // Uses the whole grid from now on.
  void leave() { active_ = false; }
  [[nodiscard]] bool active() const { return active_; }

  // Allocates for the whole grid; reserve_in() for the largest windows.
  void reserve(const TangentialTask& task, SlipOperator<Backend>& influence) {
    leave();
    release();
    whole_.reserve(task, method_, influence);
  }

  // Allocates what solve() and apply() need in the largest window of a form (WindowRows::largest).
  void reserve_in(WindowForm form, const TangentialTask& task, const InfluenceKind& bodies,
                  const InfluenceKind& kind) {
    leave();
    if (may_cut(kind)) take(rows_.largest(form, kMostOfGrid));
    if (!active_) return;
    leave();
    take_up(bodies, kind);
    Part& part = *part_;
    if (part.of_law.empty()) part.of_law.emplace_back(part.grid.count());
    part.solver.reserve(task, method_, part.slip_operator);
    cut_out(part.system(true));
    if (!may_couple(material_, bodies)) return;
    part.slip_operator.apply(Block::tangential_from_normal, {}, {});
    part.influence.apply(Block::normal_from_tangential, {}, {});
  }

  // Like TangentialSolver::solve, with the method of the settings and all fields on the grid.
  TangentialResult solve(const TangentialTask& task, const TangentialSystem<Backend>& system,
                         double tolerance, const IterationReport& report) {
    if (!active_) return whole_.solve(task, method_, system, tolerance, report);
    Part& part = *part_;
    const TangentialSystem<Alone> mine = cut_out(system);
    TangentialTask mine_too = task;
    std::size_t fields_of_law = 0;
    const auto take = [&](const double*& field) {
      if (part.of_law.size() == fields_of_law) part.of_law.emplace_back(part.grid.count());
      Array<double>& own = part.of_law[fields_of_law++];
      cut_out(field, own, nullptr, own);
      field = own.data();
    };
    std::visit([&](auto& law) { law.visit_fields(take); }, mine_too.law);
    TangentialResult result = part.solver.solve(mine_too, method_, mine, tolerance, report);
    const TangentialFields& fields = system.fields;
    put_back(part.traction_x, fields.traction_x, part.traction_y, fields.traction_y);
    put_back(part.slip_x, fields.slip_x, part.slip_y, fields.slip_y);
    backend_.run(rows_.own_count(),
                 PutBackDivision{rows_.place(window_), part.state.data(), fields.state});
    agree_with_first(backend_, result.rigid.x, result.rigid.y, result.rigid.rotation,
                     result.converged, result.iterations);
    return result;
  }

  // Like TangentialSolver::linearize_solution, with all fields on the grid.
  std::optional<LinearizedFriction> linearize_solution(const TangentialTask& task,
                                                       const TangentialSystem<Backend>& system,
                                                       const FallOfBound& fall) {
    if (!active_) return whole_.linearize_solution(task, system, fall);
    Part& part = *part_;
    const TangentialSystem<Alone> mine = cut_out(system);
    linearized_ = system.fields;
    std::vector<std::size_t> places(part.grid.count());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = place_of(window_, grid_).on_grid(i);
    FallOfBound mine_falls;
    if (fall) mine_falls = [&](std::size_t i, double slip) { return fall(places[i], slip); };
    const auto found = part.solver.linearize_solution(task, mine, mine_falls);
    if (!found) return std::nullopt;
    return on_grid(*found, places, grid_.count());
  }
  bool respond(Eigen::MatrixXd& columns, double wanted) {
    if (!active_) return whole_.respond(columns, wanted);
    Part& part = *part_;  // apply() may have used its fields
    cut_out(linearized_.traction_x, part.traction_x, linearized_.traction_y, part.traction_y);
    cut_out(linearized_.slip_x, part.slip_x, linearized_.slip_y, part.slip_y);
    return part.solver.respond(columns, wanted);
  }

  // The normal displacement due to tractions, on fields of the grid; 0 outside the window. whole:
  // the influence on the grid.
  void displace_normally(typename Backend::Influence& whole, const TractionField& traction,
                         double* displacement) {
    if (!active_) return whole.apply(Block::normal_from_tangential, traction, {.n = displacement});
    Part& part = *part_;
    cut_out(traction.x, part.traction_x, traction.y, part.traction_y);
    part.influence.apply(Block::normal_from_tangential,
                         {part.traction_x.data(), part.traction_y.data()},
                         {.n = part.slip_x.data()});
    backend_.run(rows_.own_count(),
                 PutBack{rows_.place(window_), part.slip_x.data(), displacement});
  }

  // Like SlipOperator::apply on fields of the grid; 0 outside the window.
  void apply(Block block, const TractionField& traction, const DisplacementField& slip) {
    Part& part = *part_;
    if (block == Block::tangential_from_normal) {
      cut_out(traction.n, part.traction_x, nullptr, part.traction_y);
      part.slip_operator.apply(block, {.n = part.traction_x.data()},
                               {part.slip_x.data(), part.slip_y.data()});
    } else {
      cut_out(traction.x, part.traction_x, traction.y, part.traction_y);
      part.slip_operator.apply(block, {part.traction_x.data(), part.traction_y.data()},
                               {part.slip_x.data(), part.slip_y.data()});
    }
    put_back(part.slip_x, slip.x, part.slip_y, slip.y);
  }

  // Products since construction: in windows; and on coarser grids than these and the grid.
  [[nodiscard]] std::int64_t products() const {
    return products_ + (part_ ? part_->products() : 0);
  }
  [[nodiscard]] std::int64_t coarse_products() const {
    return whole_.coarse_products() + coarse_products_ +
           (part_ ? part_->solver.coarse_products() : 0);
  }

 private:
  using Alone = typename WindowRows<Backend>::Alone;

  // A solver and its fields on the window's grid.
  struct Part {
    Part(Alone& backend, const Grid& window, const CombinedMaterial& material,
         InfluenceMethod method)
        : grid(window),
          influence(backend, grid, material, method),
          slip_operator(backend, grid, material, method, influence),
          solver(backend, grid, material, method),
          state(grid.count()) {
      for (Array<double>* array :
           {&traction_x, &traction_y, &slip_x, &slip_y, &bound, &base_x, &base_y, &fraction})
        *array = Array<double>(grid.count());
    }
    [[nodiscard]] TangentialSystem<Alone> system(bool with_fraction) {
      const TangentialFields fields{traction_x.data(),
                                    traction_y.data(),
                                    slip_x.data(),
                                    slip_y.data(),
                                    bound.data(),
                                    state.data(),
                                    with_fraction ? fraction.data() : nullptr};
      return {slip_operator, fields, base_x.data(), base_y.data()};
    }
    [[nodiscard]] std::int64_t products() const {
      return influence.products() + slip_operator.products();
    }

    Grid grid;
    typename Alone::Influence influence;
    SlipOperator<Alone> slip_operator;
    TangentialSolver<Alone> solver;
    Array<double> traction_x, traction_y, slip_x, slip_y, bound, base_x, base_y, fraction;
    std::vector<Array<double>> of_law;  // allocated if the elements' law has fields
    Array<unsigned char> state;
  };

  void find(const Array<unsigned char>& state, const InfluenceKind& kind, bool first, int reach) {
    if (!may_cut(kind) || (!first && !active_)) return leave();
    const GridWindow contact = widened(rows_.around(state), grid_, reach);
    if (first || !window_.holds(contact)) {
      const GridWindow last = first ? GridWindow{} : window_;
      take(rounded_outwards(window_around(last, contact), grid_));
    }
  }
  [[nodiscard]] bool may_cut(const InfluenceKind& kind) const {
    return wanted_ && kind.curved == nullptr;
  }
  // As on the grid, where the step's operator is that of the bodies if the kinds are equal.
  void take_up(InfluenceKind bodies, InfluenceKind kind) {
    bodies.patches.reset();  // they act on the pressure only
    kind.patches.reset();
    part_->influence.take_up(bodies);
    part_->slip_operator.take_up(kind);
  }
  // Frees the memory of the window but keeps its count of products.
  void release() {
    if (!part_) return;
    products_ += part_->products();
    coarse_products_ += part_->solver.coarse_products();
    part_.reset();
  }

  static constexpr double kMostOfGrid = 0.4;

  void take(const GridWindow& window) {
    if (!rows_.pays(window, kMostOfGrid)) return leave();
    if (!part_ || !(window == window_)) {
      release();
      whole_.release();
      part_ = std::make_unique<Part>(rows_.alone(), grid_of(window, grid_), material_,
                                     influence_method_);
    }
    window_ = window;
    active_ = true;
  }

  // Cuts the window's problem out of that of the grid.
  template <class Whole>
  TangentialSystem<Alone> cut_out(const TangentialSystem<Whole>& whole) {
    const TangentialFields& fields = whole.fields;
    Part& part = *part_;
    cut_out(fields.traction_x, part.traction_x, fields.traction_y, part.traction_y);
    cut_out(whole.base_x, part.base_x, whole.base_y, part.base_y);
    rows_.cut_out(window_, fields, part.bound, part.state,
                  fields.fraction != nullptr ? part.fraction.data() : nullptr);
    return part.system(fields.fraction != nullptr);
  }
  void cut_out(const double* from, Array<double>& to, const double* second_from,
               Array<double>& second_to) {
    rows_.cut_out(window_, from, to, second_from, second_to);
  }
  void put_back(Array<double>& from, double* to, Array<double>& second_from, double* second_to) {
    backend_.run(rows_.own_count(),
                 PutBack{rows_.place(window_), from.data(), to, second_from.data(), second_to});
  }

  Backend& backend_;
  Grid grid_;
  WindowRows<Backend> rows_;
  CombinedMaterial material_;
  TangentialMethod method_;
  InfluenceMethod influence_method_;
  TangentialSolver<Backend> whole_;
  bool wanted_;
  bool active_ = false;
  GridWindow window_;
  std::unique_ptr<Part> part_;
  TangentialFields linearized_;  // on the grid, for respond()
  std::int64_t products_ = 0;    // in earlier windows
  std::int64_t coarse_products_ = 0;
};

}  // namespace slipfield
