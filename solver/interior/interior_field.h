// SPDX-License-Identifier: Apache-2.0
// The interior of both bodies after a step, depth by depth: one plane is in memory at a time, so
// that a volume of any depth can be written as it is computed.
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
  // request: without faults (check_interior). bodies: by enum class Body. The request and the
  // solution outlive the object. make: the backend that computes the planes.
  InteriorField(const Grid& grid, const std::array<ElasticBody, 2>& materials,
                const InteriorRequest& request, const ContactSolution& solution,
                MakeInteriorPlanes make = make_cpu_interior_planes);

  [[nodiscard]] const InteriorRequest& request() const { return request_; }
  [[nodiscard]] const InteriorWindow& window() const { return window_; }
  [[nodiscard]] const Grid& grid() const { return grid_; }

  // Forms the plane of a body at request().depths[depth]; its greatest values enter the summary.
  // All depths of one body, then those of the next.
  void compute(Body body, std::size_t depth);
  // Every plane of every body, for the summaries alone.
  void compute_all();
  // Values of the last plane, over the window, x fastest.
  [[nodiscard]] std::vector<double> values(InteriorQuantity quantity);

  // dang_van or crossland, the greatest of the depths so far of the last body, by row of the
  // window; empty where not asked for.
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
  std::vector<double> dang_van_;  // over the window, where asked for
  std::vector<double> crossland_;
  std::vector<InteriorSummary> summaries_;
  std::vector<double> dang_van_along_y_;
  std::vector<double> crossland_along_y_;
};

}  // namespace slipfield
