// SPDX-License-Identifier: Apache-2.0
// One map of a case file, read key by key.
//
// Every key asked for is known from then on; finish() refuses the rest. A reader returns nothing
// where the key is absent or its value is wrong; the error, with the value's place, is then in the
// diagnostics, so readers continue and find the next one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/case/names.h"
#include "io/yaml/diagnostics.h"
#include "io/yaml/tree.h"
#include "solver/problem_limits.h"

namespace slipfield {

enum class Presence { required, optional };

// A part of a section, such as a step that overrides some keys, is checked without its missing
// keys.
enum class Completeness { whole, part };

// "has no value", "is a list", "is a map", or the quoted scalar.
std::string describe_node(const YamlNode& node);
// "accepted: free, periodic".
std::string accepted_list(const std::vector<std::string>& words);

// A value of the case, and where it is. What it is read as is nothing where it is something else.
struct CaseValue {
  const YamlNode& node;
  std::string path;
  CaseDiagnostics& diagnostics;

  [[nodiscard]] std::optional<double> number(const NumberRange& range) const;
  [[nodiscard]] std::optional<std::int64_t> integer(const IntegerRange& range) const;
  [[nodiscard]] std::optional<bool> boolean() const;  // true | false
  // One line.
  [[nodiscard]] std::optional<std::string> text(std::string_view accepted) const;
  // One of the words, as its index.
  [[nodiscard]] std::optional<std::size_t> word(const std::vector<std::string>& words) const;
  [[nodiscard]] bool is_list() const { return node.kind == YamlNode::Kind::sequence; }
  // The members of a list of `least` to `most`.
  [[nodiscard]] std::optional<std::vector<CaseValue>> items(
      std::string_view accepted, std::size_t least = 0,
      std::size_t most = std::numeric_limits<std::size_t>::max()) const;
  void refuse(std::string_view problem, std::string_view accepted) const {
    diagnostics.add(node.place, path, problem, accepted);
  }
};

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

  // The maps of a list; with `alone` also of a map by itself, and with `none` of an empty list.
  enum class Maps { list, alone, none };
  std::vector<CaseSection> maps(std::string_view key, std::string_view accepted, Presence presence,
                                Maps also);
  // The value itself; nothing: absent, or empty, which is an error.
  std::optional<CaseValue> at(std::string_view key, std::string_view accepted, Presence presence);
  const YamlNode* value(std::string_view key, std::string_view accepted, Presence presence);
  std::optional<std::int64_t> integer(std::string_view key, const IntegerRange& range,
                                      Presence presence);
  std::optional<std::string> text(std::string_view key, std::string_view accepted,
                                  Presence presence);
  // One of a table of words.
  template <typename Table>
  auto choice(std::string_view key, const Table& table, Presence presence)
      -> std::optional<decltype(table[0].value)>;
  std::optional<CaseSection> section(std::string_view key, std::string_view accepted,
                                     Presence presence);

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

  // Reads a file that the key `file` names; an InputError of it is an error there, and false.
  template <typename Read>
  bool read_file(const std::filesystem::path& path, const Read& read);

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

template <typename Read>
bool CaseSection::read_file(const std::filesystem::path& path, const Read& read) {
  diagnostics_->add_file(path);
  try {
    read();
    return true;
  } catch (const InputError& error) {
    error_at_value("file", error.what(), "");
    return false;
  }
}

template <typename Table>
auto CaseSection::choice(std::string_view key, const Table& table, Presence presence)
    -> std::optional<decltype(table[0].value)> {
  const std::vector<std::string> words = names_of(table);
  const auto value = at(key, accepted_list(words), presence);
  const auto index = value ? value->word(words) : std::nullopt;
  if (!index) return std::nullopt;
  return table[*index].value;
}

}  // namespace slipfield
