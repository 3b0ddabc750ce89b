// SPDX-License-Identifier: Apache-2.0
// Errors of CONTACT itself, found by recomputing its results: if a case meets one, its results and
// those of the converted case differ, and not because of the conversion (CONTACT.md).
#include <fmt/format.h>

#include <array>
#include <string_view>

#include "io/contact/support.h"

namespace slipfield {
namespace {

// K is not 0, at once or in the long run.
bool unlike_bodies(const InputCase& input) {
  const InputNumbers& material = input.state.material;
  const InputNumbers& creep = input.state.creep;
  if (material.size() < 4 || creep.size() < 4) return false;
  const auto stiffness = [&](std::size_t body) {
    return material[body + 2].value / (1.0 - 2.0 * material[body].value);
  };
  const bool incompressible = material[0].value == 0.5 && material[1].value == 0.5;
  return !incompressible && (stiffness(0) != stiffness(1) || creep[0].value != creep[1].value ||
                             creep[2].value != creep[3].value);
}

bool viscous_coupling(const InputCase& input) {
  return input.viscoelastic() && input.digit('T') != 0 && unlike_bodies(input);
}
bool layer_of_the_particle(const InputCase& input) {
  return input.digit('M') == 4 && input.digit('T') == 2;
}
bool heated(const InputCase& input) { return input.heats(); }
bool heated_unlike(const InputCase& input) {
  const InputNumbers& heat = input.state.heat;
  if (!input.heats() || heat.size() < 8) return false;
  const auto penetration = [&](std::size_t first) {  // squared: capacity, conductivity, density
    return heat[first + 1].value * heat[first + 2].value * heat[first + 3].value;
  };
  return penetration(0) != penetration(4);
}
// A wheel's spin is unknown until its contacts are.
bool estimated_with_spin(const InputCase& input) {
  const bool spins = input.kinematic.size() < 4 || input.kinematic[3].value != 0.0;
  return input.simplified() && (input.digit('B') == 5 || input.digit('B') == 6) && spins;
}
bool parabolic_pressure(const InputCase& input) {
  return input.simplified() && input.digit('B') == 3;
}

struct ReferenceError {
  bool (*applies)(const InputCase& input);
  char digit;
  std::string_view what;
};
constexpr std::array<ReferenceError, 6> kReferenceErrors{{
    {viscous_coupling, 'M',
     "CONTACT couples pressure and tractions of unlike viscoelastic bodies with the wrong sign of "
     "the viscous part: its results differ"},
    {layer_of_the_particle, 'M',
     "in transient rolling CONTACT takes the layer's earlier deflection from the same element "
     "instead of the same particle: its results differ"},
    {heated, 'H',
     "CONTACT counts the heat of each element twice in the element itself: its temperatures are "
     "higher"},
    {heated_unlike, 'H',
     "CONTACT gives each body the other's share of the heat, that of body 1 as (1 - eps)/beta of "
     "body 1: its temperatures of unlike bodies differ"},
    {estimated_with_spin, 'B',
     "CONTACT takes the spin of a contact estimated by KPEC or ANALYN about the grid's origin; "
     "here it is about the centroid of the pressure"},
    {parabolic_pressure, 'B',
     "CONTACT stores the parabolic traction bound in place of the pressure; here the pressure is "
     "Hertz's"},
}};

}  // namespace

void warn_of_reference_errors(const InputCase& input, const InputCase* before,
                              CaseDiagnostics& diagnostics) {
  for (const ReferenceError& error : kReferenceErrors) {
    if (!error.applies(input) || (before != nullptr && error.applies(*before))) continue;
    diagnostics.warn(input.digits[error.digit].place,
                     fmt::format("{} = {}", error.digit, input.digit(error.digit)), error.what,
                     error.what);
  }
}

}  // namespace slipfield
