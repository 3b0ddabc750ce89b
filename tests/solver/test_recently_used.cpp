// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <new>
#include <optional>
#include <set>
#include <string>

#include "solver/cpu/recently_used.h"
#include "solver/cpu/spectrum_key.h"

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

TEST_CASE("recently used: a value put in another's place counts with its own weight only") {
  RecentlyUsed<int, std::string, std::hash<int>> kept(10);
  kept.keep(1, "1", 6);
  kept.keep(2, "2", 4);
  kept.replace(1, "another", 5);
  CHECK(kept.find(1) == "another");
  CHECK(kept.find(2) == "2");
  kept.keep(3, "3", 1);  // 10 in all: drops nothing
  for (const int key : {1, 2, 3}) CHECK(kept.find(key) != std::nullopt);
  kept.replace(2, "heavier", 5);  // 11: drops 1
  CHECK(kept.find(1) == std::nullopt);
  CHECK(kept.find(2) == "heavier");
  kept.replace(4, "new", 4);
  for (const int key : {2, 3, 4}) CHECK(kept.find(key) != std::nullopt);
}

TEST_CASE("recently used: a failure to keep a value leaves the others and their weight") {
  struct Failing {
    std::size_t operator()(int key) const {
      if (key == 2 && ++calls() == 2) throw std::bad_alloc();
      return std::hash<int>()(key);
    }
    static int& calls() {
      static int count = 0;
      return count;
    }
  };
  RecentlyUsed<int, std::string, Failing> kept(10);
  kept.keep(1, "1", 6);
  CHECK_THROWS_AS(kept.keep(2, "2", 6), std::bad_alloc);
  CHECK(kept.find(2) == std::nullopt);
  kept.keep(3, "3", 4);
  CHECK(kept.find(1) == "1");
  kept.keep(4, "4", 1);  // drops 3
  CHECK(kept.find(3) == std::nullopt);
  kept.keep(5, "5", 4);  // drops 1
  CHECK(kept.find(1) == std::nullopt);
  kept.keep(6, "6", 6);  // drops 4
  CHECK(kept.find(4) == std::nullopt);
  CHECK(kept.find(5) == "5");
  CHECK(kept.find(6) == "6");
}

TEST_CASE("spectrum key: materials, spacings and periods hardly ever share a hash") {
  std::set<std::size_t> hashes;
  const auto add = [&](const SpectrumKey& key) { hashes.insert(SpectrumKey::Hash()(key)); };
  SpectrumKey key;
  key.transform_x = key.transform_y = 20;
  key.dx = key.dy = 0.1;
  key.material = {80000.0, 0.3, 0.0, 0.0, 0.0};
  constexpr int kEach = 1000;
  for (int k = 1; k <= kEach; ++k) {
    const double other = 1.0 + 1e-4 * k;
    SpectrumKey changed = key;
    changed.material.poisson_ratio *= other;
    add(changed);
    changed = key;
    changed.material.shear_modulus *= other;
    add(changed);
    changed = key;
    changed.dx *= other;
    changed.dy *= other;
    add(changed);
    changed.images.period = 20.0 * changed.dx;
    add(changed);
    changed = key;
    changed.kind.offset_x = 1e-4 * k;
    add(changed);
  }
  CHECK(hashes.size() > 4990);
  SpectrumKey minus = key;
  minus.material.coupling = -0.0;
  REQUIRE(minus == key);
  CHECK(SpectrumKey::Hash()(minus) == SpectrumKey::Hash()(key));
}

TEST_SUITE_END();

}  // namespace slipfield
