// Fourier symbol of the elastic half-space, for periodic grids.
//
// With u(x) = sum over q of symbol(q) p(q) exp(i q.x), q = (qx, qy), |q| = q: the transforms of the
// point-load solutions of Boussinesq and Cerruti ([Johnson1985] ch. 3), 1/r <-> 2 pi/q:
//   nn = 2 (1-nu)/(G q) = 2/(E* q)          xx = 2/(G q) (1 - nu qx^2/q^2), yy with qy
//   xy = -2 nu qx qy/(G q^3)                xn = 2 i K qx/(G q^2), yn with qy;  nx = -xn, ny = -yn
// The mean displacement is free: 0 at q = 0.
#pragma once

#include <complex>

#include "solver/influence_coefficients.h"
#include "solver/influence_table.h"

namespace slipfield {

// highest_x, highest_y: q is the highest of an even number of waves, where an odd symbol has no
// place. kind: the displacement one step ago is that at x + offset, a factor exp(i q.offset).
std::complex<double> half_space_symbol(Component component, double qx, double qy, bool highest_x,
                                       bool highest_y, const CombinedMaterial& material,
                                       const InfluenceKind& kind);

}  // namespace slipfield
