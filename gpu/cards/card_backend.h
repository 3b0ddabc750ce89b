// SPDX-License-Identifier: Apache-2.0
// One card's rows of the grid as a backend of solver/ranks/slab_run.h: gpu/backend/cuda_backend.h,
// whose sums are those of all cards.
#pragma once

#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "gpu/backend/cuda_backend.h"
#include "gpu/cards/card_influence.h"
#include "gpu/cards/card_team.h"
#include "gpu/cards/shared_sums.h"
#include "solver/ranks/ranks.h"
#include "solver/ranks/slab_run.h"

namespace slipfield {

class CardBackend {
 public:
  template <class T>
  using Array = CudaBackend::Array<T>;
  using Influence = CardInfluence;
  using Dense = NoSlabDense;

  // On the device of the calling thread.
  CardBackend(CardTeam& team, int card) : team_(team), card_(card) {}

  static std::string name() { return CudaBackend::name(); }
  [[nodiscard]] CardTeam& team() const { return team_; }
  [[nodiscard]] int card() const { return card_; }
  [[nodiscard]] cudaStream_t stream() const { return local_.stream(); }

  [[nodiscard]] RowRange own_rows(int rows) const {
    return ranks::rows_of(card_, team_.count(), rows);
  }
  void add_up(std::span<double> values) const { team_.add_up(card_, values); }
  [[nodiscard]] double greatest_of(double value) const { return team_.greatest(card_, value); }

  // count: of this card's elements.
  template <class Op>
  void run(std::size_t count, const Op& op) {
    if constexpr (Op::kSums > 0) {
      double* const sums = team_.sums(turn_);
      turn_ = 1 - turn_;
      local_.run(count, CardSums<Op>{op, sums + card_ * kElementMaxSums});
      team_.join(card_, stream());
      local_.run(0, AllCardsSums<Op>{op, sums, team_.count()});
    } else {
      local_.run(count, op);
    }
  }

  template <class T>
  T read(const Array<T>& array) {
    return local_.read(array);
  }
  template <class T>
  void write(Array<T>& array, const T& value) {
    local_.write(array, value);
  }
  [[nodiscard]] double greatest(const Array<double>& array) const {
    return greatest_of(array.size() == 0 ? 0.0 : local_.greatest(array));
  }
  template <class T>
  std::vector<T> download(const Array<T>& array) const {
    return local_.download(array);
  }
  template <class T>
  std::vector<T> download(const T* values, std::size_t count) const {
    return local_.download(values, count);
  }
  template <class T>
  void upload(const std::vector<T>& values, Array<T>& array) {
    local_.upload(values, array);
  }

 private:
  CardTeam& team_;
  int card_;
  CudaBackend local_;
  int turn_ = 0;  // of the team's sums
};

}  // namespace slipfield
