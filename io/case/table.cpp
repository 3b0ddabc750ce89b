// SPDX-License-Identifier: Apache-2.0
#include "io/case/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "io/yaml/suggestion.h"
#include "io/yaml/writer.h"

namespace slipfield {
namespace {

bool contains(const std::vector<std::string_view>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool takes_word(const KeyRow& row, std::string_view word) {
  const auto& words = row.forms.front().words;
  return std::find(words.begin(), words.end(), word) != words.end();
}

enum class Holds { yes, no, unknown };

// Unknown: the other key's word is missing or wrong, which is reported there.
Holds holds(const KeyCondition& condition, const CaseSection& section) {
  const auto word = section.word_of(condition.key);
  if (!word) return condition.words.empty() && section.is_whole() ? Holds::no : Holds::unknown;
  return condition.words.empty() || contains(condition.words, *word) ? Holds::yes : Holds::no;
}

// The condition that does not hold: "given without spacing", "given although law is constant".
std::string describe_unfit(const KeyRow& row, const CaseSection& section) {
  const KeyCondition condition = row.only.empty() ? KeyCondition{} : row.only.front();
  const std::string word(section.word_of(condition.key).value_or(""));
  if (!row.unfit.empty()) return fmt::format(fmt::runtime(row.unfit), word);
  if (word.empty() || condition.words.empty())
    return fmt::format("given without {}", condition.key);
  return fmt::format("given although {} is {}", condition.key, word);
}

std::string describe_fit(const KeyRow& row, const std::string& instead) {
  if (row.refused) return std::string(row.unfit_accepted);
  const KeyCondition& condition = row.only.front();
  if (!row.unfit_accepted.empty()) return fmt::format("{}, or {}", instead, row.unfit_accepted);
  if (condition.words.empty()) return fmt::format("{}, or {} with it", instead, condition.key);
  return fmt::format("{}, or {}: {}", instead, condition.key, fmt::join(condition.words, " or "));
}

}  // namespace

// --- Rows.

std::string KeyRow::accepted_text() const {
  if (!accepted.empty()) return std::string(accepted);
  if (map != nullptr) return map().accepted_text();
  return forms.front().numbers.describe_one();
}

KeyRow KeyRow::with(std::string_view key, std::vector<std::string_view> words) && {
  only.push_back({key, std::move(words)});
  return std::move(*this);
}
KeyRow KeyRow::or_else(std::string_view other_key) && {
  instead = other_key;
  return std::move(*this);
}
KeyRow KeyRow::never(std::string_view problem, std::string_view accepted_instead) && {
  refused = true;
  unfit = problem;
  unfit_accepted = accepted_instead;
  return std::move(*this);
}
KeyRow KeyRow::need() && {
  needed = true;
  return std::move(*this);
}
KeyRow KeyRow::gives(std::vector<std::string_view> names_of_fields) && {
  fields = std::move(names_of_fields);
  return std::move(*this);
}
KeyRow KeyRow::says(std::string_view what_is_accepted) && {
  accepted = what_is_accepted;
  return std::move(*this);
}
KeyRow KeyRow::refused_as(std::string_view problem, std::string_view accepted_else) && {
  unfit = problem;
  unfit_accepted = accepted_else;
  return std::move(*this);
}
KeyRow KeyRow::of(const KeyTable& (*table)()) && {
  map = table;
  return std::move(*this);
}

KeyRow number(std::string_view name, const NumberRange& range, std::string_view otherwise,
              std::string_view meaning) {
  return {name, {number_form(range)}, otherwise, meaning};
}
KeyRow integer(std::string_view name, const IntegerRange& range, std::string_view otherwise,
               std::string_view meaning) {
  return {name, {{.kind = KeyForm::Kind::integer, .integers = range}}, otherwise, meaning};
}
KeyRow flag(std::string_view name, std::string_view otherwise, std::string_view meaning) {
  return {name, {{.kind = KeyForm::Kind::boolean}}, otherwise, meaning};
}
KeyRow text(std::string_view name, std::string_view accepted, std::string_view otherwise,
            std::string_view meaning) {
  return {name,    {{.kind = KeyForm::Kind::text}}, otherwise, meaning, nullptr, nullptr, false,
          accepted};
}
KeyRow numbers(std::string_view name, const NumberRange& range, std::size_t least,
               std::string_view otherwise, std::string_view meaning) {
  return {name, {list_form(number_form(range), least)}, otherwise, meaning};
}
KeyRow pair(std::string_view name, const NumberRange& range, std::string_view names,
            std::string_view otherwise, std::string_view meaning) {
  const KeyForm form{
      .kind = KeyForm::Kind::list, .items = {number_form(range)}, .least = 2, .most = 2};
  return {name, {form}, otherwise, meaning, nullptr, nullptr, false, names};
}
KeyRow integer_pair(std::string_view name, const IntegerRange& range, std::string_view names,
                    std::string_view otherwise, std::string_view meaning) {
  const KeyForm item{.kind = KeyForm::Kind::integer, .integers = range};
  const KeyForm form{.kind = KeyForm::Kind::list, .items = {item}, .least = 2, .most = 2};
  return {name, {form}, otherwise, meaning, nullptr, nullptr, false, names};
}
KeyRow map(std::string_view name, const KeyTable& (*table)(), std::string_view otherwise,
           std::string_view meaning) {
  return {name, {map_form()}, otherwise, meaning, table};
}
KeyRow value(std::string_view name, std::vector<KeyForm> forms, std::string_view accepted,
             std::string_view otherwise, std::string_view meaning) {
  return {name, std::move(forms), otherwise, meaning, nullptr, nullptr, false, accepted};
}

KeyRow number_or_list(std::string_view name, const NumberRange& range, std::string_view otherwise,
                      std::string_view meaning) {
  return {name, {number_form(range), list_form(number_form(range), 1)}, otherwise, meaning};
}

// --- Tables.

const KeyRow& KeyTable::row(std::string_view key) const {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const KeyRow& row) { return row.name == key; });
  if (found == rows.end())
    throw std::logic_error(fmt::format("the table {} has no row {}", heading, key));
  return *found;
}

