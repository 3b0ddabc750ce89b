// SPDX-License-Identifier: Apache-2.0
// Files of influence coefficients in a case, and conformal cases of CONTACT.
#include <doctest/doctest.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "io/influence/coefficient_file.h"
#include "solver/error.h"
#include "solver/influence/influence_coefficients.h"
#include "tests/support/contact_input_support.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

using test::edited;

const ElasticBody kSteelOfFile{82000.0, 0.28};
constexpr Grid kGridOfFile{9, 8, 0.5, 0.4, -2.25, -1.6};

const std::string kCaseOfFile = R"(schema: 1
units: N-mm-s
bodies:
  upper: {shear_modulus: 82000.0, poisson_ratio: 0.28}
  lower: {shear_modulus: 82000.0, poisson_ratio: 0.28}
friction: {coefficient: 0.3}
grid: {elements: [9, 8], spacing: [0.5, 0.4], origin: [-2.25, -1.6]}
geometry: {type: sphere, radius: 40.0}
normal: {force: 4000.0}
tangential: {problem: steady_rolling, x: {creepage: 0.002}, y: {creepage: 0.001}}
)";

// The half-space of steel as CONTACT would write it, nn nx ny xn xx xy yn yx yy.
std::string half_space_file(const std::string& header, int matrices) {
  const CombinedMaterial material = combine(kSteelOfFile, kSteelOfFile);
  const int mx = kGridOfFile.mx;
  const int my = kGridOfFile.my;
  const double dx = kGridOfFile.dx;
  const double dy = kGridOfFile.dy;
  std::string text = header;
  for (int matrix = 0; matrix < matrices; ++matrix) {
    if (matrices > 1)
      text += "%%%\n% matrix\n%%%\n " + std::to_string(matrix + 1) + " 0.0 0.0 0 0 % matrix\n";
    for (int ky = 1 - my; ky < my; ++ky) {
      text += "% offset iy=" + std::to_string(ky) + "\n% ix x nn nx ny xn xx xy yn yx yy\n";
      for (int kx = 0; kx < mx; ++kx) {
        const auto value = [&](Component c) {
          char word[40];
          std::snprintf(word, sizeof word, " %.17g",
                        material.shear_modulus *
                            influence_coefficient(c, kx * dx, ky * dy, dx, dy, material));
          return std::string(word);
        };
        text += std::to_string(kx) + " " + std::to_string(kx * dx) + value(Component::nn) +
                " 0. 0. 0. " + value(Component::xx) + value(Component::xy) + " 0d0 " +
                value(Component::xy) + value(Component::yy) + " % remark\n";
      }
    }
  }
  return text;
}

const std::string kHeader =
    "% coefficients of steel\n  1 2   0 0 0 % NMATRIX, IACONVEX\n\n  0 312 0 0\n  1 0\n"
    "  9 8 0.50 0.40 0 0 % MX, MY, DX, DY\n";

std::string coefficient_message(const std::string& text) {
  const test::TemporaryFolder folder;
  try {
    static_cast<void>(read_coefficient_file(folder.write("c.txt", text), kGridOfFile, 1e-5));
  } catch (const InputError& error) {
    const std::string what = error.what();
    return what.substr(what.find("c.txt"));
  }
  return "";
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("coefficient file: written from the half-space's numbers, it gives its solution") {
    const test::TemporaryFolder folder;
    folder.write("one.txt", half_space_file(kHeader, 1));
    folder.write("rows.txt", half_space_file(edited(kHeader, "  1 2  ", "  8 1  "), 8));
    const auto solved = [&](const std::string& more) {
      const CaseFile file = read_case(folder.write("case.yaml", kCaseOfFile + more));
      CHECK(test::warnings_about(file, "influence.file").empty());
      return test::solve(file.problem);
    };
    const test::Solved half_space = solved("");
    constexpr double kSolver = 1e-5;  // two ways to a tolerance of 1e-6
    test::check_equal(solved("influence: {file: one.txt}\n"), half_space, kSolver);
    test::check_equal(solved("influence: {file: rows.txt}\n"), half_space, kSolver);
  }
}

