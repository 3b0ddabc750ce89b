// SPDX-License-Identifier: Apache-2.0
// Rough surfaces in a case file: what arrives, and every message.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <variant>
#include <vector>

#include "tests/support/near.h"
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
  - {type: rough, hurst: 1, rms_slope: 0.2, wavelengths: [0.5, 2]}
  - {type: rough, hurst: 1, rms_height: 0.2, wavelengths: [0.5, 2], rolloff: 1.5, elongation: 4, lay: 30,
     skewness: -1, kurtosis: 5})"));
    const CaseFile again = read_text(file.resolved_yaml);
    for (const CaseFile* read : {&file, &again}) {
      REQUIRE(read->problem.geometry.size() == 4);
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
      CHECK(last.rolloff == 0.0);
      CHECK(last.elongation == 1.0);
      CHECK(last.is_normal());
      const RoughSurface& other = std::get<RoughShape>(read->problem.geometry[3]).surface;
      CHECK(other.rolloff == 1.5);
      CHECK(other.elongation == 4.0);
      CHECK(other.lay == test::near(std::numbers::pi / 6.0, 1e-15));
      CHECK(other.skewness == -1.0);
      CHECK(other.kurtosis == 5.0);
    }
  }

  TEST_CASE("messages: rough surfaces") {
    const std::string start = "{type: rough, hurst: 0.8, ";
    const std::string band = ", wavelengths: [0.5, 2]}";
    check_rough(
        {{"{type: rough, rms_slope: 1" + band,
          "12:1: geometry.hurst: missing; accepted: a number >= 0 and <= 1"},
         {"{type: rough, hurst: 1.5, rms_slope: 1" + band,
          "12:32: geometry.hurst: 1.5 is out of range; accepted: a number >= 0 and <= 1"},
         {start + "seed: 1" + band,
          "12:1: geometry: none of rms_height, rms_slope is given; accepted: exactly one of "
          "rms_height, rms_slope"},
         {start + "rms_height: 1, rms_slope: 1" + band,
          "12:52: geometry.rms_slope: given together with 'rms_height'; accepted: exactly one of "
          "rms_height, rms_slope"},
         {start + "rms_slope: 0" + band,
          "12:48: geometry.rms_slope: 0 is out of range; accepted: a number > 0"},
         {start + "rms_slope: 1}",
          "12:1: geometry.wavelengths: missing; accepted: a list [shortest, longest] of two, each "
          "a number > 0"},
         {start + "rms_slope: 1, wavelengths: [2, 2]}",
          "12:64: geometry.wavelengths: does not increase; accepted: a list [shortest, longest] "
          "that increases"},
         {start + "rms_slope: 1, wavelengths: [0.4, 2]}",
          "12:64: geometry.wavelengths: the shortest wavelength 0.4 is below two elements; "
          "accepted: at least 0.5, or smaller elements"},
         {start + "rms_slope: 1, wavelengths: [1, 4.5]}",
          "12:64: geometry.wavelengths: the longest wavelength 4.5 does not fit into the grid; "
          "accepted: at most 4.25, or a larger grid"},
         {start + "rms_slope: 1, wavelengths: [2.5, 4]}",
          "12:64: geometry.wavelengths: no wave that fits the grid's extent lies in the band; "
          "accepted: a band with at least one wave"},
         {start + "rms_slope: 1, rolloff: 3" + band,
          "12:60: geometry.rolloff: 3 is not between the wavelengths; accepted: a wavelength above "
          "the shortest, at most the longest"},
         {start + "rms_slope: 1, elongation: 0.5" + band,
          "12:63: geometry.elongation: 0.5 is out of range; accepted: a number >= 1 and <= 1000"},
         {start + "rms_slope: 1, lay: 20" + band,
          "12:51: geometry.lay: given without elongation; accepted: no such key, or elongation "
          "with it"},
         {start + "rms_height: 1, skewness: 6" + band,
          "12:62: geometry.skewness: 6 is out of range; accepted: a number >= -5 and <= 5"},
         {start + "rms_height: 1, skewness: 1, kurtosis: 1.9" + band,
          "12:75: geometry.kurtosis: 1.9 does not go with a skewness of 1; accepted: a number from "
          "2.073 to 1000"},
         {start + "rms_slope: 1, kurtosis: 4" + band,
          "12:61: geometry.kurtosis: heights that are not normally distributed have no given "
          "slope; accepted: the rms height in place of the slope"},
         {start + "rms_slope: 1, seed: -1" + band,
          "12:57: geometry.seed: -1 is out of range; accepted: an integer from 0 to "
          "9223372036854775807"},
         {start + "rms_slope: 1, seed: 9223372036854775808" + band,
          "12:57: geometry.seed: '9223372036854775808' is too large; accepted: an integer from 0 "
          "to 9223372036854775807"}});
  }

  TEST_CASE("rough surface: the spectrum along a row falls as q^-(1 + 2H), on one row or many") {
    struct Example {
      Grid grid;
      double longest;  // along the rows
    };
    const Grid standing{1, 2048, 1.0, 1.0 / 2048};
    // Grids of one, two and three rows, whose waves do not run across; and narrow strips.
    const std::vector<Example> examples{{Grid{2048, 1, 1.0 / 2048, 1.0}, 0.25},
                                        {Grid{2048, 2, 1.0 / 2048, 1e-3}, 0.25},
                                        {Grid{2048, 3, 1.0 / 2048, 1.0 / 2048}, 0.25},
                                        {standing, 0.25},
                                        {Grid{1024, 16, 1.0 / 1024, 1.0 / 1024}, 1.0},
                                        {Grid{1024, 32, 1.0 / 1024, 1.0 / 1024}, 1.0}};
    for (const double hurst : {0.3, 0.8})
      for (const Example& example : examples) {
        const Grid& grid = example.grid;
        CAPTURE(hurst);
        CAPTURE(grid.mx);
        CAPTURE(grid.my);
        const RoughSurface surface{hurst, false, 1.0, 4.0 / 1024, example.longest, 3};
        const std::vector<double> z = rough_heights(surface, grid);
        const bool across = grid.mx == 1;
        const int length = across ? grid.my : grid.mx;
        const auto power = [&](int k) {
          double sum = 0.0;
          for (int row = 0; row < (across ? 1 : grid.my); ++row) {
            std::complex<double> wave = 0.0;
            for (int i = 0; i < length; ++i)
              wave += z[across ? grid.index(0, i) : grid.index(i, row)] *
                      std::polar(1.0, -2.0 * std::numbers::pi * k * i / length);
            sum += std::norm(wave);
          }
          return sum;
        };
        const double slope = std::log(power(64) / power(4)) / std::log(16.0);
        // A strip has no waves across that are shorter than the shortest: a twentieth at k = 64.
        CHECK(slope == test::near(-1.0 - 2.0 * hurst, grid.my > 3 ? 0.03 : 1e-9));
      }
  }

  TEST_CASE("rough surface: waves of a surface that is wide enough are |q|^-(1 + H), to rounding") {
    const Grid grid{128, 64, 1.0, 1.5};
    const RoughSurface surface{0.7, true, 0.1, 4.0, 100.0, 5};
    const std::size_t columns = 65;
    std::vector<std::complex<double>> waves(columns * 64);
    fill_waves(surface, grid, waves.data());
    double least = 1e300;
    double most = 0.0;
    for (int ky = 1; ky < 30; ++ky)
      for (int kx = 0; kx < 60; ++kx) {
        const double size =
            std::abs(waves[static_cast<std::size_t>(ky) * columns + static_cast<std::size_t>(kx)]);
        if (size == 0.0) continue;
        const double q = std::hypot(kx / 128.0, ky / 96.0);
        least = std::min(least, size * std::pow(q, 1.7));
        most = std::max(most, size * std::pow(q, 1.7));
      }
    CHECK(most > 0.0);
    CHECK(most <= least * (1.0 + 1e-12));
  }

  TEST_CASE("rough surface: has_waves finds whether the band holds a wave of the grid") {
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
          for (const double elongation : {1.0, 1.3}) {
            surface.elongation = elongation;
            surface.lay = elongation > 1.0 ? shortest : 0.0;
            const std::vector<double> z = rough_heights(surface, grid);
            const bool waves = std::any_of(z.begin(), z.end(), [](double v) { return v != 0.0; });
            CHECK(has_waves(surface, grid) == waves);
            found += waves ? 1 : 0;
            ++count;
          }
        }
      }
    }
    CHECK(found > count / 5);  // both answers occur
    CHECK(found < count * 4 / 5);
  }
}

}  // namespace slipfield
