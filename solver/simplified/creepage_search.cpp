// SPDX-License-Identifier: Apache-2.0
#include "solver/simplified/creepage_search.h"

#include <cmath>
#include <cstddef>

namespace slipfield {
namespace {

using Pair = std::array<double, 2>;

constexpr int kMaxIterations = 60;
constexpr int kMaxHalvings = 20;
constexpr double kDifference = 1.0e-6;  // of the scale: rounding and curvature both stay small

struct Search {
  const CreepageTask& task;
  const ForceOfCreepage& force;

  [[nodiscard]] Pair lacking(const Pair& creepage) const {
    const Pair found = force(creepage);
    Pair lack{};
    for (std::size_t k = 0; k < 2; ++k) {
      if (task.searched[k]) lack[k] = task.force[k] - found[k];
    }
    return lack;
  }

  // The change of the creepages that closes the remaining gap to the wanted forces, by the slopes
  // here; zero where there is none, as in full sliding.
  [[nodiscard]] Pair newton_step(const Pair& creepage, const Pair& lack) const {
    Pair slope_x{1.0, 0.0};  // of the gap to the forces, by creepage x
    Pair slope_y{0.0, 1.0};
    const auto slope = [&](std::size_t k) {
      Pair moved = creepage;
      const double difference = kDifference * (task.scale + std::abs(creepage[k]));
      moved[k] += difference;
      const Pair then = lacking(moved);
      return Pair{(then[0] - lack[0]) / difference, (then[1] - lack[1]) / difference};
    };
    if (task.searched[0]) slope_x = slope(0);
    if (task.searched[1]) slope_y = slope(1);
    const double determinant = slope_x[0] * slope_y[1] - slope_x[1] * slope_y[0];
    if (determinant == 0.0) return {};
    return {-(slope_y[1] * lack[0] - slope_y[0] * lack[1]) / determinant,
            -(slope_x[0] * lack[1] - slope_x[1] * lack[0]) / determinant};
  }
};

}  // namespace

CreepageResult search_creepage(const CreepageTask& task, const ForceOfCreepage& force,
                               const SearchCallback& on_iteration) {
  const Search search{task, force};
  CreepageResult result;
  result.creepage = task.creepage;
  Pair lack = search.lacking(result.creepage);
  result.error = std::hypot(lack[0], lack[1]);
  while (result.error > task.tolerance && result.iterations < kMaxIterations) {
    ++result.iterations;
    const Pair step = search.newton_step(result.creepage, lack);
    bool nearer = false;
    double part = 1.0;
    for (int halving = 0; halving < kMaxHalvings && !nearer; ++halving, part *= 0.5) {
      const Pair creepage{result.creepage[0] + part * step[0], result.creepage[1] + part * step[1]};
      const Pair left = search.lacking(creepage);
      const double error = std::hypot(left[0], left[1]);
      nearer = error < result.error;
      if (!nearer) continue;
      result.creepage = creepage;
      result.error = error;
      lack = left;
    }
    on_iteration(result.iterations, result.error);
    if (!nearer) break;
  }
  result.converged = result.error <= task.tolerance;
  return result;
}

}  // namespace slipfield
