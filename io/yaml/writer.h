// SPDX-License-Identifier: Apache-2.0
// Writes a tree as text that reads back as the same tree, with every alias expanded.
#pragma once

#include <string>
#include <string_view>

#include "io/yaml/tree.h"

namespace slipfield {

// The text as a double-quoted scalar.
std::string double_quoted(std::string_view text);

// On one line: {a: 1, b: [2, 3]}.
std::string flow_yaml(const YamlNode& node);

// A map with a line for each key; maps of maps and lists of maps are indented by one level.
std::string block_yaml(const YamlNode& map);

}  // namespace slipfield
