// SPDX-License-Identifier: Apache-2.0
// What check_problem() and check_step() find, field by field, and what a solver then refuses.
#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "solver/error.h"
#include "solver/problem_check.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A sound problem: a shift, then transient and steady rolling.
ContactProblem sound_problem() {
  ContactProblem problem = test::normal_problem(test::centred_grid(8, 7, 1.6, 1.4), {200.0, 0.3},
                                                SphereShape{50.0}, NormalControl::force, 9.0);
  StepInput& shift = problem.steps[0];
  shift.friction.coefficient = 0.4;
  shift.tangential.problem = TangentialProblem::shift;
  StepInput rolling = shift;
  rolling.tangential.problem = TangentialProblem::transient_rolling;
  rolling.tangential.step = problem.grid.dx;
  problem.steps.push_back(rolling);
  rolling.tangential.problem = TangentialProblem::steady_rolling;
  problem.steps.push_back(rolling);
  return problem;
}

using Change = std::function<void(ContactProblem&)>;

struct Row {
  std::string field;
  Change change;
};

// Each change alone gives exactly one fault, of its field.
void check_each(
    const std::vector<Row>& rows, const Change& before = [](ContactProblem&) {}) {
  ContactProblem problem = sound_problem();
  before(problem);
  for (const Fault& fault : check_problem(problem)) FAIL_CHECK(fault_text(fault));
  for (const Row& row : rows) {
    CAPTURE(row.field);
    ContactProblem changed = problem;
    row.change(changed);
    const std::vector<Fault> faults = check_problem(changed);
    for (const Fault& fault : faults) CAPTURE(fault_text(fault));
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].field == row.field);
    CHECK((!faults[0].reason.empty() && !faults[0].remedy.empty()));
  }
}

// The number at `member`, at each of `values`.
template <class Member>
void add_values(std::vector<Row>& rows, const std::string& field, const Member& member,
                const std::vector<double>& values) {
  for (const double value : values)
    rows.push_back({field, [member, value](ContactProblem& p) { member(p) = value; }});
}

Change shape(const Shape& shape) {
  return [shape](ContactProblem& p) { p.geometry = {shape}; };
}

RoughShape rough(double hurst, double rms, double shortest, double longest) {
  return RoughShape{{hurst, false, rms, shortest, longest, 3}};
}

PlanformShape polygon(const std::vector<std::array<double, 2>>& vertices) {
  return PlanformShape{PolygonOutline{vertices}};
}

Tangential& tangential(ContactProblem& problem, std::size_t step) {
  return problem.steps[step].tangential;
}

