// SPDX-License-Identifier: Apache-2.0
// Influence coefficients of curved surfaces by themselves.
#include <algorithm>
#include <cmath>
#include <string>

#include "solver/check/fault_list.h"

namespace slipfield {
namespace {

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
               joined("has ", conformal.angle.size(), " numbers for ", conformal.y.size(), " of y"),
               "as many numbers as y has");
  faults.increasing("influence.conformal.y", conformal.y);
}

void check_tables(const TabulatedCoefficients& tables, const Grid& grid, FaultList& faults) {
  const char* const field = "influence.tables";
  if (!faults.integer(field, tables.mx, kElements) || !faults.integer(field, tables.my, kElements))
    return;
  if (tables.rows != 1 && tables.rows != grid.my)
    faults.add(field, joined(tables.rows, " tables for ", grid.my, " rows of elements"),
               "1, or one for each row");
  const auto expected = static_cast<std::size_t>(tables.mx) *
                        (2 * static_cast<std::size_t>(tables.my) - 1) *
                        static_cast<std::size_t>(std::max(tables.rows, 1));
  if (tables.values.size() != expected)
    return faults.add(field, joined("has ", tables.values.size(), " matrices of coefficients"),
                      joined(expected, ", one for each difference of positions"));
  for (const CoefficientMatrix& matrix : tables.values)
    for (const double value : matrix)
      if (!std::isfinite(value)) return faults.add(field, "a coefficient is not finite", "numbers");
  const CoefficientMatrix own = tables.at(0, 0, 0);
  if (!(own[0] > 0.0 && own[4] > 0.0 && own[8] > 0.0))
    faults.add(field, "an element is not displaced in the direction of its own traction",
               "coefficients xx, yy and nn of an element on itself that are > 0");
}

}  // namespace

void check_curved(const ContactProblem& problem, FaultList& faults) {
  const CurvedInfluence& influence = problem.influence;
  if (!influence.exists()) return;
  if (influence.tables && influence.conformal)
    faults.add("influence", "has tables and a conformal correction", "one of the two");
  if (influence.conformal) check_conformal(*influence.conformal, faults);
  if (influence.tables) check_tables(*influence.tables, problem.grid, faults);
}

}  // namespace slipfield
