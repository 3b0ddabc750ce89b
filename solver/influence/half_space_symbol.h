// SPDX-License-Identifier: Apache-2.0
// Fourier symbol of the elastic half-space (THEORY.md 2.5), and the cut-off of its inverses (2.7).
//
// With u(x) = sum over q of symbol(q) p(q) exp(i q.x), q = (qx, qy), |q| = q: the transforms of the
// point-load solutions of Boussinesq and Cerruti ([Johnson1985] ch. 3), 1/r <-> 2 pi/q:
//   nn = 2 (1-nu)/(G q) = 2/(E* q)
//   xx = 2/(G q) (1 - nu qx^2/q^2), yy with qy
//   xy = -2 nu qx qy/(G q^3)
//   xn = 2 i K qx/(G q^2), yn with qy; nx = -xn, ny = -yn
// The mean displacement is free: 0 at q = 0.
#pragma once

#include <cmath>
#include <complex>

#include "solver/grid.h"
#include "solver/host_device.h"
#include "solver/influence/influence_coefficients.h"

namespace slipfield {

struct InfluenceKind;  // solver/influence/influence_table.h

// The symbol of the displacement now at q > 0: its real part, for xn and yn its imaginary part; the
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

// highest_x, highest_y: q is the highest of an even number of waves, where an odd symbol vanishes.
// kind: the displacement one step ago is that at x + offset, a factor exp(i q.offset); its memory
// holds only creep without delay, since bodies do not roll on periodic grids.
std::complex<double> half_space_symbol(Component component, double qx, double qy, bool highest_x,
                                       bool highest_y, const CombinedMaterial& material,
                                       const InfluenceKind& kind);

// The symbol at the wave (kx, ky) of a periodic grid: kx waves over its width, ky over its height.
std::complex<double> half_space_symbol(Component component, int kx, int ky, const Grid& grid,
                                       const CombinedMaterial& material, const InfluenceKind& kind);

// For the preconditioner of steady rolling: the part of max|a| below which the symbol a of A(x) -
// A(x + offset) is not inverted, on a grid of the given extents and spacings [length]. a/max|a| is
// about k_s/|k|, s along the offset. Its minimum on the grid is that of a wave with half a period
// over the extent along s and a period of two elements across; smaller values come from waves
// longer than the grid, which the contact does not have. If the offset is oblique to the elements,
// rolling at the angle chi, a has no zeros along k_s = 0, because shorter waves alias onto it;
// there 0.06 sin 2 chi performed best in measurements.
SLIPFIELD_HD inline double steady_share(double extent_x, double extent_y, double dx, double dy,
                                        double offset_x, double offset_y) {
  constexpr double kLeast = 2.0e-4;  // so that single precision can hold the inverse
  constexpr double kMost = 0.1;
  constexpr double kOblique = 0.06;
  constexpr double kTwoOverPi = 0.6366197723675814;
  const double x = std::fabs(offset_x);
  const double y = std::fabs(offset_y);
  const double straight = kTwoOverPi * (x * dy + y * dx) / (x * extent_x + y * extent_y);
  const double oblique = kOblique * 2.0 * x * y / (x * x + y * y);
  return std::fmin(std::fmax(std::fmax(straight, oblique), kLeast), kMost);
}

}  // namespace slipfield
