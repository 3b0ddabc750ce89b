// SPDX-License-Identifier: Apache-2.0
// The interior of both bodies after a step, depth by depth: only one plane is in memory at a time,
// so that a volume of any depth can be written while it is computed.
#pragma once

#include <memory>
#include <vector>

#include "solver/grid.h"
#include "solver/interior/interior_planes.h"
#include "solver/interior/interior_request.h"
#include "solver/material.h"

namespace slipfield {

class InteriorField {
 public:
  // request: faultless (check_interior). bodies: by enum class Body. The request and the solution
  // must outlive the object. make: creates the backend's planes.
  InteriorField(const Grid& grid, const std::array<ElasticBody, 2>& materials,
                const InteriorRequest& request, const ContactSolution& solution,
                MakeInteriorPlanes make = make_cpu_interior_planes);

  [[nodiscard]] const InteriorRequest& request() const { return request_; }
  [[nodiscard]] const InteriorWindow& window() const { return window_; }
  [[nodiscard]] const Grid& grid() const { return grid_; }

  // Computes the plane of a body at request().depths[depth] and adds its greatest values to the
  // summary. Compute all depths of one body before those of the next.
  void compute(Body body, std::size_t depth);
  // Computes every plane of every body, if only the summaries are needed.
  void compute_all();
  // Values of the last plane over the window, x fastest.
  [[nodiscard]] std::vector<double> values(InteriorQuantity quantity);

  // dang_van or crossland: the greatest value over the computed depths of the last body, for each
  // row of the window; empty if not requested.
  [[nodiscard]] const std::vector<double>& along_y(InteriorQuantity quantity) const {
    return quantity == InteriorQuantity::dang_van ? dang_van_along_y_ : crossland_along_y_;
  }

  // Summaries of the planes computed so far, in the order of the bodies.
  [[nodiscard]] const std::vector<InteriorSummary>& summaries() const { return summaries_; }

 private:
  void update_summary(Body body, double depth);
  void update_fatigue(Body body, double depth);
  // The stresses along a row of elements of the last plane, from one end of the grid to the other.
  [[nodiscard]] StressHistory history_of_row(
      const std::array<const double*, kStressComponents>& stress, int iy) const;

  Grid grid_;
  std::array<ElasticBody, 2> materials_;
  const InteriorRequest& request_;
  const ContactSolution& solution_;
  InteriorWindow window_;
  MakeInteriorPlanes make_;
  std::unique_ptr<InteriorPlanes> planes_;
  std::vector<double> dang_van_;  // over the window, if requested
  std::vector<double> crossland_;
  std::vector<InteriorSummary> summaries_;
  std::vector<double> dang_van_along_y_;
  std::vector<double> crossland_along_y_;
};

}  // namespace slipfield
