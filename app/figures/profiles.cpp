// SPDX-License-Identifier: Apache-2.0
#include "app/figures/profiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/console.h"
#include "io/case/text.h"
#include "io/heights/files.h"
#include "io/result/any_result.h"
#include "solver/error.h"
#include "solver/wheel_rail/contact_search.h"
#include "solver/wheel_rail/placement.h"

namespace slipfield {
namespace {

constexpr const char* kLateralKey = "wheel_rail.wheelset.y";
constexpr int kCurveSamples = 1500;

double parameter_at(const SplineCurve& curve, int sample) {
  return curve.first() + (curve.last() - curve.first()) * sample / kCurveSamples;
}

// Multiplies y by `sign`: -1 on a left side, whose curves are computed as for the right.
nlohmann::json line_of(const SplineCurve& curve, double sign) {
  nlohmann::json line = nlohmann::json::array();
  for (int i = 0; i <= kCurveSamples; ++i) {
    const Eigen::Vector3d at = curve.at(parameter_at(curve, i));
    line.push_back({sign * at.y(), at.z()});
  }
  return line;
}

nlohmann::json placed_side(const WheelRailCase& wheel_rail, WheelRailPosition position,
                           double axle_z, double roll) {
  position.wheelset.z = axle_z;
  position.wheelset.roll = roll;
  const bool left = position.side == Side::left;
  const WheelRailPosition right = left ? mirrored(position) : position;
  const double sign = left ? -1.0 : 1.0;
  const PlacedRail rail =
      place_rail(*wheel_rail.rail.of(position.side).at(position.wheelset.x), right.track);
  const SplineCurve wheel = contact_locus(*wheel_rail.wheel.of(position.side).profile,
                                          place_wheel(right.wheelset), rail.curvature());
  return {{"side", side_name(position.side)},
          {"rail", line_of(rail.curve, sign)},
          {"wheel", line_of(wheel, sign)}};
}

}  // namespace

std::shared_ptr<const WheelRailCase> wheel_case_of(const ResultInfo& info,
                                                   const std::string& name) {
  try {
    CaseDiagnostics diagnostics;
    const auto text = make_case_text(info.header.case_yaml, name, {}, diagnostics);
    YamlNode& tree = text->tree;
    if (const auto sweep = tree.index_of("sweep")) {
      tree.keys.erase(tree.keys.begin() + static_cast<std::ptrdiff_t>(*sweep));
      tree.items.erase(tree.items.begin() + static_cast<std::ptrdiff_t>(*sweep));
    }
    if (const auto expected = tree.index_of("expected")) {  // of points that are no more
      tree.keys.erase(tree.keys.begin() + static_cast<std::ptrdiff_t>(*expected));
      tree.items.erase(tree.items.begin() + static_cast<std::ptrdiff_t>(*expected));
    }
    HeightsFiles files;
    const CaseFile file = read_case(*text, files, diagnostics);
    if (file.wheel_rail) return file.wheel_rail;
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("{}: its case cannot be read again, with the profiles that it names:\n{}", name,
                    error.what()));
  }
  throw InputError(name + ": the case has no wheel on a rail");
}

std::string placed_profiles(const ResultSteps& wheel, int number) {
  const std::string name = wheel.path.string();
  const WheelRecord& record = *wheel.step(number).wheel;
  const auto wheel_rail = wheel_case_of(wheel.info, name);
  const WheelsetStep* step = wheel_rail->step(record.number);
  if (step == nullptr)
    throw InputError(fmt::format("{}: its case has no step {}", name, record.number));
  const auto roll = record.wheel.find("axle_roll");
  nlohmann::json sides = nlohmann::json::array();
  for (const WheelStep& one : step->wheels)
    sides.push_back(
        placed_side(*wheel_rail, one.position, record.get("axle_z", 0),
                    roll == record.wheel.end() ? one.position.wheelset.roll : roll->second));
  return nlohmann::json{{"sides", sides}}.dump();
}

bool has_contact_lines(const SweepTable& table) {
  const SweepInput* input = table.find_input(kLateralKey);
  return input != nullptr && input->is_number() && table.inputs.size() == 1;
}

std::string lateral_profiles(const SweepTable& table, const ResultInfo& info,
                             const std::string& name) {
  if (!has_contact_lines(table)) return "{}";
  const auto wheel_rail = wheel_case_of(info, name);
  nlohmann::json sides = nlohmann::json::array();
  for (const WheelStep& one : wheel_rail->steps.front().wheels) {
    const Side side = one.position.side;
    const double sign = side == Side::left ? -1.0 : 1.0;
    sides.push_back({{"side", side_name(side)},
                     {"rail", line_of(wheel_rail->rail.of(side).profile->curve, sign)},
                     {"wheel", line_of(wheel_rail->wheel.of(side).profile->curve, sign)}});
  }
  return nlohmann::json{{"sides", sides}}.dump();
}

std::string result_profiles(const std::string& path, const WantedProfiles& wanted) {
  const ResultKind kind = kind_of(path, wanted.point);
  if (kind == ResultKind::sweep) {
    if (!wanted.lateral) {
      read_sweep_outline(path);
      return "";
    }
    const AnyResult sweep = read_any_result(path);
    return has_contact_lines(sweep.rows) ? lateral_profiles(sweep.rows, sweep.info, path) : "";
  }
  const ResultSteps wheel = read_steps(path, wanted.point);
  if (kind != ResultKind::wheel || !wanted.placed) return "";
  static_cast<void>(wheel.step(wanted.step));  // throws where there is none
  try {
    return placed_profiles(wheel, wanted.step);
  } catch (const InputError& error) {
    log_warning(fmt::format("the profiles are not drawn: {}", error.what()));
    return "";
  }
}

std::string profile_curves(const Profile& profile, const std::string& name) {
  constexpr double kDegreesPerRadian = 57.29577951308232;
  constexpr double kPerMetre = 1000.0;  // of curvatures in 1/mm
  nlohmann::json curve = nlohmann::json::array();
  for (int i = 0; i <= kCurveSamples; ++i) {
    const double s = parameter_at(profile.curve, i);
    const Eigen::Vector3d at = profile.curve.at(s);
    // A wheel's profile runs towards -y.
    const Eigen::Vector3d along = profile.role == ProfileRole::rail
                                      ? profile.curve.tangent(s)
                                      : Eigen::Vector3d(-profile.curve.tangent(s));
    curve.push_back({at.y(), at.z(), kDegreesPerRadian * std::atan2(along.z(), along.y()),
                     kPerMetre * profile_curvature(profile, s)});
  }
  nlohmann::json points = nlohmann::json::array();
  for (std::size_t i = 0; i < profile.points.size(); ++i)
    if (!std::ranges::binary_search(profile.added, i))
      points.push_back({profile.points[i].y, profile.points[i].z});
  nlohmann::json notes = nlohmann::json::array();
  for (const auto* lines : {&profile.notes, &profile.warnings})
    for (const std::string& line : *lines) notes.push_back(line);
  const nlohmann::json made = {{"name", name},
                               {"role", profile.role == ProfileRole::rail ? "rail" : "wheel"},
                               {"points", points},
                               {"curve", curve},
                               {"length", profile.curve.last() - profile.curve.first()},
                               {"notes", notes}};
  return nlohmann::json{{"profile", made}}.dump(-1, ' ', false,
                                                nlohmann::json::error_handler_t::replace);
}

}  // namespace slipfield
