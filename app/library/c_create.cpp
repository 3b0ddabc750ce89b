// SPDX-License-Identifier: Apache-2.0
// The C library: making solvers.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <utility>

#include "app/library/c_call.h"
#include "io/provenance.h"
#include "solver/error.h"

namespace slipfield::c_library {
namespace {

// Copies the members in the caller's struct, which may come from an older or newer header; all
// others keep their defaults.
template <typename Struct>
Struct sized_copy(const Struct* given, void (*init)(Struct*), std::string_view name) {
  Struct copy{};
  init(&copy);
  if (given == nullptr) return copy;
  if (given->size < sizeof(std::size_t) || given->size > 16 * sizeof(Struct))
    throw InputError(
        fmt::format("{}.size: {} is not the size of the struct; accepted: as "
                    "slipfield_{}_init sets it",
                    name, given->size, name));
  std::memcpy(&copy, given, std::min(given->size, sizeof(Struct)));
  copy.size = sizeof(Struct);
  return copy;
}

constexpr int kMostThreads = 4096;

CaseSolverOptions options_of(const slipfield_options* given) {
  const slipfield_options options = sized_copy(given, slipfield_options_init, "options");
  CaseSolverOptions result;
  result.backend.choice = backend_from_name(options.backend == nullptr ? "auto" : options.backend);
  if (options.device < -1)
    throw InputError(fmt::format(
        "options.device: {} is out of range; accepted: a number from 0, or -1", options.device));
  if (options.device >= 0) result.backend.gpu = options.device;
  if (options.threads < 0 || options.threads > kMostThreads)
    throw InputError(fmt::format("options.threads: {} is out of range; accepted: 0 to {}",
                                 options.threads, kMostThreads));
  result.threads = options.threads;
  if (options.folder != nullptr) result.folder = options.folder;
  if (options.array_count > 0) require(options.arrays, "options.arrays");
  for (std::size_t i = 0; i < options.array_count; ++i)
    result.arrays.push_back(array_of(&options.arrays[i]));
  result.rewind = options.progress != nullptr;
  if (result.rewind)
    result.progress = [call = options.progress, user = options.user](int step,
                                                                     const Progress& progress) {
      return call(user, step, phase_name(progress.phase).data(), progress.iteration,
                  progress.change) != 0;
    };
  return result;
}

std::string case_of(const slipfield_problem& problem) {
  const auto body = [&](int i) {
    return fmt::format("{{shear_modulus: {}, poisson_ratio: {}}}", problem.shear_modulus[i],
                       problem.poisson_ratio[i]);
  };
  if (problem.normal_force != 0.0 && problem.approach != 0.0)
    throw InputError(
        "normal_force and approach are both given; accepted: one of them, the other 0");
  std::string text = fmt::format(
      "schema: 1\nunits: {}\nbodies: {{upper: {}, lower: {}}}\n"
      "grid: {{elements: [{}, {}], spacing: [{}, {}]}}\n"
      "geometry: {{type: quadratic, xx: {}, yy: {}}}\n",
      problem.si != 0 ? "SI" : "N-mm-s", body(0), body(1), problem.elements[0], problem.elements[1],
      problem.length[0] / problem.elements[0], problem.length[1] / problem.elements[1],
      problem.curvature[0] / 2, problem.curvature[1] / 2);
  text += problem.approach != 0.0 ? fmt::format("normal: {{approach: {}}}\n", problem.approach)
                                  : fmt::format("normal: {{force: {}}}\n", problem.normal_force);
  if (problem.friction == 0.0) return text;
  return text + fmt::format(
                    "friction: {{coefficient: {}}}\n"
                    "tangential: {{problem: steady_rolling, x: {{creepage: {}}}, y: {{creepage: "
                    "{}}}, spin: {}}}\n",
                    problem.friction, problem.creepage[0], problem.creepage[1], problem.spin);
}

slipfield_status create(slipfield_solver** solver, const slipfield_options* options,
                        const std::function<std::unique_ptr<CaseSolver>(CaseSolverOptions)>& make) {
  return guarded([&] {
    require(solver, "solver");
    auto made = std::make_unique<slipfield_solver>();
    made->solver = make(options_of(options));
    *solver = made.release();
  });
}

}  // namespace

NamedArray array_of(const slipfield_array* array,
                    void (*copy)(void* to, const void* from, std::size_t bytes)) {
  require(array, "array");
  require(array->name, "array.name");
  require(array->values, "array.values");
  if (array->mx < 1 || array->my < 1 || array->mx > kMostSamples || array->my > kMostSamples)
    throw InputError(fmt::format("array {}: {} x {} values; accepted: 1 to {} in each direction",
                                 array->name, array->mx, array->my, kMostSamples));
  Heights heights;
  heights.mx = array->mx;
  heights.my = array->my;
  const std::size_t count =
      static_cast<std::size_t>(array->mx) * static_cast<std::size_t>(array->my);
  if (copy == nullptr) {
    heights.values.assign(array->values, array->values + count);
  } else {
    heights.values.resize(count);
    copy(heights.values.data(), array->values, count * sizeof(double));
  }
  return {array->name, std::make_shared<const Heights>(std::move(heights))};
}

}  // namespace slipfield::c_library

using namespace slipfield;             // NOLINT(google-build-using-namespace)
using namespace slipfield::c_library;  // NOLINT(google-build-using-namespace)

const char* slipfield_version(void) { return build_info().version; }

int slipfield_api_version(void) { return SLIPFIELD_API_VERSION; }

void slipfield_options_init(slipfield_options* options) {
  if (options == nullptr) return;
  *options = {};
  options->size = sizeof *options;
  options->backend = "auto";
  options->device = -1;
}

void slipfield_problem_init(slipfield_problem* problem) {
  if (problem == nullptr) return;
  *problem = {};
  problem->size = sizeof *problem;
  problem->elements[0] = problem->elements[1] = 32;
}

slipfield_status slipfield_solver_create_from_file(const char* path,
                                                   const slipfield_options* options,
                                                   slipfield_solver** solver) {
  return create(solver, options, [&](CaseSolverOptions made) {
    require(path, "path");
    return CaseSolver::from_file(path, std::move(made));
  });
}

slipfield_status slipfield_solver_create_from_text(const char* yaml, size_t length,
                                                   const slipfield_options* options,
                                                   slipfield_solver** solver) {
  return create(solver, options, [&](CaseSolverOptions made) {
    require(yaml, "yaml");
    return CaseSolver::from_text(std::string(yaml, length), std::move(made));
  });
}

slipfield_status slipfield_solver_create_from_problem(const slipfield_problem* problem,
                                                      const slipfield_options* options,
                                                      slipfield_solver** solver) {
  return create(solver, options, [&](CaseSolverOptions made) {
    require(problem, "problem");
    return CaseSolver::from_text(case_of(sized_copy(problem, slipfield_problem_init, "problem")),
                                 std::move(made));
  });
}

void slipfield_solver_destroy(slipfield_solver* solver) {
  guarded([&] { delete solver; });
}
