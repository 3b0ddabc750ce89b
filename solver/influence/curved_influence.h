// SPDX-License-Identifier: Apache-2.0
// Influence coefficients of curved surfaces instead of half-spaces (THEORY.md 2.9).
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace slipfield {

// The coefficients between two elements; index pair_of(to, from) with directions 0 to 2: x, y, n.
using CoefficientMatrix = std::array<double, 9>;
inline std::size_t pair_of(int to, int from) {
  return 3 * static_cast<std::size_t>(to) + static_cast<std::size_t>(from);
}

// Coefficients computed by another program. A displacement is the sum of coefficient times traction
// over G, the combined modulus. Those at -x follow by symmetry: xy, yx, xn, nx are odd in x, the
// others even.
struct TabulatedCoefficients {
  int mx = 0;    // differences of positions 0 <= kx < mx along x, in elements
  int my = 0;    // and -my < ky < my
  int rows = 1;  // number of tables: one for all loaded rows, or one for each
  std::vector<CoefficientMatrix> values;  // [row][ky + my - 1][kx], length
  std::string file = {};                  // from which they were read

  // 0 outside the table. row: the loaded row.
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

// A sum that differs, except by coincidence, if any coefficient differs.
inline double checksum(const TabulatedCoefficients& tables) {
  double sum = static_cast<double>(tables.mx) + 3.0 * tables.my + 7.0 * tables.rows;
  constexpr std::size_t kWeights = 1021;
  std::size_t place = 0;
  for (const CoefficientMatrix& matrix : tables.values)
    for (const double value : matrix) sum += value * static_cast<double>(++place % kWeights + 1);
  return sum;
}

// The correction of Blanco-Lorenzo et al. for conformal contact: half-space coefficients turned by
// the angle between the surfaces at the loaded element and at the other.
struct ConformalCorrection {
  std::vector<double> y;  // [length], increasing, two or more
  // inclination of the surface there [rad]; linear between and beyond the points
  std::vector<double> angle;
  int variant = 4;       // 1 to 4, see turned_coefficients()
  bool straight = true;  // use the least-squares line of the points
};

struct CurvedInfluence {
  std::shared_ptr<const TabulatedCoefficients> tables;
  std::shared_ptr<const ConformalCorrection> conformal;

  [[nodiscard]] bool exists() const { return tables != nullptr || conformal != nullptr; }
  // Whether the coefficients depend on the loaded row, not only on the difference of positions.
  [[nodiscard]] bool by_row() const {
    if (tables) return tables->rows > 1;
    return conformal && !conformal->straight && conformal->y.size() > 2;
  }
};

}  // namespace slipfield
