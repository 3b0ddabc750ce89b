// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/spline_curve.h"

#include <Eigen/Geometry>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "solver/error.h"

namespace slipfield {
namespace {

constexpr int kMostSteps = 60;        // of Newton's method, safeguarded by halving the interval
constexpr double kLastMove = 1.0e-9;  // of an interval's length
constexpr double kLeastMove = 1.0e-14;
constexpr double kBoundSlack = 1.0e-9;  // [mm] of a piece's bound, for rounding
constexpr double kEndWeight = 20.0;

using Matrix3 = Eigen::Matrix<double, Eigen::Dynamic, 3>;

struct Section {
  std::vector<double> length;  // between consecutive knots
  Matrix3 values;              // smoothed
  Matrix3 second;              // second derivatives at the knots; 0 at both ends
};

// Inverse weights of Reinsch's equations: a point represents the adjacent half intervals, so that
// smoothing does not depend on the spacing; ends weigh more, and kinks are fixed.
Eigen::VectorXd inverse_weights(const Section& section, bool kink_first, bool kink_last) {
  const auto count = static_cast<Eigen::Index>(section.length.size()) + 1;
  Eigen::VectorXd inverse(count);
  for (Eigen::Index i = 1; i + 1 < count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    inverse[i] = 2.0 / (section.length[k - 1] + section.length[k]);
  }
  inverse[0] = kink_first ? 0.0 : 1.0 / (kEndWeight * section.length.front());
  inverse[count - 1] = kink_last ? 0.0 : 1.0 / (kEndWeight * section.length.back());
  return inverse;
}

// The natural spline, Reinsch's equations with lambda = 0: R M = Q^T v, R tridiagonal.
void solve_natural(Section& section) {
  const Eigen::Index inner = section.values.rows() - 2;
  const auto& l = section.length;
  const Matrix3& v = section.values;
  Matrix3& m = section.second;
  std::vector<double> inverse(static_cast<std::size_t>(inner));  // of the pivots
  for (Eigen::Index i = 0; i < inner; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double beside = l[k] / 6.0;
    const double factor = i > 0 ? beside * inverse[k - 1] : 0.0;
    inverse[k] = 1.0 / ((l[k] + l[k + 1]) / 3.0 - factor * beside);
    m.row(i + 1) = (v.row(i + 2) - v.row(i + 1)) / l[k + 1] - (v.row(i + 1) - v.row(i)) / l[k] -
                   factor * m.row(i);
  }
  for (Eigen::Index i = inner; i-- > 0;) {
    const auto k = static_cast<std::size_t>(i);
    m.row(i + 1) = (m.row(i + 1) - l[k + 1] / 6.0 * m.row(i + 2)) * inverse[k];
  }
}

// Reinsch's equations (THEORY.md 13.1): (R + lambda Q^T W^-1 Q) M = Q^T v gives the second
// derivatives M at the inner knots, and the values v - lambda W^-1 Q M.
void solve_smoothing(Section& section, double lambda, const Eigen::VectorXd& inverse) {
  const auto count = section.values.rows();
  if (count < 3) return;
  const Eigen::Index inner = count - 2;
  const auto& l = section.length;
  Eigen::SparseMatrix<double> q(count, inner);
  Eigen::SparseMatrix<double> r(inner, inner);
  q.reserve(Eigen::VectorXi::Constant(inner, 3));
  r.reserve(Eigen::VectorXi::Constant(inner, 3));
  for (Eigen::Index i = 0; i < inner; ++i) {
    const auto k = static_cast<std::size_t>(i);
    q.insert(i, i) = 1.0 / l[k];
    q.insert(i + 1, i) = -1.0 / l[k] - 1.0 / l[k + 1];
    q.insert(i + 2, i) = 1.0 / l[k + 1];
    if (i > 0) r.insert(i - 1, i) = l[k] / 6.0;
    r.insert(i, i) = (l[k] + l[k + 1]) / 3.0;
    if (i + 1 < inner) r.insert(i + 1, i) = l[k + 1] / 6.0;
  }
  const Matrix3 right = q.transpose() * section.values;
  r += lambda * (q.transpose() * inverse.asDiagonal() * q);
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower,
                              Eigen::NaturalOrdering<int>>
      factors(r);
  section.second.middleRows(1, inner) = factors.solve(right);
  section.values -= lambda * (inverse.asDiagonal() * (q * section.second.middleRows(1, inner)));
}

void solve_section(Section& section, double lambda, bool kink_first, bool kink_last) {
  section.second = Matrix3::Zero(section.values.rows(), 3);
  if (section.values.rows() < 3) return;
  if (lambda > 0.0)
    solve_smoothing(section, lambda, inverse_weights(section, kink_first, kink_last));
  else
    solve_natural(section);
}

}  // namespace

Eigen::Vector3d AxesFrame::out(const Eigen::Vector3d& inner) const {
  return origin + rotation * inner;
}
Eigen::Vector3d AxesFrame::in(const Eigen::Vector3d& outer) const {
  return rotation.transpose() * (outer - origin);
}
AxesFrame AxesFrame::out(const AxesFrame& inner) const {
  return {rotation * inner.rotation, out(inner.origin)};
}
AxesFrame AxesFrame::inverse() const {
  return {rotation.transpose(), -(rotation.transpose() * origin)};
}

Eigen::Matrix3d turn_x(double angle) {
  return Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitX()).toRotationMatrix();
}
Eigen::Matrix3d turn_y(double angle) {
  return Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitY()).toRotationMatrix();
}
Eigen::Matrix3d turn_z(double angle) {
  return Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
}

