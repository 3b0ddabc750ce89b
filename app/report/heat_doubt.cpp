// SPDX-License-Identifier: Apache-2.0
#include "app/report/heat_doubt.h"

#include <fmt/format.h>

namespace slipfield {

std::string heat_doubt(const StepReport& report) {
  constexpr double kLeastPecletNumber = 5.0;  // THEORY.md 15.1
  const auto peclet = report.surface.peclet_number;
  if (!peclet || *peclet >= kLeastPecletNumber) return {};
  if (*peclet < 1.0)
    return fmt::format(
        "the Peclet number is {:.3g}; far below {:g} heat also flows sideways, and the "
        "temperatures are too high",
        *peclet, kLeastPecletNumber);
  return fmt::format(
      "the Peclet number is {:.3g}; below {:g} heat also flows sideways, and the temperatures are "
      "some {:.1f} % off",
      *peclet, kLeastPecletNumber, 12.5 / *peclet);
}

std::string standing_body_doubt(const StepReport& report) {
  if (!report.surface.peclet_number) return {};
  return "the contact stays on one body, where heat also flows sideways: into the depth only the "
         "temperatures are too high; accepted: conduction: half_space";
}

}  // namespace slipfield
