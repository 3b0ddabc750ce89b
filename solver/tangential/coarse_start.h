// SPDX-License-Identifier: Apache-2.0
// A start for newton on a large grid: the solution on the grid of twice the element size, which
// itself starts from the next coarser one (THEORY.md 6.7).
//
// Newton moves the border between adhesion and slip by a few elements a step, so that a fine grid
// needs many steps from afar; from the coarse solution the border is within an element or two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "solver/step/own_rows.h"
#include "solver/tangential/coarse_grid.h"
#include "solver/tangential/coarse_ops.h"
#include "solver/tangential/newton_solver.h"
#include "solver/tangential/shared_restriction.h"
#include "solver/tangential/slip_operator.h"

namespace slipfield {

template <class Backend>
class CoarseStart {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;
  using Influence = typename Backend::Influence;

  // fine: the whole grid.
  CoarseStart(Backend& backend, const Grid& fine, const CombinedMaterial& material,
              InfluenceMethod method)
      : backend_(backend),
        fine_(fine),
        grid_(coarsen(fine)),
        count_(own_grid(backend, grid_).count()),
        influence_(backend, grid_, material, method),
        slip_operator_(backend, grid_, material, method, influence_),
        newton_(backend, grid_),
        bound_(count_),
        traction_x_(count_),
        traction_y_(count_),
        slip_x_(count_),
        slip_y_(count_),
        base_x_(count_),
        base_y_(count_),
        state_(count_),
        contact_count_(1) {
    if (coarse_start_pays(grid_))
      coarser_ = std::make_unique<CoarseStart>(backend, grid_, material, method);
  }

  // Replaces the tractions of `fine` by those of the coarse solution; returns the rigid slip found
  // there. A loose tolerance and few steps: the coarse solution differs from the fine one by more.
  RigidSlip improve(const TangentialTask& task, const InfluenceKind& kind,
                    const TangentialFields& fine, const double* base_x, const double* base_y) {
    constexpr double kLooseTolerance = 3.0e-3;
    constexpr int kFewSteps = 8;
    // A step of steady rolling is as many elements long here as there: one that is short against an
    // element leaves an operator that newton solves badly.
    const double longer = kind.displacement == Displacement::change ? 2.0 : 1.0;
    const InfluenceKind coarse_kind{kind.displacement, longer * kind.offset_x,
                                    longer * kind.offset_y, kind.memory};
    restrict_to_coarse(longer, fine, base_x, base_y);
    const TangentialFields fields{traction_x_.data(), traction_y_.data(), slip_x_.data(),
                                  slip_y_.data(),     bound_.data(),      state_.data()};
    TangentialTask coarse = task;
    coarse.contact_count = backend_.read(contact_count_);
    coarse.force_x = task.force_x / 4.0;
    coarse.force_y = task.force_y / 4.0;
    coarse.moment = task.moment / 4.0;
    for (double* slip : {&coarse.rigid.x, &coarse.rigid.y, &coarse.rigid.rotation}) *slip *= longer;
    if (longer > 1.0) {
      // Where the spin is taken 3/8 of a step ahead, the first-order errors of spin nearly cancel:
      // from halfway there, a step twice as long has the errors of the finer one.
      constexpr double kCancelling = 0.375;
      coarse.rigid.arm_x += kCancelling * kind.offset_x;
      coarse.rigid.arm_y += kCancelling * kind.offset_y;
    }
    slip_operator_.take_up(coarse_kind);
    if (coarser_)
      coarse.rigid = coarser_->improve(coarse, coarse_kind, fields, base_x_.data(), base_y_.data());
    const TangentialResult result =
        newton_.solve(coarse, LinearMethod::gmres, kFewSteps, slip_operator_, fields,
                      base_x_.data(), base_y_.data(), kLooseTolerance, [](int, double) {});
    interpolate_from_coarse(fine);
    RigidSlip rigid = task.rigid;
    rigid.x = result.rigid.x / longer;
    rigid.y = result.rigid.y / longer;
    if (task.moment_given) rigid.rotation = result.rigid.rotation / longer;
    return rigid;
  }

