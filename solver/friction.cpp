// SPDX-License-Identifier: Apache-2.0
#include "solver/friction.h"

#include <algorithm>

namespace slipfield {
namespace {

double between_points(const std::vector<double>& at, const std::vector<double>& value, double y) {
  const auto after = std::upper_bound(at.begin(), at.end(), y);
  if (after == at.begin()) return value.front();
  if (after == at.end()) return value.back();
  const auto k = static_cast<std::size_t>(after - at.begin());
  const double part = (y - at[k - 1]) / (at[k] - at[k - 1]);
  return value[k - 1] + part * (value[k] - value[k - 1]);
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
  for (double SlidingLaw::*number :
       {&SlidingLaw::fixed, &SlidingLaw::kinetic, &SlidingLaw::half_velocity,
        &SlidingLaw::second_drop, &SlidingLaw::second_half_velocity})
    law.*number += part * (after->law.*number - before.law.*number);
  return law;
}

double FrictionByTemperature::at(double temperature_now) const {
  return between_points(temperature, value, temperature_now);
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
    result.insert(result.end(), static_cast<std::size_t>(grid.mx),
                  between_points(points->y, points->value, grid.y(iy)));
  return result;
}

}  // namespace slipfield
