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

namespace families {

enum class FamilyMotion { steady, forces, shift, transient };

using Addition = void (*)(ContactProblem& problem);

template <Addition... additions>
void with(ContactProblem& problem) {
  (additions(problem), ...);
}

void unlike(ContactProblem& problem) { problem.upper = {23000.0, 0.31}; }  // aluminium
void second_order(ContactProblem& problem) { problem.solver.rolling = RollingScheme::second_order; }
// Falls by a tenth to a third at the slip velocities of these loads, 6 to 40 mm/s.
template <FrictionLaw law>
void by_law(ContactProblem& problem) {
  Friction& friction = problem.steps[0].friction;
  friction.law = law;
  friction.kinetic = 0.6 * kFamilyFriction;
  if (law != FrictionLaw::constant) friction.half_velocity = 100.0;
}
constexpr Addition kFalling = by_law<FrictionLaw::exponential>;
void second_term(ContactProblem& problem) {
  problem.steps[0].friction.second_drop = 0.2 * kFamilyFriction;
  problem.steps[0].friction.second_half_velocity = 50.0;
}
void memory(ContactProblem& problem) {
  problem.steps[0].friction.memory_distance = 1.0e-3;
  problem.steps[0].friction.memory_velocity = 1.0;
}
// hardens: in per cent of the layer's stiffness.
template <int hardens>
void layer(ContactProblem& problem) {
  problem.layer.compliance = 0.1 * kEllipseB / problem.lower.shear_modulus;
  problem.layer.yield_stress = 200.0;
  problem.layer.hardening = 0.01 * hardens / problem.layer.compliance;
}
void creep(ContactProblem& problem) {
  for (ElasticBody* body : {&problem.upper, &problem.lower})
    body->creep = {{1.0, kEllipseA / kRollingVelocity}};
}
void coating(ContactProblem& problem) {
  problem.upper.below = {{problem.upper.shear_modulus, problem.upper.poisson_ratio, 0.0}};
  problem.upper.shear_modulus *= 2.0;
  problem.upper.thickness = 0.2 * kEllipseB;
}

struct Family {
  FamilyMotion motion = FamilyMotion::steady;
  const char* name = "";
  Addition add = nullptr;
};

// The elastic case of each motion comes first and is the reference of the rows after it.
using enum FamilyMotion;
constexpr std::array kFamilies = {
    Family{steady, "steady rolling"},
    Family{steady, "steady rolling, falling friction", kFalling},
    Family{steady, "steady rolling, static and kinetic friction", by_law<FrictionLaw::constant>},
    Family{steady, "steady rolling, friction falling linearly",
           by_law<FrictionLaw::linear_falling>},
    Family{steady, "steady rolling, rational friction", by_law<FrictionLaw::rational>},
    Family{steady, "steady rolling, friction falling in two terms", with<kFalling, second_term>},
    Family{steady, "steady rolling, friction with memory", with<kFalling, memory>},
    Family{steady, "steady rolling, unlike bodies", unlike},
    Family{steady, "steady rolling, unlike bodies, falling friction", with<unlike, kFalling>},
    Family{steady, "steady rolling, layer that yields", layer<0>},
    Family{steady, "steady rolling, layer that hardens", layer<20>},
    Family{steady, "steady rolling, layer that softens", layer<-5>},
    Family{steady, "steady rolling, viscoelastic bodies", creep},
    Family{steady, "steady rolling, coated body", coating},
    Family{steady, "second order", second_order},
    Family{steady, "second order, falling friction", with<second_order, kFalling>},
    Family{steady, "second order, unlike bodies", with<second_order, unlike>},
    Family{forces, "forces given"},
    Family{forces, "forces given, unlike bodies", unlike},
    Family{forces, "forces given, second order", second_order},
    Family{shift, "shift"},
    Family{shift, "shift, falling friction", kFalling},
    Family{shift, "shift, static and kinetic friction", by_law<FrictionLaw::constant>},
    Family{shift, "shift, unlike bodies", unlike},
    Family{shift, "shift, unlike bodies, falling friction", with<unlike, kFalling>},
    Family{shift, "shift, layer that hardens", layer<20>},
    Family{shift, "shift, viscoelastic bodies", creep},
    Family{shift, "shift, coated body", coating},
    Family{transient, "three transient steps"},
    Family{transient, "three transient steps, falling friction", kFalling},
    Family{transient, "three transient steps, static and kinetic friction",
           by_law<FrictionLaw::constant>},
    Family{transient, "three transient steps, friction with memory", with<kFalling, memory>},
    Family{transient, "three transient steps, unlike bodies", unlike},
    Family{transient, "three transient steps, unlike bodies, falling friction",
           with<unlike, kFalling>},
    Family{transient, "three transient steps, viscoelastic bodies", creep},
    Family{transient, "three transient steps, coated body", coating},
    Family{transient, "three transient steps, second order", second_order},
    Family{transient, "three transient steps, second order, unlike bodies",
           with<second_order, unlike>}};

}  // namespace families

using families::Family;
using families::FamilyMotion;
using families::kFamilies;

bool is_elastic(const Family& family) { return family.add == nullptr; }

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
  problem.grid = {size[0],
                  size[1],
                  2.0 * kGridMargin * kEllipseA / size[0],
                  2.0 * kGridMargin * kEllipseB / size[1],
                  -kGridMargin * kEllipseA,
                  -kGridMargin * kEllipseB};
  problem.geometry = {HertzShape{kEllipseA, kEllipseB, kFamilyForce}};
  StepInput step;
  step.normal = {NormalControl::force, kFamilyForce};
  step.friction.coefficient = kFamilyFriction;
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
  if (family.add != nullptr) family.add(problem);
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
