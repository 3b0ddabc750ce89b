// SPDX-License-Identifier: Apache-2.0
#include "app/library/step_gradient.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <type_traits>
#include <variant>

#include "solver/error.h"
#include "solver/rolling.h"
#include "solver/wheel_rail/wheel_solver.h"

namespace slipfield {
namespace {

// A name, and where its values are.
template <class Of>
struct NamedMember {
  std::string name;
  std::variant<double Of::*, std::vector<double> Of::*, double LawNumbers::*> member;
};
template <class Of>
using Members = std::vector<NamedMember<Of>>;

template <class Of>
bool is_field(const NamedMember<Of>& member) {
  return member.member.index() == 1;
}
template <class Of>
auto& field_of(Of& all, const NamedMember<std::remove_const_t<Of>>& member) {
  return all.*std::get<std::vector<double> std::remove_const_t<Of>::*>(member.member);
}
template <class Of>
auto& number_of(Of& all, const NamedMember<std::remove_const_t<Of>>& member) {
  if constexpr (requires { all.law; })
    if (const auto* of_law = std::get_if<double LawNumbers::*>(&member.member))
      return all.law.*(*of_law);
  return all.*std::get<double std::remove_const_t<Of>::*>(member.member);
}

Members<StepOutputs> outputs_of(const StepInput& step) {
  using Out = StepOutputs;
  const TangentialProblem problem = step.tangential.problem;
  Members<Out> members{{"pressure", &Out::pressure},
                       {"normal_force", &Out::normal_force},
                       {"approach", &Out::approach}};
  if (problem == TangentialProblem::none) return members;
  const bool rolling = is_rolling(problem);
  const std::string motion = rolling ? "creepage" : "shift";
  for (const NamedMember<Out>& member :
       Members<Out>{{"traction_x", &Out::traction_x},
                    {"traction_y", &Out::traction_y},
                    {"slip_x", &Out::slip_x},
                    {"slip_y", &Out::slip_y},
                    {"force_x", &Out::force_x},
                    {"force_y", &Out::force_y},
                    {"moment_z", &Out::moment_z},
                    {"friction_work", &Out::friction_work},
                    {motion + "_x", &Out::rigid_x},
                    {motion + "_y", &Out::rigid_y},
                    {rolling ? "spin" : "rotation", &Out::rotation}})
    members.push_back(member);
  return members;
}

std::string key_of(const TangentialLoad& load, bool rolling) {
  switch (load.control) {
    case TangentialControl::rigid:
      break;
    case TangentialControl::force:
      return "force";
    case TangentialControl::force_ratio:
      return "force_ratio";
    case TangentialControl::traction_coefficient:
      return "traction_coefficient";
  }
  return rolling ? "creepage" : "shift";
}

// The numbers of a friction that is the same everywhere.
void add_law(const Friction& friction, Members<StepInputs>& members) {
  if (friction.varies() || !friction.along_y.empty()) return;
  members.push_back(
      {friction.kinetic ? "friction.static" : "friction.coefficient", &LawNumbers::fixed});
  if (!friction.depends_on_slip()) return;
  members.push_back({"friction.kinetic", &LawNumbers::kinetic});
  if (friction.law == FrictionLaw::constant) return;
  members.push_back({"friction.half_velocity", &LawNumbers::half_velocity});
  if (!(friction.second_drop > 0.0)) return;
  members.push_back({"friction.second_drop", &LawNumbers::second_drop});
  members.push_back({"friction.second_half_velocity", &LawNumbers::second_half_velocity});
}

Members<StepInputs> inputs_of(const StepInput& step) {
  using In = StepInputs;
  const Tangential& t = step.tangential;
  Members<In> members{
      {"undeformed_distance", &In::heights},
      {step.normal.control == NormalControl::force ? "normal.force" : "normal.approach",
       &In::normal},
      {"stiffness", &In::stiffness}};
  if (t.problem == TangentialProblem::none) return members;
  const bool rolling = is_rolling(t.problem);
  members.push_back({"friction", &In::friction});
  add_law(step.friction, members);
  members.push_back({"tangential.x." + key_of(t.x, rolling), &In::tangential_x});
  members.push_back({"tangential.y." + key_of(t.y, rolling), &In::tangential_y});
  members.push_back({t.moment  ? "tangential.moment"
                     : rolling ? "tangential.spin"
                               : "tangential.rotation",
                     &In::rotation});
  return members;
}

template <class Of>
[[noreturn]] void refuse_name(const std::string& name, const Members<Of>& members) {
  std::vector<std::string> names;
  for (const NamedMember<Of>& member : members) names.push_back(member.name);
  throw InputError(fmt::format("the step has no '{}' with derivatives; accepted: {}", name,
                               fmt::join(names, ", ")));
}

void require_once(const NamedValues& values) {
  for (auto one = values.begin(); one != values.end(); ++one)
    if (std::find_if(values.begin(), one,
                     [&](const auto& other) { return other.name == one->name; }) != one)
      throw InputError(one->name + ": is there twice; accepted: each name once");
}

template <class Of>
void put(const std::string& name, const std::vector<double>& values, std::size_t count,
         const Members<Of>& members, Of& all) {
  for (const NamedMember<Of>& member : members) {
    if (member.name != name) continue;
    if (is_field(member)) {
      if (values.size() != count)
        throw InputError(fmt::format("{}: {} values; accepted: {}, one for each element", name,
                                     values.size(), count));
      field_of(all, member) = values;
      return;
    }
    if (values.size() != 1)
      throw InputError(fmt::format("{}: {} values; accepted: one number", name, values.size()));
    number_of(all, member) = values[0];
    return;
  }
  refuse_name(name, members);
}

template <class Of>
NamedValues values_of(const Of& all, const Members<Of>& members) {
  NamedValues values;
  for (const NamedMember<Of>& member : members) {
    if (is_field(member))
      values.push_back({member.name, field_of(all, member), true});
    else
      values.push_back({member.name, {number_of(all, member)}, false});
  }
  return values;
}

template <class Of>
std::size_t size_of(const std::string& name, std::size_t count, const Members<Of>& members) {
  for (const NamedMember<Of>& member : members)
    if (member.name == name) return is_field(member) ? count : 1;
  refuse_name(name, members);
}

StepOutputs seed_of(const StepInput& step, std::size_t count, const NamedValues& seed) {
  require_once(seed);
  StepOutputs all;
  for (const auto& [name, values, is_field] : seed) put(name, values, count, outputs_of(step), all);
  return all;
}
StepInputs direction_of(const StepInput& step, std::size_t count, const NamedValues& direction) {
  require_once(direction);
  StepInputs all;
  for (const auto& [name, values, is_field] : direction)
    put(name, values, count, inputs_of(step), all);
  return all;
}

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
                      "of two solvers, or a "
                      "state was restored between them; accepted: steps that followed each other",
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

const StepInput& input_of(const CaseSolver& solver, const StepPart& part) {
  if (!solver.is_wheel()) return solver.last().input;
  if (part.contact == 0)
    throw InputError(
        "a wheel on a rail as a whole has no gradient by element; accepted: the number of one of "
        "its contacts, or derivatives() of its totals");
  return contact_of(*solver.last().wheelset, part).input;
}
ContactProblem problem_of(const CaseSolver& solver, const StepPart& part) {
  if (!solver.is_wheel()) return solver.problem();
  const SolvedPatch& solved = contact_of(*solver.last().wheelset, part);
  return patch_problem(solver.problem(), solved.patch, solved.input.friction);
}

}  // namespace

StepGradient::StepGradient(CaseSolver& solver, const StepPart& part)
    : step_(input_of(solver, part)),
      count_(solver.grid(part).count()),
      derivatives_(problem_of(solver, part), step_, solver.solution(part), solver.report(part)) {}

std::size_t StepGradient::size_of_output(const std::string& name) const {
  return size_of(name, count_, outputs_of(step_));
}
std::size_t StepGradient::size_of_input(const std::string& name) const {
  return size_of(name, count_, inputs_of(step_));
}

NamedValues StepGradient::gradient(const NamedValues& seed) {
  return values_of(derivatives_.gradient(seed_of(step_, count_, seed)), inputs_of(step_));
}

NamedValues StepGradient::derivative(const NamedValues& direction) {
  return values_of(derivatives_.derivative(direction_of(step_, count_, direction)),
                   outputs_of(step_));
}

SequenceGradient::SequenceGradient(const ContactProblem& problem,
                                   const std::vector<const KeptStep*>& steps)
    : steps_(inputs_in_order(steps)),
      count_(problem.grid.count()),
      derivatives_(problem, solved_steps(steps)) {}

std::size_t SequenceGradient::size_of_output(std::size_t step, const std::string& name) const {
  return size_of(name, count_, outputs_of(*steps_.at(step)));
}
std::size_t SequenceGradient::size_of_input(std::size_t step, const std::string& name) const {
  return size_of(name, count_, inputs_of(*steps_.at(step)));
}

std::vector<NamedValues> SequenceGradient::gradient(const std::vector<NamedValues>& seeds) {
  std::vector<StepOutputs> given;
  derivatives_.require_one_each(seeds.size());
  for (std::size_t k = 0; k < seeds.size(); ++k)
    given.push_back(seed_of(*steps_[k], count_, seeds[k]));
  std::vector<NamedValues> values;
  for (const StepInputs& found : derivatives_.gradient(given))
    values.push_back(values_of(found, inputs_of(*steps_[values.size()])));
  return values;
}

std::vector<NamedValues> SequenceGradient::derivative(const std::vector<NamedValues>& directions) {
  std::vector<StepInputs> given;
  derivatives_.require_one_each(directions.size());
  for (std::size_t k = 0; k < directions.size(); ++k)
    given.push_back(direction_of(*steps_[k], count_, directions[k]));
  std::vector<NamedValues> values;
  for (const StepOutputs& found : derivatives_.derivative(given))
    values.push_back(values_of(found, outputs_of(*steps_[values.size()])));
  return values;
}

}  // namespace slipfield
