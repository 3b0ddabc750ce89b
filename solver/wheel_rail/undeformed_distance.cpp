// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/undeformed_distance.h"

#include <cmath>
#include <limits>
#include <optional>

#include "solver/wheel_rail/wheel_mesh.h"

namespace slipfield {
namespace {

constexpr int kMostRollerSteps = 20;

// n of a roller's surface at (x, y) of the contact coordinates; s: where the curve has that y.
double roller_normal_at(const PlacedRail& roller, const AxesFrame& frame, double x, double y,
                        double s) {
  const double x_track = frame.origin.x() + x;
  const Eigen::Vector3d across = frame.rotation.col(1);
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();
  for (int step = 0; step < kMostRollerSteps; ++step) {
    const Eigen::Vector3d at = roller.curve.at(s);
    offset = at - frame.origin;
    offset.z() += roller.drop(at.z(), x_track);
    const double off = across.dot(offset) - y;
    if (std::fabs(off) < 1e-12) break;
    s -= off / across.dot(roller.curve.tangent(s));
  }
  return frame.rotation.col(2).dot(offset);
}

}  // namespace

std::vector<double> distance_over_plane(const WheelOnRail& bodies, const ContactPatch& place,
                                        double reach) {
  const Grid& grid = place.grid;
  const std::vector<CurvePoint> on_rail =
      bodies.rail->curve.points_at_y(place.frame.inverse(), grid.y(0), grid.dy,
                                     static_cast<std::size_t>(grid.my), SeenFrom::above);
  const bool is_roller = bodies.rail->roller_radius > 0.0;
  const WheelMesh wheel(*bodies.wheel_profile, bodies.wheel, place, reach);
  std::vector<double> distance(grid.count(), std::numeric_limits<double>::infinity());
  std::optional<WheelMesh::Place> row_start;
  std::vector<double> on_wheel(static_cast<std::size_t>(grid.mx));
  for (int iy = 0; iy < grid.my; ++iy) {
    const CurvePoint& across = on_rail[static_cast<std::size_t>(iy)];
    if (std::isnan(across.s)) continue;
    wheel.normals_along_x(grid.y(iy), row_start, on_wheel);
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double n_rail =
          is_roller ? roller_normal_at(*bodies.rail, place.frame, grid.x(ix), grid.y(iy), across.s)
                    : across.at.z();
      const double h = n_rail - on_wheel[static_cast<std::size_t>(ix)];
      if (std::isfinite(h)) distance[grid.index(ix, iy)] = h;
    }
  }
  return distance;
}

}  // namespace slipfield
