// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "solver/error.h"
#include "solver/problem_check.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

constexpr ElasticBody kLayeredSteel{82000.0, 0.28};

// Hertz's ellipse in one element of 1 x 1, shifted step by step under a force of 900 N.
ContactProblem one_element(const ContactLayer& layer, const std::vector<double>& shifts) {
  ContactProblem problem =
      test::normal_problem({1, 1, 1.0, 1.0, -0.5, -0.5}, kLayeredSteel, HertzShape{0.5, 0.5, 900.0},
                           NormalControl::force, 900.0);
  problem.layer = layer;
  StepInput step = problem.steps[0];
  step.friction.coefficient = 0.7;
  step.tangential.problem = TangentialProblem::shift;
  problem.steps.clear();
  for (const double shift : shifts) {
    step.tangential.x.value = shift;
    problem.steps.push_back(step);
  }
  return problem;
}

std::vector<StepReport> reports_of(const ContactProblem& problem) {
  const auto solver = make_cpu_solver(problem);
  std::vector<StepReport> reports;
  for (const StepInput& step : problem.steps) reports.push_back(solver->advance(step));
  for (const StepReport& report : reports) {
    CAPTURE(report.message);
    REQUIRE(report.outcome == Outcome::converged);
  }
  return reports;
}

// A ball rolling on a plane: a = 1 of Hertz.
ContactProblem rolling_ball(int n, const ContactLayer& layer) {
  const double modulus = kLayeredSteel.shear_modulus / (1.0 - kLayeredSteel.poisson_ratio);
  ContactProblem problem =
      test::normal_problem(test::centred_grid(n, n - 1, 1.2, 1.2), kLayeredSteel,
                           SphereShape{100.0}, NormalControl::force, 4.0 / 3.0 * modulus / 100.0);
  problem.layer = layer;
  test::set_motion(problem, 0.3, TangentialProblem::steady_rolling, -1.1e-3, 0.6e-3, 0.7e-3);
  return problem;
}

constexpr double kSoft = 2.0e-6;  // mm3/N: of the order of A_xx of an element

