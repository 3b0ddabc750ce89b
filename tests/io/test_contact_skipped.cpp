// SPDX-License-Identifier: Apache-2.0
// Input files of CONTACT: cases that cannot be converted, and what can be of the rest.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "io/contact/contact_input.h"
#include "tests/support/contact_input_support.h"

namespace slipfield {
namespace {

using test::edited;
using test::kEnd;
using test::kGrid;
using test::kQuadratic;
using test::read_converted;
using test::TemporaryFolder;

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE(
      "CONTACT input: cases that are not supported can be left out, and those that continue them") {
    // 1 a shift; 2 with bilinear tractions, rolling; 3 a shift from nothing; 4 with friction that
    // depends on the temperature; 5 continues from 4; 6 a shift from nothing.
    const auto shift = [](const std::string& first, const std::string& friction) {
      return " 3 MODULE\n " + first +
             "\n 022020\n 0000341\n 80 200 5 1 1e-6\n 800. 0.001 0. 0.\n " + friction +
             "\n 0.25 0.35 400. 500.\n" + kGrid + kQuadratic;
    };
    const std::string bilinear = edited(edited(shift("203100", "0.3 0.3"), "022020", "023020"),
                                        " 0.25 0.35", " 0. 1. 3000.\n 0.25 0.35");
    const std::string text = shift("201100", "0.3 0.3") + bilinear + shift("201100", "0.4 0.4") +
                             edited(shift("201100", "0.3 100. 0.1 0."), "022020", "622020") +
                             shift("001100", "0.3 0.3") + shift("201100", "0.5 0.5");
    const TemporaryFolder folder;
    const auto file =
        folder.write("a.inp", edited(text, "0.3 100. 0.1 0.", "0.3 100. 0.1 0.\n 0. 0.") + kEnd);
    const ConvertedInput input = convert_contact_input(file, {}, Unsupported::skip);
    REQUIRE(input.skipped.size() == 3);
    const std::vector<int> numbers = {input.skipped[0].number, input.skipped[1].number,
                                      input.skipped[2].number};
    CHECK(numbers == std::vector{2, 4, 5});
    CHECK(input.skipped[0].first_line == 14);
    CHECK(input.skipped[0].reasons.front().find(
              "a.inp:15:4: C = 3: of the influence coefficients only those of half-spaces") !=
          std::string::npos);
    CHECK(input.skipped[2].reasons.front().find(
              "P = 0: continues from the tractions of a case that is not converted") !=
          std::string::npos);
    REQUIRE(input.cases.size() == 3);
    const std::vector<int> first = {input.cases[0].first_case, input.cases[1].first_case,
                                    input.cases[2].first_case};
    CHECK(first == std::vector{1, 3, 6});
    for (const ConvertedCase& one : input.cases)
      CHECK(read_converted(one).problem.steps.size() == 1);
    CHECK_THROWS_WITH_AS(convert_contact_input(file, {}),
                         doctest::Contains("4 of 6 cases are supported: --skip-unsupported "
                                           "converts these, --cases 1 some of them"),
                         CaseError);
  }

  TEST_CASE("CONTACT input: what cannot be read leaves the cases before it, where asked for") {
    const std::string steady =
        " 3 MODULE\n 223100\n 022320\n 0000341\n 80 200 5 1 1e-6\n"
        " 800. 0.001 0. 0.\n 0.3 0.3\n 0. 1. 3000.\n 0.25 0.35 400. 500.\n"
        " 1. 1. 1.\n -3\n 4 3 2. 1. 1.1\n";
    const TemporaryFolder folder;
    const auto file = folder.write("a.inp", steady + " 1 MODULE\n 1200100\n");
    const ConvertedInput input = convert_contact_input(file, {}, Unsupported::skip);
    CHECK(input.cases.size() == 1);
    REQUIRE(input.skipped.size() == 1);
    CHECK(input.skipped[0].rest_of_file);
    CHECK(input.skipped[0].first_line == 13);
    CHECK_THROWS_WITH_AS(
        convert_contact_input(file, {}),
        doctest::Contains("What comes before can be converted: --skip-unsupported, or --cases 1"),
        CaseError);
    const auto nothing = folder.write("b.inp", " 1 MODULE\n 1200100\n");
    CHECK_THROWS_WITH_AS(convert_contact_input(nothing, {}, Unsupported::skip),
                         doctest::Contains("missing, for the file ends here"), CaseError);
    const auto wrong = folder.write("c.inp", edited(steady, "0.3 0.3", "-.3 0.3") + kEnd);
    CHECK_THROWS_WITH_AS(convert_contact_input(wrong, {}, Unsupported::skip),
                         doctest::Contains("FSTAT"), CaseError);
  }
}

}  // namespace slipfield
