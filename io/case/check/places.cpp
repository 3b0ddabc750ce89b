// SPDX-License-Identifier: Apache-2.0
#include "io/case/check/places.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

namespace slipfield {

std::string dotted(const KeyPath& path) { return fmt::format("{}", fmt::join(path, ".")); }

KeyPath key_path(const std::string& dotted_path) {
  KeyPath path;
  std::istringstream stream(dotted_path);
  for (std::string key; std::getline(stream, key, '.');) path.push_back(key);
  return path;
}

const YamlNode* find_path(const YamlNode* node, const KeyPath& path) {
  for (const std::string& key : path) {
    if (node == nullptr || node->kind != YamlNode::Kind::map) return nullptr;
    node = node->find(key);
  }
  return node;
}

FoundValue value_in_force(const YamlNode& root, std::size_t entry,
                          const std::vector<KeyPath>& paths) {
  const YamlNode* steps = root.find("steps");
  if (steps != nullptr && steps->kind == YamlNode::Kind::sequence) {
    for (std::size_t i = std::min(entry + 1, steps->items.size()); i-- > 0;)
      for (const KeyPath& path : paths)
        if (const YamlNode* node = find_path(&steps->items[i], path))
          return {node, fmt::format("steps.{}.{}", i, dotted(path)), path};
  }
  for (const KeyPath& path : paths)
    if (const YamlNode* node = find_path(&root, path)) return {node, dotted(path), path};
  return {&root, dotted(paths.front()), paths.front()};
}

}  // namespace slipfield
