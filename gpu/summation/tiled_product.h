// SPDX-License-Identifier: Apache-2.0
// Products with influence matrices by direct summation in shared-memory tiles.
//
// Mirrors solver/cpu/cpu_summation.h. Elements without traction cost only the test: a block skips a
// piece of the sources that is entirely zero.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "gpu/device/fields.h"
#include "gpu/summation/tiled_plan.h"

namespace slipfield {

// Device tables of gpu/summation/coefficient_table.h by component; null for those that the shape
// does not need.
struct CoefficientTables {
  const double* component[kComponents] = {};
};

class TiledProduct {
 public:
  TiledProduct(int mx, int my, cudaStream_t stream = nullptr, TiledTuning tuning = {});

  // out = product, or out += product. Asynchronous; may be captured in a graph. No in may be an
  // out.
  void apply(Block shape, const CoefficientTables& tables, const ConstFields& in, const Fields& out,
             cudaStream_t stream, Accumulate accumulate = Accumulate::no) const;

 private:
  DeviceLimits card_;
  int mx_;
  int my_;
  TiledTuning tuning_;
};

}  // namespace slipfield
