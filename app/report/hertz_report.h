// SPDX-License-Identifier: Apache-2.0
// Hertz's estimate of a case, for `check`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "solver/geometry/hertz_ellipse.h"

namespace slipfield {

// One line: the contact, the elements across it, and an extent that holds it.
std::string hertz_text(const HertzEstimate& hertz, const ContactProblem& problem);
nlohmann::ordered_json hertz_json(const HertzEstimate& hertz, const ContactProblem& problem);

}  // namespace slipfield
