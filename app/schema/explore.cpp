// SPDX-License-Identifier: Apache-2.0
#include "app/schema/explore.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

namespace slipfield {
namespace {

// Keys whose presence alone changes what else is asked for; words and groups are found by trying.
struct Gate {
  std::string_view section;
  std::vector<std::string> keys;
};
const std::vector<Gate>& gates() {
  static const std::vector<std::string> kTwo{
      "static",          "kinetic",         "law",
      "half_velocity",   "second_drop",     "second_half_velocity",
      "memory_distance", "memory_velocity", "y",
      "inclination"};
  static const std::vector<Gate> kGates{{"", {"wheel_rail"}},
                                        {"", {"steps"}},
                                        {"", {"sweep"}},
                                        {"friction", kTwo},
                                        {"friction", {"y"}},
                                        {"friction", {"inclination"}},
                                        {"steps.*.friction", kTwo},
                                        {"steps.*.friction", {"y"}},
                                        {"steps.*.friction", {"inclination"}},
                                        {"sweep.*", {"together"}},
                                        {"layer", {"thickness", "shear_modulus"}},
                                        {"interior.fatigue", {"torsion_limit", "bending_limit"}}};
  return kGates;
}

bool is_gate(const std::string& section, const std::string& key) {
  return std::any_of(gates().begin(), gates().end(), [&](const Gate& gate) {
    return gate.section == section &&
           std::find(gate.keys.begin(), gate.keys.end(), key) != gate.keys.end();
  });
}

// The key belongs to a gate that the branch has not passed.
bool is_behind_gate(const Branch& branch, const std::string& section, const std::string& key) {
  return std::any_of(gates().begin(), gates().end(), [&](const Gate& gate) {
    return gate.section == section &&
           std::find(gate.keys.begin(), gate.keys.end(), key) != gate.keys.end() &&
           !branch.probe.has(joined(section, gate.keys.front()));
  });
}

bool is_below(const std::string& path, const std::string& section) {
  return section.empty() || path == section || path.starts_with(section + ".");
}

bool takes(const ObservedKey& key, KeyForm::Kind kind) {
  return std::any_of(key.forms.begin(), key.forms.end(),
                     [&](const KeyForm& form) { return form.kind == kind; });
}

// So many name something, such as a quantity, and choose nothing.
bool has_many_words(const ObservedKey& key) {
  constexpr std::size_t kMostChoices = 20;
  return std::any_of(key.forms.begin(), key.forms.end(),
                     [](const KeyForm& form) { return form.words.size() > kMostChoices; });
}

// A map, or a list of one, where the key may be that; a scalar where nothing is known of it.
std::vector<ProbeCase::Value> values_for(const ObservedKey& key) {
  using Value = ProbeCase::Value;
  std::vector<Value> values;
  for (const KeyForm& form : key.forms) {
    if (form.kind == KeyForm::Kind::map) values.push_back(Value::map);
    if (form.kind == KeyForm::Kind::list && form.items.size() == 1 &&
        form.items[0].kind == KeyForm::Kind::map)
      values.push_back(Value::maps);
  }
  if (key.forms.empty()) values.push_back(Value::map);
  return values;
}

// What an alternative way asks for, for comparison, but for the keys that lead there.
std::string signature(const ObservedCase& observed, const std::string& section,
                      const std::vector<std::string>& without) {
  std::string text;
  for (const auto& [path, shape] : observed.sections) {
    if (!is_below(path, section)) continue;
    text += fmt::format("[{}]", path);
    for (const ObservedKey& key : shape.keys) {
      if (path == section && std::find(without.begin(), without.end(), key.name) != without.end())
        continue;
      std::set<std::string> forms;
      for (const KeyForm& form : key.forms)
        forms.insert(fmt::format("{}{}{}", static_cast<int>(form.kind), form.numbers.describe(),
                                 form.integers.describe()));
      text +=
          fmt::format("{} {}{} {};", key.name, key.refused, key.required, fmt::join(forms, ","));
    }
  }
  return text;
}

Branch decide(const Branch& branch, const std::string& path, const std::string& word) {
  Branch next = branch;
  next.decided.push_back(path);
  if (word.empty()) {
    next.probe.put(path, ProbeCase::Value::nothing);
  } else {
    next.probe.put(path, word);
    next.word = word;
  }
  return next;
}

Fork fork_of_gate(const Branch& branch, const std::string& section, const Gate& gate) {
  Fork fork{Fork::Kind::presence, gate.keys, {}};
  const std::string path = joined(section, gate.keys.front());
  Branch without = branch;
  without.decided.push_back(path);
  Branch with = branch;
  with.decided.push_back(path);
  if (gate.keys.size() > 1)
    with.probe.put(path, ProbeCase::Value::nothing);
  else
    with.probe.put(path, path == "wheel_rail" ? ProbeCase::Value::map : ProbeCase::Value::maps);
  fork.ways.push_back({{}, "", true, without});
  fork.ways.push_back({{}, gate.keys.front(), false, with});
  return fork;
}

Fork fork_of_words(const Branch& branch, const std::string& section, const ObservedKey& key) {
  Fork fork{Fork::Kind::word, {key.name}, {}};
  const std::string path = joined(section, key.name);
  for (const KeyForm& form : key.forms)
    if (form.kind == KeyForm::Kind::word)
      for (const std::string& word : form.words)
        fork.ways.push_back({{word}, "", false, decide(branch, path, word)});
  Branch absent = branch;
  absent.decided.push_back(path);
  if (!key.required) fork.ways.push_back({{}, "", true, absent});
  return fork;
}

Fork fork_of_group(const Branch& branch, const std::string& section, const ObservedGroup& group) {
  Fork fork{Fork::Kind::one_of, group.keys, {}};
  for (const std::string& key : group.keys) {
    Branch next = decide(branch, joined(section, key), "");
    for (const std::string& other : group.keys) next.decided.push_back(joined(section, other));
    fork.ways.push_back({{}, key, false, next});
  }
  return fork;
}

// Sections elsewhere in the case are left out.
ObservedCase ask(const Branch& branch, const std::string& section) {
  ObservedCase observed;
  std::set<std::pair<std::string, ProbeCase::Value>> tried;
  ProbeCase probe = branch.probe;
  probe.read(observed);
  for (bool more = true; more;) {
    more = false;
    const ObservedCase known = observed;
    for (const auto& [path, shape] : known.sections) {
      if (!is_below(path, section)) continue;
      for (const ObservedKey& key : shape.keys) {
        const std::string full = joined(path, key.name);
        if (key.refused || is_gate(path, key.name) || branch.probe.has_value(full)) continue;
        for (const ProbeCase::Value value : values_for(key)) {
          if (!tried.emplace(full, value).second) continue;
          more = true;
          if (!probe.has_value(full)) {
            probe.put(full, value);
            continue;
          }
          ProbeCase other = probe;  // the same key as a list
          other.put(full, value);
          other.read(observed);
        }
        if (!key.forms.empty() || !tried.emplace(full, ProbeCase::Value::nothing).second) continue;
        ProbeCase scalar = branch.probe;
        scalar.put(full, "0");
        scalar.read(observed);
      }
    }
    if (more) probe.read(observed);
  }
  std::erase_if(observed.sections,
                [&](const auto& entry) { return !is_below(entry.first, section); });
  return observed;
}

}  // namespace

bool Branch::has_decided(const std::string& path) const {
  return std::find(decided.begin(), decided.end(), path) != decided.end();
}

std::string joined(const std::string& section, const std::string& key) {
  return section.empty() ? key : section + "." + key;
}

const ObservedCase& Explorer::explore(const Branch& branch, const std::string& section) {
  std::pair key{branch.probe.text(), section};
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  return known_.emplace(std::move(key), ask(branch, section)).first->second;
}

// True where the ways ask for different things.
bool Explorer::matters(const Fork& fork, const std::string& section) {
  std::set<std::string> signatures;
  for (const Fork::Way& way : fork.ways)
    signatures.insert(signature(explore(way.branch, section), section, fork.keys));
  return signatures.size() > 1;
}

Fork Explorer::find_fork(const Branch& branch, const std::string& section) {
  const ObservedCase& explored = explore(branch, section);
  const auto found = explored.sections.find(section);
  if (found == explored.sections.end()) return {};
  for (const Gate& gate : gates())
    if (gate.section == section && !branch.has_decided(joined(section, gate.keys.front()))) {
      Fork fork = fork_of_gate(branch, section, gate);
      if (matters(fork, section)) return fork;
    }
  for (const ObservedGroup& group : found->second.groups) {
    if (branch.has_decided(joined(section, group.keys.front()))) continue;
    Fork fork = fork_of_group(branch, section, group);
    if (matters(fork, section)) return fork;
  }
  for (const ObservedKey& key : found->second.keys) {
    const std::string path = joined(section, key.name);
    if (!takes(key, KeyForm::Kind::word) || has_many_words(key) ||
        takes(key, KeyForm::Kind::list) || key.refused ||
        is_behind_gate(branch, section, key.name) || branch.has_decided(path))
      continue;
    Fork fork = fork_of_words(branch, section, key);
    if (matters(fork, section)) return fork;
  }
  return {};
}

}  // namespace slipfield
