// SPDX-License-Identifier: Apache-2.0
// The tables in the documents, from those that the reader and the checks go by.
#pragma once

#include <string>
#include <vector>

namespace slipfield {

// The page with every table between "<!-- table NAME -->" and "<!-- end -->" made new: "keys:
// HEADING", the keys of a section, or "combinations" (solver/combinations.h). Throws InputError where
// there is no such table.
std::string with_tables(const std::string& page);

// Every key and every word that a case may have, for libFuzzer (tests/data/corpus/case.dict).
std::string fuzz_dictionary();

// The headings of all tables, in the order in which a reader meets them, without those whose rows
// another one has.
std::vector<std::string> key_table_headings();

struct KeyTable;
// Every table that a case may be read by.
std::vector<const KeyTable*> all_key_tables();

}  // namespace slipfield
