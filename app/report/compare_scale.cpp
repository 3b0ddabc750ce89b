// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "app/report/compare.h"

namespace slipfield {

double natural_size(std::string_view total,
                    const std::function<double(std::string_view name)>& number) {
  using Contact = VanishingTotal::Contact;
  if (const ErrorEntry* error = find_error(total)) total = error->quantity;
  const auto* const entry = std::ranges::find(kVanishingTotals, total, &VanishingTotal::name);
  if (entry == kVanishingTotals.end()) return 0.0;
  const auto size = [&](std::string_view name) {
    const double value = number(name);
    return std::isfinite(value) ? std::fabs(value) : 0.0;
  };
  const auto over = [](double value, double by) { return by > 0.0 ? value / by : 0.0; };
  // The pressure's force: normal_force is less by the adhesive force. Under Hertz's pressure the
  // length is sqrt(2 pi/3 a b); it hardly depends on the grid.
  const double force = size("normal_force") + size("adhesive_force");
  const double length = std::sqrt(over(force, size("max_pressure")));
  const double slope = over(size("approach"), length);
  // In a shift friction_work grows from 0 while ever more elements slip, and the solver leaves a
  // part of the elastic energy. In rolling it is forces times creepages times the rolling step,
  // with digits of its own however short the step is; only rounding is left where the forces are 0.
  constexpr double kOfRolling = 1.0e-6;
  const double energy =
      size("elastic_energy") * (std::isfinite(number("creepage_x")) ? kOfRolling : 1.0);
  switch (entry->contact) {
    case Contact::none:
      break;
    case Contact::length:
      return length;
    case Contact::moment:
      return force * length;
    case Contact::angle:
      return slope;
    case Contact::curvature:
      return over(slope, length);
    case Contact::energy:
      return energy;
    case Contact::drag:
      return over(energy, length);
    case Contact::power:  // friction_power is the work times the slip rate, which no table has
      return energy * over(size("friction_power"), size("friction_work"));
    case Contact::one:
      return 1.0;
  }
  return 0.0;
}

}  // namespace slipfield
