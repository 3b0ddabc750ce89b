// SPDX-License-Identifier: Apache-2.0
#include "solver/gradient/sequence_derivatives.h"

#include <string>
#include <utility>

#include "solver/error.h"

namespace slipfield {
namespace {

// sum: a field of a seed, empty or of the grid's size.
void add_field(const std::vector<double>& values, const char* name, std::vector<double>& sum) {
  if (values.empty()) return;
  if (sum.empty()) sum.assign(values.size(), 0.0);
  if (sum.size() != values.size())
    throw InputError(std::string(name) + ": " + std::to_string(sum.size()) + " values; accepted: " +
                     std::to_string(values.size()) + ", one for each element, or none");
  for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
}

}  // namespace

void SequenceDerivatives::require_one_each(std::size_t count) const {
  if (count != steps_.size())
    throw InputError(std::to_string(count) + " sets of values were given for " +
                     std::to_string(steps_.size()) + " steps; accepted: one for each step");
}

SequenceDerivatives::SequenceDerivatives(const ContactProblem& problem,
                                         std::vector<SolvedStep> steps, StepSystemsMaker make)
    : problem_(problem),
      steps_(std::move(steps)),
      make_(std::move(make)),
      near_change_(steps_.size(), 0) {}

template <class Result, class Find>
Result SequenceDerivatives::of_step(std::size_t k, const Find& find) {
  const auto named = [&](const Error& error) {
    return "step " + std::to_string(k + 1) + " of the sequence: " + error.what();
  };
  const SolvedStep& step = steps_[k];
  try {
    StepDerivatives derivatives(problem_, *step.input, *step.solution, *step.report,
                                k > 0 ? steps_[k - 1].solution : nullptr, 0.0, make_);
    near_change_[k] = derivatives.near_change();
    return find(derivatives);
  } catch (const InputError& error) {
    throw InputError(named(error));
  } catch (const Error& error) {
    throw Error(named(error));
  }
}

std::vector<StepInputs> SequenceDerivatives::gradient(const std::vector<StepOutputs>& seeds) {
  require_one_each(seeds.size());
  std::vector<StepInputs> found(steps_.size());
  StepBefore of_next;  // dJ of the tractions that this step leaves
  for (std::size_t k = steps_.size(); k-- > 0;) {
    StepOutputs seed = seeds[k];
    add_field(of_next.pressure, "pressure", seed.pressure);
    add_field(of_next.traction_x, "traction_x", seed.traction_x);
    add_field(of_next.traction_y, "traction_y", seed.traction_y);
    found[k] = of_step<StepInputs>(k, [&](StepDerivatives& step) { return step.gradient(seed); });
    of_next = std::exchange(found[k].before, {});
  }
  return found;
}

std::vector<StepOutputs> SequenceDerivatives::derivative(
    const std::vector<StepInputs>& directions) {
  require_one_each(directions.size());
  std::vector<StepOutputs> found(steps_.size());
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    StepInputs direction = directions[k];
    direction.before = {};
    if (k > 0)
      direction.before = {found[k - 1].pressure, found[k - 1].traction_x, found[k - 1].traction_y};
    found[k] =
        of_step<StepOutputs>(k, [&](StepDerivatives& step) { return step.derivative(direction); });
  }
  return found;
}

}  // namespace slipfield
