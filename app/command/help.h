// SPDX-License-Identifier: Apache-2.0
// The help of the program and of each command: wrapped to the terminal, in groups.
#pragma once

#include <string>

namespace CLI {  // NOLINT(readability-identifier-naming): of the library
class App;
}  // namespace CLI

namespace slipfield {

// What `slipfield COMMAND --help` prints, in lines of at most `columns` characters, except that
// examples are never broken: they are copied from there.
std::string help_text(const CLI::App& command, int columns);

void print_help(const CLI::App& command);

// From here on commands added to the program print help_text() for the terminal's width.
void use_help_text(CLI::App& program);

// Under which heading the program's help lists a command.
void group_commands(CLI::App& program);

}  // namespace slipfield
