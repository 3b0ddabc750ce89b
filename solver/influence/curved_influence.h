// SPDX-License-Identifier: Apache-2.0
// Influence coefficients of curved surfaces in place of those of half-spaces (THEORY.md 2.9).
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace slipfield {

// The coefficients between two elements, at pair_of() of the directions 0 to 2: x, y, n.
using CoefficientMatrix = std::array<double, 9>;
inline std::size_t pair_of(int to, int from) {
  return 3 * static_cast<std::size_t>(to) + static_cast<std::size_t>(from);
}

// Coefficients that another program has computed. A displacement is their sum over G, the combined
// modulus; those at -x follow by symmetry: xy, yx, xn, nx are odd in x, the others even.
struct TabulatedCoefficients {
  int mx = 0;    // differences of positions 0 <= kx < mx along x, in elements
  int my = 0;    // and -my < ky < my
  int rows = 1;  // tables: one for every loaded row, or one for each
  std::vector<CoefficientMatrix> values;  // [row][ky + my - 1][kx], length
  std::string file = {};                  // that they were read from

  // 0 beyond the table. row: the loaded one.
  [[nodiscard]] CoefficientMatrix at(int kx, int ky, int row) const {
    if (std::abs(kx) >= mx || std::abs(ky) >= my) return {};
    const auto height = 2 * static_cast<std::size_t>(my) - 1;
    const auto line = static_cast<std::size_t>(rows == 1 ? 0 : row) * height +
                      static_cast<std::size_t>(ky + my - 1);
    CoefficientMatrix found =
        values[line * static_cast<std::size_t>(mx) + static_cast<std::size_t>(std::abs(kx))];
    if (kx < 0)
      for (const std::size_t odd : {1U, 2U, 3U, 6U}) found[odd] = -found[odd];
    return found;
  }
};

// Differs, except by chance, where a coefficient differs.
inline double checksum(const TabulatedCoefficients& tables) {
  double sum = static_cast<double>(tables.mx) + 3.0 * tables.my + 7.0 * tables.rows;
  constexpr std::size_t kWeights = 1021;
  std::size_t place = 0;
  for (const CoefficientMatrix& matrix : tables.values)
    for (const double value : matrix) sum += value * static_cast<double>(++place % kWeights + 1);
  return sum;
}

// The correction of Blanco-Lorenzo et al. for conformal contact: coefficients of the half-space,
// turned by how much the surface turns between the loaded element and the other.
struct ConformalCorrection {
  std::vector<double> y;      // [length], increasing, two or more
  std::vector<double> angle;  // inclination of the surface there [rad], linear between and beyond
  int variant = 4;            // 1 to 4, as turned_coefficients has them
  bool straight = true;       // the least-squares line of the points counts instead of them
};

struct CurvedInfluence {
  std::shared_ptr<const TabulatedCoefficients> tables;
  std::shared_ptr<const ConformalCorrection> conformal;

  [[nodiscard]] bool exists() const { return tables != nullptr || conformal != nullptr; }
  // The coefficients depend on the loaded row, not on the difference of positions alone.
  [[nodiscard]] bool by_row() const {
    if (tables) return tables->rows > 1;
    return conformal && !conformal->straight && conformal->y.size() > 2;
  }
};

}  // namespace slipfield
