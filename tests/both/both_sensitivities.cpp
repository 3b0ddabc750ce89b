// SPDX-License-Identifier: Apache-2.0
// Derivatives of the forces to the approach, by every method, on either backend.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "tests/support/both_backends.h"
#include "tests/support/near.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

using Forces = std::array<double, 4>;  // normal_force, force_x, force_y, moment_z

const ElasticBody kSoftRoller{1.0, 0.28};
const ElasticBody kStiffer{4.0, 0.1};  // with kSoftRoller K = 0.15
constexpr double kApproach = 0.1;
constexpr double kRollerFriction = 0.3;

// An ellipsoid, oblique and off the centre.
ContactProblem ellipsoid(const ElasticBody& lower, TangentialProblem kind) {
  ContactProblem problem = normal_problem({21, 17, 0.06, 0.07, -0.6, -0.57}, kSoftRoller,
                                          QuadraticShape{0.5, 0.1, 0.8, 0.02, -0.03, 0.0},
                                          NormalControl::approach, kApproach, 1e-11);
  problem.lower = lower;
  problem.sensitivities = true;
  StepInput& step = set_motion(problem, kRollerFriction, kind, 0.02, -0.01, 0.03);
  step.tangential.step = 0.06;
  return problem;
}

Forces forces_of(const StepReport& report) {
  return {report.normal_force, report.force_x, report.force_y, report.moment_z};
}

// The last step's, from solutions with a little more and less approach, which must have the contact
// and the division of the one between them.
Forces differences(const ContactProblem& problem, const Solved& centre) {
  const double h = 1e-5 * kApproach;
  std::array<Forces, 2> moved{};
  for (const int side : {0, 1}) {
    ContactProblem other = problem;
    other.sensitivities = false;
    StepInput& last = other.steps.back();
    last.normal = {NormalControl::approach, centre.report.approach + (side == 0 ? h : -h)};
    // the rigid motion is held, also where the step found it
    last.tangential.x = {TangentialControl::rigid, centre.report.rigid_x};
    last.tangential.y = {TangentialControl::rigid, centre.report.rigid_y};
    const Solved solved = solve_under_test(other);
    REQUIRE(solved.report.outcome == Outcome::converged);
    REQUIRE(solved.fields.element_division == centre.fields.element_division);
    moved[static_cast<std::size_t>(side)] = forces_of(solved.report);
  }
  Forces result{};
  for (std::size_t k = 0; k < 4; ++k) result[k] = (moved[0][k] - moved[1][k]) / (2.0 * h);
  return result;
}

void check_against_differences(const ContactProblem& problem) {
  const Solved centre = solve_under_test(problem);
  REQUIRE(centre.report.outcome == Outcome::converged);
  CHECK(centre.report.message.empty());
  REQUIRE(centre.report.approach_sensitivities.has_value());
  const Forces found = *centre.report.approach_sensitivities;
  const Forces wanted = differences(problem, centre);
  for (std::size_t k = 0; k < 4; ++k) {
    CAPTURE(k);
    // tolerance 1e-11 of the forces over 2e-5 of the approach
    CHECK(std::abs(found[k] - wanted[k]) <= 1e-6 * std::abs(wanted[0]));
  }
}

// By creepages and spin, or shifts and rotation, with the normal load that the step prescribes.
std::array<double, 9> differences_by_motion(const ContactProblem& problem, const Solved& centre) {
  constexpr double kStep = 1e-6;
  std::array<double, 9> result{};
  for (std::size_t k = 0; k < 3; ++k) {
    std::array<Forces, 2> moved{};
    for (const int side : {0, 1}) {
      ContactProblem other = problem;
      other.sensitivities = false;
      Tangential& t = other.steps.back().tangential;
      const double by = side == 0 ? kStep : -kStep;
      t.x = {TangentialControl::rigid, centre.report.rigid_x + (k == 0 ? by : 0.0)};
      t.y = {TangentialControl::rigid, centre.report.rigid_y + (k == 1 ? by : 0.0)};
      t.rotation += k == 2 ? by : 0.0;
      const Solved solved = solve_under_test(other);
      REQUIRE(solved.report.outcome == Outcome::converged);
      REQUIRE(solved.fields.element_division == centre.fields.element_division);
      moved[static_cast<std::size_t>(side)] = forces_of(solved.report);
    }
    for (std::size_t row = 0; row < 3; ++row)
      result[3 * row + k] = (moved[0][row + 1] - moved[1][row + 1]) / (2.0 * kStep);
  }
  return result;
}