std::string refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("check_problem: bodies, grid and settings, each field by its name") {
    std::vector<Row> rows;
    add_values(rows, "upper.shear_modulus",
               [](auto& p) -> double& { return p.upper.shear_modulus; },
               {0.0, -1.0, kNan, kInfinity, 1e-310});
    add_values(rows, "lower.poisson_ratio",
               [](auto& p) -> double& { return p.lower.poisson_ratio; }, {0.9, -0.1, kNan});
    add_values(rows, "grid.dx", [](auto& p) -> double& { return p.grid.dx; }, {0.0, kNan});
    add_values(rows, "grid.dy", [](auto& p) -> double& { return p.grid.dy; }, {-1.0, 1e-200});
    add_values(rows, "grid.x0", [](auto& p) -> double& { return p.grid.x0; }, {kInfinity});
    add_values(rows, "grid.y0", [](auto& p) -> double& { return p.grid.y0; }, {kNan});
    add_values(rows, "grid.dx", [](auto& p) -> double& { return p.grid.x0; }, {1e20});
    add_values(rows, "solver.tolerance", [](auto& p) -> double& { return p.solver.tolerance; },
               {0.0, 0.2, kNan});
    rows.push_back({"grid.mx", [](auto& p) { p.grid.mx = 0; }});
    rows.push_back({"grid.my", [](auto& p) { p.grid.my = 65537; }});
    rows.push_back({"grid.boundary", [](auto& p) { p.grid.boundary = static_cast<Boundary>(7); }});
    rows.push_back({"units", [](auto& p) { p.units = static_cast<Units>(-1); }});
    rows.push_back({"geometry", [](auto& p) { p.geometry.clear(); }});
    rows.push_back({"steps", [](auto& p) { p.steps.clear(); }});
    rows.push_back({"solver.influence",
                    [](auto& p) { p.solver.influence = static_cast<InfluenceMethod>(9); }});
    rows.push_back(
        {"solver.normal", [](auto& p) { p.solver.normal = static_cast<NormalMethod>(9); }});
    rows.push_back({"solver.tangential",
                    [](auto& p) { p.solver.tangential = static_cast<TangentialMethod>(9); }});
    rows.push_back({"solver.traction_bound",
                    [](auto& p) { p.solver.traction_bound = TractionBound::elliptic; }});
    check_each(rows);
  }

  TEST_CASE("check_problem: every kind of shape, each field by its name") {
    HeightsShape heights{HeightsOf::distance, std::vector<double>(56, 0.1)};
    HeightsShape short_heights = heights;
    short_heights.values.pop_back();
    HeightsShape none = heights;
    none.values.assign(56, kInfinity);
    HeightsShape broken = heights;
    broken.values[5] = kNan;
    HeightsShape surface = heights;
    surface.of = HeightsOf::upper;
    surface.values[3] = kInfinity;
    const auto profile = [](const std::vector<double>& y, const std::vector<double>& z) {
      return shape(ProfileShape{HeightsOf::distance, y, z, 0.0});
    };
    check_each({
        {"geometry[0].radius", shape(SphereShape{-1.0})},
        {"geometry[0].xx", shape(QuadraticShape{kNan, 0.0, 1.0})},
        {"geometry[0].constant", shape(QuadraticShape{1.0, 0.0, 1.0, 0.0, 0.0, kInfinity})},
        {"geometry[0].radius_x", shape(EllipsoidShape{0.0, 1.0})},
        {"geometry[0].radius_y", shape(EllipsoidShape{1.0, kNan})},
        {"geometry[0].radius", shape(CylinderShape{0.0, CylinderAxis::x})},
        {"geometry[0].axis", shape(CylinderShape{1.0, static_cast<CylinderAxis>(5)})},
        {"geometry[0].semi_axis_x", shape(HertzShape{0.0, 1.0, 9.0})},
        {"geometry[0].force", shape(HertzShape{1.0, 1.0, 0.0})},
        {"geometry[0].semi_axis_x", shape(HertzShape{1e200, 1e-200, 9.0})},
        {"geometry[0].semi_axis_x", shape(HertzShape{1e-200, 1e-200, 9.0})},
        {"geometry[0].outline.semi_axis_y", shape(PlanformShape{EllipseOutline{1.0, -1.0}})},
        {"geometry[0].outline.half_width_x", shape(PlanformShape{RectangleOutline{0.0, 1.0}})},
        {"geometry[0].outline", shape(PlanformShape{EllipseOutline{0.01, 0.01}, 9.0, 9.0})},
        {"geometry[0].outline.vertices", shape(polygon({{0.0, 0.0}, {1.0, 0.0}}))},
        {"geometry[0].outline.vertices",
         shape(polygon({{0.0, 0.0}, {1.0, 1.0}, {1.0, 0.0}, {0.0, 1.0}}))},
        {"geometry[0].outline.vertices[1]", shape(polygon({{0.0, 0.0}, {kNan, 0.0}, {1.0, 1.0}}))},
        {"geometry[0].centre_x", shape(PlanformShape{EllipseOutline{1.0, 1.0}, kNan, 0.0})},
        {"geometry[0].y", profile({0.0}, {0.0})},
        {"geometry[0].z", profile({-2.0, 2.0}, {0.0})},
        {"geometry[0].y", profile({2.0, -2.0}, {0.0, 0.0})},
        {"geometry[0].y", profile({-0.1, 0.1}, {0.0, 0.0})},
        {"geometry[0].z[1]", profile({-2.0, 2.0}, {0.0, kNan})},
        {"geometry[0].values", shape(short_heights)},
        {"geometry", shape(none)},
        {"geometry[0].values[5]", shape(broken)},
        {"geometry[0].values[3]", shape(surface)},
        {"geometry[0].surface.hurst", shape(rough(1.5, 0.01, 0.8, 2.0))},
        {"geometry[0].surface.rms", shape(rough(0.8, 0.0, 0.8, 2.0))},
        {"geometry[0].surface.shortest", shape(rough(0.8, 0.01, 0.7, 2.0))},
        {"geometry[0].surface.longest", shape(rough(0.8, 0.01, 1.0, 1.0))},
        {"geometry[0].surface.longest", shape(rough(0.8, 0.01, 1.0, 4.0))},
        {"geometry[0].surface.longest", shape(rough(0.8, 0.01, 1.7, 1.8))},
        {"geometry[1].radius", [](auto& p) { p.geometry.push_back(SphereShape{0.0}); }},
    });
  }

  TEST_CASE("check_problem: shapes that leave no element free together") {
    ContactProblem problem = sound_problem();
    problem.geometry = {PlanformShape{EllipseOutline{0.3, 0.3}, -1.0, 0.0},
                        PlanformShape{EllipseOutline{0.3, 0.3}, -0.9, 0.0}};
    CHECK(check_problem(problem).empty());
    problem.geometry[1] = PlanformShape{EllipseOutline{0.3, 0.3}, 1.0, 0.0};
    REQUIRE(check_problem(problem).size() == 1);
    CHECK(check_problem(problem)[0].field == "geometry");
  }

  TEST_CASE("check_problem: friction and loads, each field by its name") {
    std::vector<Row> rows;
    const auto number = [&](const std::string& field, double& (*member)(ContactProblem&),
                            const std::vector<double>& values) {
      add_values(rows, field, member, values);
    };
    number("steps[0].friction.coefficient",
           [](auto& p) -> double& { return p.steps[0].friction.coefficient; }, {-0.1, kNan});
    number("steps[0].normal.value", [](auto& p) -> double& { return p.steps[0].normal.value; },
           {0.0, -9.0, kInfinity});
    number("steps[0].tangential.x.value",
           [](auto& p) -> double& { return tangential(p, 0).x.value; }, {kNan});
    number("steps[0].tangential.rotation",
           [](auto& p) -> double& { return tangential(p, 0).rotation; }, {kInfinity});
    number("steps[1].tangential.direction",
           [](auto& p) -> double& { return tangential(p, 1).direction; }, {kNan});
    number("steps[1].tangential.step", [](auto& p) -> double& { return tangential(p, 1).step; },
           {0.0, -1.0, kNan});
    number("steps[1].tangential.velocity",
           [](auto& p) -> double& { return tangential(p, 1).velocity; }, {-1.0, kInfinity});
    number("steps[2].tangential.step", [](auto& p) -> double& { return tangential(p, 2).step; },
           {0.41, 1e-8, 1e-300});
    const auto kinetic = [](double value) {
      return [value](ContactProblem& p) { p.steps[0].friction.kinetic = value; };
    };
    rows.push_back({"steps[0].friction.kinetic", kinetic(0.5)});
    rows.push_back({"steps[0].friction.kinetic", kinetic(-0.5)});
    rows.push_back({"steps[0].friction.law", [](auto& p) {
                      p.steps[0].friction = {{1.0}, 0.4, 0.3, FrictionLaw::rational};
                    }});
    rows.push_back({"steps[1].friction.law", [](auto& p) {
                      p.steps[1].friction = {{1.0}, 0.4, 0.3, FrictionLaw::rational};
                    }});
    rows.push_back({"steps[1].friction.half_velocity", [](auto& p) {
                      p.steps[1].friction = {{0.0}, 0.4, 0.3, FrictionLaw::exponential};
                      p.steps[1].tangential.velocity = 1.0;
                    }});
    rows.push_back({"steps[1].friction.kinetic", [](auto& p) {
                      p.steps[1].friction = {{1.0}, 0.4, {}, FrictionLaw::exponential};
                      p.steps[1].tangential.velocity = 1.0;
                    }});
    rows.push_back({"steps[1].tangential.step", [](auto& p) {
                      tangential(p, 1).direction = 0.5;
                      tangential(p, 1).step = 1.0;
                    }});
    rows.push_back({"steps[2].repeat", [](auto& p) { p.steps[2].repeat = 0; }});
    rows.push_back({"steps", [](auto& p) {
                      for (StepInput& step : p.steps) step.repeat = 400000;
                    }});
    rows.push_back({"steps[0].tangential.problem",
                    [](auto& p) { tangential(p, 0).problem = static_cast<TangentialProblem>(9); }});
    rows.push_back({"steps[0].normal.control",
                    [](auto& p) { p.steps[0].normal.control = static_cast<NormalControl>(9); }});
    rows.push_back({"steps[0].tangential.start",
                    [](auto& p) { tangential(p, 0).start = static_cast<FrictionStart>(9); }});
    check_each(rows);
  }

  TEST_CASE("check_problem: local coefficients of friction") {
    const auto local = [](std::vector<double> y, std::vector<double> value, double greatest) {
      return [=](ContactProblem& p) {
        Friction& friction = p.steps[0].friction;
        friction.coefficient = greatest;
        if (y.empty())
          friction.place = friction_by_element(value);
        else
          friction.place = FrictionAlongY{y, value};
      };
    };
    check_each({{"steps[0].friction.coefficient.value", local({0.0, 1.0}, {0.3}, 0.3)},
                {"steps[0].friction.coefficient.value", local({}, {0.3, 0.4}, 0.4)},
                {"steps[0].friction.coefficient.value", local({}, {}, 0.4)},
                {"steps[0].friction.coefficient.value[1]", local({0.0, 1.0}, {0.3, -0.1}, 0.3)},
                {"steps[0].friction.coefficient.y", local({1.0, 1.0}, {0.3, 0.3}, 0.3)},
                {"steps[0].friction.coefficient", local({0.0, 1.0}, {0.3, 0.4}, 0.3)}});
    ContactProblem problem = sound_problem();
    local({-1.0, 1.0}, {0.2, 0.4}, 0.4)(problem);
    CHECK(check_problem(problem).empty());
    local({}, std::vector<double>(56, 0.2), 0.2)(problem);
    CHECK(check_problem(problem).empty());
  }

  TEST_CASE("check_problem: what a periodic grid rules out") {
    const auto periodic = [](ContactProblem& p) {
      p.steps.resize(1);
      p.grid.boundary = Boundary::periodic;
    };
    check_each(
        {{"steps[0].tangential.problem",
          [](auto& p) {
            tangential(p, 0).problem = TangentialProblem::steady_rolling;
            tangential(p, 0).step = p.grid.dx;
          }},
         {"solver.influence", [](auto& p) { p.solver.influence = InfluenceMethod::summation; }},
         {"solver.normal", [](auto& p) { p.solver.normal = NormalMethod::dense; }},
         {"solver.tangential",
          [](auto& p) { p.solver.tangential = TangentialMethod::gauss_seidel; }},
         {"solver.tangential", [](auto& p) { p.solver.tangential = TangentialMethod::dense; }}},
        periodic);
    ContactProblem pressed = sound_problem();
    periodic(pressed);
    pressed.solver.tangential = TangentialMethod::gauss_seidel;
    pressed.steps[0].tangential.problem = TangentialProblem::none;
    pressed.sensitivities = true;
    CHECK(check_problem(pressed).empty());
    StepInput later = pressed.steps[0];
    later.tangential.problem = TangentialProblem::shift;
    CHECK(check_step(pressed, later).at(0).field == "solver.tangential");
  }

  TEST_CASE("check_problem: what a grid that is periodic in one direction rules out") {
    const auto periodic = [](ContactProblem& p) {
      p.grid.boundary = Boundary::periodic_y;
      p.steps.resize(1);
      tangential(p, 0).problem = TangentialProblem::steady_rolling;
      tangential(p, 0).step = p.grid.dx;
      tangential(p, 0).rotation = 0.0;
    };
    check_each(
        {{"steps[0].tangential.direction",
          [](auto& p) {
            tangential(p, 0).direction = 0.5 * std::numbers::pi;
            tangential(p, 0).step = p.grid.dy;
          }},
         {"steps[0].tangential.direction", [](auto& p) { tangential(p, 0).direction = 0.3; }},
         {"steps[0].tangential.direction", [](auto& p) { p.grid.boundary = Boundary::periodic_x; }},
         {"steps[0].tangential.moment", [](auto& p) { tangential(p, 0).moment = 1.0; }},
         {"steps[0].tangential.rotation", [](auto& p) { tangential(p, 0).rotation = 1.0e-3; }},
         {"solver.rolling", [](auto& p) { p.solver.rolling = RollingScheme::second_order; }},
         {"error_estimate", [](auto& p) { p.error_estimate = true; }},
         {"bodies",
          [](auto& p) {
            p.upper.thickness = 0.1;
            p.upper.below = {{1.0, 0.3, 0.0}};
          }}},
        periodic);
    ContactProblem rolling = sound_problem();
    periodic(rolling);
    tangential(rolling, 0).direction = 0.5 * std::numbers::pi;
    CHECK(fault_text(check_problem(rolling).at(0)).find("across the period") != std::string::npos);
  }

  TEST_CASE("check_problem: what the simplified theory does not take") {
    const auto fastsim = [](ContactProblem& p) {
      p.steps.erase(p.steps.begin(), p.steps.begin() + 2);
      p.solver.tangential = TangentialMethod::fastsim;
    };
    check_each({{"solver.tangential",
                 [](auto& p) { tangential(p, 0).problem = TangentialProblem::transient_rolling; }},
                {"solver.tangential", [](auto& p) { tangential(p, 0).step *= 0.5; }},
                {"solver.tangential",
                 [](auto& p) {
                   p.solver.tangential = TangentialMethod::fastrip;
                   p.steps[0].friction.kinetic = 0.1;
                 }},
                {"solver.normal", [](auto& p) { p.solver.normal = NormalMethod::active_set_cg; }},
                {"solver.influence", [](auto& p) { p.solver.influence = InfluenceMethod::fft; }},
                {"solver.traction_bound",
                 [](auto& p) {
                   p.solver.normal = NormalMethod::kpec;
                   p.solver.traction_bound = TractionBound::elliptic;
                 }},
                {"solver.half_ellipses.below",
                 [](auto& p) {
                   p.solver.normal = NormalMethod::sdec;
                   p.solver.half_ellipses = {2.0, 0.0, 1.0};
                 }},
                {"solver.tangential", shape(CylinderShape{50.0, CylinderAxis::x})},
                {"solver.tangential", shape(PlanformShape{EllipseOutline{1.0, 1.0}})},
                {"solver.tangential",
                 [](auto& p) {
                   p.steps[0].normal = {NormalControl::approach, 0.0};
                 }},
                {"solver.tangential",
                 [](auto& p) {
                   p.solver.tangential = TangentialMethod::fastrip;
                   tangential(p, 0).extra.x =
                       std::make_shared<const std::vector<double>>(p.grid.count());
                 }},
                {"sensitivities", [](auto& p) { p.sensitivities = true; }}},
               fastsim);
  }

  TEST_CASE("check_problem: forces that friction cannot carry have no solution, and are computed") {
    const auto load = [](char at, TangentialControl control, double value) {
      return [=](ContactProblem& p) {
        (at == 'x' ? tangential(p, 0).x : tangential(p, 0).y) = {control, value};
      };
    };
    const std::vector<Row> rows{
        {"steps[0].tangential.x.value", load('x', TangentialControl::force_ratio, 1.0)},
        {"steps[0].tangential.y.value", load('y', TangentialControl::force_ratio, -2.0)},
        {"steps[0].tangential.x", load('x', TangentialControl::force, 3.7)},
        {"steps[0].tangential.y", load('y', TangentialControl::force, -4.0)},
        {"steps[0].tangential.y",
         [&](auto& p) {
           load('x', TangentialControl::force_ratio, 0.8)(p);
           load('y', TangentialControl::force, 2.2)(p);
         }},
        {"steps[0].tangential.x", [&](auto& p) {
           load('x', TangentialControl::force, 0.1)(p);
           p.steps[0].friction.coefficient = 0.0;
         }}};
    check_each(rows);
    for (const Row& row : rows) {
      ContactProblem problem = sound_problem();
      row.change(problem);
      CHECK(check_problem(problem)[0].kind == FaultKind::no_solution);
      CHECK(make_cpu_solver(problem)->advance(problem.steps[0]).outcome == Outcome::not_converged);
    }
  }

  TEST_CASE("check_problem: all faults are named at once, and a solver refuses them in its words") {
    ContactProblem problem = sound_problem();
    problem.upper.poisson_ratio = 0.9;
    problem.steps[1].normal.value = -3.0;
    problem.solver.tolerance = kNan;
    CHECK(refusal_of([&] { make_cpu_solver(problem); }) ==
          "upper.poisson_ratio: 0.9 is out of range; accepted: a number >= 0 and <= 0.5\n"
          "steps[1].normal.value: -3 is out of range; accepted: a number > 0\n"
          "solver.tolerance: nan is not finite; accepted: a number > 0 and <= 0.1");
  }

  TEST_CASE("check_step: a later step is refused before it changes anything") {
    const ContactProblem problem = sound_problem();
    const auto solver = make_cpu_solver(problem);
    solver->advance(problem.steps[0]);
    const SolverState before = solver->state();
    StepInput step = problem.steps[2];
    step.tangential.step = 1.0;
    step.normal.value = kNan;
    CHECK(refusal_of([&] { solver->advance(step); }) ==
          "step.normal.value: nan is not finite; accepted: a number, > 0 without adhesion\n"
          "step.tangential.step: steady rolling takes no step longer than an element, and 1 is; "
          "accepted: 4e-07 to 0.4");
    CHECK(solver->state() == before);
    CHECK(solver->advance(problem.steps[2]).outcome == Outcome::converged);
  }
}

}  // namespace slipfield
