// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/surface/worn_profile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace slipfield {
namespace {

// relative to the rows' distance: closer points of the profile are dropped
constexpr double kBesideRow = 0.4;

// Rows of a contact on the curve of a profile, and the depth that each removes.
class WornRows {
 public:
  WornRows(const Profile& profile, const WornContact& contact)
      : curve_(profile.curve),
        contact_(contact),
        cos_(std::cos(contact.angle)),
        sin_(std::sin(contact.angle)),
        into_body_(profile.role == ProfileRole::rail ? 1.0 : -1.0) {
    const double centre = nearest();
    for (const double s : contact.s) at_.push_back(parameter_of(s, centre));
  }

  [[nodiscard]] const std::vector<double>& parameters() const { return at_; }
  // Whether t is close to one of the rows.
  [[nodiscard]] bool is_beside(double t) const {
    if (at_.size() < 2 || !is_within(t)) return false;
    const auto [least, greatest] = std::minmax(at_.front(), at_.back());
    const double near = kBesideRow * (greatest - least) / static_cast<double>(at_.size() - 1);
    return std::any_of(at_.begin(), at_.end(),
                       [&](double row) { return std::fabs(row - t) < near; });
  }
  // Displacement of the surface at a place on the curve.
  [[nodiscard]] ProfilePoint worn_at(double t) const {
    const double depth = is_within(t) ? depth_at(along(t)) : 0.0;
    return {-sin_ * into_body_ * depth, cos_ * into_body_ * depth};
  }

 private:
  // Limits the wear to the range from the first to the last row: other parts of the profile may lie
  // behind the contact.
  [[nodiscard]] bool is_within(double t) const {
    if (at_.empty()) return false;
    const auto [least, greatest] = std::minmax(at_.front(), at_.back());
    return t >= least && t <= greatest;
  }
  // Coordinate in the contact plane, from the reference point.
  [[nodiscard]] double along(double t) const {
    const Eigen::Vector3d point = curve_.at(t);
    return (point.y() - contact_.y) * cos_ + (point.z() - contact_.z) * sin_;
  }
  // The knot nearest to the reference point.
  [[nodiscard]] double nearest() const {
    double best = std::numeric_limits<double>::infinity();
    double found = curve_.first();
    for (std::size_t i = 0; i < curve_.knots().size(); ++i) {
      const Eigen::Vector3d point = curve_.at_knot(i);
      const double distance = std::hypot(point.y() - contact_.y, point.z() - contact_.z);
      if (distance < best) {
        best = distance;
        found = curve_.knots()[i];
      }
    }
    return found;
  }
  // Parameter at which along() = s, near `centre`, where along() is monotone; limited to the
  // curve's ends.
  [[nodiscard]] double parameter_of(double s, double centre) const {
    const double reach = 2.0 * std::fabs(s) + 20.0;
    double low = std::max(curve_.first(), centre - reach);
    double high = std::min(curve_.last(), centre + reach);
    const bool rises = along(high) > along(low);
    for (int step = 0; step < 60; ++step) {
      const double middle = 0.5 * (low + high);
      ((along(middle) < s) == rises ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }
  [[nodiscard]] double depth_at(double s) const {
    const std::vector<double>& rows = contact_.s;
    if (rows.empty() || s < rows.front() || s > rows.back()) return 0.0;
    const auto after = std::upper_bound(rows.begin(), rows.end(), s);
    const auto k = static_cast<std::size_t>(after - rows.begin());
    if (k == rows.size()) return contact_.depth.back();
    const double part = (s - rows[k - 1]) / (rows[k] - rows[k - 1]);
    return contact_.depth[k - 1] + part * (contact_.depth[k] - contact_.depth[k - 1]);
  }

  const SplineCurve& curve_;
  const WornContact& contact_;
  double cos_;
  double sin_;
  double into_body_;  // factor of the plane's normal, which points into the rail
  std::vector<double> at_;
};

// Ignores wear too small to change the profile's digits, so that the profile keeps its own points.
bool wears(const WornContact& contact) {
  constexpr double kLeastDepth = 1.0e-12;  // [mm]
  return std::ranges::any_of(contact.depth, [](double depth) { return depth > kLeastDepth; });
}

}  // namespace

WornContact worn_contact(ProfileRole role, const ContactPatch& patch,
                         const WheelRailPosition& position, std::vector<double> depth) {
  const bool left = position.side == Side::left;
  const double sign = left ? -1.0 : 1.0;
  const WheelRailPosition right = left ? mirrored(position) : position;
  WornContact contact;
  if (role == ProfileRole::rail) {
    contact.y = sign * patch.on_rail.y();
    contact.z = patch.on_rail.z();
    contact.angle = sign * patch.angle - (right.track.rail_roll - right.track.cant);
  } else {
    const Eigen::Vector3d& at = patch.on_wheel;  // turned back to the profile, where x = 0
    const double radius = right.wheelset.nominal_radius;
    contact.y = sign * at.y();
    contact.z = std::hypot(radius + at.z(), at.x()) - radius;
    contact.angle = sign * patch.angle - right.wheelset.roll;
  }
  for (int iy = 0; iy < patch.grid.my; ++iy) contact.s.push_back(sign * patch.grid.y(iy));
  contact.depth = std::move(depth);
  if (left) {
    std::reverse(contact.s.begin(), contact.s.end());
    std::reverse(contact.depth.begin(), contact.depth.end());
  }
  return contact;
}

std::vector<ProfilePoint> worn_points(const Profile& profile,
                                      const std::vector<WornContact>& contacts) {
  std::vector<WornRows> worn;
  for (const WornContact& contact : contacts)
    if (wears(contact)) worn.emplace_back(profile, contact);
  std::vector<double> parameters;
  for (const double t : profile.curve.knots())
    if (std::none_of(worn.begin(), worn.end(),
                     [&](const WornRows& rows) { return rows.is_beside(t); }))
      parameters.push_back(t);
  for (const WornRows& rows : worn)
    parameters.insert(parameters.end(), rows.parameters().begin(), rows.parameters().end());
  std::sort(parameters.begin(), parameters.end());
  std::vector<ProfilePoint> points;
  double last = -std::numeric_limits<double>::infinity();
  for (const double t : parameters) {
    constexpr double kLeastDistance = 1.0e-3;  // [mm], of rows of several contacts
    if (t - last < kLeastDistance) continue;
    last = t;
    const Eigen::Vector3d at = profile.curve.at(t);
    ProfilePoint point{at.y(), at.z()};
    for (const WornRows& rows : worn) {
      const ProfilePoint moved = rows.worn_at(t);
      point.y += moved.y;
      point.z += moved.z;
    }
    points.push_back(point);
  }
  return points;
}

}  // namespace slipfield
