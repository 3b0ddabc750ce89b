// SPDX-License-Identifier: Apache-2.0
// The help of the program and of each command, wrapped to the terminal, in groups; and what is
// wrong with a command line.
#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): of the library
class App;
class ParseError;
}  // namespace CLI

namespace slipfield {

// Returns the text of `slipfield COMMAND --help` in lines of at most `columns` characters; examples
// are never broken, so that they can be copied.
std::string help_text(const CLI::App& command, int columns);

void print_help(const CLI::App& command);

// Makes commands added from here on print help_text() at the terminal's width.
void use_help_text(CLI::App& program);

// Sets the heading under which the program's help lists each command.
void group_commands(CLI::App& program);

// --- What is wrong with a command line, in one sentence.

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
