// SPDX-License-Identifier: Apache-2.0
// slipfield completion: a script for the shell, made from the command line's description.
#include <CLI/CLI.hpp>
#include <memory>

#include "app/command/commands.h"
#include "app/completion/scripts.h"
#include "app/console.h"
#include "solver/error.h"

namespace slipfield {

void add_completion_command(CLI::App& program, Action& action) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* command =
      program.add_subcommand("completion", "Print a script that completes commands in the shell");
  command->add_option("shell", *shell, "The shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->footer(
      "Examples:\n"
      "  source <(slipfield completion bash)  # for this shell, or zsh\n"
      "  slipfield completion bash >~/.bash_slipfield  # a file that .bashrc sources\n"
      "  slipfield completion zsh > ~/.zfunc/_slipfield            # a folder of $fpath\n"
      "  slipfield completion fish > ~/.config/fish/completions/slipfield.fish\n"
      "Exit codes: 0 done; 2 the command line is wrong.");
  command->callback([shell, &program, &action] {
    action = [shell, &program] {
      std::string script = bash_script(program);
      if (*shell == "zsh") script = zsh_script(program);
      if (*shell == "fish") script = fish_script(program);
      script.pop_back();
      print_line(script);
      return static_cast<int>(ExitCode::done);
    };
  });
}

}  // namespace slipfield
