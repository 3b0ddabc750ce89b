// SPDX-License-Identifier: Apache-2.0
// The device that this thread's CUDA calls go to, and what it can do.
#pragma once

#include <string>

#include "gpu/device/device_limits.h"

namespace slipfield {

// What the program's kernels were compiled for, as code_for() takes it.
const std::string& compiled_architectures();

// Asks the driver, without a context on the device. Throws CudaError.
DeviceLimits limits_of_device(int device);
// Limits of the calling thread's current device.
DeviceLimits current_limits();

// Makes a device this thread's own until the end of the scope.
class OnDevice {
 public:
  explicit OnDevice(int device);
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int device_;
  int before_ = 0;
};

}  // namespace slipfield
