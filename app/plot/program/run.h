// SPDX-License-Identifier: Apache-2.0
// Another program, driven through its standard streams: neither a shell nor the name of a file is
// involved, so no text that it gets can become a command.
#pragma once

#include <string>
#include <vector>

namespace slipfield {

struct ProgramEnd {
  std::string output;
  std::string message;  // the last line of its standard error stream
};

// Runs `command`, the program's name and its arguments, with the parts of `input` on its standard
// input. Throws Error where it fails or is ended by a signal, and `not_installed` where it is not
// there.
ProgramEnd run_program(const std::vector<std::string>& command,
                       const std::vector<std::string>& input, const std::string& not_installed);

}  // namespace slipfield
