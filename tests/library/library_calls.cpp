// SPDX-License-Identifier: Apache-2.0
// The C library's calls one by one: what they give, and what they say of wrong input.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <numeric>

#include "tests/library/library_support.h"
#include "tests/support/near.h"

using namespace slipfield_test;
using slipfield::test::near;

TEST_SUITE_BEGIN("unit");

TEST_CASE("C library: a step's totals and fields agree with one another") {
  const Solver solver = make(kRolling);
  REQUIRE(solver);
  CHECK(slipfield_steps_done(solver.get()) == 0);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  CHECK(slipfield_steps_done(solver.get()) == 1);
  double spacing[2];
  REQUIRE(slipfield_get_grid(solver.get(), SLIPFIELD_WHOLE, 0, nullptr, spacing, nullptr) ==
          SLIPFIELD_OK);
  const auto sum = [&](const char* name) {
    const std::vector<double> values = field(solver, name);
    return spacing[0] * spacing[1] * std::accumulate(values.begin(), values.end(), 0.0);
  };
  CHECK(total(solver, "normal_force") == near(0.04, 1e-5));
  CHECK(sum("pressure") == near(total(solver, "normal_force"), 1e-12));
  CHECK(sum("traction_x") == near(total(solver, "force_x"), 1e-12));
  CHECK(total(solver, "force_x") < 0.0);  // against the creepage
  std::size_t slipping = 0;
  for (const double state : field(solver, "element_division")) slipping += state == 2.0 ? 1 : 0;
  CHECK(static_cast<double>(slipping) == total(solver, "elements_slip"));
  const char* name = nullptr;
  REQUIRE(slipfield_get_backend(solver.get(), &name) == SLIPFIELD_OK);
  CHECK(std::string(name) == "cpu");
}

TEST_CASE("C library: values set hold for later steps and replace what excludes them") {
  const Solver solver = make(kRolling);
  REQUIRE(slipfield_set_number(solver.get(), "tangential.x.force_ratio", -0.5) == SLIPFIELD_OK);
  REQUIRE(slipfield_set_number(solver.get(), "normal.approach", 2.0e-2) == SLIPFIELD_OK);
  for (int step = 0; step < 2; ++step) {
    REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
    CHECK(total(solver, "force_ratio_x") == near(-0.5, 1e-5));
    CHECK(total(solver, "approach") == near(2.0e-2, 1e-12));
  }
  double value = 0.0;
  REQUIRE(slipfield_get_number(solver.get(), "tangential.x.force_ratio", &value) == SLIPFIELD_OK);
  CHECK(value == -0.5);
  CHECK(slipfield_get_number(solver.get(), "tangential.x.creepage", &value) == SLIPFIELD_BAD_INPUT);
  const char* text = nullptr;
  REQUIRE(slipfield_get_text(solver.get(), "tangential.problem", &text) == SLIPFIELD_OK);
  CHECK(std::string(text) == "steady_rolling");
  REQUIRE(slipfield_set_text(solver.get(), "tangential",
                             "{problem: shift, x: {shift: 1.0e-3}, y: {shift: 0.0}}") ==
          SLIPFIELD_OK);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  CHECK(total(solver, "shift_x") == 1.0e-3);
}

TEST_CASE("C library: a value that is refused changes nothing and names key, reason and remedy") {
  const Solver solver = make(kRolling);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  const double force = total(solver, "force_x");
  CHECK(slipfield_set_number(solver.get(), "normal.force", -3.0) == SLIPFIELD_BAD_INPUT);
  CHECK(says("normal.force: -3 is out of range"));
  REQUIRE(slipfield_error_fault_count() == 1);
  CHECK(std::string(slipfield_error_fault(0)->key) == "normal.force");
  CHECK(std::string(slipfield_error_fault(0)->reason).find("out of range") != std::string::npos);
  CHECK(std::string(slipfield_error_fault(0)->remedy) != "");
  CHECK(slipfield_error_fault(1) == nullptr);
  CHECK(slipfield_set_text(solver.get(), "tangential.problem", "shfit") == SLIPFIELD_BAD_INPUT);
  REQUIRE(slipfield_error_fault_count() == 1);
  CHECK(says("'shfit' is not known; did you mean 'shift'? accepted: none, "));
  CHECK(std::string(slipfield_error_fault(0)->reason) ==
        "'shfit' is not known; did you mean 'shift'?");
  CHECK(std::string(slipfield_error_fault(0)->remedy).rfind("none, ", 0) == 0);
  CHECK(slipfield_set_number(solver.get(), "normal.force",
                             std::numeric_limits<double>::quiet_NaN()) == SLIPFIELD_BAD_INPUT);
  CHECK(slipfield_set_number(solver.get(), "frction.coefficient", 0.2) == SLIPFIELD_BAD_INPUT);
  CHECK(slipfield_set_number(solver.get(), "normal..force", 0.2) == SLIPFIELD_BAD_INPUT);
  const double both[2] = {0.05, -1.0};
  CHECK(slipfield_set_numbers(solver.get(), "normal.force,friction.coefficient", both, 2) ==
        SLIPFIELD_BAD_INPUT);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  CHECK(total(solver, "force_x") == near(force, 1e-5));  // the tolerance is 1e-6
  CHECK(total(solver, "normal_force") == near(0.04, 1e-5));
}

