// SPDX-License-Identifier: Apache-2.0
// Input files of CONTACT: every sentence about what cannot be converted, with its place.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "io/contact/contact_input.h"
#include "io/contact/lines.h"
#include "tests/support/contact_input_support.h"
#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using test::edited;
using test::kEnd;
using test::TemporaryFolder;

const std::string kShiftInput = R"( 3  MODULE
 201100
 022020
 0000341
 80 200 5 1 1e-6
 800. 0.001 0. 0.
 0.3 0.3
 0.25 0.35 400. 500.
 1
 4 3 -2. -1.5 1. 1.
 1 1
 .01 0. .01 0. 0. 0.
)";
const std::string kSteady = R"( 3  MODULE
 223100
 022320
 0000341
 80 200 5 1 1e-6
 800. 0.001 0. 0.
 0.3 0.3
 0. 1. 3000.
 0.25 0.35 400. 500.
 1. 1. 1.
 -3
 4 3 2. 1. 1.1
)";

// The lines "a.inp:...", without the excerpts.
std::string messages(const std::string& text) {
  const TemporaryFolder folder;
  std::string found;
  try {
    convert_contact_input(folder.write("a.inp", text), std::nullopt);
  } catch (const CaseError& error) {
    CHECK(error.exit_code() == ExitCode::bad_input);
    const std::string prefix = folder.path().string() + "/";
    std::istringstream lines(error.what());
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("error: ")) line.erase(0, 7);
      if (line.compare(0, prefix.size(), prefix) == 0) found += line.substr(prefix.size()) + "\n";
    }
  }
  return found;
}

struct Mistake {
  std::string old_text;
  std::string new_text;
  std::string message;  // after "a.inp:"
};

