// SPDX-License-Identifier: Apache-2.0
// The tables of keys in CASE.md, from those that the reader reads by.
#pragma once

#include <string>
#include <vector>

namespace slipfield {

// The page with every table between "<!-- keys: HEADING -->" and "<!-- end -->" made new. Throws
// InputError where a heading is not that of a table.
std::string with_key_tables(const std::string& page);

// The headings of all tables, in the order in which a reader meets them.
std::vector<std::string> key_table_headings();

struct KeyTable;
// Every table that a case may be read by.
std::vector<const KeyTable*> all_key_tables();

}  // namespace slipfield
