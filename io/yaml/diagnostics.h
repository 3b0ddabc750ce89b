// SPDX-License-Identifier: Apache-2.0
// Collects everything that is wrong with a case, each with its place, until it is thrown at once;
// and the files that the case names.
#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "io/yaml/error.h"
#include "io/yaml/source.h"

namespace slipfield {

class CaseDiagnostics {
 public:
  // `path`: key.path of the value (empty: none). A second error of the same text at the same place
  // is dropped, whatever its path: one wrong line is read once for each step that it reaches.
  void add(const SourcePlace& place, std::string_view path, std::string_view problem,
           std::string_view accepted = {});

  // A key that is missing at `place`; not reported where a misspelt one (see misspelt) explains it.
  void add_missing(const SourcePlace& place, const std::string& path, std::string_view accepted);
  // An unknown key was perhaps meant to be the one of this path.
  void misspelt(const std::string& path) { misspelt_.insert(path); }

  // Adds what was found in another reading of the same texts; what is known already is dropped.
  void take(const CaseDiagnostics& other);
  // Adds what was found when a point of a sweep was read. `point`:
  // in words, with its values, shown with what was first found there; of errors of `first`, which
  // are those of the case itself, not.
  void take_point(const CaseDiagnostics& other, std::string_view point, bool first);

  // A value that is taken otherwise than written, or looks wrong: a warning, not an error. Once for
  // each place, or for each `topic` where one is given, with the number of points of a sweep that
  // have it.
  void warn(const SourcePlace& place, std::string_view path, std::string_view what,
            std::string_view topic = {});
  [[nodiscard]] std::vector<std::string> warnings() const;

  // A file that the case names and that was read.
  void add_file(const std::filesystem::path& path) { files_.insert(path); }
  [[nodiscard]] const std::set<std::filesystem::path>& files() const { return files_; }

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t count() const { return count_; }
  // Those that were dropped counted too: a part is wrong where this has grown while it was read.
  [[nodiscard]] std::size_t reported() const { return reported_; }

  // All errors sorted by place, those of the file before those of the command line.
  [[nodiscard]] std::string text() const;

  // The same without excerpts, a line for each error.
  [[nodiscard]] std::vector<std::string> messages() const;
  // The same in their parts.
  [[nodiscard]] std::vector<CaseFault> faults() const;

  // Throws CaseError with text() unless empty.
  void throw_if_any() const;
  // The same without excerpts, for values that were written in no text.
  void throw_messages_if_any() const;

 private:
  struct Entry {
    SourcePlace place;
    std::string message;
    std::string excerpt;
    CaseFault fault;
    std::string missing = {};  // the path of the key that is missing
  };
  [[nodiscard]] bool is_explained(const Entry& entry) const;
  [[nodiscard]] std::vector<Entry> shown_entries() const;  // in the order of their places

  std::vector<Entry> entries_;
  struct Warning {
    std::string message;
    std::string topic;
    std::string point = {};  // the first that has it, of a sweep
    std::size_t points = 0;  // that have it
    bool differs = false;    // from point to point
  };
  // `context`: which reading, shown with what was found (empty: nothing).
  void take_all_but_warnings(const CaseDiagnostics& other, std::string_view context);
  // Null where there are too many.
  Warning* known(const Warning& warning);
  [[nodiscard]] std::string text_of(const Warning& warning) const;

  std::vector<Warning> warnings_;
  std::unordered_map<std::string, std::size_t> numbers_;  // of warnings, by what they are known by
  std::size_t points_ = 0;                                // taken
  std::unordered_set<std::string> seen_;
  std::set<std::filesystem::path> files_;
  std::unordered_set<std::string> misspelt_;
  std::size_t count_ = 0;
  std::size_t reported_ = 0;
};

}  // namespace slipfield
