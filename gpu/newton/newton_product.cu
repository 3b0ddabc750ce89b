// SPDX-License-Identifier: Apache-2.0
// Mirrors NewtonSolver::multiply of solver/tangential/newton_solver.h. The kernels are in
// gpu/newton/newton_rows.cuh; columns are multiplied by those of gpu/fft/columns.cuh.
#include "gpu/newton/newton_product.h"

#include "gpu/device/current_device.h"
#include "gpu/fft/transform.h"
#include "gpu/newton/newton_rows.cuh"

namespace slipfield {

using newton_detail::NewtonRows;

namespace {

constexpr int kMostRows = 512;

// Index of the points per thread, 4 or 8; -1: neither.
int index_for(const FftShape& shape, const DeviceLimits& card) {
  const int chosen = choose_fft_rows(shape.nx, (shape.my + 1) / 2, kDirections) == 0 ? 0 : 1;
  for (const int index : {chosen, 1 - chosen}) {
    const FftTransform& transform = fft_transform(shape.nx, index, card);
    if (transform.usable && kDirections * transform.pass.threads <= kFftMaxThreads &&
        fft_shared_bytes(transform.length, kDirections) <= card.shared_per_block)
      return index;
  }
  return -1;
}

FftSide side_of(const FftTransform& transform, int fields) {
  FftSide side;
  side.transform = &transform;
  side.group = fields;
  side.threads = (fields * transform.pass.threads + 31) / 32 * 32;
  side.shared_bytes = fft_shared_bytes(transform.length, fields);
  return side;
}

}  // namespace

bool NewtonProduct::takes(const FftShape& shape) {
  return shape.engine == FftEngine::fused && shape.boundary == Boundary::free &&
         shape.my <= kMostRows && index_for(shape, current_limits()) >= 0;
}

struct NewtonProduct::Impl {
  FftShape shape;
  FftSide three;  // blocks of three fields, and of two
  FftSide two;
  void (*split)(NewtonRows) = nullptr;
  void (*join)(NewtonRows) = nullptr;
  void (*jacobian)(NewtonRows) = nullptr;
};

NewtonProduct::NewtonProduct(const FftShape& shape) : impl_(std::make_unique<Impl>()) {
  using namespace newton_detail;
  const DeviceLimits card = current_limits();
  const int index = index_for(shape, card);
  if (index < 0) throw Error("NewtonProduct: a grid that it does not take");
  const FftTransform& transform = fft_transform(shape.nx, index, card);
  impl_->shape = shape;
  impl_->three = side_of(transform, 3);
  impl_->two = side_of(transform, 2);
  impl_->split = index == 0 ? split_kernel<4> : split_kernel<8>;
  impl_->join = index == 0 ? join_kernel<4> : join_kernel<8>;
  impl_->jacobian = index == 0 ? jacobian_kernel<4> : jacobian_kernel<8>;
  for (auto* kernel : {impl_->split, impl_->join, impl_->jacobian})
    SLIPFIELD_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                              static_cast<int>(card.shared_per_block)));
}

NewtonProduct::NewtonProduct(NewtonProduct&&) noexcept = default;
NewtonProduct& NewtonProduct::operator=(NewtonProduct&&) noexcept = default;
NewtonProduct::~NewtonProduct() = default;

void NewtonProduct::apply(FftProduct& product, const SpectrumMatrix& inverse,
                          const SpectrumMatrix& slip, const NewtonFields& f, const double* in,
                          double* joined, double* out, cudaStream_t stream) const {
  const Impl& impl = *impl_;
  NewtonRows rows{};
  rows.f = f;
  rows.in = in;
  rows.joined = joined;
  rows.out = out;
  for (int field = 0; field < kDirections; ++field) rows.work[field] = product.work(field);
  rows.mx = impl.shape.mx;
  rows.my = impl.shape.my;
  rows.pitch = product.pitch();
  rows.pass = impl.three.pass();
  constexpr bool kThree[] = {true, true, true};
  constexpr bool kTwo[] = {true, true, false};
  const dim3 blocks((impl.shape.my + 1) / 2);
  launch_fft(impl.split, blocks, impl.three, 1, true, rows, stream);
  product.multiply_columns(inverse, kThree, stream);
  launch_fft(impl.join, blocks, impl.three, 1, true, rows, stream);
  product.multiply_columns(slip, kTwo, stream);
  launch_fft(impl.jacobian, blocks, impl.two, 1, true, rows, stream);
}

}  // namespace slipfield
