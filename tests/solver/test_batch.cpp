// SPDX-License-Identifier: Apache-2.0
// Batches of small contacts: against the single solver, published triples, and themselves.
#include "solver/batch/batch.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "app/bench/small_contacts.h"
#include "solver/error.h"
#include "solver/number_text.h"
#include "tests/support/field_difference.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

BatchSolution solve_all(const std::vector<ContactProblem>& problems, const BatchOptions& options) {
  ContactBatch batch;
  for (const ContactProblem& problem : problems) add_to_batch(batch, problem);
  return solve_batch_on_cpu(batch, options);
}

StepReport solve_one(const ContactProblem& problem) { return solve_all({problem}, {}).reports[0]; }

// The circle of the triples: a = b = c = 9, F_n = G = 82000, 11 x 11 elements.
ContactProblem triple_problem(double creepage, double spin) {
  constexpr double kRadius = 9.0;
  constexpr double kForce = 82000.0;
  const double half = 11.0 / 7.0 * kRadius;
  ContactProblem problem = test::normal_problem(
      test::centred_grid(11, 11, half, half), {82000.0, 0.28}, HertzShape{kRadius, kRadius, kForce},
      NormalControl::force, kForce, 1e-9);
  test::set_motion(problem, 0.3, TangentialProblem::steady_rolling, creepage, 0.0, spin);
  return problem;
}

// A circle of radius 1 whose single elements' friction falls up to 1.3 times as fast as their
// traction gives way: p_max = 2/(75 pi), G = V = 1.
ContactProblem steep_contact(FrictionLaw law, double creepage) {
  constexpr double kGreatest = 2.0 / (75.0 * std::numbers::pi);
  ContactProblem problem =
      test::normal_problem(test::centred_grid(32, 32, 1.2, 1.2), {1.0, 0.25}, SphereShape{100.0},
                           NormalControl::force, 4.0 / 225.0, 1e-6);
  StepInput& step = problem.steps[0];
  step.friction.coefficient = 0.3;
  step.friction.kinetic = 0.15;
  step.friction.law = law;
  step.friction.half_velocity = 0.15 * kGreatest / 4.0;
  step.tangential.problem = TangentialProblem::steady_rolling;
  step.tangential.step = problem.grid.dx;
  step.tangential.velocity = 1.0;
  step.tangential.x.value = creepage;
  step.tangential.y.value = creepage / 3.0;
  step.tangential.rotation = creepage / 4.0;
  return problem;
}

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE(
      "a batch gives the single solver's totals, tractions, slip and division: creepages and "
      "forces, ellipses and other gaps, one row, normal contact, falling friction") {
    struct Set {
      int mx, my;
      SmallContacts kind;
    };
    constexpr std::array<Set, 11> kSets{{{24, 24, SmallContacts::falling},
                                         {24, 20, SmallContacts::falling_forces},
                                         {40, 1, SmallContacts::falling},
                                         {32, 32, SmallContacts::creepages},
                                         {32, 32, SmallContacts::forces},
                                         {19, 23, SmallContacts::wavy_gap},
                                         {31, 12, SmallContacts::forces},
                                         {48, 1, SmallContacts::creepages},
                                         {48, 1, SmallContacts::forces},
                                         {17, 16, SmallContacts::normal},
                                         {48, 48, SmallContacts::creepages}}};
    std::mt19937_64 engine(16);
    std::vector<ContactProblem> problems;
    for (const Set& set : kSets)
      for (int i = 0; i < (set.mx == 48 ? 2 : 4); ++i)
        problems.push_back(random_small_contact(engine, set.mx, set.my, set.kind, 1e-9));
    BatchOptions options;
    options.fields = true;
    const BatchSolution batch = solve_all(problems, options);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      CAPTURE(i);
      const test::Solved single = test::solve(problems[i]);
      REQUIRE(single.report.outcome == Outcome::converged);
      REQUIRE(batch.reports[i].outcome == Outcome::converged);
      // Both stop where a change is under 1e-9, and the change still to come may be some times it.
      CHECK(total_difference(problems[i], batch.reports[i], single.report) <= 1e-7);
      CHECK(batch.reports[i].residual <= 1e-7);  // 100 times the tolerance
      CHECK(batch.fields[i].element_division == single.fields.element_division);
      const test::FieldDifference apart =
          test::field_difference(problems[i], single.report, batch.fields[i], single.fields);
      CHECK(apart.tractions <= 1e-6);  // a single element, as above
      CHECK(apart.slip <= 1e-6);
    }
  }

  // Both are solutions: what an element does, adhere or slip fast, is its own choice.
  TEST_CASE("a batch: on steep falling laws totals are near the single solver's") {
    std::vector<ContactProblem> problems;
    for (const FrictionLaw law :
         {FrictionLaw::linear_falling, FrictionLaw::rational, FrictionLaw::exponential})
      for (const double creepage : {3e-4, 9e-4, 1.8e-3})
        problems.push_back(steep_contact(law, creepage));
    const BatchSolution batch = solve_all(problems, {});
    for (std::size_t i = 0; i < problems.size(); ++i) {
      CAPTURE(i);
      const test::Solved single = test::solve(problems[i]);
      REQUIRE(single.report.outcome == Outcome::converged);
      REQUIRE(batch.reports[i].outcome == Outcome::converged);
      CHECK(batch.reports[i].residual <= 1e-5);  // ten times the tolerance
      CHECK(total_difference(problems[i], batch.reports[i], single.report) <= 1e-3);
    }
  }
}

