// SPDX-License-Identifier: Apache-2.0
// What a step asks of a tangential solver, and what it answers.
#pragma once

#include <functional>

#include "solver/fields/tangential_ops.h"
#include "solver/tangential/element_law.h"

namespace slipfield {

// Whether newton only looks for a solution of the whole of a falling law, in a few steps: from the
// static coefficient where the law says `first`, else from full slip; or on from the tractions
// given.
enum class WholeLawSearch { none, from_elsewhere, on };

// Each direction has its rigid slip given, or its force; the rotation, or the moment about z.
struct TangentialTask {
  RigidSlip rigid;  // given, or the guess to start from
  bool force_x_given = false;
  bool force_y_given = false;
  double force_x = 0.0;  // as sum of tractions: force/(dx dy)
  double force_y = 0.0;
  bool moment_given = false;
  double moment = 0.0;      // about the origin, over dx dy
  double compliance = 0.0;  // a first guess of |d rigid/d sum of tractions| [length^3/force]
  double contact_count = 0.0;
  bool rolling = false;
  SweepOrder order;  // of gauss_seidel
  ElementLaw law;    // one that is not GivenBound newton alone follows; no other method takes over
  WholeLawSearch search = WholeLawSearch::none;
};

// What took over where newton stalled.
enum class TookOver { none, gauss_seidel, newton_from_full_slip, proximal_point };

struct TangentialResult {
  bool converged = false;
  TookOver took_over = TookOver::none;
  int iterations = 0;
  RigidSlip rigid;
};

using IterationReport = std::function<void(int iteration, double change)>;

// A report that counts iterations on from those done before.
inline IterationReport after(int done, const IterationReport& report) {
  return [&report, done](int iteration, double change) { report(done + iteration, change); };
}

}  // namespace slipfield
