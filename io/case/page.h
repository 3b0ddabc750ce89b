// SPDX-License-Identifier: Apache-2.0
// Documents from the tables that the reader and the checks go by: the tables of the pages, and
// cases that explain themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/yaml/tree.h"

namespace slipfield {

// The page with every table between "<!-- table NAME -->" and "<!-- end -->" made new: "keys:
// HEADING", the keys of a section, or "combinations" (solver/combinations.h). Throws InputError
// where there is no such table.
std::string with_tables(const std::string& page);

// The tree of a case as text, with what the tables of keys say above each key, and at the end of a
// section the keys that it does not use.
std::string annotated_case(const YamlNode& tree);

// A sentence of a table without its links and quotes: "[THEORY.md](...)" is "THEORY.md".
std::string plain_sentence(std::string_view text);

// Every key and every word that a case may have, for libFuzzer (tests/data/corpus/case.dict).
std::string fuzz_dictionary();

// The headings of all tables, in the order in which a reader meets them, without those whose rows
// another one has.
std::vector<std::string> key_table_headings();

struct KeyTable;
// Every table that a case may be read by.
std::vector<const KeyTable*> all_key_tables();

}  // namespace slipfield
