// SPDX-License-Identifier: Apache-2.0
// Which input cases of CONTACT become the steps of one case file, and where the next one begins.
#pragma once

#include <vector>

#include "io/contact/surface.h"
#include "io/contact/writer.h"
#include "io/yaml/error.h"

namespace slipfield {

class InputGrouping {
 public:
  // The next case. False: it continues from a case that is not there, or is of another file, which
  // is then in `found`. A case with P = 3 begins a file that repeats the steps up to where the last
  // case began.
  bool add(const InputCase& input, const InputSurface& surface, CaseDiagnostics& found);
  // A case is left out: the next one begins another file.
  void leave_out() { left_out_ = true; }

  [[nodiscard]] std::vector<InputGroup>& groups() { return groups_; }

 private:
  void repeat_but_last(const InputSurface& surface);

  std::vector<InputGroup> groups_;
  bool left_out_ = false;  // the case before is
};

}  // namespace slipfield
