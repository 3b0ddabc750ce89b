// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "app/completion/scripts.h"

namespace slipfield {
namespace {

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

// What follows -a; empty where nothing completes the value.
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
