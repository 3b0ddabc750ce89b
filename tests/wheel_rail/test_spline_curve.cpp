// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "solver/error.h"
#include "solver/wheel_rail/spline_curve.h"
#include "tests/support/near.h"

namespace slipfield {
namespace {

using Eigen::Vector3d;

// z = f(y) at unequal steps of y, with y as the parameter.
template <typename F>
SplineInput graph(double from, double to, int count, F f) {
  SplineInput input;
  for (int i = 0; i < count; ++i) {
    const double y =
        from + (to - from) * i / (count - 1) + (i % 3 == 1 ? 0.2 * (to - from) / count : 0.0);
    input.parameter.push_back(y);
    input.points.emplace_back(0.0, y, f(y));
  }
  return input;
}

SplineInput circle(double radius, double from, double to, int count) {
  SplineInput input;
  for (int i = 0; i < count; ++i) {
    const double angle = from + (to - from) * i / (count - 1);
    input.points.emplace_back(0.0, radius * std::sin(angle), -radius * std::cos(angle));
  }
  input.parameter = chord_lengths(input.points);
  return input;
}

}  // namespace

TEST_SUITE_BEGIN("unit");

TEST_CASE("spline curve: goes through its points, smooth between, without bending at its ends") {
  const SplineInput input = graph(-2.0, 3.0, 17, [](double y) { return std::sin(2.0 * y); });
  const SplineCurve curve(input);
  constexpr double kStep = 1e-7;
  for (std::size_t i = 0; i < input.points.size(); ++i) {
    const double s = input.parameter[i];
    CHECK((curve.at(s) - input.points[i]).norm() <= 1e-14);  // rounding of values around 1
    if (i == 0 || i + 1 == input.points.size()) {
      CHECK(curve.second(s).norm() <= 1e-12);
      continue;
    }
    // Second derivatives of 4, third ones of 8 over the step.
    CHECK((curve.tangent(s - kStep) - curve.tangent(s + kStep)).norm() <= 20.0 * kStep);
    CHECK((curve.second(s - kStep) - curve.second(s + kStep)).norm() <= 100.0 * kStep);
  }
}

TEST_CASE("spline curve: at a kink both sides keep their own direction") {
  SplineInput input = graph(-1.0, 1.0, 21, [](double y) { return std::fabs(y); });
  input.points[10].y() = 0.0;  // y = 0 exactly
  input.points[10].z() = 0.0;
  input.parameter[10] = 0.0;
  input.kinks = {10};
  const SplineCurve curve(input);
  CHECK(curve.tangent(-1e-9).z() == test::near(-1.0, 1e-9));
  CHECK(curve.tangent(1e-9).z() == test::near(1.0, 1e-9));
  CHECK(curve.at(0.537).z() == test::near(0.537, 1e-12));  // lines stay lines
}

TEST_CASE("spline curve: at a corner between two points lines stay straight, and join smoothly") {
  SplineInput input;
  for (int i = 0; i <= 10; ++i) input.points.emplace_back(0.0, i, 0.0);
  for (int i = 0; i <= 10; ++i) input.points.emplace_back(0.0, 10.6 + 0.8 * i, 0.3 + 0.6 * i);
  input.parameter = chord_lengths(input.points);
  input.corners = {10};
  const SplineCurve curve(input);
  const double a = input.parameter[10];
  const double b = input.parameter[11];
  for (const double s : {0.5, a - 1.5, a - 0.5}) CHECK(curve.at(s).z() == 0.0);
  for (const double s : {b + 0.5, b + 1.5, curve.last() - 0.5})
    CHECK(curve.at(s).z() - 0.3 == test::near(0.75 * (curve.at(s).y() - 10.6), 1e-12));
  constexpr double kStep = 1e-9;
  for (const double s : {a, b}) {
    CHECK((curve.at(s + kStep) - curve.at(s - kStep)).norm() < 3.0 * kStep);
    const Eigen::Vector3d before = curve.tangent(s - kStep).normalized();
    CHECK((curve.tangent(s + kStep).normalized() - before).norm() < 1e-7);
  }
  // Between the chord and the lines, which meet at y = 10.2.
  for (int k = 1; k < 20; ++k) {
    const Eigen::Vector3d at = curve.at(a + 0.05 * k * (b - a));
    CHECK(at.z() <= 0.5 * (at.y() - 10.0));
    CHECK(at.z() >= std::max(0.0, 0.75 * (at.y() - 10.2)) - 1e-12);
  }
}

TEST_CASE("spline curve: smoothing halves a wave of its length, and leaves lines and long waves") {
  constexpr double kWave = 10.0;
  const auto amplitude = [&](double wave) {
    SplineInput input = graph(0.0, 200.0, 801, [&](double y) {
      return 3.0 + 0.1 * y + std::sin(2.0 * std::numbers::pi * y / wave);
    });
    input.smoothing = kWave;
    const SplineCurve curve(input);
    double most = 0.0;
    for (double y = 80.0; y < 120.0; y += 0.1)
      most = std::max(most, std::fabs(curve.at(y).z() - 3.0 - 0.1 * y));
    return most;
  };
  // 1/(1 + (L/wave)^4): 40 points in a wave, unequal steps, an error of about 1e-3.
  CHECK(amplitude(10.0) == test::near(0.5, 0.01));
  CHECK(amplitude(5.0) == test::near(1.0 / 17.0, 0.02));
  CHECK(amplitude(40.0) == test::near(256.0 / 257.0, 0.002));
}

TEST_CASE("spline curve: where it has a y is found on each side of a fold, from above and below") {
  const SplineCurve curve(circle(10.0, -2.0, 2.0, 81));  // goes under its widest places
  const double s_above = curve.parameter_at_y(9.5, SeenFrom::above).value();
  const double s_below = curve.parameter_at_y(9.5, SeenFrom::below).value();
  const double z = std::sqrt(100.0 - 9.5 * 9.5);
  // The spline of 81 points is off its circle by some 1e-4 near its natural ends.
  CHECK(curve.at(s_above).z() == test::near(-z, 1e-4));
  CHECK(curve.at(s_below).z() == test::near(z, 1e-3));
  CHECK(curve.at(s_above).y() == test::near(9.5, 1e-13));
  CHECK_FALSE(curve.parameter_at_y(10.1, SeenFrom::above).has_value());
  const auto many = curve.points_at_y(-12.0, 0.5, 49, SeenFrom::above);
  for (std::size_t i = 0; i < many.size(); ++i) {
    const double y = -12.0 + 0.5 * static_cast<double>(i);
    CAPTURE(y);
    if (std::fabs(y) > 10.1) CHECK(std::isnan(many[i].s));
    if (std::fabs(y) < 9.9) {
      CHECK(many[i].at.y() == test::within(y, 1e-12));
      CHECK((curve.at(many[i].s) - many[i].at).norm() <= 1e-12);
    }
  }
}

TEST_CASE("spline curve: of all heights above it the least is found that sampling it finds") {
  constexpr double kNothing = std::numeric_limits<double>::infinity();
  const SplineCurve curve(circle(10.0, -3.1, 3.1, 81));
  std::vector<double> height(900);
  for (int round = 0; round < 20; ++round) {
    for (std::size_t k = 0; k < height.size(); ++k)
      height[k] = 15.0 + std::sin(0.013 * static_cast<double>(k) + round) +
                  0.3 * std::cos(0.37 * static_cast<double>(k) * (1 + round));
    for (std::size_t k = 0; k < 30; ++k) height[(97 * k + 31 * round) % 900] = kNothing;
    const auto points = curve.points_at_y(-13.0, 0.03, height.size(), SeenFrom::below);
    std::size_t best = 0;
    double least = kNothing;
    for (std::size_t k = 0; k < height.size(); ++k)
      if (!std::isnan(points[k].s) && height[k] - points[k].at.z() < least) {
        best = k;
        least = height[k] - points[k].at.z();
      }
    const auto found = curve.least_below(-13.0, 0.03, height);
    REQUIRE(found);
    CHECK(found->k == best);
    CHECK(found->point.s == points[best].s);
  }
  CHECK_FALSE(curve.least_below(11.0, 0.03, height));
}

TEST_CASE("spline curve: its least coordinate is found between its points") {
  const SplineCurve curve(circle(10.0, -1.03, 0.98, 14));
  const double s = curve.least(2, curve.first(), curve.last());
  CHECK(std::fabs(curve.tangent(s).z()) <= 1e-12);
  CHECK(curve.at(s).z() == test::near(-10.0, 1e-4));  // of 14 points
  CHECK(curve.least(1, curve.first(), curve.last()) == curve.first());
}

TEST_CASE("spline curve: seen from outside a turned frame it is the same curve") {
  const SplineCurve curve(circle(10.0, -1.0, 1.0, 21));
  const AxesFrame frame{turn_x(0.3) * turn_z(-0.2), {1.0, -2.0, 0.5}};
  const SplineCurve moved = curve.moved(frame);
  for (const double s : {0.1, 3.3, 15.0}) {
    CHECK((moved.at(s) - frame.out(curve.at(s))).norm() <= 1e-13);
    CHECK((moved.tangent(s) - frame.rotation * curve.tangent(s)).norm() <= 1e-13);
    CHECK((frame.in(moved.at(s)) - curve.at(s)).norm() <= 1e-13);
  }
  const auto there = moved.points_at_y(-12.0, 0.25, 97, SeenFrom::above);
  const auto seen = curve.points_at_y(frame, -12.0, 0.25, 97, SeenFrom::above);
  int found = 0;
  for (std::size_t i = 0; i < there.size(); ++i) {
    CHECK(std::isnan(there[i].s) == std::isnan(seen[i].s));
    if (std::isnan(there[i].s)) continue;
    ++found;
    CHECK(std::fabs(there[i].s - seen[i].s) <= 1e-12);
    CHECK((there[i].at - seen[i].at).norm() <= 1e-12);
  }
  CHECK(found > 40);
}

TEST_CASE("spline curve: too few points, and points that do not advance, are refused") {
  CHECK_THROWS_AS(SplineCurve({{0.0}, {Vector3d::Zero()}, {}, {}, 0.0}), InputError);
  CHECK_THROWS_AS(SplineCurve({{0.0, 0.0}, {Vector3d::Zero(), Vector3d::Ones()}, {}, {}, 0.0}),
                  InputError);
}

TEST_SUITE_END();

}  // namespace slipfield
