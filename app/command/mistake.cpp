// SPDX-License-Identifier: Apache-2.0
#include "app/command/mistake.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>
#include <vector>

#include "app/completion/scripts.h"
#include "io/yaml/suggestion.h"
#include "solver/error.h"

namespace slipfield {
namespace {

// The program, the command, and its subcommand, such as `table` and `make`.
std::vector<const CLI::App*> commands_given(const CLI::App& program) {
  std::vector<const CLI::App*> commands = {&program};
  while (!commands.back()->get_subcommands().empty())
    commands.push_back(commands.back()->get_subcommands().front());
  return commands;
}

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::string with_help(const std::string& sentence, const std::vector<const CLI::App*>& commands) {
  std::string path;
  for (std::size_t i = 1; i < commands.size(); ++i) path += commands[i]->get_name() + " ";
  return fmt::format("{} (see slipfield {}--help)", sentence, path);
}

std::string unknown_command(const CLI::App& app, const std::string& parents,
                            const std::string& given) {
  const std::vector<std::string> names = names_of_commands(app);
  const std::vector<std::string_view> words(names.begin(), names.end());
  return fmt::format("there is no command \"{}{}\"; {}", parents, given,
                     accepted_words(given, words));
}

std::string unknown_option(const CLI::App& command, const std::string& given) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options([](const CLI::Option*) { return true; }))
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const bool of_output = given == "-o" || given.starts_with("--output");
  if (of_output && command.get_option_no_throw("output") != nullptr) {  // a positional one
    std::string form = command.get_name();
    for (const CLI::Option* option : command.get_options())
      if (option->get_positional()) form += " " + value_words(*option);
    return fmt::format("there is no option \"{}\"; accepted: {}", given, form);
  }
  const std::vector<std::string_view> words(names.begin(), names.end());
  const auto nearest = nearest_word(given.substr(0, given.find('=')), words);
  return fmt::format("there is no option \"{}\"{}", given,
                     nearest ? fmt::format("; did you mean '{}'?", *nearest) : "");
}

// The unparsed rest of the command line, in order.
std::string left_over(const CLI::App& command) {
  const std::vector<std::string> extra = command.remaining();
  const auto option = std::find_if(extra.begin(), extra.end(), [](const std::string& text) {
    return text.size() > 1 && text.front() == '-';
  });
  if (option != extra.end()) return unknown_option(command, *option);
  return extra.empty() ? "" : fmt::format("\"{}\" is one argument too many", extra.front());
}

// "0.100000" or "1e-06" in the form that a person would write.
std::string short_number(std::string text) {
  if (text.find('e') != std::string::npos) text = fmt::format("{:.12f}", std::stod(text));
  if (text.find('.') == std::string::npos) return text;
  const std::size_t last = text.find_last_not_of('0');
  return text.substr(0, text[last] == '.' ? last : last + 1);
}

// Converts "Value 0 not in range 1 to 4096" (CLI11 2.3, 2.4: "[1 - 4096]") and "gpu not in
// {auto,cpu,cuda}"; other texts are already ours.
std::string refused_value(const std::string& reason) {
  constexpr std::string_view kValue = "Value ";
  constexpr std::string_view kRange = " not in range ";
  constexpr std::string_view kSet = " not in {";
  if (const std::size_t at = reason.rfind(kRange);
      reason.starts_with(kValue) && at != std::string::npos) {
    std::string range = reason.substr(at + kRange.size());
    const bool in_brackets = range.starts_with('[') && range.ends_with(']');
    if (in_brackets) range = range.substr(1, range.size() - 2);
    const std::string_view between = in_brackets ? " - " : " to ";
    const std::size_t to = range.find(between);
    if (to == std::string::npos) return reason;
    return fmt::format(
        "\"{}\" is not a number from {} to {}", reason.substr(kValue.size(), at - kValue.size()),
        short_number(range.substr(0, to)), short_number(range.substr(to + between.size())));
  }
  const std::size_t at = reason.rfind(kSet);
  if (at == std::string::npos || !reason.ends_with('}')) return reason;
  const std::string value = reason.substr(0, at);
  const std::string_view set =
      std::string_view(reason).substr(at + kSet.size(), reason.size() - at - kSet.size() - 1);
  std::string words(set);
  for (std::size_t comma = 0; (comma = words.find(',', comma)) != std::string::npos; comma += 2)
    words.replace(comma, 1, ", ");
  return fmt::format("\"{}\" is not known; accepted: {}", value, words);
}

// The form of an option's value, as the help shows it.
std::string form_of(const CLI::App& command, const std::string& name) {
  const CLI::Option* option = command.get_option_no_throw(name);
  return option == nullptr ? "a value" : value_words(*option);
}

