// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "app/completion/scripts.h"

namespace slipfield {
namespace {

constexpr std::string_view kBegin = R"(# Completion of slipfield's commands for bash. Load it with
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

std::string call_for(const Offer& offer) {
  if (!offer.words.empty())
    return fmt::format("_slipfield_offer '{}'", fmt::join(offer.words, " "));
  if (offer.endings.empty()) return ":";
  return fmt::format("_slipfield_files {}", fmt::join(offer.endings, " "));
}

// The options, or what has no dash.
std::string bash_words(const CLI::App& command) {
  std::string options;
  std::string others;
  std::string commands;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) others += "; " + call_for(offer_for(*option));
    for (const std::string& name : names_of(*option))
      options += (options.empty() ? "" : " ") + name;
  }
  for (const CLI::App* child : commands_of(command))
    commands += (commands.empty() ? "" : " ") + child->get_name();
  return fmt::format(
      "    '{}')\n      if [[ $word == -* ]]; then _slipfield_offer '{}'\n"
      "      else _slipfield_offer '{}'{}; fi ;;\n",
      path_of(command), options, commands, others);
}

}  // namespace

std::string bash_script(const CLI::App& program) {
  return case_script(program, {kBegin, kBashEnd, call_for, bash_words});
}

}  // namespace slipfield
