// SPDX-License-Identifier: Apache-2.0
// A case as text that explains itself.
#pragma once

#include <string>
#include <string_view>

#include "io/yaml/tree.h"

namespace slipfield {

// The tree of a case with what the tables of keys say above each key, and at the end of a section
// the keys that it does not use.
std::string annotated_case(const YamlNode& tree);

// A sentence of a table without its links and quotes: "[THEORY.md](...)" is "THEORY.md".
std::string plain_sentence(std::string_view text);

}  // namespace slipfield
