// SPDX-License-Identifier: Apache-2.0
// The axes of a panel.
#include <doctest/doctest.h>

#include <string>

#include "app/plot/layout.h"

namespace slipfield {

TEST_SUITE("unit") {
  TEST_CASE("panel: an axis has two numbers or more where they have room") {
    const auto ticks = [](double width, double least, double greatest) {
      Frame frame;
      frame.figure_width = 400.0;
      frame.figure_height = 300.0;
      frame.width = width;
      frame.height = 100.0;
      const std::string text = panel_commands(frame, "", {{least, greatest}, {0, 1}, "", ""}, {});
      const std::size_t at = text.find("set xtics ") + 10;
      return std::stod(text.substr(at, text.find('\n', at) - at));
    };
    CHECK(ticks(130.0, -7.0, 7.0) == doctest::Approx(5.0));  // by 10 there is 0 alone
    CHECK(ticks(60.0, -7.0, 7.0) == doctest::Approx(10.0));  // no room for three numbers
    CHECK(ticks(130.0, 0.0, 14.0) == doctest::Approx(10.0));
  }
}

}  // namespace slipfield
