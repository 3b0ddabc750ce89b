// SPDX-License-Identifier: Apache-2.0
// By what the difference of two totals is judged: the greatest total of the same kind, its kin, since
// one that is 0 except for rounding has no digits of its own.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "io/result/field_table.h"

namespace slipfield {

// What describes the way to a result, not the result.
inline bool is_compared(std::string_view name) {
  constexpr std::array<std::string_view, 10> kNotCompared = {
      "iterations_normal", "iterations_tangential",  "iterations_outer",
      "matrix_products",   "matrix_products_coarse", "residual",
      "seconds",           "wheel_seconds",          "heights_solved",
      "complete_solutions"};
  return std::find(kNotCompared.begin(), kNotCompared.end(), name) == kNotCompared.end();
}

inline bool is_kin(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto is_ratio = [](std::string_view name) { return name.starts_with("force_ratio_"); };
  if (is_ratio(a) || is_ratio(b)) return is_ratio(a) && is_ratio(b);
  // A moment that is 0 by symmetry is as good as the energies say.
  const auto unit_of = [](std::string_view name) {
    const Dimension dimension = quantity_dimension(name);
    return dimension == Dimension::moment ? Dimension::energy : dimension;
  };
  return unit_of(a) != Dimension::none && unit_of(a) == unit_of(b);
}

// |a - b| over the greatest of its kin: 0 where both are missing or equal, infinite where one is
// missing.
inline double distance_of_totals(double a, double b, double scale) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0.0;
  const double distance = std::fabs(a - b) / scale;
  return std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
}

}  // namespace slipfield
