// SPDX-License-Identifier: Apache-2.0
// One map of a case file, read key by key.
//
// Every key asked for is known from then on; finish() refuses the rest. A reader returns nothing
// where the key is absent or its value is wrong; the error is then in the diagnostics, so readers
// continue and find the next one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/case/names.h"
#include "io/case/values.h"
#include "io/yaml/diagnostics.h"
#include "io/yaml/tree.h"

namespace slipfield {

enum class Presence { required, optional };

// A part of a section, such as a step that overrides some keys, is checked without its missing
// keys.
enum class Completeness { whole, part };

class CaseSection {
 public:
  // `place`: of the section's key, where missing keys are reported. The node outlives the section.
  // A node that is not a map is an error and reads as a part without keys.
  CaseSection(const YamlNode& node, const SourcePlace& place, std::string path,
              CaseDiagnostics& diagnostics, Completeness completeness = Completeness::whole);

  // The key is there, with whatever value.
  [[nodiscard]] bool has(std::string_view key) const { return node_->index_of(key).has_value(); }
  [[nodiscard]] bool is_whole() const { return completeness_ == Completeness::whole; }
  // False: the node is not a map, which has been reported.
  [[nodiscard]] bool is_map() const { return is_map_; }

  std::optional<double> number(std::string_view key, const NumberRange& range, Presence presence);
  std::optional<int> integer(std::string_view key, const IntegerRange& range, Presence presence);
  std::optional<std::int64_t> long_integer(std::string_view key, const IntegerRange& range,
                                           Presence presence);
  std::optional<bool> boolean(std::string_view key, Presence presence);  // true | false
  std::optional<std::string> text(std::string_view key, std::string_view accepted,
                                  Presence presence);
  // A list of exactly two numbers; `names`: "[dx, dy]".
  std::optional<std::array<double, 2>> number_pair(std::string_view key, const NumberRange& range,
                                                   std::string_view names, Presence presence);
  std::optional<std::array<int, 2>> integer_pair(std::string_view key, const IntegerRange& range,
                                                 std::string_view names, Presence presence);
  // A list of at least `least` numbers.
  std::optional<std::vector<double>> number_list(std::string_view key, const NumberRange& range,
                                                 std::size_t least, Presence presence);
  struct Columns {
    std::size_t count = 0;
    std::string_view noun;  // "range of slip velocity"
  };
  // A required list of rows, one after another, each with a number for each column.
  std::optional<std::vector<double>> number_rows(std::string_view key, const NumberRange& range,
                                                 const Columns& columns);
  // One of a table of words.
  template <typename Table>
  auto choice(std::string_view key, const Table& table, Presence presence)
      -> std::optional<decltype(table[0].value)>;
  // One of the words, as its index.
  std::optional<std::size_t> word(std::string_view key, const std::vector<std::string>& words,
                                  Presence presence);
  std::optional<CaseSection> section(std::string_view key, std::string_view accepted,
                                     Presence presence);
  // The value itself; nullptr: absent, or empty, which is an error.
  const YamlNode* value(std::string_view key, std::string_view accepted, Presence presence);

  // The word of a key of this section, or of one around it; what was assumed where it is not given.
  [[nodiscard]] std::optional<std::string_view> word_of(std::string_view key) const;
  // The word of this key is wrong and reported: conditions on it then count as unknown.
  void disregard(std::string_view key) { disregarded_.push_back(key); }
  // The value of a key that is not given, for this section and those within it.
  void assume(std::string_view key, std::string_view word) { assumed_.push_back({key, word}); }
  // A key that exists, even where nobody asks for it; and one that is judged by another rule, which
  // messages do not list among those that are accepted.
  void know(std::string_view key);
  void recognise(std::string_view key) { recognised_.push_back(key); }
  // Reports every key that is not known.
  void finish();

  // An error at a key (at the section where the key is absent), at the value of a key, at the
  // section.
  void error_at_key(std::string_view key, std::string_view problem, std::string_view accepted);
  void error_at_value(std::string_view key, std::string_view problem, std::string_view accepted);
  void warn_at_value(std::string_view key, std::string_view what);
  void error_here(std::string_view problem, std::string_view accepted);

  [[nodiscard]] std::string path_of(std::string_view key) const;
  [[nodiscard]] SourcePlace key_place(std::string_view key) const;
  [[nodiscard]] const SourcePlace& place() const { return place_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const YamlNode& node() const { return *node_; }
  [[nodiscard]] CaseDiagnostics& diagnostics() const { return *diagnostics_; }

 private:
  const YamlNode* node_;
  SourcePlace place_;
  std::string path_;
  CaseDiagnostics* diagnostics_;
  Completeness completeness_;
  bool is_map_ = true;
  struct Assumed {
    std::string_view key;
    std::string_view word;
  };
  std::vector<Assumed> assumed_;
  std::vector<std::string_view> disregarded_;
  std::vector<std::string_view> known_;  // asked for, in this order
  std::vector<std::string_view> recognised_;
};

template <typename Table>
auto CaseSection::choice(std::string_view key, const Table& table, Presence presence)
    -> std::optional<decltype(table[0].value)> {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.name);
  const auto index = word(key, names, presence);
  if (!index) return std::nullopt;
  return table[*index].value;
}

}  // namespace slipfield
