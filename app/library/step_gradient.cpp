// SPDX-License-Identifier: Apache-2.0
#include "app/library/step_gradient.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <variant>

#include "solver/error.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

// A name, and where its values are.
template <class Of>
struct NamedMember {
  std::string name;
  std::variant<double Of::*, std::vector<double> Of::*> member;
};
template <class Of>
using Members = std::vector<NamedMember<Of>>;

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
  members.push_back({"tangential.x." + key_of(t.x, rolling), &In::tangential_x});
  members.push_back({"tangential.y." + key_of(t.y, rolling), &In::tangential_y});
  members.push_back({t.moment  ? "tangential.moment"
                     : rolling ? "tangential.spin"
                               : "tangential.rotation",
                     &In::rotation});
  return members;
}

// One coefficient is that of all elements.
constexpr std::string_view kOneCoefficient = "friction.coefficient";
bool has_one_coefficient(const StepInput& step) {
  return step.tangential.problem != TangentialProblem::none && !step.friction.varies() &&
         step.friction.along_y.empty();
}

template <class Of>
[[noreturn]] void refuse_name(const std::string& name, const Members<Of>& members,
                              std::string_view other) {
  std::vector<std::string> names;
  for (const NamedMember<Of>& member : members) names.push_back(member.name);
  if (!other.empty()) names.emplace_back(other);
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
         const Members<Of>& members, std::string_view other, Of& all) {
  for (const NamedMember<Of>& member : members) {
    if (member.name != name) continue;
    if (const auto* field = std::get_if<std::vector<double> Of::*>(&member.member)) {
      if (values.size() != count)
        throw InputError(fmt::format("{}: {} values; accepted: {}, one for each element", name,
                                     values.size(), count));
      all.*(*field) = values;
      return;
    }
    if (values.size() != 1)
      throw InputError(fmt::format("{}: {} values; accepted: one number", name, values.size()));
    all.*std::get<double Of::*>(member.member) = values[0];
    return;
  }
  refuse_name(name, members, other);
}

template <class Of>
NamedValues values_of(const Of& all, const Members<Of>& members) {
  NamedValues values;
  for (const NamedMember<Of>& member : members) {
    if (const auto* field = std::get_if<std::vector<double> Of::*>(&member.member))
      values.push_back({member.name, all.*(*field), true});
    else
      values.push_back({member.name, {all.*std::get<double Of::*>(member.member)}, false});
  }
  return values;
}

template <class Of>
std::size_t size_of(const std::string& name, std::size_t count, const Members<Of>& members,
                    std::string_view other) {
  if (name == other) return 1;
  for (const NamedMember<Of>& member : members)
    if (member.name == name) return member.member.index() == 0 ? 1 : count;
  refuse_name(name, members, other);
}

const StepInput& input_of(CaseSolver& solver) {
  if (solver.is_wheel())
    throw InputError(
        "a wheel on a rail has no gradient by element; accepted: derivatives() of its totals");
  return solver.last().input;
}

}  // namespace

StepGradient::StepGradient(CaseSolver& solver)
    : step_(input_of(solver)),
      count_(solver.problem().grid.count()),
      derivatives_(solver.problem(), step_, solver.solution(), solver.report()) {}

std::size_t StepGradient::size_of_output(const std::string& name) const {
  return size_of(name, count_, outputs_of(step_), "");
}
std::size_t StepGradient::size_of_input(const std::string& name) const {
  return size_of(name, count_, inputs_of(step_), has_one_coefficient(step_) ? kOneCoefficient : "");
}

NamedValues StepGradient::gradient(const NamedValues& seed) {
  require_once(seed);
  const Members<StepOutputs> members = outputs_of(step_);
  StepOutputs all;
  for (const auto& [name, values, is_field] : seed) put(name, values, count_, members, "", all);
  const StepInputs found = derivatives_.gradient(all);
  NamedValues values = values_of(found, inputs_of(step_));
  if (has_one_coefficient(step_)) {
    double sum = 0.0;
    for (const double value : found.friction) sum += value;
    values.push_back({std::string(kOneCoefficient), {sum}, false});
  }
  return values;
}

NamedValues StepGradient::derivative(const NamedValues& direction) {
  require_once(direction);
  const Members<StepInputs> members = inputs_of(step_);
  const bool one = has_one_coefficient(step_);
  StepInputs all;
  double coefficient = 0.0;
  for (const auto& [name, values, is_field] : direction) {
    if (one && name == kOneCoefficient && values.size() == 1)
      coefficient = values[0];
    else
      put(name, values, count_, members, one ? kOneCoefficient : "", all);
  }
  if (coefficient != 0.0) {
    all.friction.resize(count_, 0.0);
    for (double& value : all.friction) value += coefficient;
  }
  return values_of(derivatives_.derivative(all), outputs_of(step_));
}

}  // namespace slipfield
