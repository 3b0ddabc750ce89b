// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string_view>

#include "app/completion/scripts.h"

namespace slipfield {
namespace {

constexpr std::array<std::string_view, 18> kEndings = {"yaml", "h5",  "png", "svg",  "csv", "tex",
                                                       "html", "inp", "bin", "json", "pdf", "gif",
                                                       "mp4",  "txt", "xyz", "npy",  "mat", "x3p"};

}  // namespace

Commands commands_of(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

Commands tree_of(const CLI::App& command) {
  Commands all{&command};
  for (const CLI::App* child : commands_of(command)) {
    const Commands below = tree_of(*child);
    all.insert(all.end(), below.begin(), below.end());
  }
  return all;
}

std::string path_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return (parent == nullptr ? "" : path_of(*parent) + " ") + command.get_name();
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  return names;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() != 0; }

Offer offer_for(const CLI::Option& option) {
  Offer offer;
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{');
  const std::size_t end = type.find('}', begin);
  if (end != std::string::npos) {
    offer.words = CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
    return offer;
  }
  for (const std::string_view ending : kEndings)
    if (type.find(ending) != std::string::npos) offer.endings.emplace_back(ending);
  return offer;
}

std::string value_words(const CLI::Option& option) {
  if (const std::vector<std::string> words = offer_for(option).words; !words.empty())
    return CLI::detail::join(words, "|");
  // If no form was given, CLI11 names the type, "INT" or "INT:INT in [1 - 100]".
  const std::string type = option.get_type_name();
  for (const std::string_view number : {"INT", "UINT", "FLOAT"})
    if (type == number || type.starts_with(std::string(number) + ":")) return "N";
  return type.substr(0, type.find(":INT in ["));
}

std::string quoted(const std::string& text, const std::string& escape) {
  std::string result = "'";
  for (const char letter : text) {
    if (letter == '\'')
      result += escape;
    else
      result += letter == '\n' ? ' ' : letter;
  }
  return result + "'";
}

}  // namespace slipfield