TEST_CASE("C library: keys other than loads can be set only before the first step") {
  const Solver solver = make(kRolling);
  REQUIRE(slipfield_set_text(solver.get(), "grid.elements", "[20, 18]") == SLIPFIELD_OK);
  int elements[2];
  REQUIRE(slipfield_get_grid(solver.get(), SLIPFIELD_WHOLE, 0, elements, nullptr, nullptr) ==
          SLIPFIELD_OK);
  CHECK(elements[0] == 20);
  CHECK(elements[1] == 18);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  CHECK(slipfield_set_text(solver.get(), "grid.elements", "[8, 8]") == SLIPFIELD_BAD_INPUT);
  CHECK(says("grid.elements: is fixed once a step has run"));
  CHECK(slipfield_set_text(solver.get(), "grid.elments", "[8, 8]") == SLIPFIELD_BAD_INPUT);
  CHECK(says("grid.elments: unknown key; did you mean 'elements'?"));
  CHECK(slipfield_set_number(solver.get(), "nromal.force", 1.0) == SLIPFIELD_BAD_INPUT);
  CHECK(says("nromal: unknown key; did you mean 'normal'?"));
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
}

TEST_CASE("C library: what a problem refuses in its case it refuses in a step that is set") {
  const std::string rolling = kRolling;
  struct Refused {
    std::string of_problem;
    const char* key;
    const char* value;
    const char* message;
  };
  const std::array refused{
      Refused{"layer: {compliance: 0.01, yield_stress: 1.0e-4}\n", "tangential.direction", "45",
              "shear that stays moves with particles along x or y only"},
      Refused{"layer: {compliance: 0.01, yield_stress: 1.0e-4}\n", "friction",
              "{coefficient: 0.3, shear_strength: 1.0e-3}",
              "a layer that yields caps mu p_n alone"},
      Refused{"output: {error_estimate: true}\n", "friction",
              "{coefficient: 0.3, shear_strength: 1.0e-3}",
              "errors are estimated as parts of mu F_n"},
      Refused{"influence: {conformal: {y: [-2.0, 2.0], angle: [0.0, 0.1]}}\n",
              "tangential.direction", "90", "curved surfaces roll along x"},
  };
  for (const Refused& one : refused) {
    CAPTURE(one.of_problem);
    CAPTURE(one.key);
    const Solver solver = make(rolling + one.of_problem);
    REQUIRE(solver);
    REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
    const double before = total(solver, "force_x");
    const bool taken = slipfield_set_text(solver.get(), one.key, one.value) == SLIPFIELD_OK;
    if (taken) CHECK(slipfield_advance(solver.get()) == SLIPFIELD_BAD_INPUT);
    CHECK(says(one.message));
    CHECK(total(solver, "force_x") == before);
  }
}

TEST_CASE("C library: a slide that heat refuses once it is found leaves the solver as it was") {
  const std::string heated = std::string(kRolling).replace(
      std::string(kRolling).find("tangential"), std::string::npos,
      "tangential: {problem: shift, x: {shift: 1.0e-4}, duration: 1.0e-3}\n"
      "heat: {upper: {conductivity: 0.05, capacity: 450.0, density: 7.85e-6},\n"
      "       lower: {conductivity: 0.05, capacity: 450.0, density: 7.85e-6}}\n");
  for (const int steps_before : {0, 1}) {
    CAPTURE(steps_before);
    const Solver straight = make(heated);
    const Solver solver = make(heated);
    for (int step = 0; step < steps_before; ++step) {
      REQUIRE(slipfield_advance(straight.get()) == SLIPFIELD_OK);
      REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
    }
    REQUIRE(slipfield_set_number(solver.get(), "tangential.x.shift", 1.0e8) == SLIPFIELD_OK);
    CHECK(slipfield_advance(solver.get()) == SLIPFIELD_BAD_INPUT);
    CHECK(says("more than 1e7 elements"));
    CHECK(slipfield_steps_done(solver.get()) == steps_before);
    REQUIRE(slipfield_set_number(solver.get(), "tangential.x.shift", 1.0e-4) == SLIPFIELD_OK);
    REQUIRE(slipfield_advance(straight.get()) == SLIPFIELD_OK);
    REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
    for (const char* name : {"force_x", "shift_total", "max_temperature", "heat_lower"}) {
      CAPTURE(name);
      CHECK(total(solver, name) == total(straight, name));
    }
  }
}

