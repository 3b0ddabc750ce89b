// SPDX-License-Identifier: Apache-2.0
// The Manchester contact benchmark, left wheel: its profiles, its positions and what CONTACT
// printed for them (tests/data/profiles/manchester_left.csv); what wheels are solved with.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "io/profiles/reader.h"
#include "solver/contact_solver.h"
#include "solver/wheel_rail/wheel_contacts.h"
#include "solver/wheel_rail/wheel_solver.h"

namespace slipfield::test {

inline ContactProblem steel_on_steel() {
  ContactProblem bodies;
  bodies.upper = bodies.lower = {82000.0, 0.28};
  return bodies;
}
inline std::unique_ptr<ContactSolver> solver_on_cpu(const ContactProblem& problem) {
  return make_cpu_solver(problem);
}

// A rail whose head is a circle, and a cone on it.
inline constexpr double kHeadRadius = 300.0;
inline constexpr double kConeSlope = 0.05;
inline std::shared_ptr<const Profile> round_rail() {
  std::vector<ProfilePoint> points;
  for (int i = 0; i <= 140; ++i) {
    const double y = -35.0 + 0.5 * i;
    points.push_back({y, kHeadRadius - std::sqrt(kHeadRadius * kHeadRadius - y * y)});
  }
  return std::make_shared<const Profile>(canonical_profile(ProfileRole::rail, points, {}));
}
inline WheelRailSearch cone_on_round_rail(const PatchSettings& settings = {}) {
  std::vector<ProfilePoint> cone;
  for (int i = 0; i <= 120; ++i) cone.push_back({60.0 - i, -kConeSlope * (60.0 - i)});
  return {std::make_shared<const Profile>(canonical_profile(ProfileRole::wheel, cone, {})),
          round_rail(), settings};
}

// From corner to corner in 40 steps, without the last one.
inline std::vector<ProfilePoint> between(const std::vector<ProfilePoint>& corners) {
  std::vector<ProfilePoint> points;
  for (std::size_t k = 1; k < corners.size(); ++k)
    for (int i = 0; i < 40; ++i)
      points.push_back({corners[k - 1].y + i / 40.0 * (corners[k].y - corners[k - 1].y),
                        corners[k - 1].z + i / 40.0 * (corners[k].z - corners[k - 1].z)});
  return points;
}

inline const std::filesystem::path kCases = SLIPFIELD_CASES_DIR;
inline const std::filesystem::path kProfiles =
    std::filesystem::path(SLIPFIELD_TEST_DATA_DIR) / "profiles";

inline std::shared_ptr<const Profile> manchester_rail() {
  return std::make_shared<const Profile>(
      read_profile(kCases / "profiles" / "MBench_UIC60_v3.prr", ProfileRole::rail, {}));
}
inline std::shared_ptr<const Profile> manchester_wheel() {
  return std::make_shared<const Profile>(
      read_profile(kCases / "profiles" / "MBench_S1002_v3.prw", ProfileRole::wheel, {}));
}

using ManchesterCase = std::map<std::string, double>;  // by the column's name

inline std::vector<ManchesterCase> manchester_cases() {
  std::ifstream file(kProfiles / "manchester_left.csv");
  std::vector<std::string> names;
  std::vector<ManchesterCase> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::vector<std::string> row;
    for (std::string word; std::getline(words, word, ',');) row.push_back(word);
    if (names.empty()) {
      names = row;
      continue;
    }
    REQUIRE(row.size() == names.size());
    ManchesterCase entry;
    for (std::size_t i = 0; i < row.size(); ++i) entry[names[i]] = std::stod(row[i]);
    cases.push_back(std::move(entry));
  }
  REQUIRE(cases.size() == 21);
  return cases;
}

// At the published height of the axle.
inline WheelRailPosition manchester_position(const ManchesterCase& entry) {
  WheelRailPosition position;
  position.side = Side::left;
  Wheelset& set = position.wheelset;
  set.y = entry.at("y_ws");
  set.z = entry.at("z_ws");
  set.roll = entry.at("roll");
  set.yaw = entry.at("yaw");
  set.velocity_x = 2000.0;
  set.velocity_pitch = entry.at("vpitch");
  return position;
}

// A number of the surfaces, over the patches of a wheel.
inline double sum_over(const SolvedWheel& wheel, std::optional<double> SurfaceNumbers::*number) {
  double sum = 0.0;
  for (const SolvedPatch& patch : wheel.patches) sum += *(patch.report.surface.*number);
  return sum;
}

}  // namespace slipfield::test
