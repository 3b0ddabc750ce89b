// SPDX-License-Identifier: Apache-2.0
#include "io/case/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "io/case/sections.h"
#include "io/case/table.h"
#include "solver/combinations.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr std::string_view kOfWheel = " with wheel_rail";

// The rows of one heading: those of a contact, then what a wheel on a rail adds.
struct Heading {
  std::string name;
  std::vector<KeyRow> rows;
};

class Headings {
 public:
  Headings() {
    for (const bool wheel : {false, true})
      for (const bool sweep : {true, false}) add(case_table(wheel, sweep));
  }
  [[nodiscard]] const std::vector<Heading>& all() const { return headings_; }
  [[nodiscard]] std::vector<const KeyTable*> tables() const { return {seen_.begin(), seen_.end()}; }

 private:
  void add(const KeyTable& table) {
    if (!seen_.insert(&table).second) return;
    std::string name(table.heading);
    if (name.ends_with(kOfWheel)) name.resize(name.size() - kOfWheel.size());
    std::size_t index = 0;
    while (index < headings_.size() && headings_[index].name != name) ++index;
    if (index == headings_.size()) headings_.push_back({name, {}});
    for (const KeyRow& row : table.rows) {
      const auto& rows = headings_[index].rows;
      const bool known = std::any_of(rows.begin(), rows.end(),
                                     [&](const KeyRow& other) { return other.name == row.name; });
      if (!row.refused && !known) headings_[index].rows.push_back(row);
    }
    for (const KeyRow& row : table.rows) {
      if (row.map != nullptr) add(row.map());
      if (row.variants != nullptr)
        for (const KeyTable* variant : row.variants()) add(*variant);
    }
  }

  std::vector<Heading> headings_;
  std::set<const KeyTable*> seen_;
};

const Headings& all_headings() {
  static const Headings all;
  return all;
}
const std::vector<Heading>& headings() { return all_headings().all(); }

// Rows in succession that say the same share a line.
std::string table_text(const Heading& heading) {
  std::string text = "| key | value | default |\n| --- | --- | --- |\n";
  const auto& rows = heading.rows;
  for (std::size_t i = 0; i < rows.size();) {
    std::string keys = fmt::format("`{}`", rows[i].name);
    std::size_t next = i + 1;
    for (; next < rows.size() && rows[next].meaning == rows[i].meaning &&
           rows[next].otherwise == rows[i].otherwise && rows[i].meaning != "likewise";
         ++next)
      keys += fmt::format(", `{}`", rows[next].name);
    text += fmt::format("| {} | {} | {}{}|\n", keys, rows[i].meaning, rows[i].otherwise,
                        rows[i].otherwise.empty() ? "" : " ");
    i = next;
  }
  return text;
}

// It has every row of the shorter one, with the same meaning.
bool explains(const Heading& heading, const Heading& shorter) {
  return heading.rows.size() > shorter.rows.size() &&
         std::all_of(shorter.rows.begin(), shorter.rows.end(), [&](const KeyRow& row) {
           return std::any_of(heading.rows.begin(), heading.rows.end(), [&](const KeyRow& other) {
             return other.name == row.name && other.meaning == row.meaning;
           });
         });
}

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : "; ") + name;
  return list;
}

std::string combination_table() {
  std::string text = "| asked for | does not go with | is not computed on |\n| --- | --- | --- |\n";
  for (const CombinationLine& line : combination_lines())
    text += fmt::format("| {} | {} | {} |\n", line.feature, list_of(line.not_with),
                        list_of(line.not_on));
  return text;
}

// The table that a marker names: "keys: HEADING" or "combinations".
std::string table_of(const std::string& marker) {
  constexpr std::string_view kKeys = "keys: ";
  if (marker == "combinations") return combination_table();
  const auto found = std::find_if(headings().begin(), headings().end(), [&](const Heading& each) {
    return marker == std::string(kKeys) + each.name;
  });
  if (found == headings().end()) throw InputError(fmt::format("there is no table {}", marker));
  return table_text(*found);
}

}  // namespace

std::vector<const KeyTable*> all_key_tables() { return all_headings().tables(); }

std::vector<std::string> key_table_headings() {
  std::vector<std::string> names;
  const auto& all = headings();
  for (const Heading& heading : all)
    if (std::none_of(all.begin(), all.end(),
                     [&](const Heading& other) { return explains(other, heading); }))
      names.push_back(heading.name);
  return names;
}

std::string fuzz_dictionary() {
  std::set<std::string> words;
  for (const KeyTable* table : all_key_tables())
    for (const KeyRow& row : table->rows) {
      words.insert(std::string(row.name) + ":");
      for (const KeyForm& form : row.forms) words.insert(form.words.begin(), form.words.end());
    }
  std::string text =
      "# Keys and words of the case file, for libFuzzer (-dict); made from its tables.\n";
  for (const std::string& word : words) text += fmt::format("\"{}\"\n", word);
  return text;
}

std::string with_tables(const std::string& page) {
  constexpr std::string_view kBegin = "<!-- table ";
  constexpr std::string_view kClose = " -->\n";
  constexpr std::string_view kEnd = "<!-- end -->";
  std::string text;
  std::size_t at = 0;
  for (std::size_t begin = page.find(kBegin); begin != std::string::npos;
       begin = page.find(kBegin, at)) {
    const std::size_t close = page.find(kClose, begin);
    const std::size_t end = page.find(kEnd, begin);
    if (close == std::string::npos || end == std::string::npos)
      throw InputError("a table in the page does not end");
    const std::string marker = page.substr(begin + kBegin.size(), close - begin - kBegin.size());
    text += page.substr(at, close + kClose.size() - at) + table_of(marker);
    at = end;
  }
  return text + page.substr(at);
}

}  // namespace slipfield
