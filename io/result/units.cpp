// SPDX-License-Identifier: Apache-2.0
// Units as texts.
#include "io/result/field_table.h"

namespace slipfield {

std::string_view unit_text(Dimension dimension, Units units) {
  const bool si = units == Units::si;
  switch (dimension) {
    case Dimension::none:
      return "-";
    case Dimension::length:
      return si ? "m" : "mm";
    case Dimension::angle:
      return "rad";
    case Dimension::angle_per_length:
      return si ? "rad/m" : "rad/mm";
    case Dimension::traction:
      return si ? "Pa" : "N/mm^2";
    case Dimension::force:
      return "N";
    case Dimension::moment:
      return si ? "N m" : "N mm";
    case Dimension::energy:
      return si ? "J" : "N mm";
    case Dimension::power:
      return si ? "W" : "N mm/s";
    case Dimension::velocity:
      return si ? "m/s" : "mm/s";
    case Dimension::time:
      return "s";
    case Dimension::area:
      return si ? "m^2" : "mm^2";
    case Dimension::power_density:
      return si ? "W/m^2" : "N/(mm s)";
    case Dimension::temperature:
      return "degrees";
  }
  return "";
}

std::string_view units_name(Units units) { return units == Units::si ? "SI" : "N-mm-s"; }

std::optional<Units> units_from_name(std::string_view name) {
  if (name == units_name(Units::si)) return Units::si;
  if (name == units_name(Units::n_mm_s)) return Units::n_mm_s;
  return std::nullopt;
}

}  // namespace slipfield