bool KeyTable::has_row(std::string_view key) const {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const KeyRow& each) { return each.name == key; });
}

std::string KeyTable::accepted_text() const {
  std::vector<std::string_view> names;
  for (const KeyRow& row : rows) names.push_back(row.name);
  return fmt::format("a map {{{}}}", fmt::join(names, ", "));
}

KeyGroup one_of(const std::vector<std::string_view>& keys, Presence presence) {
  KeyGroup group{{}, presence};
  for (const std::string_view key : keys) group.alternatives.push_back({key});
  return group;
}

namespace {

Holds applies(const KeyRow& row, const CaseSection& section) {
  if (row.refused) return Holds::no;
  Holds found = row.only.empty() ? Holds::yes : Holds::no;
  for (const KeyCondition& condition : row.only) {
    const Holds one = holds(condition, section);
    if (one == Holds::yes || found == Holds::no) found = one;
    if (found == Holds::yes) break;
  }
  return found;
}

// Whether the row has to be there: it is required, and so is its alternative where it has one.
Presence presence_of(const KeyTable& table, const KeyRow& row, const CaseSection& section) {
  if (!row.is_required() && !row.needed) return Presence::optional;
  if (applies(row, section) != Holds::yes) return Presence::optional;
  for (const KeyGroup& group : table.groups) {
    const auto is_own = [&](const auto& keys) { return contains(keys, row.name); };
    if (std::none_of(group.alternatives.begin(), group.alternatives.end(), is_own)) continue;
    for (const auto& keys : group.alternatives) {
      const bool given = std::any_of(keys.begin(), keys.end(),
                                     [&](std::string_view key) { return section.has(key); });
      if (given != is_own(keys)) return Presence::optional;  // none, or a contradiction
    }
  }
  return Presence::required;
}

// True where a refused key is given; other missing keys are then not reported.
bool gives_refused(const KeyTable& table, const CaseSection& section) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [&](const KeyRow& row) { return row.refused && section.has(row.name); });
}

