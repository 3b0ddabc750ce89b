// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda_device.h"

#include <cuda_runtime_api.h>

#include <utility>

#include "gpu/backend/cuda_backend.h"
#include "gpu/backend/cuda_instances.h"
#include "gpu/device/current_device.h"
#include "solver/combinations.h"
#include "solver/memory_estimate.h"
#include "solver/problem_check.h"
#include "solver/run/checked_solver.h"
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

// A problem that exceeds an empty device is a fault of the case (InputError); one that does not fit
// because other programs hold memory is not (CudaOutOfMemory).
void require_device_memory(const ContactProblem& problem, std::size_t device_bytes, int chunks) {
  const std::size_t needed = cuda_bytes(problem, chunks);
  require_memory(problem, needed, device_bytes, "the GPU has");
  const std::size_t free = free_device_bytes();
  if (needed > free) throw CudaOutOfMemory("the case needs up to " + readable_bytes(needed), free);
}

CudaDevice describe(int device) {
  CudaDevice entry;
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, device) == cudaSuccess)
    entry.memory_bytes = properties.totalGlobalMem;
  try {
    const DeviceLimits card = limits_of_device(device);
    entry.name = card.name;
    entry.multiprocessors = card.multiprocessors;
    entry.capability = card.capability;
    entry.unusable = why_unusable(card, compiled_architectures());
  } catch (const Error& error) {
    entry.name = "GPU " + std::to_string(device);
    entry.unusable = entry.name + " does not answer: " + error.what();
  }
  return entry;
}

// CUDA's current device belongs to the thread: each call makes the solver's device current.
class SolverOnDevice final : public ForwardingSolver {
 public:
  SolverOnDevice(int device, std::unique_ptr<ContactSolver> solver)
      : ForwardingSolver(std::move(solver)), device_(device) {}
  ~SolverOnDevice() override {
    try {
      const OnDevice here(device_);
      solver_.reset();
    } catch (const Error&) {  // the device is lost, and with it what the solver held there
      solver_.reset();
    }
  }
  SolverOnDevice(const SolverOnDevice&) = delete;
  SolverOnDevice& operator=(const SolverOnDevice&) = delete;

  StepReport advance(const StepInput& step) override {
    const OnDevice here(device_);
    return solver_->advance(step);
  }
  [[nodiscard]] ContactSolution download() const override {
    const OnDevice here(device_);
    return solver_->download();
  }
  [[nodiscard]] ContactSolution download_fields(const ChosenFields& chosen) const override {
    const OnDevice here(device_);
    return solver_->download_fields(chosen);
  }
  [[nodiscard]] SolverState state() const override {
    const OnDevice here(device_);
    return solver_->state();
  }
  void restore(const SolverState& state, const StepInput& last) override {
    const OnDevice here(device_);
    solver_->restore(state, last);
  }
  [[nodiscard]] SolverState own_state() const override {
    const OnDevice here(device_);
    return solver_->own_state();
  }
  void restore_own(const SolverState& state, const StepInput& last) override {
    const OnDevice here(device_);
    solver_->restore_own(state, last);
  }
  [[nodiscard]] double least_of(std::vector<double> ContactSolution::*field) const override {
    const OnDevice here(device_);
    return solver_->least_of(field);
  }
  [[nodiscard]] std::string device_name() const override {
    const OnDevice here(device_);
    return solver_->device_name();
  }

 private:
  int device_;
};

}  // namespace

CudaStatus cuda_status() {
  CudaStatus status;
  status.built = true;
  status.runtime_version = version_text(CUDART_VERSION);
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess || count == 0) {
    status.reason = why_no_device(code);
    cudaGetLastError();  // clears the error of this call
    return status;
  }
  for (int device = 0; device < count; ++device) status.devices.push_back(describe(device));
  cudaGetLastError();
  return status;
}

std::size_t cuda_free_bytes(int device) {
  std::size_t free = 0;
  std::size_t total = 0;
  try {
    const OnDevice here(device);
    SLIPFIELD_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  } catch (const Error&) {
    return 0;
  }
  return free;
}

// What another library writes there may be in a stream that no copy waits for.
int cuda_wait(const void* memory) {
  cudaPointerAttributes where{};
  SLIPFIELD_CUDA_CHECK(cudaPointerGetAttributes(&where, memory));
  if (where.type != cudaMemoryTypeDevice && where.type != cudaMemoryTypeManaged) return -1;
  const OnDevice there(where.device);
  SLIPFIELD_CUDA_CHECK(cudaDeviceSynchronize());
  return where.device;
}

void cuda_copy(void* to, const void* from, std::size_t bytes) {
  cuda_wait(to);
  cuda_wait(from);
  SLIPFIELD_CUDA_CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
  SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(nullptr));  // between devices a copy may still run
}

std::string CudaBackend::device_name() const { return current_limits().name; }

std::unique_ptr<ContactSolver> make_cuda_solver(const ContactProblem& problem, int device,
                                                ProgressCallback progress) {
  require_sound(check_problem(problem));
  require_on(Way::gpu, problem);
  if (is_simplified(problem.solver.tangential)) {
    return checked_solver(problem, make_simplified_solver(problem, std::move(progress)));
  }
  const CudaStatus status = cuda_status();
  const CudaDevice& card = require_cuda_device(status, device);
  const OnDevice here(device);
  const int chunks = krylov_chunks_on({device}, problem);
  require_device_memory(problem, card.memory_bytes, chunks);
  auto run = std::make_unique<ContactRun<CudaBackend>>(problem, std::move(progress),
                                                       krylov_products(chunks));
  return checked_solver(problem, std::make_unique<SolverOnDevice>(device, std::move(run)));
}

}  // namespace slipfield
