// SPDX-License-Identifier: Apache-2.0
#include "solver/influence/half_space_symbol.h"
#include <numbers>

#include "solver/influence/influence_table.h"
#include "solver/influence/layered_bodies.h"

namespace slipfield {
std::complex<double> half_space_symbol(Component component, double qx, double qy, bool highest_x,
                                       bool highest_y, const CombinedMaterial& material,
                                       const InfluenceKind& kind) {
  if (qx == 0.0 && qy == 0.0) return 0.0;
  const bool odd_x = component == Component::xy || component == Component::xn;
  const bool odd_y = component == Component::xy || component == Component::yn;
  if ((odd_x && highest_x) || (odd_y && highest_y)) return 0.0;
  // The highest wave cannot be shifted by part of an element: the grid sees only its cosine.
  const auto shift = [](double phase, bool highest) {
    return highest ? std::complex<double>(std::cos(phase)) : std::polar(1.0, phase);
  };
  const std::complex<double> ahead =
      shift(qx * kind.offset_x, highest_x) * shift(qy * kind.offset_y, highest_y);
  double part = half_space_symbol_part(component, qx, qy, softened(material, kind.memory));
  if (!kind.layers.empty()) part += image_symbol_part(component, qx, qy, view_of(kind.layers));
  const bool imaginary = component == Component::xn || component == Component::yn;
  const std::complex<double> symbol =
      imaginary ? std::complex<double>(0.0, part) : std::complex<double>(part);
  switch (kind.displacement) {
    case Displacement::previous:
      return symbol * ahead;
    case Displacement::change:
      return symbol * (1.0 - ahead);
    default:
      return symbol;
  }
}

std::complex<double> half_space_symbol(Component component, int kx, int ky, const Grid& grid,
                                       const CombinedMaterial& material,
                                       const InfluenceKind& kind) {
  constexpr double kTwoPi = 2.0 * std::numbers::pi;
  const double unit_x = kTwoPi / (grid.mx * grid.dx);
  const double unit_y = kTwoPi / (grid.my * grid.dy);
  // At the highest wave number of an even count, +q and -q coincide, so an odd symbol is 0 there.
  const bool highest_x = 2 * std::abs(kx) == grid.mx;
  const bool highest_y = 2 * std::abs(ky) == grid.my;
  return half_space_symbol(component, kx * unit_x, ky * unit_y, highest_x, highest_y, material,
                           kind);
}

}  // namespace slipfield
