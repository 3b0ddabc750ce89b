// SPDX-License-Identifier: Apache-2.0
// Where the frequencies of a small contact lie in a block's shared memory.
#include "gpu/batch/batch_shape.h"

#include <doctest/doctest.h>

#include <set>

namespace slipfield {

TEST_SUITE("unit") {
  TEST_CASE(
      "block transforms: every grid up to 96 x 96 is padded without overlap, two of 32 x 32 to a "
      "multiprocessor") {
    for (int m = 1; m <= 96; ++m) {
      CAPTURE(m);
      const int n = block_length(m);
      CHECK(n >= 2 * m - 1);
      CHECK(n % block_factor(n) == 0);
    }
    CHECK(block_length(1) == 1);
    CHECK(block_length(32) == 64);
    CHECK(block_length(48) == 96);
    CHECK(block_length(49) == 128);
    CHECK(block_length(96) == 192);
    constexpr std::size_t kKiB = 1024;
    constexpr std::size_t kMost = 211 * kKiB;  // of 227 without the scalars
    const BatchRoom two = batch_room(batch_shape(32, 32), kMost);
    CHECK(two.exact_shared);
    CHECK(2 * two.shared_bytes <= 200 * kKiB);
    CHECK(batch_room(batch_shape(48, 48), kMost).shared_bytes <= 200 * kKiB);
  }

  TEST_CASE("block transforms: a padded grid too large for shared memory has memory of its own") {
    constexpr std::size_t kMost = 216064;
    CHECK(batch_room(batch_shape(53, 48), kMost).exact_shared);
    CHECK(batch_room(batch_shape(53, 48), kMost).own_bytes == 0);
    const BatchRoom exact = batch_room(batch_shape(48, 70), kMost);  // 97 x 144 points
    CHECK(!exact.exact_shared);
    CHECK(exact.rough_shared);
    CHECK(exact.own_bytes == 97U * 144 * 16);
    CHECK(exact.shared_bytes == 97U * 144 * 8 + (96U + 144) * 24);
    const BatchRoom both = batch_room(batch_shape(96, 96), kMost);
    CHECK(!both.rough_shared);
    CHECK(both.own_bytes == 193U * 192 * 16);
    CHECK(both.shared_bytes == (192U + 192) * 24);
  }

  TEST_CASE("block transforms: the pairs of frequencies take every place once") {
    for (const auto& [mx, my] :
         {std::pair{32, 32}, {48, 9}, {12, 1}, {1, 20}, {1, 1}, {20, 48}, {60, 96}, {70, 5}}) {
      CAPTURE(mx);
      const BatchShape shape = batch_shape(mx, my);
      std::multiset<int> places;
      for (const FrequencyPair& pair : frequency_pairs(shape)) {
        places.insert(pair.at);
        if (pair.opposite != pair.at) places.insert(pair.opposite);
      }
      CHECK(places.size() == static_cast<std::size_t>(shape.nx * shape.ny));
      for (const int place : places) {
        CHECK(places.count(place) == 1);
        CHECK(place % shape.row < shape.nx);
        CHECK(place / shape.row < shape.ny);
      }
    }
  }
}

}  // namespace slipfield
