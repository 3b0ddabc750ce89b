// SPDX-License-Identifier: Apache-2.0
// The errors that leave a module. A single catch, in app/main.cpp, turns them into a sentence and
// an exit code.
//
// Not converging is not an error: it is a value in StepReport.
#pragma once

#include <stdexcept>
#include <string>

namespace slipfield {

// Exit codes of the program, as scripts rely on them.
enum class ExitCode : int {
  done = 0,
  not_converged = 1,  // ran, but did not converge; compare: the results differ
  bad_input = 2,  // the case, the file or the command line is wrong, or too large for the machine
  failed = 3,     // anything else that failed at run time
};

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, ExitCode exit_code = ExitCode::failed)
      : std::runtime_error(message), exit_code_(exit_code) {}
  [[nodiscard]] ExitCode exit_code() const { return exit_code_; }

 private:
  ExitCode exit_code_;
};

// The user's input cannot be computed: the sentence names the input and says what is accepted.
class InputError : public Error {
 public:
  explicit InputError(const std::string& message) : Error(message, ExitCode::bad_input) {}
};

// The computing device has too little free memory: the same work may succeed elsewhere.
class OutOfMemory : public Error {
 public:
  using Error::Error;
};

// The computing device is lost, for example a failed GPU: no later call can succeed in this
// process.
class BackendLost : public Error {
 public:
  using Error::Error;
};

}  // namespace slipfield
