// SPDX-License-Identifier: Apache-2.0
#include "io/case/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>

#include "io/case/sections.h"
#include "io/case/table.h"
#include "io/yaml/tree.h"
#include "solver/combinations.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr std::string_view kOfWheel = " with wheel_rail";

// The rows under one heading: those of a contact, then those added by a wheel on a rail.
struct Heading {
  std::string name;
  std::vector<KeyRow> rows;
};

struct Headings {
  std::vector<Heading> all;
  std::vector<const KeyTable*> tables;
};

// Adds the table and its subtables.
void add_headings(const KeyTable& table, Headings& to) {
  if (std::ranges::find(to.tables, &table) != to.tables.end()) return;
  to.tables.push_back(&table);
  std::string name(table.heading);
  if (name.ends_with(kOfWheel)) name.resize(name.size() - kOfWheel.size());
  auto heading = std::ranges::find(to.all, name, &Heading::name);
  if (heading == to.all.end()) heading = to.all.insert(heading, {name, {}});
  for (const KeyRow& row : table.rows) {
    const bool known =
        std::ranges::find(heading->rows, row.name, &KeyRow::name) != heading->rows.end();
    if (!row.refused && !known) heading->rows.push_back(row);
  }
  for (const KeyRow& row : table.rows) {
    if (row.map != nullptr) add_headings(*row.map, to);
    for (const KeyTable* variant : row.variants) add_headings(*variant, to);
  }
}

const Headings& all_headings() {
  static const Headings headings = [] {
    Headings made;
    for (const bool wheel : {false, true})
      for (const bool sweep : {true, false}) add_headings(case_table(wheel, sweep), made);
    return made;
  }();
  return headings;
}

// Merges consecutive rows with the same text into one line.
std::string table_text(const Heading& heading) {
  std::string text = "| key | value | default |\n| --- | --- | --- |\n";
  const auto& rows = heading.rows;
  for (std::size_t i = 0; i < rows.size();) {
    std::string keys = fmt::format("`{}`", rows[i].name);
    std::size_t next = i + 1;
    for (; next < rows.size() && rows[next].meaning == rows[i].meaning &&
           rows[next].otherwise == rows[i].otherwise && rows[i].meaning != "likewise";
         ++next)
      keys += fmt::format(", `{}`", rows[next].name);
    text += fmt::format("| {} | {} | {}{}|\n", keys, rows[i].meaning, rows[i].otherwise,
                        rows[i].otherwise.empty() ? "" : " ");
    i = next;
  }
  return text;
}

// Whether it has every row of the shorter one, with the same meaning.
bool explains(const Heading& heading, const Heading& shorter) {
  return heading.rows.size() > shorter.rows.size() &&
         std::ranges::all_of(shorter.rows, [&](const KeyRow& row) {
           return std::ranges::any_of(heading.rows, [&](const KeyRow& other) {
             return other.name == row.name && other.meaning == row.meaning;
           });
         });
}

std::string combination_table() {
  std::string text = "| asked for | does not go with | is not computed on |\n| --- | --- | --- |\n";
  for (const CombinationLine& line : combination_lines())
    text += fmt::format("| {} | {} | {} |\n", line.feature, fmt::join(line.not_with, "; "),
                        fmt::join(line.not_on, "; "));
  return text;
}

// The table named by a marker: "keys: HEADING" or "combinations".
std::string table_of(const std::string& marker) {
  constexpr std::string_view kKeys = "keys: ";
  if (marker == "combinations") return combination_table();
  const auto& all = all_headings().all;
  const auto found = std::ranges::find_if(
      all, [&](const Heading& each) { return marker == std::string(kKeys) + each.name; });
  if (found == all.end()) throw InputError(fmt::format("there is no table {}", marker));
  return table_text(*found);
}

}  // namespace

std::string plain_sentence(std::string_view text) {
  static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
  std::string result = std::regex_replace(std::string(text), link, "$1");
  std::erase(result, '`');
  return result;
}

std::vector<const KeyTable*> all_key_tables() { return all_headings().tables; }

std::vector<std::string> key_table_headings() {
  std::vector<std::string> names;
  const auto& all = all_headings().all;
  for (const Heading& heading : all)
    if (std::ranges::none_of(all, [&](const Heading& other) { return explains(other, heading); }))
      names.push_back(heading.name);
  return names;
}

