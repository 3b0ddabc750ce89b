#include "solver/friction.h"

#include <algorithm>

namespace slipfield {
namespace {

double between_points(const FrictionAlongY& points, double y) {
  const auto after = std::upper_bound(points.y.begin(), points.y.end(), y);
  if (after == points.y.begin()) return points.value.front();
  if (after == points.y.end()) return points.value.back();
  const auto k = static_cast<std::size_t>(after - points.y.begin());
  const double part = (y - points.y[k - 1]) / (points.y[k] - points.y[k - 1]);
  return points.value[k - 1] + part * (points.value[k] - points.value[k - 1]);
}

}  // namespace

std::vector<double> static_coefficients(const Friction& friction, const Grid& grid) {
  if (const auto* elements = std::get_if<FrictionByElement>(&friction.place))
    return *elements->value;
  const auto* points = std::get_if<FrictionAlongY>(&friction.place);
  if (points == nullptr) return std::vector<double>(grid.count(), friction.coefficient);
  std::vector<double> result;
  result.reserve(grid.count());
  for (int iy = 0; iy < grid.my; ++iy)
    result.insert(result.end(), static_cast<std::size_t>(grid.mx),
                  between_points(*points, grid.y(iy)));
  return result;
}

}  // namespace slipfield
