// SPDX-License-Identifier: Apache-2.0
#include "gpu/batch/batch_shape.h"

#include <array>

namespace slipfield {
namespace {

struct Length {
  int points;
  int factor;
};
constexpr std::array<Length, 6> kLengths{{{1, 1}, {16, 4}, {32, 4}, {48, 6}, {64, 8}, {96, 8}}};

int place_of(int frequency, int length) {
  const int factor = block_factor(length);
  return frequency % factor * (length / factor) + frequency / factor;
}

}  // namespace

int block_length(int elements) {
  for (const Length& length : kLengths)
    if (length.points >= 2 * elements - 1) return length.points;
  return 0;
}

int block_factor(int length) {
  for (const Length& known : kLengths)
    if (known.points == length) return known.factor;
  return 1;
}

BatchShape batch_shape(int mx, int my) {
  BatchShape shape{mx, my, block_length(mx), block_length(my), 1};
  shape.row = shape.nx % 2 == 0 ? shape.nx + 1 : shape.nx;  // odd: lanes on neighbouring rows
  return shape;
}

std::vector<FrequencyPair> frequency_pairs(const BatchShape& shape) {
  std::vector<FrequencyPair> pairs;
  for (int ky = 0; ky < shape.ny; ++ky) {
    for (int kx = 0; kx < shape.nx; ++kx) {
      const int x = (shape.nx - kx) % shape.nx;
      const int y = (shape.ny - ky) % shape.ny;
      if (y * shape.nx + x < ky * shape.nx + kx) continue;
      pairs.push_back({place_of(ky, shape.ny) * shape.row + place_of(kx, shape.nx),
                       place_of(y, shape.ny) * shape.row + place_of(x, shape.nx)});
    }
  }
  return pairs;
}

std::size_t batch_shared_bytes(const BatchShape& shape) {
  constexpr std::size_t kComplex = 2 * sizeof(double);
  constexpr std::size_t kBothKinds = 3 * sizeof(double);  // a double and a float, complex
  return static_cast<std::size_t>(shape.row * shape.ny) * kComplex +
         static_cast<std::size_t>(shape.nx + shape.ny) * kBothKinds;
}

}  // namespace slipfield
