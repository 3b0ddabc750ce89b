// SPDX-License-Identifier: Apache-2.0
// Rolling in any direction: a case that is turned or mirrored has the same fields, turned or
// mirrored.
#include <doctest/doctest.h>

#include <cmath>

#include "solver/rolling.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

using test::kPi;

constexpr ElasticBody kTurnedBody{0.8, 0.3};
constexpr ElasticBody kOther{4.0, 0.45};

// A tilted paraboloid off the centre of a grid of oblong elements.
ContactProblem oblong_problem(const ElasticBody& lower) {
  const Grid grid{31, 15, 0.04, 0.08, -0.6, -0.62};
  const QuadraticShape shape{0.585, 0.235, 0.903, 0.056, -0.092, 0.0};
  ContactProblem problem =
      test::normal_problem(grid, kTurnedBody, shape, NormalControl::approach, 0.12, 1e-10);
  problem.lower = lower;
  problem.steps[0].friction.coefficient = 0.35;
  return problem;
}

Tangential rolling(TangentialProblem kind, double direction, double step, TangentialLoad x) {
  Tangential tangential;
  tangential.problem = kind;
  tangential.direction = direction;
  tangential.step = step;
  tangential.x = x;
  tangential.y = {TangentialControl::rigid, -0.012};
  tangential.rotation = 0.015;
  return tangential;
}

// A quarter turn, (x, y) -> (-y, x), or the mirror image, (x, y) -> (x, -y).
enum class Motion { turn, mirror };

TangentialLoad reversed(TangentialLoad load) {
  load.value = -load.value;
  return load;
}

ContactProblem moved(const ContactProblem& problem, Motion motion) {
  ContactProblem result = problem;
  const Grid& g = problem.grid;
  const auto& s = std::get<QuadraticShape>(problem.geometry[0]);
  const double top = g.y0 + g.my * g.dy;
  const bool turn = motion == Motion::turn;
  result.grid = turn ? Grid{g.my, g.mx, g.dy, g.dx, -top, g.x0} : g;
  if (!turn) result.grid.y0 = -top;
  result.geometry = {turn ? QuadraticShape{s.yy, -s.xy, s.xx, -s.y, s.x, s.constant}
                          : QuadraticShape{s.xx, -s.xy, s.yy, s.x, -s.y, s.constant}};
  for (StepInput& step : result.steps) {
    Tangential& t = step.tangential;
    const TangentialLoad across = reversed(t.y);
    t.y = turn ? t.x : across;
    if (turn) t.x = across;
    t.direction = turn ? t.direction + 0.5 * kPi : -t.direction;
    if (!turn) t.rotation = -t.rotation;
  }
  return result;
}

// The fields of a solution on `grid` as those of the moved one.
test::Solved moved(const test::Solved& solved, const Grid& grid, Motion motion) {
  test::Solved result = solved;
  const bool turn = motion == Motion::turn;
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      const std::size_t from = grid.index(ix, iy);
      const int across = grid.my - 1 - iy;
      const std::size_t to =
          turn ? static_cast<std::size_t>(ix * grid.my + across) : grid.index(ix, across);
      const auto vector = [&](auto x, auto y) {
        const double vx = (solved.fields.*x)[from];
        const double vy = (solved.fields.*y)[from];
        (result.fields.*x)[to] = turn ? -vy : vx;
        (result.fields.*y)[to] = turn ? vx : -vy;
      };
      vector(&ContactSolution::traction_x, &ContactSolution::traction_y);
      vector(&ContactSolution::slip_x, &ContactSolution::slip_y);
      result.fields.pressure[to] = solved.fields.pressure[from];
      result.fields.element_division[to] = solved.fields.element_division[from];
    }
  }
  const StepReport& report = solved.report;
  result.report.force_x = turn ? -report.force_y : report.force_x;
  result.report.force_y = turn ? report.force_x : -report.force_y;
  result.report.moment_z = turn ? report.moment_z : -report.moment_z;
  return result;
}

