// Vector operations of GMRES, eight basis vectors in a pass.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "solver/host_device.h"

namespace slipfield {

inline constexpr int kKrylovRestart = 95;
inline constexpr int kKrylovFused = 8;

// The newest column of the Hessenberg matrix: products with the basis, then the squared norm of
// what is left.
struct KrylovColumn {
  double product[kKrylovRestart] = {};
  double norm2 = 0.0;
};

// product[first + k] = basis[k].w
struct MultiplyBasis {
  static constexpr int kSums = kKrylovFused;
  const double* basis[kKrylovFused] = {};
  int vectors = 0;
  int first = 0;
  const double* w = nullptr;
  KrylovColumn* column = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const double value = w[i];
    for (int k = 0; k < kKrylovFused; ++k) {
      if (k < vectors) sums[k] += basis[k][i] * value;
    }
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    for (int k = 0; k < vectors; ++k) column->product[first + k] = sums[k];
  }
};

// w -= product[first + k] basis[k], and |w|^2
struct SubtractBasis {
  static constexpr int kSums = 1;
  const double* basis[kKrylovFused] = {};
  int vectors = 0;
  int first = 0;
  double* w = nullptr;
  KrylovColumn* column = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    double value = w[i];
    for (int k = 0; k < kKrylovFused; ++k) {
      if (k < vectors) value -= column->product[first + k] * basis[k][i];
    }
    w[i] = value;
    sums[0] += value * value;
  }
  SLIPFIELD_HD void finish(const double* sums) const { column->norm2 = sums[0]; }
};

// to = from / sqrt(norm2)
struct Normalize {
  static constexpr int kSums = 0;
  static constexpr bool kFinish = false;
  const double* from = nullptr;
  double* to = nullptr;
  const KrylovColumn* column = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    to[i] = column->norm2 > 0.0 ? from[i] / std::sqrt(column->norm2) : 0.0;
  }
};

// out (+)= sum factor[k] basis[k]
struct CombineBasis {
  static constexpr int kSums = 0;
  static constexpr bool kFinish = false;
  const double* basis[kKrylovFused] = {};
  double factor[kKrylovFused] = {};
  int vectors = 0;
  bool accumulate = false;
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    double value = accumulate ? out[i] : 0.0;
    for (int k = 0; k < kKrylovFused; ++k) {
      if (k < vectors) value += factor[k] * basis[k][i];
    }
    out[i] = value;
  }
};

}  // namespace slipfield
