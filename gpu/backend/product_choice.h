// SPDX-License-Identifier: Apache-2.0
// Which product is the faster at a size: `influence: auto` on the GPU.
#pragma once

#include "gpu/device/fields.h"

namespace slipfield {

// On free grids; a periodic grid has no table to sum directly. Measured, see product_choice.cpp.
bool tiled_is_faster(Block shape, int mx, int my);

}  // namespace slipfield