TEST_CASE("C library: a state of another grid is refused, even one from before the first step") {
  const Solver one = make(kRolling);
  slipfield_state* empty = nullptr;
  REQUIRE(slipfield_state_save(one.get(), &empty) == SLIPFIELD_OK);
  const Solver other = make(kRolling);
  REQUIRE(slipfield_set_text(other.get(), "grid.elements", "[20, 18]") == SLIPFIELD_OK);
  REQUIRE(slipfield_advance(other.get()) == SLIPFIELD_OK);
  CHECK(slipfield_state_restore(other.get(), empty) == SLIPFIELD_BAD_INPUT);
  CHECK(says("the state is of another case: grid.elements.0 is 16 there and 20 here"));
  CHECK(slipfield_steps_done(other.get()) == 1);
  REQUIRE(slipfield_advance(one.get()) == SLIPFIELD_OK);
  CHECK(slipfield_state_restore(one.get(), empty) == SLIPFIELD_OK);
  CHECK(slipfield_steps_done(one.get()) == 0);
  slipfield_state_destroy(empty);
}

TEST_CASE("C library: a name that is there twice and a text that is not UTF-8 are refused") {
  const Solver solver = make(kRolling);
  const double forces[] = {50.0, 60.0};
  double total = 0.0;
  CHECK(slipfield_batch(solver.get(), 1, "normal.force, normal.force", forces, "force_x", &total,
                        nullptr, nullptr, nullptr) == SLIPFIELD_BAD_INPUT);
  CHECK(says("normal.force is there twice; accepted: each name once"));
  CHECK(slipfield_set_text(solver.get(), "title", "\xff\xfe") == SLIPFIELD_BAD_INPUT);
  CHECK(says("title: has bytes that are not UTF-8"));
  CHECK(slipfield_set_text(solver.get(), "title", "a\nb") == SLIPFIELD_OK);  // YAML of two lines
  const char* text = nullptr;
  REQUIRE(slipfield_get_text(solver.get(), "title", &text) == SLIPFIELD_OK);
  CHECK(std::string(text) == "a b");
}

TEST_CASE("C library: a gradient beyond what doubles hold is refused") {
  const Solver solver = make(kRolling);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  const double seed = 1.0e308;
  const double* const seeds[] = {&seed};
  double found = 0.0;
  double* const values[] = {&found};
  CHECK(slipfield_get_gradient(solver.get(), SLIPFIELD_WHOLE, 0, "force_x", seeds, "stiffness",
                               values, nullptr) == SLIPFIELD_BAD_INPUT);
  CHECK(says("beyond what doubles hold"));
}

TEST_CASE("C library: a key that the case leaves out has its default") {
  const Solver solver = make(kRolling);
  const char* text = nullptr;
  REQUIRE(slipfield_get_text(solver.get(), "output.sensitivities", &text) == SLIPFIELD_OK);
  CHECK(std::string(text) == "false");
  REQUIRE(slipfield_get_text(solver.get(), "solver.rolling", &text) == SLIPFIELD_OK);
  CHECK(std::string(text) == "first_order");
}

TEST_CASE("C library: a case that is wrong gives every error with its place") {
  slipfield_solver* solver = nullptr;
  const std::string wrong = std::string(kRolling) + "frction: 3\nsolver: {tolerance: -1}\n";
  CHECK(slipfield_solver_create_from_text(wrong.c_str(), wrong.size(), nullptr, &solver) ==
        SLIPFIELD_BAD_INPUT);
  CHECK(solver == nullptr);
  CHECK(slipfield_error_fault_count() == 2);
  CHECK(std::string(slipfield_error_fault(0)->place) == "case:10:1");
  CHECK(std::string(slipfield_error_fault(1)->key) == "solver.tolerance");
  const std::string message = slipfield_error_message();
  CHECK(message.find("\ncase:11:") != std::string::npos);  // each fault without "error: "
  CHECK(message.find("error: ") == std::string::npos);
  CHECK(slipfield_solver_create_from_file("/no/such/file.yaml", nullptr, &solver) ==
        SLIPFIELD_BAD_INPUT);
  CHECK(says("there is no such file"));
  slipfield_options options = cpu_options();
  options.backend = "gpu";
  CHECK(slipfield_solver_create_from_text(kRolling, std::strlen(kRolling), &options, &solver) ==
        SLIPFIELD_BAD_INPUT);
  CHECK(says("there is no backend"));
}

