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
#include "solver/tangential/coarse_grid.h"
#include "solver/window/grid_window.h"

namespace slipfield {
namespace {

// Counts what is made on first use and kept: the spectra of present displacements, of those a step
// ago or of the difference, of those at the leading edge, and the inverses that precondition.
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
  needs.fields = 3;
  needs.quarters += kTangential;
  needs.quarters += of_a_kind * (kTangential + of_pressure) * (edge ? 2 : 1);
  needs.quarters += std::max(of_a_kind, 1) * kInverses;
  needs.whole_tables = of_a_kind > 2;
  return needs;
}

// Displacements at the leading edge: for the own rows when rolling along x, for all rows when
// rolling along y.
std::size_t edge_bytes(const ContactProblem& problem, const Grid& rows) {
  bool along_x = false;
  bool along_y = false;
  for (const StepInput& step : problem.steps) {
    const Tangential& tangential = step.tangential;
    if (!is_rolling(tangential.problem) || !steps_over_element(tangential, problem.grid)) continue;
    (rolls_along_y(tangential.direction) ? along_y : along_x) = true;
  }
  const std::size_t of_all = along_y ? problem.grid.count() + rows.count() : 0;
  return 2 * sizeof(double) * std::max(of_all, along_x ? rows.count() : 0);
}

// Memory for products on a grid whose rows the cards share.
std::size_t product_bytes(const Grid& grid, int cards, const SlabNeeds& needs) {
  const SlabShape shape(grid, cards, make_cufft_shape(grid.mx, grid.my, grid.boundary));
  const std::size_t bytes = shape.bytes(needs);
  // The program's own kernels have fewer lengths: up to 1.25 times as long.
  return std::max(shape.nx, shape.ny) <= kFftMaxLength ? bytes / 2 * 3 : bytes;
}

// Fields of newton: what it is linearized with, and the vectors of GMRES, of two components: two in
// double precision, the basis in single.
std::size_t newton_fields(const ContactProblem& problem, int krylov_chunks) {
  constexpr std::size_t kLinearized = 13;
  constexpr std::size_t kNewest = 4;
  bool moment = false;
  bool plain = problem.sensitivities;  // a basis of its own besides that with a moment
  for (const StepInput& step : problem.steps) {
    if (step.tangential.problem == TangentialProblem::none) continue;
    (step.tangential.moment ? moment : plain) = true;
  }
  const std::size_t bases = plain && moment ? 2 : 1;
  const auto basis = static_cast<std::size_t>(krylov_chunks) * kKrylovFused;
  return kLinearized + (moment ? 2 : 1) * kNewest + bases * basis;
}

// The same of newton for the pressures, one component.
std::size_t normal_newton_fields(const ContactProblem& problem, int krylov_chunks) {
  if (problem.solver.normal != NormalMethod::newton) return 0;
  constexpr std::size_t kInDouble = 7;
  return static_cast<std::size_t>(krylov_chunks) * kKrylovFused / 2 + kInDouble;
}

// The grids of the coarse start, of which each card has its rows, or the whole of those that it
// solves alone, with products of its own (gpu/backend/cuda_influence.h).
std::size_t coarse_bytes(const ContactProblem& problem, int cards, std::size_t of_newton) {
  constexpr std::size_t kFetched = 6;  // from other cards, of the fine grid
  constexpr std::size_t kOfProblem = 8;
  constexpr std::size_t kOfProducts = 24;  // rows and columns, a table that is transformed
  const SlabNeeds needs = slab_needs(problem);
  std::size_t bytes = 0;
  for (Grid grid = problem.grid; coarse_start_pays(grid);) {
    Grid rows = grid;
    rows.my = ranks::rows_of(0, cards, grid.my).count;
    if (bytes == 0) bytes = kFetched * sizeof(double) * rows.count();
    grid = coarsen(grid);
    std::size_t fields = of_newton + kOfProblem;
    if (grid.count() <= kMostAlone) {
      rows = grid;
      fields += (static_cast<std::size_t>(needs.quarters) + kOfProducts) * 8 / 5;
    } else {
      rows = grid;
      rows.my = ranks::rows_of(0, cards, grid.my).count;
      bytes += product_bytes(grid, cards, needs);
    }
    bytes += fields * sizeof(double) * rows.count();
  }
  return bytes;
}

// A window of at most `part` of the grid that each card solves alone: its fields, and its products or
// the rows that come before.
std::size_t window_bytes(const Grid& grid, double part, std::size_t fields, std::size_t products) {
  constexpr std::size_t kFetched = 3;
  if (grid.boundary != Boundary::free || grid.count() < kLeastForWindows) return 0;
  const auto most = static_cast<std::size_t>(part * static_cast<double>(grid.count()));
  const std::size_t count = std::min(most, kMostAlone);
  return sizeof(double) *
         (fields * count +
          std::max(products * count * 8 / 5, kFetched * std::min(grid.count(), kMostFetched)));
}

// Memory for the normal problem on a window, less that of the solver on a card's rows.
std::size_t normal_window_bytes(const Grid& grid, const Grid& rows) {
  constexpr std::size_t kOfProblem = 9;
  constexpr std::size_t kOfProducts = 12;
  constexpr std::size_t kOtherwise = 3;
  const std::size_t window = window_bytes(grid, 0.25, kOfProblem, kOfProducts);
  return window - std::min(window, kOtherwise * sizeof(double) * rows.count());
}

// Memory for a card's rows; without friction frictionless_field_bytes().
std::size_t friction_bytes(const ContactProblem& problem, int cards, const Grid& rows,
                           int krylov_chunks) {
  // Fields of a step (step_state.h, step_model.h), of the normal problem, of the slip operator.
  constexpr std::size_t kOfStep = 28;
  bool slides = false;
  for (const StepInput& step : problem.steps)
    slides = slides || step.tangential.problem != TangentialProblem::none;
  const std::size_t of_newton = slides ? newton_fields(problem, krylov_chunks) : 0;
  const std::size_t of_step = kOfStep + normal_newton_fields(problem, krylov_chunks);
  std::size_t tangential = 0;
  if (slides) {  // on the whole grid or in a window; with sensitivities always on the grid
    constexpr std::size_t kOfProblem = 10;
    constexpr std::size_t kOfProducts = 24;
    const std::size_t whole =
        of_newton * sizeof(double) * rows.count() + coarse_bytes(problem, cards, of_newton);
    const std::size_t window = window_bytes(
        problem.grid, 0.4, (of_newton + kOfProblem) * 4 / 3,
        (static_cast<std::size_t>(slab_needs(problem).quarters) + kOfProducts) * 4 / 3);
    tangential = problem.sensitivities ? whole : std::max(whole, window);
  }
  return of_step * sizeof(double) * rows.count() + edge_bytes(problem, rows) + tangential +
         normal_window_bytes(problem.grid, rows);
}

}  // namespace

std::size_t cards_bytes(const ContactProblem& problem, int cards, int krylov_chunks) {
  constexpr std::size_t kOfTheRest = std::size_t{64} << 20;
  Grid rows = problem.grid;
  rows.my = ranks::rows_of(0, cards, problem.grid.my).count;
  const std::size_t fields =
      second_order_bytes(problem, rows.my) +
      (is_frictionless(problem)
           ? frictionless_field_bytes(rows) + normal_window_bytes(problem.grid, rows)
           : friction_bytes(problem, cards, rows, krylov_chunks));
  // What the pool loses between its pieces.
  const std::size_t bytes =
      fields + fields / 16 + product_bytes(problem.grid, cards, slab_needs(problem));
  return kOfTheRest + (problem.error_estimate ? bytes + bytes / 2 : bytes);
}

}  // namespace slipfield
