// SPDX-License-Identifier: Apache-2.0
// Influence coefficients on the device: at the grid's offsets, or at offsets shifted by a step.
//
// Mirrors the tables of solver/influence/influence_table.h. A table holds (2my-1) rows of 2mx-1:
// entry (dy + my-1)(2mx-1) + dx + mx-1 is the displacement at the element (dx, dy) elements away.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "gpu/device/device_array.h"
#include "solver/grid.h"
#include "solver/influence/influence_coefficients.h"
#include "solver/influence/layered_bodies.h"
#include "solver/material.h"

namespace slipfield {

// Parity of a table in x and in y: 1 even, -1 odd, 0 neither.
struct TableSymmetry {
  int x = 0;
  int y = 0;
};

// A_c(r + shift), or A_c(r) - A_c(r + shift) for steady rolling, r the offset between two elements.
struct CoefficientRecipe {
  enum class Kind { shifted, difference };
  Component component = Component::nn;
  CombinedMaterial material;
  double dx = 0.0;
  double dy = 0.0;
  Kind kind = Kind::shifted;
  double shift_x = 0.0;
  double shift_y = 0.0;
  LayerImages layers = {};  // of bodies of layers, in device memory

  [[nodiscard]] SLIPFIELD_HD double at(int offset_x, int offset_y) const {
    const double x = offset_x * dx;
    const double y = offset_y * dy;
    const double moved = current(x + shift_x, y + shift_y);
    return kind == Kind::shifted ? moved : current(x, y) - moved;
  }
  // Coefficient of the present displacement, without the part of one step ago.
  [[nodiscard]] SLIPFIELD_HD double current(double x, double y) const {
    double sum = influence_coefficient(component, x, y, dx, dy, material);
    if (has_layer(material)) sum += layer_coefficient(component, x, y, dx, dy, material);
    if (layers.count != 0) sum += image_coefficient(component, x, y, dx, dy, layers);
    return sum;
  }
  [[nodiscard]] TableSymmetry symmetry() const {
    const Parity even_or_odd = parity(component);
    return TableSymmetry{shift_x != 0.0 ? 0 : even_or_odd.x, shift_y != 0.0 ? 0 : even_or_odd.y};
  }
};

inline std::size_t coefficient_table_size(int mx, int my) {
  return (2 * static_cast<std::size_t>(mx) - 1) * (2 * static_cast<std::size_t>(my) - 1);
}

DeviceArray<double> make_coefficient_table(const CoefficientRecipe& recipe, int mx, int my,
                                           cudaStream_t stream);

}  // namespace slipfield
