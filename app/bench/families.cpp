// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/bench/kinds.h"
#include "app/console.h"
#include "app/failure.h"
#include "app/run/solver_factory.h"
#include "solver/error.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

constexpr double kEllipseA = 8.0;  // [mm]
constexpr double kEllipseB = 4.0;
constexpr double kFamilyForce = 82000.0;      // [N]
constexpr double kRollingVelocity = 30000.0;  // [mm/s]
constexpr double kFamilyFriction = 0.3;

enum class FamilyMotion { steady, forces, shift, transient };

struct Family {
  FamilyMotion motion = FamilyMotion::steady;
  const char* name = "";
  bool unlike = false;
  bool falls = false;
  bool second_order = false;
};

// The elastic case of each motion comes first and is the reference of the rows after it.
constexpr std::array kFamilies = {
    Family{FamilyMotion::steady, "steady rolling"},
    Family{FamilyMotion::steady, "steady rolling, falling friction", false, true},
    Family{FamilyMotion::steady, "steady rolling, unlike bodies", true},
    Family{FamilyMotion::steady, "steady rolling, unlike bodies, falling friction", true, true},
    Family{FamilyMotion::steady, "second order", false, false, true},
    Family{FamilyMotion::steady, "second order, falling friction", false, true, true},
    Family{FamilyMotion::steady, "second order, unlike bodies", true, false, true},
    Family{FamilyMotion::forces, "forces given"},
    Family{FamilyMotion::forces, "forces given, unlike bodies", true},
    Family{FamilyMotion::forces, "forces given, second order", false, false, true},
    Family{FamilyMotion::shift, "shift"},
    Family{FamilyMotion::shift, "shift, falling friction", false, true},
    Family{FamilyMotion::shift, "shift, unlike bodies", true},
    Family{FamilyMotion::shift, "shift, unlike bodies, falling friction", true, true},
    Family{FamilyMotion::transient, "three transient steps"},
    Family{FamilyMotion::transient, "three transient steps, falling friction", false, true},
    Family{FamilyMotion::transient, "three transient steps, unlike bodies", true},
    Family{FamilyMotion::transient, "three transient steps, unlike bodies, falling friction", true,
           true},
    Family{FamilyMotion::transient, "three transient steps, second order", false, false, true},
    Family{FamilyMotion::transient, "three transient steps, second order, unlike bodies", true,
           false, true}};

bool is_elastic(const Family& family) {
  return !family.unlike && !family.falls && !family.second_order;
}

// Creepages and spin [1/mm], and the prescribed forces in parts of mu F_n.
struct FamilyLoad {
  double x, y, spin;
  double ratio_x, ratio_y;
};
constexpr std::array kFamilyLoads = {
    FamilyLoad{-2.0e-4, 1.0e-4, 1.0e-4, -0.2, 0.1}, FamilyLoad{-6.0e-4, 3.0e-4, 3.0e-4, -0.5, 0.3},
    FamilyLoad{0.0, -6.25e-4, 6.25e-4, 0.3, -0.4}, FamilyLoad{-1.3e-3, 5.0e-4, 2.0e-4, -0.85, 0.3}};

ContactProblem problem_of(const Family& family, const FamilyLoad& load,
                          const std::array<int, 2>& size) {
  constexpr double kGridMargin = 1.1;
  ContactProblem problem;
  problem.lower = {82000.0, 0.28};  // steel [N/mm^2]
  problem.upper = problem.lower;
  if (family.unlike) problem.upper = {23000.0, 0.31};  // aluminium
  problem.grid = {size[0],
                  size[1],
                  2.0 * kGridMargin * kEllipseA / size[0],
                  2.0 * kGridMargin * kEllipseB / size[1],
                  -kGridMargin * kEllipseA,
                  -kGridMargin * kEllipseB};
  problem.geometry = {HertzShape{kEllipseA, kEllipseB, kFamilyForce}};
  if (family.second_order) problem.solver.rolling = RollingScheme::second_order;
  StepInput step;
  step.normal = {NormalControl::force, kFamilyForce};
  step.friction.coefficient = kFamilyFriction;
  // Falls by a tenth to a third at the slip velocities of these loads, 6 to 40 mm/s.
  if (family.falls) {
    step.friction.law = FrictionLaw::exponential;
    step.friction.kinetic = 0.6 * kFamilyFriction;
    step.friction.half_velocity = 100.0;
  }
  Tangential& tangential = step.tangential;
  tangential.problem = family.motion == FamilyMotion::shift ? TangentialProblem::shift
                       : family.motion == FamilyMotion::transient
                           ? TangentialProblem::transient_rolling
                           : TangentialProblem::steady_rolling;
  const bool rolls = is_rolling(tangential.problem);
  const double reach = rolls ? 1.0 : 0.6 * kEllipseA;  // rolled until creepages equal the shift's
  tangential.x = {TangentialControl::rigid, reach * load.x};
  tangential.y = {TangentialControl::rigid, reach * load.y};
  tangential.rotation = reach * load.spin;
  if (family.motion == FamilyMotion::forces) {
    tangential.x = {TangentialControl::force_ratio, load.ratio_x};
    tangential.y = {TangentialControl::force_ratio, load.ratio_y};
  }
  if (rolls) {
    tangential.velocity = kRollingVelocity;
    tangential.step = problem.grid.dx;
  } else {
    tangential.duration = reach / kRollingVelocity;
  }
  if (family.motion == FamilyMotion::transient) step.repeat = 3;
  problem.steps = {step};
  return problem;
}

