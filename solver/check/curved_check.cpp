// SPDX-License-Identifier: Apache-2.0
// Influence coefficients of curved surfaces, by themselves and against the rest of the problem.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "solver/check/fault_list.h"
#include "solver/number_text.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

const char* const kFalse = "false, or half-spaces";

void check_conformal(const ConformalCorrection& conformal, FaultList& faults) {
  faults.integer("influence.conformal.variant", conformal.variant, kConformalVariant);
  faults.numbers("influence.conformal.y", conformal.y, kAnyNumber);
  faults.numbers("influence.conformal.angle", conformal.angle, kInclination);
  constexpr std::size_t kFewest = 2;
  if (conformal.y.size() < kFewest)
    return faults.add("influence.conformal.y", "a surface that turns has two points or more",
                      "two numbers or more");
  if (conformal.angle.size() != conformal.y.size())
    faults.add("influence.conformal.angle",
               "has " + std::to_string(conformal.angle.size()) + " numbers for " +
                   std::to_string(conformal.y.size()) + " of y",
               "as many numbers as y has");
  if (!increases(conformal.y))
    faults.add("influence.conformal.y", "does not increase", "a list of increasing numbers");
}

void check_tables(const TabulatedCoefficients& tables, const Grid& grid, FaultList& faults) {
  const char* const field = "influence.tables";
  if (!faults.integer(field, tables.mx, kElements) || !faults.integer(field, tables.my, kElements))
    return;
  if (tables.rows != 1 && tables.rows != grid.my)
    faults.add(field,
               std::to_string(tables.rows) + " tables for " + std::to_string(grid.my) +
                   " rows of elements",
               "1, or one for each row");
  const auto expected = static_cast<std::size_t>(tables.mx) *
                        (2 * static_cast<std::size_t>(tables.my) - 1) *
                        static_cast<std::size_t>(std::max(tables.rows, 1));
  if (tables.values.size() != expected)
    return faults.add(field,
                      "has " + std::to_string(tables.values.size()) + " matrices of coefficients",
                      std::to_string(expected) + ", one for each difference of positions");
  for (const CoefficientMatrix& matrix : tables.values)
    for (const double value : matrix)
      if (!std::isfinite(value)) return faults.add(field, "a coefficient is not finite", "numbers");
  const CoefficientMatrix own = tables.at(0, 0, 0);
  if (!(own[0] > 0.0 && own[4] > 0.0 && own[8] > 0.0))
    faults.add(field, "an element is not displaced in the direction of its own traction",
               "coefficients xx, yy and nn of an element on itself that are > 0");
}

// What solves with symmetric coefficients, or with tables of the half-space.
void check_curved_methods(const ContactProblem& problem, FaultList& faults) {
  const SolverSettings& settings = problem.solver;
  if (is_simplified(settings.tangential))
    return faults.add("solver.tangential", "the simplified theory has half-spaces only",
                      "auto, newton, or half-spaces");
  if (settings.tangential == TangentialMethod::gauss_seidel ||
      settings.tangential == TangentialMethod::dense)
    faults.add("solver.tangential", "only newton solves with coefficients of curved surfaces",
               "auto, newton, or half-spaces");
  if (settings.normal != NormalMethod::automatic && settings.normal != NormalMethod::newton)
    faults.add("solver.normal", "only newton solves with coefficients of curved surfaces",
               "auto, newton, or half-spaces");
  if (settings.rolling == RollingScheme::second_order)
    faults.add("solver.rolling", "second_order knows how tractions begin on half-spaces only",
               "first_order, or half-spaces");
  if (settings.influence == InfluenceMethod::summation && problem.influence.by_row())
    faults.add("solver.influence", "tiled has one table for all rows of elements",
               "auto, fft, or coefficients that are the same for each row");
}

}  // namespace

void check_curved(const ContactProblem& problem, FaultList& faults) {
  const CurvedInfluence& influence = problem.influence;
  if (!influence.exists()) return;
  if (influence.tables && influence.conformal)
    faults.add("influence", "has tables and a conformal correction", "one of the two");
  if (influence.conformal) check_conformal(*influence.conformal, faults);
  if (influence.tables) check_tables(*influence.tables, problem.grid, faults);
  check_curved_methods(problem, faults);
  if (is_viscoelastic(problem.upper) || is_viscoelastic(problem.lower))
    faults.add("influence", "viscoelastic bodies are half-spaces", "none, or elastic bodies");
  if (problem.layer.exists())
    faults.add("influence", "a layer lies between half-spaces only", "none, or no layer");
  if (problem.patches.exist())
    faults.add("influence", "weights between patches are those of half-spaces",
               "none, or no patches");
  if (problem.grid.boundary == Boundary::periodic)
    faults.add("influence", "coefficients of curved surfaces need a free grid",
               "none, or grid.boundary = free");
  if (problem.sensitivities) faults.add("sensitivities", "they are those of half-spaces", kFalse);
  if (problem.error_estimate && influence.tables)
    faults.add("error_estimate", "a coarser grid would need a table of its own", kFalse);
}

void check_curved_step(const ContactProblem& problem, const StepInput& step,
                       const std::string& path, FaultList& faults) {
  const Tangential& tangential = step.tangential;
  if (!problem.influence.exists() || !is_rolling(tangential.problem)) return;
  if (!rolls_along_x(tangential.direction))
    return faults.add(path + "tangential.direction",
                      "curved surfaces roll along x, and " +
                          number_text(tangential.direction * 180.0 / std::numbers::pi) +
                          " degrees is another direction",
                      "0 or 180 degrees, or half-spaces");
  constexpr double kRounding = 1.0e-9;
  const double element = problem.grid.dx;
  if (problem.influence.tables && std::abs(tangential.step - element) > kRounding * element)
    faults.add(path + "tangential.step",
               "a table has coefficients for steps of one element, and " +
                   number_text(tangential.step) + " is not " + number_text(element),
               number_text(element) + " (the default), or half-spaces");
}

}  // namespace slipfield
