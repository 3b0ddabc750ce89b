// SPDX-License-Identifier: Apache-2.0
// The sequence of steps: each entry overrides friction, normal and tangential of the previous one.
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/case/check/faults.h"
#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/case/table.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "io/result/field_table.h"

namespace slipfield {
namespace {

struct LoadSection {
  std::string_view key;
  const KeyTable* table;
};
constexpr std::array<LoadSection, 3> kLoadSections{
    {{"friction", &kFrictionTable}, {"normal", &kNormalTable}, {"tangential", &kTangentialTable}}};

// Overrides a section in force, whose key gets the place of `key`.
void override_section(YamlNode& loads, const LoadSection& section, const YamlKey& key,
                      const YamlNode& over) {
  YamlNode* const before = loads.find(section.key);
  const bool new_problem = section.table == &kTangentialTable && over.index_of("problem");
  if (before == nullptr || new_problem || before->kind != YamlNode::Kind::map ||
      over.kind != YamlNode::Kind::map)
    return loads.put(key, over);
  section.table->drop_alternatives(*before, over);
  for (std::size_t i = 0; i < over.keys.size(); ++i) before->put(over.keys[i], over.items[i]);
  loads.keys[*loads.index_of(section.key)] = key;
}

// Overrides the loads in force by those of a map.
void override_loads(YamlNode& loads, const YamlNode& over) {
  for (const LoadSection& section : kLoadSections)
    if (const auto index = over.index_of(section.key))
      override_section(loads, section, over.keys[*index], over.items[*index]);
}

// Overrides the loads in force by those of the root or of an entry of `steps`. An entry is checked
// as a part if others complete it, so that an error in a value that a later step overrides is still
// found.
void override_loads(YamlNode& loads, CaseSection& entry, const CaseContext& context) {
  for (const LoadSection& section : kLoadSections) {
    const YamlNode* node =
        entry.value(section.key, "a map with keys of its own", Presence::optional);
    if (node == nullptr) continue;
    const SourcePlace place = entry.key_place(section.key);
    CaseSection part(*node, place, entry.path_of(section.key), entry.diagnostics(),
                     Completeness::part);
    if (section.table == &kFrictionTable) read_friction(part, context);
    if (section.table == &kNormalTable) read_normal(part, context.adhesion);
    if (section.table == &kTangentialTable) {
      const YamlNode* problem = loads.find("tangential", "problem");
      read_tangential(part, context.grid,
                      problem != nullptr ? problem_from_name(problem->text) : std::nullopt);
    }
    override_section(loads, section, {std::string(section.key), place}, *node);
  }
}

// `start` chooses a solution if there may be several.
void check_start(const StepInput& step, const YamlNode& loads, const std::string& path,
                 CaseDiagnostics& diagnostics) {
  if (step.tangential.start == FrictionStart::last || step.friction.depends_on_slip()) return;
  diagnostics.warn(
      loads.find("tangential", "start")->place, path + ".start",
      fmt::format("'{}' changes nothing: the coefficient of friction is {} in adhesion "
                  "and in slip",
                  name_of(kFrictionStarts, step.tangential.start),
                  step.friction.varies() ? std::string("the same")
                                         : fmt::format("{}", step.friction.coefficient)));
}

// Reads the complete loads in force. `entry`: the place and path of the step. `before`: the
// previous step, if any. `missing`: the sections already reported so.
std::optional<StepInput> read_step(const YamlNode& loads, const CaseSection& entry,
                                   const CaseContext& context, const StepInput* before,
                                   std::set<std::string_view>& missing) {
  CaseDiagnostics& diagnostics = entry.diagnostics();
  const std::size_t errors_before = diagnostics.count();
  const auto section_of = [&](std::string_view key) -> std::optional<CaseSection> {
    const auto index = loads.index_of(key);
    if (!index) return std::nullopt;
    return CaseSection(loads.items[*index], loads.keys[*index].place, entry.path_of(key),
                       diagnostics);
  };
  const auto report_missing = [&](std::string_view key, std::string_view accepted) {
    if (missing.insert(key).second)
      diagnostics.add_missing(entry.place(), entry.path_of(key), accepted);
  };
  StepInput step;
  std::optional<Tangential> tangential = Tangential{};
  if (auto section = section_of("tangential")) tangential = read_tangential(*section, context.grid);
  if (tangential) step.tangential = *tangential;
  bool good = tangential.has_value();
  if (auto section = section_of("friction")) {
    const auto friction = read_friction(*section, context);
    if (friction) step.friction = *friction;
    good = good && friction;
  } else if (tangential && tangential->problem != TangentialProblem::none) {
    report_missing("friction", "a map {coefficient}");
    good = false;
  }
  if (auto section = section_of("normal")) {
    const auto normal = read_normal(*section, context.adhesion);
    if (normal) step.normal = *normal;
    good = good && normal;
  } else {
    report_missing("normal", "a map with exactly one of force, approach, pull_off");
    good = false;
  }
  if (!good || diagnostics.count() != errors_before) return std::nullopt;
  const auto faults = check_step(step, context.grid ? &*context.grid : nullptr,
                                 before == nullptr ? nullptr : &before->friction);
  if (!faults.empty()) {
    report_step_faults(loads, entry.path_of(""), faults, diagnostics);
    return std::nullopt;
  }
  check_start(step, loads, entry.path_of("tangential"), diagnostics);
  return step;
}

// Also in the maps that both have.
void drop_excluded(const KeyTable& table, YamlNode& section, const YamlNode& over) {
  if (section.kind != YamlNode::Kind::map || over.kind != YamlNode::Kind::map) return;
  table.drop_alternatives(section, over);
  for (const KeyRow& row : table.rows) {
    YamlNode* const inside = section.find(row.name);
    const YamlNode* const given = over.find(row.name);
    if (inside == nullptr || given == nullptr) continue;
    if (const KeyTable* const of_row = row.table_of(*given))
      drop_excluded(*of_row, *inside, *given);
  }
}

// friction, normal, tangential as lines, the first after `first`, the others after `indent`.
std::string step_text(const StepInput& step, std::string_view first, std::string_view indent,
                      const StepInput* before) {
  const std::string friction =
      friction_text(step.friction, "y", before == nullptr ? nullptr : &before->friction);
  return fmt::format("{}friction: {}\n{}normal: {}\n{}tangential: {}\n", first, friction, indent,
                     normal_text(step.normal), indent,
                     flow_text(kTangentialTable, &step.tangential));
}

}  // namespace

YamlNode loads_in_force(const YamlNode& root, std::size_t entry) {
  const bool wheel = root.index_of("wheel_rail").has_value();
  YamlNode loads = YamlNode::empty_map();
  const auto take = [&](const YamlNode& over) {
    if (wheel)
      override_wheel_loads(loads, over);
    else
      override_loads(loads, over);
  };
  take(root);
  if (const YamlNode* steps = root.find("steps"))
    for (std::size_t i = 0; i <= entry && i < steps->items.size(); ++i) take(steps->items[i]);
  return loads;
}

YamlNode loads_over(const YamlNode& loads, const YamlNode& change) {
  YamlNode all = YamlNode::empty_map();
  override_loads(all, loads);
  override_loads(all, change);
  return all;
}

void drop_excluded_loads(YamlNode& root, const YamlNode& change, bool wheel_rail) {
  for (const LoadSection& load : kLoadSections) {
    YamlNode* const section = root.find(load.key);
    const YamlNode* const over = change.find(load.key);
    if (section == nullptr || over == nullptr) continue;
    drop_excluded(wheel_rail ? kRailFrictionTable : *load.table, *section, *over);
  }
}

std::optional<StepInput> read_loads(const YamlNode& loads, const YamlNode& change,
                                    const CaseContext& context, CaseDiagnostics& diagnostics,
                                    const StepInput* before) {
  YamlNode all = loads;
  CaseSection entry(change, change.place, "", diagnostics);
  override_loads(all, entry, context);
  entry.finish();
  std::set<std::string_view> missing;
  return read_step(all, entry, context, before, missing);
}

std::optional<std::vector<StepInput>> read_steps(CaseSection& root, const CaseContext& context) {
  const YamlNode* node = root.node().find("steps");
  const bool is_list = node != nullptr && node->kind == YamlNode::Kind::sequence;
  const bool has_entries = is_list && !node->items.empty();
  auto entries = root.maps("steps",
                           is_list && !has_entries
                               ? "at least one step, or no such key"
                               : "a list of steps with friction, normal, tangential, repeat",
                           Presence::optional, CaseSection::Maps::list);
  YamlNode loads = YamlNode::empty_map();
  std::set<std::string_view> missing;
  override_loads(loads, root, context);
  std::vector<StepInput> steps;
  if (!has_entries) {
    const auto step = read_step(loads, root, context, nullptr, missing);
    if (!step || root.has("steps")) return std::nullopt;
    return std::vector<StepInput>{*step};
  }
  std::int64_t count = 0;
  bool good = entries.size() == node->items.size();
  for (CaseSection& entry : entries) {
    const auto repeat = entry.integer("repeat", kRepeats, Presence::optional);
    override_loads(loads, entry, context);
    entry.finish();
    const StepInput* before = steps.empty() ? nullptr : &steps.back();
    auto step = read_step(loads, entry, context, before, missing);
    good = good && step && (repeat || !entry.has("repeat"));
    if (!good) continue;
    step->repeat = static_cast<int>(repeat.value_or(1));
    count += step->repeat;
    steps.push_back(*step);
  }
  if (count > kMaxRepeat) {
    root.error_at_key("steps", fmt::format("the sequence has {} steps", count),
                      fmt::format("at most {}", kMaxRepeat));
    return std::nullopt;
  }
  if (!good) return std::nullopt;
  return steps;
}

const KeyTable kStepTable{"steps",
                          {map("friction", kFrictionTable, "as before", "replaces key by key"),
                           map("normal", kNormalTable, "as before", "likewise"),
                           map("tangential", kTangentialTable, "as before",
                               "likewise; with a `problem` of its own it replaces the section"),
                           integer("repeat", nullptr, kRepeats, "1", "how often the step runs")},
                          {},
                          true};

std::string steps_text(const std::vector<StepInput>& steps) {
  if (steps.size() == 1 && steps.front().repeat == 1)
    return step_text(steps.front(), "", "", nullptr);
  std::string text = "steps:\n";
  const StepInput* before = nullptr;
  for (const StepInput& step : steps) {
    text += step_text(step, "  - ", "    ", before) + fmt::format("    repeat: {}\n", step.repeat);
    before = &step;
  }
  return text;
}

}  // namespace slipfield
