// SPDX-License-Identifier: Apache-2.0
// Many small, independent contacts solved together: their input and output.
//
// A contact of a batch is one step of normal contact or steady rolling of quasi-identical bodies,
// with a free boundary and one friction law everywhere. bound_cg and newton solve it to the
// tolerance of the single solver (contact_solver.h), so that the results agree to that tolerance.
// If newton stalls the contact is marked; the single solver has other methods (THEORY.md 6.8).
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
// kMostBatchElements is the hard limit.
inline constexpr int kBatchElements = 48;
inline constexpr int kMostBatchElements = 96;

struct BatchContact {
  Grid grid;
  CombinedMaterial material;  // coupling 0
  NormalLoad normal;
  Tangential tangential;              // none or steady rolling
  double friction = 0.0;              // static
  std::optional<SlidingLaw> sliding;  // if the coefficient depends on the slip
  double tolerance = 1.0e-6;
  std::size_t shape = 0;  // index among the batch's undeformed distances
  // The shape is the pressure itself [force/length^2] and `normal` is ignored: the tangential
  // problem for a simplified pressure. Elements without pressure are out of contact, and the
  // approach is reported as 0.
  bool pressure_given = false;
  // Index among the batch's shapes of a starting pressure near the solution's [force/length^2].
  std::optional<std::size_t> start = {};
};

struct ContactBatch {
  // Undeformed distances h [length] over the grid, x fastest; +infinity where no contact is
  // possible. Several contacts may share one. For contacts with pressure_given: their pressure.
  std::vector<std::vector<double>> shapes;
  std::vector<BatchContact> contacts;
};

// Why the batch does not accept the problem, although the single solver may; empty if it does.
// most: elements in a direction, up to kMostBatchElements.
std::string batch_refusal(const ContactProblem& problem, int most = kBatchElements);

// The contact for a problem that the batch accepts; it refers to the batch's first shape.
BatchContact batch_contact(const ContactProblem& problem);

// Appends a problem to the batch. Throws InputError with the reason if the batch does not accept
// it.
void add_to_batch(ContactBatch& batch, const ContactProblem& problem, int most = kBatchElements);

// Fields of one contact, x fastest, in the units of the case.
struct BatchFields {
  std::vector<double> pressure;
  std::vector<double> traction_x;
  std::vector<double> traction_y;
  std::vector<double> slip_x;  // in the step [length]; 0 for elements out of contact
  std::vector<double> slip_y;
  std::vector<ElementState> element_division;

  // As a ContactSolution; fields that a batch does not compute are empty.
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
  // One report per contact, without history. Outcome::not_converged: retry with the single solver.
  std::vector<StepReport> reports;
  std::vector<BatchFields> fields;  // if requested; with `pressures` only the pressure is filled
};

struct BatchOptions {
  int threads = 0;  // 0: chosen by OpenMP
  bool fields = false;
  bool pressures = false;  // of the fields, return only the pressure
  // Called now and then, in the caller's thread or others, with the number of contacts done.
  // Returning false ends the batch; contacts not yet started are reported as not converged.
  std::function<bool(std::size_t done)> progress;
};

// Throws InputError if a shape or a start is missing or its size differs from the grid's.
BatchSolution solve_batch_on_cpu(const ContactBatch& batch, const BatchOptions& options = {});

}  // namespace slipfield
