// SPDX-License-Identifier: Apache-2.0
// Patches, influence coefficients of curved surfaces, and what the simplified theory takes.
#include <algorithm>
#include <cmath>
#include <string>

#include "solver/check/fault_list.h"
#include "solver/geometry/hertz_ellipse.h"

namespace slipfield {
namespace {

bool overlap(const ContactPatches::Rectangle& a, const ContactPatches::Rectangle& b) {
  return a.x_from < b.x_to && b.x_from < a.x_to && a.y_from < b.y_to && b.y_from < a.y_to;
}

bool check_rectangles(const ContactPatches& patches, FaultList& faults) {
  const std::size_t before = faults.size();
  for (std::size_t i = 0; i < patches.rectangles.size(); ++i) {
    const ContactPatches::Rectangle& r = patches.rectangles[i];
    const auto number = std::to_string(i + 1);
    for (const double side : {r.x_from, r.x_to, r.y_from, r.y_to})
      if (!faults.number("patches.x_from", side, kAnyNumber)) return false;
    if (!(r.x_from < r.x_to))
      faults.add("patches.x_to", joined(r.x_to, " of patch ", number, " is not above its x_from"),
                 joined("a number > ", r.x_from));
    if (!(r.y_from < r.y_to))
      faults.add("patches.y_to", joined(r.y_to, " of patch ", number, " is not above its y_from"),
                 joined("a number > ", r.y_from));
    for (std::size_t j = 0; j < i && faults.size() == before; ++j)
      if (overlap(patches.rectangles[j], r))
        faults.add("patches.x_from", joined("patch ", number, " overlaps patch ", j + 1),
                   "rectangles that touch at most");
  }
  return faults.size() == before;
}

bool hold_an_element(const ContactPatches& patches, const Grid& grid) {
  return std::ranges::any_of(patches.rectangles, [&](const ContactPatches::Rectangle& r) {
    bool in_x = false;
    bool in_y = false;
    for (int ix = 0; ix < grid.mx; ++ix)
      in_x = in_x || (r.x_from <= grid.x(ix) && grid.x(ix) <= r.x_to);
    for (int iy = 0; iy < grid.my; ++iy)
      in_y = in_y || (r.y_from <= grid.y(iy) && grid.y(iy) <= r.y_to);
    return in_x && in_y;
  });
}

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

constexpr const char* kField = "solver.tangential";

std::string theory(const ContactProblem& problem) {
  return problem.solver.tangential == TangentialMethod::fastrip ? "fastrip " : "fastsim ";
}

// kpec and analyn accept contacts that are not elliptic, but no unbounded ones.
void check_saddle(const ContactProblem& problem, FaultList& faults) {
  const NormalMethod normal = problem.solver.normal;
  if (normal != NormalMethod::kpec && normal != NormalMethod::analyn) return;
  const auto paraboloid = paraboloid_of(problem.geometry, combine(problem.upper, problem.lower));
  if (!paraboloid) return;
  const double least = std::min(paraboloid->curvature_x, paraboloid->curvature_y);
  if (least >= 0.0) return;
  faults.add(
      "geometry",
      joined("has the curvature ", least, " along ", least < paraboloid->curvature_x ? "y" : "x",
             ": a saddle or a hollow, whose contact has no end"),
      "curvatures >= 0 with normal: kpec or analyn");
}

}  // namespace

void check_patches(const ContactProblem& problem, FaultList& faults) {
  const ContactPatches& patches = problem.patches;
  if (!patches.exist()) return;
  if (!check_rectangles(patches, faults)) return;
  if (!hold_an_element(patches, problem.grid))
    faults.add("patches", "no element of the grid has its centre in them",
               "rectangles over elements of the grid");
  const std::size_t pairs = pairs_of(patches.rectangles.size());
  faults.numbers("patches.weights", patches.weights, kShare);
  if (patches.weights.size() != pairs)
    faults.add("patches.weights",
               joined("has ", patches.weights.size(), " numbers for ", patches.rectangles.size(),
                      " patches"),
               joined(pairs, ", one for each pair"));
}

void check_curved(const ContactProblem& problem, FaultList& faults) {
  const CurvedInfluence& influence = problem.influence;
  if (!influence.exists()) return;
  if (influence.tables && influence.conformal)
    faults.add("influence", "has tables and a conformal correction", "one of the two");
  if (influence.conformal) check_conformal(*influence.conformal, faults);
  if (influence.tables) check_tables(*influence.tables, problem.grid, faults);
}

void check_simplified(const ContactProblem& problem, FaultList& faults) {
  const auto refuse = [&](const std::string& what, const std::string& accepted) {
    faults.add(kField, theory(problem) + what, accepted);
  };
  const std::size_t before = faults.size();
  if (problem.solver.normal != NormalMethod::automatic) {
    check_saddle(problem, faults);
  } else {
    const auto paraboloid = paraboloid_of(problem.geometry, combine(problem.upper, problem.lower));
    if (!paraboloid)
      refuse("needs a Hertzian ellipse, and the geometry is not a paraboloid",
             "hertz, sphere, ellipsoid, quadratic, crossed cylinders, or another method");
    else if (paraboloid->twisted || !(paraboloid->curvature_x > 0.0) ||
             !(paraboloid->curvature_y > 0.0))
      refuse("needs a Hertzian ellipse along x and y",
             "a geometry with xx > 0, yy > 0 and xy = 0, or another method");
  }
  int number = 1;
  for (const StepInput& step : problem.steps) {
    if (faults.size() != before) return;
    check_simplified_step(problem, step, joined(" (step ", number, ")"), faults);
    number += step.repeat;
  }
}

void check_simplified_step(const ContactProblem& problem, const StepInput& step,
                           const std::string& at, FaultList& faults) {
  if (step.normal.control != NormalControl::approach ||
      problem.solver.normal != NormalMethod::automatic)
    return;
  const auto paraboloid = paraboloid_of(problem.geometry, combine(problem.upper, problem.lower));
  if (paraboloid && !(step.normal.value > paraboloid->lowest))
    faults.add(kField,
               joined(theory(problem), "needs a contact, and the approach ", step.normal.value,
                      " does not reach the geometry's lowest point", at),
               joined("an approach of more than ", paraboloid->lowest, ", or another method"));
}

}  // namespace slipfield
