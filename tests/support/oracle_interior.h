// SPDX-License-Identifier: Apache-2.0
// Stresses and displacements inside a half-space by quadrature of point loads: an oracle that
// shares no formula with solver/interior.
#pragma once

#include "solver/interior/interior_response.h"

namespace slipfield::test {

// Response to point loads of 1 at the origin: Boussinesq's and Cerruti's displacements,
// differentiated number by number, and Hooke's law.
InteriorResponse point_response(double x, double y, double z, double nu);

// Response to unit loads on a rectangle dx * dy, by Gauss and Legendre's rule; z > 0, not much
// below an element's size.
InteriorResponse integrated_response(double x, double y, double z, double dx, double dy, double nu);

}  // namespace slipfield::test