struct FamilyWork {
  double seconds = 0.0;
  std::int64_t products = 0;
  bool converged = true;
};

FamilyWork solve_family(const SettledBackend& backend, const ContactProblem& problem) {
  const auto solver =
      make_solver(backend, problem, [](const Progress&) { throw_if_interrupted(); });
  FamilyWork work;
  const StepInput& step = problem.steps.front();
  for (int i = 0; i < step.repeat; ++i) {
    const StepReport report = solver->advance(step);
    work.seconds += report.seconds;
    work.products += report.matrix_products;
    work.converged = work.converged && report.outcome == Outcome::converged;
    if (report.outcome != Outcome::converged) log_warning(report.message);
  }
  return work;
}

// Measures all families on one grid; sets the exit code to 1 if one does not converge.
void measure_families(BackendChoice choice, bool silent, const std::array<int, 2>& size,
                      BenchOutcome& outcome) {
  std::array<std::int64_t, kFamilyLoads.size()> elastic{};
  std::int64_t elastic_sum = 0;
  for (const Family& family : kFamilies) {
    BenchFigure figure;
    double greatest = 0.0;  // of the loads
    bool converged = true;
    std::string backend_name;
    for (std::size_t i = 0; i < kFamilyLoads.size(); ++i) {
      const ContactProblem problem = problem_of(family, kFamilyLoads[i], size);
      const SettledBackend backend = settle_backend({choice}, problem);
      backend_name = backend.name;
      const FamilyWork work = solve_family(backend, problem);
      converged = converged && work.converged;
      figure.products += work.products;
      figure.line.milliseconds += 1.0e3 * work.seconds;
      if (is_elastic(family)) elastic[i] = work.products;
      greatest =
          std::max(greatest, static_cast<double>(work.products) / static_cast<double>(elastic[i]));
    }
    if (is_elastic(family)) elastic_sum = figure.products;
    const double ratio = static_cast<double>(figure.products) / static_cast<double>(elastic_sum);
    figure.line.name = fmt::format("{} on {}", family.name, backend_name);
    figure.line.size = fmt::format("{}x{}", size[0], size[1]);
    if (!converged) outcome.exit_code = static_cast<int>(ExitCode::not_converged);
    (*outcome.document)["families"].push_back({{"name", family.name},
                                               {"size", figure.line.size},
                                               {"products", figure.products},
                                               {"of_elastic", ratio},
                                               {"greatest_of_elastic", greatest},
                                               {"converged", converged},
                                               {"milliseconds", figure.line.milliseconds}});
    if (!silent)
      print_line(fmt::format("{:<63} {:>9} {:>9} {:>11.2f} {:>9.2f} {:>10.4g}{}", figure.line.name,
                             figure.line.size, figure.products / kFamilyLoads.size(), ratio,
                             greatest, figure.line.milliseconds / kFamilyLoads.size(),
                             converged ? "" : "  not converged"));
    outcome.figures.push_back(std::move(figure));
  }
}

}  // namespace

BenchOutcome bench_families(const BenchArguments& arguments, bool silent) {
  constexpr int kLeast = 16;
  BenchOutcome outcome;
  outcome.document = std::make_shared<nlohmann::ordered_json>();
  if (!silent)
    print_line(fmt::format("{:<63} {:>9} {:>9} {:>11} {:>9} {:>10}", "products of a solve", "size",
                           "products", "of elastic", "at most", "ms"));
  for (const auto& size : sizes_of(arguments, {{64, 64}})) {
    if (size[0] < kLeast || size[1] < kLeast)
      throw InputError(
          fmt::format("--size {}x{}: too coarse; accepted: 16x16 and finer", size[0], size[1]));
    measure_families(backend_from_name(arguments.backend), silent, size, outcome);
  }
  return outcome;
}

}  // namespace slipfield
