// SPDX-License-Identifier: Apache-2.0
#include "solver/interior/fatigue_stress.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <bit>
#include <cmath>
#include <utility>

#include "solver/interior/local_measures.h"

namespace slipfield {

namespace {

LocalMeasures measures_of(const StressState& stress) {
  const auto& [xx, yy, zz, xy, xz, yz] = stress;
  return local_measures(xx, yy, zz, xy, xz, yz);
}

}  // namespace

std::array<double, 3> principal_stresses(const StressState& stress) {
  const LocalMeasures measures = measures_of(stress);
  return {measures.principal_1, measures.principal_2, measures.principal_3};
}

double von_mises_stress(const StressState& stress) { return measures_of(stress).von_mises; }

double hydrostatic_stress(const StressState& stress) { return measures_of(stress).hydrostatic; }

namespace {

constexpr int kMostSupport = 6;  // points on the surface that determine a ball in five dimensions
constexpr double kOutside2 = 1.0e-9;     // of the squared radius: accepted distance outside
constexpr double kOnSurface2 = 1.0e-12;  // likewise, for choosing the points that determine a ball

using BallPoint = Eigen::Matrix<double, 5, 1>;
using SupportVectors = Eigen::Matrix<double, 5, Eigen::Dynamic, 0, 5, kMostSupport>;
using SupportMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMostSupport, kMostSupport>;
using SupportVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostSupport, 1>;

// A ball and the surface points that determine it.
struct FixedBall {
  BallPoint centre;
  double radius = 0.0;
  std::vector<BallPoint> support;
};

BallPoint vector_of(const DeviatorPoint& point) {
  return Eigen::Map<const BallPoint>(point.data());
}

Ball ball_of(const BallPoint& centre, double radius) {
  Ball ball;
  Eigen::Map<BallPoint>(ball.centre.data()) = centre;
  ball.radius = radius;
  return ball;
}

// The smallest ball with `corner` and the chosen points on its surface, provided its centre is in
// their convex hull and no other point is outside.
std::optional<FixedBall> ball_through(const BallPoint& corner, const std::vector<BallPoint>& points,
                                      unsigned chosen) {
  SupportVectors edges(5, std::popcount(chosen));
  FixedBall found{BallPoint::Zero(), 0.0, {}};
  found.support.push_back(corner);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if ((chosen >> i & 1U) == 0) continue;
    edges.col(static_cast<Eigen::Index>(found.support.size()) - 1) = points[i] - corner;
    found.support.push_back(points[i]);
  }
  BallPoint arm = BallPoint::Zero();  // from the corner to the centre
  if (chosen != 0) {
    const SupportMatrix products = edges.transpose() * edges;
    const SupportVector half = 0.5 * products.diagonal();
    const SupportVector parts = products.ldlt().solve(half);
    // Points that do not span a simplex determine no ball; a smaller choice of them does.
    const SupportVector away = products * parts - half;
    double sum = 0.0;
    for (Eigen::Index i = 0; i < parts.size(); ++i) {
      if (!(std::fabs(away[i]) <= 1.0e-9 * half[i]) || !(parts[i] >= 0.0)) return std::nullopt;
      sum += parts[i];
    }
    if (!(sum <= 1.0)) return std::nullopt;
    arm = edges * parts;
  }
  const double radius2 = arm.squaredNorm();
  for (const BallPoint& point : points)
    if ((point - corner - arm).squaredNorm() > radius2 * (1.0 + kOnSurface2)) return std::nullopt;
  found.centre = corner + arm;
  found.radius = std::sqrt(radius2);
  return found;
}

// The smallest ball around the last ball's support points and a point outside the last ball, which
// is on the new ball's surface.
std::optional<FixedBall> larger_ball(const FixedBall& last, const BallPoint& outside) {
  const unsigned choices = 1U << last.support.size();
  for (int size = 1; size < kMostSupport; ++size)
    for (unsigned chosen = 1; chosen < choices; ++chosen)
      if (std::popcount(chosen) == size)
        if (auto found = ball_through(outside, last.support, chosen)) return found;
  return std::nullopt;
}

}  // namespace

Ball smallest_ball(const std::vector<DeviatorPoint>& points) {
  if (points.empty()) return {};
  std::vector<BallPoint> all;
  all.reserve(points.size());
  for (const DeviatorPoint& point : points) all.push_back(vector_of(point));
  FixedBall last{all.front(), 0.0, {all.front()}};
  for (;;) {
    const BallPoint* farthest = nullptr;
    double most = last.radius * last.radius * (1.0 + kOutside2);
    for (const BallPoint& point : all) {
      const double distance2 = (point - last.centre).squaredNorm();
      if (distance2 <= most) continue;
      most = distance2;
      farthest = &point;
    }
    if (farthest == nullptr) return ball_of(last.centre, last.radius);
    auto next = larger_ball(last, *farthest);
    // Each ball must be larger than the last, so that none repeats; otherwise it is rounding.
    if (!next || !(next->radius > last.radius)) return ball_of(last.centre, std::sqrt(most));
    last = std::move(*next);
  }
}

namespace {

constexpr StressState kUnloaded{};

// The deviator of a point: the inverse of deviator_point.
StressState deviator_of(const DeviatorPoint& point) {
  const double along = 2.0 * point[1] / std::sqrt(3.0);
  return {point[0] - 0.5 * along, -point[0] - 0.5 * along, along, point[2], point[3], point[4]};
}

// Greatest value(state) over the history and the unloaded state.
template <class Value>
PassageStress greatest_of(const StressHistory& history, const Value& value) {
  PassageStress greatest{value(kUnloaded), history.size()};
  for (std::size_t i = 0; i < history.size(); ++i)
    if (const double here = value(history[i]); here > greatest.value) greatest = {here, i};
  return greatest;
}

}  // namespace

FatigueSlopes fatigue_slopes(double torsion_limit, double bending_limit) {
  const double ratio = torsion_limit / bending_limit;
  return {3.0 * ratio - 1.5, 3.0 * ratio - std::sqrt(3.0)};
}

DeviatorPoint deviator_point(const StressState& stress) {
  const auto& [xx, yy, zz, xy, xz, yz] = stress;
  return {0.5 * (xx - yy), (zz - 0.5 * (xx + yy)) / std::sqrt(3.0), xy, xz, yz};
}

Ball deviator_ball(const StressHistory& history) {
  std::vector<DeviatorPoint> points{DeviatorPoint{}};
  points.reserve(history.size() + 1);
  for (const StressState& stress : history) points.push_back(deviator_point(stress));
  return smallest_ball(points);
}

PassageStress dang_van_stress(const StressHistory& history, const Ball& ball, double slope) {
  return greatest_of(history, [&](const StressState& stress) {
    DeviatorPoint point = deviator_point(stress);
    for (std::size_t i = 0; i < point.size(); ++i) point[i] -= ball.centre[i];
    const auto principal = principal_stresses(deviator_of(point));
    return 0.5 * (principal[0] - principal[2]) + slope * hydrostatic_stress(stress);
  });
}

PassageStress crossland_stress(const StressHistory& history, const Ball& ball, double slope) {
  return greatest_of(history, [&](const StressState& stress) {
    return ball.radius + slope * hydrostatic_stress(stress);
  });
}

}  // namespace slipfield
