// SPDX-License-Identifier: Apache-2.0
// u = A_nn p on a whole free grid by the pressures of a few of its elements, in host memory:
// multilevel summation as in scattered_sums.h, but to all elements and closer (THEORY.md 4.8).
//
// A product by transforms of the whole grid takes two to ten times as long, and its spectrum twice
// as long again. Off by 1e-9 of the greatest u at most: too much below kLeastTolerance.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/grid.h"
#include "solver/normal/dilute_coefficients.h"
#include "solver/normal/scattered_sums.h"
#include "solver/normal/smooth_part.h"

namespace slipfield {

class GridSums {
 public:
  // Solutions to a lesser tolerance need exact products.
  static constexpr double kLeastTolerance = 1.0e-7;

  // For what ScatteredSums::possible() holds, as for ScatteredSums. stride: of stride_for().
  GridSums(const Grid& grid, double contact_modulus, const DiluteCoefficients& coefficients,
           int stride);

  // The stride with which `loaded` elements take the least time; 0: transforms of the whole grid
  // take less.
  [[nodiscard]] static int stride_for(const Grid& grid, std::size_t loaded);
  [[nodiscard]] int stride() const { return stride_; }

  // elements: indices into the grid, ascending; p: their pressures; u: of all elements of the grid.
  void multiply(std::span<const int> elements, std::span<const double> p, double* u);

  static constexpr std::array kStrides{3, 4, 6};  // elements

  // Memory for `elements` elements on a grid [bytes].
  static std::size_t memory_bytes(const Grid& grid, std::size_t elements);

 private:
  static constexpr int kOrder = 12;
  static constexpr int kReach = 24;  // places of the coarse grid
  static constexpr int kSmoothness = 10;
  using Weights = std::array<double, kOrder>;

  void form_smooth();
  void form_row(int row, std::vector<double>& places, std::vector<double>& between,
                double* u) const;

  Grid grid_;
  int stride_;
  int reach_x_;  // elements to which the near part extends
  int reach_y_;
  std::vector<double> near_;  // at (kx, ky), |kx| < reach_x_, 0 <= ky < reach_y_
  std::vector<int> wide_;     // greatest kx in a row of near_ that is not 0
  Grid coarse_;
  CpuFftConvolution convolution_;
  Spectrum spectrum_;
  std::vector<Weights> weights_;  // by the place of an element within a stride
  std::vector<double> field_;     // on the coarse grid
  std::vector<PressedElement> sources_;
};

}  // namespace slipfield
