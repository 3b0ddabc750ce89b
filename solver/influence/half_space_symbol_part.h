// SPDX-License-Identifier: Apache-2.0
// Fourier symbol of the elastic half-space, the displacement now.
//
// With u(x) = sum over q of symbol(q) p(q) exp(i q.x), q = (qx, qy), |q| = q: the transforms of the
// point-load solutions of Boussinesq and Cerruti ([Johnson1985] ch. 3), 1/r <-> 2 pi/q
// (THEORY.md 2.5):
//   nn = 2 (1-nu)/(G q) = 2/(E* q)
//   xx = 2/(G q) (1 - nu qx^2/q^2), yy with qy
//   xy = -2 nu qx qy/(G q^3)
//   xn = 2 i K qx/(G q^2), yn with qy; nx = -xn, ny = -yn
// The mean displacement is free: 0 at q = 0.
#pragma once

#include <cmath>

#include "solver/host_device.h"
#include "solver/influence/influence_coefficients.h"

namespace slipfield {

// The symbol of the displacement now at q > 0: its real part, of xn and yn the imaginary part; the
// other part is 0.
SLIPFIELD_HD inline double half_space_symbol_part(Component component, double qx, double qy,
                                                  const CombinedMaterial& material) {
  const double q = std::sqrt(qx * qx + qy * qy);
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
      return scale * material.coupling * qx / q;
    case Component::yn:
      return scale * material.coupling * qy / q;
  }
  return 0.0;
}

}  // namespace slipfield
