// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "gpu/cards/slab_shape.h"
#include "gpu/cuda_device.h"
#include "gpu/fft/length.h"
#include "solver/influence/fading_memory.h"
#include "solver/memory_estimate.h"
#include "solver/problem.h"
#include "solver/ranks/ranks.h"
#include "solver/rolling.h"
#include "solver/tangential/second_order.h"

namespace slipfield {
namespace {

// Of what is made on first use and kept: the spectra of displacements now, of those a step ago or
// of the difference, of those at the leading edge, and the inverses that precondition.
SlabNeeds slab_needs(const ContactProblem& problem) {
  SlabNeeds needs;
  const int of_pressure = couples(problem.upper, problem.lower) ? 2 : 0;
  bool slides = false;
  int of_a_kind = 0;  // quarters of one spectrum of a particle's displacement
  bool edge = false;
  for (const StepInput& step : problem.steps) {
    const Tangential& tangential = step.tangential;
    slides = slides || tangential.problem != TangentialProblem::none;
    if (!is_rolling(tangential.problem)) continue;
    const bool along_x = rolls_along_x(tangential.direction);
    of_a_kind = std::max(of_a_kind, along_x ? 2 : 4);
    edge = edge || steps_over_element(tangential, problem.grid);
  }
  needs.quarters += of_pressure;
  if (of_pressure != 0) needs.fields = 2;
  if (!slides) return needs;
  constexpr int kTangential = 3;  // xx, yy, xy
  constexpr int kInverses = 3;
  needs.fields = of_a_kind == 0 ? 2 : 3;
  needs.quarters += kTangential;
  needs.quarters += of_a_kind * (kTangential + of_pressure) * (edge ? 2 : 1);
  if (of_a_kind != 0) needs.quarters += of_a_kind * kInverses;
  needs.whole_tables = of_a_kind > 2;
  return needs;
}

// Of all elements on each card: the states of the whole contact are on the host, displacements at
// its leading edge here.
std::size_t edge_bytes(const ContactProblem& problem) {
  for (const StepInput& step : problem.steps)
    if (is_rolling(step.tangential.problem) && steps_over_element(step.tangential, problem.grid))
      return 2 * sizeof(double) * problem.grid.count();
  return 0;
}

}  // namespace

std::size_t cards_bytes(const ContactProblem& problem, int cards) {
  constexpr std::size_t kOfTheRest = std::size_t{64} << 20;
  const Grid& grid = problem.grid;
  Grid rows = grid;
  rows.my = ranks::rows_of(0, cards, grid.my).count;
  std::size_t more_fields = 0;
  if (problem.solver.rolling == RollingScheme::second_order) {  // with rows of the neighbours
    constexpr std::size_t kGathered = 8;
    more_fields = kGathered;
    rows.my = std::min(grid.my, rows.my + 2 * kRowsOfEdge);
  }
  const FftShape by_cufft = make_cufft_shape(grid.mx, grid.my, grid.boundary);
  const SlabShape shape(grid, cards, by_cufft);
  std::size_t products = shape.bytes(slab_needs(problem));
  // The program's own kernels have fewer lengths: up to 1.25 times as long.
  if (std::max(shape.nx, shape.ny) <= kFftMaxLength) products = products / 2 * 3;
  const std::size_t fields =
      is_frictionless(problem)
          ? frictionless_field_bytes(rows)
          : (fields_and_spectra(problem).fields + more_fields) * sizeof(double) * rows.count();
  // What the pool loses between its pieces.
  const std::size_t bytes = fields + fields / 16 + products + edge_bytes(problem);
  return kOfTheRest + (problem.error_estimate ? bytes + bytes / 4 : bytes);
}

}  // namespace slipfield
