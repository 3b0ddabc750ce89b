// SPDX-License-Identifier: Apache-2.0
// Planes inside a body on the GPU. Mirrors solver/interior/cpu_interior_planes.cpp: the card
// evaluates the closed forms, cuFFT transforms them, and only the requested part of a plane is
// copied to the host.
#include <algorithm>
#include <array>
#include <optional>

#include "gpu/cuda_device.h"
#include "gpu/cufft/cufft_check.h"
#include "gpu/device/current_device.h"
#include "gpu/device/device_array.h"
#include "gpu/interior/interior_kernels.h"
#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/interior/interior_planes.h"
#include "solver/interior/interior_points.h"
#include "solver/memory_estimate.h"

namespace slipfield {
namespace {

InteriorShape shape_of(const Grid& grid) {
  InteriorShape shape{
      grid.mx, grid.my, fast_transform_size(2 * grid.mx - 1), fast_transform_size(2 * grid.my - 1),
      grid.dx, grid.dy};
  if (shape.padded() == 1) shape.nx = 2;  // cuFFT's least real transform
  return shape;
}

void make_plan(CufftPlan& plan, const InteriorShape& shape, cufftType type, int batch,
               cudaStream_t stream) {
  int lengths[2] = {shape.ny, shape.nx};
  int length = std::max(shape.nx, shape.ny);
  SLIPFIELD_CUFFT_CHECK(cufftPlanMany(plan.slot(), shape.line() ? 1 : 2,
                                      shape.line() ? &length : lengths, nullptr, 1, 0, nullptr, 1,
                                      0, type, batch));
  plan.made();
  SLIPFIELD_CUFFT_CHECK(cufftSetStream(plan.get(), stream));
}

// A list of values for each plane of the last depth, fetched on request.
class Fetched {
 public:
  const std::vector<double>& get(const double* device, std::size_t count, cudaStream_t stream) {
    if (valid_) return values_;
    values_.resize(count);
    SLIPFIELD_CUDA_CHECK(cudaMemcpyAsync(values_.data(), device, count * sizeof(double),
                                         cudaMemcpyDeviceToHost, stream));
    SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(stream));
    valid_ = true;
    return values_;
  }
  void forget() { valid_ = false; }

 private:
  std::vector<double> values_;
  bool valid_ = false;
};

// Owns data on its device, which is made current to create, use and destroy them.
class DeviceInterior {
 public:
  DeviceInterior(const InteriorTask& task, const ContactSolution& solution)
      : task_(task), shape_(shape_of(task.grid)), components_(components_of(task.need)) {
    const InteriorLoads tractions(solution);
    const std::size_t count = task.grid.count();
    for (int load = 0; load < kLoads; ++load) {
      if (tractions.exists(load)) sources_.load[sources_.count++] = load;
    }
    const auto sources = static_cast<std::size_t>(sources_.count);
    planes_ = DeviceArray<double>(static_cast<std::size_t>(components_) * shape_.elements());
    measures_ =
        DeviceArray<double>(static_cast<std::size_t>(kStressMeasures) * task.window.count());
    if (sources_.count == 0) {
      planes_.zero(stream_.get());
      measures_.zero(stream_.get());
      return;
    }
    responses_ =
        DeviceArray<double>(sources * static_cast<std::size_t>(components_) * shape_.elements());
    padded_ = DeviceArray<double>(sources * shape_.padded());
    spectra_ = DeviceArray<double2>(sources * shape_.points());
    loads_ = DeviceArray<double2>(sources * shape_.points());
    make_plan(forward_, shape_, CUFFT_D2Z, sources_.count, stream_.get());
    make_plan(backward_, shape_, CUFFT_Z2D, 1, stream_.get());
    for (std::size_t source = 0; source < sources; ++source) {
      planes_.upload(tractions.of(sources_.load[source]), count, stream_.get());
      launch_interior_pad(shape_, planes_.data(), padded_.data() + source * shape_.padded(),
                          stream_.get());
    }
    SLIPFIELD_CUFFT_CHECK(cufftExecD2Z(forward_.get(), padded_.data(), loads_.data()));
  }

