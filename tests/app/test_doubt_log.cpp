// SPDX-License-Identifier: Apache-2.0
// What is suspicious in the steps of a run, each doubt once.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "app/report/doubt_log.h"

namespace slipfield {
namespace {

std::string edge_line(const std::vector<int>& steps) {
  DoubtLog log;
  for (const int step : steps) log.add_edge(step);
  const std::vector<std::string> lines = log.of_steps(100);
  REQUIRE(lines.size() == 1);
  return lines[0].substr(0, lines[0].find(": "));
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("doubt log: contact at the edge of the grid is one line that says in which steps") {
    CHECK(DoubtLog().of_steps(3).empty());
    CHECK(edge_line({4}) == "step 4");
    CHECK(edge_line({1, 2, 3}) == "3 steps, 1 to 3");
    CHECK(edge_line({9, 2, 3, 4, 7, 4}) == "5 steps, 2 to 4, 7 and 9");
    std::vector<int> odd;
    for (int k = 1; k < 100; k += 2) odd.push_back(k);
    CHECK(edge_line(odd) == "50 steps, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19 and others up to 99");
  }
}

}  // namespace slipfield
