// SPDX-License-Identifier: Apache-2.0
// Element operations between a grid and the one of twice its element size (THEORY.md 6.7).
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/fields/tangential_ops.h"
#include "solver/grid.h"
#include "solver/host_device.h"

namespace slipfield {

// Whether the tangential problem of a step starts from its solution on the grid of twice the
// spacing.

// least: elements required in a row and in a column.
inline bool coarse_start_pays(const Grid& grid, int least = 48) {
  const bool keeps_x = !repeats_in_x(grid.boundary) || grid.mx % 2 == 0;
  const bool keeps_y = !repeats_in_y(grid.boundary) || grid.my % 2 == 0;
  return keeps_x && keeps_y && grid.mx >= least && grid.my >= least;
}

// The grid of twice the element size; a direction of one element keeps its size.
inline Grid coarsen(const Grid& fine) {
  Grid grid = fine;
  grid.mx = (fine.mx + 1) / 2;
  grid.my = (fine.my + 1) / 2;
  if (fine.mx > 1) grid.dx = 2.0 * fine.dx;
  if (fine.my > 1) grid.dy = 2.0 * fine.dy;
  return grid;
}

// Restricts fine fields to the coarse grid: bound and tractions as means over 2 x 2 elements (which
// keeps the forces), base as the mean over those in contact. Runs over the coarse elements.
struct RestrictToCoarse {
  static constexpr int kSums = 1;
  int fine_mx = 0;
  int fine_my = 0;
  int coarse_mx = 0;
  double longer = 1.0;  // coarse step over fine step
  TangentialFields fine;
  const double* base_x = nullptr;
  const double* base_y = nullptr;
  double* bound = nullptr;
  double* traction_x = nullptr;
  double* traction_y = nullptr;
  double* coarse_base_x = nullptr;
  double* coarse_base_y = nullptr;
  unsigned char* state = nullptr;
  double* contact_count = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const int ix = 2 * static_cast<int>(i % static_cast<std::size_t>(coarse_mx));
    const int iy = 2 * static_cast<int>(i / static_cast<std::size_t>(coarse_mx));
    double g = 0.0;
    double px = 0.0;
    double py = 0.0;
    double bx = 0.0;
    double by = 0.0;
    double contact = 0.0;
    for (int jy = iy; jy < iy + 2 && jy < fine_my; ++jy) {
      for (int jx = ix; jx < ix + 2 && jx < fine_mx; ++jx) {
        const std::size_t j = static_cast<std::size_t>(jy) * static_cast<std::size_t>(fine_mx) +
                              static_cast<std::size_t>(jx);
        if (!in_contact(fine.state[j])) continue;
        contact += 1.0;
        g += fine.bound[j];
        px += fine.traction_x[j];
        py += fine.traction_y[j];
        bx += base_x[j];
        by += base_y[j];
      }
    }
    const double share = 0.25;
    bound[i] = share * g;
    traction_x[i] = share * px;
    traction_y[i] = share * py;
    coarse_base_x[i] = contact > 0.0 ? longer * bx / contact : 0.0;
    coarse_base_y[i] = contact > 0.0 ? longer * by / contact : 0.0;
    state[i] =
        static_cast<unsigned char>(contact > 0.0 ? ElementState::adhesion : ElementState::exterior);
    if (contact > 0.0) sums[0] += 1.0;
  }
  SLIPFIELD_HD void finish(const double* sums) const { *contact_count = sums[0]; }
};

// Interpolates the ratio of traction to bound bilinearly among the coarse elements in contact, and
// multiplies it by the fine bound. Runs over the fine elements.
struct InterpolateFromCoarse {
  int fine_mx = 0;
  int coarse_mx = 0;
  int coarse_my = 0;
  const double* bound = nullptr;
  const double* traction_x = nullptr;
  const double* traction_y = nullptr;
  TangentialFields fine;
  int first_row = 0;     // of the fine elements
  int coarse_first = 0;  // first coarse row that the coarse fields hold
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    if (!in_contact(fine.state[i])) return;
    const int ix = static_cast<int>(i % static_cast<std::size_t>(fine_mx));
    const int iy = first_row + static_cast<int>(i / static_cast<std::size_t>(fine_mx));
    const double x = (ix + 0.5) / 2.0 - 0.5;
    const double y = (iy + 0.5) / 2.0 - 0.5;
    const int left = static_cast<int>(std::floor(x));
    const int low = static_cast<int>(std::floor(y));
    double ratio_x = 0.0;
    double ratio_y = 0.0;
    double weights = 0.0;
    for (int jy = low; jy <= low + 1; ++jy) {
      for (int jx = left; jx <= left + 1; ++jx) {
        if (jx < 0 || jy < 0 || jx >= coarse_mx || jy >= coarse_my) continue;
        const std::size_t j =
            static_cast<std::size_t>(jy - coarse_first) * static_cast<std::size_t>(coarse_mx) +
            static_cast<std::size_t>(jx);
        if (!(bound[j] > 0.0)) continue;
        const double weight = (1.0 - std::fabs(x - jx)) * (1.0 - std::fabs(y - jy));
        weights += weight;
        ratio_x += weight * traction_x[j] / bound[j];
        ratio_y += weight * traction_y[j] / bound[j];
      }
    }
    const double scale = weights > 0.0 ? fine.bound[i] / weights : 0.0;
    fine.traction_x[i] = scale * ratio_x;
    fine.traction_y[i] = scale * ratio_y;
  }
};

}  // namespace slipfield
