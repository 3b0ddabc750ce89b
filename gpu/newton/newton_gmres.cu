// SPDX-License-Identifier: Apache-2.0
// The kernel is in gpu/newton/newton_gmres.cuh.
#include "gpu/newton/newton_gmres.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "gpu/device/current_device.h"
#include "gpu/fft/transform.h"
#include "gpu/newton/newton_gmres.cuh"
#include "gpu/newton/newton_product.h"

namespace slipfield {

using newton_detail::GmresArguments;
using newton_detail::GmresLayout;
using newton_detail::kGmresThreads;

namespace {

int share_of(int count) { return (count + kGmresBlocks - 1) / kGmresBlocks; }

constexpr int kVectors = GridLimits::kKrylov + 1;  // of the basis

GmresArguments arguments_of(const FftShape& shape, const DeviceLimits& card) {
  GmresArguments a{};
  a.row = fft_transform(shape.nx, 0, card).pass;
  a.column = fft_transform(shape.ny, 0, card).pass;
  a.mx = shape.mx;
  a.my = shape.my;
  a.columns = shape.columns();
  a.pairs_per_block = share_of((shape.my + 1) / 2);
  a.columns_per_block = share_of(a.columns);
  const std::size_t rest = GmresLayout(a).bytes(a);
  if (rest < card.shared_per_block) {
    const auto fit = (card.shared_per_block - rest) / (sizeof(float) * gmres_entries(a));
    a.in_shared = static_cast<int>(std::min<std::size_t>(fit, kVectors));
  }
  return a;
}

Launch launch_of(const GmresArguments& a) {
  return {dim3(kGmresBlocks), kGmresThreads, GmresLayout(a).bytes(a), kGmresBlocks, true};
}

// Returns whether that many blocks of the current device can form a cluster; prepares the kernel
// for it.
bool runs_cluster(const Launch& how) {
  constexpr auto kKernel = newton_detail::gmres_kernel;
  SLIPFIELD_CUDA_CHECK(
      cudaFuncSetAttribute(kKernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  SLIPFIELD_CUDA_CHECK(cudaFuncSetAttribute(kKernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            static_cast<int>(current_limits().shared_per_block)));
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = how.cluster;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = how.blocks;
  config.blockDim = dim3(how.threads);
  config.dynamicSmemBytes = how.shared_bytes;
  config.attrs = &attribute;
  config.numAttrs = 1;
  int clusters = 0;
  if (cudaOccupancyMaxActiveClusters(&clusters, kKernel, &config) == cudaSuccess)
    return clusters > 0;
  static_cast<void>(cudaGetLastError());  // a card without clusters of this size
  return false;
}

// The same for the largest grid, determined once per device.
bool has_cluster(const DeviceLimits& card) {
  static std::mutex guard;
  static std::map<int, bool> known;
  int device = 0;
  SLIPFIELD_CUDA_CHECK(cudaGetDevice(&device));
  const std::lock_guard<std::mutex> lock(guard);
  const auto found = known.find(device);
  if (found != known.end()) return found->second;
  FftShape largest;
  largest.nx = largest.ny = kGmresLongest;
  largest.mx = largest.my = kGmresLongest / 2;
  const Launch how = launch_of(arguments_of(largest, card));
  return known[device] = how.shared_bytes <= card.shared_per_block && runs_cluster(how);
}

}  // namespace

bool NewtonGmres::takes(const FftShape& shape) {
  return shape.nx <= kGmresLongest && shape.ny <= kGmresLongest && NewtonProduct::takes(shape) &&
         has_cluster(current_limits());
}

struct NewtonGmres::Impl {
  GmresArguments arguments;
  DeviceArray<float> basis;
};

NewtonGmres::NewtonGmres(const FftShape& shape) : impl_(std::make_unique<Impl>()) {
  GmresArguments& a = impl_->arguments;
  a = arguments_of(shape, current_limits());
  impl_->basis = DeviceArray<float>(gmres_basis_floats(shape.mx, shape.my));
  a.basis = impl_->basis.data();
}

NewtonGmres::NewtonGmres(NewtonGmres&&) noexcept = default;
NewtonGmres& NewtonGmres::operator=(NewtonGmres&&) noexcept = default;
NewtonGmres::~NewtonGmres() = default;

void NewtonGmres::solve(const SpectrumMatrix& inverse, const SpectrumMatrix& slip,
                        const NewtonFields& f, const double* b, double* x, double tolerance,
                        int most, cudaStream_t stream) const {
  GmresArguments a = impl_->arguments;
  a.f = f;
  a.b = b;
  a.x = x;
  a.most = most;
  a.tolerance = tolerance;
  a.spectra = newton_spectra(inverse, slip, f.rho);
  launch_kernel(newton_detail::gmres_kernel, launch_of(a), stream, a);
}

}  // namespace slipfield
