#include "solver/half_space_symbol.h"

#include <cmath>

namespace slipfield {
namespace {

std::complex<double> symbol_at(Component component, double qx, double qy,
                               const CombinedMaterial& material) {
  const double q = std::hypot(qx, qy);
  const double scale = 2.0 / (material.shear_modulus * q);
  const double nu = material.poisson_ratio;
  switch (component) {
    case Component::nn:
      return scale * (1.0 - nu);
    case Component::xx:
      return scale * (1.0 - nu * qx * qx / (q * q));
    case Component::yy:
      return scale * (1.0 - nu * qy * qy / (q * q));
    case Component::xy:
      return -scale * nu * qx * qy / (q * q);
    case Component::xn:
      return {0.0, scale * material.coupling * qx / q};
    case Component::yn:
      return {0.0, scale * material.coupling * qy / q};
  }
  return 0.0;
}

}  // namespace

std::complex<double> half_space_symbol(Component component, double qx, double qy, bool highest_x,
                                       bool highest_y, const CombinedMaterial& material,
                                       const InfluenceKind& kind) {
  if (qx == 0.0 && qy == 0.0) return 0.0;
  const bool odd_x = component == Component::xy || component == Component::xn;
  const bool odd_y = component == Component::xy || component == Component::yn;
  if ((odd_x && highest_x) || (odd_y && highest_y)) return 0.0;
  // The highest wave cannot be shifted by a part of an element: its cosine is all that the grid
  // sees.
  const auto shift = [](double phase, bool highest) {
    return highest ? std::complex<double>(std::cos(phase)) : std::polar(1.0, phase);
  };
  const std::complex<double> ahead =
      shift(qx * kind.offset_x, highest_x) * shift(qy * kind.offset_y, highest_y);
  const std::complex<double> symbol = symbol_at(component, qx, qy, material);
  switch (kind.displacement) {
    case Displacement::previous:
      return symbol * ahead;
    case Displacement::change:
      return symbol * (1.0 - ahead);
    default:
      return symbol;
  }
}

}  // namespace slipfield