void check_same(const test::Solved& one, const test::Solved& two) {
  constexpr double kAlike = 1.0e-7;  // rounding, stretched by a tolerance of 1e-10 and slow modes
  test::check_equal(one, two, kAlike);
  CHECK(test::relative_difference(one.fields.slip_x, two.fields.slip_x) <= kAlike);
  CHECK(test::relative_difference(one.fields.slip_y, two.fields.slip_y) <= kAlike);
  CHECK(one.fields.element_division == two.fields.element_division);
  const double scale = 0.35 * two.report.normal_force;
  CHECK(std::abs(one.report.force_x - two.report.force_x) <= kAlike * scale);
  CHECK(std::abs(one.report.force_y - two.report.force_y) <= kAlike * scale);
  CHECK(std::abs(one.report.moment_z - two.report.moment_z) <= kAlike * scale);
}

// By 90, 180 and 270 degrees, and the mirror image of each.
void check_all_motions(const ContactProblem& problem) {
  ContactProblem turned = problem;
  test::Solved expected = test::solve(problem);
  CHECK(expected.report.elements_adhesion > 10);
  CHECK(expected.report.elements_slip > 10);
  for (int quarter = 0; quarter < 4; ++quarter) {
    CAPTURE(quarter);
    if (quarter > 0) {
      expected = moved(expected, turned.grid, Motion::turn);
      turned = moved(turned, Motion::turn);
      check_same(test::solve(turned), expected);
    }
    check_same(test::solve(moved(turned, Motion::mirror)),
               moved(expected, turned.grid, Motion::mirror));
  }
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("rolling: an element is dx long along x, dy along y, and between them obliquely") {
    const Grid grid{4, 4, 0.2, 0.1, 0.0, 0.0};
    for (const double turn : {0.0, kPi, -2.0 * kPi}) {
      CHECK(element_length(turn, grid) == 0.2);
      CHECK(longest_step(turn, grid) == 0.2);
      CHECK(element_length(turn + 0.5 * kPi, grid) == 0.1);
      CHECK(longest_step(turn + 0.5 * kPi, grid) == 0.1);
    }
    // at 45 degrees: the ellipse with the half axes dx and dy, and the side of the element
    CHECK(element_length(0.25 * kPi, grid) == test::near(std::sqrt(2.0 / 125.0)));
    CHECK(longest_step(0.25 * kPi, grid) == test::near(0.1 * std::sqrt(2.0)));
    for (double direction = 0.0; direction < 7.0; direction += 0.1)
      CHECK(element_length(direction, grid) <= longest_step(direction, grid) * (1.0 + 1e-12));
  }
}

TEST_SUITE("oracle") {
  TEST_CASE("steady rolling: a case turned and mirrored has its fields turned and mirrored") {
    constexpr auto kSteady = TangentialProblem::steady_rolling;
    const TangentialLoad slow{TangentialControl::rigid, 0.02};
    const TangentialLoad half{TangentialControl::force_ratio, -0.5};
    for (const ElasticBody& lower : {kTurnedBody, kOther}) {
      CAPTURE(lower.shear_modulus);
      ContactProblem problem = oblong_problem(lower);
      const double longest = longest_step(0.9, problem.grid);
      for (const Tangential& tangential :
           {rolling(kSteady, 0.0, 0.04, slow), rolling(kSteady, 0.0, 0.025, slow),
            rolling(kSteady, 0.5 * kPi, 0.08, half), rolling(kSteady, 0.9, longest, slow)}) {
        CAPTURE(tangential.direction);
        CAPTURE(tangential.step);
        problem.steps[0].tangential = tangential;
        check_all_motions(problem);
      }
    }
  }

  TEST_CASE("transient rolling: the same, with steps longer than an element along x and y") {
    constexpr auto kTransient = TangentialProblem::transient_rolling;
    for (const ElasticBody& lower : {kTurnedBody, kOther}) {
      ContactProblem problem = oblong_problem(lower);
      for (const double step : {0.04, 0.1}) {
        CAPTURE(step);
        problem.steps[0].tangential =
            rolling(kTransient, 0.0, step, {TangentialControl::rigid, 0.15});
        problem.steps[0].repeat = 4;
        check_all_motions(problem);
      }
    }
  }
}

}  // namespace slipfield
