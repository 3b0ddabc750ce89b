// SPDX-License-Identifier: Apache-2.0
#include "gpu/cards/slab_shape.h"
#include "gpu/cuda_device.h"
#include "solver/influence/fading_memory.h"
#include "solver/problem.h"
#include "solver/ranks/ranks.h"

namespace slipfield {

std::size_t cards_bytes(const ContactProblem& problem, int cards) {
  const bool coupled = couples(problem.upper, problem.lower);
  // Of a double by element: six of the step, five of the conjugate gradients, two of division and
  // active set and what the pool loses between its pieces; two more by pressures alone.
  const std::size_t fields = coupled ? 14 : 12;
  constexpr std::size_t kOfTheRest = std::size_t{64} << 20;
  const auto rows = ranks::rows_of(0, cards, problem.grid.my).count;
  return kOfTheRest + fields * sizeof(double) * problem.grid.index(0, rows) +
         SlabShape(problem.grid, cards).bytes(coupled ? 4 : 2);
}

}  // namespace slipfield
