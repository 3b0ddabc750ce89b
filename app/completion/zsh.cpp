// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "app/completion/scripts.h"

namespace slipfield {
namespace {

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

}  // namespace

std::string zsh_script(const CLI::App& program) {
  return case_script(program, {kZshBegin, kZshEnd, zsh_call, zsh_words});
}

}  // namespace slipfield
