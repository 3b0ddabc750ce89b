// SPDX-License-Identifier: Apache-2.0
// What ended a command, as the user reads it.
#pragma once

#include <exception>
#include <string>

namespace slipfield {

struct Failure {
  std::string message;  // one sentence
  int exit_code = 0;
};

// An interrupt, a lack of memory, an error of our own, or a defect ("internal error").
Failure failure_of(const std::exception_ptr& error);

}  // namespace slipfield
