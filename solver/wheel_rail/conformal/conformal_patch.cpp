// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/conformal/conformal_patch.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>

#include "solver/error.h"
#include "solver/wheel_rail/undeformed_distance.h"

namespace slipfield {

namespace {

constexpr int kPointsOfElement = 4;  // of the curve, for each element
constexpr double kWheelReach = 2.0;  // [mm] along the wheel to either side of a row

// A point of the reference surface's section, with its length along the section from the reference
// point.
struct ArcPoint {
  double length = 0.0;
  double y = 0.0;
  double n = 0.0;
};

// The mean of rail and wheel at x = 0, where both exist, ordered by length.
std::vector<ArcPoint> mean_section(const WheelOnRail& bodies, const ContactPatch& patch) {
  const Grid& grid = patch.grid;
  const double step = grid.dy / kPointsOfElement;
  const auto before = static_cast<std::ptrdiff_t>(std::ceil(std::max(0.0, -grid.y(0)) / step)) +
                      2 * kPointsOfElement;
  const auto after =
      static_cast<std::ptrdiff_t>(std::ceil(std::max(0.0, grid.y(grid.my - 1)) / step)) +
      2 * kPointsOfElement;
  const auto on_rail = bodies.rail->curve.points_at_y(
      bodies.rail->at_top(patch.frame, patch.turn).inverse(), -static_cast<double>(before) * step,
      step, static_cast<std::size_t>(before + after + 1), SeenFrom::above);
  const WheelMesh wheel(*bodies.wheel_profile, bodies.wheel, patch);
  std::optional<WheelMesh::Place> on_wheel;
  const auto point = [&](std::ptrdiff_t k) {
    const double y = static_cast<double>(k) * step;
    const CurvePoint& found = on_rail[static_cast<std::size_t>(k + before)];
    return ArcPoint{std::isnan(found.s) ? found.s : 0.0, y,
                    0.5 * (found.at.z() + wheel.normal_at(0.0, y, on_wheel))};
  };
  const auto is_there = [](const ArcPoint& at) {
    return std::isfinite(at.n) && !std::isnan(at.length);
  };
  std::vector<ArcPoint> section{point(0)};
  if (!is_there(section.front())) throw InputError(no_surface_text(grid));
  const auto walk = [&](std::ptrdiff_t direction, std::ptrdiff_t count) {
    for (std::ptrdiff_t k = 1; k <= count; ++k) {
      ArcPoint next = point(direction * k);
      if (!is_there(next)) break;
      const ArcPoint& last = section.back();
      next.length = last.length +
                    static_cast<double>(direction) * std::hypot(next.y - last.y, next.n - last.n);
      section.push_back(next);
    }
  };
  walk(-1, before);
  std::reverse(section.begin(), section.end());
  walk(1, after);
  return section;
}

// Linear between the points, straight beyond them.
ArcPoint at_length(const std::vector<ArcPoint>& section, double length) {
  const auto last = static_cast<std::ptrdiff_t>(section.size()) - 1;
  const auto above = std::upper_bound(section.begin(), section.end(), length,
                                      [](double s, const ArcPoint& at) { return s < at.length; });
  const std::ptrdiff_t k = std::clamp<std::ptrdiff_t>(above - section.begin(), 1, last);
  const ArcPoint& a = section[static_cast<std::size_t>(k - 1)];
  const ArcPoint& b = section[static_cast<std::size_t>(k)];
  const double part = (length - a.length) / (b.length - a.length);
  return {length, a.y + part * (b.y - a.y), a.n + part * (b.n - a.n)};
}

// The point, in the wheel profile's coordinates, where the wheel's section meets the row's normal:
// there the wheel's mesh has a point.
Eigen::Vector3d wheel_below(const WheelOnRail& bodies, const AxesFrame& row) {
  const SplineCurve& curve = bodies.wheel_profile->curve;
  const SplineCurve section = curve.moved(row.inverse().out(bodies.wheel.frame));
  Eigen::Vector3d at = bodies.wheel.frame.in(row.origin);
  if (const auto s = section.parameter_at_y(0.0, SeenFrom::below)) at.y() = curve.at(*s).y();
  return at;
}

}  // namespace

std::vector<ReferenceRow> reference_rows(const WheelOnRail& bodies, const ContactPatch& patch) {
  const Grid& grid = patch.grid;
  const std::vector<ArcPoint> section = mean_section(bodies, patch);
  if (section.size() < 2)
    throw InputError("the rail and the wheel have one point in common; accepted: longer profiles");
  std::vector<ReferenceRow> rows;
  for (int iy = 0; iy < grid.my; ++iy) {
    const double length = grid.y(iy);
    const ArcPoint at = at_length(section, length);
    // The chord over two elements: the wheel's section is straight within each.
    const ArcPoint from = at_length(section, length - grid.dy);
    const ArcPoint to = at_length(section, length + grid.dy);
    rows.push_back({at.y, at.n, patch.angle + std::atan2(to.n - from.n, to.y - from.y)});
  }
  return rows;
}

AxesFrame row_frame(const ContactPatch& patch, const ReferenceRow& row) {
  return {contact_axes(row.angle, patch.turn), patch.frame.out(Eigen::Vector3d(0.0, row.y, row.n))};
}

std::vector<double> conformal_distance(const WheelOnRail& bodies, const ContactPatch& patch) {
  ContactPatch place;  // one row in its own frame
  place.grid = patch.grid;
  place.turn = patch.turn;
  place.grid.my = 1;
  place.grid.y0 = -0.5 * patch.grid.dy;
  std::vector<double> distance;
  distance.reserve(patch.grid.count());
  for (const ReferenceRow& row : patch.rows) {
    place.frame = row_frame(patch, row);
    place.on_wheel = wheel_below(bodies, place.frame);
    const std::vector<double> of_row = distance_over_plane(bodies, place, kWheelReach);
    distance.insert(distance.end(), of_row.begin(), of_row.end());
  }
  return distance;
}

CurvedInfluence conformal_influence(const ContactPatch& patch) {
  ConformalCorrection correction;
  correction.straight = false;
  for (int iy = 0; iy < patch.grid.my; ++iy) {
    correction.y.push_back(patch.grid.y(iy));
    correction.angle.push_back(patch.rows[static_cast<std::size_t>(iy)].angle - patch.angle);
  }
  return {nullptr, std::make_shared<const ConformalCorrection>(std::move(correction))};
}

ExtraSlip slip_of_rows(const ContactPatch& patch, double ahead) {
  const Grid& grid = patch.grid;
  const PatchCreepages& creepages = patch.creepages;
  std::vector<double> slip_x(grid.count());
  std::vector<double> slip_y(grid.count());
  for (int iy = 0; iy < grid.my; ++iy) {
    const RowCreepages& row = creepages.rows[static_cast<std::size_t>(iy)];
    for (int ix = 0; ix < grid.mx; ++ix) {
      const std::size_t i = grid.index(ix, iy);
      slip_x[i] = row.x - (creepages.x - creepages.spin * grid.y(iy));
      slip_y[i] = row.y - creepages.y + (row.spin - creepages.spin) * (grid.x(ix) + ahead);
    }
  }
  return {std::make_shared<const std::vector<double>>(std::move(slip_x)),
          std::make_shared<const std::vector<double>>(std::move(slip_y))};
}

TurnedForce turned_force(const ContactPatch& patch, const ContactSolution& solution) {
  const Grid& grid = patch.grid;
  TurnedForce sum;
  for (int iy = 0; iy < grid.my; ++iy) {
    const ReferenceRow& row = patch.rows[static_cast<std::size_t>(iy)];
    const double cosine = std::cos(row.angle - patch.angle);
    const double sine = std::sin(row.angle - patch.angle);
    for (int ix = 0; ix < grid.mx; ++ix) {
      const std::size_t i = grid.index(ix, iy);
      const double across = solution.traction_y[i];
      const double pressure = solution.pressure[i];
      const Eigen::Vector3d force(solution.traction_x[i], across * cosine - pressure * sine,
                                  across * sine + pressure * cosine);
      sum.force += force;
      sum.moment += Eigen::Vector3d(grid.x(ix), row.y, row.n).cross(force);
    }
  }
  sum.force *= grid.element_area();
  sum.moment *= grid.element_area();
  return sum;
}

}  // namespace slipfield
