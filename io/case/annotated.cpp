// SPDX-License-Identifier: Apache-2.0
#include "io/case/annotated.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>
#include <vector>

#include "io/case/sections.h"
#include "io/case/table.h"
#include "io/yaml/writer.h"

namespace slipfield {
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

// Empty where it says no more than the value.
std::string explanation(const KeyRow& row, const YamlNode& value) {
  std::string text = plain_sentence(row.meaning);
  if (text == value.text || text == "likewise") return {};
  if (!row.otherwise.empty() && !row.is_required())
    text += fmt::format(" (default: {})", plain_sentence(row.otherwise));
  return text;
}

using Words = std::map<std::string, std::string>;  // of keys around the section, and in it

// By the words that are given the key could be added.
bool could_be_added(const KeyRow& row, const Words& words) {
  if (row.refused) return false;
  return row.only.empty() ||
         std::any_of(row.only.begin(), row.only.end(), [&](const KeyCondition& condition) {
           const auto word = words.find(std::string(condition.key));
           return condition.words.empty() || word == words.end() ||
                  std::find(condition.words.begin(), condition.words.end(), word->second) !=
                      condition.words.end();
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

std::string plain_sentence(std::string_view text) {
  static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
  std::string result = std::regex_replace(std::string(text), link, "$1");
  std::erase(result, '`');
  return result;
}

std::string annotated_case(const YamlNode& tree) {
  const bool wheel = tree.index_of("wheel_rail").has_value();
  return section_text(tree, case_table(wheel, tree.index_of("sweep").has_value()), "", {});
}

}  // namespace slipfield
