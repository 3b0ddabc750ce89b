// SPDX-License-Identifier: Apache-2.0
// The few elements of a grid that may touch, and the operations with A_nn on them that conjugate
// gradients need, in host memory (THEORY.md 4.8).
#pragma once

#include <Eigen/Dense>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "solver/grid.h"
#include "solver/influence/influence_table.h"
#include "solver/normal/dilute_coefficients.h"
#include "solver/normal/scattered_sums.h"

namespace slipfield {

// The table of coefficients that are even in x and y, from those at each element (kx, ky) of a
// grid, with a row more, of zeros.
std::shared_ptr<const InfluenceTable> even_table(const Grid& grid,
                                                 const std::vector<double>& coefficients);

class DiluteElements {
 public:
  // How multiply() forms its sums: all of them directly; those between near elements directly and
  // the smooth rest on a coarse grid, off by some 1e-6; or not at all, because a product over the
  // whole grid by transforms is faster.
  enum class Sums { direct, split, none };

  // half_space_modulus: E* if the coefficients may be those of a half-space, with sums to split;
  // 0: are not.
  DiluteElements(const Grid& grid, DiluteCoefficients coefficients,
                 double half_space_modulus = 0.0);

  // Parts refer to each other.
  DiluteElements(const DiluteElements&) = delete;
  DiluteElements(DiluteElements&&) = delete;
  DiluteElements& operator=(const DiluteElements&) = delete;
  DiluteElements& operator=(DiluteElements&&) = delete;
  ~DiluteElements() = default;

  // elements: indices into the grid, ascending. loaded: roughly how many of them carry pressure.
  void take(std::vector<int> elements, std::size_t loaded);
  [[nodiscard]] const std::vector<int>& elements() const { return elements_; }

  // What is fastest for these elements.
  [[nodiscard]] Sums sums() const { return sums_; }
  // The stride of split sums (scattered_sums.h); 0: of others.
  [[nodiscard]] int stride() const { return sums_ == Sums::split ? split_->stride() : 0; }
  // u = A_nn p over the elements; directly if no sums pay.
  void multiply(const double* p, double* u);

  // A_nn of an element by its own pressure.
  [[nodiscard]] double own_coefficient() const { return coefficients_.at(0, 0); }

  // z = M r on the active elements, 0 elsewhere; r and z may be the same array. M inverts A_nn
  // restricted to groups of active elements that are connected by a side or a corner. Large groups
  // are cut into squares in two ways, of which M has the mean: each covers the cuts of the other,
  // next to which it is far from the inverse.
  void precondition(const unsigned char* active, const double* r, double* z);

  // Memory for `elements` elements on a grid [bytes].
  static std::size_t memory_bytes(const Grid& grid, std::size_t elements);

 private:
  struct Block {
    std::vector<int> members;  // indices into elements_
    // Cholesky factor of A_nn over own_coefficient(), on and below the diagonal, in single
    // precision: a preconditioner needs no more. Empty: not yet formed.
    Eigen::MatrixXf factor;
    double weight = 1.0;
  };
  [[nodiscard]] double coefficient(int a, int b) const;
  void choose(std::size_t loaded);
  void multiply_directly(const double* p, double* u);
  void connect(const unsigned char* active);
  [[nodiscard]] std::vector<std::vector<int>> connected(const unsigned char* active) const;
  [[nodiscard]] std::vector<std::vector<int>> in_squares(std::vector<int> members, int edge,
                                                         int offset) const;
  void factor(Block& block) const;
  void add_solution(const Block& block, const double* r, double* z) const;

  Grid grid_;
  DiluteCoefficients coefficients_;
  std::vector<int> elements_, x_, y_;
  ElementRuns runs_;
  std::vector<std::size_t> source_bands_;     // first source of each band, and the end
  std::vector<unsigned char> active_;         // active elements that the blocks belong to
  std::array<std::vector<Block>, 2> blocks_;  // by the two ways to cut; the first has those uncut
  std::vector<PressedElement> sources_;
  double half_space_modulus_;
  std::optional<ScatteredSums> split_;
  Sums sums_ = Sums::none;
};

}  // namespace slipfield
