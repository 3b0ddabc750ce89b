// SPDX-License-Identifier: Apache-2.0
// Whether tests that need a GPU can run here: a test that did not run is never a passed one.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gpu/cuda_device.h"

namespace slipfield::test {

inline constexpr int kSkipped = 77;  // SKIP_RETURN_CODE in tests/CMakeLists.txt

// 0 where a GPU answers and runs the program. Else says why not and returns kSkipped, or
// EXIT_FAILURE under SLIPFIELD_REQUIRE_GPU=1.
inline int gpu_gate() {
  const CudaStatus status = cuda_status();
  const bool answers = !status.devices.empty();
  const std::string why_not = answers ? status.devices.front().unusable : status.reason;
  if (answers && why_not.empty()) return 0;
  const char* required = std::getenv("SLIPFIELD_REQUIRE_GPU");
  const bool must_run = required != nullptr && std::string_view(required) == "1";
  const char* reason = status.built ? why_not.c_str() : "built without CUDA";
  std::printf("%s: no GPU answers (%s)\n", must_run ? "FAILED" : "skipped", reason);
  return must_run ? EXIT_FAILURE : kSkipped;
}

}  // namespace slipfield::test