std::vector<double> chord_lengths(const std::vector<Eigen::Vector3d>& points) {
  std::vector<double> lengths(points.size(), 0.0);
  for (std::size_t i = 1; i < points.size(); ++i)
    lengths[i] = lengths[i - 1] + (points[i] - points[i - 1]).norm();
  return lengths;
}

Eigen::Vector3d SplineCurve::at_polynomial(const Polynomial& p, double t) {
  return p[0] + t * (p[1] + t * (p[2] + t * p[3]));
}
Eigen::Vector3d SplineCurve::at_piece(std::size_t i, double t) const {
  return at_polynomial(pieces_[i], t);
}
Eigen::Vector3d SplineCurve::tangent_at_piece(std::size_t i, double t) const {
  const Polynomial& p = pieces_[i];
  return p[1] + t * (2.0 * p[2] + 3.0 * t * p[3]);
}

SplineCurve::SplineCurve(const SplineInput& input) : knots_(input.parameter) {
  if (knots_.size() < 2 || input.points.size() != knots_.size())
    throw InputError("spline: fewer than two points");
  for (std::size_t i = 1; i < knots_.size(); ++i)
    if (!(knots_[i] > knots_[i - 1])) throw InputError("spline: its points do not increase");
  pieces_.reserve(knots_.size() - 1);
  std::vector<std::size_t> cuts = input.kinks;
  for (const std::size_t corner : input.corners) cuts.insert(cuts.end(), {corner, corner + 1});
  std::ranges::sort(cuts);
  std::size_t begin = 0;
  for (const std::size_t cut : cuts) {
    add_section(input, begin, cut);
    begin = cut;
  }
  add_section(input, begin, knots_.size() - 1);
  for (const std::size_t corner : input.corners) round_corner(corner);
}

// Hermite's cubic with the directions of the adjacent pieces. Its inner control points lie at most
// where their lines meet, so that it stays between the chord and the lines.
void SplineCurve::round_corner(std::size_t i) {
  const double l = knots_[i + 1] - knots_[i];
  const Eigen::Vector3d chord = (pieces_[i + 1][0] - pieces_[i][0]) / l;
  Eigen::Vector3d before = tangent_at_piece(i - 1, knots_[i] - knots_[i - 1]).normalized();
  Eigen::Vector3d behind = pieces_[i + 1][1].normalized();
  const double sine_before = before.cross(chord.normalized()).norm();
  const double sine_behind = behind.cross(chord.normalized()).norm();
  const double sine = before.cross(behind).norm();
  constexpr double kControl = 3.0;  // a control point is a third of the derivative away
  before *= chord.norm() * std::min(1.0, kControl * sine_behind / sine);
  behind *= chord.norm() * std::min(1.0, kControl * sine_before / sine);
  pieces_[i] = {pieces_[i][0], before, (3.0 * chord - 2.0 * before - behind) / l,
                (before + behind - 2.0 * chord) / (l * l)};
}

