// SPDX-License-Identifier: Apache-2.0
// The error of a case file: all its faults at once.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solver/error.h"

namespace slipfield {

// One fault in its parts.
struct CaseFault {
  std::string place;   // "case.yaml:3:14"; for a value without a file the source's name
  std::string key;     // key.path; may be empty
  std::string reason;  // what is wrong, perhaps with "did you mean 'x'?"
  std::string remedy;  // what is accepted, without that word; may be empty
  bool unknown_key = false;

  // "reason; accepted: remedy".
  [[nodiscard]] std::string text() const;
};

// what(): one entry for each fault, sorted by place, as
//   file:line:column: key.path: what is wrong; what is accepted
// followed by the source line and a caret. If the file cannot be read, a single sentence.
class CaseError : public InputError {
 public:
  explicit CaseError(const std::string& message, std::vector<CaseFault> faults = {})
      : InputError(message), faults_(std::move(faults)) {}

  // In the order of what(); empty if the file cannot be read.
  [[nodiscard]] const std::vector<CaseFault>& faults() const { return faults_; }

 private:
  std::vector<CaseFault> faults_;
};

}  // namespace slipfield
