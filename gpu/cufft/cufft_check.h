// SPDX-License-Identifier: Apache-2.0
// SLIPFIELD_CUFFT_CHECK(cufftExecD2Z(...)), and an owner of a cuFFT plan.
#pragma once

#include <cufft.h>

#include <string>
#include <utility>

#include "gpu/device/cuda_check.h"

namespace slipfield {

inline std::string cufft_code_name(cufftResult code) {
  switch (code) {
    case CUFFT_INVALID_PLAN:
      return "CUFFT_INVALID_PLAN";
    case CUFFT_INVALID_VALUE:
      return "CUFFT_INVALID_VALUE";
    case CUFFT_INTERNAL_ERROR:
      return "CUFFT_INTERNAL_ERROR";
    case CUFFT_EXEC_FAILED:
      return "CUFFT_EXEC_FAILED";
    case CUFFT_SETUP_FAILED:
      return "CUFFT_SETUP_FAILED";
    case CUFFT_INVALID_SIZE:
      return "CUFFT_INVALID_SIZE";
    default:
      return "cufftResult " + std::to_string(static_cast<int>(code));
  }
}

[[noreturn]] inline void throw_cufft_error(cufftResult code, const CallSite& site) {
  if (code == CUFFT_ALLOC_FAILED) {
    cudaGetLastError();
    throw CudaOutOfMemory("cuFFT found no room for a plan", free_device_bytes());
  }
  throw_cuda_error(cufft_code_name(code), "cuFFT failed", site);
}

class CufftPlan {
 public:
  CufftPlan() = default;
  CufftPlan(const CufftPlan&) = delete;
  CufftPlan& operator=(const CufftPlan&) = delete;
  CufftPlan(CufftPlan&& other) noexcept
      : plan_(other.plan_), valid_(std::exchange(other.valid_, false)) {}
  CufftPlan& operator=(CufftPlan&& other) noexcept {
    std::swap(plan_, other.plan_);
    std::swap(valid_, other.valid_);
    return *this;
  }
  ~CufftPlan() {
    if (valid_) cufftDestroy(plan_);
  }
  // Receives the handle from cufftPlan*(); call made() once that call has succeeded.
  cufftHandle* slot() { return &plan_; }
  void made() { valid_ = true; }
  [[nodiscard]] cufftHandle get() const { return plan_; }

 private:
  cufftHandle plan_ = 0;
  bool valid_ = false;
};

}  // namespace slipfield

#define SLIPFIELD_CUFFT_CHECK(call)                                                \
  do {                                                                             \
    const cufftResult slipfield_code = (call);                                     \
    if (slipfield_code != CUFFT_SUCCESS)                                           \
      ::slipfield::throw_cufft_error(slipfield_code, {#call, __FILE__, __LINE__}); \
  } while (false)