TEST_SUITE("unit") {
  TEST_CASE("coefficient file: what is wrong is named with its line") {
    const std::string good = half_space_file(kHeader, 1);
    REQUIRE(coefficient_message(good).empty());
    const std::vector<std::pair<std::string, std::string>> rows{
        {edited(good, "  1 2  ", "  3 2  "),
         "c.txt:2: NMATRIX is 3; accepted: 1, or 8, one for each row of the grid"},
        {edited(good, "  1 2  ", "  1 0  "),
         "c.txt:2: IACONVEX is 0; accepted: 1 or 2, the body that is convex"},
        {edited(good, "0 312", "1 312"), "c.txt:4: LQUASID is 1; accepted: 0"},
        {edited(good, "0 312", "0 123"), "c.txt:4: XYZORDER is 123; accepted: 312"},
        {edited(good, "  1 0\n", "  0 0\n"), "c.txt:5: LSYMMX is 0; accepted: 1"},
        {edited(good, "  1 0\n", "  1 1\n"), "c.txt:5: LSYMMY is 1; accepted: 0"},
        {edited(good, "9 8 0.50", "9.5 8 0.50"),
         "c.txt:6: MX is 9.5; accepted: an integer from 1 to 65536"},
        {edited(good, "8 0.50", "8 0.51"),
         "c.txt:6: DX is 0.51, and the elements of the grid are 0.5 long; accepted: 0.5 to within "
         "1e-05"},
        {edited(good, "0.50 0.40 0 0", "0.50"),
         "c.txt:6: has 3 numbers; accepted: 4: MX, MY, DX, DY"}};
    for (const auto& [text, message] : rows) CHECK(coefficient_message(text) == message);
    const std::string line = "0 0.000000";  // of iy = -7 first
    std::string shifted = good;
    shifted.replace(shifted.find(line), 1, "3");
    CHECK(coefficient_message(shifted) == "c.txt:9: IX of iy = -7 is 3; accepted: 0");
    const std::string third = "\n2 1.000000";  // of iy = -7: 1.1 passes for rounding, 1.2 does not
    std::string place = good;
    CHECK(coefficient_message(place.replace(place.find(third), third.size(), "\n2 1.05")).empty());
    place = good;
    CHECK(coefficient_message(place.replace(place.find(third), third.size(), "\n2 1.2")) ==
          "c.txt:11: XREL is 1.2, and IX = 2 elements are 1; accepted: 1 to within 0.0505");
    std::string word = good;
    word.replace(word.find(line), 1, "0 zero");
    CHECK(coefficient_message(word) ==
          "c.txt:9: 'zero' is not a number; accepted: IX, XREL and nine coefficients");
    CHECK(coefficient_message(good.substr(0, good.find("% offset iy=7"))) ==
          "c.txt:161: the file ends before the lines of titles; accepted: 9 x 15 lines of "
          "coefficients in each of 1 matrices");
    CHECK(coefficient_message(edited(half_space_file(edited(kHeader, "  1 2  ", "  8 2  "), 8),
                                     " 2 0.0 0.0 0 0", " 3 0.0 0.0 0 0")) ==
          "c.txt:" + std::to_string(6 + 4 + 15 * 11 + 4) + ": IMATRIX is 3; accepted: 2");
  }

  TEST_CASE("coefficient file: in a case it warns where the grid is larger, and reads back") {
    const test::TemporaryFolder folder;
    folder.write("small.txt", half_space_file(kHeader, 1));
    const std::string larger = edited(kCaseOfFile, "[9, 8]", "[11, 8]");
    const CaseFile file =
        read_case(folder.write("case.yaml", larger + "influence: {file: small.txt}\n"));
    const auto warnings = test::warnings_about(file, "influence.file");
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find("has coefficients of 9 x 8 elements, and the grid 11 x 8") !=
          std::string::npos);
    const CaseFile again = read_case(folder.write("resolved.yaml", file.resolved_yaml));
    REQUIRE(again.problem.influence.tables);
    CHECK(again.problem.influence.tables->values == file.problem.influence.tables->values);
    CHECK(again.resolved_yaml == file.resolved_yaml);
    CHECK(file.input_files.size() == 2);
    const auto missing = test::messages_of(kCaseOfFile + "influence: {file: nowhere.txt}\n");
    REQUIRE(missing.size() == 1);
    CHECK(missing[0].find("nowhere.txt: cannot be opened") != std::string::npos);
  }

  TEST_CASE("conformal: a case with inclinations reads back to itself") {
    const CaseFile file = test::read_text(
        kCaseOfFile +
        "influence: {conformal: {y: [-2, 0.5, 2], angle: [-20, 3, 25], variant: 2, inclination: "
        "as_given}}\n");
    REQUIRE(file.problem.influence.conformal);
    const ConformalCorrection& conformal = *file.problem.influence.conformal;
    CHECK(conformal.y == std::vector<double>{-2.0, 0.5, 2.0});
    CHECK(conformal.angle[2] == test::near(25.0 * test::kPi / 180.0));
    CHECK(conformal.variant == 2);
    CHECK_FALSE(conformal.straight);
    CHECK(test::read_text(file.resolved_yaml).resolved_yaml == file.resolved_yaml);
    CHECK(test::messages_of(kCaseOfFile + "influence: {conformal: {y: [0, 1], angle: [0, 200]}}\n")
              .size() == 1);
    CHECK(
        test::messages_of(kCaseOfFile + "influence: {conformal: {y: [0], angle: [0]}}\n").size() ==
        2);
    CHECK(test::messages_of(kCaseOfFile + "influence: {}\n").size() == 1);
  }

  TEST_CASE("CONTACT input: C = 4 and C = 9 become influence") {
    const std::string conformal = edited(
        edited(test::kRolling, "022020", "024020"), "0.0  0.5 3000.            CHI, DQ, VELOC\n",
        "0.0  0.5 3000.\n 1 3 3   IF_METH, VARIANT, NN\n -4. -10d  0. 2d\n 3. 0.25\n");
    const ContactProblem problem = test::problem_of(conformal);
    REQUIRE(problem.influence.conformal);
    const ConformalCorrection& found = *problem.influence.conformal;
    CHECK(found.variant == 3);
    CHECK_FALSE(found.straight);
    CHECK(found.y == std::vector<double>{-4.0, 0.0, 3.0});
    CHECK(found.angle[0] == test::near(-test::kPi / 18.0));
    CHECK(found.angle[2] == test::near(0.25));
    const ConvertedInput of_file =
        test::converted(edited(edited(test::kRolling, "022020", "029020"),
                               "0.0  0.5 3000.            CHI, DQ, VELOC\n",
                               "0.0  0.5 3000.\n 'inflcf.txt'  CFNAME\n") +
                        test::kEnd);
    REQUIRE(of_file.cases.size() == 1);
    CHECK(of_file.cases[0].head.find("influence: {file: \"inflcf.txt\"}") != std::string::npos);
    CHECK_THROWS_WITH_AS(test::converted(edited(conformal, " 1 3 3 ", " 2 5 3 ") + test::kEnd),
                         doctest::Contains("IF_METH: there is no 2; accepted: 0 and 1"), CaseError);
  }
}

}  // namespace slipfield
