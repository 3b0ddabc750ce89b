// SPDX-License-Identifier: Apache-2.0
// slipfield schema: the keys of a case, for editors and for programs that write cases: the JSON
// Schema (draft 7) of the case file, from its tables of keys (io/case/table.h).
//
// The reader refuses everything that the schema refuses. The schema refuses what the reader does
// for keys, types, ranges and words; only the reader checks what depends on several values (such as
// a profile that does not increase), on files or on the grid.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/command/commands.h"
#include "app/console.h"
#include "io/case/page.h"
#include "io/case/sections.h"
#include "io/case/sweep.h"
#include "io/case/table.h"
#include "io/yaml/number.h"
#include "solver/error.h"

namespace slipfield {
namespace {

using Json = nlohmann::ordered_json;

// --- Values.

template <typename Words, typename Word>
bool contains(const Words& words, const Word& word) {
  return std::ranges::find(words, word) != words.end();
}

Json number_schema(const NumberRange& range) {
  Json schema{{"type", "number"}};
  if (std::isfinite(range.least))
    schema[range.lower == Bound::closed ? "minimum" : "exclusiveMinimum"] = range.least;
  if (std::isfinite(range.greatest))
    schema[range.upper == Bound::closed ? "maximum" : "exclusiveMaximum"] = range.greatest;
  return schema;
}

Json integer_schema(const IntegerRange& range) {
  Json schema{{"type", "integer"}};
  if (range.least == range.greatest) return {{"const", range.least}};
  schema["minimum"] = range.least;
  if (range.greatest < std::numeric_limits<std::int64_t>::max()) schema["maximum"] = range.greatest;
  return schema;
}

// The default as a value: a number, a list, or the key's word with which the text begins.
Json value_of(const std::string& text, const std::vector<KeyForm>& forms) {
  std::string first = text.substr(0, text.find(' '));
  for (const KeyForm& form : forms) {
    const bool number = form.kind == KeyForm::Kind::number || form.kind == KeyForm::Kind::integer;
    if (number && parse_number(text).value) return Json::parse(text);
    const bool bare = form.kind == KeyForm::Kind::boolean || form.kind == KeyForm::Kind::list;
    if (bare && Json::accept(text)) return Json::parse(text);
    if (form.kind == KeyForm::Kind::word && contains(form.words, first)) return first;
    if (form.kind == KeyForm::Kind::text && text.starts_with('/')) return text;
    if (form.kind == KeyForm::Kind::list && text.starts_with('[') && text.ends_with(']'))
      return Json::array({text.substr(1, text.size() - 2)});  // [von_mises, tresca]: below
  }
  return {};
}

Json any_of(std::vector<Json> alternatives) {
  std::vector<Json> distinct;
  for (Json& alternative : alternatives)
    if (!contains(distinct, alternative)) distinct.push_back(std::move(alternative));
  if (distinct.empty()) return Json::object();
  if (distinct.size() == 1) return distinct.front();
  return {{"anyOf", distinct}};
}

// The schema of a form; `map` is that of a map, or of the maps in a list.
Json schema_of(const KeyForm& form, const Json& map) {
  switch (form.kind) {
    case KeyForm::Kind::number:
      return number_schema(form.numbers);
    case KeyForm::Kind::integer:
      return integer_schema(form.integers);
    case KeyForm::Kind::boolean:
      return {{"type", "boolean"}};
    case KeyForm::Kind::text:
      return {{"type", {"string", "number", "boolean"}}};
    case KeyForm::Kind::word:
      return {{"enum", form.words}};
    case KeyForm::Kind::map:
      return map;
    case KeyForm::Kind::list:
      break;
  }
  Json schema{{"type", "array"}};
  std::vector<Json> items;
  for (const KeyForm& item : form.items) items.push_back(schema_of(item, map));
  if (!items.empty()) schema["items"] = any_of(items);
  if (form.least > 0) schema["minItems"] = form.least;
  if (form.most < std::numeric_limits<std::size_t>::max()) schema["maxItems"] = form.most;
  return schema;
}

void describe(Json& schema, const KeyRow& row) {
  std::string text = plain_sentence(row.meaning);
  const std::string otherwise = plain_sentence(row.otherwise);
  if (!otherwise.empty() && !row.is_required()) {
    Json value = value_of(otherwise, row.forms);
    const bool words = value.is_array() && value.size() == 1 && value[0].is_string();
    if (value.is_null() || words)
      text += " (default: " + otherwise + ")";
    else
      schema["default"] = std::move(value);
  }
  schema["description"] = text;
}

// --- Tables.

// Words that are already fixed for keys of enclosing sections.
using Words = std::map<std::string_view, std::string_view>;

Json has_key(std::string_view key) { return {{"required", {key}}}; }
Json any_key(const std::vector<std::string_view>& keys) {
  std::vector<Json> each;
  for (const std::string_view key : keys) each.push_back(has_key(key));
  return any_of(each);
}
Json only_property(std::string_view key, Json value) {
  return {{"properties", {{key, std::move(value)}}}};
}
Json is_word(std::string_view key, const std::vector<std::string_view>& words) {
  Json schema = only_property(key, {{"enum", words}});
  schema["required"] = {key};
  return schema;
}
Json if_then(Json condition, Json rule) {
  return {{"if", std::move(condition)}, {"then", std::move(rule)}};
}
Json negated(Json schema) { return {{"not", std::move(schema)}}; }

// Keys of enclosing sections on which the table's rows, or those below it, depend.
std::set<std::string_view> outer_keys(const KeyTable& table) {
  std::set<std::string_view> keys;
  for (const KeyRow& row : table.rows) {
    for (const KeyCondition& condition : row.only)
      if (!table.has_row(condition.key)) keys.insert(condition.key);
    if (row.map != nullptr)
      for (const std::string_view key : outer_keys(*row.map))
        if (!table.has_row(key)) keys.insert(key);
  }
  return keys;
}

// The schema of a section: its keys and values and, separately, the required keys. A sweep may
// supply any of them, so that the second part holds only for cases without one.
class TableSchema {
 public:
  TableSchema(const KeyTable& table, Words words) : table_(table), words_(std::move(words)) {}

