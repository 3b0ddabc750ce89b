// SPDX-License-Identifier: Apache-2.0
// slipfield completion: a script for the shell; slipfield manual: manual pages. Both are made from
// the command line's description.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <memory>

#include "app/command/commands.h"
#include "app/command/help.h"
#include "app/command/mistake.h"
#include "app/completion/scripts.h"
#include "app/console.h"
#include "solver/error.h"

namespace slipfield {
namespace {

int write_pages(const CLI::App& program, const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  Commands pages = commands_of(program);
  pages.push_back(&program);
  for (const CLI::App* command : pages) {
    const std::filesystem::path path = folder / (manual_name(*command) + ".1");
    std::ofstream file(path);
    file << manual_page(*command);
    file.close();
    if (!file) throw Error(path.string() + ": the page could not be written");
  }
  return static_cast<int>(ExitCode::done);
}

}  // namespace

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

void add_manual_command(CLI::App& program, Action& action) {
  const auto name = std::make_shared<std::string>();
  const auto folder = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand("manual", "Print the manual page of a command");
  command->add_option("command", *name, "The command; without one the page of slipfield itself")
      ->type_name("COMMAND");
  command->add_option("--folder", *folder, "Write the pages of all commands into this folder")
      ->type_name("FOLDER");
  command->footer(
      "Examples:\n"
      "  slipfield manual run | man -l -\n"
      "  slipfield manual --folder ~/.local/share/man/man1\n"
      "Installed packages have these pages: man slipfield, man slipfield-run.\n"
      "Exit codes: 0 done; 2 there is no such command; 3 a page could not be written.");
  command->callback([name, folder, &program, &action] {
    action = [name, folder, &program] {
      if (!folder->empty()) return write_pages(program, *folder);
      const std::vector<std::string> names(name->empty() ? 0 : 1, *name);
      std::string page = manual_page(command_named(program, names));
      page.pop_back();
      print_line(page);
      return static_cast<int>(ExitCode::done);
    };
  });
}

}  // namespace slipfield
