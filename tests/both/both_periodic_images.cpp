// SPDX-License-Identifier: Apache-2.0
// Contacts on grids that are periodic in one direction, on either backend.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "solver/influence/influence_table.h"
#include "tests/support/both_backends.h"
#include "tests/support/near.h"
#include "tests/support/oracle_random.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

const ElasticBody kStrip{1.0, 0.3};

// Two cylinders whose axes are along the period, of half-width 1: `across` elements over 2.6 in the
// other direction, `along` over the period.
struct LineContact {
  ContactProblem problem;
  double load = 0.0;  // by length
  double greatest = 0.0;
  bool along_y = false;

  LineContact(Boundary boundary, int along, int across, double period) {
    constexpr double kCurvature = 0.02;  // 1/R
    along_y = boundary == Boundary::periodic_y;
    const double spacing = 2.6 / across;
    const double first = -1.3 - 0.37 * spacing;  // elements do not meet the ends of the contact
    Grid grid{along, across, period / along, spacing, 0.4, first, boundary};
    QuadraticShape shape{0.0, 0.0, 0.5 * kCurvature};
    if (along_y) {
      grid = {across, along, spacing, period / along, first, 0.4, boundary};
      shape = {0.5 * kCurvature, 0.0, 0.0};
    }
    const double modulus = combine(kStrip, kStrip).contact_modulus();
    load = 0.25 * kPi * modulus * kCurvature;  // a = 1
    greatest = 2.0 * load / kPi;
    problem = normal_problem(grid, kStrip, shape, NormalControl::force, load * period, 1e-9);
  }
  [[nodiscard]] double place(std::size_t i) const {
    const Grid& grid = problem.grid;
    const auto columns = static_cast<std::size_t>(grid.mx);
    return along_y ? grid.x(static_cast<int>(i % columns)) : grid.y(static_cast<int>(i / columns));
  }
  // Root mean square of the field's difference from `exact` at each place.
  [[nodiscard]] double error(const std::vector<double>& field,
                             const std::function<double(double)>& exact) const {
    double difference = 0.0;
    double size = 0.0;
    for (std::size_t i = 0; i < field.size(); ++i) {
      const double wanted = exact(place(i));
      difference += (field[i] - wanted) * (field[i] - wanted);
      size += wanted * wanted;
    }
    return std::sqrt(difference / size);
  }
};

double half_circle(double x) { return std::abs(x) < 1.0 ? std::sqrt(1.0 - x * x) : 0.0; }

// Random heights, and what else a variant has; pressed and shifted.
ContactProblem rough_strip(Boundary boundary, bool with_friction) {
  Random random(81);
  const Grid grid{10, 12, 0.1, 0.12, 0.0, 0.0, boundary};
  HeightsShape shape;
  shape.of = HeightsOf::upper;
  shape.values = random.field(grid.count(), 0.0, 0.02);
  ContactProblem problem = normal_problem(grid, kStrip, shape, NormalControl::force, 0.02, 1e-10);
  if (!with_friction) return problem;
  set_motion(problem, 0.3, TangentialProblem::shift, 0.002, -0.001);
  return problem;
}

// The heights of two periods.
ContactProblem doubled(const ContactProblem& problem) {
  ContactProblem twice = problem;
  const Grid& one = problem.grid;
  const bool along_y = one.boundary == Boundary::periodic_y;
  (along_y ? twice.grid.my : twice.grid.mx) *= 2;
  auto& heights = std::get<HeightsShape>(twice.geometry[0]).values;
  const std::vector<double> of_one = heights;
  heights.resize(twice.grid.count());
  for (int iy = 0; iy < twice.grid.my; ++iy)
    for (int ix = 0; ix < twice.grid.mx; ++ix)
      heights[twice.grid.index(ix, iy)] = of_one[one.index(ix % one.mx, iy % one.my)];
  for (StepInput& step : twice.steps) step.normal.value *= 2.0;
  return twice;
}

