// SPDX-License-Identifier: Apache-2.0
// The sequence of steps: each entry overrides friction, normal and tangential of the previous one.
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "io/case/check/faults.h"
#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/case/table.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "io/result/field_table.h"

namespace slipfield {
namespace {

// A section in force at a step: its keys as written, in whatever entries.
struct SectionInForce {
  YamlNode node;
  SourcePlace place;  // of the key of the last section that contributed
  bool given = false;
  bool missing_reported = false;
};

constexpr std::size_t kFriction = 0;
constexpr std::size_t kNormal = 1;
constexpr std::size_t kTangential = 2;
struct LoadSection {
  std::string_view key;
  const KeyTable* table;
};
constexpr std::array<LoadSection, 3> kLoadSections{
    {{"friction", &kFrictionTable}, {"normal", &kNormalTable}, {"tangential", &kTangentialTable}}};
using StepSections = std::array<SectionInForce, kLoadSections.size()>;

void override_section(StepSections& sections, std::size_t index, const YamlNode& node,
                      const SourcePlace& place) {
  SectionInForce& section = sections.at(index);
  section.place = place;
  const bool new_problem = index == kTangential && node.index_of("problem");
  if (!section.given || new_problem || section.node.kind != YamlNode::Kind::map ||
      node.kind != YamlNode::Kind::map) {
    section.node = node;
    section.given = true;
    return;
  }
  kLoadSections.at(index).table->drop_alternatives(section.node, node);
  for (std::size_t i = 0; i < node.keys.size(); ++i) section.node.put(node.keys[i], node.items[i]);
}

std::optional<TangentialProblem> problem_in_force(const SectionInForce& tangential) {
  const YamlNode* problem = tangential.given ? tangential.node.find("problem") : nullptr;
  return problem != nullptr ? problem_from_name(problem->text) : std::nullopt;
}

// Overrides the sections in force by friction, normal and tangential of the root or of an entry of
// `steps`. An entry is checked as a part if others complete it, so that an error in a value that a
// later step overrides is still found.
void override_sections(StepSections& sections, CaseSection& entry, const CaseContext& context) {
  for (std::size_t k = 0; k < kLoadSections.size(); ++k) {
    const std::string_view key = kLoadSections.at(k).key;
    const YamlNode* node = entry.value(key, "a map with keys of its own", Presence::optional);
    if (node == nullptr) continue;
    const SourcePlace place = entry.key_place(key);
    CaseSection part(*node, place, entry.path_of(key), entry.diagnostics(), Completeness::part);
    if (k == kFriction) read_friction(part, context);
    if (k == kNormal) read_normal(part, context.adhesion);
    if (k == kTangential)
      read_tangential(part, context.grid, problem_in_force(sections[kTangential]));
    override_section(sections, k, *node, place);
  }
}

// `start` chooses a solution if there may be several.
void check_start(const StepInput& step, const SectionInForce& tangential, const std::string& path,
                 CaseDiagnostics& diagnostics) {
  if (step.tangential.start == FrictionStart::last || step.friction.depends_on_slip()) return;
  diagnostics.warn(
      tangential.node.find("start")->place, path + ".start",
      fmt::format("'{}' changes nothing: the coefficient of friction is {} in adhesion "
                  "and in slip",
                  name_of(kFrictionStarts, step.tangential.start),
                  step.friction.varies() ? std::string("the same")
                                         : fmt::format("{}", step.friction.coefficient)));
}

// The sections in force as a map.
YamlNode in_force(const StepSections& sections) {
  YamlNode map = YamlNode::empty_map();
  for (std::size_t k = 0; k < sections.size(); ++k)
    if (sections.at(k).given)
      map.put({std::string(kLoadSections.at(k).key), sections.at(k).place}, sections.at(k).node);
  return map;
}

// Reads the complete sections in force. `entry`: the place and path of the step. `before`: the
// previous step, if any.
std::optional<StepInput> read_step(StepSections& sections, const CaseSection& entry,
                                   const CaseContext& context, const StepInput* before) {
  CaseDiagnostics& diagnostics = entry.diagnostics();
  const std::size_t errors_before = diagnostics.count();
  const auto whole = [&](std::size_t k) {
    return CaseSection(sections[k].node, sections[k].place, entry.path_of(kLoadSections[k].key),
                       diagnostics);
  };
  const auto report_missing = [&](std::size_t k, std::string_view accepted) {
    if (!sections[k].missing_reported)
      diagnostics.add_missing(entry.place(), entry.path_of(kLoadSections[k].key), accepted);
    sections[k].missing_reported = true;
  };
  StepInput step;
  std::optional<Tangential> tangential = Tangential{};
  if (sections[kTangential].given) {
    auto section = whole(kTangential);
    tangential = read_tangential(section, context.grid);
  }
  if (tangential) step.tangential = *tangential;
  bool good = tangential.has_value();
  if (sections[kFriction].given) {
    auto section = whole(kFriction);
    const auto friction = read_friction(section, context);
    if (friction) step.friction = *friction;
    good = good && friction;
  } else if (tangential && tangential->problem != TangentialProblem::none) {
    report_missing(kFriction, "a map {coefficient}");
    good = false;
  }
  if (sections[kNormal].given) {
    auto section = whole(kNormal);
    const auto normal = read_normal(section, context.adhesion);
    if (normal) step.normal = *normal;
    good = good && normal;
  } else {
    report_missing(kNormal, "a map with exactly one of force, approach, pull_off");
    good = false;
  }
  if (!good || diagnostics.count() != errors_before) return std::nullopt;
  const auto faults = check_step(step, context.grid ? &*context.grid : nullptr,
                                 before == nullptr ? nullptr : &before->friction);
  if (!faults.empty()) {
    report_step_faults(in_force(sections), entry.path_of(""), faults, diagnostics);
    return std::nullopt;
  }
  check_start(step, sections[kTangential], entry.path_of("tangential"), diagnostics);
  return step;
}

// Takes the sections of a map unchanged.
void take_sections(StepSections& sections, const YamlNode& map) {
  for (std::size_t k = 0; k < kLoadSections.size(); ++k)
    if (const auto index = map.index_of(kLoadSections.at(k).key))
      override_section(sections, k, map.items[*index], map.keys[*index].place);
}

}  // namespace

YamlNode loads_in_force(const YamlNode& root, std::size_t entry) {
  StepSections sections;
  take_sections(sections, root);
  if (const YamlNode* steps = root.find("steps"))
    for (std::size_t i = 0; i <= entry && i < steps->items.size(); ++i)
      take_sections(sections, steps->items[i]);
  return in_force(sections);
}

YamlNode loads_over(const YamlNode& loads, const YamlNode& change) {
  StepSections sections;
  take_sections(sections, loads);
  take_sections(sections, change);
  return in_force(sections);
}

namespace {

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

}  // namespace

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
  StepSections sections;
  take_sections(sections, loads);
  CaseSection entry(change, change.place, "", diagnostics);
  override_sections(sections, entry, context);
  entry.finish();
  return read_step(sections, entry, context, before);
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
  StepSections sections;
  override_sections(sections, root, context);
  std::vector<StepInput> steps;
  if (!has_entries) {
    const auto step = read_step(sections, root, context, nullptr);
    if (!step || root.has("steps")) return std::nullopt;
    return std::vector<StepInput>{*step};
  }
  std::int64_t count = 0;
  bool good = entries.size() == node->items.size();
  for (CaseSection& entry : entries) {
    const auto repeat = entry.integer("repeat", kRepeats, Presence::optional);
    override_sections(sections, entry, context);
    entry.finish();
    const StepInput* before = steps.empty() ? nullptr : &steps.back();
    auto step = read_step(sections, entry, context, before);
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

namespace {

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
