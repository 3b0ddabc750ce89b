// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gpu/cards/slab_shape.h"
#include "gpu/cuda_device.h"
#include "gpu/fft/length.h"
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
  const Grid& grid = problem.grid;
  const FftShape by_cufft = make_cufft_shape(grid.mx, grid.my, grid.boundary);
  const SlabShape shape(grid, cards, by_cufft);
  std::size_t products = shape.bytes(coupled ? 4 : 2);
  // The program's own kernels have fewer lengths: up to 1.25 times as long.
  if (std::max(shape.nx, shape.ny) <= kFftMaxLength) products = products / 2 * 3;
  return kOfTheRest + fields * sizeof(double) * grid.index(0, rows) + products;
}

}  // namespace slipfield