  // Since it was made, on its grid and all coarser ones.
  [[nodiscard]] std::int64_t products() const {
    return influence_.products() + slip_operator_.products() +
           (coarser_ ? coarser_->products() : 0);
  }

 private:
  void restrict_to_coarse(double longer, const TangentialFields& fine, const double* base_x,
                          const double* base_y) {
    if constexpr (kSharesRows<Backend>) {
      restrict_shared_rows(longer, fine, base_x, base_y);
    } else {
      backend_.run(count_, RestrictToCoarse{fine_.mx, fine_.my, grid_.mx, longer, fine, base_x,
                                            base_y, bound_.data(), traction_x_.data(),
                                            traction_y_.data(), base_x_.data(), base_y_.data(),
                                            state_.data(), contact_count_.data()});
    }
  }

  // As RestrictToCoarse, on the host.
  void restrict_shared_rows(double longer, const TangentialFields& fine, const double* base_x,
                            const double* base_y) {
    const std::size_t fine_count = own_grid(backend_, fine_).count();
    SharedRestriction<Backend> restriction(backend_, fine_,
                                           backend_.download(fine.state, fine_count));
    const std::vector<double> contact = restriction.sums(std::vector<double>(fine_count, 1.0));
    std::vector<unsigned char> state(count_);
    double own_contact = 0.0;
    for (std::size_t i = 0; i < count_; ++i) {
      const bool inside = contact[i] > 0.0;
      state[i] =
          static_cast<unsigned char>(inside ? ElementState::adhesion : ElementState::exterior);
      own_contact += inside ? 1.0 : 0.0;
    }
    backend_.upload(state, state_);
    backend_.write(contact_count_, sum_over_sharers(backend_, own_contact));
    const auto take = [&](const double* field, Array<double>& coarse, bool is_base) {
      std::vector<double> sums = restriction.sums(backend_.download(field, fine_count));
      constexpr double kPerCoarse = 0.25;
      for (std::size_t i = 0; i < count_; ++i) {
        if (is_base)
          sums[i] = contact[i] > 0.0 ? longer * sums[i] / contact[i] : 0.0;
        else
          sums[i] *= kPerCoarse;
      }
      backend_.upload(sums, coarse);
    };
    take(fine.bound, bound_, false);
    take(fine.traction_x, traction_x_, false);
    take(fine.traction_y, traction_y_, false);
    take(base_x, base_x_, true);
    take(base_y, base_y_, true);
  }

  void interpolate_from_coarse(const TangentialFields& fine) {
    InterpolateFromCoarse op{fine_.mx,           grid_.mx,           grid_.my, bound_.data(),
                             traction_x_.data(), traction_y_.data(), fine};
    if constexpr (kSharesRows<Backend>) {
      const auto all = [&](const Array<double>& own) {
        const std::vector<double> values = backend_.gather(backend_.download(own));
        Array<double> whole(values.size());
        backend_.upload(values, whole);
        return whole;
      };
      const Array<double> bound = all(bound_);
      const Array<double> traction_x = all(traction_x_);
      const Array<double> traction_y = all(traction_y_);
      op.bound = bound.data();
      op.traction_x = traction_x.data();
      op.traction_y = traction_y.data();
      op.first_row = own_rows(backend_, fine_).first;
      backend_.run(own_grid(backend_, fine_).count(), op);
    } else {
      backend_.run(fine_.count(), op);
    }
  }

  Backend& backend_;
  Grid fine_;
  Grid grid_;
  std::size_t count_;
  Influence influence_;
  SlipOperator<Backend> slip_operator_;
  NewtonSolver<Backend> newton_;
  Array<double> bound_, traction_x_, traction_y_, slip_x_, slip_y_, base_x_, base_y_;
  Array<unsigned char> state_;
  Array<double> contact_count_;
  std::unique_ptr<CoarseStart> coarser_;
};

}  // namespace slipfield
