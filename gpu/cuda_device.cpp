#include "gpu/cuda_device.h"

#include <cuda_runtime_api.h>

#include <utility>

#include "gpu/backend/cuda_backend.h"
#include "solver/check/checked_solver.h"
#include "solver/memory_estimate.h"
#include "solver/problem_check.h"
#include "solver/simplified/simplified_solver.h"
#include "solver/step/contact_step.h"

namespace slipfield {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string why_no_device(cudaError_t code) {
  if (code == cudaSuccess) return "the driver reports no device";
  int driver = 0;
  if (code != cudaErrorInsufficientDriver || cudaDriverGetVersion(&driver) != cudaSuccess)
    return cudaGetErrorString(code);
  if (driver == 0) return "no NVIDIA driver is installed";
  return "the NVIDIA driver is made for CUDA " + version_text(driver) +
         ", this program needs one for CUDA " + version_text(CUDART_VERSION) + " or later";
}

// What is too large for an empty device is wrong with the case; what is taken by others is not.
void require_device_memory(const ContactProblem& problem, std::size_t device_bytes) {
  require_memory(problem, device_bytes, "the GPU has");
  const std::size_t needed = estimated_bytes(problem);
  const std::size_t free = free_device_bytes();
  if (needed > free) throw CudaOutOfMemory("the case needs up to " + readable_bytes(needed), free);
}

}  // namespace

CudaStatus cuda_status() {
  CudaStatus status;
  status.built = true;
  status.runtime_version = version_text(CUDART_VERSION);
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess || count == 0) {
    status.reason = why_no_device(code);
    cudaGetLastError();  // the error stays in this call
    return status;
  }
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties{};
    CudaDevice entry;
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) continue;
    entry.name = properties.name;
    entry.multiprocessors = properties.multiProcessorCount;
    entry.memory_bytes = properties.totalGlobalMem;
    std::size_t total = 0;
    if (cudaSetDevice(device) == cudaSuccess) cudaMemGetInfo(&entry.free_bytes, &total);
    status.devices.push_back(entry);
  }
  cudaSetDevice(0);
  cudaGetLastError();
  if (status.devices.empty()) status.reason = "no device could be asked for its properties";
  return status;
}

std::string CudaBackend::device_name() const {
  int device = 0;
  cudaDeviceProp properties{};
  SLIPFIELD_CUDA_CHECK(cudaGetDevice(&device));
  SLIPFIELD_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  return properties.name;
}

std::unique_ptr<ContactSolver> make_cuda_solver(const ContactProblem& problem,
                                                ProgressCallback progress) {
  require_sound(check_problem(problem));
  if (is_simplified(problem.solver.tangential)) {
    return checked_solver(problem, make_simplified_solver(problem, std::move(progress)));
  }
  const CudaStatus status = cuda_status();
  if (status.devices.empty()) {
    throw Error("backend cuda: no GPU answers: " + status.reason);
  }
  require_device_memory(problem, status.devices.front().memory_bytes);
  return checked_solver(problem,
                        std::make_unique<ContactRun<CudaBackend>>(problem, std::move(progress)));
}

}  // namespace slipfield
