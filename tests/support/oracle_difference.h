// SPDX-License-Identifier: Apache-2.0
// Differences between two fields.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace slipfield::test {

// |a - b|/|b| over the elements that b samples, every stride-th of a; |a - b| where b is zero.
inline double relative_difference(const std::vector<double>& a, const std::vector<double>& b,
                                  std::size_t stride = 1) {
  long double difference = 0.0L;
  long double size = 0.0L;
  for (std::size_t k = 0; k < b.size(); ++k) {
    const long double d = static_cast<long double>(a[k * stride]) - b[k];
    difference += d * d;
    size += static_cast<long double>(b[k]) * b[k];
  }
  if (!(size > 0.0L)) return static_cast<double>(std::sqrt(difference));
  return static_cast<double>(std::sqrt(difference / size));
}

}  // namespace slipfield::test
