// Collects everything that is wrong with a case, each with its place, until it is thrown at once.
#pragma once

#include <cstddef>
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

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t count() const { return count_; }

  // All errors sorted by place, those of the file before those of the command line.
  [[nodiscard]] std::string text() const;

  // Throws CaseError with text() unless empty.
  void throw_if_any() const;

 private:
  struct Entry {
    SourcePlace place;
    std::string message;
    std::string excerpt;
  };
  std::vector<Entry> entries_;
  std::vector<std::string> warnings_;
  std::unordered_set<std::string> seen_;
  std::size_t count_ = 0;
};

}  // namespace slipfield
