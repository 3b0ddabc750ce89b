// SPDX-License-Identifier: Apache-2.0
// Derivatives of the totals of a wheel on a rail to its position, velocity and forces.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/library/case_solver.h"

namespace slipfield {

inline constexpr std::string_view kNoTransientDerivatives =
    "a step of transient rolling of a wheel has no derivatives; accepted: wheel_rail.problem: "
    "steady_rolling or shift";

struct WheelDerivatives {
  // Row by row: names.size() rows of keys.size(). NaN where a total is none at one of the places.
  std::vector<double> values;
  // How much central differences over the whole and over half the distance are apart, or twice the
  // scatter of differences from place to place and on two grids of longer elements, whichever is
  // more. What much finer elements would change is not in it. Empty where it was not asked for.
  std::vector<double> errors;
};

// What a key of a wheelset sets, and the key: "wheel_rail.wheelset.y".
using WheelNumber = std::variant<double Wheelset::*, std::optional<double> WheelStep::*>;
std::string_view wheel_derivative_key(const WheelNumber& number);

// The keys that may be named: those that the last step prescribes, as "wheel_rail.wheelset.y".
std::vector<std::string> wheel_derivative_keys(const WheelsetStep& step);

// d(name)/d(key) at the last step of the solver, whose wheelset is solved at four more places for
// each key: from its value by +-h and +-h/2, and through the totals goes the line of least squares.
// For the errors it is solved by +-h on two other grids too. h is a tenth of what changes the
// contact as a whole: of its mean radius c, its approach, or of the creepage at which all of it
// slips, whichever the key changes most. Differences over less would show how single elements come
// into contact or start to slip. Everything else that the step prescribes is held (the pitch
// velocity too, where wheelset.velocity.x changes); what it leaves free, as the height under a
// vertical force, adapts. Where nothing touches, derivatives of forces and of a contact's totals are
// 0, those of its place NaN. Throws InputError for a name or a key that the step does not have.
WheelDerivatives wheel_derivatives(CaseSolver& solver, const std::vector<std::string>& names,
                                   const std::vector<std::string>& keys, const ResultPart& part,
                                   bool with_errors = true);

}  // namespace slipfield
