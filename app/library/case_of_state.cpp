// SPDX-License-Identifier: Apache-2.0
#include "app/library/case_of_state.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "io/case/reader.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "io/result/field_table.h"
#include "io/yaml/tree.h"
#include "solver/error.h"

namespace slipfield {
namespace {

// Keys whose values a step may change, or that no step depends on.
constexpr std::array<std::string_view, 9> kMayDiffer{"title",      "steps",    "normal",
                                                     "tangential", "friction", "output",
                                                     "interior",   "expected", "sweep"};
constexpr std::array<std::string_view, 8> kWheelMayDiffer{
    "side", "problem", "step", "track", "wheelset", "vertical_force", "longitudinal_force",
    "steps"};

// FNV-1a, by numbers.
std::uint64_t hash_of(const std::vector<Shape>& geometry) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  constexpr std::uint64_t kPrime = 0x100000001b3U;
  for (const auto& shape : geometry)
    if (const auto* heights = std::get_if<HeightsShape>(&shape))
      for (const double value : heights->values)
        hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * kPrime;
  return hash;
}

YamlNode fixed_part(const std::string& yaml) {
  const SourceText source("", "", SourceText::Kind::argument);
  CaseDiagnostics diagnostics;
  YamlNode tree = parse_yaml(yaml, source, diagnostics).value_or(YamlNode::empty_map());
  for (const std::string_view key : kMayDiffer) tree.erase(key);
  if (YamlNode* wheel_rail = tree.find("wheel_rail"))
    for (const std::string_view key : kWheelMayDiffer) wheel_rail->erase(key);
  return tree;
}

struct Difference {
  std::string key;
  std::string saved;
  std::string here;
};

std::string shown(const YamlNode* node) {
  constexpr std::size_t kMost = 60;
  if (node == nullptr) return "absent";
  std::string text = node->kind == YamlNode::Kind::scalar ? node->text : flow_yaml(*node);
  return text.size() > kMost ? text.substr(0, kMost) + "..." : text;
}

std::optional<Difference> first_difference(const YamlNode* saved, const YamlNode* here,
                                           const std::string& key) {
  using Kind = YamlNode::Kind;
  if (saved == nullptr || here == nullptr || saved->kind != here->kind ||
      (saved->kind == Kind::sequence && saved->items.size() != here->items.size()))
    return Difference{key, shown(saved), shown(here)};
  if (saved->kind == Kind::scalar && saved->text != here->text)
    return Difference{key, saved->text, here->text};
  const auto inside = [&](const std::string& name) {
    return key.empty() ? name : key + "." + name;
  };
  for (std::size_t i = 0; i < saved->items.size(); ++i) {
    const bool map = saved->kind == Kind::map;
    const std::string name = map ? saved->keys[i].name : std::to_string(i);
    const YamlNode* other = map ? here->find(name) : &here->items[i];
    if (auto found = first_difference(&saved->items[i], other, inside(name))) return found;
  }
  for (const YamlKey& more : here->keys)
    if (saved->find(more.name) == nullptr)
      return Difference{inside(more.name), "absent", shown(here->find(more.name))};
  return {};
}

std::optional<Difference> difference(const CaseOfState& saved, const CaseOfState& here) {
  if (!saved.backend.empty() && !here.backend.empty() && saved.backend != here.backend)
    return Difference{"the backend", saved.backend, here.backend};
  if (saved.resolved_yaml != here.resolved_yaml) {
    const YamlNode of_saved = fixed_part(saved.resolved_yaml);
    const YamlNode of_here = fixed_part(here.resolved_yaml);
    if (auto found = first_difference(&of_saved, &of_here, "")) return found;
  }
  // A state without tractions begins any step.
  if (saved.problem != here.problem && saved.problem != problem_name(TangentialProblem::none))
    return Difference{"tangential.problem", saved.problem, here.problem};
  if (saved.heights != here.heights)
    return Difference{"the table of heights", "another", "this one"};
  return {};
}

}  // namespace

CaseOfState describe_case(CaseFile file, const std::vector<StepInput>& entries,
                          std::string backend) {
  CaseOfState state;
  if (!file.wheel_rail) state.problem = problem_name(entries.front().tangential.problem);
  state.steps = std::exchange(file.problem.steps, entries);
  state.resolved_yaml = write_case(file);
  state.heights = hash_of(file.problem.geometry);
  state.backend = std::move(backend);
  return state;
}

void require_case_of_state(const CaseOfState& saved, const CaseOfState& here) {
  if (const auto found = difference(saved, here))
    throw InputError(
        fmt::format("the state is of another case: {} is {} there and {} here; accepted: a state "
                    "of this solver, or of one with the same case and backend",
                    found->key, found->saved, found->here));
}

}  // namespace slipfield
