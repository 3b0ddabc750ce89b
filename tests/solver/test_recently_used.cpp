// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "solver/cpu/recently_used.h"

namespace slipfield {

TEST_SUITE_BEGIN("unit");

TEST_CASE("recently used: drops what was not asked for longest when all weigh too much") {
  struct FewBuckets {
    std::size_t operator()(int key) const { return std::hash<int>()(key % 3); }
  };
  RecentlyUsed<int, std::string, FewBuckets> kept(10);
  for (const int key : {1, 4, 7}) kept.keep(key, std::to_string(key), 3);
  CHECK(kept.find(1) == "1");
  kept.keep(10, "10", 4);
  CHECK(kept.find(4) == std::nullopt);
  for (const int key : {1, 7, 10}) CHECK(kept.find(key) == std::to_string(key));
  kept.keep(10, "another", 4);  // as a second thread would
  CHECK(kept.find(10) == "10");
  CHECK(kept.find(1) == "1");
  kept.keep(13, "13", 11);  // nothing holds it
  for (const int key : {1, 7, 10, 13}) CHECK(kept.find(key) == std::nullopt);
  kept.keep(4, "4", 10);
  CHECK(kept.find(4) == "4");
}

TEST_SUITE_END();

}  // namespace slipfield
