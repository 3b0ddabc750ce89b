// SPDX-License-Identifier: Apache-2.0
// Results in one system of units are those in another: no constant of the solvers hides a unit.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "io/case/reader.h"
#include "io/result/surface/table.h"
#include "solver/contact_solver.h"
#include "solver/surface/surface_fields.h"
#include "tests/support/unit_system.h"

namespace slipfield {
namespace {

struct CaseVariant {
  std::string name;
  std::vector<std::string> overrides;
};

struct UnitStep {
  StepInput input;
  StepReport report;
  ContactSolution solution;
};

constexpr int kMostSteps = 3;

std::vector<UnitStep> steps_of(const ContactProblem& problem) {
  const auto solver = make_cpu_solver(problem);
  std::vector<UnitStep> steps;
  for (const StepInput& input : problem.steps)
    for (int i = 0; i < input.repeat && static_cast<int>(steps.size()) < kMostSteps; ++i) {
      UnitStep step{input, solver->advance(input), {}};
      step.solution = solver->download();
      add_surface(problem, input, step.solution, step.report);
      steps.push_back(std::move(step));
    }
  return steps;
}

double greatest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double value : values)
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  return most;
}

// The scale that values of a dimension are compared with: the greatest of several that belong
// together.
double scale_of(Dimension dimension, double value, const UnitStep& step) {
  const StepReport& report = step.report;
  const double deepest = greatest(step.solution.displacement_n);
  switch (dimension) {
    case Dimension::length:
      return std::max(std::abs(value), deepest);
    case Dimension::traction:
      return std::max(std::abs(value), report.max_pressure);
    case Dimension::force:
      return std::max(std::abs(value), report.normal_force);
    case Dimension::energy:
      return std::max(std::abs(value), report.elastic_energy);
    case Dimension::moment:
      return std::max(std::abs(value), report.normal_force * deepest);
    default:
      return std::abs(value);
  }
}

// `there`, in other units, each within `part` of the greatest value.
void check_field(const FieldEntry& entry, const UnitStep& here, const UnitStep& there,
                 const test::UnitSystem& to, double part) {
  CAPTURE(entry.name);
  const std::vector<double>& values = here.solution.*entry.values;
  const std::vector<double>& others = there.solution.*entry.values;
  REQUIRE(others.size() == values.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::isfinite(values[i]))
      worst = std::max(worst, std::abs(others[i] / to.of(entry.dimension) - values[i]));
  CHECK(worst <= part * scale_of(entry.dimension, greatest(values), here));
}

void check_same(const UnitStep& here, const UnitStep& there, const test::UnitSystem& to,
                double part) {
  CHECK(there.report.outcome == here.report.outcome);
  const auto check = [&](std::string_view name, Dimension dimension, double value, double other) {
    CAPTURE(name);
    // A force that is 0 except for rounding is judged by the normal force, and so is its ratio.
    const double scale = name.starts_with("force_ratio") ? 1.0 : scale_of(dimension, value, here);
    CHECK(std::abs(other / to.of(dimension) - value) <= part * scale);
  };
  for (const QuantityEntry& entry : quantity_table())
    if (!entry.is_integer() && entry.applies(here.input.tangential.problem) &&
        entry.name != "residual" && entry.name != "seconds")
      check(entry.name, entry.dimension, entry.get(here.report), entry.get(there.report));
  for (const SurfaceNumberEntry& entry : surface_number_table()) {
    CAPTURE(entry.name);
    const auto value = here.report.surface.*entry.value;
    const auto other = there.report.surface.*entry.value;
    REQUIRE(other.has_value() == value.has_value());
    if (value) check(entry.name, entry.dimension, *value, *other);
  }
  for (const auto table : {field_table(), surface_field_table()})
    for (const FieldEntry& entry : table) check_field(entry, here, there, to, part);
}

