// SPDX-License-Identifier: Apache-2.0
#include "solver/gradient/step_derivatives.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "solver/combinations.h"
#include "solver/error.h"
#include "solver/gradient/linear_systems.h"
#include "solver/gradient/particles_before.h"
#include "solver/gradient/step_adjoint.h"
#include "solver/gradient/step_tangent.h"

namespace slipfield {
namespace {

// Returns the result of call(), computed on the CPU if the device runs out of memory.
template <class Linear, class Call>
auto with_room(Linear& linear, const Call& call) {
  try {
    return call();
  } catch (const OutOfMemory&) {
    linear.move_to_cpu();
    return call();
  }
}

}  // namespace

class StepDerivatives::Linear {
 public:
  template <class... OfStep>
  explicit Linear(const OfStep&... of_step) : step_(of_step...) {}

  StepInputs gradient(const StepOutputs& seed) {
    require(seed.pressure, "pressure");
    for (const auto& [values, name] : {std::pair{&seed.traction_x, "traction_x"},
                                       {&seed.traction_y, "traction_y"},
                                       {&seed.slip_x, "slip_x"},
                                       {&seed.slip_y, "slip_y"}})
      require(*values, name);
    require_finite({{"normal_force", seed.normal_force},
                    {"approach", seed.approach},
                    {"force_x", seed.force_x},
                    {"force_y", seed.force_y},
                    {"moment_z", seed.moment_z},
                    {"the rigid motion in x", seed.rigid_x},
                    {"the rigid motion in y", seed.rigid_y},
                    {"the rotation", seed.rotation},
                    {"friction_work", seed.friction_work}});
    return adjoint_.gradient(seed);
  }
  StepOutputs derivative(const StepInputs& direction) {
    require(direction.heights, "undeformed_distance");
    require(direction.friction, "friction");
    require_finite({{"the static coefficient", direction.law.fixed},
                    {"the kinetic coefficient", direction.law.kinetic},
                    {"the shear strength", direction.law.shear_strength},
                    {"half_velocity", direction.law.half_velocity},
                    {"second_drop", direction.law.second_drop},
                    {"second_half_velocity", direction.law.second_half_velocity},
                    {"the normal load", direction.normal},
                    {"the tangential load in x", direction.tangential_x},
                    {"the tangential load in y", direction.tangential_y},
                    {"the rotation", direction.rotation},
                    {"stiffness", direction.stiffness}});
    for (const auto& [values, name] : {std::pair{&direction.before.pressure, "pressure"},
                                       {&direction.before.traction_x, "traction_x"},
                                       {&direction.before.traction_y, "traction_y"}})
      require(*values, std::string(name) + " before the step");
    return tangent_.derivative(direction);
  }
  void move_to_cpu() {
    step_.move_to_cpu();
    before_.reset();
  }
  [[nodiscard]] std::int64_t near_change() const { return std::ranges::count(step_.near, true); }

 private:
  void require(const std::vector<double>& field, const std::string& name) const {
    if (!field.empty() && field.size() != step_.whole.count())
      throw InputError(name + ": " + std::to_string(field.size()) + " values; accepted: " +
                       std::to_string(step_.whole.count()) + ", one for each element, or none");
    for (std::size_t i = 0; i < field.size(); ++i)
      if (!std::isfinite(field[i]))
        throw InputError(name + ": the value of element " + std::to_string(i) +
                         " is not finite; accepted: finite numbers");
  }
  static void require_finite(std::initializer_list<std::pair<const char*, double>> numbers) {
    for (const auto& [name, number] : numbers)
      if (!std::isfinite(number))
        throw InputError(std::string(name) + ": is not finite; accepted: a finite number");
  }

  gradient::LinearSystems step_;
  gradient::ParticlesBefore before_{step_};
  gradient::StepAdjoint adjoint_{step_, before_};
  gradient::StepTangent tangent_{step_, before_};
};

namespace {

// The bound of a step that was tried again with less than the whole strength (THEORY.md 8.1).
bool strength_grows(const Friction& friction, const ContactSolution& solution) {
  const double strength = friction.shear_strength;
  if (strength == 0.0) return false;
  for (std::size_t i = 0; i < solution.traction_bound.size(); ++i) {
    const double pressure = solution.pressure[i];
    if (pressure > 0.0 &&
        solution.traction_bound[i] < (1.0 - 1.0e-9) * (friction.coefficient * pressure + strength))
      return true;
  }
  return false;
}

}  // namespace

std::unique_ptr<StepSystems> make_cpu_step_systems(const SystemsTask& task) {
  return gradient::systems_on_cpu(task);
}

StepDerivatives::StepDerivatives(const ContactProblem& problem, const StepInput& step,
                                 const ContactSolution& solution, const StepReport& report,
                                 const ContactSolution* before, double tolerance,
                                 const StepSystemsMaker& make) {
  if (report.outcome != Outcome::converged)
    throw InputError("a step that did not converge has no derivatives; accepted: one that did");
  ContactProblem of_step = problem;
  of_step.steps = {step};
  if (const std::string reason = refusal_on(Way::derivatives, of_step); !reason.empty())
    throw InputError("the step has no derivatives, because " + reason +
                     "; accepted: a case without that (see \"What goes together\" in RUNNING.md)");
  if (strength_grows(step.friction, solution))
    throw InputError(
        "the step has no derivatives, because its shear strength grows with the pressure, as the "
        "step's remark says; accepted: another shear_strength, or none");
  const auto touching = std::ranges::count_if(solution.pressure, [](double p) { return p > 0.0; });
  if (problem.grid.boundary == Boundary::periodic &&
      static_cast<std::size_t>(touching) == problem.grid.count())
    throw InputError(
        "in full contact of a periodic surface the force does not change the approach: there are "
        "no derivatives; accepted: a smaller load");
  const auto linearized_on = [&](const StepSystemsMaker& systems) {
    return std::make_unique<Linear>(tolerance, problem, step, solution, report, before, systems);
  };
  try {
    linear_ = linearized_on(make ? make : gradient::systems_on_cpu);
  } catch (const OutOfMemory&) {
    linear_ = linearized_on(gradient::systems_on_cpu);
  }
}
StepDerivatives::~StepDerivatives() = default;

StepInputs StepDerivatives::gradient(const StepOutputs& seed) {
  return with_room(*linear_, [&] { return linear_->gradient(seed); });
}
StepOutputs StepDerivatives::derivative(const StepInputs& direction) {
  return with_room(*linear_, [&] { return linear_->derivative(direction); });
}
std::int64_t StepDerivatives::near_change() const { return linear_->near_change(); }

}  // namespace slipfield
