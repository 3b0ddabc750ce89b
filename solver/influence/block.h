// SPDX-License-Identifier: Apache-2.0
// The blocks of the influence matrix: which tractions act, which displacements are wanted, and by
// which coefficients (THEORY.md 2.1).
#pragma once

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

// The inverse symbols that precondition are conj(a)/(|a|^2 + (share max|a|)^2) (THEORY.md 2.7).
// The symbol of a positive table, A_nn, stays well above its share. Those of xx and yy do not,
// least of all in steady rolling (solver/influence/half_space_symbol.h), where they are symbols of a
// change.
inline constexpr double kNormalShare = 1.0e-10;
inline constexpr double kTransientShare = 0.001;
// A symbol of the mean below this share of a short wave's is taken as 0: that of the surface of a layer
// that keeps its volume is nothing but what the elements leave of it, of either sign.
inline constexpr double kNoMean = 0.01;

}  // namespace slipfield
