// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets of readers share.
#pragma once

#include <cstdlib>

#include "solver/error.h"

namespace slipfield {

// Reads, or is refused with one of the program's errors, which says why.
template <class Read>
void read_or_refuse(const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    if (*error.what() == '\0') std::abort();
  }
}

}  // namespace slipfield
