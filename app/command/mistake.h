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

// The sentence for an error of the parser. `first`: the first argument, empty where there is none.
std::string command_line_mistake(const CLI::App& program, const CLI::ParseError& error,
                                 const std::string& first);

// The command of these names, ("table", "make"); the program itself of none. Throws InputError
// where there is none such.
const CLI::App& command_named(const CLI::App& program, const std::vector<std::string>& names);

// The sentence for a command line that was parsed but has an argument without a letter, such as a
// shell's variable without a value. Empty where there is none.
std::string empty_argument(const CLI::App& program);

}  // namespace slipfield
