// SPDX-License-Identifier: Apache-2.0
// The scripts for bash, zsh and fish.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "app/completion/scripts.h"

namespace slipfield {
namespace {

// --- A script for bash or zsh, with their differences as functions: it walks through the words so
// far and offers the values of the preceding option, or the words that the command accepts.
struct CaseScript {
  std::string_view begin;
  std::string_view end;
  std::string (*call)(const Offer&);      // offers values
  std::string (*words)(const CLI::App&);  // offers options, commands and arguments
};

// The values of the command's options, by the word before.
std::string value_cases(const CLI::App& command, const CaseScript& shell) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() || !takes_value(*option)) continue;
    std::string words;
    for (const std::string& name : names_of(*option))
      words += fmt::format("{}'{} {}'", words.empty() ? "" : "|", path_of(command), name);
    text += fmt::format("    {}) {}; return ;;\n", words, shell.call(offer_for(*option)));
  }
  return text;
}

std::string case_script(const CLI::App& program, const CaseScript& shell) {
  const Commands all = tree_of(program);
  std::string script(shell.begin);
  for (const CLI::App* command : all)
    if (command != &program)
      script += fmt::format("      '{}') command='{}' ;;\n", path_of(*command), path_of(*command));
  script += "    esac\n  done\n  case \"$command $before\" in\n";
  for (const CLI::App* command : all) script += value_cases(*command, shell);
  script += "  esac\n  case $command in\n";
  for (const CLI::App* command : all) script += shell.words(*command);
  return script + std::string(shell.end);
}

// --- bash

constexpr std::string_view kBashBegin =
    R"(# Completion of slipfield's commands for bash. Load it with
#   source <(slipfield completion bash)
_slipfield_offer() {
  local IFS=$' \n'
  COMPREPLY+=($(compgen -W "$1" -- "$word"))
}
_slipfield_files() {
  local IFS=$'\n' ending
  for ending in "$@"; do COMPREPLY+=($(compgen -f -X "!*.$ending" -- "$word")); done
  COMPREPLY+=($(compgen -d -- "$word"))
}
_slipfield() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=slipfield i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$command ${COMP_WORDS[i]}" in
)";
constexpr std::string_view kBashEnd = R"(  esac
}
complete -o filenames -F _slipfield slipfield
)";

std::string bash_call(const Offer& offer) {
  if (!offer.words.empty())
    return fmt::format("_slipfield_offer '{}'", fmt::join(offer.words, " "));
  if (offer.endings.empty()) return ":";
  return fmt::format("_slipfield_files {}", fmt::join(offer.endings, " "));
}

// The options, or the words without a dash.
std::string bash_words(const CLI::App& command) {
  std::vector<std::string> options;
  std::vector<std::string> commands;
  std::string others;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) others += "; " + bash_call(offer_for(*option));
    for (std::string& name : names_of(*option)) options.push_back(std::move(name));
  }
  for (const CLI::App* child : commands_of(command)) commands.push_back(child->get_name());
  return fmt::format(
      "    '{}')\n      if [[ $word == -* ]]; then _slipfield_offer '{}'\n"
      "      else _slipfield_offer '{}'{}; fi ;;\n",
      path_of(command), fmt::join(options, " "), fmt::join(commands, " "), others);
}

// --- zsh

constexpr std::string_view kZshBegin = R"(#compdef slipfield
# Completion of slipfield's commands for zsh. Load it with
#   source <(slipfield completion zsh)
# or keep it as _slipfield in a folder of $fpath.
_slipfield() {
  local command=slipfield word=${words[CURRENT]} before=${words[CURRENT-1]} i
  local -a offered
  for ((i = 2; i < CURRENT; ++i)); do
    case "$command ${words[i]}" in
)";
constexpr std::string_view kZshEnd = R"(  esac
}
if [[ $funcstack[1] == _slipfield ]]; then _slipfield "$@"; else compdef _slipfield slipfield; fi
)";