void check_messages(const std::string& text, const std::vector<Mistake>& examples) {
  for (const auto& [old_text, new_text, message] : examples) {
    CAPTURE(new_text);
    CHECK(messages(edited(text, old_text, new_text) + kEnd) ==
          std::string("a.inp:").append(message).append("\n"));
  }
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("contact input: a centre of spin has two coordinates, and a sum is a decimal number") {
    CHECK(messages(edited(kShiftInput, "0.001 0. 0.", "0.001 0. 0. 1.5") + kEnd) ==
          "a.inp:6:19: SPINXO: is given without SPINYO; accepted: both, or neither\n");
    CHECK(as_decimal(0.4 - 0.1) == 0.3);
    CHECK(as_decimal(-0.1 - 0.2) == -0.3);
    CHECK(as_decimal(2.0 / 3.0) == 2.0 / 3.0);
    CHECK(as_decimal(1.0 + 4e-15) == 1.0 + 4e-15);
    CHECK(as_decimal(0.0) == 0.0);
  }

  TEST_CASE("CONTACT messages: the cases below are right except for what each changes") {
    CHECK(messages(kShiftInput + kEnd).empty());
    CHECK(messages(kSteady + kEnd).empty());
    CHECK(messages(kShiftInput).empty());  // without its last line
  }

  TEST_CASE("CONTACT messages: bodies and methods that are not supported") {
    check_messages(
        kShiftInput,
        {{"400. 500.\n", "400. 500.\n 1e-6 FLXZ\n",
          "9:2: IPOTCN: '1e-6' is not an integer"},  // B = 1 only has that line
         {"201100", "221100",
          "2:3: B = 2: the pressure is computed, on half-spaces; accepted: B = 0 and B = 1, or "
          "FASTSIM (M = 2, 3)"},
         {"022020", "023020",
          "3:4: C = 3: of the influence coefficients only those of half-spaces with constant "
          "tractions in each element are supported; accepted: C = 2, 4 and 9"}});
    const std::string line = " 0.25 0.35 400. 500.\n";
    const auto with = [&](const std::string& digits, const std::string& before,
                          const std::string& after) {
      return edited(edited(kShiftInput, "022020", digits), line, before + line + after);
    };
    const std::string angles = " 1 4 2\n 0. 0d 1. 45.d\n";
    CHECK(messages(with("024020", angles, "") + kEnd).empty());
    CHECK(messages(with("029020", " 'coefficients.txt'\n", "") + kEnd).empty());
    CHECK(messages(with("024020", edited(angles, "1.", "0."), "") + kEnd)
              .find("Y: 0 is not above 0, the one before; accepted: increasing numbers") !=
          std::string::npos);
    CHECK(
        messages(with("024420", angles, " 100. .1 0. 0.\n") + kEnd)
            .find(
                "M = 4: curved surfaces (C = 4) are elastic, with nothing between them; accepted: "
                "M = 0, or C = 2") != std::string::npos);
    const std::string creeping = with("022120", "", " 1. 1. .1 .1\n");
    CHECK(messages(creeping + kEnd).empty());
    CHECK(
        messages(edited(creeping, "201100", "200100") + kEnd) ==
        "a.inp:2:4: T = 0: viscoelastic bodies need a time, and pressure alone has none; accepted: "
        "T = 3, as in CONTACT, T = 1 or 2, or M = 0 with the moduli at once or at rest\n");
    const auto rolling = [&](const char* direction) {
      const std::string rolls = edited(edited(creeping, "201100", "202100"), line,
                                       std::string(" ") + direction + " 1. 3000.\n" + line);
      return messages(rolls + kEnd);
    };
    CHECK(rolling("45d").find("CHI: viscoelastic bodies roll along x or y; accepted: 0, 90d") !=
          std::string::npos);
    CHECK(rolling("90d").find("CHI") == std::string::npos);
    CHECK(messages(with("022420", "", " 100. .1 0. 0.\n") + kEnd).empty());
    CHECK(messages(with("022420", "", " 0. .1 0. 0.\n") + kEnd) ==
          "a.inp:9:2: GG3: '0.' is out of range; accepted: a number > 0\n");
    CHECK(messages(edited(edited(kShiftInput, "201100", "211100"), line, line + " 1e-6\n") + kEnd)
              .empty());
    CHECK(messages(edited(kShiftInput, "022020", "022020 10 GAPWGT") + kEnd).empty());
    CHECK(messages(edited(kShiftInput, "022020", "022020 3") + kEnd) ==
          "a.inp:3:9: GAPWGT, MATER2: there is no M2 = 3; accepted: 0, 1 and 2, or none\n");
    // Damping has a line of its own, behind that of the layer.
    const std::string damped =
        edited(with("022420", "", " 100. .1 0. 0.\n 1. 1. 5. 5.\n"), "022420", "022420 2");
    CHECK(messages(damped + kEnd).empty());
  }

  TEST_CASE("CONTACT messages: what FASTSIM and FaStrip do not take") {
    const std::string sheet = edited(kSteady, "400. 500.\n", "400. 500.\n 1e-6 FLXZ\n");
    CHECK(messages(edited(sheet, "223100", "213100") + kEnd).empty());
    check_messages(
        kSteady,
        {{"223100", "243100",
          "2:3: B = 4: SDEC needs a contact of two half ellipses; accepted: IPOTCN = -6"},
         {"223100", "253100",
          "2:5: N = 1: KPEC and ANALYN start from an approach there; accepted: N = 0"},
         {"223100", "222100",
          "2:4: T = 2: FASTSIM and FaStrip solve steady rolling only; accepted: T = 3, and T = 0 "
          "with B = 0 or 1"},
         {"1. 1. 1.\n", "1. 1.5 1.\n",
          "10:5: ALFAMF: '1.5' is out of range; accepted: a number >= 0 and <= 1"},
         {" 0.3 0.3\n", " 0.3 0.25\n",
          "7:6: FKIN: 0.25 differs from FSTAT, 0.3; accepted: with FASTSIM and FaStrip the same"},
         {" -3\n", " -4\n",
          "11:2: IPOTCN: FASTSIM and FaStrip need a Hertzian ellipse; accepted: -3 to -1, or B = "
          "0, 1, 5 and 6"}});
    std::string slip;
    for (int i = 0; i < 12; ++i) slip += " 0. 1e-3\n";
    CHECK(messages(edited(kSteady, "022320", "022329") + slip + kEnd).empty());
    const std::string strips = edited(kSteady, "022320", "022520");
    CHECK(messages(strips + kEnd).empty());
    CHECK(messages(edited(strips, "223100", "223110") + kEnd).empty());
    CHECK(messages(edited(kSteady, "022320", "022529") + slip + kEnd) ==
          "a.inp:3:7: E = 9: the strips of FaStrip know no slip of single elements; accepted: E "
          "= 0, 2 and 3, or FASTSIM (M = 3)\n");
    const std::string rows = " .3 .3\n .3 .3\n .2 .2\n";
    CHECK(messages(edited(edited(kSteady, "022320", "3022320"), " 0.3 0.3\n", "") + rows + kEnd) ==
          "a.inp:3:2: V = 3: FASTSIM and FaStrip take one coefficient of friction, as in CONTACT; "
          "accepted: V = 0, and the same numbers in each row\n");
  }

  TEST_CASE("CONTACT messages: motion") {
    check_messages(kShiftInput, {{"800. 0.001", "-1. 0.001",
                                  "6:2: FN: '-1.' is out of range; accepted: a number > 0"}});
    std::string slip;
    for (int i = 0; i < 12; ++i) slip += " 0. 1e-3\n";
    CHECK(messages(edited(kShiftInput, "022020", "022029") + slip + kEnd).empty());
    CHECK(messages(edited(kShiftInput, "022020", "022022") + kEnd).empty());
    CHECK(messages(edited(kSteady, "022320", "022322") + kEnd).empty());
    check_messages(edited(kShiftInput, "201100", "201120"),
                   {{"800. 0.001", "800. 1.",
                     "6:7: FX: '1.' is out of range; accepted: a number > -1 and < 1"}});
    check_messages(kSteady, {{"0. 1. 3000.", "0. 0. 3000.",
                              "8:5: DQ: '0.' is out of range; accepted: a number > 0"},
                             {"0. 1. 3000.", "x 1. 3000.",
                              "8:2: CHI: 'x' is not an angle in radians, or in degrees with a d, "
                              "such as 180d"}});
  }

  TEST_CASE("CONTACT messages: friction") {
    const std::string falling = edited(edited(kShiftInput, "022020", "422020"), " 0.3 0.3\n",
                                       " .2 .1 100. 0. 0.\n 0. 1.\n");
    CHECK(messages(falling + kEnd).empty());
    check_messages(falling, {{"100. 0. 0.", "100. .1 0.",
                              "7:16: SABSH2: is not positive; accepted: a number > 0"}});
    check_messages(
        edited(falling, "0. 1.\n", ".001 1.\n"),
        {{".1 100. 0. 0.", ".1 0. 0. 0.", "7:8: SABSH1: is not positive; accepted: a number > 0"}});
    CHECK(messages(edited(falling, "0. 1.\n", ".001 1.\n") + kEnd).empty());
    CHECK(messages(edited(edited(falling, "422020", "322020"), "100. 0. 0.", "100. .1 100.") + kEnd)
              .empty());
    CHECK(messages(edited(edited(kShiftInput, "022020", "622020"), " 0.3 0.3\n",
                          " .3 0. -.1 800.\n 0. 1.\n") +
                   kEnd) ==
          "a.inp:3:2: L = 6: friction depends on temperatures that are not computed; accepted: H = "
          "1 or 3 with T = 3, or L = 0, 2, 3 or 4\n");
    check_messages(kShiftInput,
                   {{" 0.3 0.3\n", " 0.3 0.35\n",
                     "7:6: FKIN: 0.35 differs from FSTAT, 0.3; accepted: a number of at most "
                     "FSTAT"}});
    const std::string rows = edited(edited(kShiftInput, "022020", "2022020"), " 0.3 0.3\n", "");
    const std::string three = " .3 .3\n .3 .3\n .2 .2\n";
    const std::string forces = edited(edited(rows, "201100", "201110"), "800. 0.001", "800. 0.1");
    CHECK(messages(forces + three + kEnd).empty());
    const std::string two_rows =
        "3 module\n 201100\n 2122020\n 0100341\n 800. 0. 0. 0.\n"
        " .2 .2 1. 1.\n 1\n 4 2 -2. -1. 1. 1.\n 1 1\n .01 0. .01 0. 0. 0.\n";
    CHECK(messages(rows + three + two_rows + kEnd) ==
          "a.inp:17:3: L = 1: 3 rows of coefficients stay for 2 rows of elements; accepted: L "
          "other than 1, with a row for each\n");
    CHECK(messages(edited(rows, "2022020", "2422020") +
                   " .2 .1 100. 0. 0.\n .2 .1 100. 0. 0.\n .2 .2 100. 0. 0.\n 0. 1.\n" + kEnd)
              .empty());
    CHECK(messages(edited(edited(forces, "2022020", "3022020"), "201110", "201010") + three + kEnd)
              .empty());
  }

  TEST_CASE("CONTACT messages: grid and geometry") {
    check_messages(
        kShiftInput,
        {{" 1\n 4 3", " 5\n 4 3", "9:2: IPOTCN: there is no 5; accepted: -6 to -1 and 1 to 4"},
         {" 4 3 -2.", " 0 3 -2.",
          "10:2: MX: '0' is out of range; accepted: a number >= 1 and <= 65536"},
         {"-1.5 1. 1.", "-1.5 0. 1.", "10:15: DX: '0.' is out of range; accepted: a number > 0"},
         {" 1\n 4 3 -2. -1.5 1. 1.", " 2\n 4 3 -2. -1.5 2. -1.5",
          "10:18: YH: -1.5 is not above YL; accepted: a number > -1.5"},
         {" 1 1\n", " 4 1\n", "11:2: IBASE: there is no 4; accepted: 1, 2, 3 or 9"},
         {" 1 1\n", " 1 5\n", "11:4: IPLAN: there is no 5; accepted: 1, 2, 3 or 4"}});
    const std::string patches = " 2\n -2. 0. -1.5 1.5\n 1. 2. -1.5 1.5\n";
    const std::string blended = edited(kShiftInput, " 1 1\n", " 1 4\n") + patches;
    CHECK(messages(blended + " 1.\n" + kEnd).empty());
    CHECK(messages(blended + " .5\n" + kEnd).empty());
    CHECK(messages(blended + " 1.5\n" + kEnd) ==
          "a.inp:16:2: weights of the patches: 1.5 is out of range; accepted: 0 (no influence on "
          "each other) to 1 (that of one half-space)\n");
    CHECK(messages(edited(kShiftInput, " 1 1\n", " 1 3\n") + " 0. 1. 0. 1. 0. 1. 2. 1.\n" + kEnd) ==
          "a.inp:13:23: P8: 1 is not above P7; accepted: a number > 2\n");
    const std::string base = " 1 1\n .01 0. .01 0. 0. 0.\n";
    CHECK(messages(edited(kShiftInput, base, " 2 1\n 2 0. 0. -1. 2.\n 0. 0.\n") + kEnd) ==
          "a.inp:12:7: RM: is 0; accepted: a number other than 0\n");
    CHECK(messages(edited(kShiftInput, base, " 3 1\n .1 2. .3 .05 3. .4 50. 0.\n") + kEnd) ==
          "a.inp:12:25: B8: is 0; accepted: a number other than 0\n");
    const std::string surface = " 1\n 4 3 -2. -1.5 1. 1.\n 1 1\n .01 0. .01 0. 0. 0.\n";
    CHECK(messages(edited(kShiftInput, surface, " -6\n 4 3 2. 1. 1. 1.1\n") + kEnd) ==
          "a.inp:9:2: IPOTCN: two half ellipses are a contact of SDEC only; accepted: -5 to -1 and "
          "1 to 4, or B = 4 with FASTSIM (M = 2, 3)\n");
    const std::string approach = edited(kShiftInput, "201100", "201000");
    CHECK(messages(edited(approach, surface, " -4\n 4 3 .01 2. 1.1\n") + kEnd) ==
          "a.inp:2:5: N = 0: a line contact given by Hertz needs a force; accepted: N = 1\n");
    CHECK(messages(edited(edited(approach, surface, " -1\n 4 3 .01 .01 1.1\n"), "800.", "-.1") +
                   kEnd) ==
          "a.inp:6:2: PEN: a Hertzian contact needs a positive approach; accepted: a number > 0\n");
  }

  TEST_CASE("CONTACT messages: what the first case cannot leave to those before it") {
    CHECK(messages(" 3 MODULE\n 203100\n 100000\n 0100341\n 1. 0. 0. 0.\n" + kEnd) ==
          "a.inp:3:2: L: 1 although there is no friction to keep yet; accepted: 0, 2, 3 "
          "or 4\n"
          "a.inp:3:3: D: 0 although there is no potential contact area to keep yet; accepted: "
          "2\n"
          "a.inp:3:4: C: 0 although there is no material to keep yet; accepted: 2\n"
          "a.inp:3:4: C: 0 although there is no rolling step to keep yet; accepted: 2\n"
          "a.inp:3:6: Z: 0 although there is no undeformed distance to keep yet; accepted: "
          "2\n");
    CHECK(
        messages(kShiftInput + " 3 MODULE\n 203100\n 100000\n 0100341\n 800. 0. 0. 0.\n" + kEnd) ==
        "a.inp:15:4: C: 0 although there is no rolling step to keep yet; accepted: 2\n");
    CHECK(
        messages(kShiftInput + " 3 MODULE\n 001100\n 110000\n 0100341\n 800. 0. 0. 0.\n" + kEnd) ==
        "a.inp:15:6: Z: 0 although D states a new potential contact area; accepted: 1 or 2\n");
  }

  TEST_CASE("CONTACT messages: tractions cannot be carried to another grid") {
    const std::string next =
        " 3 MODULE\n 001100\n 100020\n 0100341\n 800. 0.002 0. 0.\n 1 1\n"
        " .01 0. .01 0. 0. .001\n";
    CHECK(messages(kShiftInput + next + kEnd) ==
          "a.inp:14:2: P = 0: continues from the tractions of the case before, but the grid or the "
          "geometry differ; accepted: P = 2, or steps on one grid, with one geometry and the same "
          "bodies\n");
  }

  TEST_CASE("CONTACT messages: digits, words and ends") {
    CHECK(messages(edited(kShiftInput, "201100", "904100") + kEnd) ==
          "a.inp:2:2: P: 9 is not known here; accepted: 0, 1, 2 or 3\n"
          "a.inp:2:4: T: 4 is not known here; accepted: 0, 1, 2 or 3\n");
    CHECK(messages(edited(kShiftInput, "022020", "1022020") + kEnd) ==
          "a.inp:3:2: V: 1 is not known here; accepted: 0, 2 or 3\n");
    CHECK(messages(edited(kShiftInput, "201100", "1201100") + kEnd) ==
          "a.inp:2:2: control digits: has too many digits; accepted: at most 6 of them\n");
    CHECK(messages(edited(kShiftInput, "201100", "2o1100") + kEnd) ==
          "a.inp:2:2: P-B-T-N-F-S: '2o1100' is not an integer\n");
    CHECK(messages(edited(kShiftInput, "800.", "8OO.") + kEnd) ==
          "a.inp:6:2: FN: '8OO.' is not a number\n");
    CHECK(messages(edited(kShiftInput, "800.", "nan") + kEnd) ==
          "a.inp:6:2: FN: 'nan' is not a number\n");
    CHECK(messages(kShiftInput + " 1 MODULE\n 0200100\n") ==
          "a.inp:13:2: MODULE: wheel-rail contact (module 1) has a file of its own; accepted: 3, "
          "the basic contact, and 0 at the end; in a file of its own 1, a wheel on a rail\n");
    CHECK(messages("7 MODULE\n") ==
          "a.inp:1:1: MODULE: there is no 7; accepted: 3, the basic contact, and 0 at the end; in "
          "a file of its own 1, a wheel on a rail\n");
    CHECK(messages("% nothing\n") ==
          "a.inp:2:1: MODULE: the file has no case; accepted: \"3 MODULE\" and the lines of a "
          "case\n");
    CHECK(messages(kShiftInput.substr(0, kShiftInput.find(" 1 1\n"))) ==
          "a.inp:11:1: IBASE, IPLAN: missing, for the file ends here; accepted: a file that ends "
          "with \"0 MODULE\" after its last case\n");
  }
}

}  // namespace slipfield
