// SPDX-License-Identifier: Apache-2.0
// u = A_nn p between elements scattered over a free grid, in host memory, at a cost that hardly
// depends on the size of the grid: multilevel summation with one coarse grid [SkeelTezcanHardy2002]
// (THEORY.md 4.8).
//
// With 1/R = near(R) + smooth(R), near = 0 from the reach a on, the near part is summed directly
// and the smooth one by transforms on a grid with every stride-th place, to and from which it is
// interpolated; a is kReach strides. Both halves are those of the influence coefficients, that is
// integrated over the element. The product is off by about 1e-6 of u at the reach; a caller that
// needs more adds what the exact product of one p differs by (solver/window/dilute_normal.h).
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/grid.h"
#include "solver/influence/influence_table.h"
#include "solver/normal/dilute_coefficients.h"
#include "solver/normal/smooth_part.h"

namespace slipfield {

// Elements of one row from `first` on, spanning at most kTogether columns: targets whose sums are
// formed together. Bands of kBand rows, of those that have elements.
struct ElementRuns {
  static constexpr int kTogether = 8;
  static constexpr int kBand = 8;
  struct Run {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  std::vector<Run> runs;
  std::vector<std::size_t> bands;  // the first run of each band, and the end

  // x, y: column and row of each element, by rows and in a row by columns.
  void form(std::span<const int> x, std::span<const int> y);
};

// An element with pressure p in column x and row y.
struct PressedElement {
  int x = 0;
  int y = 0;
  double p = 0.0;
};

// The displacements of the columns of a run by loaded elements; at(source): the coefficients
// between it and each of them. Several sums in turn, as an addition waits for the one before it.
template <class Coefficients>
Eigen::Array<double, ElementRuns::kTogether, 1> displaced_by(
    std::span<const PressedElement> sources, const Coefficients& at) {
  using Columns = Eigen::Array<double, ElementRuns::kTogether, 1>;
  const auto of = [&](std::size_t k) {
    return sources[k].p * Eigen::Map<const Columns>(at(sources[k]));
  };
  std::array<Columns, 4> sums;
  sums.fill(Columns::Zero());
  const std::size_t together = sources.size() - sources.size() % sums.size();
  for (std::size_t k = 0; k < together; k += sums.size()) {
    sums[0] += of(k);
    sums[1] += of(k + 1);
    sums[2] += of(k + 2);
    sums[3] += of(k + 3);
  }
  for (std::size_t k = together; k < sources.size(); ++k) sums[0] += of(k);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

class ScatteredSums {
 public:
  // coefficients: those of a half-space with the modulus E* [force/length^2], and of what else acts
  // within an element; for each element of the grid. stride: one of kStrides.
  ScatteredSums(const Grid& grid, double contact_modulus, const DiluteCoefficients& coefficients,
                int stride);

  static constexpr std::array kStrides{3, 4, 6};  // elements
  [[nodiscard]] int stride() const { return stride_; }

  // Whether elements and coefficients allow it: a free grid of nearly square elements whose
  // coefficients are those of a half-space.
  [[nodiscard]] static bool possible(const Grid& grid, double contact_modulus,
                                     const DiluteCoefficients& coefficients);

  // Time of a product with this stride on one core if `loaded` of the elements have a pressure [s].
  [[nodiscard]] static double seconds(const Grid& grid, int stride, std::span<const int> x,
                                      std::span<const int> y, const ElementRuns& runs,
                                      std::size_t loaded);
  // x, y: as for `runs`, which are theirs; all three must outlive the products.
  void take(std::span<const int> x, std::span<const int> y, const ElementRuns& runs);
  void multiply(std::span<const double> p, std::span<double> u);

  // Memory for `elements` elements on a grid [bytes].
  static std::size_t memory_bytes(const Grid& grid, std::size_t elements);

  // Measured on a core of an EPYC [s]: the share of a source in the sums of kTogether targets; a
  // point of a forward and a backward transform, for each doubling of the size.
  static constexpr double kOfRun = 1.7e-9;
  static constexpr double kOfPoint = 0.5e-9;

 private:
  static constexpr int kOrder = 8;   // places of the coarse grid that interpolate, in a direction
  static constexpr int kReach = 10;  // places of the coarse grid
  static constexpr int kSmoothness = 6;
  static constexpr int kTogether = ElementRuns::kTogether;
  static constexpr int kBand = ElementRuns::kBand;
  using Weights = std::array<double, kOrder>;
  using Columns = Eigen::Array<double, kTogether, 1>;

  static Grid coarse_grid(const Grid& grid, int stride) {
    return grid_of_places(grid, stride, kOrder);
  }
  static SmoothPart smooth_part(const Grid& grid, double contact_modulus, int stride) {
    return {grid, contact_modulus, kReach * stride * std::max(grid.dx, grid.dy), kSmoothness};
  }
  [[nodiscard]] std::size_t first_place(std::size_t element) const;
  void add_near(std::span<const double> p, std::span<double> u);
  void add_band(std::span<const std::size_t> runs, std::span<const PressedElement> sources, int top,
                std::span<Columns> sums) const;
  void form_smooth(std::span<const double> p, std::span<double> u);

  Grid grid_;
  int stride_;
  int reach_x_;  // elements to which near() extends
  int reach_y_;
  std::size_t near_width_;
  // At (kx, ky), |kx| < reach_x_ + kTogether, 0 <= ky < reach_y_ + kBand.
  std::vector<double> near_;
  Grid coarse_;
  CpuFftConvolution convolution_;
  Spectrum spectrum_;
  std::vector<Weights> weights_;  // by the place of an element within a stride
  std::vector<double> field_;     // on the coarse grid
  std::span<const int> x_, y_;
  const ElementRuns* runs_ = nullptr;
  std::vector<std::size_t> by_columns_;       // elements by bands, in a band by columns
  std::vector<std::size_t> runs_by_columns_;  // runs by bands, in a band by columns
  std::vector<int> band_rows_;                // first row of each band
  double seconds_of_source_ = 0.0;
};

}  // namespace slipfield
