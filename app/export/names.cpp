// SPDX-License-Identifier: Apache-2.0
#include "app/export/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "io/result/field_table.h"

namespace slipfield {
namespace {

// What a key of a case prescribes and a total of a step says.
struct KnownName {
  std::string_view key;    // empty: no key
  std::string_view total;  // empty: no total
  std::string_view name;
  std::string_view turned;  // where rolling may have another direction; empty: the same
  Dimension dimension = Dimension::none;
  bool percent = false;
};

constexpr std::array kNames = {
    KnownName{
        "tangential.x.creepage", "creepage_x", "longitudinal creepage", "creepage in x", {}, true},
    KnownName{"tangential.y.creepage", "creepage_y", "lateral creepage", "creepage in y", {}, true},
    KnownName{"tangential.spin", "", "spin", "", Dimension::angle_per_length},
    KnownName{"tangential.x.force", "force_x", "longitudinal force", "force in x",
              Dimension::force},
    KnownName{"tangential.y.force", "force_y", "lateral force", "force in y", Dimension::force},
    KnownName{"tangential.x.force_ratio", "force_ratio_x", "longitudinal force / µFₙ",
              "force in x / µFₙ"},
    KnownName{"tangential.y.force_ratio", "force_ratio_y", "lateral force / µFₙ",
              "force in y / µFₙ"},
    KnownName{"tangential.x.traction_coefficient", "", "longitudinal force / Fₙ",
              "force in x / Fₙ"},
    KnownName{"tangential.y.traction_coefficient", "", "lateral force / Fₙ", "force in y / Fₙ"},
    KnownName{"tangential.x.shift", "shift_x", "shift in x", "", Dimension::length},
    KnownName{"tangential.y.shift", "shift_y", "shift in y", "", Dimension::length},
    KnownName{"tangential.rotation", "", "rotation", "", Dimension::angle},
    KnownName{"friction.coefficient", "", "coefficient of friction", ""},
    KnownName{"normal.force", "", "normal force", "", Dimension::force},
    KnownName{"normal.approach", "", "approach", "", Dimension::length},
    KnownName{"wheel_rail.wheelset.y", "", "lateral position of the wheelset", "",
              Dimension::length},
    KnownName{"wheel_rail.wheelset.z", "", "height of the axle, down", "", Dimension::length},
    KnownName{"wheel_rail.wheelset.yaw", "", "yaw of the wheelset", "", Dimension::angle},
    KnownName{"wheel_rail.wheelset.roll", "", "roll of the wheelset", "", Dimension::angle},
    KnownName{"wheel_rail.longitudinal_force", "", "longitudinal force", "", Dimension::force},
    KnownName{"tangential.velocity", "", "rolling velocity", "", Dimension::velocity},
    KnownName{"wheel_rail.vertical_force", "", "vertical force", "", Dimension::force},
    KnownName{"", "moment_z", "moment about the normal", "", Dimension::moment},
    KnownName{"", "max_pressure", "greatest pressure", "", Dimension::traction},
};

// A direction of rolling other than 0, in any step.
bool turns_rolling(std::string_view case_yaml) {
  constexpr std::string_view kKey = "direction:";
  for (std::size_t at = case_yaml.find(kKey); at != std::string_view::npos;
       at = case_yaml.find(kKey, at + 1)) {
    const std::string value(case_yaml.substr(at + kKey.size(), 32));
    if (std::strtod(value.c_str(), nullptr) != 0.0) return true;
  }
  return false;
}

CurveName shown(const KnownName& entry, std::string_view case_yaml, Units units) {
  // x is along the direction of rolling unless the case turns it; a shift has no such direction.
  const bool turned =
      case_yaml.find("_rolling") == std::string_view::npos || turns_rolling(case_yaml);
  const bool other = turned && !entry.turned.empty();
  CurveName name{std::string(other ? entry.turned : entry.name)};
  name.unit = entry.percent ? "%" : unit_text(entry.dimension, units);
  if (entry.percent) name.factor = 100.0;
  return name;
}

}  // namespace

CurveName key_name(std::string_view key, std::string_view case_yaml, Units units) {
  const auto known = std::ranges::find(kNames, key, &KnownName::key);
  return known == kNames.end() ? CurveName{std::string(key)} : shown(*known, case_yaml, units);
}

CurveName total_name(std::string_view quantity, std::string_view case_yaml, Units units) {
  const auto known = std::ranges::find(kNames, quantity, &KnownName::total);
  if (known != kNames.end()) return shown(*known, case_yaml, units);
  std::string name(quantity);
  std::replace(name.begin(), name.end(), '_', ' ');
  return {name, 1.0, std::string(unit_text(quantity_dimension(quantity), units))};
}

}  // namespace slipfield
