// SPDX-License-Identifier: Apache-2.0
// Converts a contact from the units of the case to pure numbers and back (THEORY.md 6.8).
#pragma once

#include <cstddef>
#include <vector>

#include "solver/batch/batch.h"
#include "solver/batch/family.h"
#include "solver/batch/small_contact.h"
#include "solver/grid.h"
#include "solver/influence/influence_table.h"
#include "solver/material.h"
#include "solver/step/step_outcome.h"

namespace slipfield {

// The operators of a family, in pure numbers: dx = 1, G = 1 (THEORY.md 6.8).
inline Grid unit_grid(const BatchFamily& family) {
  return {family.mx, family.my, 1.0, family.aspect, 0.0, 0.0};
}
inline CombinedMaterial unit_material(const BatchFamily& family) {
  return {1.0, family.poisson_ratio, 0.0};
}
inline bool rolls(const BatchFamily& family) {
  return family.offset_x != 0.0 || family.offset_y != 0.0;
}
inline InfluenceKind slip_kind(const BatchFamily& family) {
  if (!rolls(family)) return {};
  return {Displacement::change, family.offset_x, family.offset_y};
}

// dy/dx and the rolling step are rounded to about 13 digits, so that contacts of different sizes
// share a family.
BatchFamily family_of(const BatchContact& contact);

// The coefficients of an element on itself for a family.
struct SelfCoefficients {
  double normal = 0.0;
  double slip = 0.0;
};
SelfCoefficients self_coefficients(const BatchFamily& family);

SmallTask task_of(const BatchContact& contact, const BatchFamily& family,
                  const SelfCoefficients& self);

StepReport report_of(const BatchContact& contact, const SmallTask& task, const SmallResult& result);

// Converts the fields of a contact from pure numbers; traction holds x, then y. Without tractions
// and states only the pressure is returned.
BatchFields fields_of(const BatchContact& contact, const double* pressure, const double* traction,
                      const double* slip, const unsigned char* state);

// Message of a contact that the batch did not reach.
inline constexpr const char* kBatchEnded = "the batch ended before this contact";

// The contacts of a batch, sorted by family.
struct BatchPlan {
  std::vector<BatchFamily> families;
  std::vector<bool> sliding;        // whether a contact of the family rolls
  std::vector<std::size_t> family;  // of each contact
  std::vector<std::size_t> order;   // contacts, by family
};
BatchPlan plan_batch(const ContactBatch& batch);

}  // namespace slipfield
