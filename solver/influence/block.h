// SPDX-License-Identifier: Apache-2.0
// The blocks of the influence matrix: which tractions act, which displacements result, and which
// coefficients connect them (THEORY.md 2.1).
#pragma once

#include <cstdint>
#include <vector>

#include "solver/host_device.h"
#include "solver/influence/influence_coefficients.h"

namespace slipfield {

// Directions of tractions and displacements: x, y, n.
inline constexpr int kDirections = 3;

enum class Block {
  normal,                  // u_n = A_nn p_n
  tangential,              // u_x, u_y from p_x, p_y
  full,                    // all three from all three
  normal_from_tangential,  // u_n = A_nx p_x + A_ny p_y
  tangential_from_normal,  // u_x = A_xn p_n, u_y = A_yn p_n
};

struct BlockTerm {
  int component = -1;  // of enum class Component; -1: this pair does not couple
  double sign = 1.0;   // nx and ny are -xn and -yn at the same point
};

SLIPFIELD_HD constexpr BlockTerm block_term(int to, int from) {
  constexpr int kTable[3][3] = {{static_cast<int>(Component::xx), static_cast<int>(Component::xy),
                                 static_cast<int>(Component::xn)},
                                {static_cast<int>(Component::xy), static_cast<int>(Component::yy),
                                 static_cast<int>(Component::yn)},
                                {static_cast<int>(Component::xn), static_cast<int>(Component::yn),
                                 static_cast<int>(Component::nn)}};
  return BlockTerm{kTable[to][from], (to == 2 && from != 2) ? -1.0 : 1.0};
}

SLIPFIELD_HD constexpr bool block_takes(Block block, int direction) {
  return block == Block::full ||
         (direction == 2 ? (block == Block::normal || block == Block::tangential_from_normal)
                         : (block == Block::tangential || block == Block::normal_from_tangential));
}

SLIPFIELD_HD constexpr bool block_gives(Block block, int direction) {
  return block == Block::full ||
         (direction == 2 ? (block == Block::normal || block == Block::normal_from_tangential)
                         : (block == Block::tangential || block == Block::tangential_from_normal));
}

// One term of a product with a block: a pair of directions.
struct ProductTerm {
  int target;  // index among the displacements that the block gives
  int source;  // index among the tractions that it takes
  int to;      // directions
  int from;
  [[nodiscard]] Component component() const {
    return static_cast<Component>(block_term(to, from).component);
  }
  [[nodiscard]] double sign() const { return block_term(to, from).sign; }
};

inline std::vector<ProductTerm> product_terms(Block block) {
  std::vector<ProductTerm> terms;
  int target = 0;
  for (int to = 0; to < kDirections; ++to) {
    if (!block_gives(block, to)) continue;
    int source = 0;
    for (int from = 0; from < kDirections; ++from)
      if (block_takes(block, from)) terms.push_back({target, source++, to, from});
    ++target;
  }
  return terms;
}

// The preconditioners' inverse symbols are conj(a)/(|a|^2 + (share max|a|)^2) (THEORY.md 2.7). The
// symbol of a positive table, A_nn, stays well above its share. Those of xx and yy do not, least of
// all in steady rolling (solver/influence/half_space_symbol.h), where they belong to a change.
inline constexpr double kNormalShare = 1.0e-10;
inline constexpr double kTransientShare = 0.001;
// A symbol of the mean below this share of a short wave's counts as 0: for the surface of an
// incompressible layer it is only discretisation error, of either sign.
inline constexpr double kNoMean = 0.01;

// Products of the influence matrix with tractions, however they are computed.

// Pointers to the components of a vector field over the grid, in the backend's memory.
struct TractionField {
  const double* x = nullptr;
  const double* y = nullptr;
  const double* n = nullptr;
};

struct DisplacementField {
  double* x = nullptr;
  double* y = nullptr;
  double* n = nullptr;
};

// The component fields that a block takes, or gives.
inline std::vector<const double*> taken_by(Block block, const TractionField& traction) {
  std::vector<const double*> fields;
  if (block_takes(block, 0)) fields = {traction.x, traction.y};
  if (block_takes(block, 2)) fields.push_back(traction.n);
  return fields;
}
inline std::vector<double*> given_by(Block block, const DisplacementField& displacement) {
  std::vector<double*> fields;
  if (block_gives(block, 0)) fields = {displacement.x, displacement.y};
  if (block_gives(block, 2)) fields.push_back(displacement.n);
  return fields;
}

// The symbol identity + xx A_xx + yy A_yy (xx, yy: symbols of an operator), which approximates the
// response of slipping elements across their slip (THEORY.md 6.5).
struct AcrossSymbol {
  double identity = 1.0;
  double xx = 0.0;
  double yy = 0.0;
};

// Fields are mx my values, x fastest; input and output must not overlap.
class InfluenceOperator {
 public:
  virtual ~InfluenceOperator() = default;
  void apply(Block block, const TractionField& traction, const DisplacementField& displacement) {
    ++products_;
    compute(block, traction, displacement);
  }
  [[nodiscard]] std::int64_t products() const { return products_; }
  void count_product() { ++products_; }  // of one that another way than apply() computes

 protected:
  virtual void compute(Block block, const TractionField& traction,
                       const DisplacementField& displacement) = 0;

 private:
  std::int64_t products_ = 0;
};

}  // namespace slipfield
