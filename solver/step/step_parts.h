// SPDX-License-Identifier: Apache-2.0
// Makes the list of parts from the problem. A new effect needs a line here and a file of its own.
#pragma once

#include <memory>
#include <vector>

#include "solver/influence/fading_memory.h"
#include "solver/problem.h"
#include "solver/step/adhesion.h"
#include "solver/step/coarse_twins.h"
#include "solver/step/creep_memory.h"
#include "solver/step/friction_field.h"
#include "solver/step/hardness.h"
#include "solver/step/rolling_loss.h"
#include "solver/step/second_order.h"
#include "solver/step/sensitivities.h"
#include "solver/step/shift_wear.h"
#include "solver/step/step_part.h"
#include "solver/step/stored_work.h"
#include "solver/step/unlike_bodies.h"

namespace slipfield {

template <class Backend>
using StepParts = std::vector<std::unique_ptr<StepPart<Backend>>>;

// Run: a ContactRun, for parts that solve contacts of their own. Sums are formed in this order.
// Derivatives come before friction because they need the division as the solvers left it.
template <class Run, class Backend>
StepParts<Backend> make_parts(StepModel<Backend>& model, const ContactProblem& problem) {
  StepParts<Backend> parts;
  const auto add = [&]<class Part>(bool wanted, std::type_identity<Part>) {
    if (wanted) parts.push_back(std::make_unique<Part>(model, problem));
  };
  const bool second_order = problem.solver.rolling == RollingScheme::second_order;
  add(creeps(problem), std::type_identity<CreepMemory<Backend>>{});
  add(couples(problem), std::type_identity<UnlikeBodies<Backend>>{});
  add(creeps(problem) || couples(problem), std::type_identity<RollingLoss<Backend>>{});
  add(contact_hardness(problem) > 0.0, std::type_identity<Hardness<Backend>>{});
  add(problem.adhesion.exists(), std::type_identity<AdhesiveSurfaces<Backend>>{});
  add(second_order, std::type_identity<SecondOrder<Backend>>{});
  add(problem.sensitivities, std::type_identity<Sensitivities<Backend>>{});
  add(true, std::type_identity<FrictionField<Backend>>{});
  add(problem.surface.wear.has_value(), std::type_identity<StoredWork<Backend>>{});
  add(problem.surface.wear.has_value(), std::type_identity<ShiftWear<Backend>>{});
  add(problem.error_estimate, std::type_identity<CoarseTwins<Run, Backend>>{});
  return parts;
}

}  // namespace slipfield
