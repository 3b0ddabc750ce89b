// SPDX-License-Identifier: Apache-2.0
// slipfield's commands, their options and how values are completed, read from the command line's
// own description: the input of the shell scripts.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace slipfield {

using Commands = std::vector<const CLI::App*>;

Commands commands_of(const CLI::App& command);  // one level below
Commands tree_of(const CLI::App& command);      // the command and all below it
std::string path_of(const CLI::App& command);   // "slipfield table make"

std::vector<std::string> names_of(const CLI::Option& option);  // "--output", "-o"
bool takes_value(const CLI::Option& option);

// How a value is completed; if both are empty, not at all.
struct Offer {
  std::vector<std::string> words;    // "TEXT:{auto,cpu,cuda}" names them
  std::vector<std::string> endings;  // endings of files: "yaml", "h5"
};
Offer offer_for(const CLI::Option& option);

// The form of a value as the help shows it: "OUT.h5"; "auto|cpu|cuda" for a choice of words.
std::string value_words(const CLI::Option& option);

// Puts the text in single quotes; replaces a quote inside by `escape`.
std::string quoted(const std::string& text, const std::string& escape);

// The shell scripts (app/completion/shells.cpp).
std::string bash_script(const CLI::App& program);
std::string zsh_script(const CLI::App& program);
std::string fish_script(const CLI::App& program);

// A manual page in roff (app/completion/manual.cpp). The program's own page lists the commands.
std::string manual_page(const CLI::App& command);
std::string manual_name(const CLI::App& command);  // "slipfield-run"

}  // namespace slipfield
