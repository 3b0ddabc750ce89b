// SPDX-License-Identifier: Apache-2.0
// The libraries' solver on the GPU: fields into the caller's memory of the GPU, states, batches,
// threads.
#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/library/batch_gradient.h"
#include "app/library/case_solver.h"
#include "app/library/step_gradient.h"
#include "solver/gradient/step_systems.h"
#include "tests/support/near.h"

namespace slipfield {
namespace {

constexpr const char* kRolling =
    "schema: 1\nunits: N-mm-s\n"
    "bodies: {upper: {shear_modulus: 1.0, poisson_ratio: 0.28},\n"
    "         lower: {shear_modulus: 1.0, poisson_ratio: 0.28}}\n"
    "friction: {coefficient: 0.3}\n"
    "grid: {elements: [24, 20], spacing: [0.1, 0.12]}\n"
    "geometry: {type: sphere, radius: 50.0}\n"
    "normal: {force: 0.04}\n"
    "tangential: {problem: transient_rolling, x: {creepage: 1.0e-3}, y: {creepage: 0.0}}\n";

std::unique_ptr<CaseSolver> on(BackendChoice choice) {
  CaseSolverOptions options;
  options.backend.choice = choice;
  return CaseSolver::from_text(kRolling, std::move(options));
}

double total(CaseSolver& solver, const char* name) { return solver.totals({name}).front(); }

std::vector<double> host_field(CaseSolver& solver, const char* name) {
  std::vector<double> values(480);
  solver.field(name, {}, values);
  return values;
}

std::vector<double> device_field(CaseSolver& solver, const char* name) {
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 480 * sizeof(double)) == cudaSuccess);
  solver.field_to_cuda(name, {}, {static_cast<double*>(memory), 480});
  std::vector<double> values(480);
  REQUIRE(cudaMemcpy(values.data(), memory, 480 * sizeof(double), cudaMemcpyDeviceToHost) ==
          cudaSuccess);
  cudaFree(memory);
  return values;
}

}  // namespace

TEST_SUITE_BEGIN("gpu");

TEST_CASE("gpu library: fields in the caller's memory of the GPU are those of the host") {
  const auto solver = on(BackendChoice::cuda);
  solver->advance();
  for (const char* name : {"pressure", "traction_x", "gap", "element_division"})
    CHECK(device_field(*solver, name) == host_field(*solver, name));
  CHECK(solver->cuda_values("pressure") != nullptr);
  const auto host = on(BackendChoice::cpu);
  host->advance();
  CHECK(host->cuda_values("pressure") == nullptr);
  CHECK(device_field(*host, "pressure") == host_field(*host, "pressure"));
}

TEST_CASE("gpu library: gradients are computed on the GPU that solved the step, as on the CPU") {
  const auto solver = on(BackendChoice::cuda);
  const auto host = on(BackendChoice::cpu);
  CHECK(!solver->step_systems());  // before the backend is chosen
  for (const auto* of : {&solver, &host}) {
    (*of)->advance();
    (*of)->advance();
  }
  // Systems on a device make it the thread's own.
  SystemsTask task;
  task.grid = solver->problem().grid;
  task.material = contact_material(solver->problem());
  CHECK(solver->step_systems()(task)->enter() != nullptr);
  CHECK(host->step_systems()(task)->enter() == nullptr);
  const NamedValues seed{{"force_x", {1.0}}, {"force_y", {1.0}}, {"moment_z", {1.0}}};
  const NamedValues found = solver->gradient().gradient(seed);
  const NamedValues expected = host->gradient().gradient(seed);
  REQUIRE(found.size() == expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    CAPTURE(found[k].name);
    CHECK(found[k].name == expected[k].name);
    double greatest = 0.0;
    double apart = 0.0;
    REQUIRE(found[k].values.size() == expected[k].values.size());
    for (std::size_t i = 0; i < found[k].values.size(); ++i) {
      greatest = std::fmax(greatest, std::fabs(expected[k].values[i]));
      apart = std::fmax(apart, std::fabs(found[k].values[i] - expected[k].values[i]));
    }
    CHECK(apart <= 1e-5 * greatest);  // of two solutions, each to its tolerance
  }
}

