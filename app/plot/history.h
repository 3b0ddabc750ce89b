// SPDX-License-Identifier: Apache-2.0
// The iterations of a step in one row: those of all phases counted on.
#pragma once

#include <vector>

#include "solver/solution.h"

namespace slipfield {

struct HistoryPoint {
  Phase phase = Phase::normal;
  int iteration = 0;  // of the normal and tangential phases until here
  double change = 0.0;
  bool starts = false;  // the first one of a run of its phase
};
// The iterations of a phase may be numbered from 1 in each outer iteration, or count on. An outer
// iteration is drawn at the last iteration inside it.
std::vector<HistoryPoint> history_points(const std::vector<IterationRecord>& history);

}  // namespace slipfield