TEST_SUITE("analytic") {
  TEST_CASE("a batch meets the published triples of a circle with spin, first-order scheme") {
    constexpr double kRho = 2700.0;  // m = xi rho/(mu c), s = phi rho/mu
    struct Triple {
      double m, s, force_x, force_y, moment_z;
    };
    constexpr std::array<Triple, 3> kTriples{{{0.1, 0.0, -0.113777, 0.0, 0.0},
                                              {0.1, 0.5, -0.100748, -0.194282, -0.147150},
                                              {0.1, 2.0, -0.057677, -0.583897, -0.372369}}};
    for (const Triple& triple : kTriples) {
      const StepReport report =
          solve_one(triple_problem(triple.m * 0.3 * 9.0 / kRho, triple.s * 0.3 / kRho));
      REQUIRE(report.outcome == Outcome::converged);
      const double bound = 0.3 * 82000.0;
      // Printed to six digits.
      CHECK(std::fabs(report.force_x / bound - triple.force_x) <= 6e-7);
      CHECK(std::fabs(report.force_y / bound - triple.force_y) <= 6e-7);
      CHECK(std::fabs(report.moment_z / (bound * 9.0) - triple.moment_z) <= 6e-7);
    }
  }

  TEST_CASE(
      "a batch: creepage far beyond saturation slides with mu F_n against it, without moment") {
    const StepReport report = solve_one(triple_problem(0.1, 0.0));
    REQUIRE(report.outcome == Outcome::converged);
    CHECK(report.elements_adhesion == 0);
    CHECK(report.force_x == test::near(-0.3 * 82000.0, 1e-6));        // creep 1,000 times it
    CHECK(std::fabs(report.moment_z) <= 1e-8 * 0.3 * 82000.0 * 9.0);  // symmetry, to the tolerance
  }
}

