// SPDX-License-Identifier: Apache-2.0
// A contact that covers little of its grid is solved in a window. The result must equal that of a
// grid that fits the contact, and satisfy the equations with products on the whole grid.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "io/result/field_table.h"
#include "solver/rolling.h"
#include "tests/support/both_backends.h"
#include "tests/support/near.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

constexpr int kNarrow = 40;  // the contact takes 30 of them
constexpr int kWide = 96;    // 40 and two margins, one greater than the other
constexpr int kMarginX = 20;
constexpr int kMarginY = 33;
constexpr double kSpacing = 1.0 / 15.0;

// Elements of the same spacing at the same places, on a grid that fits or on a wide one.
Grid window_grid(bool wide) {
  Grid grid;
  grid.mx = grid.my = wide ? kWide : kNarrow;
  grid.dx = kSpacing;
  grid.dy = 0.9 * kSpacing;
  grid.x0 = -0.5 * kNarrow * grid.dx - (wide ? kMarginX * grid.dx : 0.0);
  grid.y0 = -0.5 * kNarrow * grid.dy - (wide ? kMarginY * grid.dy : 0.0);
  return grid;
}

ContactProblem window_problem(bool wide) {
  ContactProblem problem =
      normal_problem(window_grid(wide), {200.0, 0.42}, QuadraticShape{0.01, 0.0, 0.012},
                     NormalControl::force, 9.0, 1e-8);
  problem.steps[0].friction.coefficient = 0.4;
  return problem;
}

Tangential window_rolling(TangentialProblem kind, double elements) {
  Tangential tangential;
  tangential.problem = kind;
  tangential.x = {TangentialControl::force_ratio, -0.4};
  tangential.y = {TangentialControl::rigid, 1.0e-3};
  tangential.rotation = 2.0e-3;
  tangential.step = elements * kSpacing;
  tangential.velocity = 100.0;
  return tangential;
}

// The fields of the wide grid on the narrow one; CHECKs that there is nothing elsewhere of those
// that vanish outside the contact.
std::vector<double> cut_out(const std::vector<double>& wide, bool vanishes = true) {
  std::vector<double> narrow;
  double elsewhere = 0.0;
  for (int iy = 0; iy < kWide; ++iy) {
    for (int ix = 0; ix < kWide; ++ix) {
      const double value = wide[static_cast<std::size_t>(iy * kWide + ix)];
      const bool inside =
          ix >= kMarginX && ix < kMarginX + kNarrow && iy >= kMarginY && iy < kMarginY + kNarrow;
      if (inside)
        narrow.push_back(value);
      else
        elsewhere += std::abs(value);
    }
  }
  if (vanishes) CHECK(elsewhere == 0.0);
  return narrow;
}

template <std::size_t N>
void check_same(const std::array<double, N>& a, const std::array<double, N>& b) {
  double size = 0.0;
  for (const double value : b) size = std::fmax(size, std::abs(value));
  for (std::size_t k = 0; k < N; ++k) {
    CAPTURE(k);
    CHECK(std::abs(a[k] - b[k]) <= 1.0e-5 * size);  // of tractions to 1e-6, which D is made of
  }
}
void check_derivatives(const StepReport& wide, const StepReport& narrow) {
  REQUIRE(wide.sensitivities.has_value() == narrow.sensitivities.has_value());
  REQUIRE(wide.approach_sensitivities.has_value() == narrow.approach_sensitivities.has_value());
  if (narrow.sensitivities) check_same(*wide.sensitivities, *narrow.sensitivities);
  if (narrow.approach_sensitivities)
    check_same(*wide.approach_sensitivities, *narrow.approach_sensitivities);
}

