// SPDX-License-Identifier: Apache-2.0
// The rows of the first of several owners, which has the most, in a dry run that counts its memory
// (solver/run/counting_backend.h).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "solver/fields/local_rows.h"
#include "solver/fields/own_rows.h"
#include "solver/ranks/ranks.h"
#include "solver/run/counting_backend.h"

namespace slipfield {

template <class Local>
class CountingRows : public LocalRows<Local>, public NoExchange {
 public:
  template <class T>
  using Array = typename Local::template Array<T>;
  using GaussSeidel = NoSlabGaussSeidel;
  using Dense = NoSlabDense;
  static constexpr bool kCountsOnly = true;

  CountingRows(int owners, int most_krylov, bool in_host)
      : LocalRows<Local>(std::make_shared<Local>(most_krylov, in_host)), owners_(owners) {}

  [[nodiscard]] int owners() const { return owners_; }
  [[nodiscard]] int most_krylov() const { return this->local().most_krylov(); }
  [[nodiscard]] bool in_host() const { return this->local().in_host(); }
  // Host memory counts only where the fields are in it.
  void hold(const void* holder, std::size_t bytes) {
    if (in_host()) this->local().hold(holder, bytes);
  }

  [[nodiscard]] RowRange own_rows(int rows) const { return ranks::rows_of(0, owners_, rows); }
  [[nodiscard]] CountingBackend& alone() { return this->local(); }
  [[nodiscard]] static std::vector<double> own_distance(const std::vector<Shape>& /*shapes*/,
                                                        const Grid& /*grid*/,
                                                        const CombinedMaterial& /*material*/) {
    return {};
  }
  template <class Op>
  void run(std::size_t /*count*/, const Op& /*op*/) {}
  [[nodiscard]] static double greatest(const Array<double>& /*array*/) { return 0.0; }

 private:
  int owners_;
};

}  // namespace slipfield
