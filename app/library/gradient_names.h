// SPDX-License-Identifier: Apache-2.0
// Names of results and paths of keys that have derivatives.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "app/library/step_gradient.h"
#include "solver/error.h"
#include "solver/gradient/step_derivatives.h"
#include "solver/rolling.h"

namespace slipfield::by_name {

// A name and the place of its values.
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

inline Members<StepOutputs> outputs_of(const StepInput& step) {
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

inline std::string key_of(const TangentialLoad& load, bool rolling) {
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

// Adds the numbers of a uniform friction law.
inline void add_law(const Friction& friction, Members<StepInputs>& members) {
  if (friction.varies() || !friction.along_y.empty()) return;
  members.push_back(
      {friction.kinetic ? "friction.static" : "friction.coefficient", &LawNumbers::fixed});
  if (friction.shear_strength > 0.0)
    members.push_back({"friction.shear_strength", &LawNumbers::shear_strength});
  if (!friction.depends_on_slip()) return;
  members.push_back({"friction.kinetic", &LawNumbers::kinetic});
  if (friction.law == FrictionLaw::constant) return;
  members.push_back({"friction.half_velocity", &LawNumbers::half_velocity});
  if (!(friction.second_drop > 0.0)) return;
  members.push_back({"friction.second_drop", &LawNumbers::second_drop});
  members.push_back({"friction.second_half_velocity", &LawNumbers::second_half_velocity});
}

inline Members<StepInputs> inputs_of(const StepInput& step) {
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

[[noreturn]] inline void refuse_name(const std::string& name,
                                     const std::vector<std::string>& names) {
  throw InputError(fmt::format("the step has no '{}' with derivatives; accepted: {}", name,
                               fmt::join(names, ", ")));
}
// all: members or values.
template <class Named>
std::vector<std::string> names_in(const Named& all) {
  std::vector<std::string> names;
  for (const auto& one : all) names.push_back(one.name);
  return names;
}

inline void require_once(const NamedValues& values) {
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
  refuse_name(name, names_in(members));
}

// Copies the values given; the others stay 0.
template <class Of>
Of from_values(const NamedValues& given, std::size_t count, const Members<Of>& members) {
  require_once(given);
  Of all;
  for (const auto& [name, values, kind] : given) put(name, values, count, members, all);
  return all;
}

inline void require_finite(const NamedValues& values) {
  for (const NamedValue& one : values)
    for (const double value : one.values)
      if (!std::isfinite(value))
        throw InputError(one.name +
                         ": the result is beyond what doubles hold; accepted: smaller numbers, of "
                         "which it is a multiple");
}

template <class Of>
NamedValues values_of(const Of& all, const Members<Of>& members) {
  NamedValues values;
  for (const NamedMember<Of>& member : members) {
    if (is_field(member))
      values.push_back({member.name, field_of(all, member), ValueKind::field});
    else
      values.push_back({member.name, {number_of(all, member)}});
  }
  require_finite(values);
  return values;
}

template <class Of>
std::size_t size_of(const std::string& name, std::size_t count, const Members<Of>& members) {
  for (const NamedMember<Of>& member : members)
    if (member.name == name) return is_field(member) ? count : 1;
  refuse_name(name, names_in(members));
}

}  // namespace slipfield::by_name
