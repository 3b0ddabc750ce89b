// SPDX-License-Identifier: Apache-2.0
// What plans and memory of FFTW need. It may plan in one thread at a time; executing needs no lock.
#pragma once

#include <fftw3.h>

#include <mutex>

namespace slipfield {

// Held by whoever makes or destroys a plan.
inline std::mutex& fftw_planner() {
  static std::mutex planner;
  return planner;
}

// Deletes what fftw_malloc() gave.
struct FftwFree {
  void operator()(void* memory) const { fftw_free(memory); }
};

}  // namespace slipfield
