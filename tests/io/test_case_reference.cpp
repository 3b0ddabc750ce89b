// SPDX-License-Identifier: Apache-2.0
// io/CASE.md against the reader: an unknown key in a section makes the reader name all keys that it
// knows there.
#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "tests/support/test_case_support.h"

namespace slipfield {
namespace {

using Keys = std::set<std::string>;

// The keys in the first column of the table under "## section".
Keys documented(const std::string& section) {
  std::ifstream file(SLIPFIELD_CASES_DIR "/../io/CASE.md");
  REQUIRE(file.good());
  Keys keys;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("## ", 0) == 0) inside = line == "## " + section;
    if (!inside || line.rfind("| `", 0) != 0) continue;
    const std::string cell = line.substr(1, line.find('|', 1) - 1);
    for (std::size_t open = cell.find('`'); open != std::string::npos;) {
      const std::size_t close = cell.find('`', open + 1);
      keys.insert(cell.substr(open + 1, close - open - 1));
      open = cell.find('`', close + 1);
    }
  }
  return keys;
}

// What the reader accepts besides the key zzzzzz.
Keys known(const std::string& text) {
  Keys keys;
  for (const std::string& message : test::messages_of(text)) {
    if (message.find("zzzzzz: unknown key; ") == std::string::npos) continue;
    const std::string accepted = "accepted: ";
    const std::size_t at = message.find(accepted);
    REQUIRE(at != std::string::npos);
    std::istringstream words(message.substr(at + accepted.size()));
    for (std::string word; std::getline(words, word, ',');)
      keys.insert(word.substr(word.find_first_not_of(' ')));
  }
  return keys;
}

std::string with(const std::string& old_text, const std::string& new_text) {
  return test::edited(test::kPlainCase, old_text, new_text);
}

// rail_only: keys that only a case with wheel_rail knows.
void check_section(const std::string& section, const std::string& text,
                   const Keys& rail_only = {}) {
  CAPTURE(section);
  Keys keys = known(text);
  CHECK_FALSE(keys.empty());
  keys.insert(rail_only.begin(), rail_only.end());
  CHECK(documented(section) == keys);
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("CASE.md names the keys that the reader knows, section by section") {
    const std::string& plain = test::kPlainCase;
    check_section("root", plain + "zzzzzz: 1\n");
    check_section("bodies.upper", with("upper: {shear_modulus: 200.0,",
                                       "upper: {zzzzzz: 1, shear_modulus: 200.0,"));
    check_section("bodies.upper.viscoelastic",
                  with("upper: {shear_modulus: 200.0,",
                       "upper: {viscoelastic: {zzzzzz: 1}, shear_modulus: 200.0,"));
    check_section("friction", with("{coefficient: 0.4}", "{coefficient: 0.4, zzzzzz: 1}"),
                  {"inclination"});
    Keys local = known(with("{coefficient: 0.4}", "{coefficient: {file: f, zzzzzz: 1}}"));
    local.merge(
        known(with("{coefficient: 0.4}", "{coefficient: {y: [0], value: [1], zzzzzz: 1}}")));
    local.merge(known(
        with("{coefficient: 0.4}", "{coefficient: {temperature: [0], value: [1], zzzzzz: 1}}")));
    local.insert("inclination");  // with wheel_rail only
    CHECK(documented("friction.coefficient") == local);
    for (const std::string type : {"quadratic", "sphere", "ellipsoid", "cylinder", "hertz",
                                   "profile", "heights", "rough", "planform"})
      check_section("geometry: " + type, with("{type: quadratic, xx: 0.01, yy: 0.02}",
                                              "{type: " + type + ", zzzzzz: 1}"));
    check_section("bodies", with("bodies:\n", "bodies:\n  zzzzzz: 1\n"));
    check_section("grid", with("grid:\n", "grid:\n  zzzzzz: 1\n"));
    check_section("grid.extent", with("spacing: [0.125, 0.25]\n  origin: [-1.25, -2.0]",
                                      "extent: {x: [0, 1], y: [0, 1], zzzzzz: 1}"));
    check_section("normal", with("{force: 9.0}", "{force: 9.0, zzzzzz: 1}"));
    Keys sweep = known(plain + "sweep: [{key: friction.coefficient, values: [1], zzzzzz: 1}]\n");
    sweep.merge(known(
        plain + "sweep: [{key: friction.coefficient, from: 1, to: 2, points: 3, zzzzzz: 1}]\n"));
    CHECK(documented("sweep") == sweep);
    check_section("steps", plain + "steps: [{zzzzzz: 1}]\n");
    check_section("layer", plain + "layer: {zzzzzz: 1}\n");
    check_section("solver", plain + "solver: {zzzzzz: 1}\n");
    check_section("solver.slope", plain + "solver: {slope: {zzzzzz: 1}}\n");
    check_section("output", plain + "output: {zzzzzz: 1}\n");
    check_section("interior", plain + "interior: {zzzzzz: 1}\n");
    check_section("interior.depths", plain + "interior: {depths: {zzzzzz: 1}}\n");
    check_section("interior.region", plain + "interior: {depths: [0], region: {zzzzzz: 1}}\n");
    check_section("wear", plain + "wear: {zzzzzz: 1}\n");
    check_section("wear.coefficient", plain + "wear: {law: archard, coefficient: {zzzzzz: 1}}\n");
    check_section("wear.damage", plain + "wear: {damage: {zzzzzz: 1}}\n");
    check_section("heat", plain + "heat: {zzzzzz: 1}\n", {"rail", "wheel"});
    check_section("heat.upper", plain + "heat: {upper: {zzzzzz: 1}}\n");
    check_section("fatigue", plain + "fatigue: {zzzzzz: 1}\n");
    Keys expected =
        known(plain + "expected: [{quantity: approach, value: 1, tolerance: 1, zzzzzz: 1}]\n");
    expected.insert("point");  // of a sweep only
    expected.insert("patch");  // with wheel_rail only
    CHECK(documented("expected") == expected);
    const std::string shift = "{problem: shift, zzzzzz: 1}";
    const std::string rolling = "{problem: steady_rolling, zzzzzz: 1}";
    check_section("tangential: shift", plain + "steps: [{tangential: " + shift + "}]\n");
    check_section("tangential: rolling", plain + "steps: [{tangential: " + rolling + "}]\n");
    check_section("wheel_rail", plain + "wheel_rail: {zzzzzz: 1}\n");
    check_section("wheel_rail.wheel", plain + "wheel_rail: {wheel: {zzzzzz: 1}}\n");
    check_section("wheel_rail.track", plain + "wheel_rail: {track: {zzzzzz: 1}}\n");
    check_section("wheel_rail.wheelset", plain + "wheel_rail: {wheelset: {zzzzzz: 1}}\n");
  }
}

}  // namespace slipfield
