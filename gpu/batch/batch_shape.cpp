// SPDX-License-Identifier: Apache-2.0
#include "gpu/batch/batch_shape.h"

#include <array>

namespace slipfield {
namespace {

struct Length {
  int points;
  int factor;
};
constexpr std::array<Length, 9> kLengths{
    {{1, 1}, {16, 4}, {32, 4}, {48, 6}, {64, 8}, {96, 8}, {128, 8}, {144, 12}, {192, 12}}};

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

BatchRoom batch_room(const BatchShape& shape, std::size_t most) {
  constexpr std::size_t kExact = 2 * sizeof(double);
  constexpr std::size_t kRough = 2 * sizeof(float);
  const auto points = static_cast<std::size_t>(shape.row) * static_cast<std::size_t>(shape.ny);
  const std::size_t roots = static_cast<std::size_t>(shape.nx + shape.ny) * (kExact + kRough);
  BatchRoom room;
  room.exact_shared = points * kExact + roots <= most;
  room.rough_shared = points * kRough + roots <= most;
  room.own_bytes = room.exact_shared ? 0 : points * kExact;
  room.shared_bytes = roots;
  if (room.exact_shared)
    room.shared_bytes += points * kExact;
  else if (room.rough_shared)
    room.shared_bytes += points * kRough;
  return room;
}

}  // namespace slipfield
