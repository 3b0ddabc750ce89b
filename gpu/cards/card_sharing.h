// SPDX-License-Identifier: Apache-2.0
// What products over several cards ask of the team that shares the rows (gpu/cards/card_team.h),
// without what only the host compiler reads.
#pragma once

#include <cuda_runtime_api.h>

#include <vector>

#include "solver/grid.h"

namespace slipfield {

// Calls are made by all cards together, from CardTeam::each().
class CardSharing {
 public:
  virtual ~CardSharing() = default;
  [[nodiscard]] virtual int count() const = 0;
  [[nodiscard]] virtual int device(int card) const = 0;
  virtual double greatest(int card, double value) = 0;
  // The address that each card gives, by card.
  virtual std::vector<void*> tell(int card, void* address) = 0;
  // What `stream` of each card holds so far is done before what any of them gets next. The host
  // does not wait for the streams, only for the other threads.
  virtual void join(int card, cudaStream_t stream) = 0;
};

// As ranks::rows_of.
RowRange slab_rows(int card, int cards, int rows);

}  // namespace slipfield
