// SPDX-License-Identifier: Apache-2.0
#include "io/case/check/faults.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "io/case/check/places.h"

namespace slipfield {
namespace {

// Fields of the problem and of a step, with the keys that give them; the first that the case has.
// A field without a row has its own name as key.
constexpr std::array<FieldKey, 29> kFieldKeys{{
    {"upper.poisson_ratio", "bodies.upper.poisson_ratio"},
    {"upper.shear_modulus", "bodies.upper.young_modulus"},
    {"upper.shear_modulus", "bodies.upper.shear_modulus"},
    {"lower.poisson_ratio", "bodies.lower.poisson_ratio"},
    {"lower.shear_modulus", "bodies.lower.young_modulus"},
    {"lower.shear_modulus", "bodies.lower.shear_modulus"},
    {"layer.compliance", "layer.thickness"},
    {"layer.compliance", "layer.compliance"},
    {"upper.creep", "bodies.upper.viscoelastic"},
    {"lower.creep", "bodies.lower.viscoelastic"},
    {"influence.tables", "influence.file"},
    {"grid.mx", "grid.elements"},
    {"grid.my", "grid.elements"},
    {"grid.dx", "grid.spacing"},
    {"grid.dx", "grid.extent"},
    {"grid.dy", "grid.spacing"},
    {"grid.dy", "grid.extent"},
    {"sensitivities", "output.sensitivities"},
    {"error_estimate", "output.error_estimate"},
    {"friction.coefficient", "friction.static"},
    {"friction.coefficient", "friction.coefficient"},
    {"friction.place.y", "friction.coefficient.y"},
    {"friction.place.temperature", "friction.coefficient.temperature"},
    {"friction.place", "friction.coefficient.value"},
    {"friction.place", "friction.coefficient.file"},
    {"normal", "normal.force"},
    {"normal", "normal.approach"},
    {"tangential.x", "tangential.x"},
    {"tangential.y", "tangential.y"},
}};

// The field itself, or a member or an element of it.
bool belongs_to(std::string_view field, std::string_view part) {
  return field.starts_with(part) &&
         (field.size() == part.size() || field[part.size()] == '.' || field[part.size()] == '[');
}

std::vector<KeyPath> keys_of(std::string_view field) {
  std::vector<KeyPath> keys;
  for (const FieldKey& entry : kFieldKeys)
    if (belongs_to(field, entry.field)) keys.push_back(key_path(std::string(entry.key)));
  if (belongs_to(field, "tangential.rotation")) keys.push_back(key_path("tangential.spin"));
  if (keys.empty()) keys.push_back(key_path(std::string(field)));
  return keys;
}

// Values are words: "xy = 0" is a condition.
std::string in_case_words(std::string text) {
  constexpr std::string_view kIs = " = ";
  for (std::size_t at = text.find(kIs); at != std::string::npos; at = text.find(kIs, at + 1)) {
    const std::size_t value = at + kIs.size();
    if (value < text.size() && text[value] >= 'a' && text[value] <= 'z')
      text.replace(at, kIs.size(), ": ");
  }
  return text;
}

// What is wrong with a load is the number in its map.
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

void report_in_step(CaseSection& root, const Fault& fault, const Element& step) {
  const FoundValue found = value_in_force(root.node(), step.index, keys_of(step.rest));
  const bool list = root.has("steps");
  root.diagnostics().add(
      place_of(*found.node, step.rest),
      (list ? "steps." + std::to_string(step.index) + "." : std::string{}) + dotted(found.key),
      fault.reason, in_case_words(fault.remedy));
}

void report_in_geometry(CaseSection& root, const Fault& fault, std::size_t index) {
  const YamlNode* node = root.node().find("geometry");
  const bool list = node != nullptr && node->kind == YamlNode::Kind::sequence;
  if (list && index < node->items.size()) node = &node->items[index];
  root.diagnostics().add(node != nullptr ? node->place : root.place(),
                         list ? "geometry." + std::to_string(index) : "geometry", fault.reason,
                         in_case_words(fault.remedy));
}

void report(CaseSection& root, const Fault& fault) {
  if (const auto step = element_of(fault.field, "steps")) return report_in_step(root, fault, *step);
  if (const auto shape = element_of(fault.field, "geometry"))
    return report_in_geometry(root, fault, shape->index);
  const std::vector<KeyPath> keys = keys_of(fault.field);
  const auto given = std::find_if(keys.begin(), keys.end(), [&](const KeyPath& key) {
    return find_path(&root.node(), key) != nullptr;
  });
  const KeyPath& key = given != keys.end() ? *given : keys.back();
  const YamlNode* node = find_path(&root.node(), key);
  root.diagnostics().add(node != nullptr ? node->place : root.key_place(key.front()), dotted(key),
                         fault.reason, in_case_words(fault.remedy));
}

}  // namespace

bool report_faults(CaseSection& section, const std::vector<Fault>& faults,
                   std::initializer_list<FieldKey> keys) {
  for (const Fault& fault : faults) {
    const std::string_view field = std::string_view(fault.field).substr(fault.field.find('.') + 1);
    const auto row = std::find_if(keys.begin(), keys.end(), [&](const FieldKey& entry) {
      return belongs_to(field, entry.field);
    });
    const std::string_view key = row != keys.end() ? row->key : field;
    section.error_at_value(key, fault.reason, in_case_words(fault.remedy));
  }
  return faults.empty();
}

bool report_step_faults(const YamlNode& step, const std::string& path,
                        const std::vector<Fault>& faults, CaseDiagnostics& diagnostics) {
  for (const Fault& fault : faults) {
    const std::string_view field = std::string_view(fault.field).substr(fault.field.find('.') + 1);
    const FoundValue found = value_in_force(step, 0, keys_of(field));
    diagnostics.add(place_of(*found.node, field), path + dotted(found.key), fault.reason,
                    in_case_words(fault.remedy));
  }
  return faults.empty();
}

void report_problem(CaseSection& root, const ContactProblem& problem, bool is_whole) {
  for (const Fault& fault : check_problem(problem)) {
    const std::string_view field = fault.field;
    if (is_whole || field.starts_with("solver.") || field == "sensitivities" ||
        field == "error_estimate")
      report(root, fault);
  }
}

}  // namespace slipfield
