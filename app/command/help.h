// SPDX-License-Identifier: Apache-2.0
// The help of the program and of each command, wrapped to the terminal, in groups.
#pragma once

#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): of the library
class App;
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

}  // namespace slipfield
