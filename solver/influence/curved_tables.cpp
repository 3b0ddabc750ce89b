// SPDX-License-Identifier: Apache-2.0
#include "solver/influence/curved_tables.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include "solver/influence/block.h"

namespace slipfield {
namespace {

constexpr std::size_t kX = 0;
constexpr std::size_t kY = 1;
constexpr std::size_t kN = 2;

// Rotates loads y and n of the loaded element as seen from one that is inclined by `turn` less.
CoefficientMatrix turn_load(const CoefficientMatrix& a, double turn) {
  const double c = std::cos(turn);
  const double s = std::sin(turn);
  CoefficientMatrix b = a;
  for (std::size_t to = 0; to < 3; ++to) {
    b[3 * to + kY] = a[3 * to + kY] * c + a[3 * to + kN] * s;
    b[3 * to + kN] = a[3 * to + kN] * c - a[3 * to + kY] * s;
  }
  return b;
}

// Rotates displacements y and n from the directions of the loaded element to those of the other.
CoefficientMatrix turn_displacement(const CoefficientMatrix& a, double turn) {
  const double c = std::cos(turn);
  const double s = std::sin(turn);
  CoefficientMatrix b = a;
  for (std::size_t from = 0; from < 3; ++from) {
    b[3 * kY + from] = a[3 * kY + from] * c - a[3 * kN + from] * s;
    b[3 * kN + from] = a[3 * kY + from] * s + a[3 * kN + from] * c;
  }
  return b;
}

}  // namespace

CoefficientMatrix turned_coefficients(const CoefficientMatrix& half_space, double turn,
                                      int variant) {
  if (variant == 4) return turn_displacement(turn_load(half_space, 0.5 * turn), 0.5 * turn);
  if (variant == 3) return turn_displacement(half_space, turn);
  CoefficientMatrix turned = turn_load(half_space, turn);
  if (variant == 2) turned[3 * kX + kN] = half_space[3 * kX + kN];
  return turned;
}

double inclination(const ConformalCorrection& conformal, double y) {
  const std::vector<double>& at = conformal.y;
  const auto above = std::upper_bound(at.begin() + 1, at.end() - 1, y);
  const auto j = static_cast<std::size_t>(above - at.begin()) - 1;
  const double slope =
      (conformal.angle[j + 1] - conformal.angle[j]) / (conformal.y[j + 1] - conformal.y[j]);
  return conformal.angle[j] + slope * (y - conformal.y[j]);
}

double inclination_slope(const ConformalCorrection& conformal) {
  const auto count = static_cast<double>(conformal.y.size());
  double middle = 0.0;
  double mean = 0.0;
  for (std::size_t i = 0; i < conformal.y.size(); ++i) {
    middle += conformal.y[i] / count;
    mean += conformal.angle[i] / count;
  }
  double moment = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < conformal.y.size(); ++i) {
    const double arm = conformal.y[i] - middle;
    moment += arm * (conformal.angle[i] - mean);
    squares += arm * arm;
  }
  return moment / squares;
}

CurvedTables::CurvedTables(const Grid& grid, const CombinedMaterial& material,
                           const InfluenceKind& kind)
    : grid_(grid),
      kind_(kind),
      compliance_(1.0 / material.shear_modulus),
      ahead_(static_cast<int>(std::lround(kind.offset_x / grid.dx))) {
  if (kind.curved->tables) return;
  InfluenceKind flat = kind;
  flat.curved = nullptr;
  for (std::size_t c = 0; c < half_space_.size(); ++c)
    half_space_[c] = influence_table(static_cast<Component>(c), grid, material, flat);
  const ConformalCorrection& conformal = *kind.curved->conformal;
  slope_ = inclination_slope(conformal);
  if (by_row())
    for (int iy = 0; iy < grid.my; ++iy) inclination_.push_back(inclination(conformal, grid.y(iy)));
}

CoefficientMatrix CurvedTables::half_space(int kx, int ky) const {
  CoefficientMatrix matrix{};
  for (int to = 0; to < kDirections; ++to)
    for (int from = 0; from < kDirections; ++from) {
      const BlockTerm term = block_term(to, from);
      matrix[pair_of(to, from)] =
          term.sign * *half_space_[static_cast<std::size_t>(term.component)].at(kx, ky);
    }
  return matrix;
}

CoefficientMatrix CurvedTables::tabulated(int kx, int ky, int jy) const {
  const TabulatedCoefficients& tables = *kind_.curved->tables;
  const bool now = kind_.displacement != Displacement::previous;
  const bool before = kind_.displacement != Displacement::current;
  CoefficientMatrix sum = now ? tables.at(kx, ky, jy) : CoefficientMatrix{};
  if (before) {
    // An element beyond the table's end moves as far as the last one.
    const bool beyond = std::abs(kx) < tables.mx && std::abs(kx + ahead_) >= tables.mx;
    const CoefficientMatrix last = tables.at(beyond ? kx : kx + ahead_, ky, jy);
    const double sign = now ? -1.0 : 1.0;
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += sign * last[k];
  }
  for (double& value : sum) value *= compliance_;
  return sum;
}

CoefficientMatrix CurvedTables::at(int kx, int ky, int jy) const {
  if (kind_.curved->tables) return tabulated(kx, ky, jy);
  double turn = -slope_ * ky * grid_.dy;
  if (by_row()) {
    const int iy = jy + ky;
    turn = inclination_[static_cast<std::size_t>(jy)] - inclination_[static_cast<std::size_t>(iy)];
  }
  return turned_coefficients(half_space(kx, ky), turn, kind_.curved->conformal->variant);
}

std::array<InfluenceTable, 9> CurvedTables::tables() const {
  std::array<InfluenceTable, 9> tables;
  const std::size_t width = 2 * static_cast<std::size_t>(grid_.mx) - 1;
  const int height = 2 * grid_.my - 1;
  for (InfluenceTable& table : tables)
    table = {grid_.mx, grid_.my,
             UninitializedVector<double>(width * static_cast<std::size_t>(height))};
#pragma omp parallel for if (grid_.count() >= kLeastForThreads)
  for (int line = 0; line < height; ++line) {
    std::size_t place = static_cast<std::size_t>(line) * width;
    for (int kx = 1 - grid_.mx; kx < grid_.mx; ++kx, ++place) {
      const CoefficientMatrix matrix = at(kx, line - (grid_.my - 1), 0);
      for (std::size_t p = 0; p < matrix.size(); ++p) tables[p].values[place] = matrix[p];
    }
  }
  return tables;
}

void CurvedTables::period(int iy, int jy, int nx, double scale, std::size_t stride,
                          double* out) const {
  for (std::size_t p = 0; p < std::tuple_size_v<CoefficientMatrix>; ++p)
    std::fill_n(out + p * stride, nx, 0.0);
  for (int kx = 1 - grid_.mx; kx < grid_.mx; ++kx) {
    const CoefficientMatrix matrix = at(kx, iy - jy, jy);
    const auto place = static_cast<std::size_t>(kx < 0 ? kx + nx : kx);
    for (std::size_t p = 0; p < matrix.size(); ++p) out[p * stride + place] = scale * matrix[p];
  }
}

}  // namespace slipfield
