// SPDX-License-Identifier: Apache-2.0
#include "solver/friction.h"

#include <algorithm>

namespace slipfield {
namespace {

// value_of(k): the value at the point k.
template <class Value>
double between_points(const std::vector<double>& at, double y, const Value& value_of) {
  const auto after = std::upper_bound(at.begin(), at.end(), y);
  if (after == at.begin()) return value_of(0);
  if (after == at.end()) return value_of(at.size() - 1);
  const auto k = static_cast<std::size_t>(after - at.begin());
  const double part = (y - at[k - 1]) / (at[k] - at[k - 1]);
  const double before = value_of(k - 1);
  return before + part * (value_of(k) - before);
}

}  // namespace

SlidingLaw sliding_law(const Friction& friction, double y) {
  const auto& places = friction.along_y;
  if (places.empty()) return sliding_law(friction);
  const auto after = std::find_if(places.begin(), places.end(),
                                  [&](const LawAlongY& place) { return y < place.y; });
  if (after == places.begin()) return places.front().law;
  if (after == places.end()) return places.back().law;
  const LawAlongY& before = *(after - 1);
  const double part = (y - before.y) / (after->y - before.y);
  SlidingLaw law = before.law;
  const auto take_part = [&](auto number) {
    law.*number += part * (after->law.*number - before.law.*number);
  };
  take_part(&SlidingLaw::fixed);
  take_part(&SlidingLaw::kinetic);
  for (const auto number : kFallingNumbers) take_part(number);
  return law;
}

double FrictionByTemperature::at(double temperature_now, double y_now) const {
  const auto of_place = [&](std::size_t place) {
    return between_points(temperature, temperature_now,
                          [&](std::size_t k) { return value[place * temperature.size() + k]; });
  };
  return y.empty() ? of_place(0) : between_points(y, y_now, of_place);
}

std::vector<double> static_coefficients(const Friction& friction, const Grid& grid) {
  if (const auto* elements = std::get_if<FrictionByElement>(&friction.place))
    return *elements->value;
  if (!friction.along_y.empty()) {
    std::vector<double> rows;
    rows.reserve(grid.count());
    for (int iy = 0; iy < grid.my; ++iy)
      rows.insert(rows.end(), static_cast<std::size_t>(grid.mx),
                  sliding_law(friction, grid.y(iy)).fixed);
    return rows;
  }
  const auto* points = std::get_if<FrictionAlongY>(&friction.place);
  if (points == nullptr) return std::vector<double>(grid.count(), friction.coefficient);
  std::vector<double> result;
  result.reserve(grid.count());
  for (int iy = 0; iy < grid.my; ++iy)
    result.insert(
        result.end(), static_cast<std::size_t>(grid.mx),
        between_points(points->y, grid.y(iy), [&](std::size_t k) { return points->value[k]; }));
  return result;
}

}  // namespace slipfield
