// SPDX-License-Identifier: Apache-2.0
// Products of the influence matrix by direct summation over the elements with traction, on the CPU.
#pragma once

#include <array>
#include <vector>

#include "solver/influence/influence_table.h"

namespace slipfield {

// out[i] += sum_k factor[k] table[k][i] for 0 <= i < width: the only inner loop of direct
// summation. Eight coefficients per load and store of the output keep the multipliers busy.
inline constexpr int kFused = 8;
inline void add_scaled_rows(double* out, int width, const std::array<const double*, kFused>& table,
                            const std::array<double, kFused>& factor) {
  // No structured bindings: clang before 16 does not accept them in an OpenMP loop.
  const double* const t0 = table[0];
  const double* const t1 = table[1];
  const double* const t2 = table[2];
  const double* const t3 = table[3];
  const double* const t4 = table[4];
  const double* const t5 = table[5];
  const double* const t6 = table[6];
  const double* const t7 = table[7];
  const double f0 = factor[0];
  const double f1 = factor[1];
  const double f2 = factor[2];
  const double f3 = factor[3];
  const double f4 = factor[4];
  const double f5 = factor[5];
  const double f6 = factor[6];
  const double f7 = factor[7];
#pragma omp simd
  for (int i = 0; i < width; ++i) {
    out[i] += ((f0 * t0[i] + f1 * t1[i]) + (f2 * t2[i] + f3 * t3[i])) +
              ((f4 * t4[i] + f5 * t5[i]) + (f6 * t6[i] + f7 * t7[i]));
  }
}

struct LoadedElement {
  int jx;
  int jy;
  double traction;
};

// The elements with traction on a grid of mx my values, x fastest.
std::vector<LoadedElement> loaded_elements(int mx, int my, const double* traction);

// out += sign * table * traction over a grid of mx my elements. Work: 2 flops per loaded element and
// receiving element.
void add_summed_product(int mx, int my, const InfluenceTable& table, double sign,
                        const std::vector<LoadedElement>& loaded, double* out);

}  // namespace slipfield
