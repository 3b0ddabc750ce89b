// SPDX-License-Identifier: Apache-2.0
// Where the frequencies of a small contact lie in a block's shared memory.
#include "gpu/batch/batch_shape.h"

#include <doctest/doctest.h>

#include <set>

namespace slipfield {

TEST_SUITE("unit") {
  TEST_CASE(
      "block transforms: every grid up to 48 x 48 is padded without overlap, two to a block") {
    for (int m = 1; m <= 48; ++m) {
      CAPTURE(m);
      const int n = block_length(m);
      CHECK(n >= 2 * m - 1);
      CHECK(n % block_factor(n) == 0);
    }
    CHECK(block_length(1) == 1);
    CHECK(block_length(32) == 64);
    CHECK(block_length(48) == 96);
    constexpr std::size_t kKiB = 1024;
    CHECK(2 * batch_shared_bytes(batch_shape(32, 32)) <= 200 * kKiB);  // of 227 with the scalars
    CHECK(batch_shared_bytes(batch_shape(48, 48)) <= 200 * kKiB);
  }

  TEST_CASE("block transforms: the pairs of frequencies take every place once") {
    for (const auto& [mx, my] : {std::pair{32, 32}, {48, 9}, {12, 1}, {1, 20}, {1, 1}, {20, 48}}) {
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
