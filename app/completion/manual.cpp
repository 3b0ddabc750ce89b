// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

#include "app/completion/scripts.h"
#include "io/provenance.h"

namespace slipfield {
namespace {

// Escapes text for roff: a dash stays one that can be copied.
std::string roff(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '\\')
      result += "\\e";
    else if (letter == '-')
      result += "\\-";
    else
      result += letter == '\n' ? ' ' : letter;
  }
  const bool request = !result.empty() && (result.front() == '.' || result.front() == '\'');
  return (request ? "\\&" : "") + result;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string slanted(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

std::string page_heading(std::string_view name) { return fmt::format(".SH {}\n", name); }

std::string option_entry(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : names_of(option)) names.push_back(bold(name));
  std::string head = option.get_positional() ? slanted(option.get_name())
                                             : fmt::format("{}", fmt::join(names, ", "));
  if (const std::string words = value_words(option); !words.empty()) head += " " + slanted(words);
  std::string text = roff(option.get_description());
  if (!option.get_default_str().empty())
    text += " (default: " + roff(option.get_default_str()) + ")";
  if (option.get_required()) text += " (required)";
  return fmt::format(".TP\n{}\n{}\n", head, text);
}

std::string option_list(const CLI::App& command, bool positional) {
  std::string text;
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional() == positional && !option->get_group().empty())
      text += option_entry(*option);
  return text;
}

// The command's description without its name: "Slipfield: frictional contact ...".
std::string summary(const CLI::App& command) {
  const std::string text = command.get_description();
  const std::size_t colon = command.get_parent() == nullptr ? text.find(": ") : std::string::npos;
  return roff(colon == std::string::npos ? text : text.substr(colon + 2));
}

std::string synopsis(const CLI::App& command) {
  std::string line = bold(path_of(command));
  if (!commands_of(command).empty()) return line + " " + slanted("COMMAND") + " [OPTIONS]\n";
  line += " [OPTIONS]";
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name =
        slanted(option->get_name()) + (option->get_expected_max() > 1 ? " ..." : "");
    line += option->get_required() ? " " + name : " [" + name + "]";
  }
  return line + "\n";
}

// The text after the options in the help: examples, remarks, exit codes.
class Footer {
 public:
  explicit Footer(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) take(line);
  }
  [[nodiscard]] std::string sections() const {
    std::string text;
    if (!remarks_.empty()) text += page_heading("NOTES") + remarks_;
    if (!exit_.empty()) text += page_heading("EXIT STATUS") + exit_;
    if (!examples_.empty()) text += page_heading("EXAMPLES") + ".nf\n" + examples_ + ".fi\n";
    return text;
  }

 private:
  void take(const std::string& line) {
    constexpr std::string_view kExit = "Exit codes: ";
    if (line == "Examples:") return;
    if (line.starts_with("  "))
      examples_ += roff(std::string_view(line).substr(2)) + "\n";
    else if (line.starts_with(kExit))
      exit_ += roff(std::string_view(line).substr(kExit.size())) + "\n";
    else
      (exit_.empty() ? remarks_ : exit_) += roff(line) + "\n";
  }

  std::string examples_;
  std::string remarks_;
  std::string exit_;
};

// A subcommand within the page of its command.
std::string subcommand(const CLI::App& command) {
  return fmt::format(".SS {}\n{}.PP\n{}\n{}{}", roff(path_of(command)), synopsis(command),
                     roff(command.get_description()), option_list(command, true),
                     option_list(command, false));
}

}  // namespace

std::string manual_name(const CLI::App& command) {
  std::string name = path_of(command);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string manual_page(const CLI::App& command) {
  std::string title = manual_name(command);
  std::transform(title.begin(), title.end(), title.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  std::string page =
      fmt::format(".TH {} 1 \"\" \"Slipfield {}\" \"User Commands\"\n{}{} \\- {}\n{}{}", title,
                  build_info().version, page_heading("NAME"), manual_name(command),
                  summary(command), page_heading("SYNOPSIS"), synopsis(command));
  const bool whole = command.get_parent() == nullptr;
  if (const std::string list = option_list(command, true); !list.empty())
    page += page_heading("ARGUMENTS") + list;
  page += page_heading("OPTIONS") + option_list(command, false);
  if (!commands_of(command).empty()) page += page_heading("COMMANDS");
  for (const CLI::App* child : commands_of(command))
    page += whole ? fmt::format(".TP\n{}(1)\n{}\n", bold(manual_name(*child)),
                                roff(child->get_description()))
                  : subcommand(*child);
  page += Footer(command.get_footer()).sections();
  return page + page_heading("SEE ALSO") + (whole ? "" : bold("slipfield") + "(1),\n") +
         "case keys and results: /usr/share/doc/slipfield/io, also as \\fBslipfield schema\\fR.\n";
}

}  // namespace slipfield
