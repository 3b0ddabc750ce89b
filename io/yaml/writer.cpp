// SPDX-License-Identifier: Apache-2.0
#include "io/yaml/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace slipfield {
namespace {

using Kind = YamlNode::Kind;

// Whether the text has no YAML syntax and no white space that YAML drops.
bool is_plain(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char letter) {
    const bool alphanumeric = (letter >= '0' && letter <= '9') ||
                              (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
    return alphanumeric || letter == '.' || letter == '_' || letter == '+' || letter == '-' ||
           letter == '/';
  });
}

std::string key_text(const YamlKey& key) {
  return is_plain(key.name) ? key.name : double_quoted(key.name);
}

bool holds_maps(const YamlNode& node) {
  return std::ranges::any_of(node.items, [](const YamlNode& item) {
    return item.kind == Kind::map && !item.items.empty();
  });
}

}  // namespace

std::string double_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    if (letter == '\n')
      result += "\\n";
    else if (letter == '\t')
      result += "\\t";
    else
      result += letter;
  }
  return result + "\"";
}

std::string flow_yaml(const YamlNode& node) {
  std::string text;
  switch (node.kind) {
    case Kind::null:
      return "~";
    case Kind::scalar:
      return node.quotes == YamlNode::Quotes::none && is_plain(node.text)
                 ? node.text
                 : double_quoted(node.text);
    case Kind::sequence:
      for (const YamlNode& item : node.items) text += (text.empty() ? "" : ", ") + flow_yaml(item);
      return "[" + text + "]";
    case Kind::map:
      for (std::size_t i = 0; i < node.items.size(); ++i)
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", key_text(node.keys[i]),
                            flow_yaml(node.items[i]));
      return "{" + text + "}";
  }
  return text;
}

std::string block_yaml(const YamlNode& map) {
  std::string text;
  for (std::size_t i = 0; i < map.items.size(); ++i) {
    const YamlNode& value = map.items[i];
    const std::string key = key_text(map.keys[i]);
    if (!holds_maps(value)) {
      text += fmt::format("{}: {}\n", key, flow_yaml(value));
      continue;
    }
    text += key + ":\n";
    for (std::size_t j = 0; j < value.items.size(); ++j)
      text += value.kind == Kind::sequence
                  ? fmt::format("  - {}\n", flow_yaml(value.items[j]))
                  : fmt::format("  {}: {}\n", key_text(value.keys[j]), flow_yaml(value.items[j]));
  }
  return text;
}

}  // namespace slipfield
