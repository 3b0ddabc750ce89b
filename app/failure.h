// SPDX-License-Identifier: Apache-2.0
// The reason that a command ended, in words for the user, and signals that end it.
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

// Ctrl-C, `kill`, the end of the terminal and a batch system's CPU time limit end a run at its next
// iteration and keep the finished steps. A second signal ends the program at once.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(int signal_number) : signal_(signal_number) {}
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
  [[nodiscard]] int exit_code() const { return 128 + signal_; }  // 130 for Ctrl-C

 private:
  int signal_;
};

void watch_interrupts();
// On several ranks all throw if one of them has received a signal to end.
void throw_if_interrupted();

}  // namespace slipfield
