// FFTW may plan in one thread at a time; executing plans needs no lock.
#pragma once

#include <mutex>

namespace slipfield {

// Held by whoever makes or destroys a plan.
inline std::mutex& fftw_planner() {
  static std::mutex planner;
  return planner;
}

}  // namespace slipfield
