// SPDX-License-Identifier: Apache-2.0
// What a step asks of a tangential solver, and the result.
#pragma once

#include <functional>

#include "solver/fields/tangential_ops.h"
#include "solver/tangential/element_law.h"

namespace slipfield {

// Whether newton only searches, in a few steps, for a solution of the whole falling law: from the
// static coefficient if the law says `first`, else from full slip (from_elsewhere); or from the
// given tractions (on).
enum class WholeLawSearch { none, from_elsewhere, on };

// In x and y either the rigid slip or the force is given; about z either the rotation or the
// moment.
struct TangentialTask {
  RigidSlip rigid;  // given, or starting value
  bool force_x_given = false;
  bool force_y_given = false;
  double force_x = 0.0;  // force/(dx dy)
  double force_y = 0.0;
  bool moment_given = false;
  double moment = 0.0;      // about the origin, over dx dy
  double compliance = 0.0;  // a first guess of |d rigid/d sum of tractions| [length^3/force]
  double contact_count = 0.0;
  bool rolling = false;
  SweepOrder order;  // used by gauss_seidel
  ElementLaw law;    // only newton follows laws other than GivenBound
  WholeLawSearch search = WholeLawSearch::none;
};

// Which method took over after newton stalled.
enum class TookOver { none, gauss_seidel, newton_from_full_slip, proximal_point };

struct TangentialResult {
  bool converged = false;
  TookOver took_over = TookOver::none;
  int iterations = 0;
  RigidSlip rigid;
};

using IterationReport = std::function<void(int iteration, double change)>;

// Wraps a report so that iterations count on from `done`.
inline IterationReport after(int done, const IterationReport& report) {
  return [&report, done](int iteration, double change) { report(done + iteration, change); };
}

}  // namespace slipfield
