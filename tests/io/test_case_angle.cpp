// SPDX-License-Identifier: Apache-2.0
// Angles of a case file: degrees in, radians inside.
#include "io/yaml/number.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace slipfield {

TEST_SUITE("unit") {
  TEST_CASE("angle: quarter turns are as near to the axes as a double can be") {
    CHECK(radians_from_degrees(0.0) == 0.0);
    CHECK(radians_from_degrees(360.0) == 0.0);
    CHECK(radians_from_degrees(90.0) == std::numbers::pi / 2.0);
    CHECK(radians_from_degrees(180.0) == std::numbers::pi);
    CHECK(radians_from_degrees(540.0) == std::numbers::pi);
    CHECK(radians_from_degrees(-270.0) == -1.5 * std::numbers::pi);
    CHECK(std::cos(radians_from_degrees(180.0)) == -1.0);
    CHECK(std::sin(radians_from_degrees(270.0)) == -1.0);
  }

  TEST_CASE("angle: its text in degrees is short and reads back as the same angle") {
    CHECK(degrees_text(radians_from_degrees(30.0)) == "30");
    CHECK(degrees_text(radians_from_degrees(-0.1)) == "-0.1");
    CHECK(degrees_text(radians_from_degrees(270.0)) == "270");
    for (double degrees = -359.37; degrees < 360.0; degrees += 1.0 / 3.0) {
      const double radians = radians_from_degrees(degrees);
      CHECK(radians_from_degrees(std::stod(degrees_text(radians))) == radians);
    }
  }
}

}  // namespace slipfield
