// Products with influence matrices by direct summation in shared-memory tiles.
//
// Mirrors solver/cpu/cpu_direct_product.h. Elements without traction cost nothing but the look: a
// block skips a piece of the sources that is zero throughout.
#pragma once

#include <cuda_runtime_api.h>

#include "gpu/device/product_shape.h"

namespace slipfield {

// Device tables of gpu/summation/coefficient_table.h by component; null where the shape needs none.
struct CoefficientTables {
  const double* component[kComponents] = {};
};

// How a product is cut up, by grid and shape.
struct TiledPlan {
  int outputs_x = 0;  // R: neighbours in a row that a lane sums; compiled into the kernel
  int lanes_x = 1;    // of a warp's 32 lanes, along x; the others along y
  int tiles_x = 0;    // tiles of (lanes_x R) x (32/lanes_x) outputs
  int tiles_y = 0;
  int piece_x = 0;  // sources that are in shared memory at a time
  int piece_y = 0;
  int pieces_x = 0;
  int pieces_y = 0;
  int warps = 8;             // of a block, which share the sources of a piece: 4 or 8
  int splits = 1;            // blocks (of one cluster) that share a tile's sources: at most 8
  bool test_pieces = false;  // look whether a piece is loaded before reading its coefficients
  int pitch = 0;             // of a coefficient row in shared memory
  int shared_bytes = 0;
};
// For the benchmark; 0: as measured best.
struct TiledTuning {
  int warps = 0;
  int splits = 0;
};
TiledPlan make_tiled_plan(ProductShape shape, int mx, int my, TiledTuning tuning = {});

class TiledProduct {
 public:
  TiledProduct(int mx, int my, cudaStream_t stream = nullptr, TiledTuning tuning = {});

  // out = product, or out += product. Asynchronous; may be captured in a graph. No in may be an
  // out.
  void apply(ProductShape shape, const CoefficientTables& tables, const ConstFields& in,
             const Fields& out, cudaStream_t stream, Accumulate accumulate = Accumulate::no) const;

 private:
  int mx_;
  int my_;
  TiledTuning tuning_;
};

}  // namespace slipfield
