// SPDX-License-Identifier: Apache-2.0
#include "solver/simplified/kalker_coefficients.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace slipfield {
namespace {

// C at nu = 0, 1/4, 1/2.
using Row = std::array<double, 3>;
struct TableRow {
  Row c11, c22, c23;
};
using Table = std::array<TableRow, 10>;

// a/b = 0.1, 0.2, ... 1.
constexpr Table kWide{{{{2.51, 3.31, 4.85}, {2.51, 2.52, 2.53}, {0.334, 0.473, 0.731}},
                       {{2.59, 3.37, 4.81}, {2.59, 2.63, 2.66}, {0.483, 0.603, 0.809}},
                       {{2.68, 3.44, 4.80}, {2.68, 2.75, 2.81}, {0.607, 0.715, 0.889}},
                       {{2.78, 3.53, 4.82}, {2.78, 2.88, 2.98}, {0.720, 0.823, 0.977}},
                       {{2.88, 3.62, 4.83}, {2.88, 3.01, 3.14}, {0.827, 0.929, 1.07}},
                       {{2.98, 3.72, 4.91}, {2.98, 3.14, 3.31}, {0.930, 1.03, 1.18}},
                       {{3.09, 3.81, 4.97}, {3.09, 3.28, 3.48}, {1.03, 1.14, 1.29}},
                       {{3.19, 3.91, 5.05}, {3.19, 3.41, 3.65}, {1.13, 1.25, 1.40}},
                       {{3.29, 4.01, 5.12}, {3.29, 3.54, 3.82}, {1.23, 1.36, 1.51}},
                       {{3.40, 4.12, 5.20}, {3.40, 3.67, 3.98}, {1.33, 1.47, 1.63}}}};

// b/a = 0.1, 0.2, ... 1.
constexpr Table kLong{{{{10.7, 11.7, 12.9}, {10.7, 12.8, 16.0}, {12.2, 14.6, 18.0}},
                       {{6.96, 7.78, 8.82}, {6.96, 8.14, 9.79}, {5.72, 6.63, 7.89}},
                       {{5.57, 6.34, 7.34}, {5.57, 6.40, 7.51}, {3.79, 4.32, 5.01}},
                       {{4.84, 5.57, 6.57}, {4.84, 5.48, 6.31}, {2.88, 3.24, 3.70}},
                       {{4.37, 5.10, 6.11}, {4.37, 4.90, 5.56}, {2.35, 2.62, 2.96}},
                       {{4.06, 4.78, 5.80}, {4.06, 4.50, 5.04}, {2.01, 2.23, 2.50}},
                       {{3.82, 4.54, 5.58}, {3.82, 4.21, 4.67}, {1.76, 1.95, 2.18}},
                       {{3.65, 4.36, 5.42}, {3.65, 3.99, 4.39}, {1.58, 1.75, 1.94}},
                       {{3.51, 4.22, 5.30}, {3.51, 3.81, 4.16}, {1.44, 1.59, 1.77}},
                       {{3.40, 4.12, 5.20}, {3.40, 3.67, 3.98}, {1.33, 1.47, 1.63}}}};

KalkerCoefficients wide_asymptote(double g, double nu) {
  const double plane_strain = 1.0 - nu;
  KalkerCoefficients c;
  c.c22 = 0.25 * std::numbers::pi * std::numbers::pi;
  c.c11 = c.c22 / plane_strain;
  c.c23 = std::numbers::pi * std::sqrt(g) / (3.0 * plane_strain) *
          (1.0 + nu * (std::log(16.0 / g) - 5.0));
  return c;
}

KalkerCoefficients long_asymptote(double g, double nu) {
  const double lambda = std::log(16.0 / (g * g));
  const double rest = 3.0 - std::log(4.0);
  const double along = lambda - 2.0 * nu;
  const double across = (1.0 - nu) * lambda + 2.0 * nu;
  KalkerCoefficients c;
  c.c11 = 2.0 * std::numbers::pi / (g * along) * (1.0 + rest / along);
  c.c22 = 2.0 * std::numbers::pi / (g * across) * (1.0 + (1.0 - nu) * rest / across);
  c.c23 =
      2.0 * std::numbers::pi / (3.0 * g * std::sqrt(g) * ((1.0 - nu) * lambda - 2.0 + 4.0 * nu));
  return c;
}

// `weight`: of the second row.
double interpolate(const Row& first, const Row& second, double weight, double nu) {
  Row compliance{};
  for (std::size_t i = 0; i < compliance.size(); ++i) {
    compliance[i] = 1.0 / ((1.0 - weight) * first[i] + weight * second[i]);
  }
  return 1.0 / (8.0 * (nu - 0.25) * (nu - 0.5) * compliance[0] -
                16.0 * nu * (nu - 0.5) * compliance[1] + 8.0 * nu * (nu - 0.25) * compliance[2]);
}

}  // namespace

KalkerCoefficients kalker_coefficients(double semi_axis_ratio, double poisson_ratio) {
  const bool wide = semi_axis_ratio <= 1.0;
  const double g = wide ? semi_axis_ratio : 1.0 / semi_axis_ratio;
  if (g < 0.1) return wide ? wide_asymptote(g, poisson_ratio) : long_asymptote(g, poisson_ratio);
  const Table& table = wide ? kWide : kLong;
  const std::size_t last = table.size() - 1;
  const double place = 10.0 * g - 1.0;
  const std::size_t row = std::min(static_cast<std::size_t>(place), last - 1);
  const double weight = place - static_cast<double>(row);
  const TableRow& low = table[row];
  const TableRow& high = table[row + 1];
  return {interpolate(low.c11, high.c11, weight, poisson_ratio),
          interpolate(low.c22, high.c22, weight, poisson_ratio),
          interpolate(low.c23, high.c23, weight, poisson_ratio)};
}

}  // namespace slipfield
