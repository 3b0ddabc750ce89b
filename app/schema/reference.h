// SPDX-License-Identifier: Apache-2.0
// What io/CASE.md says of each key, for the schema: the page is part of the program.
#pragma once

#include <string>
#include <string_view>

namespace slipfield {

struct KeyReference {
  std::string value;         // what it takes, in words
  std::string default_text;  // as the page has it; may be empty
};

// `section`: as ObservedCase names it. `word`: of the section's type or problem where it is known,
// else empty. nullptr: the page has no row for the key.
const KeyReference* find_reference(std::string_view section, std::string_view key,
                                   std::string_view word);

}  // namespace slipfield