// Both grids, step by step: the same to a hundred times the tolerance (1e-8), which is what the
// change of the tractions in a last iteration leaves; to second order the last correction, which
// follows from tractions found to a twentieth of a change below 2e-3 only, leaves more.
void check_window(ContactProblem wide, ContactProblem narrow) {
  const double same = wide.solver.rolling == RollingScheme::second_order ? 6.0e-4 : 1.0e-6;
  const auto on_wide = make_solver_under_test(wide);
  const auto on_narrow = make_solver_under_test(narrow);
  for (std::size_t k = 0; k < wide.steps.size(); ++k) {
    CAPTURE(k);
    const StepReport a = on_wide->advance(wide.steps[k]);
    const StepReport b = on_narrow->advance(narrow.steps[k]);
    REQUIRE(a.outcome == Outcome::converged);
    REQUIRE(b.outcome == Outcome::converged);
    // The wide grid would be started from coarser ones, the window of the contact is too small.
    CHECK(a.matrix_products_coarse == 0);
    const ContactSolution f = on_wide->download();
    const ContactSolution g = on_narrow->download();
    for (const auto field : {&ContactSolution::pressure, &ContactSolution::traction_x,
                             &ContactSolution::traction_y, &ContactSolution::traction_bound})
      CHECK(relative_difference(cut_out(f.*field), g.*field) <= same);
    for (const auto field : {&ContactSolution::displacement_x, &ContactSolution::displacement_y,
                             &ContactSolution::displacement_n})
      CHECK(relative_difference(cut_out(f.*field, false), g.*field) <= same);
    const auto slip = [](const ContactSolution& s, bool cut) {
      std::vector<double> x = cut ? cut_out(s.slip_x) : s.slip_x;
      const std::vector<double> y = cut ? cut_out(s.slip_y) : s.slip_y;
      x.insert(x.end(), y.begin(), y.end());
      return x;
    };
    CHECK(relative_difference(slip(f, true), slip(g, false)) <= 10.0 * same);
    CHECK(a.elements_contact == b.elements_contact);
    CHECK(a.elements_slip == b.elements_slip);
    CHECK(a.approach == near(b.approach, same));
    CHECK(a.moment_z == near(b.moment_z, 10.0 * same));
    CHECK(a.residual <= 1.0e-6);
    check_derivatives(a, b);
  }
}

void check_window(const std::vector<StepInput>& steps, const ElasticBody& lower) {
  ContactProblem wide = window_problem(true);
  ContactProblem narrow = window_problem(false);
  for (ContactProblem* problem : {&wide, &narrow}) {
    problem->lower = lower;
    problem->steps = steps;
  }
  check_window(wide, narrow);
}

const ElasticBody kAlike{200.0, 0.42};
const ElasticBody kUnlike{900.0, 0.3};

void check_second_order(TangentialProblem kind, double direction, const ElasticBody& lower,
                        std::size_t steps) {
  ContactProblem wide = window_problem(true);
  ContactProblem narrow = window_problem(false);
  for (ContactProblem* problem : {&wide, &narrow}) {
    problem->lower = lower;
    problem->solver.rolling = RollingScheme::second_order;
    Tangential& tangential = problem->steps[0].tangential;
    tangential = window_rolling(kind, 1.0);
    tangential.direction = direction;
    if (rolls_along_y(direction)) tangential.step = problem->grid.dy;
    problem->steps.resize(steps, problem->steps[0]);
  }
  check_window(wide, narrow);
}