std::string not_converted(const CLI::App& command, const std::string& what) {
  constexpr std::string_view kStart = "Could not convert: ";
  const std::size_t equals = what.find(" = ");
  if (!what.starts_with(kStart) || equals == std::string::npos) return what;
  const std::string name = what.substr(kStart.size(), equals - kStart.size());
  const std::string form = form_of(command, name);
  const std::string_view wanted = form.find('|') != std::string::npos   ? ""
                                  : form.find(',') != std::string::npos ? "numbers "
                                                                        : "a number ";
  return fmt::format("{}: \"{}\" is not understood; accepted: {}{}", name, what.substr(equals + 3),
                     wanted, form);
}

// "--at: At least 2 required but received 1", "--set: 1 required key.path=value missing".
std::string wrong_count(const CLI::App& command, const std::string& what) {
  const std::size_t colon = what.find(": ");
  if (colon == std::string::npos) return what;
  const std::string name = what.substr(0, colon);
  const std::string form = form_of(command, name);
  if (what.ends_with(" missing")) return fmt::format("{}: has no value; accepted: {}", name, form);
  const bool most = what.find("At Most ") != std::string::npos;
  const std::size_t received = what.rfind(' ');
  const std::size_t number = what.find(most ? "Most " : "least ", colon) + (most ? 5 : 6);
  const std::string given = what.substr(received + 1);
  return fmt::format("{}: {} {} given; accepted: {} {}, {}", name, given,
                     given == "1" ? "value" : "values", most ? "at most" : "at least",
                     what.substr(number, what.find(' ', number) - number), form);
}

// "case is required", "--output is required".
std::string missing_option(const CLI::App& command, const std::string& what) {
  constexpr std::string_view kEnd = " is required";
  if (!what.ends_with(kEnd)) return what;
  const std::string name = what.substr(0, what.size() - kEnd.size());
  const CLI::Option* option = command.get_option_no_throw(name);
  if (option == nullptr) return what;
  const std::string words = value_words(*option);
  return fmt::format("{} is missing", option->get_positional() ? words : name + " " + words);
}

std::string sentence_of(const CLI::App& command, const CLI::ParseError& error) {
  std::string what = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    const std::string extra = left_over(command);  // a misspelt option, perhaps the missing one
    return extra.empty() ? missing_option(command, what) : extra;
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr)
    if (const std::size_t at = what.find(" excludes "); at != std::string::npos)
      return fmt::format("{} and {} exclude each other; accepted: one of them", what.substr(0, at),
                         what.substr(at + 10));
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::string extra = left_over(command);
    return extra.empty() ? what : extra;
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr)
    return not_converted(command, what);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    return wrong_count(command, what);
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr)
    if (const std::size_t colon = what.find(": "); colon != std::string::npos)
      return what.substr(0, colon + 2) + refused_value(what.substr(colon + 2));
  return what;
}

}  // namespace

std::string command_line_mistake(const CLI::App& program, const CLI::ParseError& error,
                                 const std::string& first) {
  const std::vector<const CLI::App*> commands = commands_given(program);
  const CLI::App& command = *commands.back();
  if (commands.size() == 1) {
    std::string sentence = fmt::format("there is no option \"{}\" before a command", first);
    if (!first.empty() && first.front() != '-') sentence = unknown_command(program, "", first);
    return with_help(sentence, commands);
  }
  if (!names_of_commands(command).empty() && command.get_subcommands().empty()) {
    const std::vector<std::string> extra = command.remaining();
    if (!extra.empty() && !extra.front().starts_with('-'))
      return with_help(unknown_command(command, command.get_name() + " ", extra.front()), commands);
    if (extra.empty())
      return with_help(fmt::format("{} needs a command; accepted: {}", command.get_name(),
                                   CLI::detail::join(names_of_commands(command), ", ")),
                       commands);
  }
  return with_help(sentence_of(command, error), commands);
}

const CLI::App& command_named(const CLI::App& program, const std::vector<std::string>& names) {
  const CLI::App* command = &program;
  std::string parents;
  for (const std::string& name : names) {
    const Commands below = commands_of(*command);
    const auto found = std::find_if(below.begin(), below.end(), [&](const CLI::App* child) {
      return child->get_name() == name;
    });
    if (found == below.end() && below.empty())
      throw InputError(fmt::format("\"{}\" is one argument too many: {} has no commands", name,
                                   command->get_name()));
    if (found == below.end()) throw InputError(unknown_command(*command, parents, name));
    command = *found;
    parents += name + " ";
  }
  return *command;
}

std::string empty_argument(const CLI::App& program) {
  const std::vector<const CLI::App*> commands = commands_given(program);
  for (const CLI::App* command : commands)
    for (const CLI::Option* option :
         command->get_options([](const CLI::Option*) { return true; })) {
      if (option->count() == 0 || option->get_items_expected_max() == 0) continue;
      const std::vector<std::string> values = option->results();
      if (std::any_of(values.begin(), values.end(), [](const std::string& value) {
            return value.find_first_not_of(" \t\r\n") == std::string::npos;
          }))
        return with_help(
            fmt::format("{}: is empty; accepted: {}",
                        option->get_positional() ? value_words(*option) : option->get_name(),
                        value_words(*option)),
            commands);
    }
  return "";
}

}  // namespace slipfield
