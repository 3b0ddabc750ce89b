// SPDX-License-Identifier: Apache-2.0
// A YAML document as a plain tree in which every key and value knows its place.
//
// Built from the parser's events, because the parser's own tree drops what a case file must not
// hide: duplicate keys, whether a number was quoted, and the place of a missing value.
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
inline constexpr std::size_t kMaxYamlNodes = 1'000'000;  // aliases counted as what they stand for

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

  // Index of a key of the map; none: not there, or no map.
  [[nodiscard]] std::optional<std::size_t> index_of(std::string_view key) const;
  // Its value; nullptr: not there. Of a map in a map: of the key `inner` in that of `key`.
  [[nodiscard]] const YamlNode* find(std::string_view key) const;
  [[nodiscard]] const YamlNode* find(std::string_view key, std::string_view inner) const;
  YamlNode* find(std::string_view key);
  YamlNode* find(std::string_view key, std::string_view inner);

  // Removes a key of a map; adds one, or replaces the one of its name.
  void erase(std::string_view key);
  void put(const YamlKey& key, const YamlNode& value);
  static YamlNode empty_map(const SourcePlace& place = {});
};

// The value of a scalar whose kind no key says: text where it is in quotes, else true or false, a
// whole number, a number, or text.
using YamlValue = std::variant<bool, std::int64_t, double, std::string>;
YamlValue value_of_scalar(const YamlNode& scalar);

// A tree in another form, whose values are of the type T: `form` has null(), value(one of
// YamlValue), list(), map(), append(list, value) and put(map, key, value).
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

// Parses the one document of `text`, whose places are places of `source` (line by line and column
// by column the same text). Collects in `diagnostics`: duplicate keys, tags, merge keys, which
// leave a tree; syntax errors, a second document, and excessive depth or size, which leave none.
std::optional<YamlNode> parse_yaml(const std::string& text, const SourceText& source,
                                   CaseDiagnostics& diagnostics);

}  // namespace slipfield
