// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "solver/error.h"
#include "solver/geometry/cubic_spline.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"
#include "tests/support/oracle_random.h"

namespace slipfield {
namespace {

// Knots of uneven spacing from -2 on, and points all over them.
std::vector<double> uneven_knots(int count, test::Random& random) {
  std::vector<double> knots{-2.0};
  while (static_cast<int>(knots.size()) < count)
    knots.push_back(knots.back() + random.uniform(0.05, 0.9));
  return knots;
}

std::vector<double> points_within(const std::vector<double>& knots, test::Random& random) {
  std::vector<double> points = knots;
  for (int i = 0; i < 200; ++i) points.push_back(random.uniform(knots.front(), knots.back()));
  return points;
}

template <class Function>
std::vector<double> values_of(const Function& function, const std::vector<double>& points) {
  std::vector<double> values;
  for (const double x : points) values.push_back(function(x));
  return values;
}

TEST_SUITE("unit") {
  TEST_CASE("spline: through n points it is the polynomial of degree n - 1, up to every cubic") {
    test::Random random(7);
    const std::vector<double> coefficients{0.7, -1.3, 0.4, 0.9};
    for (const int count : {1, 2, 3, 4, 5, 6, 33, 200}) {
      CAPTURE(count);
      const int degree = std::min(count - 1, 3);
      const auto polynomial = [&](double x) {
        double sum = 0.0;
        for (int k = degree; k >= 0; --k)
          sum = sum * (x + 1.1) + coefficients[static_cast<std::size_t>(k)];
        return sum;
      };
      const std::vector<double> knots = uneven_knots(count, random);
      const std::vector<double> points = points_within(knots, random);
      const std::vector<double> found =
          SplineKnots(knots).interpolate(values_of(polynomial, knots), points);
      const double scale = std::abs(polynomial(knots.back())) + 1.0;
      for (std::size_t i = 0; i < points.size(); ++i)
        CHECK(std::abs(found[i] - polynomial(points[i])) <= 1e-13 * scale);  // rounding
    }
  }

  TEST_CASE("spline: has its values at its knots, and is smooth there") {
    test::Random random(8);
    const std::vector<double> knots = uneven_knots(20, random);
    std::vector<double> values;
    for (std::size_t i = 0; i < knots.size(); ++i) values.push_back(random.uniform(-1.0, 1.0));
    const SplineKnots spline(knots);
    const std::vector<double> at_knots = spline.interpolate(values, knots);
    for (std::size_t i = 0; i < knots.size(); ++i)
      CHECK(at_knots[i] == test::near(values[i], 1e-15));  // rounding
    for (std::size_t i = 1; i + 1 < knots.size(); ++i) {
      // One-sided second differences, each exact up to h times the third derivative.
      const double h = 1e-4;
      const double x = knots[i];
      const auto s =
          spline.interpolate(values, {x - 3 * h, x - 2 * h, x - h, x, x + h, x + 2 * h, x + 3 * h});
      const double left = (2 * s[3] - 5 * s[2] + 4 * s[1] - s[0]) / (h * h);
      const double right = (2 * s[3] - 5 * s[4] + 4 * s[5] - s[6]) / (h * h);
      CHECK(left == test::within(right, 1e-4));  // rounding over h^2
    }
  }

  TEST_CASE("spline: knots that do not increase, and other numbers of values, are refused") {
    CHECK_THROWS_AS(SplineKnots({}), InputError);
    CHECK_THROWS_AS(SplineKnots({1.0, 1.0}), InputError);
    CHECK_THROWS_AS(SplineKnots({1.0, 2.0, 1.5, 3.0}), InputError);
    CHECK_THROWS_AS(SplineKnots({1.0, 2.0}).interpolate({1.0}, {1.5}), InputError);
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("spline: through a sine its error falls with the fourth power of the spacing") {
    std::vector<double> spacing;
    std::vector<double> error;
    std::vector<double> points;
    for (int i = 0; i <= 1000; ++i) points.push_back(0.003 * i);
    for (const int count : {11, 16, 21, 31, 41, 61}) {
      std::vector<double> knots;
      for (int i = 0; i < count; ++i) knots.push_back(3.0 * i / (count - 1));
      const auto sine = [](double x) { return std::sin(2.0 * x); };
      const auto found = SplineKnots(knots).interpolate(values_of(sine, knots), points);
      double worst = 0.0;
      for (std::size_t i = 0; i < points.size(); ++i)
        test::grow(worst, std::abs(found[i] - sine(points[i])));
      spacing.push_back(3.0 / (count - 1));
      error.push_back(worst);
    }
    const double order = test::observed_order(spacing, error);
    CHECK(order > 3.7);  // 4, at the ends a little off
    CHECK(order < 4.5);
  }
}

}  // namespace
}  // namespace slipfield
