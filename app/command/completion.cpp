// slipfield completion: a script for the shell, made from the command line's own description.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <string_view>

#include "app/command/commands.h"
#include "app/console.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr std::array<std::string_view, 7> kEndings = {"yaml", "h5",  "png", "svg",
                                                      "csv",  "tex", "html"};

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
constexpr std::string_view kEnd = R"(  esac
}
complete -o filenames -F _slipfield slipfield
)";

using Commands = std::vector<const CLI::App*>;

Commands commands_of(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

std::string path_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return (parent == nullptr ? "" : path_of(*parent) + " ") + command.get_name();
}

// The command and all below it.
Commands tree_of(const CLI::App& command) {
  Commands all{&command};
  for (const CLI::App* child : commands_of(command)) {
    const Commands below = tree_of(*child);
    all.insert(all.end(), below.begin(), below.end());
  }
  return all;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  return names;
}

// The words that an option takes: "TEXT:{auto,cpu,cuda}"; empty where it takes others.
std::string words_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{');
  const std::size_t end = type.find('}', begin);
  if (end == std::string::npos) return "";
  std::string words = type.substr(begin + 1, end - begin - 1);
  std::replace(words.begin(), words.end(), ',', ' ');
  return words;
}

// What completes a value: words, files by the endings that the type names, or nothing.
std::string offer_for(const CLI::Option& option) {
  if (const std::string words = words_of(option); !words.empty())
    return fmt::format("_slipfield_offer '{}'", words);
  std::string endings;
  for (const std::string_view ending : kEndings)
    if (option.get_type_name().find(ending) != std::string::npos)
      endings += fmt::format(" {}", ending);
  return endings.empty() ? ":" : "_slipfield_files" + endings;
}

// The values of the command's options, by the word before.
std::string values_of(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() || option->get_type_size() == 0) continue;
    std::string words;
    for (const std::string& name : names_of(*option))
      words += fmt::format("{}'{} {}'", words.empty() ? "" : "|", path_of(command), name);
    text += fmt::format("    {}) {}; return ;;\n", words, offer_for(*option));
  }
  return text;
}

// The options, or what has no dash.
std::string words_of(const CLI::App& command) {
  std::string options;
  std::string others;
  std::string commands;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) others += "; " + offer_for(*option);
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

std::string bash_script(const CLI::App& program) {
  const Commands all = tree_of(program);
  std::string script(kBegin);
  for (const CLI::App* command : all)
    if (command != &program)
      script += fmt::format("      '{}') command='{}' ;;\n", path_of(*command), path_of(*command));
  script += "    esac\n  done\n  case \"$command $before\" in\n";
  for (const CLI::App* command : all) script += values_of(*command);
  script += "  esac\n  case $command in\n";
  for (const CLI::App* command : all) script += words_of(*command);
  return script + std::string(kEnd);
}

}  // namespace

void add_completion_command(CLI::App& program, Action& action) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* command =
      program.add_subcommand("completion", "Print a script that completes commands in the shell");
  command->add_option("shell", *shell, "The shell")->required()->check(CLI::IsMember({"bash"}));
  command->footer(
      "Examples:\n"
      "  source <(slipfield completion bash)                       # for this shell\n"
      "  slipfield completion bash > ~/.local/share/bash-completion/completions/slipfield\n"
      "Exit codes: 0 done; 2 the command line is wrong.");
  command->callback([shell, &program, &action] {
    action = [shell, &program] {
      std::string script = bash_script(program);
      script.pop_back();
      print_line(script);
      return static_cast<int>(ExitCode::done);
    };
  });
}

}  // namespace slipfield
