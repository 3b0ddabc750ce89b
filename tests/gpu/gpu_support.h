// SPDX-License-Identifier: Apache-2.0
// References and random data of the GPU tests: plain sums on the host, in long double.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gpu/device/fields.h"
#include "tests/support/oracle_difference.h"

namespace slipfield::test {

// Repeatable uniform numbers in [-1, 1).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2654435761u + 1) {}
  double operator()() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-52 - 1.0;
  }
  std::vector<double> values(std::size_t count) {
    std::vector<double> out(count);
    for (double& value : out) value = (*this)();
    return out;
  }

 private:
  std::uint64_t state_;
};

using Tables = std::array<std::vector<double>, kComponents>;  // (2my-1) rows of 2mx-1
using HostFields = std::array<std::vector<double>, kDirections>;

// Random table with the given parities in x and y (0: none).
inline std::vector<double> random_table(Random& random, int mx, int my, int parity_x,
                                        int parity_y) {
  const int width = 2 * mx - 1;
  const int height = 2 * my - 1;
  std::vector<double> table = random.values(static_cast<std::size_t>(width) * height);
  const auto at = [&](int dx, int dy) -> double& {
    return table[static_cast<std::size_t>(dy + my - 1) * width + (dx + mx - 1)];
  };
  for (int dy = 1 - my; dy < my; ++dy) {
    for (int dx = 1 - mx; dx < mx; ++dx) {
      if (parity_x != 0 && dx < 0) at(dx, dy) = parity_x * at(-dx, dy);
      if (parity_x < 0 && dx == 0) at(dx, dy) = 0.0;
    }
  }
  for (int dy = 1 - my; dy < my; ++dy) {
    for (int dx = 1 - mx; dx < mx; ++dx) {
      if (parity_y != 0 && dy < 0) at(dx, dy) = parity_y * at(dx, -dy);
      if (parity_y < 0 && dy == 0) at(dx, dy) = 0.0;
    }
  }
  return table;
}

// Every stride-th element of the product's output in direction `to`.
inline std::vector<double> summed_product(Block shape, int to, const Tables& tables,
                                          const HostFields& in, int mx, int my,
                                          std::size_t stride) {
  const std::size_t count = static_cast<std::size_t>(mx) * my;
  std::vector<double> out;
  for (std::size_t i = 0; i < count; i += stride) {
    const int ix = static_cast<int>(i % mx);
    const int iy = static_cast<int>(i / mx);
    long double sum = 0.0L;
    for (int from = 0; from < kDirections; ++from) {
      if (!block_takes(shape, from)) continue;
      const BlockTerm term = block_term(to, from);
      const std::vector<double>& table = tables[term.component];
      for (int jy = 0; jy < my; ++jy) {
        const double* row =
            table.data() + static_cast<std::size_t>(iy - jy + my - 1) * (2 * mx - 1) + ix + mx - 1;
        const double* traction = in[from].data() + static_cast<std::size_t>(jy) * mx;
        long double row_sum = 0.0L;
        for (int jx = 0; jx < mx; ++jx)
          row_sum += static_cast<long double>(row[-jx]) * traction[jx];
        sum += term.sign * row_sum;
      }
    }
    out.push_back(static_cast<double>(sum));
  }
  return out;
}

inline constexpr Block kAllShapes[] = {Block::normal, Block::tangential, Block::full,
                                       Block::normal_from_tangential,
                                       Block::tangential_from_normal};

struct GridSize {
  int mx;
  int my;
};
inline constexpr GridSize kAwkwardSizes[] = {{1, 1},   {1, 31},  {33, 1},    {2, 3},   {31, 17},
                                             {32, 33}, {37, 53}, {128, 100}, {101, 7}, {5, 211}};

}  // namespace slipfield::test
