// SPDX-License-Identifier: Apache-2.0
// Rough surfaces in a case file: what arrives, and every message.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using test::edited;
using test::kPlainCase;
using test::kPlainGeometry;
using test::messages_of;
using test::read_text;

// Each shape in place of the plain case's, and the only message that it gives.
void check_rough(const std::vector<std::pair<std::string, std::string>>& examples) {
  for (const auto& example : examples) {
    CAPTURE(example.first);
    CHECK(messages_of(edited(kPlainCase, kPlainGeometry, example.first)) ==
          std::vector<std::string>{"case.yaml:" + example.second});
  }
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("case reader: every number of a rough surface arrives, alone and in a sum") {
    const CaseFile file = read_text(edited(kPlainCase, kPlainGeometry, R"(
  - {type: rough, hurst: 0.7, rms_height: 1e-3, wavelengths: [0.5, 4], seed: 9223372036854775807}
  - {type: sphere, radius: 100}
  - {type: rough, hurst: 1, rms_slope: 0.2, wavelengths: [0.5, 2]})"));
    const CaseFile again = read_text(file.resolved_yaml);
    for (const CaseFile* read : {&file, &again}) {
      REQUIRE(read->problem.geometry.size() == 3);
      const RoughSurface& first = std::get<RoughShape>(read->problem.geometry[0]).surface;
      CHECK(first.hurst == 0.7);
      CHECK_FALSE(first.slope_given);
      CHECK(first.rms == 1e-3);
      CHECK(first.shortest == 0.5);
      CHECK(first.longest == 4.0);
      CHECK(first.seed == 9223372036854775807U);
      const RoughSurface& last = std::get<RoughShape>(read->problem.geometry[2]).surface;
      CHECK(last.slope_given);
      CHECK(last.rms == 0.2);
      CHECK(last.seed == 0);
    }
  }

  TEST_CASE("messages: rough surfaces") {
    const std::string start = "{type: rough, hurst: 0.8, ";
    const std::string band = ", wavelengths: [0.5, 2]}";
    check_rough(
        {{"{type: rough, rms_slope: 1" + band,
          "12:1: geometry.hurst: missing; a number >= 0 and <= 1"},
         {"{type: rough, hurst: 1.5, rms_slope: 1" + band,
          "12:32: geometry.hurst: 1.5 is out of range; a number >= 0 and <= 1"},
         {start + "seed: 1" + band,
          "12:1: geometry: none of rms_height, rms_slope is given; exactly one of rms_height, "
          "rms_slope"},
         {start + "rms_height: 1, rms_slope: 1" + band,
          "12:52: geometry.rms_slope: given together with 'rms_height'; exactly one of rms_height, "
          "rms_slope"},
         {start + "rms_slope: 0" + band,
          "12:48: geometry.rms_slope: 0 is out of range; a number > 0"},
         {start + "rms_slope: 1}",
          "12:1: geometry.wavelengths: missing; a list [shortest, longest] of two, each a number > "
          "0"},
         {start + "rms_slope: 1, wavelengths: [2, 2]}",
          "12:64: geometry.wavelengths: does not increase; a list [shortest, longest] that "
          "increases"},
         {start + "rms_slope: 1, wavelengths: [0.4, 2]}",
          "12:64: geometry.wavelengths: the shortest wavelength 0.4 is below two elements; at "
          "least "
          "0.5, or smaller elements"},
         {start + "rms_slope: 1, wavelengths: [1, 4.5]}",
          "12:64: geometry.wavelengths: the longest wavelength 4.5 does not fit into the grid; at "
          "most 4.25, or a larger grid"},
         {start + "rms_slope: 1, wavelengths: [2.5, 4]}",
          "12:64: geometry.wavelengths: no wave that fits the grid's extent lies in the band; a "
          "band with at least one wave"},
         {start + "rms_slope: 1, seed: -1" + band,
          "12:57: geometry.seed: -1 is out of range; an integer from 0 to 9223372036854775807"},
         {start + "rms_slope: 1, seed: 9223372036854775808" + band,
          "12:57: geometry.seed: '9223372036854775808' is too large; an integer from 0 to "
          "9223372036854775807"}});
  }

  TEST_CASE("rough surface: has_waves tells whether the band holds a wave of the grid") {
    int found = 0;
    int count = 0;
    for (const Grid& grid : {Grid{19, 17, 0.125, 0.25}, Grid{32, 1, 0.1, 5.0}, Grid{1, 9, 3.0, 0.2},
                             Grid{6, 31, 0.7, 0.15}, Grid{1, 1, 1.0, 1.0}}) {
      for (double shortest = 1.5; shortest < 4.0; shortest += 0.083) {
        for (const double width : {1.01, 1.1, 1.4}) {
          RoughSurface surface;
          surface.rms = 1.0;
          surface.shortest = shortest;
          surface.longest = width * shortest;
          const std::vector<double> z = rough_heights(surface, grid);
          const bool waves = std::any_of(z.begin(), z.end(), [](double v) { return v != 0.0; });
          CHECK(has_waves(surface, grid) == waves);
          found += waves ? 1 : 0;
          ++count;
        }
      }
    }
    CHECK(found > count / 5);  // both answers occur
    CHECK(found < count * 4 / 5);
  }
}

}  // namespace slipfield