TEST_SUITE("unit") {
  TEST_CASE("a batch: mirrored creepages give mirrored forces, other units the same ratios") {
    ContactProblem problem = triple_problem(3e-4, 2e-4);
    problem.steps[0].tangential.y.value = 2e-4;
    ContactProblem mirrored = problem;
    mirrored.steps[0].tangential.y.value = -2e-4;
    mirrored.steps[0].tangential.rotation = -2e-4;
    ContactProblem metres = problem;  // lengths over 1000, N/m2
    constexpr double kMilli = 1e-3;
    metres.grid = test::centred_grid(11, 11, 11.0 / 7.0 * 9.0 * kMilli, 11.0 / 7.0 * 9.0 * kMilli);
    metres.geometry = {HertzShape{9.0 * kMilli, 9.0 * kMilli, 82000.0}};
    metres.upper = metres.lower = {82000.0 * 1e6, 0.28};
    metres.steps[0].tangential.step = metres.grid.dx;
    metres.steps[0].tangential.rotation = 2e-4 / kMilli;
    const std::vector<StepReport> r = solve_all({problem, mirrored, metres}, {}).reports;
    const double load = 82000.0;
    // Two solutions to 1e-9.
    CHECK(std::fabs(r[1].force_x - r[0].force_x) <= 1e-7 * load);
    CHECK(std::fabs(r[1].force_y + r[0].force_y) <= 1e-7 * load);
    CHECK(std::fabs(r[1].moment_z + r[0].moment_z) <= 1e-7 * load * 9.0);
    CHECK(std::fabs(r[2].force_x - r[0].force_x) <= 1e-7 * load);
    CHECK(std::fabs(r[2].force_y - r[0].force_y) <= 1e-7 * load);
    CHECK(std::fabs(r[2].moment_z - kMilli * r[0].moment_z) <= 1e-7 * load * 9.0 * kMilli);
    CHECK(r[2].approach == test::near(kMilli * r[0].approach, 1e-9));
    CHECK(r[2].elastic_energy == test::near(kMilli * r[0].elastic_energy, 1e-8));
  }

  TEST_CASE("a batch: the same contact gives the same bits wherever and with whom it is solved") {
    std::mt19937_64 engine(3);
    std::vector<ContactProblem> problems;
    for (int i = 0; i < 6; ++i)
      problems.push_back(random_small_contact(engine, 13, 11, SmallContacts::creepages, 1e-9));
    BatchOptions two;
    two.threads = 2;
    const BatchSolution together = solve_all(problems, two);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      const StepReport alone = solve_one(problems[i]);
      CHECK(alone.force_x == together.reports[i].force_x);
      CHECK(alone.moment_z == together.reports[i].moment_z);
      CHECK(alone.approach == together.reports[i].approach);
    }
  }

  TEST_CASE("a batch says why it does not take a problem, and takes none of these") {
    const ContactProblem sound = triple_problem(1e-4, 0.0);
    CHECK(batch_refusal(sound).empty());
    const auto refused = [&sound](auto change) {
      ContactProblem problem = sound;
      change(problem);
      ContactBatch batch;
      CHECK_THROWS_AS(add_to_batch(batch, problem), InputError);
      CHECK(batch.contacts.empty());
      return batch_refusal(problem);
    };
    using P = ContactProblem;
    CHECK(refused([](P& p) { p.steps[0].repeat = 2; }) == "it has several steps");
    CHECK(refused([](P& p) { p.grid.mx = 49; }) ==
          "its grid has more than 48 elements in a direction");
    CHECK(refused([](P& p) { p.grid.boundary = Boundary::periodic; }) == "its grid is periodic");
    CHECK(refused([](P& p) {
            p.lower = {1e3, 0.1};
          }) == "its bodies are not quasi-identical (K is not 0, or unlike layers)");
    CHECK(refused([](P& p) { p.solver.rolling = RollingScheme::second_order; }) ==
          "it rolls by the scheme of second order");
    CHECK(refused([](P& p) { p.error_estimate = true; }) == "it asks for estimated errors");
    CHECK(refused([](P& p) { p.surface.wear.emplace(); }) == "it asks for wear, fatigue or heat");
    CHECK(refused([](P& p) {
            p.steps[0].friction.place = FrictionAlongY{{0.0}, {0.3}};
          }) == "its friction varies over the contact");
    CHECK(refused([](P& p) { p.sensitivities = true; }) == "it asks for sensitivities");
    CHECK(refused([](P& p) { p.steps[0].tangential.problem = TangentialProblem::shift; }) ==
          "it is neither normal contact nor steady rolling");
    CHECK(refused([](P& p) { p.solver.tangential = TangentialMethod::gauss_seidel; }) ==
          "its tangential problem is solved by gauss_seidel");
    CHECK(refused([](P& p) { p.solver.normal = NormalMethod::newton; }) ==
          "its normal problem is not solved by bound_cg");
    CHECK(refused([](P& p) { p.solver.influence = InfluenceMethod::summation; }) ==
          "it asks for products by direct summation");
  }

  TEST_CASE(
      "a batch: a kinetic coefficient holds wherever a contact slides, the static one never") {
    ContactProblem sliding = triple_problem(0.1, 0.0);  // creep 1,000 times saturation
    sliding.steps[0].friction.kinetic = 0.2;
    const StepReport report = solve_one(sliding);
    REQUIRE(report.outcome == Outcome::converged);
    CHECK(report.iterations_outer > 1);
    CHECK(report.force_x == test::near(-0.2 * 82000.0, 1e-6));
    CHECK(report.friction_coefficient == 0.3);
  }

  TEST_CASE("a batch: an undeformed distance of another size is an error that names the contact") {
    ContactBatch batch;
    add_to_batch(batch, triple_problem(1e-4, 0.0));
    add_to_batch(batch, triple_problem(2e-4, 0.0));
    batch.shapes[1].pop_back();
    CHECK_THROWS_WITH_AS(solve_batch_on_cpu(batch),
                         "contact 2 of the batch has no undeformed distance of its grid's size",
                         InputError);
  }

  TEST_CASE("a batch that is ended says so of the contacts that were not begun") {
    std::vector<ContactProblem> problems(5, triple_problem(1e-4, 0.0));
    BatchOptions options;
    options.threads = 1;
    options.progress = [](std::size_t done) { return done < 2; };
    const BatchSolution result = solve_all(problems, options);
    CHECK(result.reports[1].outcome == Outcome::converged);
    CHECK(result.reports[2].outcome == Outcome::not_converged);
    CHECK(result.reports[4].message == "the batch ended before this contact");
  }

  TEST_CASE(
      "a batch: a force beyond friction, and one contact that fails, are that contact's own") {
    ContactProblem beyond = triple_problem(0.0, 0.0);
    beyond.steps[0].tangential.x = {TangentialControl::force, 0.31 * 82000.0};
    const std::vector<StepReport> r = solve_all({beyond, triple_problem(1e-4, 0.0)}, {}).reports;
    CHECK(r[0].outcome == Outcome::not_converged);
    CHECK(r[0].message ==
          "the tangential force prescribed is not below mu F_n: no rigid slip gives it "
          "(prescribed 25420 N, carried at most " +
              number_text(0.3 * r[0].normal_force) + " N)");
    CHECK(r[1].outcome == Outcome::converged);
  }

  TEST_CASE("a batch: no contacts, no touch and no friction are results, not errors") {
    CHECK(solve_batch_on_cpu({}).reports.empty());
    ContactProblem apart = triple_problem(1e-4, 0.0);
    apart.steps[0].normal = {NormalControl::approach, -0.1};
    ContactProblem smooth = triple_problem(1e-4, 1e-4);
    smooth.steps[0].friction.coefficient = 0.0;
    const std::vector<StepReport> r = solve_all({apart, smooth}, {}).reports;
    CHECK(r[0].outcome == Outcome::converged);
    CHECK(r[0].normal_force == 0.0);
    CHECK(r[0].elements_contact == 0);
    CHECK(r[1].outcome == Outcome::converged);
    CHECK(r[1].force_x == 0.0);
    CHECK(r[1].elements_adhesion == 0);
  }
}

}  // namespace slipfield
