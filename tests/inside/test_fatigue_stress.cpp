// SPDX-License-Identifier: Apache-2.0
// Equivalent stresses of a passage, against closed forms of simple histories and of Hertz's line.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "solver/interior/fatigue_stress.h"
#include "solver/interior/interior_field.h"
#include "solver/problem_check.h"
#include "solver/surface/shakedown.h"
#include "tests/support/near.h"
#include "tests/support/oracle_random.h"

namespace slipfield {
namespace {

using std::numbers::pi;

// The radius of the smallest ball that holds all points, among the balls through up to six points.
double smallest_radius_by_trying(const std::vector<DeviatorPoint>& of) {
  std::vector<Eigen::VectorXd> points;
  for (const DeviatorPoint& point : of)
    points.emplace_back(Eigen::Map<const Eigen::VectorXd>(point.data(), 5));
  double least = std::numeric_limits<double>::infinity();
  for (unsigned chosen = 1; chosen < 1U << points.size(); ++chosen) {
    std::vector<Eigen::VectorXd> on;
    for (std::size_t i = 0; i < points.size(); ++i)
      if ((chosen >> i & 1U) != 0) on.push_back(points[i]);
    if (on.size() > 6) continue;
    Eigen::MatrixXd edges(5, on.size() - 1);
    for (std::size_t i = 1; i < on.size(); ++i)
      edges.col(static_cast<Eigen::Index>(i) - 1) = on[i] - on[0];
    Eigen::VectorXd arm = Eigen::VectorXd::Zero(5);
    if (on.size() > 1) {
      // Equally far from all of them, in the plane that they span.
      const Eigen::VectorXd half = 0.5 * edges.colwise().squaredNorm().transpose();
      arm = edges.transpose().completeOrthogonalDecomposition().solve(half);
    }
    double most = 0.0;
    for (const Eigen::VectorXd& point : points) most = std::max(most, (point - on[0] - arm).norm());
    least = std::min(least, most);
  }
  return least;
}

double point_distance(const DeviatorPoint& a, const DeviatorPoint& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

DeviatorPoint times(double factor, DeviatorPoint point) {
  for (double& value : point) value *= factor;
  return point;
}

std::vector<DeviatorPoint> random_points(std::size_t count, unsigned seed) {
  const std::vector<double> values = test::Random(seed).field(5 * count);
  std::vector<DeviatorPoint> points(count);
  for (std::size_t i = 0; i < values.size(); ++i) points[i / 5][i % 5] = values[i];
  return points;
}

// Over one period, of the amplitudes of xx and xz and the phase between them, about a mean of xx.
StressHistory cycle(double xx, double xz, double phase, double mean = 0.0) {
  constexpr int kStates = 72;  // with the extremes among them
  StressHistory history;
  for (int i = 0; i < kStates; ++i) {
    const double t = 2.0 * pi * i / kStates;
    history.push_back({mean + xx * std::cos(t), 0.0, 0.0, 0.0, xz * std::cos(t - phase), 0.0});
  }
  return history;
}

double dang_van(const StressHistory& history, double slope) {
  return dang_van_stress(history, deviator_ball(history), slope).value;
}
double crossland(const StressHistory& history, double slope) {
  return crossland_stress(history, deviator_ball(history), slope).value;
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("fatigue: the smallest ball is the smallest of all that hold the points") {
    for (const unsigned seed : {1U, 2U, 3U, 4U}) {
      for (const std::size_t count : {1UL, 2UL, 5UL, 9UL}) {
        const auto points = random_points(count, seed);
        const Ball ball = smallest_ball(points);
        CHECK(ball.radius == test::near(smallest_radius_by_trying(points), 1.0e-9));
        for (const DeviatorPoint& point : points)
          CHECK(point_distance(point, ball.centre) <= ball.radius * (1.0 + 1.0e-9));
      }
    }
  }

  TEST_CASE("fatigue: many points on one sphere, on a line and in one place have their ball") {
    std::vector<DeviatorPoint> cross;
    for (std::size_t i = 0; i < 5; ++i) {
      DeviatorPoint point{};
      for (const double end : {1.0, -1.0}) {
        point[i] = end;
        cross.push_back(point);
      }
    }
    CHECK(smallest_ball(cross).radius == test::near(1.0));
    CHECK(point_distance(smallest_ball(cross).centre, {}) < 1.0e-12);
    const DeviatorPoint one{0.3, 0.3, 0.3, 0.3, 0.3};
    CHECK(smallest_ball({one, one, one}).radius == 0.0);
    std::vector<DeviatorPoint> line;
    for (int i = 0; i <= 100; ++i) line.push_back(times(0.01 * i, one));
    CHECK(smallest_ball(line).radius == test::near(0.5 * point_distance(one, {})));
    CHECK(smallest_ball({}).radius == 0.0);
    // A circle of many points in two of the dimensions.
    std::vector<DeviatorPoint> circle;
    for (int i = 0; i < 360; ++i) {
      DeviatorPoint point = one;
      point[1] += 2.0 * std::cos(i * pi / 180.0);
      point[4] += 2.0 * std::sin(i * pi / 180.0);
      circle.push_back(point);
    }
    CHECK(smallest_ball(circle).radius == test::near(2.0));
    CHECK(point_distance(smallest_ball(circle).centre, one) < 1.0e-6);
  }

  TEST_CASE("fatigue: a constant deviator moves the ball and leaves the amplitude") {
    const auto points = random_points(40, 7);
    const DeviatorPoint constant{3.0, -1.0, 0.5, 2.0, -4.0};
    const auto add = [&](DeviatorPoint point) {
      for (std::size_t i = 0; i < point.size(); ++i) point[i] += constant[i];
      return point;
    };
    std::vector<DeviatorPoint> moved;
    for (const DeviatorPoint& point : points) moved.push_back(add(point));
    const Ball ball = smallest_ball(points);
    const Ball other = smallest_ball(moved);
    CHECK(other.radius == test::near(ball.radius, 1.0e-10));
    CHECK(point_distance(other.centre, add(ball.centre)) < 1.0e-8);
  }

  TEST_CASE("fatigue: the deviator's distance from 0 is the root of J2") {
    const StressState state{1.0, -2.0, 4.0, 0.5, -1.5, 2.5};
    CHECK(std::sqrt(3.0) * point_distance(deviator_point(state), {}) ==
          test::near(von_mises_stress(state)));
    const StressState pressed{-3.0, -3.0, -3.0, 0.0, 0.0, 0.0};
    CHECK(point_distance(deviator_point(pressed), {}) < 1.0e-15);
  }

  TEST_CASE(
      "fatigue: a request without its slope, with a senseless one, or of a step that does not "
      "pass") {
    const Grid grid{6, 4, 1.0, 2.0, 0.0, -4.0};
    InteriorRequest request;
    request.depths = {0.0};
    const auto reason = [&] {
      const auto faults = check_interior(request, grid);
      return faults.empty() ? std::string() : faults.front().field + ": " + faults.front().reason;
    };
    request.fatigue.dang_van = 0.3;
    CHECK(reason().empty());
    request.fatigue.dang_van = -0.1;
    CHECK(reason() == "interior.fatigue: dang_van of -0.1 would make tension harmless");
    request.fatigue.dang_van = 2.0;
    CHECK(reason() == "interior.fatigue: dang_van of 2 is a torsion limit above the bending limit");
    request.fatigue.dang_van.reset();
    request.quantities = {InteriorQuantity::crossland};
    CHECK(reason() == "interior.quantities: crossland has no slope to be computed with");
    request.fatigue.crossland = 0.1;
    StepInput step;
    const auto faults_of = [&](TangentialProblem problem, double direction) {
      step.tangential.problem = problem;
      step.tangential.direction = direction;
      return check_interior_step(request, step).size();
    };
    CHECK(faults_of(TangentialProblem::none, 0.0) == 0);
    CHECK(faults_of(TangentialProblem::steady_rolling, pi) == 0);
    CHECK(faults_of(TangentialProblem::steady_rolling, 0.5 * pi) == 1);
    CHECK(faults_of(TangentialProblem::transient_rolling, 0.0) == 1);
    CHECK(faults_of(TangentialProblem::shift, 0.0) == 1);
    request.fatigue = {};
    CHECK(faults_of(TangentialProblem::shift, 0.0) == 0);
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("fatigue: reversed torsion and reversed bending at their limits have one stress") {
    constexpr double kTorsion = 300.0;
    constexpr double kBending = 480.0;
    const FatigueSlopes slopes = fatigue_slopes(kTorsion, kBending);
    const StressHistory torsion = cycle(0.0, kTorsion, 0.0);
    const StressHistory bending = cycle(kBending, 0.0, 0.0);
    for (const StressHistory& history : {torsion, bending}) {
      CHECK(dang_van(history, *slopes.dang_van) == test::near(kTorsion, 1.0e-12));
      CHECK(crossland(history, *slopes.crossland) == test::near(kTorsion, 1.0e-12));
    }
    // By hand: half of the amplitude and a third of it times the slope.
    CHECK(dang_van(bending, 0.3) == test::near(0.5 * kBending + 0.1 * kBending));
    CHECK(crossland(bending, 0.3) == test::near(kBending / std::sqrt(3.0) + 0.1 * kBending));
  }

  TEST_CASE("fatigue: pulsating tension has its mid-state between nothing and its greatest") {
    const StressHistory pulse = cycle(50.0, 0.0, 0.0, 50.0);  // 0 to 100
    CHECK(dang_van(pulse, 0.3) == test::near(25.0 + 10.0));
    CHECK(crossland(pulse, 0.3) == test::near(50.0 / std::sqrt(3.0) + 10.0));
    // Compression is as bad for the shear, and its hydrostatic stress is greatest where it is 0.
    const StressHistory press = cycle(50.0, 0.0, 0.0, -50.0);
    CHECK(dang_van(press, 0.3) == test::near(25.0));
    CHECK(crossland(press, 0.3) == test::near(50.0 / std::sqrt(3.0)));
  }

  TEST_CASE("fatigue: tension and torsion out of phase go round a circle of their amplitude") {
    // sqrt(J2) = sigma/sqrt(3) cos and tau sin: the deviator stays at one distance from 0.
    const double sigma = 100.0;
    const StressHistory history = cycle(sigma, sigma / std::sqrt(3.0), 0.5 * pi);
    CHECK(crossland(history, 0.0) == test::near(sigma / std::sqrt(3.0)));
    // In phase it is longer, by the root of two.
    CHECK(crossland(cycle(sigma, sigma / std::sqrt(3.0), 0.0), 0.0) ==
          test::near(std::sqrt(2.0 / 3.0) * sigma));
  }

  TEST_CASE("fatigue: a history in proportion to one state has that state's root of J2") {
    const StressState state{1.0, -2.0, 4.0, 0.5, -1.5, 2.5};
    StressHistory history;
    for (const double part : {-1.0, -0.2, 0.4, 0.9, 1.0}) {
      history.push_back(state);
      for (double& value : history.back()) value *= part;
    }
    CHECK(deviator_ball(history).radius == test::near(von_mises_stress(state) / std::sqrt(3.0)));
    const auto principal = principal_stresses(state);
    CHECK(dang_van(history, 0.25) ==
          test::near(0.5 * (principal[0] - principal[2]) + 0.25));  // mean stress 1
  }

  TEST_CASE("fatigue: under a rolling line the field's stresses are those of McEwen's field") {
    constexpr double kLength = 20000.0;
    const Grid grid{320, 1, 6.0 / 320, kLength, -3.0, -0.5 * kLength};
    ContactSolution solution;
    for (int ix = 0; ix < grid.mx; ++ix) {
      const auto area = [](double x) {
        x = std::clamp(x, -1.0, 1.0);
        return 0.5 * (x * std::sqrt(1.0 - x * x) + std::asin(x));
      };
      const double x = grid.x(ix);
      solution.pressure.push_back((area(x + 0.5 * grid.dx) - area(x - 0.5 * grid.dx)) / grid.dx);
      solution.traction_x.push_back(0.1 * solution.pressure.back());
    }
    solution.traction_y.assign(grid.count(), 0.0);
    solution.element_division.assign(grid.count(), ElementState::slip);
    InteriorRequest request;
    request.depths = {0.25, 0.5, 1.0};
    request.region = InteriorRegion::box;
    request.box_x = {-0.1, 0.1};  // the passage is the whole row, whatever the region
    request.box_y = {-1.0, 1.0};
    request.fatigue = {0.3, 0.1};
    request.bodies = {Body::upper};
    InteriorField field(grid, {ElasticBody{1.0, 0.3}, ElasticBody{1.0, 0.3}}, request, solution);
    field.compute_all();
    for (std::size_t k = 0; k < request.depths.size(); ++k) {
      StressHistory history;
      for (int ix = 0; ix < grid.mx; ++ix) {
        const PlaneStress at = hertz_line_stress(grid.x(ix), request.depths[k], 0.1);
        history.push_back({at.xx, 0.3 * (at.xx + at.zz), at.zz, 0.0, at.xz, 0.0});
      }
      // The grid's error at a depth of 13 elements and more.
      CHECK(field.summaries()[0].dang_van.by_depth[k] ==
            test::near(dang_van(history, 0.3), 2.0e-3));
      CHECK(field.summaries()[0].crossland.by_depth[k] ==
            test::near(crossland(history, 0.1), 2.0e-3));
    }
    // Without friction the orthogonal shear is reversed, .25 p_0 at .50 a: the amplitude is no
    // less.
    const PlaneStress before = hertz_line_stress(-std::sqrt(0.75), 0.5, 0.0);
    const PlaneStress behind = hertz_line_stress(std::sqrt(0.75), 0.5, 0.0);
    CHECK(before.xz == test::near(0.25));
    CHECK(behind.xz == test::near(-0.25));
    CHECK(std::abs(field.summaries()[0].crossland.by_depth[1] - 0.25098) <
          1.0e-3);  // with .1 of it
  }
}

}  // namespace slipfield