TEST_CASE("C library: null pointers and calls before the first step are refused") {
  const Solver solver = make(kRolling);
  double value = 0.0;
  CHECK(slipfield_advance(nullptr) == SLIPFIELD_BAD_INPUT);
  CHECK(says("solver: is a null pointer"));
  CHECK(slipfield_set_number(solver.get(), nullptr, 1.0) == SLIPFIELD_BAD_INPUT);
  CHECK(slipfield_get_totals(solver.get(), SLIPFIELD_WHOLE, 0, "force_x", nullptr, 1) ==
        SLIPFIELD_BAD_INPUT);
  CHECK(slipfield_get_totals(solver.get(), SLIPFIELD_WHOLE, 0, "force_x", &value, 1) ==
        SLIPFIELD_BAD_INPUT);
  CHECK(says("no step has run yet"));
  CHECK(slipfield_get_totals(solver.get(), SLIPFIELD_WHOLE, 0, "force_x,,", &value, 1) ==
        SLIPFIELD_BAD_INPUT);
  CHECK(slipfield_state_restore(solver.get(), nullptr) == SLIPFIELD_BAD_INPUT);
  CHECK(slipfield_record_end(solver.get()) == SLIPFIELD_BAD_INPUT);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  CHECK(slipfield_get_totals(solver.get(), SLIPFIELD_WHOLE, 0, "forc_x", &value, 1) ==
        SLIPFIELD_BAD_INPUT);
  CHECK(slipfield_get_field(solver.get(), SLIPFIELD_WHOLE, 0, "pressure", &value, 1) ==
        SLIPFIELD_BAD_INPUT);
  CHECK(says("256"));
  double derivatives[9];
  CHECK(slipfield_get_jacobian(solver.get(), SLIPFIELD_WHOLE, 0, derivatives) ==
        SLIPFIELD_BAD_INPUT);
  CHECK(says("output.sensitivities"));
  slipfield_solver_destroy(nullptr);
  slipfield_state_destroy(nullptr);
}

TEST_CASE("C library: the gradient of a force is that of differences, and names are checked") {
  const Solver solver = make(kRolling);
  REQUIRE(slipfield_set_number(solver.get(), "solver.tolerance", 1e-11) == SLIPFIELD_OK);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  const double one = 1.0;
  const double* const seeds[] = {&one};
  double to_creepage = 0.0;
  std::vector<double> to_heights(256);
  double to_force = 0.0;
  double* const values[] = {&to_creepage, to_heights.data(), &to_force};
  std::size_t near_change = 0;
  REQUIRE(slipfield_get_gradient(solver.get(), SLIPFIELD_WHOLE, 0, "force_x", seeds,
                                 "tangential.x.creepage,undeformed_distance,normal.force", values,
                                 &near_change) == SLIPFIELD_OK);
  double creepage = 0.0;
  REQUIRE(slipfield_get_number(solver.get(), "tangential.x.creepage", &creepage) == SLIPFIELD_OK);
  double moved[2];
  for (const int side : {0, 1}) {
    const Solver other = make(kRolling);
    REQUIRE(slipfield_set_number(other.get(), "solver.tolerance", 1e-11) == SLIPFIELD_OK);
    REQUIRE(slipfield_set_number(other.get(), "tangential.x.creepage",
                                 creepage * (side == 0 ? 1.0 + 1e-6 : 1.0 - 1e-6)) == SLIPFIELD_OK);
    REQUIRE(slipfield_advance(other.get()) == SLIPFIELD_OK);
    moved[side] = total(other, "force_x");
  }
  CHECK(near_change <= 256);
  double heavier[2];
  for (const int side : {0, 1}) {
    const Solver other = make(kRolling);
    REQUIRE(slipfield_set_number(other.get(), "solver.tolerance", 1e-11) == SLIPFIELD_OK);
    REQUIRE(slipfield_set_number(other.get(), "normal.force",
                                 side == 0 ? 0.04 * (1.0 + 1e-6) : 0.04 * (1.0 - 1e-6)) ==
            SLIPFIELD_OK);
    REQUIRE(slipfield_advance(other.get()) == SLIPFIELD_OK);
    heavier[side] = total(other, "force_x");
  }
  CHECK((heavier[0] - heavier[1]) / (2e-6 * 0.04) == near(to_force, 1e-4));
  CHECK((moved[0] - moved[1]) / (2e-6 * creepage) == near(to_creepage, 1e-4));
  // Raising all heights does not change the contact under a force.
  const double raised = std::accumulate(to_heights.begin(), to_heights.end(), 0.0);
  double size = 0.0;
  for (const double value : to_heights) size = std::max(size, std::abs(value));
  CHECK(std::abs(raised) < 1e-8 * size);
  CHECK(slipfield_get_gradient(solver.get(), SLIPFIELD_WHOLE, 0, "forc_x", seeds, "normal.force",
                               values, nullptr) == SLIPFIELD_BAD_INPUT);
  CHECK(says("the step has no 'forc_x' with derivatives; accepted: pressure, "));
  CHECK(slipfield_get_gradient(solver.get(), SLIPFIELD_WHOLE, 0, "force_x", seeds,
                               "normal.approach", values, nullptr) == SLIPFIELD_BAD_INPUT);
  CHECK(says("the step has no 'normal.approach' with derivatives; accepted: "));
  CHECK(slipfield_get_gradient(solver.get(), SLIPFIELD_WHOLE, 0, "force_x", nullptr, "normal.force",
                               values, nullptr) == SLIPFIELD_BAD_INPUT);
}

