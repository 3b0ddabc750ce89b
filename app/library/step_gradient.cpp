// SPDX-License-Identifier: Apache-2.0
#include "app/library/step_gradient.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "app/library/gradient_names.h"
#include "app/library/wheel_derivatives.h"
#include "solver/error.h"
#include "solver/wheel_rail/wheel_solver.h"

namespace slipfield {
namespace {

using by_name::from_values;
using by_name::inputs_of;
using by_name::outputs_of;
using by_name::size_of;
using by_name::values_of;

std::vector<const StepInput*> inputs_in_order(const std::vector<const KeptStep*>& steps) {
  if (steps.empty()) throw InputError("no steps were given; accepted: one step or more");
  std::vector<const StepInput*> inputs;
  for (const KeptStep* step : steps) {
    const int number = steps.front()->record.number + static_cast<int>(inputs.size());
    if (step->record.number != number)
      throw InputError(
          fmt::format("step {} is where step {} would follow; accepted: steps that "
                      "followed each other, the earliest first",
                      step->record.number, number));
    if (step != steps.front() && step->record.id_before != steps[inputs.size() - 1]->record.id)
      throw InputError(
          fmt::format("step {} did not continue from the step {} that is given before it: they are "
                      "of two solvers, or a state was restored between them; accepted: steps that "
                      "followed each other",
                      number, number - 1));
    inputs.push_back(&step->record.input);
  }
  return inputs;
}
std::vector<SolvedStep> solved_steps(const std::vector<const KeptStep*>& steps) {
  std::vector<SolvedStep> solved;
  for (const KeptStep* step : steps)
    solved.push_back({&step->record.input, &step->record.report, &step->solution});
  return solved;
}

const StepInput& input_of(const CaseSolver& solver, const ResultPart& part) {
  if (!solver.is_wheel()) return solver.last().input;
  if (part.contact == 0)
    throw InputError(
        "a wheel on a rail as a whole has no fields; accepted: the number of one of its contacts");
  return contact_of(*solver.last().wheelset, part).input;
}
ContactProblem problem_of(const CaseSolver& solver, const ResultPart& part) {
  if (!solver.is_wheel()) return solver.problem();
  if (solver.last().wheelset->task.wheels.front().is_transient())
    throw InputError(std::string(kNoTransientDerivatives));
  const SolvedPatch& solved = contact_of(*solver.last().wheelset, part);
  return patch_problem(solver.problem(), solved.patch, solved.input.friction);
}

// find: gradient() or derivative(), which maps values named by `from` to values named by `to`.
template <class From, class To, class Find>
std::vector<NamedValues> of_each_step(SequenceDerivatives& derivatives,
                                      const std::vector<const StepInput*>& steps, std::size_t count,
                                      const std::vector<NamedValues>& given,
                                      by_name::Members<From> (*from)(const StepInput&),
                                      by_name::Members<To> (*to)(const StepInput&), Find find) {
  derivatives.require_one_each(given.size());
  std::vector<From> all;
  for (std::size_t k = 0; k < given.size(); ++k)
    all.push_back(from_values(given[k], count, from(*steps[k])));
  std::vector<NamedValues> values;
  for (const To& found : (derivatives.*find)(all))
    values.push_back(values_of(found, to(*steps[values.size()])));
  return values;
}

}  // namespace

StepGradient::StepGradient(CaseSolver& solver, const ResultPart& part)
    : step_(input_of(solver, part)),
      count_(solver.grid(part).count()),
      derivatives_(problem_of(solver, part), step_, solver.solution(part), solver.report(part),
                   nullptr, 0.0, solver.step_systems()) {}

std::size_t StepGradient::size_of_output(const std::string& name) const {
  return size_of(name, count_, outputs_of(step_));
}
std::size_t StepGradient::size_of_input(const std::string& name) const {
  return size_of(name, count_, inputs_of(step_));
}

StepOutputs seed_by_names(const StepInput& step, std::size_t count, const NamedValues& seed) {
  return from_values(seed, count, outputs_of(step));
}
NamedValues names_of(const StepInput& step, const StepInputs& gradient) {
  return values_of(gradient, inputs_of(step));
}

NamedValues gradient_by_names(StepDerivatives& derivatives, const StepInput& step,
                              std::size_t count, const NamedValues& seed) {
  return names_of(step, derivatives.gradient(seed_by_names(step, count, seed)));
}

NamedValues derivative_by_names(StepDerivatives& derivatives, const StepInput& step,
                                std::size_t count, const NamedValues& direction) {
  return values_of(derivatives.derivative(from_values(direction, count, inputs_of(step))),
                   outputs_of(step));
}

void require_derivatives(const StepInput& step, const std::vector<std::string>& numbers,
                         const std::vector<std::string>& inputs) {
  constexpr std::size_t kNoElements = 0;  // makes fields empty
  for (const std::string& name : numbers)
    if (size_of(name, kNoElements, outputs_of(step)) == 0)
      throw InputError(name + ": is a field; accepted: numbers, such as force_x");
  for (const std::string& name : inputs)
    static_cast<void>(size_of(name, kNoElements, inputs_of(step)));
}

NamedValues StepGradient::gradient(const NamedValues& seed) {
  return gradient_by_names(derivatives_, step_, count_, seed);
}

NamedValues StepGradient::derivative(const NamedValues& direction) {
  return derivative_by_names(derivatives_, step_, count_, direction);
}

SequenceGradient::SequenceGradient(const ContactProblem& problem,
                                   const std::vector<const KeptStep*>& steps, StepSystemsMaker make)
    : steps_(inputs_in_order(steps)),
      count_(problem.grid.count()),
      derivatives_(problem, solved_steps(steps), std::move(make)) {}

std::size_t SequenceGradient::size_of_output(std::size_t step, const std::string& name) const {
  return size_of(name, count_, outputs_of(*steps_.at(step)));
}
std::size_t SequenceGradient::size_of_input(std::size_t step, const std::string& name) const {
  return size_of(name, count_, inputs_of(*steps_.at(step)));
}

std::vector<NamedValues> SequenceGradient::gradient(const std::vector<NamedValues>& seeds) {
  return of_each_step(derivatives_, steps_, count_, seeds, outputs_of, inputs_of,
                      &SequenceDerivatives::gradient);
}
std::vector<NamedValues> SequenceGradient::derivative(const std::vector<NamedValues>& directions) {
  return of_each_step(derivatives_, steps_, count_, directions, inputs_of, outputs_of,
                      &SequenceDerivatives::derivative);
}

}  // namespace slipfield
