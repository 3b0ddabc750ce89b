// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "gpu/summation/tiled_product.h"
#include "tests/gpu/gpu_device_fields.h"
#include "tests/gpu/gpu_support.h"

namespace slipfield::test {

namespace {

// Sums of up to 12800 products of random numbers: rounding near sqrt(n) eps.
constexpr double kTolerance = 1e-13;

std::size_t sample_stride(int mx, int my) {
  const std::size_t count = static_cast<std::size_t>(mx) * my;
  return count < 3000 ? 1 : 41;
}

}  // namespace

TEST_SUITE("gpu") {
  TEST_CASE("tiled product: every shape equals direct summation at awkward sizes") {
    for (const GridSize size : kAwkwardSizes) {
      CAPTURE(size.mx);
      CAPTURE(size.my);
      const std::size_t count = static_cast<std::size_t>(size.mx) * size.my;
      Random random(count);
      const Tables tables = random_tables(random, size.mx, size.my, false);
      const HostFields host = random_fields(random, count);
      const DeviceTables device_tables(tables);
      TiledProduct product(size.mx, size.my);
      const std::size_t stride = sample_stride(size.mx, size.my);
      for (const Block shape : kAllShapes) {
        CAPTURE(static_cast<int>(shape));
        DeviceFields fields(host, count);
        product.apply(shape, device_tables.pointers(), fields.in(shape), fields.out(shape),
                      nullptr);
        for (int to = 0; to < kDirections; ++to) {
          if (!block_gives(shape, to)) continue;
          const auto expected = summed_product(shape, to, tables, host, size.mx, size.my, stride);
          CHECK(relative_difference(fields.output(to).download(), expected, stride) < kTolerance);
        }
      }
    }
  }

  TEST_CASE("tiled product: gives the same bits in every run, and accumulates") {
    constexpr int kMx = 40;
    constexpr int kMy = 33;
    constexpr std::size_t kCount = std::size_t{kMx} * kMy;
    Random random(7);
    const Tables tables = random_tables(random, kMx, kMy, false);
    const HostFields host = random_fields(random, kCount);
    const DeviceTables device_tables(tables);
    TiledProduct product(kMx, kMy);
    for (const Block shape : kAllShapes) {
      DeviceFields first(host, kCount);
      product.apply(shape, device_tables.pointers(), first.in(shape), first.out(shape), nullptr);
      for (int run = 0; run < 5; ++run) {
        DeviceFields again(host, kCount);
        product.apply(shape, device_tables.pointers(), again.in(shape), again.out(shape), nullptr);
        for (int to = 0; to < kDirections; ++to)
          if (block_gives(shape, to))
            CHECK(again.output(to).download() == first.output(to).download());
      }
      std::vector<double> twice[kDirections];
      for (int to = 0; to < kDirections; ++to)
        for (const double value : first.output(to).download()) twice[to].push_back(2.0 * value);
      product.apply(shape, device_tables.pointers(), first.in(shape), first.out(shape), nullptr,
                    Accumulate::yes);
      for (int to = 0; to < kDirections; ++to)
        if (block_gives(shape, to)) CHECK(first.output(to).download() == twice[to]);
    }
  }

  TEST_CASE("tiled product: every division of the work gives the same") {
    constexpr int kMx = 150;
    constexpr int kMy = 90;
    constexpr std::size_t kCount = std::size_t{kMx} * kMy;
    Random random(5);
    const Tables tables = random_tables(random, kMx, kMy, false);
    const HostFields host = random_fields(random, kCount);
    const DeviceTables device_tables(tables);
    for (const Block shape : kAllShapes) {
      for (const int warps : {4, 8}) {
        for (const int splits : {1, 2, 3, 8}) {
          CAPTURE(warps);
          CAPTURE(splits);
          const TiledProduct product(kMx, kMy, nullptr, TiledTuning{warps, splits});
          DeviceFields fields(host, kCount);
          product.apply(shape, device_tables.pointers(), fields.in(shape), fields.out(shape),
                        nullptr);
          for (int to = 0; to < kDirections; ++to) {
            if (!block_gives(shape, to)) continue;
            const auto expected = summed_product(shape, to, tables, host, kMx, kMy, 211);
            CHECK(relative_difference(fields.output(to).download(), expected, 211) < kTolerance);
          }
        }
      }
    }
  }

  TEST_CASE("tiled product: skips sources without traction and keeps the rest") {
    constexpr int kMx = 150;
    constexpr int kMy = 90;
    constexpr std::size_t kCount = std::size_t{kMx} * kMy;
    Random random(11);
    const Tables tables = random_tables(random, kMx, kMy, false);
    HostFields host = random_fields(random, kCount);
    for (auto& field : host)
      for (std::size_t i = 0; i < kCount; ++i)
        if (i % kMx < 70 || i % kMx > 77 || i / kMx != 83) field[i] = 0.0;
    const DeviceTables device_tables(tables);
    TiledProduct product(kMx, kMy);
    for (const Block shape : kAllShapes) {
      DeviceFields fields(host, kCount);
      product.apply(shape, device_tables.pointers(), fields.in(shape), fields.out(shape), nullptr);
      for (int to = 0; to < kDirections; ++to) {
        if (!block_gives(shape, to)) continue;
        const auto expected = summed_product(shape, to, tables, host, kMx, kMy, 53);
        CHECK(relative_difference(fields.output(to).download(), expected, 53) < kTolerance);
      }
    }
  }
}

}  // namespace slipfield::test
