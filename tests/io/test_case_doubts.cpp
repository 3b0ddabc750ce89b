// SPDX-License-Identifier: Apache-2.0
// Warnings of what is possible but suspicious, and Hertz's estimate behind them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "io/case/doubts.h"
#include "solver/geometry/hertz_ellipse.h"
#include "solver/plausibility.h"
#include "tests/support/near.h"
#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

// a = 1.0000 mm on elements of 0.1 mm: nothing is suspicious. E* = 115385 N/mm2.
const std::string kRollingCase = R"(schema: 1
units: N-mm-s
bodies:
  upper: {young_modulus: 210000.0, poisson_ratio: 0.3}
  lower: {young_modulus: 210000.0, poisson_ratio: 0.3}
friction: {coefficient: 0.3}
grid: {elements: [26, 26], spacing: [0.1, 0.1]}
geometry: {type: sphere, radius: 100}
normal: {force: 1538.46}
tangential: {problem: transient_rolling, x: {creepage: 0.001}, spin: 0.0001}
)";

std::vector<std::string> warnings_of(const std::string& old_text, const std::string& new_text) {
  std::vector<std::string> warnings =
      test::read_text(old_text.empty() ? kRollingCase
                                       : test::edited(kRollingCase, old_text, new_text))
          .warnings;
  for (std::string& warning : warnings) warning.erase(0, warning.find("case.yaml"));
  return warnings;
}

struct Row {
  std::string old_text;
  std::string new_text;
  std::string says;
};

