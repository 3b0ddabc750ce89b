// SPDX-License-Identifier: Apache-2.0
#include "gpu/cards/rough_distance.h"

#include "gpu/backend/cuda_backend.h"
#include "gpu/cards/card_backend.h"

namespace slipfield {

bool CudaBackend::form_distance(const std::vector<Shape>& shapes, const Grid& grid,
                                const CombinedMaterial& material, Array<double>& distance) {
  if (grid.count() < kLeastForHeights || !has_rough_surface(shapes)) return false;
  OneCard team;
  SlabProduct product(team, 0, repeated_grid(grid), stream());
  form_rough_distance(*this, product, shapes, grid, material, distance);
  return true;
}

bool CardBackend::form_distance(const std::vector<Shape>& shapes, const Grid& grid,
                                const CombinedMaterial& material, Array<double>& distance) {
  if (grid.count() < kLeastForHeights || !has_rough_surface(shapes)) return false;
  const std::shared_ptr<SlabProduct> product = this->product(repeated_grid(grid));
  form_rough_distance(*this, *product, shapes, grid, material, distance);
  return true;
}

}  // namespace slipfield
