// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/current_device.h"

#include <cuda_runtime_api.h>

#include <map>
#include <mutex>

#include "gpu/device/cuda_check.h"

namespace slipfield {
namespace {

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  SLIPFIELD_CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

std::size_t bytes(cudaDeviceAttr which, int device) {
  return static_cast<std::size_t>(attribute(which, device));
}

DeviceLimits ask(int device) {
  cudaDeviceProp properties{};
  SLIPFIELD_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  DeviceLimits card;
  card.name = properties.name;
  card.capability = 10 * properties.major + properties.minor;
  card.code = code_for(card.capability, compiled_architectures());
  card.multiprocessors = properties.multiProcessorCount;
  card.shared_per_block = properties.sharedMemPerBlockOptin;
  card.shared_per_multiprocessor = properties.sharedMemPerMultiprocessor;
  card.shared_reserved = bytes(cudaDevAttrReservedSharedMemoryPerBlock, device);
  card.cache_bytes = bytes(cudaDevAttrL2CacheSize, device);
  card.clusters = attribute(cudaDevAttrClusterLaunch, device) != 0;
  card.cooperative = attribute(cudaDevAttrCooperativeLaunch, device) != 0;
  card.memory_pools = attribute(cudaDevAttrMemoryPoolsSupported, device) != 0;
  return card;
}

}  // namespace

const std::string& compiled_architectures() {
  static const std::string architectures = SLIPFIELD_CUDA_ARCHITECTURES;
  return architectures;
}

DeviceLimits limits_of_device(int device) {
  static std::mutex guard;
  static std::map<int, DeviceLimits> known;  // asking takes a millisecond, and a sweep asks often
  const std::lock_guard<std::mutex> lock(guard);
  auto found = known.find(device);
  if (found == known.end()) found = known.emplace(device, ask(device)).first;
  return found->second;
}

DeviceLimits current_limits() {
  int device = 0;
  SLIPFIELD_CUDA_CHECK(cudaGetDevice(&device));
  return limits_of_device(device);
}

OnDevice::OnDevice(int device) : device_(device) {
  SLIPFIELD_CUDA_CHECK(cudaGetDevice(&before_));
  if (before_ != device_) SLIPFIELD_CUDA_CHECK(cudaSetDevice(device_));
}

OnDevice::~OnDevice() {
  if (before_ != device_) SLIPFIELD_CUDA_REPORT(cudaSetDevice(before_));
}

}  // namespace slipfield