// Places and heights that doubles hold exactly, the contact in the middle of `elements` by
// `elements`.
ContactProblem exact_problem(int elements) {
  constexpr double kExact = 0.0625;
  ContactProblem problem = window_problem(true);
  problem.grid = {
      elements, elements, kExact, kExact, -0.5 * elements * kExact, -0.5 * elements * kExact};
  problem.geometry = {QuadraticShape{0.0078125, 0.0, 0.0078125}};
  problem.sensitivities = true;
  problem.solver.rolling = RollingScheme::second_order;
  problem.steps[0].tangential = window_rolling(TangentialProblem::steady_rolling, 1.0);
  problem.steps[0].tangential.step = kExact;
  problem.steps[0].tangential.x = {TangentialControl::rigid, 2.0e-3};
  problem.steps[0].normal = {NormalControl::approach, 0.0078125};
  return problem;
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("window: steady rolling on a wide grid is that on a grid that fits") {
    StepInput step = window_problem(true).steps[0];
    step.tangential = window_rolling(TangentialProblem::steady_rolling, 1.0);
    check_window({step}, kAlike);
  }

  TEST_CASE("window: transient steps longer and shorter than an element, under a growing load") {
    StepInput step = window_problem(true).steps[0];
    step.tangential = window_rolling(TangentialProblem::transient_rolling, 2.5);
    step.normal.value = 6.0;
    StepInput next = step;
    next.normal.value = 9.0;
    next.tangential.step = 0.7 * kSpacing;
    check_window({step, next}, kAlike);
  }

  TEST_CASE("window: a shift and its reverse of unlike bodies") {
    StepInput step = window_problem(true).steps[0];
    step.tangential.problem = TangentialProblem::shift;
    step.tangential.x = {TangentialControl::force_ratio, -0.6};
    step.tangential.rotation = 1.0e-3;
    StepInput back = step;
    back.tangential.x.value = 0.3;
    back.normal.value = 8.0;
    check_window({step, back}, kUnlike);
  }

  TEST_CASE("window: rolling to second order, whose slip reaches an element beyond the contact") {
    check_second_order(TangentialProblem::steady_rolling, 0.0, kAlike, 1);
    constexpr double kDown = -0.5 * std::numbers::pi;  // along -y
    check_second_order(TangentialProblem::steady_rolling, kDown, kUnlike, 1);
  }

  TEST_CASE("window: transient rolling to second order") {
    check_second_order(TangentialProblem::transient_rolling, 0.0, kAlike, 4);
  }

  TEST_CASE("window: derivatives of the forces in rolling and in shifts, of unlike bodies too") {
    for (const TangentialProblem kind :
         {TangentialProblem::steady_rolling, TangentialProblem::shift}) {
      ContactProblem wide = window_problem(true);
      ContactProblem narrow = window_problem(false);
      for (ContactProblem* problem : {&wide, &narrow}) {
        if (kind == TangentialProblem::shift) problem->lower = kUnlike;
        problem->sensitivities = true;
        problem->steps[0].tangential = window_rolling(kind, 1.0);
      }
      check_window(wide, narrow);
    }
  }

  TEST_CASE("window: derivatives of coated and of viscoelastic bodies that are unlike") {
    ElasticBody coated = kAlike;
    coated.thickness = 0.2;
    coated.below = {{10.0, 0.42, 0.0}};
    ElasticBody creeping = kUnlike;
    creeping.creep = {{3.0, 0.005}};
    for (const ElasticBody& lower : {coated, creeping}) {
      ContactProblem wide = window_problem(true);
      ContactProblem narrow = window_problem(false);
      for (ContactProblem* problem : {&wide, &narrow}) {
        problem->lower = lower;
        problem->sensitivities = true;
        problem->steps[0].normal = {NormalControl::approach, is_layered(lower) ? 0.01 : 0.007};
        problem->steps[0].tangential = window_rolling(TangentialProblem::steady_rolling, 1.0);
        problem->steps[0].tangential.x = {TangentialControl::rigid, 1.0e-3};
      }
      check_window(wide, narrow);
    }
  }

  TEST_CASE("window: friction that falls with the slip velocity") {
    StepInput step = window_problem(true).steps[0];
    step.tangential = window_rolling(TangentialProblem::steady_rolling, 1.0);
    step.friction.law = FrictionLaw::linear_falling;
    step.friction.kinetic = 0.3;
    step.friction.half_velocity = 0.1;
    check_window({step}, kAlike);
  }

  TEST_CASE("window: slip formed in it is rigid slip and displacement formed on the grid") {
    ContactProblem problem = window_problem(true);
    Tangential& tangential = problem.steps[0].tangential;
    tangential.problem = TangentialProblem::shift;
    tangential.x = {TangentialControl::rigid, 4.0e-3};
    tangential.y = {TangentialControl::rigid, -1.0e-3};
    tangential.rotation = 2.0e-3;
    const Solved solved = solve_under_test(problem);
    REQUIRE(solved.report.outcome == Outcome::converged);
    const Grid& grid = problem.grid;
    constexpr double kRounding = 1.0e-12;  // of slips of the order of 1e-3
    for (int iy = 0; iy < grid.my; ++iy) {
      for (int ix = 0; ix < grid.mx; ++ix) {
        const std::size_t i = grid.index(ix, iy);
        if (!(solved.fields.pressure[i] > 0.0)) continue;
        const double x = 4.0e-3 - 2.0e-3 * grid.y(iy) + solved.fields.displacement_x[i];
        const double y = -1.0e-3 + 2.0e-3 * grid.x(ix) + solved.fields.displacement_y[i];
        CHECK(std::abs(solved.fields.slip_x[i] - x) <= kRounding);
        CHECK(std::abs(solved.fields.slip_y[i] - y) <= kRounding);
      }
    }
  }

  // The first window comes from Hertz's theory. A sheet that gives way under pressure makes the
  // contact larger, up to several times: windows grow until it fits, or the whole grid takes over.
  TEST_CASE("window: one that does not hold the contact grows") {
    for (const double compliance : {5.0e-4, 5.0e-3, 1.5e-2}) {
      CAPTURE(compliance);
      ContactProblem wide = window_problem(true);
      ContactProblem narrow = window_problem(false);
      for (ContactProblem* problem : {&wide, &narrow}) {
        problem->layer.normal_compliance = compliance;
        problem->steps[0].normal.value = 1.0;
      }
      const auto solved = solve_under_test(wide);
      const auto expected = solve_under_test(narrow);
      REQUIRE(solved.report.outcome == Outcome::converged);
      CHECK(relative_difference(cut_out(solved.fields.pressure), expected.fields.pressure) <= 1e-6);
      for (const double gap : solved.fields.gap) CHECK(gap >= -1e-6 * solved.report.approach);
    }
  }

  TEST_CASE("window: two contacts far apart are solved as they are on the whole grid") {
    ContactProblem problem = window_problem(true);
    problem.geometry = {};
    std::vector<double> heights(problem.grid.count());
    for (int iy = 0; iy < kWide; ++iy)
      for (int ix = 0; ix < kWide; ++ix) {
        const double x = std::abs(ix - 0.5 * (kWide - 1)) - 36.0;  // two equal ones
        const double y = iy - 0.5 * (kWide - 1);
        heights[problem.grid.index(ix, iy)] = 0.01 * kSpacing * kSpacing * (x * x + y * y);
      }
    problem.geometry = {HeightsShape{HeightsOf::distance, heights}};
    problem.steps[0].normal.value = 0.1;
    problem.steps[0].tangential.problem = TangentialProblem::shift;
    problem.steps[0].tangential.x = {TangentialControl::force_ratio, -0.5};
    const Solved solved = solve_under_test(problem);
    REQUIRE(solved.report.outcome == Outcome::converged);
    double left = 0.0;
    for (int iy = 0; iy < kWide; ++iy)
      for (int ix = 0; ix < kWide / 2; ++ix)
        left += solved.fields.pressure[problem.grid.index(ix, iy)] * problem.grid.element_area();
    CHECK(left == near(0.05, 1e-6));  // symmetry
  }
}

