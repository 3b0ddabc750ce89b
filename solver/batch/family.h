// SPDX-License-Identifier: Apache-2.0
// Contacts of a batch that share influence coefficients: same grid shape, dy/dx, Poisson's ratio
// and rolling step, whatever their size, modulus and load (THEORY.md 6.8).
#pragma once

namespace slipfield {

struct BatchFamily {
  int mx = 1;
  int my = 1;
  double aspect = 1.0;  // dy/dx
  double poisson_ratio = 0.0;
  double offset_x = 0.0;  // dq (cos chi, sin chi)/dx of steady rolling, else 0
  double offset_y = 0.0;
};

}  // namespace slipfield