TEST_CASE("C library: gradients through kept steps are those of differences of the sequence") {
  std::string yaml = kRolling;
  yaml.replace(yaml.find("steady_rolling"), 14, "transient_rolling");
  constexpr double kCreepages[] = {4.0e-4, 1.0e-3, 2.0e-4};
  const auto run = [&](double first, std::size_t keep) {
    Solver solver = make(yaml);
    REQUIRE(slipfield_set_number(solver.get(), "solver.tolerance", 1e-11) == SLIPFIELD_OK);
    REQUIRE(slipfield_keep_steps(solver.get(), keep) == SLIPFIELD_OK);
    for (const double creepage : {first, kCreepages[1], kCreepages[2]}) {
      REQUIRE(slipfield_set_number(solver.get(), "tangential.x.creepage", creepage) ==
              SLIPFIELD_OK);
      REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
    }
    return solver;
  };
  const Solver solver = run(kCreepages[0], 3);
  const double one = 1.0;
  const double* const seeds[] = {&one};
  double found[3];
  double* const values[] = {&found[0], &found[1], &found[2]};
  std::size_t near_change[3];
  REQUIRE(slipfield_get_gradients(solver.get(), 3, "force_x", seeds, "tangential.x.creepage",
                                  values, near_change) == SLIPFIELD_OK);
  const double h = 1e-7 * kCreepages[0];
  const double difference =
      (total(run(kCreepages[0] + h, 0), "force_x") - total(run(kCreepages[0] - h, 0), "force_x")) /
      (2.0 * h);
  // tolerance 1e-11 of the force over 2e-7 of the creepage
  CHECK(found[0] == near(difference, 1e-3));
  double last = 0.0;
  double* const of_last[] = {&last};
  REQUIRE(slipfield_get_gradient(solver.get(), SLIPFIELD_WHOLE, 0, "force_x", seeds,
                                 "tangential.x.creepage", of_last, nullptr) == SLIPFIELD_OK);
  CHECK(found[2] == near(last, 1e-9));
  CHECK(slipfield_get_gradients(solver.get(), 4, "force_x", seeds, "tangential.x.creepage", values,
                                nullptr) == SLIPFIELD_BAD_INPUT);
  CHECK(says("steps: 4, and 3 were kept; accepted: 1 to the number of steps that were kept"));
  REQUIRE(slipfield_keep_steps(solver.get(), 1) == SLIPFIELD_OK);
  CHECK(slipfield_get_gradients(solver.get(), 2, "force_x", seeds, "tangential.x.creepage", values,
                                nullptr) == SLIPFIELD_BAD_INPUT);
}

TEST_CASE("C library: the problem as a struct is the case that it stands for") {
  slipfield_problem problem;
  slipfield_problem_init(&problem);
  problem.shear_modulus[0] = problem.shear_modulus[1] = 1.0;
  problem.poisson_ratio[0] = problem.poisson_ratio[1] = 0.28;
  problem.friction = 0.3;
  problem.elements[0] = problem.elements[1] = 16;
  problem.length[0] = problem.length[1] = 2.4;
  problem.curvature[0] = problem.curvature[1] = 0.02;
  problem.normal_force = 0.04;
  problem.creepage[0] = 1.0e-3;
  slipfield_options options = cpu_options();
  slipfield_solver* made = nullptr;
  REQUIRE(slipfield_solver_create_from_problem(&problem, &options, &made) == SLIPFIELD_OK);
  const Solver solver(made);
  const Solver same = make(kRolling);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  REQUIRE(slipfield_advance(same.get()) == SLIPFIELD_OK);
  CHECK(total(solver, "force_x") == near(total(same, "force_x"), 1e-5));
  problem.poisson_ratio[1] = 0.7;
  made = nullptr;
  CHECK(slipfield_solver_create_from_problem(&problem, &options, &made) == SLIPFIELD_BAD_INPUT);
  CHECK(says("bodies.lower.poisson_ratio: 0.7 is out of range"));
  problem.size = 3;
  CHECK(slipfield_solver_create_from_problem(&problem, &options, &made) == SLIPFIELD_BAD_INPUT);
}

