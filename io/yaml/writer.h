// A tree of YAML as text that reads back as the same tree, with every alias written out.
#pragma once

#include <string>

#include "io/yaml/tree.h"

namespace slipfield {

// In one line: {a: 1, b: [2, 3]}.
std::string flow_yaml(const YamlNode& node);

// A map with a line for each key; maps of maps and lists of maps one level further.
std::string block_yaml(const YamlNode& map);

}  // namespace slipfield
