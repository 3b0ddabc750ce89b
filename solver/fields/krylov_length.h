// SPDX-License-Identifier: Apache-2.0
// Number of vectors that GMRES keeps, in chunks (THEORY.md 6.4).
#pragma once

namespace slipfield {

inline constexpr int kKrylovRestart = 95;
inline constexpr int kKrylovFused = 7;
// The most products of a solve that keeps `chunks` chunks of vectors (the first vector is the
// right-hand side), and the fewest chunks that newton keeps if memory is short.
constexpr int krylov_products(int chunks) {
  const int products = chunks * kKrylovFused - 1;
  return products < kKrylovRestart ? products : kKrylovRestart;
}
inline constexpr int kFewestKrylovChunks = 3;
inline constexpr int kMostKrylovChunks = (kKrylovRestart + kKrylovFused) / kKrylovFused;

}  // namespace slipfield
