// SPDX-License-Identifier: Apache-2.0
// By what the difference of two totals is judged: its own greatest size, and where it may be 0 except for rounding
// that of its kin, totals of the same kind that are not.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "io/result/error_attributes.h"
#include "io/result/wheel/table.h"

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

// A total that may be 0 except for rounding, by symmetry or where all adheres, and those of the same unit whose
// size says how many of its digits count. Every other total is judged by itself.
struct VanishingTotal {
  std::string_view name;
  std::array<std::string_view, 2> judged_by;
};
inline constexpr std::array kVanishingTotals = {
    VanishingTotal{"force_x", {"force_y", "normal_force"}},
    VanishingTotal{"force_y", {"force_x", "normal_force"}},
    VanishingTotal{"normal_force", {"adhesive_force"}},
    VanishingTotal{"adhesive_force", {"normal_force"}},
    VanishingTotal{"force_ratio_x", {"force_ratio_y"}},
    VanishingTotal{"force_ratio_y", {"force_ratio_x"}},
    VanishingTotal{"moment_z", {"elastic_energy", "friction_work"}},
    VanishingTotal{"friction_work", {"elastic_energy"}},
    VanishingTotal{"shift_x", {"shift_y", "approach"}},
    VanishingTotal{"shift_y", {"shift_x", "approach"}},
    VanishingTotal{"creepage_x", {"creepage_y"}},
    VanishingTotal{"creepage_y", {"creepage_x"}},
    VanishingTotal{"t_gamma_spin", {"t_gamma"}},
    VanishingTotal{"t_gamma_elements", {"t_gamma"}},
};

// Whether |b| helps to say how many digits of `a` count.
inline bool judges(std::string_view b, std::string_view a) {
  if (a == b) return true;
  if (const ErrorEntry* error = find_error(a)) return judges(b, error->quantity);
  for (const VanishingTotal& total : kVanishingTotals) {
    const auto& by = total.judged_by;
    if (total.name == a) return std::find(by.begin(), by.end(), b) != by.end();
  }
  // Forces, moments and places of a wheel on a rail: those of the same unit, in any direction.
  const auto of_wheel = [](std::string_view name) -> Dimension {
    if (name.find("wear") != std::string_view::npos ||
        name.find("t_gamma") != std::string_view::npos)
      return Dimension::none;
    if (const WheelEntry* entry = find_wheel_entry(name)) return entry->dimension;
    const ContactEntry* entry = find_contact_entry(name);
    return entry == nullptr ? Dimension::none : entry->dimension;
  };
  return of_wheel(a) != Dimension::none && of_wheel(a) == of_wheel(b);
}

// |a - b| over `scale`, the greatest of its kin: 0 where both are missing or equal, infinite where one is
// missing.
inline double distance_of_totals(double a, double b, double scale) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0.0;
  const double distance = std::fabs(a - b) / scale;
  return std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
}

}  // namespace slipfield