// Slip by direct summation: what one-sided differences of the displacements leave of the rigid
// slip.
struct SlipOracle {
  std::vector<double> x, y;
};
SlipOracle steady_slip(const ContactProblem& problem, const ContactSolution& f,
                       const StepReport& report) {
  const Grid& grid = problem.grid;
  const CombinedMaterial bodies = combine(problem.upper, problem.lower);
  const double dq = problem.steps[0].tangential.step;
  SlipOracle slip{std::vector<double>(grid.count()), std::vector<double>(grid.count())};
  const auto change = [&](Component c, int kx, int ky) {
    const auto at = [&](double ahead) {
      return influence_coefficient(c, kx * grid.dx + ahead, ky * grid.dy, grid.dx, grid.dy, bodies);
    };
    return at(0.0) - at(dq);
  };
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      const std::size_t i = grid.index(ix, iy);
      if (f.element_division[i] == ElementState::exterior) continue;
      slip.x[i] = dq * (report.rigid_x - report.rotation * grid.y(iy));
      slip.y[i] = dq * (report.rigid_y + report.rotation * (grid.x(ix) + dq / 6.0));
      for (int jy = 0; jy < grid.my; ++jy) {
        for (int jx = 0; jx < grid.mx; ++jx) {
          const std::size_t j = grid.index(jx, jy);
          if (f.pressure[j] == 0.0) continue;
          const double xy = change(Component::xy, ix - jx, iy - jy);
          slip.x[i] +=
              change(Component::xx, ix - jx, iy - jy) * f.traction_x[j] + xy * f.traction_y[j];
          slip.y[i] +=
              change(Component::yy, ix - jx, iy - jy) * f.traction_y[j] + xy * f.traction_x[j];
        }
      }
      // The layer's own: of the element less of the one ahead.
      const double l = problem.layer.compliance;
      const bool edge = ix + 1 == grid.mx;
      slip.x[i] += l * (f.traction_x[i] - (edge ? 0.0 : f.traction_x[i + 1]));
      slip.y[i] += l * (f.traction_y[i] - (edge ? 0.0 : f.traction_y[i + 1]));
    }
  }
  return slip;
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("layer: one element is a spring of its own compliance and the bodies'") {
    for (const double compliance : {0.0, 1.0e-5, 3.0e-4}) {
      ContactLayer layer;
      layer.compliance = compliance;
      const auto reports = reports_of(one_element(layer, {-1.0e-3, 4.0e-4}));
      const CombinedMaterial material = combine(kLayeredSteel, kLayeredSteel);
      const double bodies = influence_coefficient(Component::xx, 0.0, 0.0, 1.0, 1.0, material);
      CHECK(reports[0].force_x == test::near(1.0e-3 / (bodies + compliance)));
      CHECK(reports[1].force_x == test::near(6.0e-4 / (bodies + compliance)));
      const double stored = 0.5 * reports[1].force_x * 6.0e-4;
      CHECK(reports[1].elastic_energy - reports[0].elastic_energy ==
            test::near(stored - 0.5 * reports[0].force_x * 1.0e-3));
    }
  }

  TEST_CASE("layer: one of no thickness is none, to the last bit") {
    const ContactProblem bare = rolling_ball(16, {});
    ContactProblem thin = bare;
    thin.layer.yield_stress = 1.0e9;  // never reached
    const auto one = test::solve(bare);
    const auto two = test::solve(thin);
    CHECK(one.fields.pressure == two.fields.pressure);
    CHECK(two.report.elements_plastic == 0);
    // An outer iteration more decides that nothing yields: it may repeat the last step of newton.
    test::check_equal(one, two, 1.0e-7);
  }

  TEST_CASE("layer: where it yields the coefficient of friction is still that of the bodies") {
    ContactProblem problem = rolling_ball(15, {kSoft, 0.0, 40.0, 0.0});
    Tangential& motion = problem.steps[0].tangential;
    motion.x = {TangentialControl::force_ratio, 0.1};
    const test::Solved everywhere = test::solve(problem);
    problem.steps[0].friction.place =
        friction_by_element(std::vector<double>(problem.grid.count(), 0.3));
    const test::Solved by_element = test::solve(problem);
    REQUIRE(by_element.report.outcome == Outcome::converged);
    CHECK(everywhere.report.elements_plastic > 0);
    CHECK(by_element.report.friction_coefficient == test::near(0.3, 1e-12));
    CHECK(by_element.report.force_x == test::near(everywhere.report.force_x, 1e-6));
    CHECK(by_element.report.force_y == test::near(everywhere.report.force_y, 1e-6));
  }

  TEST_CASE("layer: yield stress beyond all tractions leaves an elastic layer") {
    ContactLayer layer;
    layer.compliance = kSoft;
    const auto elastic = test::solve(rolling_ball(16, layer));
    layer.yield_stress = 1.0e9;
    layer.hardening = -3.0e4;
    const auto strong = test::solve(rolling_ball(16, layer));
    test::check_equal(elastic, strong, 1.0e-7);  // tolerance of both
    CHECK(strong.report.elements_plastic == 0);
  }

  TEST_CASE("layer: steady rolling fulfils Coulomb's law by direct summation, plastic or not") {
    for (const double hardening : {0.0, 4.0e4, -2.0e4}) {
      for (const double yield_stress : {0.0, 60.0}) {
        if (yield_stress == 0.0 && hardening != 0.0) continue;
        ContactLayer layer{.compliance = kSoft};
        layer.yield_stress = yield_stress;
        layer.hardening = hardening;
        const ContactProblem problem = rolling_ball(18, layer);
        const auto [report, f] = test::solve(problem);
        REQUIRE(report.outcome == Outcome::converged);
        CHECK((report.elements_plastic > 20) == layer.yields());
        CHECK(report.elements_contact ==
              report.elements_adhesion + report.elements_slip + report.elements_plastic);
        const SlipOracle slip = steady_slip(problem, f, report);
        const Grid& grid = problem.grid;
        int adhering = 0;
        int slipping = 0;
        int yielding = 0;
        for (int iy = 0; iy < grid.my; ++iy) {
          double path = 0.0;
          for (int ix = grid.mx - 1; ix >= 0; --ix) {
            const std::size_t i = grid.index(ix, iy);
            if (f.element_division[i] == ElementState::exterior) continue;
            const double size = std::hypot(f.traction_x[i], f.traction_y[i]);
            const double distance = std::hypot(slip.x[i], slip.y[i]);
            const double mu_p = 0.3 * f.pressure[i];
            const double limit = layer.yields() ? layer.yield_stress + hardening * path : 1.0e9;
            // 1e-6 of mu p_0 and of the rigid slip: a hundred times the tolerance
            if (f.element_division[i] == ElementState::adhesion) {
              CHECK(distance <= 1.0e-6 * 1.0e-3 * grid.dx * 10.0);
              CHECK(size <= std::min(mu_p, limit) + 1.0e-4);
              ++adhering;
              continue;
            }
            const double dot = f.traction_x[i] * slip.x[i] + f.traction_y[i] * slip.y[i];
            CHECK(dot <= -(1.0 - 1.0e-5) * size * distance);
            if (f.element_division[i] == ElementState::plastic) {
              CHECK(size == test::near(limit + hardening * distance, 1e-5));
              CHECK(size <= mu_p * (1.0 + 1.0e-9));
              path += distance;
              ++yielding;
            } else {
              CHECK(size == test::near(mu_p, 1e-7));
              if (hardening > 0.0 && limit < mu_p) path += (mu_p - limit) / hardening;
              ++slipping;
            }
          }
        }
        CHECK(adhering == report.elements_adhesion);
        CHECK(slipping == report.elements_slip);
        CHECK(yielding == report.elements_plastic);
        CHECK(std::min(adhering, slipping) > 10);
        CHECK(report.friction_work < 0.0);
      }
    }
  }

  TEST_CASE("layer: transient rolling tends to the steady state, plastic path and all") {
    ContactLayer layer{.compliance = kSoft};
    layer.yield_stress = 60.0;
    layer.hardening = 4.0e4;
    const auto steady = test::solve(rolling_ball(14, layer));
    ContactProblem moving = rolling_ball(14, layer);
    moving.steps[0].tangential.problem = TangentialProblem::transient_rolling;
    moving.steps[0].repeat = 45;  // three times the contact's length
    const auto transient = test::solve(moving);
    REQUIRE(transient.report.outcome == Outcome::converged);
    CHECK(transient.report.elements_plastic == steady.report.elements_plastic);
    CHECK(transient.report.force_x == test::near(steady.report.force_x, 1e-4));
    CHECK(transient.report.force_y == test::near(steady.report.force_y, 1e-4));
  }

  TEST_CASE("layer: newton, gauss_seidel and dense factors agree, with forces given as well") {
    ContactLayer layer{.compliance = kSoft};
    ContactProblem problem = rolling_ball(14, layer);
    problem.steps[0].tangential.x = {TangentialControl::force_ratio, 0.4};
    problem.solver.tangential = TangentialMethod::newton;
    const auto newton = test::solve(problem);
    for (const TangentialMethod method :
         {TangentialMethod::gauss_seidel, TangentialMethod::dense}) {
      problem.solver.tangential = method;
      test::check_equal(newton, test::solve(problem), 1.0e-5);  // gauss_seidel stops by its change
    }
  }

  TEST_CASE("layer: fft and direct sums know the same layer") {
    ContactProblem problem = rolling_ball(15, {.compliance = kSoft, .normal_compliance = kSoft});
    problem.solver.influence = InfluenceMethod::fft;
    const auto transformed = test::solve(problem);
    problem.solver.influence = InfluenceMethod::summation;
    test::check_equal(transformed, test::solve(problem), 1.0e-7);  // the tolerance of both
  }

  TEST_CASE("layer: bodies that hardly deform leave the sums of the simplified theory") {
    ContactProblem problem = rolling_ball(20, {.compliance = 1.0e-5});
    problem.upper = problem.lower = {1.0e12, 0.28};
    problem.steps[0].normal = {NormalControl::approach, 0.01};
    problem.layer.normal_compliance = 1.0e-4;
    problem.steps[0].tangential.y.value = problem.steps[0].tangential.rotation = 0.0;
    problem.steps[0].tangential.x.value = -2.0e-4;
    const auto [report, f] = test::solve(problem);
    REQUIRE(report.outcome == Outcome::converged);
    const Grid& grid = problem.grid;
    for (int iy = 0; iy < grid.my; ++iy) {
      double before = 0.0;
      for (int ix = grid.mx - 1; ix >= 0; --ix) {
        const std::size_t i = grid.index(ix, iy);
        const double h = (std::pow(grid.x(ix), 2) + std::pow(grid.y(iy), 2)) / 200.0;
        const double pressure = std::max(0.0, (0.01 - h) / 1.0e-4);
        CHECK(f.pressure[i] == test::near(pressure, 1e-5));  // bodies: 1e-6
        const double grown = before + 2.0e-4 * grid.dx / 1.0e-5;
        before = std::min(grown, 0.3 * pressure);
        CHECK(f.traction_x[i] == test::near(before, 1e-5));
      }
    }
    CHECK(report.elements_adhesion > 10);
    CHECK(report.elements_slip > 10);
  }

  TEST_CASE("layer: a row that yields shears by the law of one element after another") {
    ContactProblem problem = rolling_ball(20, {.compliance = 1.0e-5});
    problem.upper = problem.lower = {1.0e12, 0.28};
    problem.steps[0].normal = {NormalControl::approach, 0.01};
    problem.layer.normal_compliance = 1.0e-4;
    problem.layer.yield_stress = 9.0;
    problem.layer.hardening = 2.0e4;
    problem.steps[0].tangential.y.value = problem.steps[0].tangential.rotation = 0.0;
    problem.steps[0].tangential.x.value = -3.0e-4;
    const auto [report, f] = test::solve(problem);
    REQUIRE(report.outcome == Outcome::converged);
    const Grid& grid = problem.grid;
    const double l = 1.0e-5;
    const double k = 2.0e4;
    const int iy = grid.my / 2;
    double before = 0.0;
    double path = 0.0;
    int plastic = 0;
    for (int ix = grid.mx - 1; ix >= 0; --ix) {
      const std::size_t i = grid.index(ix, iy);
      if (f.pressure[i] == 0.0) continue;
      const double w = 3.0e-4 * grid.dx;
      double traction = before + w / l;
      const double limit = 9.0 + k * path;
      if (traction > limit) {  // L (p - p') + D = w, p = limit + k D
        const double shear = (w - l * (limit - before)) / (1.0 + l * k);
        traction = limit + k * shear;
        path += shear;
        ++plastic;
      }
      if (traction > 0.3 * f.pressure[i]) break;
      CHECK(f.traction_x[i] == test::near(traction, 1e-4));
      before = traction;
    }
    CHECK(plastic > 3);
  }

  TEST_CASE("layer: one that hardens carries a force beyond its yield stress, up to friction") {
    for (const TangentialProblem kind :
         {TangentialProblem::shift, TangentialProblem::transient_rolling,
          TangentialProblem::steady_rolling}) {
      CAPTURE(static_cast<int>(kind));
      for (const double hardening : {5.0e3, 2.0e5}) {
        CAPTURE(hardening);
        ContactProblem problem =
            rolling_ball(13, {.compliance = kSoft, .yield_stress = 40.0, .hardening = hardening});
        StepInput step = problem.steps[0];
        step.tangential.rotation = 0.0;
        step.tangential.problem = kind;
        if (kind == TangentialProblem::shift) step.tangential.step = 0.0;
        problem.steps.clear();
        const bool steady = kind == TangentialProblem::steady_rolling;
        for (const double ratio : {-0.35, -0.6, -0.6}) {  // the yield stress carries .26 of mu F_n
          step.tangential.x = {TangentialControl::force_ratio, ratio};
          if (!steady || problem.steps.empty()) problem.steps.push_back(step);
        }
        const std::vector<StepReport> forced = reports_of(problem);
        ContactProblem moved = problem;
        for (std::size_t k = 0; k < forced.size(); ++k) {
          const double ratio = problem.steps[k].tangential.x.value;
          CHECK(forced[k].force_x == test::near(ratio * 0.3 * forced[k].normal_force, 1e-5));
          CHECK(forced[k].elements_plastic > forced[k].elements_contact / 4);
          moved.steps[k].tangential.x = {TangentialControl::rigid, forced[k].rigid_x};
        }
        // The motion found gives the force: by rounds of the bound, without the layer in the rows.
        const std::vector<StepReport> back = reports_of(moved);
        for (std::size_t k = 0; k < forced.size(); ++k)
          CHECK(back[k].force_x == test::near(forced[k].force_x, 1e-5));
        problem.solver.tangential = TangentialMethod::gauss_seidel;
        const std::vector<StepReport> swept = reports_of(problem);
        for (std::size_t k = 0; k < forced.size(); ++k)
          CHECK(swept[k].rigid_x == test::near(forced[k].rigid_x, 1e-4));
        problem.steps.resize(1);
        problem.steps[0].tangential.x.value = -1.01;
        const StepReport beyond = make_cpu_solver(problem)->advance(problem.steps[0]);
        CHECK(beyond.outcome == Outcome::not_converged);
        CHECK(beyond.message.find("not below mu F_n, which is what a layer that hardens carries") !=
              std::string::npos);
      }
    }
  }

  // Surfaces that do not slide keep their static coefficient, whatever the layer between them
  // carries.
  TEST_CASE("layer: friction remembers its own coefficient, not the bound of the layer") {
    for (const bool forced : {false, true}) {
      CAPTURE(forced);
      // The layer yields at .38 of mu p_n.
      ContactProblem problem = one_element(
          {.compliance = 1.0e-4, .yield_stress = 240.0, .hardening = 435.0}, {0.0, 0.0, 0.0, 0.0});
      for (std::size_t k = 0; k < problem.steps.size(); ++k) {
        Tangential& tangential = problem.steps[k].tangential;
        tangential.problem = TangentialProblem::transient_rolling;
        tangential.step = 0.5;
        tangential.velocity = 100.0;
        if (forced)
          tangential.x = {TangentialControl::force, 250.0 + 10.0 * static_cast<double>(k)};
        else
          tangential.x = {TangentialControl::rigid, -0.1};
      }
      const std::vector<StepReport> constant = reports_of(problem);
      for (StepInput& step : problem.steps) {
        Friction& friction = step.friction;
        friction.law = FrictionLaw::exponential;
        friction.kinetic = 0.3;
        friction.half_velocity = 1.0;
        friction.memory_distance = 0.5;
        friction.memory_velocity = 0.1;
      }
      const std::vector<StepReport> remembering = reports_of(problem);
      const auto solver = make_cpu_solver(problem);
      for (std::size_t k = 0; k < constant.size(); ++k) {
        CHECK(constant[k].elements_plastic == 1);
        CHECK(remembering[k].elements_plastic == 1);
        CHECK(remembering[k].force_x == test::near(constant[k].force_x, 1e-5));
        CHECK(remembering[k].rigid_x == test::near(constant[k].rigid_x, 1e-4));
        // A resumed run continues from the same coefficient.
        const auto resumed = make_cpu_solver(problem);
        if (k > 0) resumed->restore(solver->state(), problem.steps[k - 1]);
        solver->advance(problem.steps[k]);
        CHECK(resumed->advance(problem.steps[k]).force_x == remembering[k].force_x);
      }
    }
  }

  TEST_CASE("layer: one that has softened to nothing carries nothing, and says so") {
    for (const TangentialMethod method :
         {TangentialMethod::newton, TangentialMethod::gauss_seidel, TangentialMethod::dense}) {
      CAPTURE(static_cast<int>(method));
      ContactProblem problem =
          rolling_ball(9, {.compliance = kSoft, .yield_stress = 5.0, .hardening = -3.0e6});
      problem.solver.tangential = method;
      Tangential& motion = problem.steps[0].tangential;
      motion = {};
      motion.problem = TangentialProblem::shift;
      motion.x.value = 0.02;
      problem.steps.push_back(problem.steps[0]);
      for (const StepReport& report : reports_of(problem)) {
        CHECK(report.force_x == 0.0);
        CHECK(report.residual <= 1e-6);
        CHECK(report.message.find("the layer has softened until") == 0);
      }
    }
  }

  TEST_CASE("layer: what does not go together is named") {
    ContactProblem problem = rolling_ball(8, {.compliance = kSoft});
    const auto texts = [&](const ContactProblem& p) {
      std::string all;
      for (const Fault& fault : check_problem(p)) all += fault_text(fault) + "\n";
      return all;
    };
    CHECK(texts(problem).empty());
    ContactProblem wrong = problem;
    wrong.layer.compliance = -1.0;
    CHECK(texts(wrong).find("layer.compliance: ") == 0);
    wrong = problem;
    wrong.layer.hardening = 1.0;
    CHECK(texts(wrong) ==
          "layer.hardening: given although the layer does not yield; accepted: none, or a "
          "layer.yield_stress > 0\n");
    wrong = problem;
    wrong.solver.rolling = RollingScheme::second_order;
    CHECK(texts(wrong).find("second_order does not know a layer's leading edge") !=
          std::string::npos);
    wrong = problem;
    wrong.solver.tangential = TangentialMethod::fastsim;
    CHECK(texts(wrong).find("the simplified theory has no layer") != std::string::npos);
    wrong = problem;
    wrong.layer.yield_stress = 10.0;
    wrong.steps[0].tangential.direction = 0.4;
    CHECK(texts(wrong).find("shear that stays moves with particles along x or y only") !=
          std::string::npos);
    wrong.layer.yield_stress = 0.0;
    CHECK(texts(wrong).empty());
  }
}