// Reports alternatives that are given together, or that none is.
void check_group(const KeyTable& table, const KeyGroup& group, CaseSection& section) {
  std::vector<std::string_view> given;  // of each alternative that is, the first such key
  for (const auto& keys : group.alternatives) {
    bool counted = false;
    for (const std::string_view key : keys) {
      if (!section.has(key)) continue;
      if (counted || applies(table.row(key), section) == Holds::no) continue;
      given.push_back(key);
      counted = true;
    }
  }
  const bool needed = group.presence == Presence::required && section.is_whole();
  if (given.size() == 1 || (given.empty() && !needed)) return;
  std::vector<std::string_view> choices;  // the first key of each
  for (const auto& keys : group.alternatives) {
    const auto first = std::find_if(keys.begin(), keys.end(), [&](std::string_view key) {
      return applies(table.row(key), section) != Holds::no;
    });
    if (first != keys.end()) choices.push_back(*first);
  }
  const std::string accepted = group.accepted.empty()
                                   ? fmt::format("exactly one of {}", fmt::join(choices, ", "))
                                   : std::string(group.accepted);
  for (std::size_t i = 1; i < given.size(); ++i) {
    // The later of the two in the file is the one that contradicts.
    const auto& node = section.node();
    const bool in_order = *node.index_of(given[i - 1]) < *node.index_of(given[i]);
    section.error_at_key(
        in_order ? given[i] : given[i - 1],
        fmt::format("given together with {}", in_quotes(in_order ? given[i - 1] : given[i])),
        accepted);
  }
  // A key that does not apply is given, which is reported for itself.
  const bool gives_unfit =
      std::any_of(table.rows.begin(), table.rows.end(), [&](const KeyRow& row) {
        return section.has(row.name) && applies(row, section) == Holds::no;
      });
  if (!given.empty() || gives_unfit) return;
  const auto& keys = section.node().keys;
  const bool misspelt = std::any_of(keys.begin(), keys.end(), [&](const YamlKey& key) {
    return !table.has_row(key.name) && nearest_word(key.name, choices).has_value();
  });
  if (!misspelt)
    section.error_here(fmt::format("none of {} is given", fmt::join(choices, ", ")), accepted);
}

}  // namespace

bool KeyTable::read_into(CaseSection& section, void* object) const {
  const std::size_t before = section.diagnostics().reported();
  for (const KeyRow& each : rows) {
    if (each.forms.front().kind != KeyForm::Kind::word || each.forms.size() > 1) continue;
    const YamlNode* node = section.node().find(each.name);
    if (node != nullptr && !takes_word(each, node->text)) section.disregard(each.name);
  }
  // Messages list what a word that is given leaves; a default leaves all.
  for (const KeyRow& each : rows) {
    const bool by_words =
        std::all_of(each.only.begin(), each.only.end(),
                    [](const KeyCondition& condition) { return !condition.words.empty(); });
    if (by_words && applies(each, section) == Holds::no)
      section.recognise(each.name);
    else
      section.know(each.name);
  }
  for (const KeyRow& each : rows) {
    const std::string_view first = each.otherwise.substr(0, each.otherwise.find(' '));
    if (section.is_whole() && takes_word(each, first)) section.assume(each.name, first);
  }
  for (const KeyGroup& group : groups) check_group(*this, group, section);
  for (const KeyRow& each : rows) {
    if (applies(each, section) != Holds::no) {
      if (each.read) each.read(section, each, presence_of(*this, each, section), object);
    } else if (section.has(each.name) && (each.refused || !gives_refused(*this, section))) {
      const bool other = !each.instead.empty() && applies(row(each.instead), section) == Holds::yes;
      section.error_at_key(each.name, describe_unfit(each, section),
                           describe_fit(each, other ? std::string(each.instead) : "no such key"));
    }
  }
  section.finish();
  return section.diagnostics().reported() == before;
}

std::vector<std::pair<std::string_view, std::string>> KeyTable::written(const void* object) const {
  std::vector<std::pair<std::string_view, std::string>> parts;
  // Conditions name rows before their own; a section around this one is not looked at.
  const auto fits = [&](const KeyCondition& condition) {
    if (!has_row(condition.key)) return true;
    const auto part = std::find_if(parts.begin(), parts.end(),
                                   [&](const auto& each) { return each.first == condition.key; });
    return part != parts.end() &&
           (condition.words.empty() || contains(condition.words, part->second));
  };
  const auto excluded = [&](const KeyRow& each) {
    return std::any_of(groups.begin(), groups.end(), [&](const KeyGroup& group) {
      const auto has = [&](const auto& keys) { return contains(keys, each.name); };
      return std::any_of(group.alternatives.begin(), group.alternatives.end(), has) &&
             std::any_of(parts.begin(), parts.end(), [&](const auto& part) {
               return std::any_of(
                   group.alternatives.begin(), group.alternatives.end(),
                   [&](const auto& keys) { return contains(keys, part.first) && !has(keys); });
             });
    });
  };
  for (const KeyRow& each : rows) {
    if (excluded(each)) continue;
    if (!each.write ||
        (!each.only.empty() && std::none_of(each.only.begin(), each.only.end(), fits)))
      continue;
    std::string text = each.write(each, object);
    if (!text.empty()) parts.emplace_back(each.name, std::move(text));
  }
  return parts;
}