void SplineCurve::add_section(const SplineInput& input, std::size_t begin, std::size_t end) {
  const std::size_t count = end - begin + 1;
  Section section;
  section.values.resize(static_cast<Eigen::Index>(count), 3);
  for (std::size_t i = 0; i < count; ++i)
    section.values.row(static_cast<Eigen::Index>(i)) = input.points[begin + i].transpose();
  for (std::size_t i = begin; i < end; ++i) section.length.push_back(knots_[i + 1] - knots_[i]);
  const double wave = input.smoothing / (2.0 * std::numbers::pi);
  const double lambda = wave * wave * wave * wave;
  solve_section(section, lambda, begin > 0, end + 1 < knots_.size());
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const double l = section.length[i];
    const Eigen::Vector3d v0 = section.values.row(k);
    const Eigen::Vector3d v1 = section.values.row(k + 1);
    const Eigen::Vector3d m0 = section.second.row(k);
    const Eigen::Vector3d m1 = section.second.row(k + 1);
    pieces_.push_back(
        {v0, (v1 - v0) / l - l / 6.0 * (2.0 * m0 + m1), m0 / 2.0, (m1 - m0) / (6.0 * l)});
  }
}

std::size_t SplineCurve::piece(double s) const {
  const auto next = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, s);
  return static_cast<std::size_t>(next - knots_.begin()) - 1;
}

Eigen::Vector3d SplineCurve::at(double s) const {
  const std::size_t i = piece(s);
  return at_piece(i, s - knots_[i]);
}

Eigen::Vector3d SplineCurve::tangent(double s) const {
  const std::size_t i = piece(s);
  return tangent_at_piece(i, s - knots_[i]);
}

Eigen::Vector3d SplineCurve::second(double s) const {
  const std::size_t i = piece(s);
  return 2.0 * pieces_[i][2] + 6.0 * (s - knots_[i]) * pieces_[i][3];
}

SplineCurve SplineCurve::moved(const AxesFrame& frame) const {
  SplineCurve result = *this;
  for (Polynomial& p : result.pieces_) p = moved(p, frame);
  return result;
}

SplineCurve::Polynomial SplineCurve::moved(const Polynomial& piece, const AxesFrame& frame) {
  return {frame.out(piece[0]), frame.rotation * piece[1], frame.rotation * piece[2],
          frame.rotation * piece[3]};
}

double SplineCurve::solve_y(const Polynomial& p, double length, double y) {
  const double a = p[0].y() - y;
  const double b = p[1].y();
  const double c = p[2].y();
  const double d = p[3].y();
  const auto value = [&](double t) { return a + t * (b + t * (c + t * d)); };
  double low = 0.0;
  double high = length;
  const double low_value = a;
  const double end_value = value(length);
  if (low_value == 0.0) return 0.0;
  double t = length * low_value / (low_value - end_value);
  for (int step = 0; step < kMostSteps; ++step) {
    const double f = value(t);
    if (f == 0.0) break;
    ((f > 0.0) == (low_value > 0.0) ? low : high) = t;
    const double slope = b + t * (2.0 * c + 3.0 * t * d);
    double next = t - f / slope;
    const bool is_newton = next > low && next < high;
    if (!is_newton) next = 0.5 * (low + high);
    const double moved = std::fabs(next - t);
    t = next;
    // The next Newton step would be the square of this one.
    if (moved <= (is_newton ? kLastMove : kLeastMove) * length) break;
  }
  return t;
}

std::optional<double> SplineCurve::parameter_at_y(double y, SeenFrom side) const {
  const double s = points_at_y(y, 1.0, 1, side).front().s;
  if (std::isnan(s)) return std::nullopt;
  return s;
}

void SplineCurve::see_points(const Polynomial& piece, std::size_t i, const Reach& reach,
                             double start, double step, SeenFrom side,
                             std::vector<CurvePoint>& points) const {
  const double sign = side == SeenFrom::above ? 1.0 : -1.0;
  for (std::size_t k = reach.first; k < reach.end; ++k) {
    const double t = solve_y(piece, length(i), start + step * static_cast<double>(k));
    const Eigen::Vector3d at = at_polynomial(piece, t);
    if (std::isnan(points[k].s) || sign * at.z() < sign * points[k].at.z())
      points[k] = {knots_[i] + t, at};
  }
}

std::vector<CurvePoint> SplineCurve::points_at_y(double start, double step, std::size_t count,
                                                 SeenFrom side) const {
  std::vector<CurvePoint> points(count);
  for (std::size_t i = 0; i < pieces_.size(); ++i)
    see_points(pieces_[i], i, reach_of(i, start, step, count), start, step, side, points);
  return points;
}

