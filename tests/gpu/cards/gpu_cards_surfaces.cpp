// SPDX-License-Identifier: Apache-2.0
// Surfaces that adhere or yield, bodies of layers, and rough surfaces that the cards generate, with
// the rows of the grid shared out over several cards, against one card.
#include <doctest/doctest.h>

#include <cstddef>
#include <tuple>
#include <vector>

#include "gpu/backend/cuda_backend.h"
#include "gpu/cards/card_backend.h"
#include "gpu/cards/rough_distance.h"
#include "gpu/cuda_device.h"
#include "tests/gpu/cards/cards_support.h"
#include "tests/gpu/gpu_support.h"

namespace slipfield {

using test::check_same_solution;
using test::Devices;
using test::relative_difference;
using test::rolling_problem;
using test::teams;

namespace {

constexpr double kTightly = 1e-11;
// A hundred times what the rounds of adhesion leave of the tolerance.
constexpr double kOfRounds = 1e-8;

ContactProblem uneven_problem(int mx, int my, Boundary boundary) {
  Grid grid = test::centred_grid(mx, my, 1.0, 0.8);
  grid.boundary = boundary;
  ContactProblem problem = test::normal_problem(grid, {1.0, 0.28}, test::tilted_paraboloid(grid),
                                                NormalControl::force, 0.05, kTightly);
  if (boundary == Boundary::periodic) problem.geometry.clear();
  const RoughSurface surface{0.7, true, 0.05, 0.25, 0.9, 5};
  if (surface.shortest >= 2.0 * grid.dy) problem.geometry.push_back(RoughShape{surface});
  return problem;
}

StepInput pressed_by(const ContactProblem& problem, double force) {
  StepInput step = problem.steps[0];
  step.normal = {NormalControl::force, force};
  return step;
}

void check_steps(const ContactProblem& problem, const std::vector<StepInput>& steps,
                 double rounding) {
  for (const Devices& devices : teams()) {
    CAPTURE(devices.size());
    const auto one = make_cuda_solver(problem);
    const auto several = make_cards_solver(problem, devices);
    for (std::size_t k = 0; k < steps.size(); ++k) {
      CAPTURE(k);
      const StepReport of_one = one->advance(steps[k]);
      const StepReport of_several = several->advance(steps[k]);
      CAPTURE(of_several.message);
      REQUIRE(of_several.outcome == of_one.outcome);
      const ContactSolution fields = several->download();
      const ContactSolution all = one->download();
      REQUIRE(fields.adhesive_stress.size() == all.adhesive_stress.size());
      REQUIRE(fields.permanent_deformation.size() == all.permanent_deformation.size());
      REQUIRE(fields.wear_depth_total.size() == all.wear_depth_total.size());
      check_same_solution({of_one, all}, {of_several, fields}, rounding);
      CHECK(relative_difference(fields.adhesive_stress, all.adhesive_stress) <= rounding);
      CHECK(relative_difference(fields.permanent_deformation, all.permanent_deformation) <=
            rounding);
      CHECK(relative_difference(fields.wear_depth_total, all.wear_depth_total) <= rounding);
      CHECK(of_several.adhesive_force == test::near(of_one.adhesive_force, rounding));
      CHECK(of_several.elements_yielding == of_one.elements_yielding);
    }
  }
}

// The cards' heights, joined row by row.
std::vector<double> heights_by_cards(const RoughSurface& surface, const Grid& grid,
                                     const Devices& devices) {
  CardTeam team(devices);
  std::vector<std::vector<double>> parts(devices.size());
  team.each([&](int card) {
    CardBackend backend(team, card);
    const RowRange rows = backend.own_rows(grid.my);
    CardBackend::Array<double> distance(grid.index(0, rows.count));
    const auto product = backend.product(repeated_grid(grid));
    form_rough_distance(backend, *product, {RoughShape{surface}}, grid, {}, distance);
    parts[static_cast<std::size_t>(card)] = backend.download(distance);
  });
  std::vector<double> all;
  for (const std::vector<double>& part : parts) all.insert(all.end(), part.begin(), part.end());
  for (double& at : all) at = -at;
  return all;
}

std::vector<double> heights_by_one_card(const RoughSurface& surface, const Grid& grid) {
  CudaBackend backend;
  OneCard team;
  SlabProduct product(team, 0, repeated_grid(grid), backend.stream());
  CudaBackend::Array<double> distance(grid.count());
  form_rough_distance(backend, product, {RoughShape{surface}}, grid, {}, distance);
  std::vector<double> z = backend.download(distance);
  for (double& at : z) at = -at;
  return z;
}

constexpr double kAsCpu = 1e-11;  // of the greatest height: sums of waves, and of their powers

void check_heights(const RoughSurface& surface, const Grid& grid) {
  CAPTURE(grid.mx);
  CAPTURE(grid.my);
  REQUIRE(has_waves(surface, grid));
  const std::vector<double> cpu = rough_heights(surface, grid);
  CHECK(relative_difference(heights_by_one_card(surface, grid), cpu) < kAsCpu);
  for (const Devices& devices : teams())
    CHECK(relative_difference(heights_by_cards(surface, grid, devices), cpu) < kAsCpu);
}

}  // namespace

TEST_SUITE("gpu") {
  TEST_CASE("gpu cards: surfaces adhere as on one card, by every law, loaded and pulled") {
    for (const AdhesionLaw law :
         {AdhesionLaw::maugis, AdhesionLaw::exponential, AdhesionLaw::power}) {
      CAPTURE(static_cast<int>(law));
      for (const Boundary boundary : {Boundary::free, Boundary::periodic}) {
        const bool periodic = boundary == Boundary::periodic;  // 0.2 closes all gaps there
        CAPTURE(periodic);
        ContactProblem problem = uneven_problem(37, 29, boundary);
        problem.adhesion = {law, periodic ? 2e-4 : 0.0015, 0.01};
        check_steps(problem,
                    {problem.steps[0], pressed_by(problem, periodic ? 0.02 : 0.2),
                     pressed_by(problem, -0.001)},
                    kOfRounds);
      }
    }
  }

  TEST_CASE("gpu cards: surfaces that adhere are shifted as on one card, with fewer rows as well") {
    for (const int my : {29, 2}) {
      ContactProblem problem = uneven_problem(37, my, Boundary::free);
      problem.adhesion = {AdhesionLaw::maugis, 0.0015, 0.01};
      StepInput& step = problem.steps[0];
      step.friction.coefficient = 0.3;
      step.friction.shear_strength = 0.02;
      step.tangential.problem = TangentialProblem::shift;
      step.tangential.x = {TangentialControl::rigid, 0.004};
      step.tangential.y = {TangentialControl::force, -0.001};
      check_steps(problem, {step}, kOfRounds);
    }
  }

  TEST_CASE("gpu cards: shifts wear off what they do on one card") {
    ContactProblem problem = uneven_problem(37, 29, Boundary::free);
    problem.surface.wear.emplace();
    problem.surface.wear->law = WearLaw::archard;
    problem.surface.wear->coefficient.value = {1e-4};
    problem.surface.wear->hardness = 1.0;
    StepInput& step = problem.steps[0];
    step.friction.coefficient = 0.3;
    step.tangential.problem = TangentialProblem::shift;
    step.tangential.x = {TangentialControl::rigid, 0.02};
    check_steps(problem, {step, step}, test::kRounding);
    const auto several = make_cards_solver(problem, {0, 0});
    several->advance(step);
    CHECK(several->download().wear_depth_total.size() == problem.grid.count());
  }

  TEST_CASE("gpu cards: the pull-off is that of one card") {
    ContactProblem problem = uneven_problem(21, 17, Boundary::free);
    problem.solver.tolerance = 1e-8;
    problem.adhesion = {AdhesionLaw::maugis, 0.0015, 0.01};
    StepInput pull = problem.steps[0];
    pull.normal = {NormalControl::pull_off, 0.004};
    check_steps(problem, {pull}, 1e-6);
  }

  TEST_CASE("gpu cards: surfaces yield as on one card, and stay flat") {
    for (const Boundary boundary : {Boundary::free, Boundary::periodic}) {
      ContactProblem problem = uneven_problem(37, 29, boundary);
      problem.upper.hardness = 0.3;
      check_steps(problem, {problem.steps[0], pressed_by(problem, 0.01), pressed_by(problem, 0.1)},
                  test::kRounding);
    }
  }

  TEST_CASE("gpu cards: bodies of layers are pressed, shifted and rolled as on one card") {
    for (const bool on_rigid_base : {false, true}) {
      CAPTURE(on_rigid_base);
      const auto coated = [&](ContactProblem problem) {
        problem.lower = problem.upper;
        problem.lower.thickness = on_rigid_base ? 0.6 : 0.1;
        if (!on_rigid_base) problem.lower.below = {{3.0, 0.3, 0.0}};
        return problem;
      };
      check_steps(coated(uneven_problem(37, 29, Boundary::periodic)),
                  coated(uneven_problem(37, 29, Boundary::periodic)).steps, test::kRounding);
      for (const ContactProblem& problem :
           {coated(test::sliding_problem(37, 29, false)),
            coated(rolling_problem(37, 29, true, test::kAlongY, 1.0))})
        check_steps(problem, problem.steps, test::kRounding);
    }
  }

  TEST_CASE("gpu: a rough surface of one seed has the CPU's heights, on any number of cards") {
    const RoughSurface surface{0.8, false, 1.0, 0.1, 1.0, 7};
    // Even, odd and prime sizes, a narrow grid, and profiles.
    for (const auto& [mx, my, length_y] : {std::tuple{64, 60, 1.3},
                                           {61, 67, 1.1},
                                           {96, 45, 0.9},
                                           {128, 11, 0.11},
                                           {1, 90, 2.0},
                                           {200, 1, 0.01}})
      check_heights(surface, {mx, my, 2.0 / mx, length_y / my});
  }

  TEST_CASE("gpu: rough surfaces with a plateau, a lay, a slope or skew heights are the CPU's") {
    const RoughSurface plain{0.6, false, 1.0, 0.15, 1.0, 7};
    RoughSurface laid = plain;
    laid.rolloff = 0.4;
    laid.elongation = 3.0;
    laid.lay = 0.4;
    RoughSurface skewed = plain;
    skewed.skewness = -0.8;
    skewed.kurtosis = 4.0;
    RoughSurface sloped = plain;
    sloped.slope_given = true;
    for (const RoughSurface& surface : {laid, skewed, sloped})
      check_heights(surface, {61, 38, 2.0 / 61, 1.4 / 38});
    laid.lay = 1.0;
    check_heights(laid, {120, 1, 2.0 / 120, 0.01});  // a profile of a surface with a plateau
  }

  TEST_CASE("gpu: a large rough grid is generated on the cards, with other shapes and periodic") {
    Grid grid = test::centred_grid(2048, 2048, 1.0, 1.0);
    REQUIRE(grid.count() >= kLeastForHeights);
    const RoughSurface surface{0.8, true, 0.1, 0.05, 1.0, 5};
    RoughSurface other = surface;
    other.seed = 6;
    const std::vector<Shape> shapes{RoughShape{surface}, QuadraticShape{0.1, 0.02, 0.3},
                                    RoughShape{other}};
    const std::vector<double> cpu = undeformed_distance(shapes, grid, {});
    for (const Boundary boundary : {Boundary::free, Boundary::periodic}) {
      grid.boundary = boundary;
      ContactProblem problem =
          test::normal_problem(grid, {1.0, 0.28}, shapes.front(), NormalControl::force, 0.05, 1e-3);
      problem.geometry = shapes;
      const auto check = [&](ContactSolver& solver) {
        const ChosenFields chosen{{&ContactSolution::undeformed_distance}, false};
        CHECK(relative_difference(solver.download_fields(chosen).undeformed_distance, cpu) <
              kAsCpu);
        return solver.advance(problem.steps[0]).approach;
      };
      const double one = check(*make_cuda_solver(problem));
      CHECK(check(*make_cards_solver(problem, teams().back())) == test::near(one, 1e-3));
    }
  }
}

}  // namespace slipfield
