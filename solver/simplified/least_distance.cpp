// SPDX-License-Identifier: Apache-2.0
#include "solver/simplified/least_distance.h"

#include <algorithm>
#include <cmath>

namespace slipfield {

double least_distance(const std::vector<double>& distance, const Grid& grid) {
  const auto place = static_cast<std::size_t>(std::min_element(distance.begin(), distance.end()) -
                                              distance.begin());
  const auto length = static_cast<std::size_t>(grid.mx);
  const double here = distance[place];
  const auto below = [&](std::size_t before, std::size_t after) {
    const double bend = distance[after] - 2.0 * here + distance[before];
    const double rise = 0.5 * (distance[after] - distance[before]);
    return std::isfinite(bend) && bend > 0.0 ? 0.5 * rise * rise / bend : 0.0;
  };
  double least = here;
  if (place % length > 0 && place % length + 1 < length) least -= below(place - 1, place + 1);
  if (place >= length && place + length < distance.size())
    least -= below(place - length, place + length);
  return least;
}

}  // namespace slipfield
