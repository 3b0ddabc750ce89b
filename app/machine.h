// SPDX-License-Identifier: Apache-2.0
// Properties of this machine.
#pragma once

#include <cstddef>
#include <string>

namespace slipfield {

struct Machine {
  std::string processor;         // "unknown" if the system does not report it
  unsigned threads = 0;          // available to this process
  std::size_t memory_bytes = 0;  // physical; 0: unknown
};
Machine describe_machine();

}  // namespace slipfield