void check_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    CAPTURE(row.new_text);
    const auto warnings = warnings_of(row.old_text, row.new_text);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find(row.says) != std::string::npos);
  }
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("doubts: an ordinary case is without any") { CHECK(warnings_of("", "").empty()); }

  TEST_CASE("doubts: a step of transient rolling shorter than half the contact has no warning") {
    CHECK(warnings_of("transient_rolling", "transient_rolling, step: 0.9").empty());
    CHECK(warnings_of("transient_rolling, x: {creepage: 0.001}",
                      "transient_rolling, direction: 90, step: 1.2, x: {creepage: 0.001}")
              .size() == 1);
  }

  TEST_CASE("doubts: friction that jumps where a periodic grid repeats it has both numbers") {
    const auto about = [](const std::string& boundary, const std::string& values) {
      return test::warnings_about(
          test::read_text(test::edited(
              test::edited(
                  test::edited(kRollingCase, "spacing: [0.1, 0.1]",
                               "spacing: [0.1, 0.1], origin: [-1.3, -1.3], boundary: " + boundary),
                  "friction: {coefficient: 0.3}",
                  "friction: {coefficient: {y: [-1.3, 0, 1.3], value: " + values + "}}"),
              "spin: 0.0001", "step: 0.1")),
          "friction.coefficient");
    };
    const auto ramp = about("periodic_y", "[0.2, 0.3, 0.4]");
    REQUIRE(ramp.size() == 1);
    CHECK(ramp[0].find("friction.coefficient: a periodic grid repeats these coefficients in y, and "
                       "they jump from 0.3962 to 0.2038 at the edge.") != std::string::npos);
    CHECK(about("periodic_y", "[0.2, 0.3, 0.2]").empty());
    CHECK(about("free", "[0.2, 0.3, 0.4]").empty());
  }

  TEST_CASE("doubts: a rotation on a periodic grid turns about a point that repeats") {
    const auto about = [](const std::string& motion) {
      const std::string periodic = test::edited(kRollingCase, "spacing: [0.1, 0.1]",
                                                "spacing: [0.1, 0.1], boundary: periodic");
      return test::warnings_about(
          test::read_text(test::edited(
              periodic, "problem: transient_rolling, x: {creepage: 0.001}, spin: 0.0001", motion)),
          "tangential.rotation");
    };
    CHECK(about("problem: shift, x: {shift: 0.001}, rotation: 0.0001").size() == 1);
    CHECK(about("problem: shift, x: {shift: 0.001}").empty());
  }

  TEST_CASE("doubts: a layer that keeps its volume needs elements no longer than it is thick") {
    const std::string body = "lower: {young_modulus: 210000.0, poisson_ratio: 0.3}";
    const auto about = [&](const std::string& layer) {
      return test::warnings_about(test::read_text(test::edited(kRollingCase, body, layer)),
                                  "grid.elements");
    };
    const auto glued = about("lower: {young_modulus: 3.0, poisson_ratio: 0.49, thickness: 0.05}");
    REQUIRE(glued.size() == 1);
    CHECK(glued[0].find("grid.elements: an element is 0.1 mm long, and the layer of the lower "
                        "body, which keeps its volume on a base far stiffer, is 0.05 mm thick") !=
          std::string::npos);
    CHECK(about("lower: {young_modulus: 3.0, poisson_ratio: 0.49, thickness: 0.1}").empty());
    CHECK(about("lower: {young_modulus: 3.0, poisson_ratio: 0.48, thickness: 0.05}").empty());
    const std::string on =
        ", poisson_ratio: 0.3, coating: {young_modulus: 300.0, poisson_ratio: 0.5, thickness: "
        "0.05}}";
    CHECK(about("lower: {young_modulus: 210000.0" + on).size() == 1);
    CHECK(about("lower: {young_modulus: 9000.0" + on).empty());  // 30 times as stiff: 1 % off
  }

  TEST_CASE("doubts: each suspicious number has one warning, at its place") {
    check_rows({
        {"friction: {coefficient: 0.3}", "friction: {coefficient: 30}",
         "case.yaml:6:25: friction.coefficient: 30 is above 1.5"},
        {"creepage: 0.001", "creepage: -0.5",
         "tangential.x.creepage: -0.5 is above 0.1. Is it in percent?"},
        {"spin: 0.0001", "spin: 0.6",
         "tangential.spin: 0.6 rad/mm is beyond 1/length of the contact, 0.5 rad/mm"},
        {"spin: 0.0001", "direction: 1.5708",
         "1.5708 degrees looks like radians. In degrees it is"},
        {"spin: 0.0001", "direction: -0.785", "looks like radians"},
        {"spin: 0.0001", "direction: 3.14159", "looks like radians"},
        {"transient_rolling", "transient_rolling, step: 1.5",
         "tangential.step: the bodies roll 1.5 mm in a step, 0.75 times the length of the contact, "
         "about 2 mm, so that"},
        {"transient_rolling", "steady_rolling, step: 0.01",
         "tangential.step: steady rolling in steps of 0.01 mm, 0.1 of an element, takes many"},
        {"[26, 26], spacing: [0.1, 0.1]", "[26, 8], spacing: [0.1, 0.33]",
         "grid.elements: about 6.1 elements across the contact in y (Hertz)"},
    });
    const std::string wears = "spin: 0.0001}\nwear: {law: archard, coefficient: 1e-4, hardness: ";
    check_rows({
        {"spin: 0.0001}", wears + "3e9}",
         ": wear.hardness: 3e+09 N/mm^2 is 1.4e+04 times a Young's modulus, 210000 N/mm^2"},
        {"spin: 0.0001}", wears + "3}", ": wear.hardness: 3 N/mm^2 is 1.4e-05 times"},
        {"spin: 0.0001}", "spin: 0.0001}\nfatigue: {shear_yield: 3.0e+8}",
         ": fatigue.shear_yield: 3e+08 N/mm^2 is"},
        {"spin: 0.0001}",
         "spin: 0.0001}\nlayer: {thickness: 0.01, shear_modulus: 8000, yield_stress: 1.0e+8}",
         ": layer.yield_stress: 1e+08 N/mm^2 is"},
        {"friction: {coefficient: 0.3}", "friction: {shear_strength: 5.0e+6}",
         ": friction.shear_strength: 5e+06 N/mm^2 is"},
    });
    const auto pressed = warnings_of("normal: {force: 1538.46}", "normal: {force: 8.0e+6}");
    REQUIRE(pressed.size() == 2);  // and the contact is longer than the grid
    CHECK((pressed[0] + pressed[1])
              .find("normal.force: the greatest pressure, about 1.273e+04 N/mm^2, is 0.11 of") !=
          std::string::npos);
  }

  TEST_CASE(
      "doubts: shapes that do not continue across the edge of a periodic grid, in each direction") {
    const std::string grid = "grid: {elements: [26, 26], spacing: [0.1, 0.1]}";
    const std::string periodic =
        "grid: {elements: [26, 26], spacing: [0.1, 0.1], boundary: periodic}";
    const std::string start = test::edited(
        test::edited(kRollingCase, grid, periodic),
        "tangential: {problem: transient_rolling, x: {creepage: 0.001}, spin: 0.0001}\n", "");
    const auto about = [&](const std::string& shape) {
      return test::warnings_about(
          test::read_text(test::edited(start, "{type: sphere, radius: 100}", shape)), "geometry");
    };
    const auto sphere = about("{type: sphere, radius: 100}");
    REQUIRE(sphere.size() == 2);
    CHECK(sphere[0].find("a periodic grid repeats this curved shape every 2.6 mm in x, and its "
                         "slope jumps by 0.026 at the edge") != std::string::npos);
    CHECK(about("{type: cylinder, radius: 100}").size() == 1);
    CHECK(about("{type: ellipsoid, radii: [100, 50]}").size() == 2);
    CHECK(about("{type: quadratic, yy: 0.005}").size() == 1);
    const auto tilted = about("{type: quadratic, x: 0.01}");
    REQUIRE(tilted.size() == 1);
    CHECK(tilted[0].find("has a step of 0.026 mm at the edge, as a tilt makes") !=
          std::string::npos);
    CHECK(about("{type: rough, hurst: 0.8, rms_height: 0.001, wavelengths: [0.3, 2], seed: 1}")
              .empty());
    CHECK(about("{type: quadratic, constant: 0.1}").empty());
    const auto profile = about("{type: profile, y: [-1.3, 0, 1.3], z: [0, 0.01, 0.02]}");
    REQUIRE(profile.size() == 1);
    CHECK(profile[0].find("every 2.6 mm in y, and it has a step of 0.0192 mm") !=
          std::string::npos);
    const auto curved =
        about("{type: profile, y: [-1.3, -0.6, 0.6, 1.3], z: [0.00845, 0.0018, 0.0018, 0.00845]}");
    REQUIRE(curved.size() == 1);  // y^2/200, whose slope turns by 24 elements' from line to line
    CHECK(curved[0].find("every 2.6 mm in y, and its slope jumps by 0.024") != std::string::npos);
    CHECK(about("{type: profile, y: [-1.3, -0.65, 0, 0.65, 1.3], z: [0.01, 0.005, 0, 0.005, 0.01]}")
              .empty());  // also a kink within
  }

  TEST_CASE("doubts: two rough surfaces of one seed are one, unless their waves differ") {
    const auto warned = [](const std::string& more) {
      const std::string text = test::edited(
          test::edited(kRollingCase, "geometry: {type: sphere, radius: 100}",
                       "geometry: [{type: rough, hurst: 0.8, rms_height: 0.001, wavelengths: [0.3, "
                       "0.9], seed: 1}, {type: rough, hurst: 0.8, rms_height: 0.001, " +
                           more + "}]"),
          "tangential: {problem: transient_rolling, x: {creepage: 0.001}, spin: 0.0001}", "");
      const auto warnings = test::read_text(text).warnings;
      return std::ranges::count_if(warnings, [](const std::string& warning) {
        return warning.find("two rough surfaces with the seed 1 have the same phases") !=
               std::string::npos;
      });
    };
    CHECK(warned("wavelengths: [0.5, 2], seed: 1") == 1);
    CHECK(warned("wavelengths: [0.9, 2], seed: 1") == 0);
    CHECK(warned("wavelengths: [0.5, 2], seed: 2") == 0);
  }

  TEST_CASE("doubts: heights that are tilted on a periodic grid, or in another unit") {
    const test::TemporaryFolder folder;
    constexpr int kCount = 32;
    const auto warned = [&](const std::string& boundary, auto height) {
      std::string text;
      for (int iy = 0; iy < kCount; ++iy)
        for (int ix = 0; ix < kCount; ++ix)
          text += std::to_string(height(ix, iy)) + (ix + 1 < kCount ? " " : "\n");
      folder.write("h.txt", text);
      const CaseFile file =
          read_case(folder.write("case.yaml",
                                 "schema: 1\nunits: N-mm-s\nbodies:\n"
                                 "  upper: {young_modulus: 210000.0, poisson_ratio: 0.3}\n"
                                 "  lower: {young_modulus: 210000.0, poisson_ratio: 0.3}\n"
                                 "grid: {elements: [32, 32], spacing: [0.05, 0.05], boundary: " +
                                     boundary +
                                     "}\ngeometry: {type: heights, file: h.txt, of: upper}\n"
                                     "normal: {force: 1}\n"));
      std::string all;
      for (const std::string& warning : test::warnings_about(file, "geometry")) all += warning;
      return all;
    };
    const auto wave = [](int ix, int iy) {
      constexpr double kTurn = 2.0 * std::numbers::pi / kCount;
      return 0.001 * std::cos(kTurn * ix) * std::cos(2.0 * kTurn * iy);
    };
    CHECK(warned("periodic", wave).empty());
    CHECK(warned("free", wave).empty());
    const auto tilted = [&](int ix, int iy) { return wave(ix, iy) + 0.001 * iy; };
    // From the last row to the first, .001 times 31.
    CHECK(warned("periodic", tilted)
              .find("every 1.6 mm in y, and it has a step of 0.031 mm at the "
                    "edge") != std::string::npos);
    CHECK(warned("free", tilted)
              .find("the heights are tilted: their mean plane rises by 0.031 mm over the grid, and "
                    "the root mean square about it is 0.0005 mm") != std::string::npos);
    const auto level = [&](int ix, int iy) { return wave(ix, iy) + 0.0001 * iy; };
    CHECK(warned("free", level).empty());
    const auto sphere = [&](int ix, int iy) {
      return wave(ix, iy) - 1.0e-4 * (std::pow(ix - 15.5, 2) + std::pow(iy - 15.5, 2));
    };
    const std::string curved = warned("periodic", sphere);
    CHECK(curved.find("this curved shape every 1.6 mm in x, and its slope jumps by") !=
          std::string::npos);
    CHECK(curved.find("this curved shape every 1.6 mm in y, and its slope jumps by") !=
          std::string::npos);
    CHECK(warned("free", sphere).empty());
    const auto in_micrometres = [&](int ix, int iy) { return 1000.0 * wave(ix, iy); };
    CHECK(warned("free", in_micrometres)
              .find("the heights range over 2 mm, on a grid that is 1.6 mm "
                    "wide") != std::string::npos);
    const auto steep = [](int ix, int iy) { return 0.1 * ((ix + iy) % 2); };
    CHECK(warned("free", steep).find("half of the heights' slopes are above 2.83") !=
          std::string::npos);
  }

  TEST_CASE("doubts: a fill value among a profile's heights, not among its places") {
    const test::TemporaryFolder folder;
    const auto warned = [&](const std::string& points) {
      const auto path = folder.write("points.txt", points);
      return test::warnings_about(
          test::read_text(
              test::edited(kRollingCase, "{type: sphere, radius: 100}",
                           "{type: profile, file: " + path.string() + ", curvature_x: 0.01}")),
          "geometry.file");
    };
    const auto found = warned("-9999 0.02\n-1 0.01\n0 0\n1 -9999\n2 0.01\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].find("the value -9999 in 1 place, first in row 4, column 2, lies far from all "
                        "others (0 to 0.02)") != std::string::npos);
    CHECK(warned("-9999 0.02\n-1 0.01\n0 0\n1 0.01\n2 0.01\n").empty());
  }

  TEST_CASE(
      "doubts: a pressure above 10 GPa, in either system of units, where E* is greater still") {
    // p_max = 15 GPa is less than a tenth of E* = 385 GPa.
    const auto pressed = [](const std::string& units, const std::string& modulus,
                            const std::string& force, const std::string& length) {
      return test::warnings_about(
          test::read_text(
              "schema: 1\nunits: " + units + "\nbodies:\n  upper: {young_modulus: " + modulus +
              ", poisson_ratio: 0.3}\n  lower: {young_modulus: " + modulus +
              ", poisson_ratio: 0.3}\ngrid: {elements: [26, 26], spacing: [" + length + ", " +
              length + "]}\ngeometry: {type: hertz, semi_axes: [1" +
              (units == "SI" ? "e-3, 1e-3" : ", 1") + "]}\nnormal: {force: " + force + "}\n"),
          "normal.force");
    };
    const auto mm = pressed("N-mm-s", "7.0e+5", "31416", "0.1");
    REQUIRE(mm.size() == 1);
    CHECK(mm[0].find("normal.force: the greatest pressure, about 1.5e+04 N/mm^2, is 15 GPa, above "
                     "the 10 GPa") != std::string::npos);
    const auto si = pressed("SI", "7.0e+11", "31416", "1.0e-4");
    REQUIRE(si.size() == 1);
    CHECK(si[0].find("is 15 GPa, above the 10 GPa") != std::string::npos);
    CHECK(pressed("N-mm-s", "7.0e+5", "18850", "0.1").empty());  // 9 GPa
    // In a log, which has no case to look at, the section stands for force and approach.
    CHECK(doubt_text({.doubt = Doubt::extreme_pressure, .value = 1.5e4}, Units::n_mm_s)
              .starts_with("normal: the greatest pressure, 1.5e+04"));
  }

  TEST_CASE(
      "doubts: heights that range over far more than the contact, or what the bodies approach") {
    ContactProblem problem;
    problem.upper = problem.lower = {80000.0, 0.3};
    problem.grid.mx = problem.grid.my = 2;
    problem.grid.dx = problem.grid.dy = 100.0;
    StepReport report;
    report.elements_contact = 1;
    report.approach = 0.001;
    const auto found = [&](HeightsOf of, std::vector<double> values) {
      problem.geometry = {HeightsShape{of, std::move(values)}};
      for (const Finding& finding : doubts_after(problem, StepInput(), report))
        if (finding.doubt == Doubt::scattered_summits) return finding.value / finding.limit;
      return 0.0;
    };
    CHECK(found(HeightsOf::upper, {0.0, -5.0, 0.01, 0.02}) == test::near(5020.0));
    CHECK(found(HeightsOf::distance, {-0.002, 3.0, 0.0, 0.1}) == test::near(3.002 / 0.003));
    CHECK(found(HeightsOf::upper, {0.0, 0.9, 0.01, 0.02}) == 0.0);
    CHECK(found(HeightsOf::upper, {0.0, -9999.0, 0.01, 0.02}) == 0.0);  // more than the grid
    problem.grid.mx = 8;
    problem.grid.my = 8;
    problem.grid.dx = problem.grid.dy = 0.1;  // one element is as large as a circle .1128 mm wide
    CHECK(found(HeightsOf::upper, {0.0, 0.6, 0.01, 0.02}) ==
          test::near(0.6 / (0.2 / std::sqrt(std::numbers::pi))));
    CHECK(found(HeightsOf::upper, {0.0, 0.5, 0.01, 0.02}) == 0.0);
  }

  TEST_CASE("doubts: radians are doubted where they are typed, not where degrees are small") {
    for (const char* degrees : {"0", "1", "2", "5", "90", "45.0", "180"}) {
      CAPTURE(degrees);
      CHECK(warnings_of("spin: 0.0001", std::string("direction: ") + degrees).empty());
    }
  }

  TEST_CASE("doubts: moduli in another unit, in either system, and one rigid body is none") {
    const std::string steel = "upper: {young_modulus: 210000.0";
    const auto soft = warnings_of(steel, "upper: {young_modulus: 0.21");
    REQUIRE_FALSE(soft.empty());
    CHECK(soft[0].find(
              "bodies.upper.young_modulus: a Young's modulus of 0.21 N/mm^2 is below 1 MPa") !=
          std::string::npos);
    CHECK(warnings_of(steel, "upper: {young_modulus: 2.1e+11").empty());
    // A polymer on a body stiffer than any, by a thousand.
    std::string rigid = test::edited(kRollingCase, steel, "upper: {young_modulus: 2000.0");
    rigid = test::edited(rigid, "lower: {young_modulus: 210000.0", "lower: {young_modulus: 2.0e+6");
    for (const std::string& warning : test::read_text(rigid).warnings)
      CHECK(warning.find("is a thousandth of") == std::string::npos);
    const auto mixed = warnings_of(steel, "upper: {young_modulus: 210.0");
    REQUIRE_FALSE(mixed.empty());
    CHECK(mixed[0].find("is a thousandth of") != std::string::npos);
    std::string text = test::edited(kRollingCase, steel, "upper: {young_modulus: 2.1e+11");
    text = test::edited(text, "lower: {young_modulus: 210000.0", "lower: {shear_modulus: 8.2e+10");
    const auto warnings = test::read_text(text).warnings;
    REQUIRE(warnings.size() >= 2);
    CHECK(warnings[0].find("4:26: bodies.upper.young_modulus") != std::string::npos);
    CHECK(warnings[0].find("above 10 TPa. Is it in Pa?") != std::string::npos);
    CHECK(warnings[1].find("5:26: bodies.lower.shear_modulus") != std::string::npos);
  }

  TEST_CASE("doubts: p_max above E*/10 and a contact near the radius are of one wrong length") {
    const auto warnings = warnings_of("radius: 100", "radius: 0.1");
    REQUIRE(warnings.size() == 3);  // and the contact has less than 8 elements
    const std::string all = warnings[0] + warnings[1] + warnings[2];
    CHECK(all.find("geometry: the contact's semi-axis in x, about 0.1 mm (Hertz), is 1 of the "
                   "radius 0.1 mm") != std::string::npos);
    CHECK(all.find("of the contact modulus E*, 1.154e+05") != std::string::npos);
  }

  TEST_CASE("doubts: an approach above the lowest point makes no contact") {
    check_rows(
        {{"normal: {force: 1538.46}", "normal: {approach: -0.01}",
          "normal.approach: -0.01 mm does not reach the lowest point of the geometry, 0 mm"}});
  }

  TEST_CASE("doubts: a contact beyond the grid has both lengths, where an element is missing") {
    const std::string grid = "grid: {elements: [26, 26], spacing: [0.1, 0.1]";
    const auto placed = [&](const char* numbers) {  // the contact is 2.0000 mm long
      return warnings_of(grid, std::string("grid: ") + numbers);
    };
    CHECK(placed("{elements: [20, 26], spacing: [0.1, 0.1]").empty());
    CHECK(placed("{elements: [20, 26], spacing: [0.1, 0.1], origin: [-0.97, -1.3]").empty());
    const auto short_in_x = placed("{elements: [18, 26], spacing: [0.1, 0.1]");
    REQUIRE(short_in_x.size() == 1);
    CHECK(short_in_x[0].find("grid.elements: the contact is about 2 mm long in x (Hertz), and the "
                             "grid covers 1.8 mm of it") != std::string::npos);
    const auto aside = placed("{elements: [26, 26], spacing: [0.1, 0.1], origin: [-1.3, -0.2]");
    REQUIRE(aside.size() == 1);
    CHECK(aside[0].find("2 mm long in y (Hertz), and the grid covers 1.2 mm") != std::string::npos);
    const auto beside = placed("{elements: [26, 26], spacing: [0.1, 0.1], origin: [7, -1.3]");
    REQUIRE(beside.size() == 1);
    CHECK(beside[0].find("the contact, about 2 mm long in x (Hertz), lies outside the grid") !=
          std::string::npos);
  }

  TEST_CASE("doubts: slip of elements that the simplified theory's friction does not see") {
    const std::string rolling =
        "tangential: {problem: transient_rolling, x: {creepage: 0.001}, spin: 0.0001}";
    std::string extra = "0.002";
    for (int i = 1; i < 26 * 26; ++i) extra += i == 5 ? ", -0.004" : ", 0";
    const std::string motion =
        "tangential: {problem: steady_rolling, x: {creepage: 0.001}, velocity: 1000, extra_y: [" +
        extra + "]}\n";
    const auto warned = [&](const std::string& more) {
      std::vector<std::string> found;
      for (const std::string& w : warnings_of(rolling, motion + more))
        if (w.find("tangential.extra_y: up to 0.004") != std::string::npos) found.push_back(w);
      return found.size();
    };
    CHECK(warned("solver: {tangential: fastsim}") == 0);
    CHECK(warned("solver: {tangential: fastsim, slope: {rest: 0.5, decay: 1}}") == 1);
    CHECK(warned("solver: {tangential: fastsim, slope: {initial: 0.5, decay: 1}}") == 0);
    CHECK(warned("solver: {tangential: fastsim, slope: {rest: 0.5}}") == 0);
    CHECK(warned("solver: {tangential: newton}") == 0);
  }

  TEST_CASE("doubts: a load that grows is judged by its greatest contact, a number by its step") {
    const auto warned = [](const std::string& first) {
      return test::read_text(kRollingCase + "steps:\n  - {normal: {force: " + first +
                             "}}\n  - {normal: {force: 1538.46}}\n"
                             "  - {friction: {coefficient: 3}}\n")
          .warnings;
    };
    const auto warnings = warned("0.001");
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find("steps.2.friction.coefficient: 3 is above 1.5") != std::string::npos);
    const auto unloaded = [](const std::string& last) {
      return test::read_text(kRollingCase +
                             "steps:\n  - {normal: {force: 1538.46}}\n"
                             "  - {normal: {force: " +
                             last + "}}\n")
          .warnings;
    };
    CHECK(unloaded("20").empty());  // 4.7 elements across, where 8 are wanted
    REQUIRE(unloaded("0.3").size() == 1);
    CHECK(unloaded("0.3")[0].find("grid.elements: about 1.2 elements across") != std::string::npos);
  }

  TEST_CASE("doubts: a sweep has one warning of each, with the first point") {
    const std::string sweep =
        "sweep:\n  - {key: friction.coefficient, values: [0.1, 2, 3, 4]}\n"
        "  - {key: tangential.x.creepage, from: 0.01, to: 0.3, points: 30}\n";
    const auto warnings = test::read_text(kRollingCase + sweep).warnings;
    REQUIRE(warnings.size() == 2);
    CHECK(warnings[0].find("(first in point 11 of the sweep, friction.coefficient = 0.1, "
                           "tangential.x.creepage = 0.11") != std::string::npos);
    CHECK(warnings[0].ends_with("; in 80 of 120 points)"));
    CHECK(warnings[1].ends_with("; in 90 of 120 points)"));
    CHECK(warnings[1].find("2 is above 1.5") != std::string::npos);
    CHECK(warnings[1].find("(first in point 31 of the sweep") != std::string::npos);
  }

  TEST_CASE(
      "doubts: solved steps are compared with the same limits where Hertz's formulas do not hold") {
    ContactProblem problem = test::read_text(kRollingCase).problem;
    const StepInput& step = problem.steps.front();
    StepReport report;
    report.elements_contact = 317;  // pi/4 20^2
    CHECK(doubts_after(problem, step, report).empty());
    report.elements_contact = 1;
    REQUIRE(doubts_after(problem, step, report).size() == 1);
    CHECK(doubts_after(problem, step, report)[0].doubt == Doubt::one_element);
    report.elements_contact = 0;
    REQUIRE(doubts_after(problem, step, report).size() == 1);
    CHECK(doubts_after(problem, step, report)[0].doubt == Doubt::no_contact);
    problem.geometry = {HeightsShape{}};  // no paraboloid
    report.elements_contact = 40;         // 7.1 across
    report.max_pressure = 12000.0;        // 0.104 E*
    report.rotation = 2.0;
    std::vector<Doubt> found;
    for (const Finding& finding : doubts_after(problem, step, report))
      found.push_back(finding.doubt);
    CHECK(found ==
          std::vector<Doubt>{Doubt::few_elements, Doubt::high_pressure, Doubt::large_spin});
  }

  TEST_CASE("doubts: heat of the elements' slip is compared with what the forces dissipate") {
    ContactProblem problem = test::read_text(test::edited(kRollingCase, "transient_rolling",
                                                          "steady_rolling, velocity: 1000"))
                                 .problem;
    StepInput& step = problem.steps.front();
    StepReport report;
    report.elements_contact = 317;
    report.force_x = -100.0;
    report.rigid_x = 0.001;  // .1 N of T-gamma, 100 N mm/s
    report.friction_work = -0.05 * step.tangential.step;
    CHECK(doubts_after(problem, step, report).empty());  // without heat
    problem.surface.heat.emplace();
    const std::vector<Finding> found = doubts_after(problem, step, report);
    REQUIRE(found.size() == 1);
    CHECK(found[0].doubt == Doubt::coarse_heat);
    CHECK(found[0].value == test::near(50.0));
    CHECK(found[0].limit == test::near(100.0));
    report.friction_work *= 1.9;
    CHECK(doubts_after(problem, step, report).empty());
    report.friction_work /= 1.9;
    // The work in a layer that yields counts on both sides; second_order takes no layer.
    problem.layer.yield_stress = 100.0;
    const std::vector<Finding> yielding = doubts_after(problem, step, report);
    REQUIRE(yielding.size() == 1);
    CHECK(yielding[0].limit == test::near(100.0));
    CHECK(doubt_text(yielding[0], Units::n_mm_s).ends_with("those of the slip. A finer grid"));
    problem.layer = {};
    // The simplified theory has no second_order to ask for, and no work of unlike bodies.
    problem.upper.shear_modulus *= 0.5;  // tractions do work on what the pressure displaces
    report.given_to_bodies = 0.05;
    CHECK(doubts_after(problem, step, report).empty());
    report.given_to_bodies = -0.05;
    const std::vector<Finding> unlike = doubts_after(problem, step, report);
    REQUIRE(unlike.size() == 1);
    CHECK(unlike[0].limit == test::near(150.0));
    problem.surface.heat.reset();
    problem.surface.wear.emplace();  // is by the forces
    CHECK(doubts_after(problem, step, report).empty());
    problem.surface.wear.reset();
    problem.surface.heat.emplace();
    report.given_to_bodies.reset();
    problem.solver.tangential = TangentialMethod::fastsim;
    const std::vector<Finding> simplified = doubts_after(problem, step, report);
    REQUIRE(simplified.size() == 1);
    CHECK(doubt_text(simplified[0], Units::n_mm_s).ends_with("those of the slip. A finer grid"));
    CHECK(doubt_text(found[0], Units::n_mm_s)
              .ends_with("solver.rolling: second_order, or a finer grid"));
  }

  TEST_CASE("doubts: layers of a body that heats conduct as it does") {
    const auto doubts = [](const std::string& coating) {
      std::string text = test::edited(kRollingCase, "spin: 0.0001", "velocity: 1000");
      text = test::edited(text, "  lower: {young_modulus: 210000.0, poisson_ratio: 0.3}",
                          "  lower: {young_modulus: 210000.0, poisson_ratio: 0.3" + coating + "}");
      const std::string body = "{conductivity: 0.05, capacity: 450, density: 7.85e-6}";
      text += "heat: {upper: " + body + ", lower: " + body + "}\n";
      return test::read_text(text).warnings;
    };
    CHECK(doubts("").empty());
    const auto warnings =
        doubts(", coating: {young_modulus: 210000.0, poisson_ratio: 0.3, thickness: 0.02}");
    REQUIRE(warnings.size() == 1);
    CHECK(
        warnings[0].find("heat.lower: the layers on this body, 0.02 mm together, conduct as it") !=
        std::string::npos);
  }

  TEST_CASE("doubts: surfaces that keep dents come apart before the approach is back at 0") {
    ContactProblem problem = test::read_text(kRollingCase).problem;
    StepReport report;
    report.approach = 0.002;
    const auto text = [&] {
      const auto found = doubts_after(problem, problem.steps.front(), report);
      REQUIRE(found.size() == 1);
      CHECK(found[0].doubt == Doubt::no_contact);
      return doubt_text(found[0], Units::n_mm_s);
    };
    CHECK(text().ends_with("or a grid over the place where the bodies are nearest"));
    const std::string dented = "come apart at a greater approach than the one at which they met";
    CHECK(text().find(dented) == std::string::npos);
    ContactProblem hard = problem;
    hard.upper.hardness = 1000.0;
    std::swap(problem, hard);
    CHECK(text().find(dented) != std::string::npos);
    std::swap(problem, hard);
    problem.lower.creep = {{1.0e-6, 1.0}};
    CHECK(text().find(dented) != std::string::npos);
    CHECK(text().ends_with("or a grid over the place where the bodies are nearest"));
    // Elsewhere the undeformed bodies are apart as well, and no dent is needed for that.
    problem.grid.x0 += 10.0;
    CHECK(text().find(dented) == std::string::npos);
    problem.grid.x0 -= 10.0;
    problem.grid.boundary = Boundary::periodic;
    CHECK(text().find(dented) != std::string::npos);
    CHECK(text().ends_with("below the mean of the undeformed distance"));
  }

  TEST_CASE("doubts: a tolerance that nothing is solved to has no effect") {
    ContactProblem problem = test::read_text(kRollingCase).problem;
    const auto idle = [&] {
      return std::ranges::count(doubts_before(problem), Doubt::idle_tolerance, &Finding::doubt);
    };
    problem.solver.tolerance = 1e-4;
    CHECK(idle() == 0);
    problem.solver.tangential = TangentialMethod::fastsim;
    CHECK(idle() == 1);
    problem.solver.normal = NormalMethod::bound_cg;
    CHECK(idle() == 0);
    problem.solver.normal = NormalMethod::automatic;
    problem.steps[0].tangential.x.control = TangentialControl::force;
    CHECK(idle() == 0);
    problem.steps[0].tangential.x.control = TangentialControl::rigid;
    problem.solver.tolerance = SolverSettings().tolerance;
    CHECK(idle() == 0);
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("Hertz's estimate is that of a sphere [Johnson1985, ch. 4], shifted with its summit") {
    const double modulus = 210000.0 / (2.0 * (1.0 - 0.09));  // E*
    ContactProblem problem = test::read_text(kRollingCase).problem;
    const auto sphere = hertz_estimate(problem, problem.steps.front().normal);
    REQUIRE(sphere);
    const double a = std::cbrt(0.75 * 1538.46 * 100.0 / modulus);
    CHECK(sphere->semi_axis_x == test::near(a, 1e-12));  // closed form
    CHECK(sphere->semi_axis_y == test::near(a, 1e-12));
    CHECK(sphere->approach == test::near(a * a / 100.0, 1e-12));
    CHECK(sphere->max_pressure == test::near(1.5 * 1538.46 / (std::numbers::pi * a * a), 1e-12));
    // The same paraboloid about (0.2, -0.1), 0.5 higher, under the approach that gives that force.
    problem.geometry = {QuadraticShape{0.005, 0.0, 0.005, -0.002, 0.001, 0.50025}};
    const auto moved = hertz_estimate(problem, {NormalControl::approach, 0.5 + a * a / 100.0});
    REQUIRE(moved);
    CHECK(moved->centre_x == test::near(0.2));
    CHECK(moved->centre_y == test::near(-0.1));
    CHECK(moved->semi_axis_x == test::near(a, 1e-9));  // the approach cancels 0.5
    CHECK(moved->approach == test::near(0.5 + a * a / 100.0));
  }

  TEST_CASE("Hertz's estimate of a cylinder takes the force per length of the grid") {
    ContactProblem problem = test::read_text(kRollingCase).problem;
    problem.geometry = {CylinderShape{100.0, CylinderAxis::y}};
    const auto line = hertz_estimate(problem, {NormalControl::force, 1000.0});
    REQUIRE(line);
    const double modulus = 210000.0 / (2.0 * (1.0 - 0.09));
    const double a = std::sqrt(4.0 * (1000.0 / 2.6) * 100.0 / (std::numbers::pi * modulus));
    CHECK(line->is_line());
    CHECK(line->semi_axis_x == test::near(a, 1e-12));  // closed form
    CHECK(line->max_pressure == test::near(2.0 * (1000.0 / 2.6) / (std::numbers::pi * a), 1e-12));
    CHECK_FALSE(hertz_estimate(problem, {NormalControl::approach, 0.01}));
    problem.geometry.push_back(QuadraticShape{0.0, 0.0, 0.0, 0.0, 0.1, 0.0});  // tilted
    CHECK_FALSE(hertz_estimate(problem, {NormalControl::force, 1000.0}));
  }

  TEST_CASE("doubts: a long shift of viscoelastic bodies is doubted, one that is held is not") {
    const auto warnings = [](const std::string& normal, const std::string& steps) {
      const std::string text =
          test::edited(test::edited(test::edited(kRollingCase, "poisson_ratio: 0.3}\nfriction",
                                                 "poisson_ratio: 0.3, viscoelastic: {ratio: 1.5, "
                                                 "creep_time: 2}}\nfriction"),
                                    "{force: 1538.46}", normal),
                       "{problem: transient_rolling, x: {creepage: 0.001}, spin: 0.0001}",
                       "{problem: shift, duration: 1e-9}\nsteps:\n  - {}\n" + steps);
      return test::read_text(text).warnings;
    };
    const std::string force = "{force: 1538.46}";
    const std::string approach = "{approach: 0.005}";
    const std::string hold = "  - {tangential: {duration: 4}}\n";
    const std::string slide = "  - {tangential: {duration: 4, x: {shift: 0.0001}}}\n";
    CHECK(warnings(force, hold).empty());
    CHECK(warnings(approach, hold).empty());
    // A force along the surface that rises meanwhile: the normal force is then spread over the step
    // as well, and in the middle 4 % of the pressure are missing (498.6 for 519.3 in 64 steps).
    const auto pulled = warnings(force, "  - {tangential: {duration: 4, x: {force: 10}}}\n");
    REQUIRE(pulled.size() == 1);
    CHECK(pulled[0].find("the pressure in its middle may be off by 3.9 %") != std::string::npos);
    CHECK(warnings(approach, "  - {tangential: {duration: 0.1, x: {shift: 0.0001}}}\n").empty());
    // One body of two creeps, which adds 0.75 to the compliance of both. The contact stays as it is
    // at a held approach, and grows under a held force.
    CHECK(warnings(approach, slide).empty());
    const std::string short_slide = "  - {tangential: {duration: 0.02, x: {shift: 0.0001}}}\n";
    CHECK(warnings(force, short_slide).empty());
    const auto found = warnings(force, slide);
    REQUIRE(found.size() == 2);
    CHECK(found[0].find("the force may be off by") != std::string::npos);
    CHECK(found[1].find("the pressure in its middle may be off by") != std::string::npos);
    const std::string both =
        "  - {normal: {force: 1600}, tangential: {duration: 4, x: {shift: 0.0001}}}\n";
    CHECK(warnings(force, both).size() == 2);
    const auto pressed = [&](const std::string& duration) {
      return warnings("{approach: 0.001}",
                      "  - {normal: {approach: 0.005}, tangential: {duration: " + duration + "}}\n")
          .size();
    };
    CHECK(pressed("4") == 1);
    CHECK(pressed("0.02") == 0);
    // A step that starts from much has little of it left to be wrong.
    CHECK(
        warnings(approach, "  - {normal: {approach: 0.006}, tangential: {duration: 4}}\n").empty());
  }
}

}  // namespace slipfield
