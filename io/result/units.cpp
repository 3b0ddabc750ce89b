// SPDX-License-Identifier: Apache-2.0
// Units as texts.
#include <array>

#include "io/result/field_table.h"

namespace slipfield {

std::string_view unit_text(Dimension dimension, Units units) {
  struct UnitTexts {
    std::string_view mm, si;
  };
  constexpr std::array<UnitTexts, 16> kTexts = {{
      {"-", "-"},              // none
      {"mm", "m"},             // length
      {"rad", "rad"},          // angle
      {"rad/mm", "rad/m"},     // angle_per_length
      {"N/mm^2", "Pa"},        // traction
      {"N", "N"},              // force
      {"N mm", "N m"},         // moment
      {"N mm", "J"},           // energy
      {"N mm/s", "W"},         // power
      {"mm/s", "m/s"},         // velocity
      {"s", "s"},              // time
      {"mm^2", "m^2"},         // area
      {"N/(mm s)", "W/m^2"},   // power_density
      {"degrees", "degrees"},  // temperature
      {"N/mm", "N/m"},         // stiffness
      {"mm^3", "m^3"},         // volume
  }};
  static_assert(kTexts.size() == static_cast<std::size_t>(Dimension::volume) + 1);
  const UnitTexts& texts = kTexts.at(static_cast<std::size_t>(dimension));
  return units == Units::si ? texts.si : texts.mm;
}

std::string_view units_name(Units units) { return units == Units::si ? "SI" : "N-mm-s"; }

std::optional<Units> units_from_name(std::string_view name) {
  if (name == units_name(Units::si)) return Units::si;
  if (name == units_name(Units::n_mm_s)) return Units::n_mm_s;
  return std::nullopt;
}

}  // namespace slipfield