TEST_SUITE("analytic") {
  // CONTACT, example plastic_3bl: F_x of one element as printed.
  TEST_CASE("plastic layer: magnetite, sand and molybdenum disulphide as CONTACT prints them") {
    struct Series {
      ContactLayer layer;
      std::vector<double> shifts;
      std::vector<double> forces;
      double digit;  // half a unit of the last one
    };
    const auto layer = [](double modulus, double yield_stress, double hardening) {
      return ContactLayer{0.02 / modulus, 0.0, yield_stress, hardening};
    };
    const std::vector<Series> all{
        {layer(176.63, 560.0, 0.0), {-.035, -.035, -.03, -.05}, {280.0, 560.0, 560.0, 560.0}, .05},
        {layer(176.63, 400.0, -195.0),
         {-.025, -.025, -.05, -.05, -.05},
         {200.0, 400.0, 390.0, 380.0, 370.0},
         .05},
        {layer(20.238, 20.0, 20.4),
         {-.02, -.04, -.04, -.05, -.05},
         {20.00, 20.80, 21.60, 22.60, 23.60},
         .005}};
    for (const Series& series : all) {
      const auto reports = reports_of(one_element(series.layer, series.shifts));
      for (std::size_t k = 0; k < series.forces.size(); ++k) {
        CAPTURE(k);
        CHECK(std::abs(reports[k].force_x - series.forces[k]) <= 1.02 * series.digit);
      }
      CHECK(reports[0].elements_adhesion == 1);
      CHECK(reports.back().elements_plastic == 1);
      CHECK(reports.back().elements_slip == 0);
    }
    const auto magnetite = reports_of(one_element(all[0].layer, all[0].shifts));
    CHECK(magnetite[2].friction_work == test::near(-16.8, 3e-3));  // -.0168 N m
    CHECK(magnetite[3].friction_work == test::near(-28.0, 3e-3));
    CHECK(magnetite[0].elastic_energy == test::near(8.891, 1e-4));
    CHECK(magnetite[1].elastic_energy == test::near(23.59, 3e-4));
  }
}

}  // namespace slipfield
