// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/wheel_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipfield {
namespace {

constexpr int kMargin = 4;  // rows and columns beyond the grid ...
constexpr double kStretch =
    1.2;  // ... and this much more, where the wheel is steeper than the plane
constexpr int kMostMoves = 200;
constexpr int kMostMeshSteps = 20;
constexpr double kLastStep = 1.0e-8;  // of Newton's method, in parts of a mesh
constexpr double kInside = 1.0e-9;    // part of a mesh: how far outside still counts as inside

}  // namespace

WheelMesh::WheelMesh(const Profile& profile, const PlacedWheel& wheel, const ContactPatch& patch,
                     double reach)
    : dx_(patch.grid.dx), dy_(patch.grid.dy) {
  const Grid& grid = patch.grid;
  const SplineCurve& curve = profile.curve;
  const double s_reference =
      curve.parameter_at_y(patch.on_wheel.y(), SeenFrom::below).value_or(0.0);
  const auto covering = [](double low, double high, double spacing) {
    const double most = std::max(std::fabs(low), std::fabs(high));
    return static_cast<std::ptrdiff_t>(std::ceil(kStretch * most / spacing)) + kMargin;
  };
  reference_column_ = covering(grid.x(0), grid.x(grid.mx - 1), dx_);
  columns_ = 2 * reference_column_ + 1;
  // The profile runs towards -y, the mesh's rows towards +y.
  const std::ptrdiff_t wanted = covering(grid.y(0) - reach, grid.y(grid.my - 1) + reach, dy_);
  const auto before = static_cast<std::ptrdiff_t>(std::floor((curve.last() - s_reference) / dy_));
  const auto after = static_cast<std::ptrdiff_t>(std::floor((s_reference - curve.first()) / dy_));
  // Where the profile ends before the mesh does, one more row is at its end: what is missing of a contact
  // there would otherwise change by whole rows with its height.
  constexpr double kLeastRow = 1.0e-6;  // of the spacing: no row on top of another
  const auto add_end = [&](std::vector<double>& rows, std::ptrdiff_t count, double end) {
    const double left = std::fabs(end - s_reference) - static_cast<double>(count) * dy_;
    if (count >= 0 && count < wanted && left > kLeastRow * dy_) rows.push_back(end);
  };
  std::vector<double> rows;
  add_end(rows, before, curve.last());
  for (std::ptrdiff_t j = -std::clamp<std::ptrdiff_t>(before, 0, wanted);
       j <= std::clamp<std::ptrdiff_t>(after, 0, wanted); ++j) {
    if (j == 0) reference_row_ = static_cast<std::ptrdiff_t>(rows.size());
    rows.push_back(s_reference - static_cast<double>(j) * dy_);
  }
  add_end(rows, after, curve.first());
  rows_ = static_cast<std::ptrdiff_t>(rows.size());
  const AxesFrame to_contact = patch.frame.inverse().out(wheel.frame);
  points_.reserve(static_cast<std::size_t>(columns_ * rows_));
  for (const double row : rows) {
    const Eigen::Vector3d at = curve.at(row);
    for (std::ptrdiff_t i = 0; i < columns_; ++i) {
      const double x = patch.on_wheel.x() + static_cast<double>(i - reference_column_) * dx_;
      points_.push_back(to_contact.out(wheel.around(at, x)));
    }
  }
}

WheelMesh::Place WheelMesh::start_at(double x, double y, const std::optional<Place>& near) const {
  const auto cell = [](double at, std::ptrdiff_t count) {
    return static_cast<std::ptrdiff_t>(std::clamp(at, 0.0, static_cast<double>(count - 2)));
  };
  if (!near)
    return {x, y, cell(std::floor(x / dx_ + static_cast<double>(reference_column_)), columns_),
            cell(std::floor(y / dy_ + static_cast<double>(reference_row_)), rows_)};
  // As many meshes away as the spacing says.
  return {x,
          y,
          cell(static_cast<double>(near->i) + std::round((x - near->x) / dx_), columns_),
          cell(static_cast<double>(near->j) + std::round((y - near->y) / dy_), rows_),
          near->u,
          near->v};
}

double WheelMesh::normal_at(double x, double y, std::optional<Place>& place) const {
  if (rows_ < 2 || columns_ < 2) return std::numeric_limits<double>::quiet_NaN();
  const std::optional<Place> near = place;
  double n = walk(start_at(x, y, near), x, y, place);
  // Where the surface turns away from the plane the walk may lead off from one start and not from another.
  if (near && std::isnan(n)) n = walk(start_at(x, y, std::nullopt), x, y, place);
  return n;
}

double WheelMesh::walk(Place at, double x, double y, std::optional<Place>& place) const {
  place.reset();
  for (int move = 0; move < kMostMoves; ++move) {
    const Eigen::Vector3d& a = point(at.i, at.j);
    const Eigen::Vector3d along_u = point(at.i + 1, at.j) - a;
    const Eigen::Vector3d along_v = point(at.i, at.j + 1) - a;
    const Eigen::Vector3d twist = point(at.i + 1, at.j + 1) - a - along_u - along_v;
    double u = at.u;
    double v = at.v;
    for (int step = 0; step < kMostMeshSteps; ++step) {
      const double du_x = along_u.x() + v * twist.x();
      const double du_y = along_u.y() + v * twist.y();
      const double dv_x = along_v.x() + u * twist.x();
      const double dv_y = along_v.y() + u * twist.y();
      const double determinant = du_x * dv_y - du_y * dv_x;
      if (determinant == 0.0) return std::numeric_limits<double>::quiet_NaN();
      const double rx = x - (a.x() + u * du_x + v * along_v.x());
      const double ry = y - (a.y() + u * du_y + v * along_v.y());
      const double step_u = (rx * dv_y - ry * dv_x) / determinant;
      const double step_v = (du_x * ry - du_y * rx) / determinant;
      u += step_u;
      v += step_v;
      // The next step of Newton's method would be some part of this one's square.
      if (std::fabs(step_u) + std::fabs(step_v) < kLastStep) break;
    }
    const auto moved = [](double share) {
      return share < -kInside ? -1 : share > 1.0 + kInside ? 1 : 0;
    };
    const std::ptrdiff_t next_i = at.i + moved(u);
    const std::ptrdiff_t next_j = at.j + moved(v);
    if (next_i == at.i && next_j == at.j) {
      const double n = a.z() + u * along_u.z() + v * along_v.z() + u * v * twist.z();
      if (!std::isnan(n)) place = {x, y, at.i, at.j, u, v};
      return n;
    }
    if (next_i < 0 || next_j < 0 || next_i > columns_ - 2 || next_j > rows_ - 2) break;
    at.u = at.v = 0.5;
    at.i = next_i;
    at.j = next_j;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace slipfield