TEST_CASE("C library: heights and coefficients of friction from the caller's arrays") {
  std::string yaml = kRolling;
  yaml.replace(yaml.find("{type: sphere, radius: 50.0}"), 28, "{type: heights, file: array:h}");
  yaml.replace(yaml.find("{coefficient: 0.3}"), 18, "{coefficient: {file: array:mu}}");
  std::vector<double> heights(256);
  std::vector<double> friction(256, 0.3);
  for (int iy = 0; iy < 16; ++iy)
    for (int ix = 0; ix < 16; ++ix)
      heights[static_cast<std::size_t>(16 * iy + ix)] =
          (std::pow(0.15 * (ix - 7.5), 2) + std::pow(0.15 * (iy - 7.5), 2)) / 100.0;
  const std::array<slipfield_array, 2> arrays{
      {{"h", heights.data(), 16, 16}, {"mu", friction.data(), 16, 16}}};
  slipfield_options options = cpu_options();
  options.arrays = arrays.data();
  options.array_count = arrays.size();
  const Solver solver = make(yaml, options);
  REQUIRE_MESSAGE(solver, message());
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  const Solver sphere = make(kRolling);
  REQUIRE(slipfield_advance(sphere.get()) == SLIPFIELD_OK);
  CHECK(total(solver, "force_x") == near(total(sphere, "force_x"), 1e-5));
  friction.assign(256, 0.15);
  REQUIRE(slipfield_set_array(solver.get(), &arrays[1]) == SLIPFIELD_OK);
  REQUIRE(slipfield_set_number(solver.get(), "tangential.x.creepage", 0.1) == SLIPFIELD_OK);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  CHECK(total(solver, "force_x") == near(-0.15 * 0.04, 1e-5));  // full sliding
  friction.assign(256, 0.1);
  // Memory of the host is accepted where there is a GPU.
  const slipfield_status status = slipfield_set_array_device(solver.get(), &arrays[1]);
  REQUIRE((status == SLIPFIELD_OK || (status == SLIPFIELD_FAILED && says("CUDA"))));
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  CHECK(total(solver, "force_x") ==
        near(status == SLIPFIELD_OK ? -0.1 * 0.04 : -0.15 * 0.04, 1e-5));
  CHECK(slipfield_set_array(solver.get(), &arrays[0]) == SLIPFIELD_BAD_INPUT);
  friction[17] = -1.0;
  CHECK(slipfield_set_array(solver.get(), &arrays[1]) == SLIPFIELD_BAD_INPUT);
  options.array_count = 1;
  CHECK(!make(yaml, options));
  CHECK(says("mu"));
}

TEST_CASE("C library: a batch sets the case as its own sweep does, also a shape of hertz") {
  const std::string rolling = kRolling;
  const std::string sphere = "{type: sphere, radius: 50.0}";
  const Solver hertz = make(std::string(rolling).replace(rolling.find(sphere), sphere.size(),
                                                         "{type: hertz, semi_axes: [0.9, 0.8]}"));
  const std::array forces{0.02, 0.08};
  std::array<double, 2> values{};
  REQUIRE(slipfield_batch(hertz.get(), 2, "normal.force", forces.data(), "max_pressure",
                          values.data(), nullptr, nullptr, nullptr) == SLIPFIELD_OK);
  // In the same ellipse stresses are proportional to the force; each is solved to 1e-6.
  CHECK(values[1] == near(4.0 * values[0], 1e-5));
  for (std::size_t i = 0; i < 2; ++i) {
    REQUIRE(slipfield_set_number(hertz.get(), "normal.force", forces.at(i)) == SLIPFIELD_OK);
    slipfield_state* start = nullptr;
    REQUIRE(slipfield_state_save(hertz.get(), &start) == SLIPFIELD_OK);
    REQUIRE(slipfield_advance(hertz.get()) == SLIPFIELD_OK);
    CHECK(total(hertz, "max_pressure") == near(values.at(i), 1e-5));
    REQUIRE(slipfield_state_restore(hertz.get(), start) == SLIPFIELD_OK);
    slipfield_state_destroy(start);
  }
  const Solver steps = make(rolling + "steps: [{}, {normal: {force: 0.05}}]\n");
  const auto last_force = [&](const char* key, double value) {
    double force = 0.0;
    const slipfield_status status = slipfield_batch(steps.get(), 1, key, &value, "normal_force",
                                                    &force, nullptr, nullptr, nullptr);
    return status == SLIPFIELD_OK ? force : -1.0;
  };
  CHECK(last_force("normal.force", 0.03) == near(0.05, 1e-9));  // the second step's own
  CHECK(last_force("steps.1.normal.force", 0.03) == near(0.03, 1e-9));
  // A load that was set over the steps is swept over them.
  REQUIRE(slipfield_set_number(steps.get(), "normal.force", 0.04) == SLIPFIELD_OK);
  CHECK(last_force("normal.force", 0.03) == near(0.03, 1e-9));
  const Solver first = make(rolling + "steps: [{normal: {force: 0.05}}, {}]\n");
  const double force = 0.03;
  double found = 0.0;
  CHECK(slipfield_batch(first.get(), 1, "normal.force", &force, "normal_force", &found, nullptr,
                        nullptr, nullptr) == SLIPFIELD_BAD_INPUT);
  CHECK(says("normal.force: changes nothing"));
}

