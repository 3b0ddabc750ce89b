// SPDX-License-Identifier: Apache-2.0
// One map of a case file, read key by key.
//
// Every key requested becomes known; finish() refuses the rest. A reader returns nothing if the key
// is absent or its value is wrong; the error is then in the diagnostics with its place, so that
// reading continues and finds the next error.
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

// A part of a section, such as a step that overrides some keys, may leave out required keys.
enum class Completeness { whole, part };

// "has no value", "is a list", "is a map", or the quoted scalar.
std::string describe_node(const YamlNode& node);
// "accepted: free, periodic".
std::string accepted_list(const std::vector<std::string>& words);

// A value of the case with its place. Each conversion returns nothing if the value is of another
// kind.
struct CaseValue {
  const YamlNode& node;
  std::string path;
  CaseDiagnostics& diagnostics;

  [[nodiscard]] std::optional<double> number(const NumberRange& range) const;
  [[nodiscard]] std::optional<std::int64_t> integer(const IntegerRange& range) const;
  [[nodiscard]] std::optional<bool> boolean() const;  // true | false
  // A text of one line.
  [[nodiscard]] std::optional<std::string> text(std::string_view accepted) const;
  // The index of one of the words.
  [[nodiscard]] std::optional<std::size_t> word(const std::vector<std::string>& words) const;
  [[nodiscard]] bool is_list() const { return node.kind == YamlNode::Kind::sequence; }
  // The members of a list with `least` to `most` members.
  [[nodiscard]] std::optional<std::vector<CaseValue>> items(
      std::string_view accepted, std::size_t least = 0,
      std::size_t most = std::numeric_limits<std::size_t>::max()) const;
  void refuse(std::string_view problem, std::string_view accepted) const {
    diagnostics.add(node.place, path, problem, accepted);
  }
};

class CaseSection {
 public:
  // `place`: of the section's key, where missing keys are reported. The node must outlive the
  // section. A node that is not a map is an error and reads as a part without keys.
  CaseSection(const YamlNode& node, const SourcePlace& place, std::string path,
              CaseDiagnostics& diagnostics, Completeness completeness = Completeness::whole);

  // Returns whether the key is there, whatever its value.
  [[nodiscard]] bool has(std::string_view key) const { return node_->index_of(key).has_value(); }
  [[nodiscard]] bool is_whole() const { return completeness_ == Completeness::whole; }
  // False if the node is not a map, which has been reported.
  [[nodiscard]] bool is_map() const { return is_map_; }

  // Reads the maps of a list; `alone` also accepts a single map, `none` an empty list.
  enum class Maps { list, alone, none };
  std::vector<CaseSection> maps(std::string_view key, std::string_view accepted, Presence presence,
                                Maps also);
  // The value itself; nothing if absent, or if empty, which is an error.
  std::optional<CaseValue> at(std::string_view key, std::string_view accepted, Presence presence);
  const YamlNode* value(std::string_view key, std::string_view accepted, Presence presence);
  std::optional<std::int64_t> integer(std::string_view key, const IntegerRange& range,
                                      Presence presence);
  std::optional<std::string> text(std::string_view key, std::string_view accepted,
                                  Presence presence);
  // One of the words of a table.
  template <typename Table>
  auto choice(std::string_view key, const Table& table, Presence presence)
      -> std::optional<decltype(table[0].value)>;
  std::optional<CaseSection> section(std::string_view key, std::string_view accepted,
                                     Presence presence);

  // The word of a key in this or an enclosing section; if not given, the one assumed.
  [[nodiscard]] std::optional<std::string_view> word_of(std::string_view key) const;
  // Marks the word of this key as wrong and reported: conditions on it then count as unknown.
  void disregard(std::string_view key) { disregarded_.push_back(key); }
  // Sets the word assumed for a key that is not given, in this section and those inside it.
  void assume(std::string_view key, std::string_view word) { assumed_.push_back({key, word}); }
  // know: accepts a key even if nothing reads it. recognise: also keeps it out of the keys that
  // messages list as accepted, because another rule checks it.
  void know(std::string_view key);
  void recognise(std::string_view key) { recognised_.push_back(key); }
  // Reports every key that is not known.
  void finish();

  // Reads the file named by the key `file`; turns its InputError into an error at that key and
  // returns false.
  template <typename Read>
  bool read_file(const std::filesystem::path& path, const Read& read);

  // Report an error at a key (at the section if the key is absent), at the value of a key, or at
  // the section.
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
  std::vector<std::string_view> known_;  // keys requested, in order
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
