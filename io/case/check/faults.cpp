// SPDX-License-Identifier: Apache-2.0
#include "io/case/check/faults.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>

#include "io/case/sections.h"
#include "io/case/table.h"
#include "io/case/text.h"
#include "solver/surface/surface_request.h"

namespace slipfield {
namespace {

struct FieldKey {
  std::string field;
  KeyPath key;
};

// Whether `part` is the field itself, one of its members or one of its elements.
bool belongs_to(std::string_view field, std::string_view part) {
  return field.starts_with(part) &&
         (field.size() == part.size() || field[part.size()] == '.' || field[part.size()] == '[');
}

std::string joined(const std::string& part, std::string_view name) {
  return part + (part.empty() || name.empty() ? "" : ".") + std::string(name);
}

void collect(const KeyTable& table, const std::string& field, const KeyPath& key,
             std::vector<FieldKey>& found) {
  for (const KeyRow& row : table.rows) {
    KeyPath path = key;
    path.emplace_back(row.name);
    const auto names = row.fields.empty() ? std::vector{row.name} : row.fields;
    for (const std::string_view name : names) found.push_back({joined(field, name), path});
    if (row.map != nullptr) collect(*row.map, joined(field, names.front()), path, found);
  }
}

const std::vector<FieldKey>& keys_of_table(const KeyTable& table) {
  static thread_local std::map<const KeyTable*, std::vector<FieldKey>> known;
  auto& found = known[&table];
  if (found.empty()) collect(table, "", {}, found);
  return found;
}

// Keys that may set a field, innermost first: those of the nearest enclosing field; if none, its
// own name.
std::vector<KeyPath> keys_of(const KeyTable& table, std::string_view field) {
  std::vector<KeyPath> keys;
  std::size_t longest = 0;
  for (const FieldKey& entry : keys_of_table(table)) {
    if (!belongs_to(field, entry.field) || entry.field.size() < longest) continue;
    if (entry.field.size() > longest) keys.clear();
    longest = entry.field.size();
    keys.push_back(entry.key);
  }
  std::ranges::stable_sort(keys,
                           [](const KeyPath& a, const KeyPath& b) { return a.size() > b.size(); });
  if (keys.empty()) keys.push_back(key_path(std::string(field)));
  return keys;
}

const KeyTable& whole_case() { return case_table(false, false); }

// The first key that is given, else the first key.
KeyPath given_of(const YamlNode& node, const std::vector<KeyPath>& keys) {
  const auto given = std::ranges::find_if(
      keys, [&](const KeyPath& key) { return find_path(&node, key) != nullptr; });
  return given != keys.end() ? *given : keys.front();
}

// A fault of a load points at the number in its map.
SourcePlace place_of(const YamlNode& node, std::string_view field) {
  const bool load = field == "tangential.x" || field == "tangential.y";
  return load && node.kind == YamlNode::Kind::map && !node.items.empty() ? node.items.front().place
                                                                         : node.place;
}

// "steps[3].normal.value": 3 and the rest.
struct Element {
  std::size_t index = 0;
  std::string_view rest;
};
std::optional<Element> element_of(std::string_view field, std::string_view list) {
  if (!field.starts_with(list) || field.size() <= list.size() || field[list.size()] != '[')
    return std::nullopt;
  Element element;
  const char* begin = field.data() + list.size() + 1;
  const char* end = field.data() + field.size();
  const auto number = std::from_chars(begin, end, element.index);
  const auto used = static_cast<std::size_t>(number.ptr - field.data()) + 2;  // "]."
  element.rest = used <= field.size() ? field.substr(used) : std::string_view{};
  return element;
}

void report_in_geometry(CaseSection& root, const Fault& fault, std::size_t index) {
  const YamlNode* node = root.node().find("geometry");
  const bool list = node != nullptr && node->kind == YamlNode::Kind::sequence;
  if (list && index < node->items.size()) node = &node->items[index];
  root.diagnostics().add(node != nullptr ? node->place : root.place(),
                         list ? "geometry." + std::to_string(index) : "geometry", fault.reason,
                         fault.remedy);
}

void report(CaseSection& root, const Fault& fault) {
  if (const auto shape = element_of(fault.field, "geometry"))
    return report_in_geometry(root, fault, shape->index);
  const auto step = element_of(fault.field, "steps");
  const std::string_view field = step ? step->rest : std::string_view(fault.field);
  const FoundValue found =
      value_in_force(root.node(), step ? step->index : 0, keys_of(whole_case(), field));
  const bool is_given = found.node != &root.node();
  root.diagnostics().add(
      is_given ? place_of(*found.node, field) : root.key_place(found.key.front()),
      (step && root.has("steps") ? fmt::format("steps.{}.", step->index) : "") + dotted(found.key),
      fault.reason, fault.remedy);
}

}  // namespace

bool report_faults(CaseSection& section, const KeyTable& table, const std::vector<Fault>& faults,
                   std::string_view below) {
  for (const Fault& fault : faults) {
    std::string_view field = std::string_view(fault.field).substr(fault.field.find('.') + 1);
    if (belongs_to(field, below) && field.size() > below.size())
      field.remove_prefix(below.size() + 1);
    const KeyPath key = given_of(section.node(), keys_of(table, field));
    section.error_at_value(dotted(key), fault.reason, fault.remedy);
  }
  return faults.empty();
}

bool report_step_faults(const YamlNode& step, const std::string& path,
                        const std::vector<Fault>& faults, CaseDiagnostics& diagnostics) {
  for (const Fault& fault : faults) {
    const std::string_view field = std::string_view(fault.field).substr(fault.field.find('.') + 1);
    const FoundValue found = value_in_force(step, 0, keys_of(whole_case(), field));
    // A key left at its default is reported where its section says what the step does.
    const YamlNode* problem = find_path(&step, {found.key.front(), "problem"});
    const YamlNode* section = problem != nullptr ? problem : step.find(found.key.front());
    const bool is_given = found.node != &step || section == nullptr;
    diagnostics.add(is_given ? place_of(*found.node, field) : section->place,
                    path + dotted(found.key), fault.reason, fault.remedy);
  }
  return faults.empty();
}

std::string path_elsewhere(const std::string& within, const std::string& name,
                           const YamlNode& value) {
  KeyPath section = key_path(within);
  if (section.size() > 1 && section.front() == "steps")
    section.erase(section.begin(), section.begin() + 2);
  std::set<KeyPath> paths;
  for (const FieldKey& entry : keys_of_table(whole_case()))
    if (entry.key.size() == section.size() + 2 && entry.key.back() == name &&
        std::equal(section.begin(), section.end(), entry.key.begin()))
      paths.insert(entry.key);
  if (paths.size() != 1) return {};
  KeyPath path = *paths.begin();
  for (const YamlNode* node = &value; node->kind == YamlNode::Kind::map && node->keys.size() == 1;
       node = &node->items.front())
    path.push_back(node->keys.front().name);
  return dotted(path);
}

void report_wheel_problem(CaseSection& root, ContactProblem problem) {
  constexpr int kMany = 64;  // more than any rule requires
  problem.grid.mx = problem.grid.my = kMany;
  problem.grid.dx = problem.grid.dy = 1.0;
  for (StepInput& step : problem.steps) step.tangential.step = step.tangential.duration = 1.0;
  std::vector<Fault> faults = check_combinations(problem);
  for (Fault& fault : check_surface(problem.surface, problem.steps))
    if (fault.field.starts_with("steps[")) faults.push_back(std::move(fault));
  const auto rename = [](std::string& text) {
    constexpr std::string_view kOfContact = "tangential.problem";
    const std::size_t at = text.find(kOfContact);
    if (at != std::string::npos) text.replace(at, kOfContact.size(), "wheel_rail.problem");
  };
  for (Fault& fault : faults) {
    rename(fault.field);
    rename(fault.remedy);
    report(root, fault);
  }
}

void report_problem(CaseSection& root, const ContactProblem& problem, bool is_whole) {
  for (const Fault& fault : check_problem(problem)) {
    const std::string_view field = fault.field;
    if (is_whole || field.starts_with("solver.") || field == "sensitivities" ||
        field == "error_estimate")
      report(root, fault);
  }
}

std::string dotted(const KeyPath& path) { return fmt::format("{}", fmt::join(path, ".")); }

KeyPath key_path(const std::string& dotted_path) {
  KeyPath path;
  std::istringstream stream(dotted_path);
  for (std::string key; std::getline(stream, key, '.');) path.push_back(key);
  return path;
}

const YamlNode* find_path(const YamlNode* node, const KeyPath& path) {
  for (const std::string& key : path) {
    if (node == nullptr) return nullptr;
    const auto index = list_index(key);
    if (node->kind != YamlNode::Kind::sequence)
      node = node->find(key);
    else
      node = index && *index < node->items.size() ? &node->items[*index] : nullptr;
  }
  return node;
}

FoundValue value_in_force(const YamlNode& root, std::size_t entry,
                          const std::vector<KeyPath>& paths) {
  const YamlNode* steps = root.find("steps");
  if (steps != nullptr && steps->kind == YamlNode::Kind::sequence) {
    for (std::size_t i = std::min(entry + 1, steps->items.size()); i-- > 0;)
      for (const KeyPath& path : paths)
        if (const YamlNode* node = find_path(&steps->items[i], path))
          return {node, fmt::format("steps.{}.{}", i, dotted(path)), path};
  }
  for (const KeyPath& path : paths)
    if (const YamlNode* node = find_path(&root, path)) return {node, dotted(path), path};
  return {&root, dotted(paths.front()), paths.front()};
}

}  // namespace slipfield