std::string fuzz_dictionary() {
  std::set<std::string> words;
  for (const KeyTable* table : all_key_tables())
    for (const KeyRow& row : table->rows) {
      words.insert(std::string(row.name) + ":");
      for (const KeyForm& form : row.forms) words.insert(form.words.begin(), form.words.end());
    }
  std::string text =
      "# Keys and words of the case file, for libFuzzer (-dict); made from its tables.\n";
  for (const std::string& word : words) text += fmt::format("\"{}\"\n", word);
  return text;
}

std::string with_tables(const std::string& page) {
  constexpr std::string_view kBegin = "<!-- table ";
  constexpr std::string_view kClose = " -->\n";
  constexpr std::string_view kEnd = "<!-- end -->";
  std::string text;
  std::size_t at = 0;
  for (std::size_t begin = page.find(kBegin); begin != std::string::npos;
       begin = page.find(kBegin, at)) {
    const std::size_t close = page.find(kClose, begin);
    const std::size_t end = page.find(kEnd, begin);
    if (close == std::string::npos || end == std::string::npos)
      throw InputError("a table in the page does not end");
    const std::string marker = page.substr(begin + kBegin.size(), close - begin - kBegin.size());
    text += page.substr(at, close + kClose.size() - at) + table_of(marker);
    at = end;
  }
  return text + page.substr(at);
}

// --- An annotated case.

namespace {

constexpr std::size_t kLineLength = 100;

std::string commented(const std::string& sentence, const std::string& indent) {
  std::string text;
  std::string line = indent + "#";
  std::istringstream words(sentence);
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > kLineLength) {
      text += line + "\n";
      line = indent + "#";
    }
    line += " " + word;
  }
  return text + line + "\n";
}

// Empty if it says no more than the value.
std::string explanation(const KeyRow& row, const YamlNode& value) {
  std::string text = plain_sentence(row.meaning);
  if (text == value.text || text == "likewise") return {};
  if (!row.otherwise.empty() && !row.is_required())
    text += fmt::format(" (default: {})", plain_sentence(row.otherwise));
  return text;
}

using Words = std::map<std::string, std::string>;  // of keys around the section, and in it

// Whether the key could be added, given the words.
bool could_be_added(const KeyRow& row, const Words& words) {
  if (row.refused) return false;
  return row.only.empty() || std::ranges::any_of(row.only, [&](const KeyCondition& condition) {
           const auto word = words.find(std::string(condition.key));
           return condition.words.empty() || word == words.end() ||
                  std::ranges::find(condition.words, word->second) != condition.words.end();
         });
}

std::string section_text(const YamlNode& map, const KeyTable& table, const std::string& indent,
                         Words words) {
  std::string text;
  for (std::size_t i = 0; i < map.keys.size(); ++i)
    if (map.items[i].kind == YamlNode::Kind::scalar) words[map.keys[i].name] = map.items[i].text;
  for (std::size_t i = 0; i < map.keys.size(); ++i) {
    const std::string& name = map.keys[i].name;
    const YamlNode& value = map.items[i];
    if (!table.has_row(name)) {
      text += fmt::format("{}{}: {}\n", indent, name, flow_yaml(value));
      continue;
    }
    const KeyRow& row = table.row(name);
    if (const std::string why = explanation(row, value); !why.empty())
      text += commented(why, indent);
    if (const KeyTable* below = row.table_of(value)) {
      text +=
          fmt::format("{}{}:\n{}", indent, name, section_text(value, *below, indent + "  ", words));
    } else if (value.kind == YamlNode::Kind::sequence && row.map != nullptr) {
      text += fmt::format("{}{}:\n", indent, name);
      for (const YamlNode& item : value.items)
        text += fmt::format("{}  - {}\n", indent, flow_yaml(item));
    } else {
      text += fmt::format("{}{}: {}\n", indent, name, flow_yaml(value));
    }
  }
  std::vector<std::string_view> unused;
  for (const KeyRow& row : table.rows)
    if (could_be_added(row, words) && !map.index_of(row.name)) unused.push_back(row.name);
  if (!unused.empty()) text += commented(fmt::format("Also: {}", fmt::join(unused, ", ")), indent);
  return text;
}

}  // namespace

std::string annotated_case(const YamlNode& tree) {
  const bool wheel = tree.index_of("wheel_rail").has_value();
  return section_text(tree, case_table(wheel, tree.index_of("sweep").has_value()), "", {});
}

}  // namespace slipfield
