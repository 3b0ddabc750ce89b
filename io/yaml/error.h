// SPDX-License-Identifier: Apache-2.0
// The error of a case file: everything that is wrong with it, at once.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solver/error.h"

namespace slipfield {

// One error, in its parts.
struct CaseFault {
  std::string place;   // "case.yaml:3:14"; of a value that is not in a file the name of its source
  std::string key;     // key.path; may be empty
  std::string reason;  // what is wrong
  std::string remedy;  // what is accepted; may be empty
};

// what(): one entry for each error, sorted by place, as
//   file:line:column: key.path: what is wrong; what is accepted
// followed by the source line and a caret. A file that cannot be read at all is one sentence.
class CaseError : public InputError {
 public:
  explicit CaseError(const std::string& message, std::vector<CaseFault> faults = {})
      : InputError(message), faults_(std::move(faults)) {}

  // In the order of what(); empty where a file cannot be read at all.
  [[nodiscard]] const std::vector<CaseFault>& faults() const { return faults_; }

 private:
  std::vector<CaseFault> faults_;
};

}  // namespace slipfield
