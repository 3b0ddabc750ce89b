// SPDX-License-Identifier: Apache-2.0
// The fields of a product on the device, for both the tiled and the FFT product.
#pragma once

#include "solver/influence/block.h"

namespace slipfield {

// Device pointers by direction (x, y, n); null for directions that the block does not read or
// write.
struct ConstFields {
  const double* field[kDirections] = {nullptr, nullptr, nullptr};
};
struct Fields {
  double* field[kDirections] = {nullptr, nullptr, nullptr};
};

enum class Accumulate { no, yes };  // out = product, or out += product

}  // namespace slipfield