void check_motion_against_differences(const ContactProblem& problem) {
  const Solved centre = solve_under_test(problem);
  REQUIRE(centre.report.outcome == Outcome::converged);
  REQUIRE(centre.report.sensitivities.has_value());
  const std::array<double, 9> wanted = differences_by_motion(problem, centre);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    CAPTURE(k);
    // tolerance 1e-11 of the forces over 2e-6 of the motion
    CHECK(std::abs((*centre.report.sensitivities)[k] - wanted[k]) <= 1e-5 * std::abs(wanted[0]));
  }
}

void check_partial_slip(const StepReport& report) {
  CHECK(report.elements_slip > 10);
  CHECK(report.elements_adhesion > 10);
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("approach sensitivities: differences of solutions, by each method of either problem") {
    for (const auto& [normal, tangential] :
         {std::pair{NormalMethod::bound_cg, TangentialMethod::newton},
          std::pair{NormalMethod::active_set_cg, TangentialMethod::gauss_seidel},
          std::pair{NormalMethod::dense, TangentialMethod::dense}}) {
      for (const ElasticBody& lower : {kSoftRoller, kStiffer}) {
        CAPTURE(static_cast<int>(tangential));
        CAPTURE(lower.shear_modulus);
        ContactProblem problem = ellipsoid(lower, TangentialProblem::steady_rolling);
        problem.solver.normal = normal;
        problem.solver.tangential = tangential;
        check_partial_slip(solve_under_test(problem).report);
        check_against_differences(problem);
      }
    }
  }

  TEST_CASE("approach sensitivities: differences of solutions, for each tangential problem") {
    for (const TangentialProblem kind : {TangentialProblem::none, TangentialProblem::shift,
                                         TangentialProblem::transient_rolling}) {
      for (const ElasticBody& lower : {kSoftRoller, kStiffer}) {
        CAPTURE(static_cast<int>(kind));
        CAPTURE(lower.shear_modulus);
        ContactProblem problem = ellipsoid(lower, kind);
        Tangential& t = problem.steps[0].tangential;
        if (kind == TangentialProblem::transient_rolling) t.x.value = 0.4;
        const StepReport report = solve_under_test(problem).report;
        CHECK(report.sensitivities.has_value() == (kind != TangentialProblem::none));
        if (kind != TangentialProblem::none) check_partial_slip(report);
        check_against_differences(problem);
      }
    }
  }

  TEST_CASE("approach sensitivities: a yield stress does not change with the pressure") {
    ContactProblem problem = ellipsoid(kSoftRoller, TangentialProblem::steady_rolling);
    problem.steps[0].tangential.x.value = 0.04;
    const double bound = solve_under_test(problem).report.max_pressure * kRollerFriction;
    problem.layer.compliance = 0.01;
    problem.layer.yield_stress = 0.5 * bound;
    const Solved solved = solve_under_test(problem);
    CHECK(solved.report.elements_slip > 10);
    check_against_differences(problem);
    ContactProblem smooth = problem;
    smooth.steps[0].friction.coefficient = 0.0;
    const StepReport without = solve_under_test(smooth).report;
    for (const double value : *without.approach_sensitivities) CHECK(std::isfinite(value));
    problem.layer.hardening = 0.1;
    const StepReport hardens = solve_under_test(problem).report;
    CHECK(hardens.outcome == Outcome::converged);
    CHECK_FALSE(hardens.sensitivities.has_value());
    CHECK_FALSE(hardens.approach_sensitivities.has_value());
    CHECK(hardens.message.find("there are no sensitivities: the layer hardens with its own slip, "
                               "which may bound ") == 0);
  }

  TEST_CASE("sensitivities: a layer that does not yield, or hardly hardens, changes nothing") {
    for (const TangentialProblem kind :
         {TangentialProblem::shift, TangentialProblem::steady_rolling}) {
      CAPTURE(static_cast<int>(kind));
      ContactProblem problem = ellipsoid(kSoftRoller, kind);
      problem.layer.compliance = 0.01;
      const StepReport without = solve_under_test(problem).report;
      const double bound = without.max_pressure * kRollerFriction;
      problem.layer.yield_stress = 1.01 * bound;
      problem.layer.hardening = 0.1;
      check_against_differences(problem);
      const StepReport unyielding = solve_under_test(problem).report;
      problem.layer.yield_stress = 0.5 * bound;
      problem.layer.hardening = 0.0;
      const StepReport ideal = solve_under_test(problem).report;
      problem.layer.hardening = 1.0e-9;
      const StepReport hardly = solve_under_test(problem).report;
      CHECK(hardly.elements_plastic > 0);
      CHECK(hardly.message.empty());
      for (const auto& [found, wanted] : {std::pair{unyielding, without}, {hardly, ideal}}) {
        REQUIRE(found.sensitivities.has_value());
        REQUIRE(found.approach_sensitivities.has_value());
        const double size = std::abs((*wanted.sensitivities)[0]);
        for (std::size_t k = 0; k < 9; ++k)
          CHECK(std::abs((*found.sensitivities)[k] - (*wanted.sensitivities)[k]) <= 1e-6 * size);
        const double stiffness = (*wanted.approach_sensitivities)[0];
        for (std::size_t k = 0; k < 4; ++k)
          CHECK(std::abs((*found.approach_sensitivities)[k] -
                         (*wanted.approach_sensitivities)[k]) <= 1e-6 * stiffness);
      }
    }
  }

  TEST_CASE("approach sensitivities: what the step before left is held") {
    for (const ElasticBody& lower : {kSoftRoller, kStiffer}) {
      for (const double elements : {1.0, 2.5}) {  // 2.5: the rule of the leading edge
        CAPTURE(lower.shear_modulus);
        CAPTURE(elements);
        ContactProblem problem = ellipsoid(lower, TangentialProblem::transient_rolling);
        Tangential& first = problem.steps[0].tangential;
        first.x.value = 0.3;
        first.step = elements * problem.grid.dx;
        problem.steps.push_back(problem.steps[0]);
        problem.steps[1].tangential.x.value = 0.1;
        problem.steps[1].tangential.rotation = -0.05;
        check_against_differences(problem);
      }
    }
  }

  TEST_CASE("approach sensitivities: forces given, the rigid motion found is held") {
    for (const ElasticBody& lower : {kSoftRoller, kStiffer}) {
      CAPTURE(lower.shear_modulus);
      ContactProblem problem = ellipsoid(lower, TangentialProblem::shift);
      StepInput& step = problem.steps[0];
      step.normal = {NormalControl::force, 0.2};
      step.tangential.x = {TangentialControl::force_ratio, -0.6};
      step.tangential.y = {TangentialControl::force_ratio, 0.3};
      check_partial_slip(solve_under_test(problem).report);
      check_against_differences(problem);
    }
  }

  TEST_CASE("sensitivities: between unlike bodies the pressure follows, at the force or approach") {
    for (const auto& [kind, control] :
         {std::pair{TangentialProblem::steady_rolling, NormalControl::approach},
          std::pair{TangentialProblem::steady_rolling, NormalControl::force},
          std::pair{TangentialProblem::transient_rolling, NormalControl::force},
          std::pair{TangentialProblem::shift, NormalControl::approach}}) {
      CAPTURE(static_cast<int>(kind));
      CAPTURE(static_cast<int>(control));
      ContactProblem problem = ellipsoid(kStiffer, kind);
      StepInput& step = problem.steps[0];
      if (control == NormalControl::force) step.normal = {control, 0.2};
      if (kind == TangentialProblem::transient_rolling) step.tangential.x.value = 0.4;
      if (kind == TangentialProblem::shift)
        step.tangential.y = {TangentialControl::force_ratio, 0.3};
      check_partial_slip(solve_under_test(problem).report);
      check_motion_against_differences(problem);
    }
  }

  TEST_CASE("sensitivities: friction that falls with slip follows the motion and the approach") {
    for (const auto& [kind, law] :
         {std::pair{TangentialProblem::steady_rolling, FrictionLaw::exponential},
          std::pair{TangentialProblem::transient_rolling, FrictionLaw::linear_falling},
          std::pair{TangentialProblem::shift, FrictionLaw::rational}})
      for (const ElasticBody& lower : {kSoftRoller, kStiffer}) {
        CAPTURE(static_cast<int>(kind));
        ContactProblem problem = ellipsoid(lower, kind);
        StepInput& step = problem.steps[0];
        step.tangential.velocity = step.tangential.duration = 1.0;
        if (kind == TangentialProblem::transient_rolling) step.tangential.x.value = 0.4;
        step.friction.law = law;
        step.friction.kinetic = 0.5 * kRollerFriction;
        step.friction.half_velocity = kind == TangentialProblem::transient_rolling ? 0.5 : 0.1;
        const StepReport report = solve_under_test(problem).report;
        check_partial_slip(report);
        check_motion_against_differences(problem);
        check_against_differences(problem);
      }
  }

  TEST_CASE(
      "sensitivities: unlike bodies pressed flat on a periodic surface, the pressure follows") {
    ContactProblem problem = ellipsoid(kStiffer, TangentialProblem::shift);
    problem.grid.boundary = Boundary::periodic;
    problem.steps[0].tangential.rotation = 0.0;
    problem.steps[0].normal = {NormalControl::force, 40.0};
    problem.steps[0].tangential.x = {TangentialControl::force_ratio, 0.4};
    const Solved solved = solve_under_test(problem);
    REQUIRE(solved.report.outcome == Outcome::converged);
    CHECK(solved.report.elements_contact == static_cast<std::int64_t>(problem.grid.count()));
    CHECK(solved.report.elements_slip > 10);
    const std::array<double, 9> wanted = differences_by_motion(problem, solved);
    REQUIRE(solved.report.sensitivities.has_value());
    for (const std::size_t k : {0, 1, 3, 4})
      CHECK(std::abs((*solved.report.sensitivities)[k] - wanted[k]) <= 2e-5 * std::abs(wanted[0]));
  }

  TEST_CASE("approach sensitivities: a periodic surface without friction") {
    ContactProblem problem = ellipsoid(kStiffer, TangentialProblem::none);
    problem.grid.boundary = Boundary::periodic;
    check_against_differences(problem);
    // Pressed flat the gap has the mean 0, whatever the force.
    problem.steps[0].normal = {NormalControl::force, 40.0};
    const StepReport report = solve_under_test(problem).report;
    REQUIRE(report.outcome == Outcome::converged);
    CHECK(report.elements_contact == static_cast<std::int64_t>(problem.grid.count()));
    CHECK_FALSE(report.approach_sensitivities.has_value());
    CHECK(report.message ==
          "there are no sensitivities to the approach: in full contact of a periodic surface the "
          "force does not change the approach");
  }

  // The mean of the tractions displaces nothing there, so that few slipping elements hold the rest.
  TEST_CASE("sensitivities: a periodic surface near and in full contact, newton does not stall") {
    const Grid grid{32, 24, 1.0 / 32, 1.0 / 24, 0.0, 0.0, Boundary::periodic};
    HeightsShape shape;
    shape.of = HeightsOf::upper;
    shape.values.assign(grid.count(), 0.0);
    for (int kx = -6; kx <= 6; ++kx)
      for (int ky = 0; ky <= 6; ++ky) {
        const double q = std::hypot(kx, ky);
        if (q < 2.0 || q > 6.0) continue;
        const double phase = 1.7 * kx * kx + 2.9 * ky + 0.8 * kx * ky;
        for (int iy = 0; iy < grid.my; ++iy)
          for (int ix = 0; ix < grid.mx; ++ix)
            shape.values[grid.index(ix, iy)] +=
                0.02 * std::pow(q, -1.8) *
                std::cos(2.0 * kPi * (kx * grid.x(ix) + ky * grid.y(iy)) + phase);
      }
    const auto count = static_cast<std::int64_t>(grid.count());
    for (const double force : {0.55, 0.7, 0.8}) {
      CAPTURE(force);
      ContactProblem problem =
          normal_problem(grid, {1.5, 0.25}, shape, NormalControl::force, force, 1e-9);
      problem.sensitivities = true;
      problem.steps[0].friction.coefficient = 0.4;
      problem.steps[0].tangential.problem = TangentialProblem::shift;
      problem.steps[0].tangential.x = {TangentialControl::force_ratio, 0.5};
      const Solved solved = solve_under_test(problem);
      REQUIRE(solved.report.outcome == Outcome::converged);
      CHECK(solved.report.elements_contact > count * 9 / 10);
      CHECK(solved.report.elements_slip < count / 4);
      CHECK(solved.report.message.find("stalled") == std::string::npos);
      REQUIRE(solved.report.sensitivities.has_value());
      problem.sensitivities = false;
      const double h = 1e-5 * solved.report.rigid_x;
      std::array<double, 2> moved{};
      for (const int side : {0, 1}) {
        problem.steps[0].tangential.x = {TangentialControl::rigid,
                                         solved.report.rigid_x + (side == 0 ? h : -h)};
        problem.steps[0].tangential.y = {TangentialControl::rigid, solved.report.rigid_y};
        const Solved other = solve_under_test(problem);
        REQUIRE(other.report.outcome == Outcome::converged);
        moved[static_cast<std::size_t>(side)] = other.report.force_x;
      }
      const double wanted = (moved[0] - moved[1]) / (2.0 * h);
      CHECK((*solved.report.sensitivities)[0] == near(wanted, 1e-3));
    }
  }

  TEST_CASE("approach sensitivities: asking for them changes no bit of a step or of the next") {
    for (const ElasticBody& lower : {kSoftRoller, kStiffer}) {
      ContactProblem problem = ellipsoid(lower, TangentialProblem::transient_rolling);
      problem.steps[0].repeat = 2;
      const Solved asked = solve_under_test(problem);
      problem.sensitivities = false;
      const Solved plain = solve_under_test(problem);
      CHECK(asked.fields.pressure == plain.fields.pressure);
      CHECK(asked.fields.traction_x == plain.fields.traction_x);
      CHECK(asked.fields.traction_y == plain.fields.traction_y);
      CHECK(asked.fields.element_division == plain.fields.element_division);
      CHECK(asked.report.approach == plain.report.approach);
    }
  }

  TEST_CASE("sensitivities: of bodies that creep they leave the division and what wears") {
    ContactProblem problem = ellipsoid(kStiffer, TangentialProblem::shift);
    problem.lower.creep = {{0.8, 0.5}};
    problem.steps[0].tangential.duration = 0.1;
    problem.steps[0].repeat = 2;
    problem.surface.wear = WearRequest{};
    problem.surface.wear->hardness = 1.0;
    problem.surface.wear->coefficient = {{}, {}, {1e-3}};
    const Solved plain = solve_under_test(problem);
    problem.sensitivities = true;
    const Solved asked = solve_under_test(problem);
    REQUIRE(asked.report.approach_sensitivities.has_value());
    CHECK(plain.report.elements_slip > 10);
    CHECK(asked.fields.element_division == plain.fields.element_division);
    CHECK(asked.fields.wear_depth == plain.fields.wear_depth);
    CHECK(asked.fields.wear_depth_total == plain.fields.wear_depth_total);
    CHECK(asked.report.surface.worn_volume == plain.report.surface.worn_volume);
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("approach sensitivities: Hertz's stiffness of a sphere, 2 a E* and 3 F/(2 d)") {
    const ElasticBody body{1.0, 0.3};
    const double radius = 2.0;
    const double approach = 0.5;
    ContactProblem problem = normal_problem(centred_grid(60, 60, 1.2, 1.2), body,
                                            QuadraticShape{0.5 / radius, 0.0, 0.5 / radius},
                                            NormalControl::approach, approach);
    problem.sensitivities = true;
    const StepReport report = solve_under_test(problem).report;
    REQUIRE(report.approach_sensitivities.has_value());
    CHECK_FALSE(report.sensitivities.has_value());
    const Forces& found = *report.approach_sensitivities;
    const double modulus = 0.5 * 2.0 * body.shear_modulus / (1.0 - body.poisson_ratio);
    // The rim is known to a part of an element: 50 across, and the elements' mean radius is nearer.
    CHECK(found[0] == near(2.0 * std::sqrt(radius * approach) * modulus, 0.005));
    CHECK(found[0] == near(1.5 * report.normal_force / approach, 0.005));
    CHECK(found[1] == 0.0);
    CHECK(found[2] == 0.0);
    CHECK(found[3] == 0.0);
  }

  TEST_CASE("approach sensitivities: full sliding grows as mu F_n, full adhesion by nothing") {
    for (const ElasticBody& lower : {kSoftRoller, kStiffer}) {
      CAPTURE(lower.shear_modulus);
      ContactProblem problem = ellipsoid(lower, TangentialProblem::shift);
      Tangential& t = problem.steps[0].tangential;
      t.rotation = 0.0;
      t.x.value = 3.0e4;
      t.y.value = -4.0e4;
      const StepReport report = solve_under_test(problem).report;
      CHECK(report.elements_adhesion == 0);
      REQUIRE(report.approach_sensitivities.has_value());
      const Forces& found = *report.approach_sensitivities;
      const double grown = kRollerFriction * found[0];
      // displacements are a millionth of the shift
      CHECK(found[1] == near(-0.6 * grown, 1e-5));
      CHECK(found[2] == near(0.8 * grown, 1e-5));
    }
    ContactProblem problem = ellipsoid(kSoftRoller, TangentialProblem::shift);
    problem.steps[0].friction.coefficient = 1e4;
    const StepReport report = solve_under_test(problem).report;
    CHECK(report.elements_slip == 0);
    REQUIRE(report.approach_sensitivities.has_value());
    const Forces& found = *report.approach_sensitivities;
    CHECK(found[0] > 0.0);
    for (const std::size_t k : {1U, 2U, 3U}) CHECK(found[k] == 0.0);  // K = 0: nothing changes
  }

  TEST_CASE("approach sensitivities: without contact they are 0") {
    ContactProblem problem = ellipsoid(kStiffer, TangentialProblem::steady_rolling);
    problem.steps[0].normal.value = -0.01;
    const StepReport report = solve_under_test(problem).report;
    REQUIRE(report.approach_sensitivities.has_value());
    REQUIRE(report.sensitivities.has_value());
    CHECK(*report.approach_sensitivities == Forces{});
    CHECK(*report.sensitivities == std::array<double, 9>{});
  }
}
