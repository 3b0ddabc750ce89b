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
  DeviceArray<double> sums;

  [[nodiscard]] dim3 blocks() const { return {static_cast<unsigned>(shape.my + 1) / 2}; }
  [[nodiscard]] NewtonRows rows_of(FftProduct& product, const NewtonFields& f, const double* in,
                                   double* joined);
  void precondition(FftProduct& product, const SpectrumMatrix& inverse, const NewtonRows& rows,
                    cudaStream_t stream) const;
};

NewtonProduct::NewtonProduct(const FftShape& shape) : impl_(std::make_unique<Impl>()) {
  using namespace newton_detail;
  const DeviceLimits card = current_limits();
  const int index = index_for(shape, card);
  if (index < 0) throw Error("NewtonProduct: a grid that it does not take");
  const FftTransform& transform = fft_transform(shape.nx, index, card);
  impl_->shape = shape;
  impl_->sums = DeviceArray<double>(2 * impl_->blocks().x);
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

newton_detail::NewtonRows NewtonProduct::Impl::rows_of(FftProduct& product, const NewtonFields& f,
                                                       const double* in, double* joined) {
  NewtonRows rows{};
  rows.sums = sums.data();
  rows.f = f;
  rows.in = in;
  rows.joined = joined;
  for (int field = 0; field < kDirections; ++field) rows.work[field] = product.work(field);
  rows.mx = shape.mx;
  rows.my = shape.my;
  rows.pitch = product.pitch();
  rows.pass = three.pass();
  return rows;
}

void NewtonProduct::Impl::precondition(FftProduct& product, const SpectrumMatrix& inverse,
                                       const NewtonRows& rows, cudaStream_t stream) const {
  constexpr bool kThree[] = {true, true, true};
  launch_fft(split, blocks(), three, 1, true, rows, stream);
  product.multiply_columns(inverse, kThree, stream);
  launch_fft(join, blocks(), three, 1, true, rows, stream);
}

void NewtonProduct::apply(FftProduct& product, const SpectrumMatrix& inverse,
                          const SpectrumMatrix& slip, const NewtonFields& f, const double* in,
                          double* joined, double* out, cudaStream_t stream) const {
  NewtonRows rows = impl_->rows_of(product, f, in, joined);
  rows.out = out;
  impl_->precondition(product, inverse, rows, stream);
  constexpr bool kTwo[] = {true, true, false};
  product.multiply_columns(slip, kTwo, stream);
  launch_fft(impl_->jacobian, impl_->blocks(), impl_->two, 1, true, rows, stream);
}

void NewtonProduct::precondition(FftProduct& product, const SpectrumMatrix& inverse,
                                 const NewtonFields& f, const double* in, double* joined,
                                 cudaStream_t stream) const {
  impl_->precondition(product, inverse, impl_->rows_of(product, f, in, joined), stream);
}

}  // namespace slipfield