  void compute(double depth) {
    for (Fetched& plane : fetched_planes_) plane.forget();
    for (Fetched& measure : fetched_measures_) measure.forget();
    if (sources_.count == 0) return;
    launch_interior_responses(shape_, sources_, components_, depth, task_.material.poisson_ratio,
                              responses_.data(), stream_.get());
    for (int c = 0; c < components_; ++c) form_component(c);
    const InteriorWindow& window = task_.window;
    launch_interior_measures({window.ix0, window.iy0, window.mx, window.my, shape_.mx},
                             planes_.data(), shape_.elements(), measures_.data(), stream_.get());
  }

  const std::vector<double>& component(int component) {
    const auto c = static_cast<std::size_t>(component);
    return fetched_planes_[c].get(planes_.data() + c * shape_.elements(), shape_.elements(),
                                  stream_.get());
  }

  const std::vector<double>& measure(InteriorQuantity quantity) {
    const std::size_t m = static_cast<std::size_t>(quantity) - kInteriorComponents;
    const std::size_t count = task_.window.count();
    return fetched_measures_[m].get(measures_.data() + m * count, count, stream_.get());
  }

 private:
  void form_component(int c) {
    launch_interior_tables(shape_, sources_, components_, c, responses_.data(), padded_.data(),
                           stream_.get());
    SLIPFIELD_CUFFT_CHECK(cufftExecD2Z(forward_.get(), padded_.data(), spectra_.data()));
    InteriorSources weighted = sources_;
    const double scale = (c >= kStressComponents ? 1.0 / task_.material.shear_modulus : 1.0) /
                         static_cast<double>(shape_.padded());
    for (int source = 0; source < sources_.count; ++source)
      weighted.weight[source] =
          load_sign(task_.body, sources_.load[source]) * component_sign(task_.body, c) * scale;
    launch_interior_product(shape_, weighted, spectra_.data(), loads_.data(), stream_.get());
    SLIPFIELD_CUFFT_CHECK(cufftExecZ2D(backward_.get(), spectra_.data(), padded_.data()));
    launch_interior_cut(shape_, padded_.data(),
                        planes_.data() + static_cast<std::size_t>(c) * shape_.elements(),
                        stream_.get());
  }

  InteriorTask task_;
  InteriorShape shape_;
  int components_;
  InteriorSources sources_;
  CudaStream stream_;
  DeviceArray<double> planes_;     // of the components
  DeviceArray<double> measures_;   // over the window
  DeviceArray<double> responses_;  // of sources and components, at differences from 0 on
  DeviceArray<double> padded_;     // a field of each source
  DeviceArray<double2> spectra_;   // of each source
  DeviceArray<double2> loads_;     // transforms of the tractions
  CufftPlan forward_;
  CufftPlan backward_;
  std::array<Fetched, kInteriorComponents> fetched_planes_;
  std::array<Fetched, kStressMeasures> fetched_measures_;
};

class CudaInteriorPlanes final : public InteriorPlanes {
 public:
  CudaInteriorPlanes(const InteriorTask& task, const ContactSolution& solution, int device)
      : device_(device), here_(std::in_place, task, solution) {}
  ~CudaInteriorPlanes() override {
    try {
      const OnDevice here(device_);
      here_.reset();
    } catch (const Error&) {  // the device is lost, and with it what was held there
      here_.reset();
    }
  }
  CudaInteriorPlanes(const CudaInteriorPlanes&) = delete;
  CudaInteriorPlanes& operator=(const CudaInteriorPlanes&) = delete;

  void compute(double depth) override {
    const OnDevice here(device_);
    here_->compute(depth);
  }
  const std::vector<double>& component(int component) override {
    const OnDevice here(device_);
    return here_->component(component);
  }
  const std::vector<double>& measure(InteriorQuantity quantity) override {
    const OnDevice here(device_);
    return here_->measure(quantity);
  }

 private:
  int device_;
  std::optional<DeviceInterior> here_;
};

}  // namespace

std::unique_ptr<InteriorPlanes> make_cuda_interior_planes(const InteriorTask& task,
                                                          const ContactSolution& solution,
                                                          int device) {
  require_cuda_device(cuda_status(), device);
  const OnDevice here(device);
  const std::size_t needed = cuda_interior_bytes(task.grid, task.need);
  const std::size_t free = free_device_bytes();
  if (needed > free)
    throw CudaOutOfMemory("stresses inside need up to " + readable_bytes(needed), free);
  return std::make_unique<CudaInteriorPlanes>(task, solution, device);
}

}  // namespace slipfield
