#include "solver/interior/interior_request.h"

#include <algorithm>
#include <cmath>

#include "solver/check/fault_list.h"
#include "solver/number_text.h"

namespace slipfield {
namespace {

// Elements from the first whose centre is at `least` or beyond to the last at `greatest`.
struct Run {
  int first = 0;
  int count = 0;
};

Run centres_between(double least, double greatest, double origin, double spacing, int elements) {
  const double first = std::ceil((least - origin) / spacing - 0.5 - kCentreRounding);
  const double last = std::floor((greatest - origin) / spacing - 0.5 + kCentreRounding);
  const double begin = std::max(first, 0.0);
  const double end = std::min(last + 1.0, static_cast<double>(elements));
  if (!(begin < end)) return {};
  return {static_cast<int>(begin), static_cast<int>(end - begin)};
}

InteriorWindow contact_window(const Grid& grid, const std::vector<ElementState>& division) {
  int ix0 = grid.mx;
  int iy0 = grid.my;
  int ix1 = 0;
  int iy1 = 0;
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      if (division[grid.index(ix, iy)] == ElementState::exterior) continue;
      ix0 = std::min(ix0, ix);
      ix1 = std::max(ix1, ix + 1);
      iy0 = std::min(iy0, iy);
      iy1 = std::max(iy1, iy + 1);
    }
  }
  if (ix0 >= ix1) return {0, 0, grid.mx, grid.my};
  return {ix0, iy0, ix1 - ix0, iy1 - iy0};
}

void check_depths(const std::vector<double>& depths, FaultList& faults) {
  if (depths.empty()) return faults.add("depths", "is empty", "at least one depth");
  if (depths.size() > kMostDepths)
    return faults.add("depths", std::to_string(depths.size()) + " depths are too many",
                      "at most " + std::to_string(kMostDepths));
  for (std::size_t k = 0; k < depths.size(); ++k) {
    if (!std::isfinite(depths[k]) || depths[k] < 0.0)
      return faults.add(
          "depths",
          number_text(depths[k]) + " is not inside the body; depths count from the surface into it",
          "depths >= 0");
    if (k > 0 && depths[k] <= depths[k - 1])
      return faults.add("depths", number_text(depths[k]) + " follows " + number_text(depths[k - 1]),
                        "depths in increasing order");
  }
}

}  // namespace

InteriorWindow interior_window(const InteriorRequest& request, const Grid& grid,
                               const std::vector<ElementState>& division) {
  switch (request.region) {
    case InteriorRegion::contact:
      return contact_window(grid, division);
    case InteriorRegion::grid:
      break;
    case InteriorRegion::box: {
      const Run x = centres_between(request.box_x[0], request.box_x[1], grid.x0, grid.dx, grid.mx);
      const Run y = centres_between(request.box_y[0], request.box_y[1], grid.y0, grid.dy, grid.my);
      return {x.first, y.first, x.count, y.count};
    }
  }
  return {0, 0, grid.mx, grid.my};
}

std::vector<Fault> check_interior(const InteriorRequest& request, const Grid& grid) {
  FaultList faults;
  faults.within("interior.");
  if (grid.boundary == Boundary::periodic)
    faults.add("region", "a periodic grid has no interior here: the sums are those of a free one",
               "grid.boundary = free, or no interior");
  check_depths(request.depths, faults);
  if (request.bodies.empty()) faults.add("body", "no body is asked for", "upper, lower or both");
  if (request.quantities.empty()) faults.add("quantities", "is empty", "at least one quantity");
  if (request.region == InteriorRegion::box) {
    const auto box = [&](const char* name, const std::array<double, 2>& range, double origin,
                         double spacing, int elements) {
      if (!(range[0] <= range[1]))
        return faults.add(name, "ends at " + number_text(range[1]) + " before it begins",
                          "[least, greatest]");
      if (centres_between(range[0], range[1], origin, spacing, elements).count == 0)
        faults.add(
            name,
            "no element centre lies from " + number_text(range[0]) + " to " + number_text(range[1]),
            "a range with a centre in it; they lie from " + number_text(origin + 0.5 * spacing) +
                " to " + number_text(origin + (elements - 0.5) * spacing) + " in steps of " +
                number_text(spacing));
    };
    box("region.x", request.box_x, grid.x0, grid.dx, grid.mx);
    box("region.y", request.box_y, grid.y0, grid.dy, grid.my);
  }
  return faults.take();
}

std::vector<double> linear_depths(double from, double to, int points) {
  std::vector<double> depths;
  for (int k = 0; k < points; ++k)
    depths.push_back(k + 1 == points ? to : from + (to - from) * k / std::max(points - 1, 1));
  return depths;
}

std::vector<double> logarithmic_depths(double from, double to, int points) {
  std::vector<double> depths;
  for (int k = 0; k < points; ++k)
    depths.push_back(k + 1 == points ? to
                                     : from * std::pow(to / from, static_cast<double>(k) /
                                                                      std::max(points - 1, 1)));
  return depths;
}

}  // namespace slipfield
