// SPDX-License-Identifier: Apache-2.0
// Collects all faults of a case with their places until they are thrown together, and the files
// that the case names.
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

// A warning about points of a sweep, and its sentence.
struct WarningOfPoints {
  std::string message;     // of the first point
  std::string point;       // the first with it; empty: unknown, all points have it
  std::size_t points = 0;  // the number with it
  std::size_t of = 0;      // points in all
  bool differs = false;    // between points

  [[nodiscard]] std::string text() const;
  // Undoes text(). of: the number of points that the warning is about.
  static WarningOfPoints from_text(std::string_view text, std::size_t of);
};

class CaseDiagnostics {
 public:
  // `path`: key.path of the value (empty: none). Drops a second error with the same text and place,
  // whatever its path: a wrong line is read once for each step that uses it.
  void add(const SourcePlace& place, std::string_view path, std::string_view problem,
           std::string_view accepted = {});

  // `digits`: the key is a number, perhaps the decimals of the value before it.
  void add_unknown_key(const SourcePlace& place, std::string_view path, bool digits,
                       std::string_view accepted);
  // Reports a key missing at `place`, unless a misspelt one (see misspelt) explains it.
  void add_missing(const SourcePlace& place, const std::string& path, std::string_view accepted);
  // Records that an unknown key was perhaps meant to be this path.
  void misspelt(const std::string& path) { misspelt_.insert(path); }

  // Adds the faults of another reading of the same texts, except known ones.
  void take(const CaseDiagnostics& other);
  // Adds the faults found in a point of a sweep. `point`: in words, with its values, shown with
  // faults that are new there. With `first` the errors are those of the case itself and do not show
  // it.
  void take_point(const CaseDiagnostics& other, std::string_view point, bool first);

  // Warns of a value that the reader changed or that looks wrong; once per place or, if given, per
  // `topic`, with the number of points of a sweep that have it.
  void warn(const SourcePlace& place, std::string_view path, std::string_view what,
            std::string_view topic = {});
  [[nodiscard]] std::vector<std::string> warnings() const;

  // Records a file that the case names and that was read.
  void add_file(const std::filesystem::path& path) { files_.insert(path); }
  [[nodiscard]] const std::set<std::filesystem::path>& files() const { return files_; }

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t count() const { return count_; }
  // Whether further errors are counted only.
  [[nodiscard]] bool is_full() const;
  // Includes dropped errors: if it has grown while a part was read, that part is wrong.
  [[nodiscard]] std::size_t reported() const { return reported_; }

  // All errors sorted by place, first those of the file, then those of the command line.
  [[nodiscard]] std::string text() const;

  // The same without excerpts, a line for each error.
  [[nodiscard]] std::vector<std::string> messages() const;
  // The same as separate fields.
  [[nodiscard]] std::vector<CaseFault> faults() const;

  // Throws CaseError with text() unless empty.
  void throw_if_any() const;
  // The same without excerpts, for values that are in no text.
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
  [[nodiscard]] std::vector<Entry> shown_entries() const;  // by place

  std::vector<Entry> entries_;
  struct Warning {
    std::string message;
    std::string topic;
    std::string point = {};  // of a sweep: the first with it
    std::size_t points = 0;  // the number with it
    bool differs = false;    // between points
  };
  // `context`: names the reading, shown with its faults (empty: nothing).
  void take_all_but_warnings(const CaseDiagnostics& other, std::string_view context);
  // Null if it is new and there are too many.
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