TEST_SUITE("unit") {
  TEST_CASE("window: is taken by a contact of a part of the grid, not by one of most of it") {
    ContactProblem problem = window_problem(true);
    problem.solver.tolerance = 1.0e-3;
    Tangential& tangential = problem.steps[0].tangential;
    tangential.problem = TangentialProblem::shift;
    tangential.x = {TangentialControl::force_ratio, -0.4};
    for (const double force : {9.0, 200.0}) {  // 30 elements across, and 84
      CAPTURE(force);
      problem.steps[0].normal.value = force;
      const Solved solved = solve_under_test(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      // A grid of 96 x 96 is started from coarser ones, a window of 48 or fewer is not.
      CHECK((solved.report.matrix_products_coarse > 0) == (force > 100.0));
    }
  }

  // Transforms of other lengths round otherwise: corrections of second order and derivatives that
  // the grid's width does not touch come from the window.
  TEST_CASE("window: second order and sensitivities have the same bits on a wider grid") {
    const Solved wide = solve_under_test(exact_problem(96));
    const Solved wider = solve_under_test(exact_problem(120));
    REQUIRE(wide.report.outcome == Outcome::converged);
    REQUIRE(wide.report.sensitivities.has_value());
    REQUIRE(wide.report.approach_sensitivities.has_value());
    CHECK(wide.report.iterations_outer > 2);
    const auto loaded = [](const std::vector<double>& field) {
      std::vector<double> values;
      for (const double value : field)
        if (value != 0.0) values.push_back(value);
      return values;
    };
    CHECK(wide.report.elements_contact > 300);
    CHECK(wide.report.elements_adhesion > 0);
    CHECK(loaded(wide.fields.traction_x) == loaded(wider.fields.traction_x));
    CHECK(loaded(wide.fields.traction_y) == loaded(wider.fields.traction_y));
    CHECK(*wide.report.sensitivities == *wider.report.sensitivities);
    CHECK(*wide.report.approach_sensitivities == *wider.report.approach_sensitivities);
  }

  // What a step does in a window depends on what the state holds alone.
  TEST_CASE("window: a step in another solver has the bits of the unbroken run") {
    ContactProblem problem = window_problem(true);
    StepInput step = problem.steps[0];
    step.tangential = window_rolling(TangentialProblem::transient_rolling, 1.0);
    StepInput large = step;
    large.normal.value = 200.0;  // on the whole grid
    const auto whole = make_solver_under_test(problem);
    SolverState state;
    const StepInput steps[] = {step, large, step};
    for (int k = 0; k < 3; ++k) {
      CAPTURE(k);
      whole->advance(steps[k]);
      const ContactSolution expected = whole->download();
      const auto piece = make_solver_under_test(problem);
      if (k > 0) piece->restore(state, steps[k - 1]);
      piece->advance(steps[k]);
      const ContactSolution found = piece->download();
      for (const FieldEntry& entry : field_table()) {
        CAPTURE(entry.name);
        CHECK(expected.*(entry.values) == found.*(entry.values));
      }
      state = whole->state();
    }
  }
}
