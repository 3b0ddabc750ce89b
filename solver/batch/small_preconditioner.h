// SPDX-License-Identifier: Apache-2.0
// What the inverse symbols precondition of a small contact: its adhering elements (THEORY.md 6.5).
#pragma once

#include <cstddef>

#include "solver/host_device.h"
#include "solver/solution.h"

namespace slipfield {

// The part of v on the adhering elements.
template <class Real>
struct RestrictToAdhesion {
  static constexpr int kSums = 0;
  static constexpr bool kFinish = false;
  std::size_t count = 0;
  const unsigned char* state = nullptr;
  const Real* v = nullptr;
  Real* out_x = nullptr;
  Real* out_y = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    const bool adheres = state[i] == static_cast<unsigned char>(ElementState::adhesion);
    out_x[i] = adheres ? v[i] : Real{0};
    out_y[i] = adheres ? v[count + i] : Real{0};
  }
};

// out = preconditioned / rho in adhesion, v elsewhere.
template <class Real>
struct JoinAdhesion {
  static constexpr int kSums = 0;
  static constexpr bool kFinish = false;
  std::size_t count = 0;
  Real rho = 0;
  const unsigned char* state = nullptr;
  const Real* v = nullptr;
  const Real* inner_x = nullptr;
  const Real* inner_y = nullptr;
  Real* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    const bool adheres = state[i] == static_cast<unsigned char>(ElementState::adhesion);
    out[i] = adheres ? inner_x[i] / rho : v[i];
    out[count + i] = adheres ? inner_y[i] / rho : v[count + i];
    if (i != 0) return;
    out[2 * count] = v[2 * count];
    out[2 * count + 1] = v[2 * count + 1];
  }
};

}  // namespace slipfield
