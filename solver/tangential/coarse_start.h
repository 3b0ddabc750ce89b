// SPDX-License-Identifier: Apache-2.0
// A start for newton on a large grid: the solution on the grid of twice the element size, which
// itself starts from the next coarser one (THEORY.md 6.7).
//
// Newton moves the border between adhesion and slip by a few elements per step, so that a fine grid
// needs many steps from a distant start; the coarse solution places the border within an element or
// two.
//
// Owners of rows (solver/fields/own_rows.h) restrict and interpolate their own rows. A small coarse
// grid is solved redundantly by every owner: cheaper than communicating.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <variant>

#include "solver/fields/own_rows.h"
#include "solver/tangential/coarse_ops.h"
#include "solver/tangential/newton_solver.h"
#include "solver/tangential/slip_operator.h"

namespace slipfield {

// coarse_start_pays() with the backend's own minimum number of elements, if it has one.
template <class Backend>
bool coarse_start_pays_on(const Grid& grid) {
  if constexpr (requires { Backend::kLeastForCoarseStart; })
    return coarse_start_pays(grid, Backend::kLeastForCoarseStart);
  else
    return coarse_start_pays(grid);
}

template <class Backend>
class CoarseStart;

// The tangential problem on a coarse grid, solved loosely: the discretisation error is greater.
class CoarseProblem {
 public:
  virtual ~CoarseProblem() = default;

  // Fields to fill before solve(), and the tractions that it leaves.
  struct Fields {
    TangentialFields tangential;
    double* bound = nullptr;  // the bound of `tangential`, writable
    double* base_x = nullptr;
    double* base_y = nullptr;
  };
  [[nodiscard]] virtual Fields fields() = 0;
  virtual void reserve(const TangentialTask& task, const InfluenceKind& kind) = 0;
  // Solves the task, which must be that of this grid.
  virtual TangentialResult solve(TangentialTask task, const InfluenceKind& kind) = 0;
  // Products since construction, on its grid and all coarser ones.
  [[nodiscard]] virtual std::int64_t products() const = 0;
};

// Solves on the rows that the backend owns.
template <class Backend>
class CoarseSolver final : public CoarseProblem {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;
  using Influence = typename Backend::Influence;

  // grid: the whole grid.
  CoarseSolver(Backend& backend, const Grid& grid, const CombinedMaterial& material,
               InfluenceMethod method)
      : backend_(backend),
        count_(own_grid(backend, grid).count()),
        influence_(backend, grid, material, method),
        slip_operator_(backend, grid, material, method, influence_),
        newton_(backend, grid),
        bound_(count_),
        traction_x_(count_),
        traction_y_(count_),
        slip_x_(count_),
        slip_y_(count_),
        base_x_(count_),
        base_y_(count_),
        state_(count_) {
    if (coarse_start_pays(grid))
      coarser_ = std::make_unique<CoarseStart<Backend>>(backend, grid, material, method);
  }

  [[nodiscard]] Fields fields() override {
    return {system().fields, bound_.data(), base_x_.data(), base_y_.data()};
  }

  void reserve(const TangentialTask& task, const InfluenceKind& kind) override {
    slip_operator_.take_up(kind);
    newton_.reserve(task, slip_operator_);
    pressure_ = Array<double>(count_);
    if (coarser_) coarser_->reserve(task, kind);
  }

  TangentialResult solve(TangentialTask task, const InfluenceKind& kind) override {
    constexpr double kLooseTolerance = 3.0e-3;
    constexpr int kFewSteps = 8;
    constexpr int kFewFallingSteps = 20;
    slip_operator_.take_up(kind);
    auto* const falling = std::get_if<FallingBound>(&task.law);
    if (falling != nullptr) {
      if (pressure_.size() == 0) pressure_ = Array<double>(count_);
      backend_.run(count_, CopyField{bound_.data(), pressure_.data(), 1.0 / falling->law.fixed});
      falling->pressure = pressure_.data();
      if (!coarser_) {
        TangentialTask fixed = task;
        fixed.law = GivenBound{};
        task.rigid = newton_
                         .solve(fixed, LinearMethod::gmres, kFewSteps, system(), kLooseTolerance,
                                [](int, double) {})
                         .rigid;
      }
    }
    if (coarser_) task.rigid = coarser_->improve(task, system());
    const int most = falling != nullptr ? kFewFallingSteps : kFewSteps;
    return newton_.solve(task, LinearMethod::gmres, most, system(), kLooseTolerance,
                         [](int, double) {});
  }

