// Products of the influence matrix by direct summation over the elements with traction, on the CPU.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "solver/influence_table.h"

namespace slipfield {

// out[i] += sum_k factor[k] table[k][i] for 0 <= i < width: the one inner loop of direct summation.
// Eight coefficients to one load and store of the output keep the multipliers busy.
inline constexpr int kFused = 8;
inline void add_scaled_rows(double* out, int width, const std::array<const double*, kFused>& table,
                            const std::array<double, kFused>& factor) {
  const auto [t0, t1, t2, t3, t4, t5, t6, t7] = table;
  const auto [f0, f1, f2, f3, f4, f5, f6, f7] = factor;
#pragma omp simd
  for (int i = 0; i < width; ++i) {
    out[i] += ((f0 * t0[i] + f1 * t1[i]) + (f2 * t2[i] + f3 * t3[i])) +
              ((f4 * t4[i] + f5 * t5[i]) + (f6 * t6[i] + f7 * t7[i]));
  }
}

// out += sign * table * traction over the whole grid, mx my values each, x fastest; elements
// without traction are skipped. Work: 2 flops per loaded element and receiving element.
void add_direct_product(const InfluenceTable& table, double sign, const double* traction,
                        double* out);

}  // namespace slipfield