TEST_CASE("C library: numbers that the case does not ask for are refused, others are computed") {
  const Solver plain = make(kRolling);
  const Solver inside = make(std::string(kRolling) + "interior: {depths: [0.0, 0.4]}\n");
  REQUIRE(slipfield_advance(plain.get()) == SLIPFIELD_OK);
  REQUIRE(slipfield_advance(inside.get()) == SLIPFIELD_OK);
  for (const char* name : {"max_von_mises", "max_temperature", "max_wear_depth"}) {
    CAPTURE(name);
    double value = 0.0;
    CHECK(slipfield_get_totals(plain.get(), SLIPFIELD_WHOLE, 0, name, &value, 1) ==
          SLIPFIELD_BAD_INPUT);
    CHECK(says("the case does not ask for it"));
  }
  // Under a ball 0.6 p_0 at 0.48 of the radius, with friction at the surface more.
  const double ratio = total(inside, "max_von_mises") / total(inside, "max_pressure");
  CHECK(ratio > 0.55);
  CHECK(ratio < 0.75);
}

TEST_CASE("C library: a callback cancels, and the step can be done again with the same bits") {
  struct Calls {
    int left;
  } calls{2};
  slipfield_options options = cpu_options();
  options.user = &calls;
  options.progress = [](void* user, int, const char*, int, double) {
    return --static_cast<Calls*>(user)->left > 0 ? 1 : 0;
  };
  const Solver solver = make(kRolling, options);
  CHECK(slipfield_advance(solver.get()) == SLIPFIELD_CANCELLED);
  CHECK(slipfield_steps_done(solver.get()) == 0);
  calls.left = 1000000;
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  calls.left = 1;
  CHECK(slipfield_advance(solver.get()) == SLIPFIELD_CANCELLED);
  calls.left = 1000000;
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  const Solver plain = make(kRolling);
  REQUIRE(slipfield_advance(plain.get()) == SLIPFIELD_OK);
  REQUIRE(slipfield_advance(plain.get()) == SLIPFIELD_OK);
  CHECK(same_bits(field(solver, "traction_x"), field(plain, "traction_x")));
}

TEST_CASE("C library: many contacts are those that one solver finds one by one") {
  const Solver solver = make(kRolling);
  const std::vector<double> inputs = {1.0e-4, 0.03, 1.0e-3, 0.04, 3.0e-3, 0.06};
  std::vector<double> totals(6);
  std::array<slipfield_status, 3> statuses{};
  REQUIRE(slipfield_batch(solver.get(), 3, "tangential.x.creepage,normal.force", inputs.data(),
                          "force_x,normal_force", totals.data(), statuses.data(), nullptr,
                          nullptr) == SLIPFIELD_OK);
  for (std::size_t i = 0; i < 3; ++i) {
    const Solver one = make(kRolling);
    slipfield_set_numbers(one.get(), "tangential.x.creepage,normal.force", &inputs[2 * i], 2);
    REQUIRE(slipfield_advance(one.get()) == SLIPFIELD_OK);
    // Small contacts are solved together: to the tolerance of 1e-6, whose error may be some times
    // it.
    CHECK(totals[2 * i] == near(total(one, "force_x"), 1e-5));
    CHECK(totals[2 * i + 1] == near(total(one, "normal_force"), 1e-5));
    CHECK(statuses[i] == SLIPFIELD_OK);
  }
  const std::vector<double> one_wrong = {1.0e-4, 0.03, 1.0e-3, -0.04, 3.0e-3, 0.06};
  CHECK(slipfield_batch(solver.get(), 3, "tangential.x.creepage,normal.force", one_wrong.data(),
                        "force_x,normal_force", totals.data(), statuses.data(), nullptr,
                        nullptr) == SLIPFIELD_BAD_INPUT);
  CHECK(statuses[1] == SLIPFIELD_BAD_INPUT);
  CHECK(says("contact 1: "));
  CHECK(std::isnan(totals[2]));
  CHECK(totals[4] < 0.0);
  CHECK(statuses[2] == SLIPFIELD_OK);
  const auto cancel = [](void*, int, const char*, int, double) { return 0; };
  CHECK(slipfield_batch(solver.get(), 3, "tangential.x.creepage,normal.force", inputs.data(),
                        "force_x,normal_force", totals.data(), statuses.data(), cancel,
                        nullptr) == SLIPFIELD_CANCELLED);
  for (const slipfield_status status : statuses) CHECK(status == SLIPFIELD_FAILED);
}