  [[nodiscard]] std::int64_t products() const override {
    return influence_.products() + slip_operator_.products() +
           (coarser_ ? coarser_->products() : 0);
  }

 private:
  [[nodiscard]] TangentialSystem<Backend> system() {
    const TangentialFields fields{traction_x_.data(), traction_y_.data(), slip_x_.data(),
                                  slip_y_.data(),     bound_.data(),      state_.data()};
    return {slip_operator_, fields, base_x_.data(), base_y_.data()};
  }

  Backend& backend_;
  std::size_t count_;
  Influence influence_;
  SlipOperator<Backend> slip_operator_;
  NewtonSolver<Backend> newton_;
  Array<double> bound_, traction_x_, traction_y_, slip_x_, slip_y_, base_x_, base_y_;
  Array<double> pressure_;  // allocated if the bound depends on the slip
  Array<unsigned char> state_;
  std::unique_ptr<CoarseStart<Backend>> coarser_;
};

template <class Backend>
class CoarseStart {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  // fine: the whole grid. All owners must construct it and call improve() together.
  CoarseStart(Backend& backend, const Grid& fine, const CombinedMaterial& material,
              InfluenceMethod method)
      : backend_(backend),
        fine_(fine),
        grid_(coarsen(fine)),
        rows_(backend.own_rows(fine_.my)),
        coarse_rows_(backend.own_rows(grid_.my)),
        alone_(grid_.count() <= backend.most_alone()),
        contact_count_(1) {
    const bool has_all = rows_.first == taken_rows().first && rows_.count == taken_rows().count;
    has_rows_ = !(backend.greatest_of(has_all ? 0.0 : 1.0) > 0.0);
    if (alone_)
      solver_ = std::make_unique<CoarseSolver<AloneOf<Backend>>>(backend.alone(), grid_, material,
                                                                 method);
    else
      solver_ = std::make_unique<CoarseSolver<Backend>>(backend, grid_, material, method);
  }

  // A counting backend reads no fields, so the coarse ones stand in for the fine ones.
  void reserve(const TangentialTask& task, const InfluenceKind& kind) {
    solver_->reserve(task, coarse_kind(kind));
    const CoarseProblem::Fields coarse = solver_->fields();
    restrict_to_coarse(1.0, coarse.tangential, coarse.base_x, coarse.base_y);
    interpolate_from_coarse(coarse.tangential);
  }

  // Replaces the tractions of the fine grid by those of the coarse solution; returns the rigid slip
  // found there.
  RigidSlip improve(const TangentialTask& task, const TangentialSystem<Backend>& fine) {
    const InfluenceKind& kind = fine.influence.kind();
    const double longer = longer_by(kind);
    restrict_to_coarse(longer, fine.fields, fine.base_x, fine.base_y);
    TangentialTask coarse = task;
    coarse.contact_count = backend_.read(contact_count_);
    coarse.force_x = task.force_x / 4.0;
    coarse.force_y = task.force_y / 4.0;
    coarse.moment = task.moment / 4.0;
    if (auto* falling = std::get_if<FallingBound>(&coarse.law)) falling->rate /= longer;
    for (double* slip : {&coarse.rigid.x, &coarse.rigid.y, &coarse.rigid.rotation}) *slip *= longer;
    if (longer > 1.0) {
      // The first-order errors of spin nearly cancel with the spin taken 3/8 of a step ahead.
      // Halfway from the usual point to that one, a doubled step has the errors of the finer step.
      constexpr double kCancelling = 0.375;
      coarse.rigid.arm_x += kCancelling * kind.offset_x;
      coarse.rigid.arm_y += kCancelling * kind.offset_y;
    }
    const RigidSlip found = solve(coarse, coarse_kind(kind));
    interpolate_from_coarse(fine.fields);
    RigidSlip rigid = task.rigid;
    rigid.x = found.x / longer;
    rigid.y = found.y / longer;
    if (task.moment_given) rigid.rotation = found.rotation / longer;
    return rigid;
  }

  // Products since construction, on its grid and all coarser ones.
  [[nodiscard]] std::int64_t products() const { return solver_->products(); }

