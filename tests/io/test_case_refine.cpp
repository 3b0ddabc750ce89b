// SPDX-License-Identifier: Apache-2.0
// grid.refine: the same area in smaller elements.
#include <doctest/doctest.h>

#include "tests/support/test_case_support.h"

namespace slipfield {

TEST_SUITE("unit") {
  TEST_CASE("grid.refine: the same area in n times as many elements, by --set too") {
    const Grid coarse = test::read_text(test::kPlainCase).problem.grid;
    const CaseFile file = test::read_text(test::kPlainCase, {"grid.refine=3"});
    const Grid& fine = file.problem.grid;
    CHECK(fine.mx == 3 * coarse.mx);
    CHECK(fine.my == 3 * coarse.my);
    CHECK(fine.dx == coarse.dx / 3);
    CHECK(fine.dy == coarse.dy / 3);
    CHECK(fine.x0 == coarse.x0);
    CHECK(fine.y0 == coarse.y0);
    // It resolves to the refined grid, which is not refined once more.
    const Grid again = test::read_text(file.resolved_yaml).problem.grid;
    CHECK(again.mx == fine.mx);
    CHECK(again.dx == fine.dx);
  }

  TEST_CASE("grid.refine: centred and given extents stay, and a row stays a row") {
    const std::string grid =
        "  elements: [19, 17]\n  spacing: [0.125, 0.25]\n"
        "  origin: [-1.25, -2.0]\n";
    const auto of = [&](const std::string& text) {
      return test::read_text(test::edited(test::kPlainCase, grid, text)).problem.grid;
    };
    const Grid centred = of("  elements: [10, 6]\n  spacing: [0.5, 0.5]\n  refine: 2\n");
    CHECK(centred.mx == 20);
    CHECK(centred.x0 == -2.5);
    CHECK(centred.y0 == -1.5);
    const Grid extent = of("  elements: [10, 6]\n  extent: {x: [0, 5], y: [1, 4]}\n  refine: 2\n");
    CHECK(extent.dx == 0.25);
    CHECK(extent.y0 == 1.0);
    const Grid row = of("  elements: [10, 1]\n  spacing: [0.5, 100]\n  refine: 4\n");
    CHECK(row.mx == 40);
    CHECK(row.my == 1);
    CHECK(row.dy == 100.0);
  }

  TEST_CASE("grid.refine: a sweep over it is a study of convergence") {
    const CaseFile file =
        test::read_text(test::kPlainCase + "sweep:\n  - {key: grid.refine, values: [1, 2, 4]}\n");
    REQUIRE(file.sweep);
    CHECK(file.problem.grid.mx == 19);
  }

  TEST_CASE("grid.refine: what is wrong with it, and files of one value per element") {
    const auto says = [](const std::vector<std::string>& overrides, const std::string& text) {
      const std::string error = test::error_of(test::kPlainCase, overrides);
      CAPTURE(error);
      CHECK(error.find(text) != std::string::npos);
    };
    says({"grid.refine=0"}, "grid.refine: 0 is out of range; accepted: an integer from 1 to 65536");
    says({"grid.refine=1.5"}, "grid.refine: '1.5' is not an integer");
    says({"grid.refine=4000"},
         "grid.refine: gives more than 65536 elements in a direction; accepted: an integer from 1 "
         "to 3449");
    says({"grid.refine=2", "geometry={type: heights, file: h.npy}"},
         "grid.refine: the file of the heights has one value per element, which cannot be refined; "
         "accepted: heights with a spacing of their own, or no refine");
    says({"grid.refine=2", "friction={coefficient: {file: mu.npy}}"},
         "grid.refine: the file of the friction coefficients has one value per element");
  }
}

}  // namespace slipfield
