// SPDX-License-Identifier: Apache-2.0
// The faults of a request for stresses inside the bodies.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "solver/check/fault_list.h"
#include "solver/combinations.h"
#include "solver/interior/interior_request.h"
#include "solver/number_text.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

void check_depths(const std::vector<double>& depths, FaultList& faults) {
  if (depths.empty()) return faults.add("depths", "is empty", "at least one depth");
  if (depths.size() > kMostDepths)
    return faults.add("depths", joined(depths.size(), " depths are too many"),
                      joined("at most ", kMostDepths));
  for (std::size_t k = 0; k < depths.size(); ++k) {
    if (!std::isfinite(depths[k]) || depths[k] < 0.0)
      return faults.add(
          "depths",
          number_text(depths[k]) + " is not inside the body; depths count from the surface into it",
          "depths >= 0");
    if (k > 0 && depths[k] <= depths[k - 1])
      return faults.add("depths", joined(depths[k], " follows ", depths[k - 1]),
                        "depths in increasing order");
  }
}

void check_box(const InteriorRequest& request, const Grid& grid, FaultList& faults) {
  const InteriorWindow window = interior_window(request, grid, {});
  const auto check = [&](const char* name, const std::array<double, 2>& range, int found,
                         double first, double last, double spacing) {
    if (!(range[0] <= range[1]))
      return faults.add(name, joined("ends at ", range[1], " before it begins"),
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

// Slopes are >= 0 and at most that of a material with equal limits in torsion and bending.
void check_slopes(const InteriorRequest& request, FaultList& faults) {
  const FatigueSlopes most = fatigue_slopes(1.0, 1.0);
  const auto check = [&](const char* name, const std::optional<double>& slope, double greatest,
                         InteriorQuantity quantity) {
    if (!slope && std::ranges::count(request.quantities, quantity) > 0)
      faults.add("quantities", std::string(name) + " has no slope to be computed with",
                 std::string("interior.fatigue.") + name + ", or other quantities");
    if (slope && !(*slope >= 0.0 && *slope <= greatest))
      faults.add("fatigue",
                 joined(name, " of ", *slope,
                        *slope < 0.0 ? " would make tension harmless"
                                     : " is a torsion limit above the bending limit"),
                 joined("0 to ", greatest));
  };
  check("dang_van", request.fatigue.dang_van, *most.dang_van, InteriorQuantity::dang_van);
  check("crossland", request.fatigue.crossland, *most.crossland, InteriorQuantity::crossland);
}

}  // namespace

std::vector<Fault> check_interior_step(const InteriorRequest& request, const StepInput& step) {
  FaultList faults;
  faults.within("interior.");
  const Tangential& tangential = step.tangential;
  const bool passes = tangential.problem == TangentialProblem::none ||
                      (tangential.problem == TangentialProblem::steady_rolling &&
                       rolls_along_x(tangential.direction));
  if (request.fatigue != FatigueSlopes{} && !passes)
    faults.add("fatigue", "is of material that passes a steady load along x, and a step is not",
               "steady rolling along x, tangential.problem: none, or no fatigue");
  return faults.take();
}

std::vector<Fault> check_interior_depths(const InteriorRequest& request,
                                         const std::array<ElasticBody, 2>& bodies) {
  FaultList faults;
  faults.within("interior.");
  if (request.depths.empty()) return faults.take();
  for (const Body body : request.bodies) {
    const double base = depth_of_base(bodies[static_cast<std::size_t>(body)]);
    if (!in_base(bodies[static_cast<std::size_t>(body)], request.depths.back())) continue;
    faults.add("depths",
               joined(request.depths.back(), " is inside the rigid base of the ",
                      body == Body::upper ? "upper" : "lower", " body, which begins at ", base),
               joined("depths down to ", base));
    break;
  }
  return faults.take();
}

std::vector<Fault> check_interior(const InteriorRequest& request, const Grid& grid) {
  FaultList faults;
  faults.within("interior.");
  ContactProblem of_grid;
  of_grid.grid = grid;
  for (Fault& fault : refuse_interior(of_grid))
    faults.add("region", std::move(fault.reason), std::move(fault.remedy));
  check_depths(request.depths, faults);
  if (request.bodies.empty()) faults.add("body", "no body is asked for", "upper, lower or both");
  if (request.quantities.empty()) faults.add("quantities", "is empty", "at least one quantity");
  check_slopes(request, faults);
  if (request.fatigue != FatigueSlopes{} && grid.boundary == Boundary::periodic)
    faults.add(
        "fatigue",
        "is of material that comes from outside the load, and a periodic grid has no outside",
        "grid.boundary: free, or no fatigue");
  if (request.region == InteriorRegion::box) check_box(request, grid, faults);
  return faults.take();
}

}  // namespace slipfield
