// SPDX-License-Identifier: Apache-2.0
// Where in a case a value was written that a step has.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/yaml/tree.h"

namespace slipfield {

using KeyPath = std::vector<std::string>;

std::string dotted(const KeyPath& path);
KeyPath key_path(const std::string& dotted_path);

// Nothing where the path does not lead to a value.
const YamlNode* find_path(const YamlNode* node, const KeyPath& path);

struct FoundValue {
  const YamlNode* node = nullptr;
  std::string path;  // where it was written: "steps.1.normal.force"
  KeyPath key;       // the one of the paths
};

// The value in force at an entry of `steps`, which the last entry up to it names, or the root; by
// the first of the paths that is there. Without any the root.
FoundValue value_in_force(const YamlNode& root, std::size_t entry,
                          const std::vector<KeyPath>& paths);

}  // namespace slipfield
