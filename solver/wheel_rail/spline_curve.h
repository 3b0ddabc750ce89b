// SPDX-License-Identifier: Apache-2.0
// Curves in space through points: natural cubic splines of x, y and z over one parameter s, cut
// into sections at the curve's kinks (THEORY.md 13.1). Nearly every source of io and app includes
// this header, so expressions of Eigen's, which take a second to compile, are in spline_curve.cpp.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace slipfield {

// A right-handed coordinate system within another one: origin and orientation.
struct AxesFrame {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();  // from the inner system to the outer
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();

  [[nodiscard]] Eigen::Vector3d out(const Eigen::Vector3d& inner) const;
  [[nodiscard]] Eigen::Vector3d in(const Eigen::Vector3d& outer) const;
  // Transforms a frame given in this frame to the outer system.
  [[nodiscard]] AxesFrame out(const AxesFrame& inner) const;
  [[nodiscard]] AxesFrame inverse() const;
};

// Rotations by the right-hand rule: about x, (0, 1, 0) becomes (0, cos a, sin a); about y, (0, 0,
// 1) becomes (sin a, 0, cos a); about z, (1, 0, 0) becomes (cos a, sin a, 0).
Eigen::Matrix3d turn_x(double angle);
Eigen::Matrix3d turn_y(double angle);
Eigen::Matrix3d turn_z(double angle);

// Accumulated chord lengths from the first point to each point.
std::vector<double> chord_lengths(const std::vector<Eigen::Vector3d>& points);

struct SplineInput {
  std::vector<double> parameter;        // strictly increasing
  std::vector<Eigen::Vector3d> points;  // at least two
  std::vector<std::size_t> kinks;  // inner points at which one section ends and the next begins
  // Inner points i: a cubic between i and i + 1, where one section ends and the next begins,
  // connects the directions of the two.
  std::vector<std::size_t> corners = {};
  // Wavelength of which the smoothing leaves half the amplitude [length]; 0: the curve passes
  // through the points. The first and last point, kinks and corners are fixed.
  double smoothing = 0.0;
};

// z points down: from above the least z is visible, from below the greatest.
enum class SeenFrom { above, below };

struct CurvePoint {
  double s = std::numeric_limits<double>::quiet_NaN();  // NaN if there is no such point
  Eigen::Vector3d at = Eigen::Vector3d::Zero();
};

struct CurveSample {
  std::size_t k = 0;
  CurvePoint point;
};

class SplineCurve {
 public:
  // Throws InputError if the parameters do not increase or there are fewer than two points.
  explicit SplineCurve(const SplineInput& input);

  [[nodiscard]] double first() const { return knots_.front(); }
  [[nodiscard]] double last() const { return knots_.back(); }
  [[nodiscard]] const std::vector<double>& knots() const { return knots_; }

  // The curve and its derivatives with respect to s; beyond its ends the end polynomials continue.
  [[nodiscard]] Eigen::Vector3d at(double s) const;
  [[nodiscard]] Eigen::Vector3d tangent(double s) const;
  [[nodiscard]] Eigen::Vector3d second(double s) const;
  // The same at knots()[i].
  [[nodiscard]] Eigen::Vector3d at_knot(std::size_t i) const {
    return i < pieces_.size() ? pieces_[i][0] : at_piece(i - 1, length(i - 1));
  }
  [[nodiscard]] Eigen::Vector3d tangent_at_knot(std::size_t i) const {
    return i < pieces_.size() ? pieces_[i][1] : tangent_at_piece(i - 1, length(i - 1));
  }

  // The curve, given in a frame, as seen from outside the frame.
  [[nodiscard]] SplineCurve moved(const AxesFrame& frame) const;

  // s where the curve has this y; the visible one if there are several. Nothing if the curve does
  // not reach y.
  [[nodiscard]] std::optional<double> parameter_at_y(double y, SeenFrom side) const;
  // The same for y = start + i step (step > 0), i < count, with the points on the curve.
  [[nodiscard]] std::vector<CurvePoint> points_at_y(double start, double step, std::size_t count,
                                                    SeenFrom side) const;
  // The same for the curve moved(frame), without forming it.
  [[nodiscard]] std::vector<CurvePoint> points_at_y(const AxesFrame& frame, double start,
                                                    double step, std::size_t count,
                                                    SeenFrom side) const;
  // The sample of least height[k] - z among all y = start + k step (step > 0) that the curve
  // reaches; heights may be infinite. Nothing if it reaches none.
  [[nodiscard]] std::optional<CurveSample> least_below(double start, double step,
                                                       const std::vector<double>& height) const;
  // s at which coordinate `axis` is least in [from, to].
  [[nodiscard]] double least(int axis, double from, double to) const;

 private:
  using Polynomial = std::array<Eigen::Vector3d, 4>;  // of s - knot, constant first
  // The k with y = start + k step, k < count, within piece i: [first, end).
  struct Reach {
    std::size_t first = 0;
    std::size_t end = 0;
  };
  // The range of k with these y between the ends of a piece.
  [[nodiscard]] static Reach reach_of(double begin, double end, double start, double step,
                                      std::size_t count);
  [[nodiscard]] Reach reach_of(std::size_t i, double start, double step, std::size_t count) const {
    const double end = i + 1 < pieces_.size() ? pieces_[i + 1][0].y() : at_knot(i + 1).y();
    return reach_of(pieces_[i][0].y(), end, start, step, count);
  }
  // Merges the points of piece i, possibly moved, into those of points_at_y().
  void see_points(const Polynomial& piece, std::size_t i, const Reach& reach, double start,
                  double step, SeenFrom side, std::vector<CurvePoint>& points) const;
  // An upper bound of z on piece i.
  [[nodiscard]] double greatest_z(std::size_t i) const;
  [[nodiscard]] std::size_t piece(double s) const;
  void add_section(const SplineInput& input, std::size_t begin, std::size_t end);
  void round_corner(std::size_t i);
  static Polynomial moved(const Polynomial& piece, const AxesFrame& frame);
  static Eigen::Vector3d at_polynomial(const Polynomial& p, double t);
  [[nodiscard]] Eigen::Vector3d at_piece(std::size_t i, double t) const;
  [[nodiscard]] Eigen::Vector3d tangent_at_piece(std::size_t i, double t) const;
  // t in [0, length] where the piece has the given y, which must lie between the y of its ends.
  [[nodiscard]] static double solve_y(const Polynomial& p, double length, double y);
  [[nodiscard]] double length(std::size_t i) const { return knots_[i + 1] - knots_[i]; }

  std::vector<double> knots_;
  std::vector<Polynomial> pieces_;
};

}  // namespace slipfield
