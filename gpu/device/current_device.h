// SPDX-License-Identifier: Apache-2.0
// The device that receives this thread's CUDA calls, and its limits.
#pragma once

#include <string>

#include "gpu/device/device_limits.h"

namespace slipfield {

// The architectures that the program's kernels were compiled for, in the form of code_for().
const std::string& compiled_architectures();

// Asks the driver without creating a context on the device. Throws CudaError.
DeviceLimits limits_of_device(int device);
// Limits of the calling thread's current device.
DeviceLimits current_limits();

// Makes a device current for this thread until the end of the scope.
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
