// SPDX-License-Identifier: Apache-2.0
// slipfield's commands, options and what completes their values, from the command line's own
// description: what the scripts for the shells are made from.
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

// What completes a value; both empty: nothing does.
struct Offer {
  std::vector<std::string> words;    // "TEXT:{auto,cpu,cuda}" names them
  std::vector<std::string> endings;  // of files: "yaml", "h5"
};
Offer offer_for(const CLI::Option& option);

// The form of a value for people: "OUT.h5"; "auto|cpu|cuda" where it is one of some words.
std::string value_words(const CLI::Option& option);

// The text in single quotes, a quote in it as `escape`.
std::string quoted(const std::string& text, const std::string& escape);

// The scripts: app/completion/shells.cpp.
std::string bash_script(const CLI::App& program);
std::string zsh_script(const CLI::App& program);
std::string fish_script(const CLI::App& program);

// A page for man, in roff: app/completion/manual.cpp. Of the program itself it lists the commands.
std::string manual_page(const CLI::App& command);
std::string manual_name(const CLI::App& command);  // "slipfield-run"

}  // namespace slipfield
