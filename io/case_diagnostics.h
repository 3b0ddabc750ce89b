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

#include "io/case_source.h"

namespace slipfield {

class CaseDiagnostics {
 public:
  // `path`: key.path of the value (empty: none). A second error of the same text at the same place
  // is dropped, whatever its path: one wrong line is read once for each step that it reaches.
  void add(const SourcePlace& place, std::string_view path, std::string_view problem,
           std::string_view accepted = {});

  // Adds what was found in another reading of the same texts, such as a point of a sweep; what is
  // known already is dropped. `context`: which reading, told with its errors (empty: nothing).
  void take(const CaseDiagnostics& other, std::string_view context);

  // A value that is taken otherwise than written: told, not refused. Once for each place.
  void warn(const SourcePlace& place, std::string_view path, std::string_view what);
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

  // A file that the case names and that was read.
  void add_file(const std::filesystem::path& path) { files_.insert(path); }
  [[nodiscard]] const std::set<std::filesystem::path>& files() const { return files_; }

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t count() const { return count_; }

  // All errors sorted by place, those of the file before those of the command line.
  [[nodiscard]] std::string text() const;

  // The same without excerpts, a line for each error.
  [[nodiscard]] std::vector<std::string> messages() const;

  // Throws CaseError with text() unless empty.
  void throw_if_any() const;

 private:
  struct Entry {
    SourcePlace place;
    std::string message;
    std::string excerpt;
  };
  [[nodiscard]] std::vector<Entry> sorted() const;

  std::vector<Entry> entries_;
  std::vector<std::string> warnings_;
  std::unordered_set<std::string> seen_;
  std::set<std::filesystem::path> files_;
  std::size_t count_ = 0;
};

}  // namespace slipfield
