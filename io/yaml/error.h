// The error of a case file: everything that is wrong with it, at once.
#pragma once

#include <string>

#include "solver/error.h"

namespace slipfield {

// what(): one entry for each error, sorted by place, as
//   file:line:column: key.path: what is wrong; what is accepted
// followed by the source line and a caret. A file that cannot be read at all is one sentence.
class CaseError : public InputError {
 public:
  explicit CaseError(const std::string& message) : InputError(message) {}
};

}  // namespace slipfield
