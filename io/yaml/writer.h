// SPDX-License-Identifier: Apache-2.0
// A tree of YAML as text that reads back as the same tree, with every alias written out.
#pragma once

#include <string>
#include <string_view>

#include "io/yaml/tree.h"

namespace slipfield {

// The text as a scalar in double quotes.
std::string double_quoted(std::string_view text);

// In one line: {a: 1, b: [2, 3]}.
std::string flow_yaml(const YamlNode& node);

// A map with a line for each key; maps of maps and lists of maps one level further.
std::string block_yaml(const YamlNode& map);

}  // namespace slipfield
