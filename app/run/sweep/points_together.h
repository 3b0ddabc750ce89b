// SPDX-License-Identifier: Apache-2.0
// Points of a sweep that are small contacts, solved many at a time (solver/batch/batch.h).
#pragma once

#include <cstddef>
#include <functional>

#include "app/run/solver_factory.h"
#include "app/run/sweep/sweep_point.h"
#include "io/case/reader.h"
#include "io/result/sweep_table.h"

namespace slipfield {

struct PointsTogether {
  std::function<bool(int number)> is_done;
  std::function<CaseFile(int number)> read;
  // The points of this batch that are done so far, from any thread; false ends it.
  std::function<bool(std::size_t done)> goes_on;
  std::function<void()> throw_if_ended;  // between batches
  std::function<void(int number, PointResult result)> keep;
};

// Solves the points of the range that are not done, up to the first whose contact the batch does
// not take. Keeps those that converge; the others are the single solver's, which has more methods,
// and so are all where the GPU has no room for a batch.
void solve_points_together(const SettledBackend& backend, const PointRange& range,
                           const PointsTogether& sweep);

}  // namespace slipfield