  [[nodiscard]] Json values() const {
    Json properties = Json::object();
    for (const KeyRow& row : table_.rows) properties[std::string(row.name)] = value_of_row(row);
    Json schema{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    Json rules = Json::array();
    for (const KeyGroup& group : table_.groups) exclude(group, rules);
    for (const KeyRow& row : table_.rows) {
      if (const auto words = words_that_refuse(row); !words.empty())
        rules.push_back(
            if_then(is_word(row.only.front().key, words), only_property(row.name, false)));
      by_words_below(row, rules, &TableSchema::value_of_row);
    }
    if (!rules.empty()) schema["allOf"] = std::move(rules);
    return schema;
  }

  // The same only for the sections within this one.
  [[nodiscard]] Json presence_within() const {
    Json properties = Json::object();
    for (const KeyRow& row : table_.rows) {
      Json below = presence_below(row);
      if (!below.empty()) properties[std::string(row.name)] = std::move(below);
    }
    return properties.empty() ? properties : Json{{"properties", properties}};
  }

  // An empty object if nothing is required.
  [[nodiscard]] Json presence() const { return presence_but_for({}); }

  // `parts`: rows that steps may supply.
  [[nodiscard]] Json presence_but_for(const std::set<std::string_view>& parts) const {
    if (table_.of_parts) return presence_within();
    Json required = Json::array();
    Json properties = Json::object();
    Json rules = Json::array();
    for (const KeyRow& row : table_.rows) {
      const bool part = parts.contains(row.name);
      Json below = part ? TableSchema(*row.map, words_).presence_within() : presence_below(row);
      if (!below.empty()) properties[std::string(row.name)] = std::move(below);
      if (part) continue;
      by_words_below(row, rules, &TableSchema::presence_below);
      const Json condition = condition_of(row);
      if (!condition.is_null())
        rules.push_back(if_then(negated(condition), only_property(row.name, false)));
      if (!(row.is_required() || row.needed) || is_refused(row)) continue;
      Json where = alternative_of(row);
      if (!condition.is_null())
        where = where.is_null() ? condition : Json{{"allOf", {condition, where}}};
      if (where.is_null())
        required.push_back(row.name);
      else
        rules.push_back(if_then(where, has_key(row.name)));
    }
    for (const KeyGroup& group : table_.groups)
      if (group.presence == Presence::required) rules.push_back(any_key(keys_of(group)));
    Json schema = Json::object();
    if (!required.empty()) schema["required"] = std::move(required);
    if (!properties.empty()) schema["properties"] = std::move(properties);
    if (!rules.empty()) schema["allOf"] = std::move(rules);
    return schema;
  }

  [[nodiscard]] Json value_of_row(const KeyRow& row) const {
    if (is_refused(row)) return false;
    Json map = Json::object();
    if (row.map != nullptr) map = TableSchema(*row.map, words_).values();
    if (!row.variants.empty()) map = variants(row, &TableSchema::values);
    std::vector<Json> alternatives;
    for (const KeyForm& form : row.forms) alternatives.push_back(schema_of(form, map));
    Json schema = any_of(std::move(alternatives));
    describe(schema, row);
    return schema;
  }

 private:
  // By the words fixed around the section.
  [[nodiscard]] bool is_refused(const KeyRow& row) const {
    if (row.refused) return true;
    const auto is_out = [&](const KeyCondition& condition) {
      const auto word = words_.find(condition.key);
      return !table_.has_row(condition.key) && word != words_.end() &&
             !contains(condition.words, word->second);
    };
    return !row.only.empty() && std::ranges::all_of(row.only, is_out);
  }

  static std::vector<std::string_view> keys_of(const KeyGroup& group) {
    std::vector<std::string_view> keys;
    for (const auto& each : group.alternatives) keys.insert(keys.end(), each.begin(), each.end());
    return keys;
  }

  static void exclude(const KeyGroup& group, Json& rules) {
    for (std::size_t i = 0; i < group.alternatives.size(); ++i)
      for (std::size_t j = i + 1; j < group.alternatives.size(); ++j)
        rules.push_back(
            negated({{"allOf", {any_key(group.alternatives[i]), any_key(group.alternatives[j])}}}));
  }

  // The words of the single key in this section on which the row depends that refuse it.
  [[nodiscard]] std::vector<std::string_view> words_that_refuse(const KeyRow& row) const {
    if (row.only.size() != 1) return {};
    const KeyCondition& condition = row.only.front();
    if (condition.words.empty() || !table_.has_row(condition.key)) return {};
    std::vector<std::string_view> others;
    for (const std::string& word : table_.row(condition.key).forms.front().words)
      if (!contains(condition.words, word)) others.push_back(word);
    return others;
  }

  // The condition, on keys of this section, under which the row applies; null if it always does.
  [[nodiscard]] Json condition_of(const KeyRow& row) const {
    std::vector<Json> one_of;
    for (const KeyCondition& condition : row.only) {
      if (!table_.has_row(condition.key)) return nullptr;
      if (condition.words.empty()) {
        one_of.push_back(has_key(condition.key));
        continue;
      }
      const std::string_view word = table_.row(condition.key).default_word();
      one_of.push_back(is_word(condition.key, condition.words));
      if (contains(condition.words, word)) one_of.push_back(negated(has_key(condition.key)));
    }
    return one_of.empty() ? Json() : any_of(one_of);
  }

  // True if the row's alternative is given; null if it has none.
  [[nodiscard]] Json alternative_of(const KeyRow& row) const {
    for (const KeyGroup& group : table_.groups)
      for (const auto& keys : group.alternatives)
        if (contains(keys, row.name)) return any_key(keys);
    return nullptr;
  }

  [[nodiscard]] Json presence_below(const KeyRow& row) const {
    Json map = Json::object();
    if (row.map != nullptr) {
      const TableSchema below(*row.map, words_);
      map = table_.of_parts ? below.presence_within() : below.presence();
    }
    if (!row.variants.empty()) map = variants(row, &TableSchema::presence);
    if (map.empty()) return map;
    std::vector<Json> rules;  // each ignores values of other types
    for (const KeyForm& form : row.forms) {
      if (form.kind == KeyForm::Kind::map) rules.push_back(map);
      if (form.kind == KeyForm::Kind::list && !form.items.empty() &&
          form.items.front().kind == KeyForm::Kind::map)
        rules.push_back({{"items", map}});
    }
    if (rules.empty()) return Json::object();
    return rules.size() == 1 ? rules.front() : Json{{"allOf", rules}};
  }

  // One of several tables, chosen by the word of their first rows.
  [[nodiscard]] static Json variants(const KeyRow& row, Json (TableSchema::*part)() const) {
    const bool values = part == &TableSchema::values;
    std::vector<std::string> words;
    Json rules = Json::array();
    Json properties = Json::object();
    std::string key;
    for (const KeyTable* table : row.variants) {
      const KeyRow& type = table->rows.front();
      key = type.name;
      const auto& own = type.forms.front().words;
      words.insert(words.end(), own.begin(), own.end());
      Json schema = (TableSchema(*table, {}).*part)();
      if (values) schema.erase("type");
      rules.push_back(if_then(is_word(key, {own.begin(), own.end()}), std::move(schema)));
    }
    if (!values) return {{"required", {key}}, {"allOf", rules}};
    properties[key] = {{"enum", words}, {"description", "what the other keys are of"}};
    return {{"type", "object"}, {"properties", properties}, {"allOf", rules}};
  }

  // Adds rules for a row whose subsections depend on a key of this section: one part for each word.
  void by_words_below(const KeyRow& row, Json& rules,
                      Json (TableSchema::*part)(const KeyRow&) const) const {
    if (row.map == nullptr) return;
    for (const std::string_view key : outer_keys(*row.map)) {
      if (!table_.has_row(key)) continue;
      for (const std::string& word : table_.row(key).forms.front().words) {
        Words decided = words_;
        decided[key] = word;
        Json below = (TableSchema(table_, decided).*part)(row);
        if (below.is_object() && !below.empty() && below != (this->*part)(row))
          rules.push_back(if_then(is_word(key, {word}), only_property(row.name, std::move(below))));
      }
    }
  }

  const KeyTable& table_;
  Words words_;
};

// The rows that two tables do not share, as the keys allowed under the condition that distinguishes
// them.
Json differing(const Json& one, const Json& other) {
  Json properties = Json::object();
  for (const auto& [key, value] : one.items())
    if (!other.contains(key) || other[key] != value) properties[key] = value;
  for (const auto& [key, value] : other.items())
    if (!one.contains(key)) properties[key] = false;
  return {{"properties", properties}};
}

Json case_schema() {
  const Json contact = TableSchema(case_table(false, true), {}).values()["properties"];
  const Json wheel = TableSchema(case_table(true, true), {}).values()["properties"];
  Json properties = Json::object();
  for (const Json* table : {&contact, &wheel})
    for (const auto& [key, value] : table->items()) {
      if (properties.contains(key)) continue;
      const bool same = contact.contains(key) && wheel.contains(key) && contact[key] == wheel[key];
      const Json& words = value.is_object() ? value : wheel[key];
      properties[key] = same ? value : Json{{"description", words["description"]}};
    }
  const Json has_wheel = has_key("wheel_rail");
  Json rules = Json::array();
  rules.push_back({{"if", has_wheel},
                   {"then", differing(wheel, contact)},
                   {"else", differing(contact, wheel)}});
  const auto alone = [](bool of_wheel) {
    const KeyTable& root = case_table(of_wheel, false);
    std::set<std::string_view> parts;
    for (const KeyRow& row : root.row("steps").map->rows)
      if (root.has_row(row.name)) parts.insert(row.name);
    const TableSchema schema(root, {});
    return Json{{"if", has_key("steps")},
                {"then", schema.presence_but_for(parts)},
                {"else", schema.presence()}};
  };
  const Json no_point =
      only_property("expected", {{"items", {{"properties", {{"point", false}}}}}});
  // A sweep may supply any key; the sweep itself and `expected` must be complete.
  const Json expected = TableSchema(expected_table(false, true), {}).presence();
  const Json whole = {{"properties",
                       {{"sweep", {{"items", TableSchema(sweep_table(), {}).presence()}}},
                        {"expected", {{"items", {{"allOf", {expected, has_key("point")}}}}}}}}};
  rules.push_back(
      {{"if", has_key("sweep")},
       {"then", whole},
       {"else",
        {{"allOf",
          {no_point, {{"if", has_wheel}, {"then", alone(true)}, {"else", alone(false)}}}}}}});
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"title", "A case of Slipfield"},
          {"type", "object"},
          {"properties", properties},
          {"additionalProperties", false},
          {"allOf", rules}};
}

}  // namespace

void add_schema_command(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand(
      "schema", "Print the JSON Schema of a case, for editors and for programs that write cases");
  command->footer(
      "Examples:\n"
      "  slipfield schema > slipfield.schema.json\n"
      "An editor with a YAML language server then completes keys, explains them and marks what is\n"
      "wrong, in files whose first line is\n"
      "  # yaml-language-server: $schema=slipfield.schema.json\n"
      "What the schema refuses `slipfield check` refuses, and more: what depends on several values "
      "or\non files.\n"
      "Exit codes: 0 done; 2 the command line is wrong.");
  command->callback([&action] {
    action = [] {
      print_line(case_schema().dump(1));
      return static_cast<int>(ExitCode::done);
    };
  });
}

}  // namespace slipfield