std::string zsh_call(const Offer& offer) {
  if (!offer.words.empty()) return fmt::format("compadd -- {}", fmt::join(offer.words, " "));
  if (offer.endings.empty()) return ":";
  return fmt::format("_files -g '*.({})'", fmt::join(offer.endings, "|"));
}

// "--output:where to write it", for _describe.
std::string described(const std::string& name, const std::string& description) {
  return quoted(name + ":" + description, "'\\''");
}

std::string zsh_words(const CLI::App& command) {
  std::vector<std::string> options;
  std::vector<std::string> commands;
  std::string others;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) others += "; " + zsh_call(offer_for(*option));
    for (const std::string& name : names_of(*option))
      options.push_back(described(name, option->get_description()));
  }
  for (const CLI::App* child : commands_of(command))
    commands.push_back(described(child->get_name(), child->get_description()));
  std::string text = fmt::format(
      "    '{}')\n      if [[ $word == -* ]]; then\n        offered=({})\n"
      "        _describe -o option offered\n      else\n",
      path_of(command), fmt::join(options, " "));
  if (!commands.empty())
    text += fmt::format("        offered=({})\n        _describe command offered\n",
                        fmt::join(commands, " "));
  return text + fmt::format("        :{}\n      fi ;;\n", others);
}

// --- fish

constexpr std::string_view kFishBegin =
    R"(# Completion of slipfield's commands for fish. Load it with
#   slipfield completion fish | source
function __slipfield_command
  set -l command slipfield
  for word in (commandline -opc)[2..-1]
    switch "$command $word"
)";
constexpr std::string_view kFishEnd = R"(    end
  end
  echo $command
end
complete -c slipfield -f
)";

std::string fish_quoted(const std::string& text) { return quoted(text, "\\'"); }

// The argument of -a; empty if nothing completes the value.
std::string fish_offer(const Offer& offer) {
  if (!offer.words.empty()) return fmt::format("'{}'", fmt::join(offer.words, " "));
  std::string files;
  for (const std::string& ending : offer.endings)
    files += fmt::format("(__fish_complete_suffix .{})", ending);
  return files.empty() ? "" : "'" + files + "'";
}

std::string fish_lines(const CLI::App& command) {
  const std::string at = fmt::format(
      "complete -c slipfield -n 'test (__slipfield_command) = \"{}\"'", path_of(command));
  std::string text;
  for (const CLI::App* child : commands_of(command))
    text += fmt::format("{} -a {} -d {}\n", at, child->get_name(),
                        fish_quoted(child->get_description()));
  for (const CLI::Option* option : command.get_options()) {
    const std::string offered = fish_offer(offer_for(*option));
    if (option->get_positional()) {
      if (!offered.empty()) text += fmt::format("{} -a {}\n", at, offered);
      continue;
    }
    text += at;
    for (const std::string& name : option->get_lnames()) text += " -l " + name;
    for (const std::string& name : option->get_snames()) text += " -s " + name;
    if (takes_value(*option)) text += offered.empty() ? " -x" : " -x -a " + offered;
    text += fmt::format(" -d {}\n", fish_quoted(option->get_description()));
  }
  return text;
}

}  // namespace

std::string bash_script(const CLI::App& program) {
  return case_script(program, {kBashBegin, kBashEnd, bash_call, bash_words});
}

std::string zsh_script(const CLI::App& program) {
  return case_script(program, {kZshBegin, kZshEnd, zsh_call, zsh_words});
}

std::string fish_script(const CLI::App& program) {
  const Commands all = tree_of(program);
  std::string script(kFishBegin);
  for (const CLI::App* command : all)
    if (command != &program)
      script += fmt::format("      case '{}'\n        set command '{}'\n", path_of(*command),
                            path_of(*command));
  script += kFishEnd;
  for (const CLI::App* command : all) script += fish_lines(*command);
  return script;
}

}  // namespace slipfield
