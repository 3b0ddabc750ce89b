// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/undeformed_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace slipfield {

namespace {

constexpr int kMargin = 4;  // rows and columns beyond the grid ...
constexpr double kStretch =
    1.2;  // ... and this much more, where the wheel is steeper than the plane
constexpr int kMostMoves = 200;
constexpr int kMostMeshSteps = 20;
constexpr double kLastStep = 1.0e-8;  // of Newton's method, in mesh cells
constexpr double kInside = 1.0e-9;    // tolerance outside a cell that still counts as inside
constexpr int kTogether = 16;         // points of a row searched at the same time
constexpr int kStepsTogether = 4;     // two are usual

bool is_inside(double share) { return share >= -kInside && share <= 1.0 + kInside; }

}  // namespace

// p + u along_u + v along_v + u v twist.
struct WheelMesh::Mesh {
  double x, y, n;
  double x_u, y_u, n_u;
  double x_v, y_v, n_v;
  double x_uv, y_uv, n_uv;

  // Takes a Newton step towards (x, y) from (u, v); returns its length, NaN if there is none.
  double step(double to_x, double to_y, double& u, double& v) const {
    const double du_x = x_u + v * x_uv;
    const double du_y = y_u + v * y_uv;
    const double dv_x = x_v + u * x_uv;
    const double dv_y = y_v + u * y_uv;
    const double factor = 1.0 / (du_x * dv_y - du_y * dv_x);
    const double rx = to_x - (x + u * du_x + v * x_v);
    const double ry = to_y - (y + u * du_y + v * y_v);
    const double step_u = (rx * dv_y - ry * dv_x) * factor;
    const double step_v = (du_x * ry - du_y * rx) * factor;
    u += step_u;
    v += step_v;
    return std::fabs(step_u) + std::fabs(step_v);
  }
  [[nodiscard]] double normal(double u, double v) const {
    return n + u * n_u + v * n_v + u * v * n_uv;
  }
};

inline WheelMesh::Mesh WheelMesh::mesh(std::ptrdiff_t index) const {
  const auto a = static_cast<std::size_t>(index);
  const std::size_t u = a + 1;
  const std::size_t v = a + static_cast<std::size_t>(columns_);
  const std::size_t uv = v + 1;
  Mesh m{x_[a],         y_[a],         n_[a],         x_[u] - x_[a], y_[u] - y_[a], n_[u] - n_[a],
         x_[v] - x_[a], y_[v] - y_[a], n_[v] - n_[a], 0.0,           0.0,           0.0};
  m.x_uv = x_[uv] - x_[a] - m.x_u - m.x_v;
  m.y_uv = y_[uv] - y_[a] - m.y_u - m.y_v;
  m.n_uv = n_[uv] - n_[a] - m.n_u - m.n_v;
  return m;
}

WheelMesh::WheelMesh(const Profile& profile, const PlacedWheel& wheel, const ContactPatch& patch,
                     double reach)
    : first_x_(patch.grid.x(0)), dx_(patch.grid.dx), dy_(patch.grid.dy) {
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
  // The profile runs towards -y, the rows of the mesh towards +y.
  const std::ptrdiff_t wanted = covering(grid.y(0) - reach, grid.y(grid.my - 1) + reach, dy_);
  const auto before = static_cast<std::ptrdiff_t>(std::floor((curve.last() - s_reference) / dy_));
  const auto after = static_cast<std::ptrdiff_t>(std::floor((s_reference - curve.first()) / dy_));
  // If the profile ends before the mesh does, an additional row is placed at its end: otherwise the
  // missing part of a contact there would change by whole rows with the height.
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
  const auto count = static_cast<std::size_t>(columns_ * rows_);
  for (std::vector<double>* values : {&x_, &y_, &n_}) values->resize(count);
  const double first = patch.on_wheel.x() - static_cast<double>(reference_column_) * dx_;
  // to_contact.out(wheel.around(at, x)), a row by vectors.
  const Eigen::Matrix3d& turn = to_contact.rotation;
  const Eigen::Vector3d& origin = to_contact.origin;
  double* x_row = x_.data();
  double* y_row = y_.data();
  double* n_row = n_.data();
  for (const double row : rows) {
    const Eigen::Vector3d at = curve.at(row);
    const double y = at.y();
    const double radius = wheel.radius + at.z();
#pragma omp simd
    for (std::ptrdiff_t i = 0; i < columns_; ++i) {
      const double x = first + static_cast<double>(i) * dx_;
      const double z = std::sqrt(radius * radius - x * x) - wheel.radius;
      x_row[i] = origin[0] + (turn(0, 0) * x + turn(0, 1) * y + turn(0, 2) * z);
      y_row[i] = origin[1] + (turn(1, 0) * x + turn(1, 1) * y + turn(1, 2) * z);
      n_row[i] = origin[2] + (turn(2, 0) * x + turn(2, 1) * y + turn(2, 2) * z);
    }
    x_row += columns_;
    y_row += columns_;
    n_row += columns_;
  }
}

