// SPDX-License-Identifier: Apache-2.0
// The reason that a command ended, in words for the user.
#pragma once

#include <exception>
#include <string>

namespace slipfield {

struct Failure {
  std::string message;  // one sentence
  int exit_code = 0;
};

// Classifies the exception: an interrupt, out of memory, an error of our own, or a defect
// ("internal error").
Failure failure_of(const std::exception_ptr& error);

}  // namespace slipfield
