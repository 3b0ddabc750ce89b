// SPDX-License-Identifier: Apache-2.0
// A YAML document as a plain tree in which every key and value has its place.
//
// Built from the parser's events, because the parser's own tree drops information: duplicate keys,
// quotes around numbers, and the place of a missing value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "io/yaml/diagnostics.h"
#include "io/yaml/source.h"

namespace slipfield {

inline constexpr std::size_t kMaxYamlDepth = 32;
inline constexpr std::size_t kMaxYamlNodes = 1'000'000;  // aliases count as what they stand for

struct YamlKey {
  std::string name;
  SourcePlace place;
};

struct YamlNode {
  enum class Kind { null, scalar, sequence, map };
  enum class Quotes { none, given };

  Kind kind = Kind::null;
  Quotes quotes = Quotes::none;  // scalar: written in quotes or as a block of text
  std::string text;              // scalar
  SourcePlace place;             // null: place of the key or of the list's dash
  std::vector<YamlKey> keys;     // map: one for each item
  std::vector<YamlNode> items;   // sequence, map

  // Index of a key of the map; nothing if absent or not a map.
  [[nodiscard]] std::optional<std::size_t> index_of(std::string_view key) const;
  // The key's value, or nullptr. With `inner`: of the key `inner` in the map at `key`.
  [[nodiscard]] const YamlNode* find(std::string_view key) const;
  [[nodiscard]] const YamlNode* find(std::string_view key, std::string_view inner) const;
  YamlNode* find(std::string_view key);
  YamlNode* find(std::string_view key, std::string_view inner);

  // erase removes a key of a map; put adds a key or replaces its value.
  void erase(std::string_view key);
  void put(const YamlKey& key, const YamlNode& value);
  static YamlNode empty_map(const SourcePlace& place = {});
};

// A scalar by its notation: text if quoted, else true or false, a whole number, a number, or text.
using YamlValue = std::variant<bool, std::int64_t, double, std::string>;
YamlValue value_of_scalar(const YamlNode& scalar);

// Converts a tree to values of type T: `form` has null(), value(one of YamlValue), list(), map(),
// append(list, value) and put(map, key, value).
template <typename T, typename Form>
T converted(const YamlNode& node, const Form& form) {
  if (node.kind == YamlNode::Kind::null) return form.null();
  if (node.kind == YamlNode::Kind::scalar)
    return std::visit([&](const auto& value) -> T { return form.value(value); },
                      value_of_scalar(node));
  const bool is_map = node.kind == YamlNode::Kind::map;
  T all = is_map ? form.map() : form.list();
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    T value = converted<T>(node.items[i], form);
    if (is_map)
      form.put(all, node.keys[i].name, std::move(value));
    else
      form.append(all, std::move(value));
  }
  return all;
}

// Parses the single document of `text`; its places point into `source` (the same text line by line
// and column by column). Collects in `diagnostics` duplicate keys, tags and merge keys, which still
// give a tree, and syntax errors, a second document, and excessive depth or size, which do not.
std::optional<YamlNode> parse_yaml(const std::string& text, const SourceText& source,
                                   CaseDiagnostics& diagnostics);

// --- Writing: text that reads back as the same tree, with every alias expanded.

// The text as a double-quoted scalar.
std::string double_quoted(std::string_view text);

// On one line: {a: 1, b: [2, 3]}.
std::string flow_yaml(const YamlNode& node);

// A map with a line for each key; maps of maps and lists of maps are indented by one level.
std::string block_yaml(const YamlNode& map);

}  // namespace slipfield
