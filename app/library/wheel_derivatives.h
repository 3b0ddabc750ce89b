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
  // names.size() rows of keys.size() values. NaN if a total does not exist at one of the points.
  std::vector<double> values;
  // The difference between central differences over h and over h/2, or twice the scatter of
  // differences over several points and two coarser grids, whichever is greater. Excludes what much
  // finer elements would change. Empty unless requested.
  std::vector<double> errors;
};

// The number that a key of a wheelset sets; its key is, for example, "wheel_rail.wheelset.y".
using WheelNumber = std::variant<double Wheelset::*, std::optional<double> WheelStep::*>;
std::string_view wheel_derivative_key(const WheelNumber& number);

// The keys accepted: those that the last step prescribes, such as "wheel_rail.wheelset.y".
std::vector<std::string> wheel_derivative_keys(const WheelsetStep& step);

// Computes d(name)/d(key) at the solver's last step. The wheelset is solved at four more points per
// key, +-h and +-h/2 from its value, and a line of least squares is drawn through the totals; for
// the errors it is also solved at +-h on two other grids. h is a tenth of the change that alters
// the contact as a whole: of its mean radius c, its approach, or the creepage of full sliding,
// whichever the key changes most. Smaller differences would show single elements that come into
// contact or start to slip. All else that the step prescribes is held (also the pitch velocity if
// wheelset.velocity.x changes); free numbers adapt, such as the height under a vertical force. If
// nothing touches, derivatives of forces and of a contact's totals are 0, those of its place NaN.
// Throws InputError for a name or a key that the step does not have.
// 0, those of its place NaN. Throws InputError for a name or a key that the step does not have.
WheelDerivatives wheel_derivatives(CaseSolver& solver, const std::vector<std::string>& names,
                                   const std::vector<std::string>& keys, const ResultPart& part,
                                   bool with_errors = true);

}  // namespace slipfield