std::vector<CurvePoint> SplineCurve::points_at_y(const AxesFrame& frame, double start, double step,
                                                 std::size_t count, SeenFrom side) const {
  std::vector<CurvePoint> points(count);
  const Eigen::Vector3d across = frame.rotation.row(1);
  const auto y = [&](std::size_t i) { return frame.origin.y() + across.dot(at_knot(i)); };
  double end = y(0);
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const double begin = end;
    end = y(i + 1);
    const Reach reach = reach_of(begin, end, start, step, count);
    if (reach.first < reach.end)
      see_points(moved(pieces_[i], frame), i, reach, start, step, side, points);
  }
  return points;
}

SplineCurve::Reach SplineCurve::reach_of(double begin, double end, double start, double step,
                                         std::size_t count) {
  const auto most = static_cast<double>(count - 1);
  // Skips divisions, which are slow, for the many pieces that are far off.
  if (std::max(begin, end) < start || std::min(begin, end) - start > step * (most + 1.0)) return {};
  const double low = std::ceil((std::min(begin, end) - start) / step);
  const double high = std::floor((std::max(begin, end) - start) / step);
  const bool reaches = high >= 0.0 && low <= most;  // false for NaN
  if (begin == end || !reaches) return {};
  return {static_cast<std::size_t>(std::max(low, 0.0)),
          static_cast<std::size_t>(std::min(high, most)) + 1};
}

double SplineCurve::greatest_z(std::size_t i) const {
  const double t = knots_[i + 1] - knots_[i];
  const double a = pieces_[i][0].z();
  const double b = pieces_[i][1].z() * t / 3.0;
  const double c = pieces_[i][2].z() * t * t / 3.0;
  const double d = pieces_[i][3].z() * t * t * t;
  return std::max({a, a + b, a + 2.0 * b + c, a + 3.0 * (b + c) + d});  // Bezier's points
}

std::optional<CurveSample> SplineCurve::least_below(double start, double step,
                                                    const std::vector<double>& height) const {
  std::optional<CurveSample> best;
  double least = std::numeric_limits<double>::infinity();
  const auto search = [&](std::size_t i) {
    const Reach reach = reach_of(i, start, step, height.size());
    for (std::size_t k = reach.first; k < reach.end; ++k) {
      if (!std::isfinite(height[k])) continue;
      const double t = solve_y(pieces_[i], length(i), start + step * static_cast<double>(k));
      const Eigen::Vector3d at = at_piece(i, t);
      const double difference = height[k] - at.z();
      if (best && !(difference < least || (difference == least && k < best->k))) continue;
      best = {k, {knots_[i] + t, at}};
      least = difference;
    }
  };
  // Lower bound of each piece, +infinity if it reaches no sample.
  std::vector<double> bounds(pieces_.size(), least);
  std::size_t first = 0;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Reach reach = reach_of(i, start, step, height.size());
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t k = reach.first; k < reach.end; ++k) lowest = std::min(lowest, height[k]);
    bounds[i] = lowest - greatest_z(i) - kBoundSlack;
    if (bounds[i] < bounds[first]) first = i;
  }
  search(first);
  for (std::size_t i = 0; i < pieces_.size(); ++i)
    if (i != first && bounds[i] <= least && std::isfinite(bounds[i])) search(i);
  return best;
}

double SplineCurve::least(int axis, double from, double to) const {
  double best = from;
  double value = at(from)[axis];
  const auto consider = [&](double s) {
    if (!(s >= from && s <= to) || at(s)[axis] >= value) return;
    best = s;
    value = at(s)[axis];
  };
  consider(to);
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const double length = knots_[i + 1] - knots_[i];
    if (knots_[i + 1] < from || knots_[i] > to) continue;
    if (pieces_[i][0][axis] < value) consider(knots_[i]);
    const double b = pieces_[i][1][axis];
    const double c = 2.0 * pieces_[i][2][axis];
    const double d = 3.0 * pieces_[i][3][axis];
    const double root = c * c - 4.0 * b * d;  // of b + c t + d t^2 = 0
    if (root < 0.0) continue;
    const double q = -0.5 * (c + std::copysign(std::sqrt(root), c));
    for (const double t : {q / d, b / q})
      if (t > 0.0 && t < length) consider(knots_[i] + t);
  }
  return best;
}

}  // namespace slipfield