void check_case(const CaseVariant& variant) {
  CAPTURE(variant.name);
  std::string overrides;
  for (const std::string& one : variant.overrides) overrides += one + " ";
  CAPTURE(overrides);
  const CaseFile file =
      read_case(std::string(SLIPFIELD_CASES_DIR) + "/" + variant.name + ".yaml", variant.overrides);
  const ContactProblem& problem = file.problem;
  const auto here = steps_of(problem);
  // Powers of two leave no rounding: the same iterations give the same digits.
  struct Target {
    test::UnitSystem system;
    Units units;
    double part;
  };
  const bool only_named = problem.surface.heat.has_value() ||
                          (problem.surface.wear && problem.surface.wear->law == WearLaw::t_gamma);
  const double other = problem.units == Units::n_mm_s ? 1e-3 : 1e3;
  const Units named = problem.units == Units::n_mm_s ? Units::si : Units::n_mm_s;
  std::vector<Target> targets{{{other, 1.0, 1.0}, named, 1e-4}};  // of a tolerance of 1e-6
  if (!only_named) {
    targets.push_back({{0x1p-12, 0x1p9, 0x1p5}, problem.units, 1e-9});
    targets.push_back({{0x1p18, 0x1p-7, 0x1p-9}, problem.units, 1e-9});
  }
  for (const Target& target : targets) {
    CAPTURE(target.system.length);
    ContactProblem converted = test::UnitConversion(target.system)(problem);
    converted.units = target.units;
    const auto there = steps_of(converted);
    for (std::size_t i = 0; i < here.size(); ++i) {
      CAPTURE(i);
      check_same(here[i], there[i], target.system, target.part);
    }
  }
}

}  // namespace

TEST_SUITE_BEGIN("oracle");

// Patches estimated for FASTSIM, of bodies as flat as rails and wheels lie on each other and of a
// cylinder, whose curvature along its axis is 0.
TEST_CASE("unit systems: estimated patches are the same in mm, in m and in odd units") {
  for (const char* geometry : {"geometry={type: ellipsoid, radii: [12500, 6250]}",
                               "geometry={type: cylinder, radius: 460}",
                               "geometry={type: quadratic, xx: 4.0e-5, yy: 0.0}"})
    for (const char* method : {"solver.normal=kpec", "solver.normal=analyn"})
      for (const char* load : {"normal={approach: 0.008}", "normal={force: 5000}"})
        check_case({"fastsim_kpec",
                    {geometry, "grid={elements: [32, 32], spacing: [1.0, 0.7]}", method, load}});
}

TEST_CASE("unit systems: shifts, rolling, layers, creep, heat and wear are the same in any") {
  const std::vector<CaseVariant> variants = {
      {"cattaneo_shift", {}},
      {"coupled_shift", {}},
      {"coupled_shift", {"solver.normal=active_set_cg", "solver.tangential=gauss_seidel"}},
      {"carter", {"solver.rolling=second_order"}},
      {"steady_spin", {"grid.elements=[22, 22]"}},
      {"steady_spin", {"grid.elements=[22, 22]", "solver.tangential=gauss_seidel"}},
      {"cattaneo_to_carter", {}},
      {"falling_friction", {}},
      {"static_kinetic", {"grid.elements=[24, 24]"}},
      {"modified_fastsim", {}},
      {"fastsim_elliptic", {}},
      {"fastrip", {}},
      {"plastic_layer", {}},
      {"sheet", {"grid.elements=[25, 25]"}},
      {"viscous_rollers", {}},
      {"creep_indentation", {"grid.elements=[21, 21]"}},
      {"periodic_sine", {"grid.elements=[96, 1]"}},
      {"roller_ends", {"grid.elements=[16, 40]"}},
      {"wear_rolling", {"grid.elements=[22, 22]"}},
      {"fretting", {"grid.elements=[22, 22]"}},
      {"heat_sliding", {"grid.elements=[15, 15]"}},
      {"warm_friction", {"grid.elements=[36, 11]"}},
  };
  for (const CaseVariant& variant : variants) check_case(variant);
}

TEST_SUITE_END();

}  // namespace slipfield
