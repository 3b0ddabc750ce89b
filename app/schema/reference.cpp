// SPDX-License-Identifier: Apache-2.0
#include "app/schema/reference.h"

#include <array>
#include <map>
#include <regex>
#include <sstream>
#include <utility>
#include <vector>

#include "app/schema/case_page.h"

namespace slipfield {
namespace {

using Section = std::map<std::string, KeyReference, std::less<>>;
using Page = std::vector<std::pair<std::string, Section>>;

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(' ');
  const auto end = text.find_last_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

// The text without links and quotes: "[THEORY.md](...)" is "THEORY.md".
std::string plain(const std::string& text) {
  static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
  std::string result = std::regex_replace(text, link, "$1");
  std::erase(result, '`');
  return trimmed(result);
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line.substr(1));
  for (std::string cell; std::getline(stream, cell, '|');) cells.push_back(trimmed(cell));
  return cells;
}

// Sections whose heading is followed by a table of keys.
Page read_page() {
  Page page;
  std::istringstream stream(kCasePage);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("## ")) page.push_back({line.substr(3), {}});
    if (page.empty() || !line.starts_with("| `")) continue;
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() < 2) continue;
    const KeyReference reference{plain(cells[1]), cells.size() > 2 ? plain(cells[2]) : ""};
    std::istringstream keys(plain(cells[0]));  // "xx, xy, yy"
    for (std::string key; std::getline(keys, key, ',');)
      page.back().second.try_emplace(trimmed(key), reference);
  }
  return page;
}

// As the page has it: the same keys are described once.
std::string name_on_page(std::string_view section) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kSame{{
      {"bodies.lower", "bodies.upper"},
      {"bodies.rail", "bodies.upper"},
      {"bodies.wheel", "bodies.upper"},
      {"heat.lower", "heat.upper"},
      {"heat.rail", "heat.upper"},
      {"heat.wheel", "heat.upper"},
      {"wheel_rail.rail", "wheel_rail.wheel"},
      {"wheel_rail.rail.left", "wheel_rail.wheel"},
      {"wheel_rail.rail.right", "wheel_rail.wheel"},
      {"wheel_rail.wheel.left", "wheel_rail.wheel"},
      {"wheel_rail.wheel.right", "wheel_rail.wheel"},
      {"sweep.*.together", "sweep"},
  }};
  std::string name(section);
  if (name.empty()) return "root";
  if (name.starts_with("steps.*.")) name = name.substr(8);
  if (name.ends_with(".*")) name.resize(name.size() - 2);
  for (const auto& [own, other] : kSame)
    if (name == own) return std::string(other);
  return name;
}

}  // namespace

const KeyReference* find_reference(std::string_view section, std::string_view key,
                                   std::string_view word) {
  static const Page page = read_page();
  const std::string name = name_on_page(section);
  const KeyReference* found = nullptr;
  for (const auto& [heading, keys] : page) {
    const bool part = heading.starts_with(name + ": ");
    if (heading != name && !part) continue;
    const auto row = keys.find(key);
    if (row == keys.end()) continue;
    // "tangential: rolling" is of steady_rolling, "geometry: planform" of any if nothing is nearer.
    if (!part || (!word.empty() && word.find(heading.substr(name.size() + 2)) != std::string::npos))
      return &row->second;
    if (found == nullptr) found = &row->second;
  }
  return found;
}

}  // namespace slipfield
