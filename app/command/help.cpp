// SPDX-License-Identifier: Apache-2.0
// slipfield help, and the text of --help.
#include "app/command/help.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <string_view>
#include <vector>

#include "app/command/commands.h"
#include "app/command/mistake.h"
#include "app/completion/scripts.h"
#include "app/console.h"
#include "app/report/shown_table.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr int kPipedColumns = 80;
constexpr int kFewestColumns = 40;
constexpr int kMostColumns = 100;  // longer lines are hard to read
constexpr std::size_t kEntryIndent = 26;

struct CommandGroup {
  const char* title;
  std::string_view commands;  // each between blanks
};
constexpr std::array kCommandGroups = {
    CommandGroup{"Cases", " new run life check convert surface geometry "},
    CommandGroup{"Results", " inspect interior wear plot export report merge compare "},
    CommandGroup{"Tables of creep forces", " table "},
    CommandGroup{"The program", " bench info schema completion manual help "},
};

// A name and what it means, in two columns.
std::string entry(const std::string& name, const std::string& meaning, std::size_t columns) {
  const std::size_t indent = std::min(kEntryIndent, columns / 3);
  std::string start = "  " + name;
  if (start.size() + 2 <= indent) {
    start.resize(indent, ' ');
    return wrapped(start, meaning, indent, columns);
  }
  return start + "\n" + wrapped(std::string(indent, ' '), meaning, indent, columns);
}

std::string joined_names(std::vector<std::string> names, const char* separator) {
  std::sort(names.begin(), names.end());
  return CLI::detail::join(names, separator);
}

// "-o, --output OUT.h5".
std::string heading_of(const CLI::Option& option) {
  if (option.get_positional()) return value_words(option);
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  const std::string words = takes_value(option) ? value_words(option) : "";
  return CLI::detail::join(names, ", ") + (words.empty() ? "" : " " + words);
}

std::string meaning_of(const CLI::Option& option) {
  std::string text = option.get_description();
  if (!option.get_default_str().empty()) text += "; default: " + option.get_default_str();
  std::vector<std::string> others;
  for (const CLI::Option* other : option.get_excludes()) others.push_back(other->get_name());
  if (!others.empty()) text += "; not with " + joined_names(std::move(others), " or ");
  return text;
}

std::string usage(const CLI::App& command) {
  std::string text = path_of(command);
  if (!commands_of(command).empty()) return text + " COMMAND [options]";
  for (const CLI::Option* option : command.get_options()) {
    std::string words = heading_of(*option);
    if (option->get_positional() && words.find(" | ") != std::string::npos)
      words = fmt::format("({})", words);
    if (!option->get_positional() && option->get_required())
      words = fmt::format("{} {}", names_of(*option).back(), value_words(*option));
    if (option->get_required()) text += fmt::format(" {}", words);
    if (option->get_positional() && !option->get_required()) text += fmt::format(" [{}]", words);
  }
  return text + " [options]";
}

// Groups in the order in which they were added; options without a group at the end.
std::string option_groups(const CLI::App& command, std::size_t columns) {
  struct Group {
    std::string title;
    std::string entries;
  };
  const std::string default_group = command.get_help_ptr()->get_group();
  std::vector<Group> groups;
  std::string others;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() || option->get_group().empty()) continue;
    if (option == command.get_help_ptr()) continue;
    const std::string text = entry(heading_of(*option), meaning_of(*option), columns);
    if (option->get_group() == default_group) {
      others += text;
      continue;
    }
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& each) { return each.title == option->get_group(); });
    if (group == groups.end()) group = groups.insert(group, {option->get_group(), ""});
    group->entries += text;
  }
  others +=
      entry(heading_of(*command.get_help_ptr()), meaning_of(*command.get_help_ptr()), columns);
  std::string text;
  for (const Group& group : groups) text += "\n" + group.title + ":\n" + group.entries;
  return text + (groups.empty() ? "\nOptions:\n" : "\nOther options:\n") + others;
}

std::string command_list(const CLI::App& command, std::size_t columns) {
  std::string text;
  std::string title;
  for (const CLI::App* child : commands_of(command)) {
    const bool named = command.get_parent() == nullptr;
    const std::string group = named ? child->get_group() : "Commands";
    if (group != title) text += "\n" + group + ":\n";
    title = group;
    text += entry(child->get_name(), child->get_description(), columns);
  }
  return text;
}

// Copies lines that begin with two blanks; joins others to paragraphs, which end before "Exit
// codes:" and headings.
std::string footer_text(const std::string& footer, std::size_t columns) {
  std::string text;
  std::string paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) text += "\n" + wrapped("", paragraph, 0, columns);
    paragraph.clear();
  };
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) {
    const bool example = line.starts_with("  ");
    const bool heading = line.ends_with(':') && line.find(' ') == std::string::npos;
    if (example || heading || line.starts_with("Exit codes:")) end_paragraph();
    if (heading) text += "\n" + line + "\n";
    if (example) text += line + "\n";
    if (!example && !heading) paragraph += line + " ";
  }
  end_paragraph();
  return text;
}

}  // namespace

std::string help_text(const CLI::App& command, int columns) {
  const auto width = static_cast<std::size_t>(std::clamp(columns, kFewestColumns, kMostColumns));
  std::string text = wrapped("Usage: ", usage(command), 9, width);
  text += "\n" + wrapped("", command.get_description(), 0, width);
  std::string positionals;
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional())
      positionals += entry(heading_of(*option), meaning_of(*option), width);
  if (!positionals.empty()) text += "\n" + positionals;
  text += command_list(command, width);
  text += option_groups(command, width);
  // A subcommand has no footer of its own but inherits the program's.
  const bool own = command.get_parent() == nullptr || command.get_parent()->get_parent() == nullptr;
  return own ? text + footer_text(command.get_footer(), width) : text;
}

void print_help(const CLI::App& command) {
  std::string text = help_text(command, terminal_columns(kPipedColumns));
  text.pop_back();
  print_line(text);
}

void use_help_text(CLI::App& program) {
  program.set_help_flag("-h,--help", "Print this help and exit");
  program.formatter_fn([](const CLI::App* command, const std::string&, CLI::AppFormatMode) {
    return help_text(*command, terminal_columns(kPipedColumns));
  });
}

void group_commands(CLI::App& program) {
  for (const CommandGroup& group : kCommandGroups)
    for (CLI::App* command : program.get_subcommands([](CLI::App*) { return true; }))
      if (group.commands.find(" " + command->get_name() + " ") != std::string_view::npos)
        command->group(group.title);
}

void add_help_command(CLI::App& program, Action& action) {
  const auto names = std::make_shared<std::vector<std::string>>();
  CLI::App* command = program.add_subcommand("help", "Explain a command and give examples of it");
  command->add_option("command", *names, "The command; without one those that there are")
      ->type_name("COMMAND");
  command->footer(
      "Examples:\n"
      "  slipfield help run\n"
      "  slipfield help table make\n"
      "Exit codes: 0 done; 2 there is no such command.");
  command->callback([names, &program, &action] {
    action = [names, &program] {
      print_help(command_named(program, *names));
      return static_cast<int>(ExitCode::done);
    };
  });
}

}  // namespace slipfield
