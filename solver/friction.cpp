#include "solver/friction.h"

#include <algorithm>

namespace slipfield {
namespace {

double between_points(const LocalFriction& local, double y) {
  const auto after = std::upper_bound(local.y.begin(), local.y.end(), y);
  if (after == local.y.begin()) return local.value.front();
  if (after == local.y.end()) return local.value.back();
  const auto k = static_cast<std::size_t>(after - local.y.begin());
  const double part = (y - local.y[k - 1]) / (local.y[k] - local.y[k - 1]);
  return local.value[k - 1] + part * (local.value[k] - local.value[k - 1]);
}

}  // namespace

std::vector<double> static_coefficients(const Friction& friction, const Grid& grid) {
  if (!friction.local) return std::vector<double>(grid.count(), friction.coefficient);
  if (friction.local->y.empty()) return friction.local->value;
  std::vector<double> result;
  result.reserve(grid.count());
  for (int iy = 0; iy < grid.my; ++iy)
    result.insert(result.end(), static_cast<std::size_t>(grid.mx),
                  between_points(*friction.local, grid.y(iy)));
  return result;
}

}  // namespace slipfield
