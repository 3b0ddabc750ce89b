// SPDX-License-Identifier: Apache-2.0
// Many small contacts at once, each independent of the others: what they are, and what comes back.
//
// A contact of a batch is one step of normal contact or steady rolling, quasi-identical bodies,
// free boundary, one law of friction everywhere. It is solved by bound_cg and newton to the
// tolerance of the single solver (contact_solver.h), whose result it therefore gives to that
// tolerance; where newton stalls it is marked, and the single solver has other ways (THEORY.md
// 6.8).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solver/grid.h"
#include "solver/material.h"
#include "solver/problem.h"
#include "solver/sliding_law.h"
#include "solver/solution.h"

namespace slipfield {

// Elements of a grid in each direction: up to kBatchElements a batch is faster on every machine;
// kMostBatchElements is the limit.
inline constexpr int kBatchElements = 48;
inline constexpr int kMostBatchElements = 96;

struct BatchContact {
  Grid grid;
  CombinedMaterial material;  // coupling 0
  NormalLoad normal;
  Tangential tangential;              // none or steady rolling
  double friction = 0.0;              // static
  std::optional<SlidingLaw> sliding;  // where the coefficient depends on the slip
  double tolerance = 1.0e-6;
  std::size_t shape = 0;  // of the batch's undeformed distances
  // The shape is the pressure itself [force/length^2], `normal` of no meaning: the tangential
  // problem of a simplified pressure. Elements without pressure are out of contact, the approach is
  // reported as 0.
  bool pressure_given = false;
  // Index among the batch's shapes of a pressure near the solution's [force/length^2], to start
  // from.
  std::optional<std::size_t> start = {};
};

struct ContactBatch {
  // Undeformed distances h [length] over the grid, x fastest; +infinity where no contact is
  // possible. Contacts may share them. Of contacts with pressure_given: their pressure.
  std::vector<std::vector<double>> shapes;
  std::vector<BatchContact> contacts;
};

// Why the batch does not take the problem, which the single solver may; empty where it does.
// most: elements in a direction, up to kMostBatchElements.
std::string batch_refusal(const ContactProblem& problem, int most = kBatchElements);

// The contact of a problem that the batch takes; its undeformed distance is the batch's first
// shape.
BatchContact batch_contact(const ContactProblem& problem);

// Appends a problem that the batch takes. Throws InputError with the reason where it does not.
void add_to_batch(ContactBatch& batch, const ContactProblem& problem, int most = kBatchElements);

// Fields of one contact, x fastest, in the units of the case.
struct BatchFields {
  std::vector<double> pressure;
  std::vector<double> traction_x;
  std::vector<double> traction_y;
  std::vector<double> slip_x;  // in the step [length]; 0 of elements that are not in contact
  std::vector<double> slip_y;
  std::vector<ElementState> element_division;

  // Without the fields that a batch does not give.
  [[nodiscard]] ContactSolution solution() const {
    ContactSolution fields;
    fields.pressure = pressure;
    fields.traction_x = traction_x;
    fields.traction_y = traction_y;
    fields.slip_x = slip_x;
    fields.slip_y = slip_y;
    fields.element_division = element_division;
    return fields;
  }
};

struct BatchSolution {
  // A report for each contact, without history. Outcome::not_converged: the single solver should
  // take it.
  std::vector<StepReport> reports;
  std::vector<BatchFields> fields;  // where asked for; of pressures alone, the others are empty
};

struct BatchOptions {
  int threads = 0;  // 0: as many as OpenMP takes
  bool fields = false;
  bool pressures = false;  // of the fields the pressure alone
  // Called now and then, in the caller's thread or others, with the contacts done; false ends the
  // batch, and contacts that were not begun are reported as not converged.
  std::function<bool(std::size_t done)> progress;
};

// Throws InputError where a shape or a start is missing or has another size than the grid.
BatchSolution solve_batch_on_cpu(const ContactBatch& batch, const BatchOptions& options = {});

}  // namespace slipfield
