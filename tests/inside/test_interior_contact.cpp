// SPDX-License-Identifier: Apache-2.0
// Points inside the bodies in input files of CONTACT, as `interior` of the converted case.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "io/yaml/error.h"
#include "tests/support/contact_input_support.h"
#include "tests/support/near.h"

namespace slipfield {
namespace {

using test::converted;
using test::edited;
using test::kEnd;
using test::kRolling;
using test::read_converted;

// kRolling has 12 x 10 elements from (-6, -4), of 1 x 0.8.
std::string with_points(const std::string& blocks) {
  return edited(kRolling, "203100", "203103") + " 1 1 MATFIL, OUTPUT\n" + blocks + " 0 ISUBS\n" +
         kEnd;
}

InteriorRequest points_request(const std::string& blocks) {
  const ConvertedInput input = converted(with_points(blocks));
  CHECK(input.warnings.empty());
  const CaseFile file = read_converted(input.cases.at(0));
  REQUIRE(file.interior);
  return *file.interior;
}

std::string input_refusal(const std::string& text) {
  try {
    static_cast<void>(converted(text));
  } catch (const CaseError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("CONTACT input: points inside become the block of element centres that has them") {
    const InteriorRequest all = points_request(" 1\n 3 0. 0.5 NZ, ZL, DZ\n");
    CHECK(all.bodies == std::vector{Body::upper});
    CHECK(all.depths == std::vector{0.0, 0.5, 1.0});
    CHECK(all.region == InteriorRegion::grid);
    CHECK(all.quantities.front() == InteriorQuantity::displacement_x);
    CHECK(all.quantities.size() == 6);

    const InteriorRequest range = points_request(" 6\n 2 3 9\n 4 1 4\n 2\n -0.25 -1.\n");
    CHECK(range.bodies == std::vector{Body::lower});
    CHECK(range.depths == std::vector{0.25, 1.0});
    CHECK(range.region == InteriorRegion::box);
    CHECK(range.box_x == std::array{-4.5, 1.5});  // elements 2, 5, 8
    CHECK(range.box_y[0] == test::near(-1.2));

    // Lists, sorted; what is outside of the grid is dropped. Then coordinates of centres.
    const InteriorRequest two =
        points_request(" 7\n 3 1\n 7 4 40\n 2\n 1\n 0.3\n 9\n 1 1 2\n 5.5\n -3.6\n 0.1 -0.2\n");
    CHECK(two.bodies == std::vector{Body::upper, Body::lower});
    CHECK(two.depths == std::vector{0.1, 0.2, 0.3});
    CHECK(two.box_x == std::array{-2.5, 5.5});
    CHECK(two.box_y[0] == test::near(-3.6));
    CHECK(two.box_y[1] == test::near(-2.8));
  }

  TEST_CASE("CONTACT input: A_s = 2 asks for every stress, S = 0 for nothing") {
    const std::string text =
        edited(kRolling, "203100", "203103") + " 2 1 MATFIL, OUTPUT\n 1\n 1 0.5 0.\n 0\n" + kEnd;
    const CaseFile file = read_converted(converted(text).cases.at(0));
    REQUIRE(file.interior);
    CHECK(file.interior->quantities.size() == 12);
    CHECK_FALSE(read_converted(converted(kRolling + kEnd).cases.at(0)).interior);
  }

  TEST_CASE("CONTACT input: points that cannot be are refused, or left out, at their line") {
    CHECK(input_refusal(with_points(" 1\n 3 0. 0. NZ, ZL, DZ\n"))
              .find("a.inp:17:7: DZ: 0 is not positive") != std::string::npos);
    CHECK(
        input_refusal(with_points(" 1\n 0 0. 1.\n")).find("a.inp:17:2: NZ: 0 is not a number of") !=
        std::string::npos);
    CHECK(input_refusal(with_points(" 2\n 1 0 4\n 1 1 4\n 1 0. 1.\n"))
              .find("a.inp:17:4: IXL, IXINC, IXH: steps by 0") != std::string::npos);
    CHECK(input_refusal(with_points(" 4\n")).find("a.inp:16:2: ISUBS: there is no 4") !=
          std::string::npos);
    CHECK(input_refusal(edited(kRolling, "203100", "203101") + kEnd)
              .find("S: 1 although there are no points to keep yet") != std::string::npos);
    const ConvertedInput off = converted(with_points(" 9\n 1 1 1\n 0.\n 0.\n 1.\n"));
    REQUIRE(off.warnings.size() == 1);
    CHECK(off.warnings[0].find("a.inp:16:2: ISUBS = 9: the points are left out, since they are not "
                               "at element centres") != std::string::npos);
    CHECK_FALSE(read_converted(off.cases.at(0)).interior);
    const ConvertedInput outside = converted(with_points(" 7\n 1 1\n 40\n 2\n 1\n 0.3\n"));
    REQUIRE(outside.warnings.size() == 1);
    CHECK(outside.warnings[0].find("none of them is in the grid") != std::string::npos);
  }
}

}  // namespace slipfield
