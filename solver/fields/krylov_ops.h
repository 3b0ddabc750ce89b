// SPDX-License-Identifier: Apache-2.0
// Vector operations of GMRES, seven basis vectors in a pass.
//
// Classical Gram-Schmidt: all products with the basis first, then the norm of the remainder by
// Pythagoras, so that one pass both subtracts and normalizes. Sufficient for the loose tolerances
// of a Newton step, for which a basis of floats is as good as one of doubles.
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/fields/iteration_limits.h"
#include "solver/host_device.h"

namespace slipfield {

// |w|^2 less the part within the span of `count` basis vectors; 0 if only rounding remains.
// products: those of w with these vectors, then |w|^2.
SLIPFIELD_HD inline double norm2_left(const double* products, int count,
                                      double rounding = GridLimits::kKrylovRounding) {
  const double whole = products[count];
  double left = whole;
  for (int k = 0; k < count; ++k) left -= products[k] * products[k];
  return left > rounding * whole ? left : 0.0;
}

// The newest column of the Hessenberg matrix: products with the basis, then the squared norm of the
// remainder, 0 if none is left.
struct KrylovColumn {
  double product[kKrylovRestart] = {};
  double norm2 = 0.0;
};

// The basis: vectors of `size` entries, kKrylovFused to a chunk.
struct KrylovBasis {
  static constexpr int kChunks = kMostKrylovChunks;
  float* chunk[kChunks] = {};
  std::size_t size = 0;
  [[nodiscard]] SLIPFIELD_HD float* vector(int k) const {
    return chunk[k / kKrylovFused] + static_cast<std::size_t>(k % kKrylovFused) * size;
  }
};

// product[first + k] = basis[k].w, and from them norm2
struct MultiplyBasis {
  static constexpr int kSums = kKrylovFused + 1;
  const float* basis = nullptr;  // `vectors` vectors of `size` entries
  std::size_t size = 0;
  int vectors = 0;
  int first = 0;
  const double* w = nullptr;
  KrylovColumn* column = nullptr;
  std::size_t counted = ~std::size_t{0};  // entries from here on are not counted in the products
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    if (i >= counted) return;
    const double value = w[i];
    for (int k = 0; k < kKrylovFused; ++k) {
      if (k < vectors) sums[k] += static_cast<double>(basis[k * size + i]) * value;
    }
    sums[kKrylovFused] += value * value;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    double left = first == 0 ? sums[kKrylovFused] : column->norm2;
    for (int k = 0; k < vectors; ++k) {
      column->product[first + k] = sums[k];
      left -= sums[k] * sums[k];
    }
    column->norm2 = left > GridLimits::kKrylovRounding * sums[kKrylovFused] ? left : 0.0;
  }
};

// w -= product[first + k] basis[k]; with the last basis vectors w is also normalized and stored
struct SubtractBasis {
  const float* basis = nullptr;
  std::size_t size = 0;
  int vectors = 0;
  int first = 0;
  double* w = nullptr;
  float* stored = nullptr;  // null before the last basis vectors
  const KrylovColumn* column = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    double value = w[i];
    for (int k = 0; k < kKrylovFused; ++k) {
      if (k < vectors)
        value -= column->product[first + k] * static_cast<double>(basis[k * size + i]);
    }
    if (stored != nullptr) {
      value = column->norm2 > 0.0 ? value / std::sqrt(column->norm2) : 0.0;
      stored[i] = static_cast<float>(value);
    }
    w[i] = value;
  }
};

// A step of a linear system's refinement: x += step and rest -= image, J step; *length2 = |rest|^2.
struct TakeCorrection {
  static constexpr int kSums = 1;
  const double* step = nullptr;
  const double* image = nullptr;
  double* x = nullptr;
  double* rest = nullptr;
  double* length2 = nullptr;
  std::size_t counted = ~std::size_t{0};  // entries from here on are not counted in the length
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    x[i] += step[i];
    const double left = rest[i] - image[i];
    rest[i] = left;
    if (i < counted) sums[0] += left * left;
  }
  SLIPFIELD_HD void finish(const double* sums) const { *length2 = sums[0]; }
};

// out = sum factor[k] basis[k]
struct CombineBasis {
  KrylovBasis basis;
  double factor[kKrylovRestart] = {};
  int vectors = 0;
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    double value = 0.0;
    for (int k = 0; k < vectors; ++k) value += factor[k] * static_cast<double>(basis.vector(k)[i]);
    out[i] = value;
  }
};

}  // namespace slipfield