// Greatest difference between a field of two periods and that of one, over the greatest value.
double gap_of_doubled(const Grid& one, const std::vector<double>& of_one, const Grid& two,
                      const std::vector<double>& of_two) {
  double worst = 0.0;
  double size = 0.0;
  for (int iy = 0; iy < two.my; ++iy)
    for (int ix = 0; ix < two.mx; ++ix) {
      const double wanted = of_one[one.index(ix % one.mx, iy % one.my)];
      grow(worst, std::abs(of_two[two.index(ix, iy)] - wanted));
      size = std::max(size, std::abs(wanted));
    }
  return worst / size;
}

}  // namespace

TEST_SUITE("analytic") {
  TEST_CASE("periodic in one direction: parallel cylinders, width, pressure, approach [Hertz]") {
    for (const Boundary boundary : {Boundary::periodic_x, Boundary::periodic_y}) {
      std::vector<double> h;
      std::vector<double> error;
      double approach_error = 0.0;
      for (const int n : {32, 64, 128, 256}) {
        const LineContact line(boundary, 5, n, 0.9);
        const Solved solved = solve_under_test(line.problem);
        REQUIRE(solved.report.outcome == Outcome::converged);
        CHECK(!solved.report.touches_edge);
        const double spacing = 2.6 / n;
        const auto width = static_cast<double>(solved.report.elements_contact) / 5.0 * spacing;
        CHECK(std::abs(width - 2.0) <= 2.0 * spacing);  // whole elements
        error.push_back(line.error(solved.fields.pressure,
                                   [&](double x) { return line.greatest * half_circle(x); }));
        h.push_back(spacing);
        // From a distance of the grid's extent, 2.6: P/(pi E*) (2 ln(2 d/a) + 1).
        const double modulus = combine(kStrip, kStrip).contact_modulus();
        const double approach = line.load / (kPi * modulus) * (2.0 * std::log(5.2) + 1.0);
        approach_error = std::abs(solved.report.approach / approach - 1.0);
      }
      const double order = observed_order(h, error);
      MESSAGE("256 elements: pressure in L2 ", error.back(), ", approach ", approach_error,
              "; observed order ", order);
      CHECK(order > 0.8);  // infinite slope at the rim
      CHECK(error.back() <= 0.01);
      CHECK(approach_error <= 1e-4);
    }
  }

  TEST_CASE("periodic in one direction: partial slip of cylinders along and across the axes") {
    // [Cattaneo, Mindlin]: |x| < c sticks, c = a sqrt(1 - Q/(mu P)) = 0.6 a; the traction is mu p
    // less 0.6 of the same over c. Slip along the axes is antiplane and has the same one.
    constexpr double kFriction = 0.3;
    for (const Boundary boundary : {Boundary::periodic_x, Boundary::periodic_y})
      for (const bool along_x : {true, false}) {
        CAPTURE(along_x);
        LineContact line(boundary, 4, 130, 1.3);
        StepInput& step = line.problem.steps[0];
        step.friction.coefficient = kFriction;
        step.tangential.problem = TangentialProblem::shift;
        TangentialLoad& pulled = along_x ? step.tangential.x : step.tangential.y;
        pulled = {TangentialControl::force_ratio, 0.64};
        const Solved solved = solve_under_test(line.problem);
        REQUIRE(solved.report.outcome == Outcome::converged);
        const auto sticks = static_cast<double>(solved.report.elements_adhesion) / 4.0 * 2.6 / 130;
        CHECK(std::abs(sticks - 1.2) <= 2.0 * 2.6 / 130);  // whole elements
        const auto exact = [&](double x) {
          return kFriction * line.greatest * (half_circle(x) - 0.6 * half_circle(x / 0.6));
        };
        const ContactSolution& f = solved.fields;
        CHECK(line.error(along_x ? f.traction_x : f.traction_y, exact) <= 0.02);  // of the elements
        double other = 0.0;
        for (const double t : along_x ? f.traction_y : f.traction_x) grow(other, std::abs(t));
        CHECK(other <= 1e-9 * line.greatest);  // tolerance
      }
  }

  TEST_CASE("periodic in one direction: cylinders roll across their axes, creepage [Carter]") {
    // Creepage mu a/R (1 - sqrt(1 - Q/(mu P))) with 1/R = 0.02, here 0.3 0.02 0.4.
    for (const Boundary boundary : {Boundary::periodic_x, Boundary::periodic_y}) {
      LineContact line(boundary, 4, 260, 1.3);
      StepInput& step = line.problem.steps[0];
      step.friction.coefficient = 0.3;
      step.tangential.problem = TangentialProblem::steady_rolling;
      step.tangential.direction = line.along_y ? 0.0 : 0.5 * kPi;
      step.tangential.step = 0.01;
      TangentialLoad& driven = line.along_y ? step.tangential.x : step.tangential.y;
      driven = {TangentialControl::force_ratio, 0.64};
      const Solved solved = solve_under_test(line.problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      const double creepage = line.along_y ? solved.report.rigid_x : solved.report.rigid_y;
      CHECK(std::abs(creepage) == near(0.0024, 0.02));  // first order in dx
      const auto sticks = static_cast<double>(solved.report.elements_adhesion) / 4.0 * 0.01;
      CHECK(std::abs(sticks - 1.2) <= 0.03);  // of whole elements
    }
  }
}

TEST_SUITE("oracle") {
  TEST_CASE(
      "periodic in one direction: rough and unlike bodies, complementarity and Coulomb's law") {
    for (const Boundary boundary : {Boundary::periodic_x, Boundary::periodic_y}) {
      ContactProblem problem = rough_strip(boundary, true);
      problem.lower = {2.3, 0.12};  // K != 0
      const Solved solved = solve_under_test(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.elements_contact > 10);
      CHECK(solved.report.elements_slip > 3);
      const Grid& grid = problem.grid;
      const CombinedMaterial material = contact_material(problem);
      const ContactSolution& f = solved.fields;
      DenseDisplacements u = no_displacements(grid);
      for (std::size_t i = 0; i < grid.count(); ++i)
        for (std::size_t j = 0; j < grid.count(); ++j) {
          if (f.pressure[j] == 0.0) continue;
          const int columns = grid.mx;
          const int to = static_cast<int>(i);
          const int from = static_cast<int>(j);
          const auto a = [&](Component component) {
            return influence_coefficient(component, (to % columns - from % columns) * grid.dx,
                                         (to / columns - from / columns) * grid.dy, grid, material,
                                         {});
          };
          const double xy = a(Component::xy);
          const double xn = a(Component::xn);
          const double yn = a(Component::yn);
          u.x[i] += a(Component::xx) * f.traction_x[j] + xy * f.traction_y[j] + xn * f.pressure[j];
          u.y[i] += xy * f.traction_x[j] + a(Component::yy) * f.traction_y[j] + yn * f.pressure[j];
          u.n[i] += a(Component::nn) * f.pressure[j] - xn * f.traction_x[j] - yn * f.traction_y[j];
        }
      const std::vector<double>& heights = std::get<HeightsShape>(problem.geometry[0]).values;
      const double summit = *std::max_element(heights.begin(), heights.end());
      std::vector<double> h;
      for (const double value : heights) h.push_back(summit - value);
      const NormalErrors normal = normal_errors(f, h, u.n, solved.report.approach);
      CHECK(normal.gap_in_contact <= 1e-7);  // tolerance
      CHECK(normal.penetration <= 1e-7);
      const FrictionErrors friction = friction_errors(grid, f, std::vector(grid.count(), 0.3), u,
                                                      no_displacements(grid), {0.002, -0.001, 0.0});
      CHECK(friction.above_bound <= 1e-14);  // rounding
      CHECK(friction.below_bound <= 1e-6);   // tolerance
      CHECK(friction.slip_in_adhesion <= 1e-6);
      CHECK(friction.not_opposite <= 1e-6);
    }
  }
}

TEST_SUITE("unit") {
  TEST_CASE("periodic in one direction: two periods have the solution of one, twice") {
    struct Variant {
      const char* name;
      bool with_friction;
      std::function<void(ContactProblem&)> add;
    };
    const std::vector<Variant> variants{
        {"friction", true, [](ContactProblem&) {}},
        {"newton for the pressure", false,
         [](ContactProblem& p) { p.solver.normal = NormalMethod::newton; }},
        {"dense factors", true,
         [](ContactProblem& p) {
           p.solver.normal = NormalMethod::dense;
           p.solver.tangential = TangentialMethod::dense;
         }},
        {"sweeps and direct sums", true,
         [](ContactProblem& p) {
           p.solver.influence = InfluenceMethod::summation;
           p.solver.tangential = TangentialMethod::gauss_seidel;
         }},
        {"layer", true, [](ContactProblem& p) { p.layer.compliance = 0.05; }},
        {"adhesion", false,
         [](ContactProblem& p) {
           p.adhesion = {AdhesionLaw::maugis, 2e-4, 0.004};
         }},
        {"hardness", false, [](ContactProblem& p) { p.lower.hardness = 0.08; }},
        {"approach", false, [](ContactProblem& p) {
           p.steps[0].normal = {NormalControl::approach, 0.03};
         }}};
    for (const Variant& variant : variants)
      for (const Boundary boundary : {Boundary::periodic_x, Boundary::periodic_y}) {
        CAPTURE(variant.name);
        ContactProblem one = rough_strip(boundary, variant.with_friction);
        variant.add(one);
        ContactProblem two = doubled(one);
        if (one.steps[0].normal.control == NormalControl::approach) two.steps = one.steps;
        const Solved of_one = solve_under_test(one);
        const Solved of_two = solve_under_test(two);
        REQUIRE(of_one.report.outcome == Outcome::converged);
        REQUIRE(of_two.report.outcome == Outcome::converged);
        CHECK(of_two.report.approach == near(of_one.report.approach, 1e-7));
        CHECK(of_two.report.normal_force == near(2.0 * of_one.report.normal_force, 1e-7));
        CHECK(of_two.report.elements_contact == 2 * of_one.report.elements_contact);
        CHECK((of_one.report.adhesive_force > 0.0) == one.adhesion.exists());
        CHECK((of_one.report.elements_yielding > 0) == (one.lower.hardness > 0.0));
        const auto gap = [&](const std::vector<double>& a, const std::vector<double>& b) {
          return gap_of_doubled(one.grid, a, two.grid, b);
        };
        CHECK(gap(of_one.fields.pressure, of_two.fields.pressure) <= 1e-6);  // tolerance
        if (!variant.with_friction) continue;
        CHECK(gap(of_one.fields.traction_x, of_two.fields.traction_x) <= 1e-5);
        CHECK(gap(of_one.fields.traction_y, of_two.fields.traction_y) <= 1e-5);
      }
  }

  TEST_CASE("periodic in one direction: surfaces moved along the period have the moved tractions") {
    for (const Boundary boundary : {Boundary::periodic_x, Boundary::periodic_y}) {
      const ContactProblem problem = rough_strip(boundary, true);
      ContactProblem moved = problem;
      const Grid& grid = problem.grid;
      const int by_x = boundary == Boundary::periodic_x ? 3 : 0;
      const int by_y = boundary == Boundary::periodic_y ? 5 : 0;
      const auto round = [&](const std::vector<double>& field) {
        std::vector<double> result(field.size());
        for (int iy = 0; iy < grid.my; ++iy)
          for (int ix = 0; ix < grid.mx; ++ix)
            result[grid.index((ix + by_x) % grid.mx, (iy + by_y) % grid.my)] =
                field[grid.index(ix, iy)];
        return result;
      };
      auto& heights = std::get<HeightsShape>(moved.geometry[0]).values;
      heights = round(heights);
      const Solved first = solve_under_test(problem);
      Solved expected = first;
      expected.fields.pressure = round(first.fields.pressure);
      expected.fields.traction_x = round(first.fields.traction_x);
      expected.fields.traction_y = round(first.fields.traction_y);
      check_equal(solve_under_test(moved), expected, 1e-7);  // tolerance
    }
  }
}
