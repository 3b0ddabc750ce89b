// SPDX-License-Identifier: Apache-2.0
// How many vectors of GMRES are kept, in chunks (THEORY.md 6.4).
#pragma once

namespace slipfield {

inline constexpr int kKrylovRestart = 95;
inline constexpr int kKrylovFused = 7;
// The products of a solve for which so many chunks of vectors are kept, the first vector being the
// right side's; and the fewest that newton is left with where memory is short.
constexpr int krylov_products(int chunks) {
  const int products = chunks * kKrylovFused - 1;
  return products < kKrylovRestart ? products : kKrylovRestart;
}
inline constexpr int kFewestKrylovChunks = 3;
inline constexpr int kMostKrylovChunks = (kKrylovRestart + kKrylovFused) / kKrylovFused;

}  // namespace slipfield
