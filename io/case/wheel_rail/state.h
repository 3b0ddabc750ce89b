// SPDX-License-Identifier: Apache-2.0
// The part of `wheel_rail` that may change from step to step: track, wheelset, forces.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/case/sections.h"
#include "io/case/table.h"
#include "solver/wheel_rail/wheelset/wheelset_solver.h"

namespace slipfield {

// What holds for all steps.
struct WheelKind {
  bool geometry_only = false;
  double spacing_x = 0.0;  // of the elements
};

// side, problem, step, track, wheelset, vertical_force, longitudinal_force.
const KeyTable& wheel_state_table();
// As lines after `indent`.
std::string wheel_state_text(const WheelsetStep& step, std::string_view indent);

// The steps of a case with `wheel_rail`: one, or as many as `steps` has entries, each of which
// overrides keys of friction and of wheel_rail. Errors are in the diagnostics.
std::vector<WheelsetStep> read_wheel_steps(CaseSection& root, const FrictionContext& context,
                                           const WheelKind& kind);

// For loads that change while a case is solved. `loads`, `change`: maps of friction and of keys of
// wheel_state_table() in wheel_rail.
// The case with one step, without `steps` and `expected`: what is in force at an entry of `steps`,
// from 0, and `change` over it as one more entry.
YamlNode wheel_step_tree(const YamlNode& root, std::size_t entry, const YamlNode& change);
// `change` over `loads`, which are over that entry.
YamlNode wheel_loads_over(const YamlNode& root, std::size_t entry, const YamlNode& loads,
                          const YamlNode& change);

}  // namespace slipfield
