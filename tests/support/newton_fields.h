// SPDX-License-Identifier: Apache-2.0
// A linearized tangential problem of any fields, on either backend.
#pragma once

#include <array>
#include <cstddef>

#include "solver/fields/newton_ops.h"

namespace slipfield::test {

// field: tractions, slip and bound (0 or more), and the four of D. What is prescribed is the
// caller's. Slipping elements are preconditioned with the adhering ones where `count` is even.
template <class Array, class States>
NewtonFields newton_fields(std::size_t count, std::array<Array, 9>& field, States& state) {
  NewtonFields f;
  f.count = count;
  f.tangential = {field[0].data(), field[1].data(), field[2].data(), field[3].data(),
                  field[4].data(), state.data(),    nullptr};
  f.rho = 1.7;
  f.joins_adhesion = count % 2 == 0;
  f.dxx = field[5].data();
  f.dxy = field[6].data();
  f.dyx = field[7].data();
  f.dyy = field[8].data();
  return f;
}

}  // namespace slipfield::test
