// SPDX-License-Identifier: Apache-2.0
#include "io/case/table.h"
#include "io/yaml/number.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "io/yaml/suggestion.h"
#include "io/yaml/tree.h"

namespace slipfield {
namespace {

template <typename Word>
bool contains(const std::vector<Word>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool takes_word(const KeyRow& row, std::string_view word) {
  return contains(row.forms.front().words, word);
}

enum class Holds { yes, no, unknown };

// Unknown: the other key's word is missing or wrong, which is reported there.
Holds holds(const KeyCondition& condition, const CaseSection& section) {
  const auto word = section.word_of(condition.key);
  if (!word) return condition.words.empty() && section.is_whole() ? Holds::no : Holds::unknown;
  return condition.words.empty() || contains(condition.words, *word) ? Holds::yes : Holds::no;
}

// Describes the condition that does not hold: "given without spacing", "given although law is
// constant".
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

// The alternative that has the key; null: none.
const std::vector<std::string_view>* alternative_of(const KeyGroup& group, std::string_view key) {
  const auto found = std::ranges::find_if(group.alternatives,
                                          [&](const auto& keys) { return contains(keys, key); });
  return found != group.alternatives.end() ? &*found : nullptr;
}

// Whether the row is required: it is marked so, and its alternative, if any, is required as well.
Presence presence_of(const KeyTable& table, const KeyRow& row, const CaseSection& section) {
  if (!row.is_required() && !row.needed) return Presence::optional;
  if (applies(row, section) != Holds::yes) return Presence::optional;
  const auto is_given = [&](std::string_view key) { return section.has(key); };
  for (const KeyGroup& group : table.groups) {
    const auto* const own = alternative_of(group, row.name);
    if (own == nullptr) continue;
    for (const auto& keys : group.alternatives)
      if (std::ranges::any_of(keys, is_given) != (&keys == own))
        return Presence::optional;  // none, or a contradiction
  }
  return Presence::required;
}

// True if a refused key is given; other missing keys are then not reported.
bool gives_refused(const KeyTable& table, const CaseSection& section) {
  return std::ranges::any_of(
      table.rows, [&](const KeyRow& row) { return row.refused && section.has(row.name); });
}

// Reports alternatives given together, or that none is given.
void check_group(const KeyTable& table, const KeyGroup& group, CaseSection& section) {
  const auto may_be = [&](std::string_view key) {
    return applies(table.row(key), section) != Holds::no;
  };
  std::vector<std::string_view> given;    // of each alternative that is, the first such key
  std::vector<std::string_view> choices;  // the first key of each
  for (const auto& keys : group.alternatives) {
    const auto first = std::ranges::find_if(keys, may_be);
    if (first != keys.end()) choices.push_back(*first);
    const auto first_given = std::ranges::find_if(
        keys, [&](std::string_view key) { return section.has(key) && may_be(key); });
    if (first_given != keys.end()) given.push_back(*first_given);
  }
  const bool needed = group.presence == Presence::required && section.is_whole();
  if (given.size() == 1 || (given.empty() && !needed)) return;
  const std::string accepted = group.accepted.empty()
                                   ? fmt::format("exactly one of {}", fmt::join(choices, ", "))
                                   : std::string(group.accepted);
  for (std::size_t i = 1; i < given.size(); ++i) {
    // Of two contradictory keys, the error is at the later one in the file.
    const auto& node = section.node();
    const bool in_order = *node.index_of(given[i - 1]) < *node.index_of(given[i]);
    section.error_at_key(
        in_order ? given[i] : given[i - 1],
        fmt::format("given together with {}", in_quotes(in_order ? given[i - 1] : given[i])),
        accepted);
  }
  // A given key that does not apply is reported separately.
  const bool gives_unfit = std::ranges::any_of(table.rows, [&](const KeyRow& row) {
    return section.has(row.name) && applies(row, section) == Holds::no;
  });
  if (!given.empty() || gives_unfit) return;
  const auto& keys = section.node().keys;
  const bool misspelt = std::ranges::any_of(keys, [&](const YamlKey& key) {
    return !table.has_row(key.name) && nearest_word(key.name, choices).has_value();
  });
  if (!misspelt)
    section.error_here(fmt::format("none of {} is given", fmt::join(choices, ", ")), accepted);
}

bool is_text(const KeyForm& form) {
  if (form.kind == KeyForm::Kind::list)
    return !form.items.empty() && std::ranges::all_of(form.items, is_text);
  return form.kind == KeyForm::Kind::text || form.kind == KeyForm::Kind::word;
}

void quote_texts_of(const KeyRow& row, YamlNode& value) {
  if (value.kind == YamlNode::Kind::sequence)
    for (YamlNode& item : value.items) quote_texts_of(row, item);
  if (value.kind == YamlNode::Kind::scalar && std::ranges::all_of(row.forms, is_text))
    value.quotes = YamlNode::Quotes::given;
  if (const KeyTable* table = row.table_of(value)) table->quote_texts(value);
}

YamlNode map_of(const std::vector<std::pair<std::string_view, std::string>>& parts) {
  YamlNode map = YamlNode::empty_map();
  for (const auto& [key, text] : parts) {
    YamlNode value;
    value.kind = YamlNode::Kind::scalar;
    value.text = text;
    map.put({std::string(key), {}}, value);
  }
  return map;
}

// The text that ends the effect of a key which would stay in force if left out: 0 or, if the key
// does not accept it and belongs to one that ends, a number unchanged.
std::string ending_text(const KeyRow& row, std::string_view before) {
  const KeyForm& form = row.form(false);
  if (form.kind != KeyForm::Kind::number) return {};
  if (form.numbers.contains(0.0)) return "0";
  if (before.starts_with('[')) before = before.substr(1, before.find_first_of(",]") - 1);
  return std::string(before);
}

}  // namespace

// --- Rows.

std::string KeyForm::accepted_text() const {
  if (kind == Kind::number) return numbers.describe_one();
  if (kind == Kind::integer) return integers.describe_one();
  if (kind == Kind::boolean) return "true or false";
  if (kind == Kind::word) return accepted_list(words);
  if (kind == Kind::text || items.empty()) return std::string(names);
  const std::string each = items.front().accepted_text();
  if (names.empty()) return fmt::format("a list of at least {}, each {}", least, each);
  return most == 2 ? fmt::format("a list {} of two, each {}", names, each) : std::string(names);
}

std::string_view KeyRow::default_word() const {
  const std::string_view first = otherwise.substr(0, otherwise.find(' '));
  return takes_word(*this, first) ? first : std::string_view();
}

std::string KeyRow::accepted_text() const {
  if (!accepted.empty()) return std::string(accepted);
  return map != nullptr ? map->accepted_text() : forms.front().accepted_text();
}

const KeyForm& KeyRow::form(bool list) const {
  const auto found = std::ranges::find_if(
      forms, [&](const KeyForm& each) { return (each.kind == KeyForm::Kind::list) == list; });
  return found != forms.end() ? *found : forms.front();
}

const KeyTable* KeyRow::table_of(const YamlNode& value) const {
  if (value.kind != YamlNode::Kind::map) return nullptr;
  if (map != nullptr) return map;
  for (const KeyTable* table : variants) {
    const KeyRow& type = table->rows.front();
    const YamlNode* given = value.find(type.name);
    if (given != nullptr && takes_word(type, given->text)) return table;
  }
  return nullptr;
}

// --- Tables.

std::vector<KeyRow> joined_rows(std::vector<KeyRow> first, const std::vector<KeyRow>& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

const KeyRow& KeyTable::row(std::string_view key) const {
  const auto found = std::ranges::find(rows, key, &KeyRow::name);
  if (found == rows.end())
    throw std::logic_error(fmt::format("the table {} has no row {}", heading, key));
  return *found;
}

bool KeyTable::has_row(std::string_view key) const {
  return std::ranges::find(rows, key, &KeyRow::name) != rows.end();
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

bool KeyTable::read_into(CaseSection& section, void* object) const {
  const std::size_t before = section.diagnostics().reported();
  for (const KeyRow& each : rows) {
    if (each.forms.front().kind != KeyForm::Kind::word || each.forms.size() > 1) continue;
    const YamlNode* node = section.node().find(each.name);
    if (node != nullptr && !takes_word(each, node->text)) section.disregard(each.name);
  }
  // A given word restricts the keys listed in messages; a default does not.
  for (const KeyRow& each : rows) {
    const bool by_words = std::ranges::all_of(
        each.only, [](const KeyCondition& condition) { return !condition.words.empty(); });
    if (by_words && applies(each, section) == Holds::no)
      section.recognise(each.name);
    else
      section.know(each.name);
  }
  for (const KeyRow& each : rows) {
    const std::string_view word = each.default_word();
    if (section.is_whole() && !word.empty()) section.assume(each.name, word);
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

void KeyTable::drop_alternatives(YamlNode& section, const YamlNode& over) const {
  const auto is_given = [&](const std::vector<std::string_view>& keys) {
    return std::ranges::any_of(
        keys, [&](std::string_view key) { return over.index_of(key).has_value(); });
  };
  for (const KeyGroup& group : groups) {
    if (std::ranges::none_of(group.alternatives, is_given)) continue;
    for (const auto& keys : group.alternatives)
      if (!is_given(keys))
        for (const std::string_view key : keys) section.erase(key);
  }
  const auto holds = [&](const KeyCondition& condition) {
    if (!has_row(condition.key)) return true;
    const YamlNode* given = over.find(condition.key);
    if (condition.words.empty())
      return given != nullptr || section.index_of(condition.key).has_value();
    return given == nullptr || contains(condition.words, given->text);
  };
  for (const KeyRow& each : rows)
    if (!each.only.empty() && !over.index_of(each.name) && std::ranges::none_of(each.only, holds))
      section.erase(each.name);
}

void KeyTable::quote_texts(YamlNode& section) const {
  for (std::size_t i = 0; i < section.keys.size(); ++i)
    if (has_row(section.keys[i].name)) quote_texts_of(row(section.keys[i].name), section.items[i]);
}

std::vector<std::pair<std::string_view, std::string>> KeyTable::written(const void* object) const {
  std::vector<std::pair<std::string_view, std::string>> parts;
  // Conditions refer to earlier rows; enclosing sections are not considered.
  const auto fits = [&](const KeyCondition& condition) {
    if (!has_row(condition.key)) return true;
    const auto part =
        std::ranges::find_if(parts, [&](const auto& each) { return each.first == condition.key; });
    return part != parts.end() &&
           (condition.words.empty() || contains(condition.words, part->second));
  };
  const auto is_excluded = [&](const KeyGroup& group, std::string_view key) {
    const auto* const own = alternative_of(group, key);
    return own != nullptr && std::ranges::any_of(parts, [&](const auto& part) {
             const auto* const other = alternative_of(group, part.first);
             return other != nullptr && other != own;
           });
  };
  for (const KeyRow& each : rows) {
    if (!each.write || (!each.only.empty() && std::ranges::none_of(each.only, fits)) ||
        std::ranges::any_of(groups,
                            [&](const KeyGroup& group) { return is_excluded(group, each.name); }))
      continue;
    std::string text = each.write(each, object);
    if (!text.empty()) parts.emplace_back(each.name, std::move(text));
  }
  return parts;
}

std::vector<std::pair<std::string_view, std::string>> KeyTable::written_over(
    const void* object, const void* before) const {
  const YamlNode given = map_of(written(object));
  YamlNode in_force = map_of(written(before));
  drop_alternatives(in_force, given);
  std::vector<std::pair<std::string_view, std::string>> parts;
  for (const KeyRow& each : rows) {
    const YamlNode* now = given.find(each.name);
    const YamlNode* last = in_force.find(each.name);
    if (now == nullptr && last == nullptr) continue;
    std::string text = now != nullptr ? now->text : ending_text(each, last->text);
    if (!text.empty()) parts.emplace_back(each.name, std::move(text));
  }
  return parts;
}

std::string flow_text(const KeyTable& table, const void* object, const void* before) {
  std::string text;
  for (const auto& [key, value] :
       before != nullptr ? table.written_over(object, before) : table.written(object))
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

// "a map {a, b}" or, if its keys are alternatives, "a map with exactly one of a, b".
std::string accepted_map(const KeyRow& row, const CaseSection& section) {
  const KeyTable& table = *row.map;
  const bool one_of_all =
      table.groups.size() == 1 && table.groups.front().alternatives.size() == table.rows.size();
  if (!row.accepted.empty() || !one_of_all) return row.accepted_text();
  std::vector<std::string_view> keys;
  for (const KeyRow& each : table.rows)
    if (applies(each, section) != Holds::no) keys.push_back(each.name);
  return fmt::format("a map with exactly one of {}", fmt::join(keys, ", "));
}

}  // namespace

bool read_value(const CaseValue& value, const KeyForm& form, double& to) {
  const auto number = value.number(form.numbers);
  if (number) to = form.degrees ? radians_from_degrees(*number) : *number;
  return number.has_value();
}
bool read_value(const CaseValue& value, const KeyForm& /*form*/, bool& to) {
  const auto flag = value.boolean();
  to = flag.value_or(to);
  return flag.has_value();
}
bool read_value(const CaseValue& value, const KeyForm& form, std::string& to) {
  auto text = value.text(form.names);
  if (text) to = std::move(*text);
  return text.has_value();
}
std::optional<std::size_t> read_word(CaseSection& section, const KeyRow& row, Presence presence) {
  const KeyForm& form = row.forms.front();
  const auto value = section.at(row.name, form.accepted_text(), presence);
  return value ? value->word(form.words) : std::nullopt;
}
std::optional<CaseSection> read_section(CaseSection& section, const KeyRow& row,
                                        Presence presence) {
  if (presence == Presence::optional && !section.has(row.name)) return std::nullopt;
  return section.section(row.name, accepted_map(row, section), presence);
}

void read_rows(CaseSection& section, const KeyRow& row, const Columns& columns,
               std::vector<double>& to) {
  const std::string accepted = fmt::format("a list of rows, each a list whose values are each {}",
                                           kNotNegative.describe_one());
  const auto value = section.at(row.name, accepted, Presence::required);
  const auto rows = value ? value->items(accepted) : std::nullopt;
  if (!rows) return;
  std::vector<double> values;
  for (const CaseValue& each : *rows) {
    if (!each.is_list() || each.node.items.size() != columns.count) {
      each.refuse(each.is_list() ? fmt::format("has {} numbers instead of {}",
                                               each.node.items.size(), columns.count)
                                 : describe_node(each.node),
                  fmt::format("a list with one number for each {}", columns.noun));
      return;
    }
    const auto items = each.items(accepted);
    for (const CaseValue& item : *items) {
      const auto number = item.number(kNotNegative);
      if (!number) return;
      values.push_back(*number);
    }
  }
  to = std::move(values);
}
std::string rows_text(const std::vector<double>& values, std::size_t columns) {
  std::vector<std::string> rows;
  for (std::size_t at = 0; at < values.size(); at += columns)
    rows.push_back(fmt::format("[{}]", fmt::join(&values[at], &values[at] + columns, ", ")));
  return fmt::format("[{}]", fmt::join(rows, ", "));
}

std::string text_of(const KeyForm& form, double value) {
  return form.degrees ? degrees_text(value) : fmt::format("{}", value);
}
std::string text_of(const KeyForm& /*form*/, bool value) { return value ? "true" : "false"; }
std::string text_of(const KeyForm& /*form*/, const std::string& value) {
  return value.empty() ? value : double_quoted(value);
}

}  // namespace keys
}  // namespace slipfield
