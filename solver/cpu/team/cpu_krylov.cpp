// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/team/cpu_krylov.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "solver/grid.h"
#include "solver/threads/team_work.h"

namespace slipfield {
namespace {

constexpr std::size_t kKrylovBlock = 1024;  // entries; the last block may have up to twice as many
constexpr int kKrylovTogether = 4;          // vectors that share one pass over w

using BasisVectors = std::array<const float*, kKrylovRestart + 1>;

BasisVectors vectors_of(const KrylovBasis& basis, int count) {
  BasisVectors vectors{};
  for (int k = 0; k < count; ++k) {
    vectors[static_cast<std::size_t>(k)] =
        basis.chunk[k / kKrylovFused] + static_cast<std::size_t>(k % kKrylovFused) * basis.size;
  }
  return vectors;
}

double krylov_product(const float* a, const double* w, std::size_t count) {
  double sum = 0.0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < count; ++i) sum += static_cast<double>(a[i]) * w[i];
  return sum;
}

double krylov_square(const double* w, std::size_t count) {
  double sum = 0.0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < count; ++i) sum += w[i] * w[i];
  return sum;
}

double krylov_sum(const double* values, std::size_t count) {
  double sum = 0.0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < count; ++i) sum += values[i];
  return sum;
}

std::array<double, kKrylovTogether> krylov_products(const float* const* a, std::size_t first,
                                                    const double* w, std::size_t count) {
  const float* const a0 = a[0] + first;
  const float* const a1 = a[1] + first;
  const float* const a2 = a[2] + first;
  const float* const a3 = a[3] + first;
  double s0 = 0.0;
  double s1 = 0.0;
  double s2 = 0.0;
  double s3 = 0.0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
  for (std::size_t i = 0; i < count; ++i) {
    s0 += static_cast<double>(a0[i]) * w[i];
    s1 += static_cast<double>(a1[i]) * w[i];
    s2 += static_cast<double>(a2[i]) * w[i];
    s3 += static_cast<double>(a3[i]) * w[i];
  }
  return {s0, s1, s2, s3};
}

// w -= factor . a
void krylov_subtract(const float* const* a, std::size_t first, const double* factor, double* w,
                     std::size_t count) {
  const float* const a0 = a[0] + first;
  const float* const a1 = a[1] + first;
  const float* const a2 = a[2] + first;
  const float* const a3 = a[3] + first;
  const double f0 = factor[0];
  const double f1 = factor[1];
  const double f2 = factor[2];
  const double f3 = factor[3];
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    w[i] -= (f0 * static_cast<double>(a0[i]) + f1 * static_cast<double>(a1[i])) +
            (f2 * static_cast<double>(a2[i]) + f3 * static_cast<double>(a3[i]));
  }
}

void krylov_subtract_one(const float* a, double factor, double* w, std::size_t count) {
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) w[i] -= factor * static_cast<double>(a[i]);
}

}  // namespace

void CpuKrylov::orthogonalize(const KrylovBasis& basis, int count, double* w, float* stored,
                              KrylovColumn* column) {
  const std::size_t size = basis.size;
  const std::size_t blocks = std::max<std::size_t>(1, size / kKrylovBlock);
  const BasisVectors vectors = vectors_of(basis, count);
  partial_.resize(blocks * static_cast<std::size_t>(count + 1));
  double* const partial = partial_.data();
  constexpr double kOfEntry = 1.5e-10;  // seconds
  const TeamWork work(size >= 2 * kLeastForProducts,
                      2.0 * kOfEntry * static_cast<double>(size) * (count + 1));
  work.run([&] {
#pragma omp for schedule(static)
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t first = block * kKrylovBlock;
      const std::size_t entries = block + 1 < blocks ? kKrylovBlock : size - first;
      int k = 0;
      for (; k + kKrylovTogether <= count; k += kKrylovTogether) {
        const std::array<double, kKrylovTogether> sums =
            krylov_products(&vectors[static_cast<std::size_t>(k)], first, w + first, entries);
        for (std::size_t j = 0; j < kKrylovTogether; ++j)
          partial[(static_cast<std::size_t>(k) + j) * blocks + block] = sums[j];
      }
      for (; k < count; ++k) {
        partial[static_cast<std::size_t>(k) * blocks + block] =
            krylov_product(vectors[static_cast<std::size_t>(k)] + first, w + first, entries);
      }
      partial[static_cast<std::size_t>(count) * blocks + block] = krylov_square(w + first, entries);
    }
    // Each thread adds up these few sums itself, as waiting for another thread takes as long.
    std::array<double, kKrylovRestart + 1> total{};
    for (std::size_t k = 0; k <= static_cast<std::size_t>(count); ++k)
      total[k] = krylov_sum(partial + k * blocks, blocks);
    const double left = norm2_left(total.data(), count);
    const double scale = left > 0.0 ? 1.0 / std::sqrt(left) : 0.0;
#pragma omp for schedule(static)
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t first = block * kKrylovBlock;
      const std::size_t entries = block + 1 < blocks ? kKrylovBlock : size - first;
      double* const v = w + first;
      int k = 0;
      for (; k + kKrylovTogether <= count; k += kKrylovTogether) {
        krylov_subtract(&vectors[static_cast<std::size_t>(k)], first,
                        &total[static_cast<std::size_t>(k)], v, entries);
      }
      for (; k < count; ++k) {
        krylov_subtract_one(vectors[static_cast<std::size_t>(k)] + first,
                            total[static_cast<std::size_t>(k)], v, entries);
      }
      float* const to = stored + first;
#pragma omp simd
      for (std::size_t i = 0; i < entries; ++i) {
        v[i] *= scale;
        to[i] = static_cast<float>(v[i]);
      }
    }
#pragma omp master
    {
      std::copy_n(total.begin(), count, column->product);
      column->norm2 = left;
    }
  });
}

}  // namespace slipfield