WheelMesh::Place WheelMesh::start_at(double x, double y, const std::optional<Place>& near) const {
  const auto cell = [](double at, std::ptrdiff_t count) {
    return static_cast<std::ptrdiff_t>(std::clamp(at, 0.0, static_cast<double>(count - 2)));
  };
  if (!near)
    return {x, y, cell(std::floor(x / dx_ + static_cast<double>(reference_column_)), columns_),
            cell(std::floor(y / dy_ + static_cast<double>(reference_row_)), rows_)};
  // Estimates the cell from the spacing.
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
  // Where the surface turns away from the plane the walk may get lost from one start and succeed
  // from another.
  if (near && std::isnan(n)) n = walk(start_at(x, y, std::nullopt), x, y, place);
  return n;
}

double WheelMesh::walk(Place at, double x, double y, std::optional<Place>& place) const {
  place.reset();
  for (int move = 0; move < kMostMoves; ++move) {
    const Mesh here = mesh(at.j * columns_ + at.i);
    double u = at.u;
    double v = at.v;
    bool has_met = false;
    // The Newton step after the last one would be a fraction of its square.
    for (int step = 0; step < kMostMeshSteps && !has_met; ++step)
      has_met = here.step(x, y, u, v) < kLastStep;
    if (!(std::isfinite(u) && std::isfinite(v))) return std::numeric_limits<double>::quiet_NaN();
    const auto moved = [](double share) { return is_inside(share) ? 0 : share < 0.0 ? -1 : 1; };
    const std::ptrdiff_t next_i = at.i + moved(u);
    const std::ptrdiff_t next_j = at.j + moved(v);
    if (next_i == at.i && next_j == at.j) {
      if (!has_met) break;
      const double n = here.normal(u, v);
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

// For one row of points, which lie in one row of cells until that row ends below them: returns how
// many of n are found, and the place of the last. x: of the first.
std::size_t WheelMesh::walk_together(const Place& from, double x, std::span<double> n,
                                     std::optional<Place>& place) const {
  const auto away = static_cast<std::ptrdiff_t>(std::lround((x - from.x) / dx_));
  const std::ptrdiff_t first = from.i + away;
  const auto count = std::min<std::ptrdiff_t>(
      {kTogether, static_cast<std::ptrdiff_t>(n.size()), columns_ - 1 - first});
  const std::ptrdiff_t index = from.j * columns_ + first;
  std::array<double, kTogether> u{};
  std::array<double, kTogether> v{};
  std::array<double, kTogether> last{};
  u.fill(from.u);
  v.fill(from.v);
  for (int step = 0; step < kStepsTogether; ++step) {
    double longest = 0.0;
#pragma omp simd reduction(max : longest)
    for (std::ptrdiff_t k = 0; k < count; ++k) {
      last[k] = mesh(index + k).step(x + static_cast<double>(k) * dx_, from.y, u[k], v[k]);
      longest = std::max(longest, last[k]);
    }
    if (longest < kLastStep) break;
  }
  std::ptrdiff_t found = 0;
  while (found < count && last[found] < kLastStep && is_inside(u[found]) && is_inside(v[found])) {
    n[found] = mesh(index + found).normal(u[found], v[found]);
    ++found;
  }
  if (found > 0) {
    const std::ptrdiff_t k = found - 1;
    place = {x + static_cast<double>(k) * dx_, from.y, first + k, from.j, u[k], v[k]};
  }
  return static_cast<std::size_t>(found);
}

void WheelMesh::normals_along_x(double y, std::optional<Place>& place, std::span<double> n) const {
  std::optional<Place> at = place;
  std::size_t k = 0;
  while (k < n.size()) {
    const double x = first_x_ + static_cast<double>(k) * dx_;
    n[k] = normal_at(x, y, at);
    if (k == 0) place = at;
    for (++k; at && k < n.size();) {
      const std::size_t found =
          walk_together(*at, first_x_ + static_cast<double>(k) * dx_, n.subspan(k), at);
      k += found;
      if (found < kTogether) break;
    }
  }
}

namespace {

constexpr int kMostRollerSteps = 60;         // of Newton's method, kept within a bracket
constexpr double kLastRollerMove = 1.0e-12;  // [mm]

// The surface of a roller over one row of the grid, at growing distances |x| from the roller's top
// to one side. A point of the profile lies lower there, the more the greater |x|. Seen along the
// contact plane all points move to the same side, so the one over the row's y is always further on
// along the profile in one direction: it lies between the last one and the next knot beyond y, and
// there is none if no knot lies beyond y.
class RollerRow {
 public:
  // frame: the contact coordinates, turned back to the roller's top; s: of the visible point at
  // x = 0.
  RollerRow(const PlacedRail& roller, const AxesFrame& frame, double y, double s)
      : roller_(roller), frame_(frame), y_(y), last_(s), forward_(frame.rotation(2, 1) < 0.0) {
    const std::vector<double>& knots = roller.curve.knots();
    const auto above = std::upper_bound(knots.begin(), knots.end(), s);
    const auto below = std::lower_bound(knots.begin(), knots.end(), s);
    knot_ = forward_ ? above - knots.begin() : below - knots.begin() - 1;
  }

  // n at x of the roller's own coordinates; +infinity where no point lies over the row.
  double normal_at(double x) {
    const SplineCurve& curve = roller_.curve;
    Point last = lowered(curve.at(last_), x);
    if (last.beyond >= -kLastRollerMove) return normal(last);
    const auto count = static_cast<std::ptrdiff_t>(curve.knots().size());
    for (; knot_ >= 0 && knot_ < count; knot_ += forward_ ? 1 : -1) {
      const auto k = static_cast<std::size_t>(knot_);
      const Point next = lowered(curve.at_knot(k), x);
      if (next.beyond >= 0.0) return between(last, curve.knots()[k], x);
      last = next;
      last_ = curve.knots()[k];
    }
    return std::numeric_limits<double>::infinity();
  }

 private:
  struct Point {
    double y = 0.0;  // from the frame's origin, along the track's axes
    double z = 0.0;
    double stretch = 0.0;  // how much faster than at x = 0 z grows with that of the profile
    double beyond = 0.0;   // how far the point lies beyond the row, in the direction of the search
  };
  [[nodiscard]] double sign() const { return forward_ ? 1.0 : -1.0; }
  [[nodiscard]] double across(double y, double z) const {
    return sign() * (frame_.rotation(1, 1) * y + frame_.rotation(2, 1) * z);
  }
  [[nodiscard]] double normal(const Point& at) const {
    return frame_.rotation(1, 2) * at.y + frame_.rotation(2, 2) * at.z;
  }
  [[nodiscard]] Point lowered(const Eigen::Vector3d& at, double x) const {
    const double drop = roller_.drop(at.z(), x);
    const double radius = roller_.roller_radius - at.z();
    const double y = at.y() - frame_.origin.y();
    const double z = at.z() + drop - frame_.origin.z();
    return {y, z, radius / (radius - drop), across(y, z) - sign() * y_};
  }
  // n of the point over the row between the last one, which is `at`, and the one with the
  // parameter `end`, which lies beyond; keeps it as the last.
  double between(Point at, double end, double x) {
    const SplineCurve& curve = roller_.curve;
    double s = last_;
    for (int step = 0; step < kMostRollerSteps && std::fabs(at.beyond) > kLastRollerMove; ++step) {
      (at.beyond < 0.0 ? last_ : end) = s;
      const Eigen::Vector3d along = curve.tangent(s);
      double next = s - at.beyond / across(along.y(), along.z() * at.stretch);
      if (!(next > std::min(last_, end) && next < std::max(last_, end))) next = 0.5 * (last_ + end);
      if (next == s) break;
      s = next;
      at = lowered(curve.at(s), x);
    }
    last_ = s;
    return normal(at);
  }

  const PlacedRail& roller_;
  const AxesFrame& frame_;
  double y_;
  double last_;              // parameter of the last point, which does not lie beyond the row
  bool forward_;             // towards greater parameters
  std::ptrdiff_t knot_ = 0;  // the next one
};

// n of the rail along a row of the grid, where the row at x = 0 has this point.
void rail_normals_along_x(const PlacedRail& rail, const AxesFrame& at_top, const Grid& grid,
                          double y, const CurvePoint& point, std::span<double> n) {
  if (!(rail.roller_radius > 0.0)) {
    std::fill(n.begin(), n.end(), point.at.z());
    return;
  }
  RollerRow behind(rail, at_top, y, point.s);
  RollerRow ahead = behind;
  const auto x = [&](int ix) { return at_top.origin.x() + grid.x(ix); };
  int middle = 0;
  while (middle < grid.mx && x(middle) < 0.0) ++middle;
  for (int ix = middle; ix < grid.mx; ++ix)
    n[static_cast<std::size_t>(ix)] = ahead.normal_at(x(ix));
  for (int ix = middle; ix-- > 0;) n[static_cast<std::size_t>(ix)] = behind.normal_at(x(ix));
}

}  // namespace

std::vector<double> distance_over_plane(const WheelOnRail& bodies, const ContactPatch& place,
                                        double reach) {
  const Grid& grid = place.grid;
  const AxesFrame at_top = bodies.rail->at_top(place.frame, place.turn);
  const std::vector<CurvePoint> on_rail = bodies.rail->curve.points_at_y(
      at_top.inverse(), grid.y(0), grid.dy, static_cast<std::size_t>(grid.my), SeenFrom::above);
  const WheelMesh wheel(*bodies.wheel_profile, bodies.wheel, place, reach);
  std::vector<double> distance(grid.count(), std::numeric_limits<double>::infinity());
  std::optional<WheelMesh::Place> row_start;
  std::vector<double> n_wheel(static_cast<std::size_t>(grid.mx));
  std::vector<double> n_rail(n_wheel.size());
  for (int iy = 0; iy < grid.my; ++iy) {
    const CurvePoint& across = on_rail[static_cast<std::size_t>(iy)];
    if (std::isnan(across.s)) continue;
    wheel.normals_along_x(grid.y(iy), row_start, n_wheel);
    rail_normals_along_x(*bodies.rail, at_top, grid, grid.y(iy), across, n_rail);
    for (int ix = 0; ix < grid.mx; ++ix) {
      const auto i = static_cast<std::size_t>(ix);
      const double h = n_rail[i] - n_wheel[i];
      if (std::isfinite(h)) distance[grid.index(ix, iy)] = h;
    }
  }
  return distance;
}

}  // namespace slipfield