TEST_CASE("gpu library: a state restored gives the bits again, and the CPU's forces") {
  const auto solver = on(BackendChoice::cuda);
  const auto host = on(BackendChoice::cpu);
  solver->advance();
  host->advance();
  const SavedSteps saved = solver->save();
  solver->advance();
  const std::vector<double> first = host_field(*solver, "traction_x");
  solver->restore(saved);
  solver->advance();
  CHECK(host_field(*solver, "traction_x") == first);
  host->advance();
  CHECK(total(*solver, "force_x") == test::near(total(*host, "force_x"), 1e-5));
}

TEST_CASE("gpu library: a batch and threads of the caller give the bits of single solvers") {
  const auto solver = on(BackendChoice::cuda);
  BatchRequest request;
  request.count = 6;
  request.outputs = {"force_x"};
  const auto changes = [](std::size_t i) {
    return std::vector<KeyValue>{
        {"tangential.x.creepage", yaml_number(1.0e-4 * static_cast<double>(i + 1))}};
  };
  request.inputs = changes;
  const BatchResult batch = solve_batch(*solver, request);
  std::vector<double> forces(request.count);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < request.count; ++i)
    threads.emplace_back([&, i] {
      const auto one = on(BackendChoice::cuda);
      one->set(changes(i));
      one->advance();
      forces[i] = total(*one, "force_x");
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < request.count; ++i) CHECK(batch.totals[i] == forces[i]);
  CHECK(forces[0] != forces[1]);
}

TEST_CASE("gpu library: a batch's small contacts have the CPU's gradients, also when kept") {
  const auto steady = [](BackendChoice choice) {
    CaseSolverOptions options;
    options.backend.choice = choice;
    std::string text = kRolling;
    text.replace(text.find("transient"), std::string("transient").size(), "steady");
    text += "solver: {tolerance: 1.0e-10}\n";
    return CaseSolver::from_text(text, std::move(options));
  };
  BatchRequest request;
  request.count = 8;
  request.outputs = {"force_x"};
  request.inputs = [](std::size_t i) {
    return std::vector<KeyValue>{
        {"tangential.x.creepage", yaml_number(2.0e-4 * static_cast<double>(i + 1))}};
  };
  request.gradient_of = {"force_x", "approach"};
  request.gradient_to = {"undeformed_distance", "friction.coefficient", "normal.force",
                         "tangential.x.creepage"};
  request.keep = true;
  const auto card = steady(BackendChoice::cuda);
  const auto host = steady(BackendChoice::cpu);
  const BatchResult found = solve_batch(*card, request);
  const BatchResult expected = solve_batch(*host, request);
  CHECK(found.near_change == expected.near_change);
  // 1e-7: of two solutions, each to 1e-10 of its tractions
  const auto check_near = [](const std::vector<double>& one, const std::vector<double>& two) {
    REQUIRE(one.size() == two.size());
    for (std::size_t k = 0; k < one.size(); ++k)
      CHECK(std::fabs(one[k] - two[k]) <= 1e-7 * std::fmax(std::fabs(two[k]), 1e-3));
  };
  check_near(found.gradients, expected.gradients);
  const NamedValues seeds{{"force_x", std::vector<double>(request.count, 1.0)}};
  const std::vector<std::string> inputs{"friction.coefficient", "stiffness"};
  const NamedValues together = BatchGradient(found.kept, 0, 0).gradient(seeds, inputs);
  const NamedValues by_threads = BatchGradient(found.kept, 0).gradient(seeds, inputs);
  for (const std::size_t k : {0, 1}) check_near(together[k].values, by_threads[k].values);
}

TEST_SUITE_END();

}  // namespace slipfield
