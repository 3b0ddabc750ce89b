// SPDX-License-Identifier: Apache-2.0
// Makes documents from the tables that the reader and the checks use: tables for the pages, and
// annotated cases.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/yaml/tree.h"

namespace slipfield {

// Regenerates every table between "<!-- table NAME -->" and "<!-- end -->" of a page: "keys:
// HEADING", the keys of a section, or "combinations" (solver/combinations.h). Throws InputError for
// an unknown table.
std::string with_tables(const std::string& page);

// Writes the tree of a case with the description of each key above it and, at the end of each
// section, the keys that it does not use.
std::string annotated_case(const YamlNode& tree);

// Removes links and quotes from a sentence of a table: "[THEORY.md](...)" becomes "THEORY.md".
std::string plain_sentence(std::string_view text);

// Every key and every word that a case may have, for libFuzzer (tests/data/corpus/case.dict).
std::string fuzz_dictionary();

// The headings of all tables in the order of reading, without tables whose rows are part of another
// one.
std::vector<std::string> key_table_headings();

struct KeyTable;
// All tables that the reader uses.
std::vector<const KeyTable*> all_key_tables();

}  // namespace slipfield
