// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "solver/ranks/ranks.h"

namespace slipfield::ranks {

RowRange rows_of(int rank, int ranks, int rows) {
  const int block = (rows + ranks - 1) / ranks;
  const int first = std::min(rank * block, rows);
  return {first, std::min(block, rows - first)};
}

RowRange own_rows(int rows) { return rows_of(number(), count(), rows); }

}  // namespace slipfield::ranks
