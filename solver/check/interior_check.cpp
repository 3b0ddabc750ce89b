// SPDX-License-Identifier: Apache-2.0
// What is wrong with what is asked for inside the bodies.
#include <cmath>

#include "solver/check/fault_list.h"
#include "solver/interior/interior_request.h"
#include "solver/number_text.h"

namespace slipfield {
namespace {

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

void check_box(const InteriorRequest& request, const Grid& grid, FaultList& faults) {
  const InteriorWindow window = interior_window(request, grid, {});
  const auto check = [&](const char* name, const std::array<double, 2>& range, int found,
                         double first, double last, double spacing) {
    if (!(range[0] <= range[1]))
      return faults.add(name, "ends at " + number_text(range[1]) + " before it begins",
                        "[least, greatest]");
    if (found == 0)
      faults.add(
          name,
          "no element centre lies from " + number_text(range[0]) + " to " + number_text(range[1]),
          "a range with a centre in it; they lie from " + number_text(first) + " to " +
              number_text(last) + " in steps of " + number_text(spacing));
  };
  check("region.x", request.box_x, window.mx, grid.x(0), grid.x(grid.mx - 1), grid.dx);
  check("region.y", request.box_y, window.my, grid.y(0), grid.y(grid.my - 1), grid.dy);
}

}  // namespace

std::vector<Fault> check_interior(const InteriorRequest& request, const Grid& grid) {
  FaultList faults;
  faults.within("interior.");
  if (grid.boundary == Boundary::periodic)
    faults.add("region", "a periodic grid has no interior here: the sums are those of a free one",
               "grid.boundary = free, or no interior");
  check_depths(request.depths, faults);
  if (request.bodies.empty()) faults.add("body", "no body is asked for", "upper, lower or both");
  if (request.quantities.empty()) faults.add("quantities", "is empty", "at least one quantity");
  if (request.region == InteriorRegion::box) check_box(request, grid, faults);
  return faults.take();
}

}  // namespace slipfield
