// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/surface/rail_friction.h"

#include <variant>

namespace slipfield {

double contact_inclination(const ContactPatch& patch, const WheelRailPosition& position) {
  const double angle = patch.angle - position.wheelset.roll;
  return position.side == Side::right ? angle : -angle;
}

Friction friction_at(const Friction& over, double inclination) {
  Friction here = over;
  if (std::holds_alternative<FrictionAlongY>(over.place)) {
    const Grid row{1, 1, 0.0, 0.0, 0.0, inclination};  // an element without width, at that place
    here.place = FrictionEverywhere{};
    here.coefficient = static_coefficients(over, row).front();
  }
  if (over.along_y.empty()) return here;
  const SlidingLaw law = sliding_law(over, inclination);
  here.along_y.clear();
  here.coefficient = law.fixed;
  here.kinetic = law.kinetic;
  take_numbers(law, here);
  return here;
}

}  // namespace slipfield
