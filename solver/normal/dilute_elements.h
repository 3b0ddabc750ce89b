// SPDX-License-Identifier: Apache-2.0
// The few elements of a grid that may touch, and what conjugate gradients ask of A_nn over them, in
// host memory (THEORY.md 4.8).
#pragma once

#include <Eigen/Dense>
#include <cstddef>
#include <vector>

#include "solver/grid.h"

namespace slipfield {

class DiluteElements {
 public:
  // coefficients: A_nn by a pressure on element (0, 0), at each element of the grid; even in x and
  // y.
  DiluteElements(const Grid& grid, const std::vector<double>& coefficients);

  // elements: indices into the grid, ascending. `loaded`: about as many of them carry pressure.
  void take(std::vector<int> elements, std::size_t loaded);
  [[nodiscard]] const std::vector<int>& elements() const { return elements_; }

  // Whether multiply() takes less time than a product over the whole grid by transforms.
  [[nodiscard]] bool sums_pay() const { return sums_pay_; }
  // u = A_nn p over the elements, by direct sums.
  void multiply(const double* p, double* u);

  // z = M r on the active elements, 0 elsewhere. M: the inverse of A_nn with only the coefficients
  // between active elements that are connected, side by side or corner to corner.
  void precondition(const unsigned char* active, const double* r, double* z);

  // Memory for that number of elements on a grid.
  static std::size_t memory_bytes(const Grid& grid, std::size_t elements);

 private:
  // Elements of one row, from `first` on, at most kTogether columns from the first to the last.
  struct Run {
    int first = 0;
    int count = 0;
  };
  struct Source {
    int x = 0;
    int y = 0;
    double p = 0.0;
  };
  struct Block {
    std::vector<int> members;  // numbers among the elements
    Eigen::MatrixXd factor;    // Cholesky's, on and below the diagonal; empty: to be made
  };
  [[nodiscard]] double coefficient(int a, int b) const;
  void form_runs();
  void connect(const unsigned char* active);
  [[nodiscard]] std::vector<std::vector<int>> connected(const unsigned char* active) const;
  [[nodiscard]] std::vector<std::vector<int>> in_squares(std::vector<int> members, int edge) const;
  void factor(Block& block) const;

  Grid grid_;
  // A_nn at (kx, ky), -mx < kx < mx, 0 <= ky < my, x fastest, and kTogether numbers behind the
  // last.
  std::vector<double> coefficients_;
  std::size_t width_;
  std::vector<int> elements_, x_, y_;
  std::vector<Run> runs_;
  std::vector<std::size_t> run_bands_, source_bands_;  // where each begins, and the end
  std::vector<unsigned char> active_;                  // that the blocks are of
  std::vector<Block> blocks_;
  std::vector<Source> sources_;
  bool sums_pay_ = false;
};

}  // namespace slipfield