TEST_CASE("C library: a batch's gradients are those of each contact") {
  const Solver solver = make(kRolling);
  const std::vector<double> inputs = {1.0e-4, 1.0e-3};
  std::vector<double> totals(2);
  std::vector<double> gradients(4);
  std::vector<std::size_t> near_change(2, 99);
  REQUIRE(slipfield_batch_gradients(solver.get(), 2, "tangential.x.creepage", inputs.data(),
                                    "force_x", totals.data(), "force_x",
                                    "tangential.x.creepage,normal.force", gradients.data(),
                                    near_change.data(), nullptr, nullptr, nullptr) == SLIPFIELD_OK);
  for (std::size_t i = 0; i < 2; ++i) {
    const Solver one = make(kRolling);
    slipfield_set_number(one.get(), "tangential.x.creepage", inputs[i]);
    REQUIRE(slipfield_advance(one.get()) == SLIPFIELD_OK);
    const double unit = 1.0;
    const double* const seeds[] = {&unit};
    double by_creepage = 0.0;
    double by_force = 0.0;
    double* const values[] = {&by_creepage, &by_force};
    std::size_t near_one = 0;
    REQUIRE(slipfield_get_gradient(one.get(), SLIPFIELD_WHOLE, 0, "force_x", seeds,
                                   "tangential.x.creepage,normal.force", values,
                                   &near_one) == SLIPFIELD_OK);
    CHECK(near_change[i] == near_one);
    // The solutions are known to 1e-6.
    CHECK(gradients[2 * i] == near(by_creepage, 1e-3));
    CHECK(gradients[2 * i + 1] == near(by_force, 1e-3));
  }
  CHECK(slipfield_batch_gradients(solver.get(), 2, "tangential.x.creepage", inputs.data(),
                                  "force_x", totals.data(), "force_x", "normal.force", nullptr,
                                  nullptr, nullptr, nullptr, nullptr) == SLIPFIELD_BAD_INPUT);
  CHECK(says("gradients"));
}

TEST_CASE("C library: a file that is not a result is never replaced") {
  const Solver solver = make(kRolling);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  const std::string path = "library_calls_notes.h5";
  std::ofstream(path) << "my notes\n";
  CHECK(slipfield_write(solver.get(), path.c_str(), SLIPFIELD_OVERWRITE_RESULT) ==
        SLIPFIELD_BAD_INPUT);
  std::string line;
  std::getline(std::ifstream(path) >> std::ws, line);
  CHECK(line == "my notes");
  CHECK(slipfield_write(solver.get(), "notes.txt", 0) == SLIPFIELD_BAD_INPUT);
  CHECK(slipfield_write(solver.get(), path.c_str(), 7) == SLIPFIELD_BAD_INPUT);
  CHECK(slipfield_write(solver.get(), path.c_str(), 0) == SLIPFIELD_BAD_INPUT);
  CHECK(says("accepted: another name, or flags SLIPFIELD_OVERWRITE_RESULT"));
  CHECK_FALSE(says("--overwrite"));
  std::remove(path.c_str());
}

TEST_CASE("C library: a file that the system refuses has failed, and no message names an option") {
  const Solver solver = make(kRolling);
  REQUIRE(slipfield_advance(solver.get()) == SLIPFIELD_OK);
  CHECK(slipfield_write(solver.get(), "no_such_folder/out.h5", 0) == SLIPFIELD_FAILED);
  CHECK(says("there is no folder no_such_folder"));
  CHECK(slipfield_record_begin(solver.get(), "no_such_folder/out.h5", 0) == SLIPFIELD_FAILED);
  const std::string path = "library_calls_foreign.h5";
  std::ofstream(path) << "my notes\n";
  CHECK(slipfield_write(solver.get(), path.c_str(), SLIPFIELD_OVERWRITE_RESULT) ==
        SLIPFIELD_BAD_INPUT);
  CHECK(says("is not a slipfield result and is not overwritten; accepted: another name"));
  CHECK_FALSE(says(" -o"));
  std::remove(path.c_str());
}

TEST_SUITE_END();
