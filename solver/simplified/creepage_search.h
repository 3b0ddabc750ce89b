// SPDX-License-Identifier: Apache-2.0
// The creepages that give a prescribed force, for a theory that computes the force from them
// (THEORY.md 10.6).
//
// Newton's method with differences for the Jacobian; a step is halved until the force is nearer.
// The force is taken as continuous and growing with creepage, as it is in FASTSIM.
#pragma once

#include <array>
#include <functional>

namespace slipfield {

struct CreepageTask {
  std::array<bool, 2> searched{};    // x, y: this creepage is unknown, and its force given
  std::array<double, 2> creepage{};  // given, or where the search starts
  std::array<double, 2> force{};     // wanted, where searched
  double scale = 0.0;      // a creepage that changes the force by a good part of its range
  double tolerance = 0.0;  // of the force
};

struct CreepageResult {
  std::array<double, 2> creepage{};
  double error = 0.0;  // of the force
  int iterations = 0;
  bool converged = false;
};

using ForceOfCreepage = std::function<std::array<double, 2>(const std::array<double, 2>&)>;
using SearchCallback = std::function<void(int iteration, double error)>;

CreepageResult search_creepage(const CreepageTask& task, const ForceOfCreepage& force,
                               const SearchCallback& on_iteration);

}  // namespace slipfield