void read_part_into(CaseSection& root, std::string_view key, const KeyTable& table, void* object) {
  auto section = root.section(key, table.accepted_text(), Presence::optional);
  if (section) table.read_into(*section, object);
}

std::string flow_text(const KeyTable& table, const void* object) {
  std::string text;
  for (const auto& [key, value] : table.written(object))
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", key, value);
  return "{" + text + "}";
}

std::string block_text(const KeyTable& table, const void* object, std::string_view indent) {
  std::string text;
  for (const auto& [key, value] : table.written(object))
    text += fmt::format("{}{}: {}\n", indent, key, value);
  return text;
}

std::string numbers_text(const std::vector<double>& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

// --- One value of a row.

namespace keys {
namespace {

// "a map {a, b}", or where its keys are alternatives "a map with exactly one of a, b".
std::string accepted_map(const KeyRow& row, const CaseSection& section) {
  const KeyTable& table = row.map();
  const bool one_of_all =
      table.groups.size() == 1 && table.groups.front().alternatives.size() == table.rows.size();
  if (!row.accepted.empty() || !one_of_all) return row.accepted_text();
  std::vector<std::string_view> keys;
  for (const KeyRow& each : table.rows)
    if (applies(each, section) != Holds::no) keys.push_back(each.name);
  return fmt::format("a map with exactly one of {}", fmt::join(keys, ", "));
}

template <typename T>
void take(std::optional<T> value, T& to) {
  if (value) to = std::move(*value);
}
const KeyForm& member_of(const KeyRow& row) { return row.forms.back().items.front(); }

}  // namespace

void read(Where& section, const KeyRow& row, Presence presence, double& to) {
  take(section.number(row.name, row.forms.front().numbers, presence), to);
}
void read(Where& section, const KeyRow& row, Presence presence, int& to) {
  take(section.integer(row.name, row.forms.front().integers, presence), to);
}
void read(Where& section, const KeyRow& row, Presence presence, bool& to) {
  take(section.boolean(row.name, presence), to);
}
void read(Where& section, const KeyRow& row, Presence presence, std::string& to) {
  take(section.text(row.name, row.accepted, presence), to);
}
void read(Where& section, const KeyRow& row, Presence presence, std::array<double, 2>& to) {
  take(section.number_pair(row.name, member_of(row).numbers, row.accepted, presence), to);
}
void read(Where& section, const KeyRow& row, Presence presence, std::array<int, 2>& to) {
  take(section.integer_pair(row.name, member_of(row).integers, row.accepted, presence), to);
}
// A list, or where the row takes one also a number.
void read(Where& section, const KeyRow& row, Presence presence, std::vector<double>& to) {
  const KeyForm& list = row.forms.back();
  if (row.forms.size() > 1) {
    const YamlNode* node = section.value(row.name, row.accepted_text(), presence);
    if (node == nullptr) return;
    if (node->kind != YamlNode::Kind::sequence) {
      const auto one = section.number(row.name, row.forms.front().numbers, presence);
      if (one) to = {*one};
      return;
    }
  }
  take(section.number_list(row.name, member_of(row).numbers, list.least, presence), to);
}
std::optional<std::size_t> read_word(Where& section, const KeyRow& row, Presence presence) {
  return section.word(row.name, row.forms.front().words, presence);
}
std::optional<CaseSection> read_section(Where& section, const KeyRow& row, Presence presence) {
  if (presence == Presence::optional && !section.has(row.name)) return std::nullopt;
  return section.section(row.name, accepted_map(row, section), presence);
}

std::string text_of(const KeyRow&, double value) { return fmt::format("{}", value); }
std::string text_of(const KeyRow&, int value) { return fmt::format("{}", value); }
std::string text_of(const KeyRow&, bool value) { return value ? "true" : "false"; }
std::string text_of(const KeyRow&, const std::string& value) {
  return value.empty() ? value : double_quoted(value);
}
std::string text_of(const KeyRow& row, const std::vector<double>& value) {
  if (value.empty()) return {};
  return row.forms.size() > 1 && value.size() == 1 ? text_of(row, value[0]) : numbers_text(value);
}
std::string text_of(const KeyRow&, const std::array<double, 2>& value) {
  return fmt::format("[{}, {}]", value[0], value[1]);
}
std::string text_of(const KeyRow&, const std::array<int, 2>& value) {
  return fmt::format("[{}, {}]", value[0], value[1]);
}

}  // namespace keys
}  // namespace slipfield
