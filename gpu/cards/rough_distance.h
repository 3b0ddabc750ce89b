// SPDX-License-Identifier: Apache-2.0
// The undeformed distance of a grid with rough surfaces, generated in the memory of the cards that
// share its rows, or of the only card. The heights are the CPU's up to rounding.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "gpu/cards/slab_product.h"
#include "gpu/device/device_array.h"
#include "solver/fields/own_rows.h"
#include "solver/fields/step_ops.h"
#include "solver/geometry.h"
#include "solver/geometry/rough_surface.h"
#include "solver/geometry/rough_waves.h"

namespace slipfield {

// The only card of a run.
class OneCard final : public CardSharing {
 public:
  OneCard() { SLIPFIELD_CUDA_CHECK(cudaGetDevice(&device_)); }
  [[nodiscard]] int count() const override { return 1; }
  [[nodiscard]] int device(int /*card*/) const override { return device_; }
  double greatest(int /*card*/, double value) override { return value; }
  std::vector<void*> tell(int /*card*/, void* address) override { return {address}; }
  void join(int /*card*/, cudaStream_t /*stream*/) override {}

 private:
  int device_ = 0;
};

// Below this many elements the host generates faster than cuFFT makes its plans, and a case has the
// same heights on every backend.
inline constexpr std::size_t kLeastForHeights = std::size_t{1} << 22U;

inline bool has_rough_surface(const std::vector<Shape>& shapes) {
  for (const Shape& shape : shapes)
    if (std::holds_alternative<RoughShape>(shape)) return true;
  return false;
}

inline Grid repeated_grid(Grid grid) {
  grid.boundary = Boundary::periodic;
  return grid;
}

// Writes the own rows of undeformed_distance() to `distance`, an array of the backend. product: of
// repeated_grid(grid) over all cards. Together.
template <class Backend>
void form_rough_distance(Backend& backend, SlabProduct& product, const std::vector<Shape>& shapes,
                         const Grid& grid, const CombinedMaterial& material,
                         typename Backend::template Array<double>& distance) {
  using Values = typename Backend::template Array<double>;
  const RowRange rows = backend.own_rows(grid.my);
  const std::size_t count = grid.index(0, rows.count);
  const AddUp add_up = [&](std::span<double> values) { backend.add_up(values); };
  std::vector<double> rest;
  bool formed = false;
  const auto add = [&](const auto& write) {
    if (!formed) {
      write(distance);
    } else {
      Values more(count);
      write(more);
      backend.run(count, AddFields{distance.data(), more.data(), distance.data()});
    }
    formed = true;
  };
  for (const Shape& shape : shapes) {
    const auto* rough = std::get_if<RoughShape>(&shape);
    if (rough == nullptr) {
      rest.resize(count);
      add_undeformed_distance(shape, grid, material, rows, rest);
      continue;
    }
    const RoughSurface& surface = rough->surface;
    RoughWaves waves = rough_waves(surface, grid, [&](const RoughWaves& unscaled) {
      double power =
          power_of_rows(unscaled, backend.own_rows(rows_of_waves(grid)), backend.stream());
      backend.add_up({&power, 1});
      return power;
    });
    if (surface.is_normal()) waves.scale = -waves.scale;
    add([&](Values& values) {
      product.fill_heights(waves, values.data());
      if (surface.is_normal()) return;
      std::vector<double> z = backend.download(values);
      give_moments(surface, z, add_up);
      for (double& height : z) height = -height;
      backend.upload(z, values);
    });
  }
  if (!rest.empty()) add([&](Values& values) { backend.upload(rest, values); });
}

}  // namespace slipfield
