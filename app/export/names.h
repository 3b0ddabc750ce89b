// SPDX-License-Identifier: Apache-2.0
// What a person would write over a column of a table: names and units of the keys of a case and of
// the totals of a step. slipfield/figures/names.py has those of figures.
#pragma once

#include <string>
#include <string_view>

#include "solver/problem.h"

namespace slipfield {

// Values are shown multiplied by the factor, in the unit; "-": none.
struct CurveName {
  std::string name;
  double factor = 1.0;
  std::string unit = "-";
};

// key: "tangential.x.creepage"; a key without a name of its own keeps its path. `case_yaml`: of the
// result; where it turns the direction of rolling, x is not called longitudinal.
CurveName key_name(std::string_view key, std::string_view case_yaml, Units units);
// quantity: one of total_names().
CurveName total_name(std::string_view quantity, std::string_view case_yaml, Units units);

}  // namespace slipfield