 private:
  // In steady rolling the coarse step has as many elements as the fine one: a step that is short
  // against an element makes an operator that newton solves badly.
  static double longer_by(const InfluenceKind& kind) {
    return kind.displacement == Displacement::change ? 2.0 : 1.0;
  }
  static InfluenceKind coarse_kind(const InfluenceKind& kind) {
    const double longer = longer_by(kind);
    return {kind.displacement, longer * kind.offset_x, longer * kind.offset_y, kind.memory,
            kind.layers};
  }

  // The fine rows from which the own coarse rows are made.
  [[nodiscard]] RowRange taken_rows() const {
    if (coarse_rows_.count == 0) return {rows_.first, rows_.count};
    const int first = 2 * coarse_rows_.first;
    return {first, std::min(first + 2 * coarse_rows_.count, fine_.my) - first};
  }

  RigidSlip solve(const TangentialTask& task, const InfluenceKind& kind) {
    RigidSlip rigid = solver_->solve(task, kind).rigid;
    agree_with_first(backend_, rigid.x, rigid.y, rigid.rotation);
    return rigid;
  }

  // Restricts to the own coarse rows; if each owner solves the whole coarse grid, gives it all
  // rows.
  void restrict_to_coarse(double longer, const TangentialFields& fine, const double* base_x,
                          const double* base_y) {
    const auto [coarse, bound, coarse_base_x, coarse_base_y] = solver_->fields();
    const std::size_t own = alone_ ? grid_.index(0, coarse_rows_.first) : 0;
    RestrictToCoarse op{fine_.mx,
                        fine_.my,
                        grid_.mx,
                        longer,
                        fine,
                        base_x,
                        base_y,
                        bound + own,
                        coarse.traction_x + own,
                        coarse.traction_y + own,
                        coarse_base_x + own,
                        coarse_base_y + own,
                        coarse.state + own,
                        contact_count_.data()};
    const std::size_t count = grid_.index(0, coarse_rows_.count);
    op.fine_my = taken_rows().count;
    if (has_rows_)
      backend_.run(count, op);
    else
      restrict_fetched(op, count);
    if (!alone_) return;
    std::array<RowsOfField, 6> fields{};
    std::size_t k = 0;
    for (double* field :
         {bound, coarse.traction_x, coarse.traction_y, coarse_base_x, coarse_base_y})
      fields[k++] = {field + own, field};
    fields[k] = {coarse.state + own, coarse.state, sizeof(unsigned char)};
    backend_.fetch_rows(grid_, {0, grid_.my}, fields);
  }

  // Restricts with fetched rows, because two owners may hold the two fine rows of a coarse row.
  void restrict_fetched(RestrictToCoarse op, std::size_t count) {
    const auto rooms = bring_rows(backend_, fine_, taken_rows(), op.fine.bound, op.fine.traction_x,
                                  op.fine.traction_y, op.base_x, op.base_y, op.fine.state);
    backend_.run(count, op);
  }

  void interpolate_from_coarse(const TangentialFields& fine) {
    const TangentialFields coarse = solver_->fields().tangential;
    InterpolateFromCoarse op{fine_.mx,          grid_.mx,          grid_.my, coarse.bound,
                             coarse.traction_x, coarse.traction_y, fine,     rows_.first};
    const std::size_t count = fine_.index(0, rows_.count);
    if (alone_)
      backend_.run(count, op);
    else
      interpolate_fetched(op, count);
  }

  // Interpolates with fetched coarse rows around the own fine ones.
  void interpolate_fetched(InterpolateFromCoarse op, std::size_t count) {
    const int first = std::max(0, rows_.first / 2 - 1);
    const int end = std::min(grid_.my, (rows_.first + rows_.count - 1) / 2 + 2);
    const RowRange wanted = rows_.count == 0 ? RowRange{} : RowRange{first, end - first};
    const auto rooms = bring_rows(backend_, grid_, wanted, op.bound, op.traction_x, op.traction_y);
    op.coarse_first = wanted.first;
    backend_.run(count, op);
  }

  Backend& backend_;
  Grid fine_;
  Grid grid_;
  RowRange rows_;         // own rows of the fine grid
  RowRange coarse_rows_;  // own rows of the coarse grid
  bool has_rows_ = true;  // every owner holds the fine rows of its coarse rows
  bool alone_;            // each owner solves the whole coarse grid redundantly
  Array<double> contact_count_;
  std::unique_ptr<CoarseProblem> solver_;
};

}  // namespace slipfield
