// SPDX-License-Identifier: Apache-2.0
// Collects everything that is wrong with a case, each with its place, until it is thrown at once;
// and the files that the case names.
#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
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

  // Adds what was found in another reading of the same texts, such as a point of a sweep; what is
  // known already is dropped. `context`: which reading, shown with what was found (empty: nothing).
  void take(const CaseDiagnostics& other, std::string_view context);

  // A value that is taken otherwise than written, or looks wrong: a warning, not an error. Once for
  // each place, or for each `topic` where one is given, however many points of a sweep have it.
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
  };
  bool take_warning(const Warning& warning);

  std::vector<Warning> warnings_;
  std::unordered_set<std::string> seen_;
  std::set<std::filesystem::path> files_;
  std::unordered_set<std::string> misspelt_;
  std::size_t count_ = 0;
  std::size_t reported_ = 0;
};

}  // namespace slipfield
