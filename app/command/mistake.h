// SPDX-License-Identifier: Apache-2.0
// What is wrong with a command line, in one sentence.
#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): of the library
class App;
class ParseError;
}  // namespace CLI

namespace slipfield {

// Returns the sentence for an error of the parser. `first`: the first argument; empty if there is
// none.
std::string command_line_mistake(const CLI::App& program, const CLI::ParseError& error,
                                 const std::string& first);

// Returns the command with these names, such as ("table", "make"); the program itself if empty.
// Throws InputError if it does not exist.
const CLI::App& command_named(const CLI::App& program, const std::vector<std::string>& names);

// Returns the sentence for a command line that parses but has an argument without a letter, such as
// an unset shell variable. Empty if there is none.
std::string empty_argument(const CLI::App& program);

}  // namespace slipfield
