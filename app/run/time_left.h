// SPDX-License-Identifier: Apache-2.0
// Estimates the time that a run still needs, for the line of progress.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <string>

namespace slipfield {

// "  40 s left" where `done` parts have taken the time since `begin` and `left` are still to come,
// each as long as those; empty where none is done yet.
inline std::string time_left_text(std::chrono::steady_clock::time_point begin, int done, int left) {
  if (done < 1) return {};
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  const double seconds = spent.count() / done * left;
  if (seconds < 120.0) return fmt::format("  {:.0f} s left", seconds);
  if (seconds < 7200.0) return fmt::format("  {:.0f} min left", seconds / 60.0);
  return fmt::format("  {:.1f} h left", seconds / 3600.0);
}

}  // namespace slipfield
