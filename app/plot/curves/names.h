// SPDX-License-Identifier: Apache-2.0
// What a person would write on the axes of a curve: names and units of the keys of a case and of
// the totals of a step.
#pragma once

#include <string>
#include <string_view>

#include "app/plot/scale.h"
#include "solver/problem.h"

namespace slipfield {

// Values are shown multiplied by the factor, in the unit; "-": none.
struct CurveName {
  std::string name;
  double factor = 1.0;
  std::string unit = "-";

  // Of an axis whose values, as they are in the file, have this greatest one.
  [[nodiscard]] UnitScale scale(double greatest) const;
  // For values that are written as they are in the case: "normal force [N]".
  [[nodiscard]] std::string plain() const;
};

// key: "tangential.x.creepage"; a key without a name of its own keeps its path. `case_yaml`: of the
// result; where it turns the direction of rolling, x is not called longitudinal.
CurveName key_name(std::string_view key, std::string_view case_yaml, Units units);
// quantity: one of total_names().
CurveName total_name(std::string_view quantity, std::string_view case_yaml, Units units);

}  // namespace slipfield
