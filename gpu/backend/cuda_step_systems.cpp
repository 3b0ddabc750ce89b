// SPDX-License-Identifier: Apache-2.0
#include "gpu/backend/cuda_instances.h"
#include "gpu/cuda_device.h"
#include "gpu/device/current_device.h"
#include "solver/gradient/step_systems_on.h"

namespace slipfield {
namespace {

class CudaStepSystems final : public StepSystemsOn<CudaBackend> {
 public:
  CudaStepSystems(const SystemsTask& task, int device)
      : StepSystemsOn<CudaBackend>(task), device_(device) {}
  [[nodiscard]] std::shared_ptr<void> enter() const override {
    return std::make_shared<OnDevice>(device_);
  }

 private:
  int device_;
};

}  // namespace

std::unique_ptr<StepSystems> make_cuda_step_systems(const SystemsTask& task, int device) {
  require_cuda_device(cuda_status(), device);
  const OnDevice here(device);
  return std::make_unique<CudaStepSystems>(task, device);
}

}  // namespace slipfield
