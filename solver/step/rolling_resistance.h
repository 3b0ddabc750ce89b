// SPDX-License-Identifier: Apache-2.0
// The rolling resistance of viscoelastic bodies (THEORY.md 11.7): what the pressure loses in them
// per rolling distance, -dx dy sum p_n du_n/ds [force], s along the rolling direction.
#pragma once

#include <cstddef>

#include "solver/host_device.h"

namespace slipfield {

// sum p_n du_n/ds, by differences of two elements: of elastic bodies, whose coefficients are even,
// nothing is left.
struct SumRollingLoss {
  static constexpr int kSums = 1;
  int mx = 1;
  int my = 1;
  bool along_y = false;
  double per_element = 0.0;  // 1/spacing, negative against the axis
  const double* pressure = nullptr;
  const double* displacement_n = nullptr;
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    if (!(pressure[i] > 0.0)) return;
    const auto width = static_cast<std::size_t>(mx);
    const std::size_t stride = along_y ? width : 1;
    const std::size_t place = along_y ? i / width : i % width;
    const std::size_t last = static_cast<std::size_t>(along_y ? my : mx) - 1;
    const std::size_t before = place > 0 ? i - stride : i;
    const std::size_t after = place < last ? i + stride : i;
    const double steps = (place > 0 ? 1.0 : 0.0) + (place < last ? 1.0 : 0.0);
    if (steps > 0.0)
      sums[0] +=
          pressure[i] * (displacement_n[after] - displacement_n[before]) * per_element / steps;
  }
  SLIPFIELD_HD void finish(const double* sums) const { *out = sums[0]; }
};

}  // namespace slipfield
