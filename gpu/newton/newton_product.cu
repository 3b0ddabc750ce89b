// SPDX-License-Identifier: Apache-2.0
// Mirrors NewtonSolver::multiply of solver/tangential/newton_solver.h. The kernels are in
// gpu/newton/newton_product.cu; columns are multiplied by those of gpu/fft/columns.cuh.

#include "gpu/newton/newton_product.h"

#include "gpu/device/current_device.h"
#include "gpu/fft/rows.cuh"
#include "gpu/fft/transform.h"
#include "solver/tangential/newton_preconditioner.h"

namespace slipfield {

// The row kernels of a GMRES product of the Newton method in rolling: J M v (THEORY.md 6.4, 6.5)
// with what is done to single elements between the transforms. Mirrors SplitForPreconditioner and
// JoinPreconditioned of solver/tangential/newton_preconditioner.h, and MultiplyJacobian of
// solver/fields/newton_ops.h.
//
//   split:    v split for the preconditioner, 3 fields: rows
//   join:     rows back of 3 fields, joined to M v; rows of 2 fields
//   jacobian: rows back of 2 fields, S M v; J M v
//
// A block has one pair of rows of all fields, a slot of threads and of shared memory for each.
// Transforms are in single precision, vectors and fields of single elements in double.
// Traffic by element of a free grid, nx = 2 mx: split 49 bytes and 24 of the columns; join 65 and
// 40; jacobian 65 and 16.

namespace newton_detail {

struct NewtonRows {
  NewtonFields f;
  const double* in;  // v
  double* joined;    // M v
  double* out;       // J M v
  double* sums;      // of M v, x and y of each block; where a force is prescribed
  float2* work[3];   // columns of each field
  int mx;
  int my;
  int pitch;  // of a column, in complex numbers
  FftPass pass;
};

#if SLIPFIELD_FUSED_FFT

using fft_detail::row_of_pair;
using fft_detail::store_pair;

// A thread's slot, and where it lies.
struct SlotPlace {
  float2* twiddles;
  float2* slots;
  float2* shared;  // of this thread's slot
  int row;         // the first of the pair
  int field, t;    // 0 where the thread has none
  bool active;

  __device__ __forceinline__ SlotPlace(const NewtonRows& a, int fields, float2* memory)
      : twiddles(memory),
        slots(memory + a.pass.twiddle_count),
        row(2 * blockIdx.x),
        active(static_cast<int>(threadIdx.x) < fields * a.pass.threads) {
    field = active ? threadIdx.x / a.pass.threads : 0;
    t = active ? threadIdx.x - field * a.pass.threads : 0;
    shared = slots + field * a.pass.stride;
  }
};

// The beginning of each kernel.
template <int kFields>
__device__ __forceinline__ SlotPlace begin_slots(const NewtonRows& a) {
  extern __shared__ float2 newton_shared[];
  const SlotPlace at(a, kFields, newton_shared);
  begin_transforms(at.twiddles, a.pass);
  return at;
}

// Copies the columns of both rows of each field to the slots, like join_row_pairs of
// gpu/fft/rows.cuh. Ends with a barrier.
template <int E, int kFields>
__device__ __forceinline__ void load_slots(const NewtonRows& a, const SlotPlace& at) {
  const int n = a.pass.n;
  const int count = kFields * n;
  const auto field_of = [n](int w) {
    return static_cast<int>(w >= n) + static_cast<int>(w >= 2 * n);
  };
  const auto read = [&](int field, int k, int local) {
    return at.row + local < a.my
               ? a.work[field][static_cast<std::size_t>(k) * a.pitch + at.row + local]
               : make_float2(0.0F, 0.0F);
  };
  float2 mine[E];
#pragma unroll
  for (int u = 0; u < E; ++u) {
    const int w = threadIdx.x + u * blockDim.x;
    const int field = field_of(w);
    mine[u] = w < count ? read(field, (w - field * n) >> 1, w & 1) : make_float2(0.0F, 0.0F);
  }
  const int lane = static_cast<int>(threadIdx.x);
  float2 nyquist = make_float2(0.0F, 0.0F);
  if (lane < 2 * kFields) nyquist = read(lane >> 1, n / 2, lane & 1);
#pragma unroll
  for (int u = 0; u < E; ++u) {
    const int w = threadIdx.x + u * blockDim.x;
    float2 other;
    other.x = __shfl_xor_sync(0xffffffffu, mine[u].x, 1);
    other.y = __shfl_xor_sync(0xffffffffu, mine[u].y, 1);
    if (w >= count) continue;
    const int field = field_of(w);
    const int k = (w - field * n) >> 1;
    store_pair<E>(at.slots + field * a.pass.stride, n, k, w & 1, mine[u], other);
  }
  if (lane < 32) {
    float2 other;
    other.x = __shfl_xor_sync(0xffffffffu, nyquist.x, 1);
    other.y = __shfl_xor_sync(0xffffffffu, nyquist.y, 1);
    if (lane < 2 * kFields && (lane & 1) == 0)
      store_pair<E>(at.slots + (lane >> 1) * a.pass.stride, n, n / 2, 0, nyquist, other);
  }
  __syncthreads();
}

// Transforms the rows back: slot[x] = (value of the first row, of the second). Ends with a barrier.
template <int E>
__device__ __forceinline__ void invert_slots(const NewtonRows& a, const SlotPlace& at) {
  float2 v[E];
  invert_points<E>(v, at.shared, at.twiddles, at.t, a.pass, at.active);
  __syncthreads();
  if (at.active) {
#pragma unroll
    for (int s = 0; s < E / 2; ++s)
      at.shared[at.t + s * a.pass.threads] = make_float2(v[s].y, v[s].x);
  }
  __syncthreads();
}

// Transforms the rows v of the first kFields slots and writes their columns. Starts with a barrier.
template <int E, int kFields>
__device__ __forceinline__ void transform_slots(float2 (&v)[E], const NewtonRows& a,
                                                const SlotPlace& at) {
  const bool active = at.active && at.field < kFields;
  float2* const shared = active ? at.shared : at.slots;
  __syncthreads();
  transform_points<E, true>(v, shared, at.twiddles, at.t, a.pass, active);
  const int n = a.pass.n;
  const auto write = [&](int field, int k, int local) {
    if (at.row + local >= a.my) return;
    a.work[field][static_cast<std::size_t>(k) * a.pitch + at.row + local] =
        row_of_pair<E>(at.slots + field * a.pass.stride, n, k, local);
  };
  for (int w = static_cast<int>(threadIdx.x); w < kFields * n; w += static_cast<int>(blockDim.x)) {
    const int field = static_cast<int>(w >= n) + static_cast<int>(w >= 2 * n);
    write(field, (w - field * n) >> 1, w & 1);
  }
  const int lane = static_cast<int>(threadIdx.x);
  if (lane < 2 * kFields) write(lane >> 1, n / 2, lane & 1);
}

// visit(s, local, x, i) for the elements of a thread: x = t + s n/E of both rows.
template <int E, class Visit>
__device__ __forceinline__ void each_own_element(const NewtonRows& a, const SlotPlace& at,
                                                 Visit&& visit) {
#pragma unroll
  for (int s = 0; s < E / 2; ++s) {
    const int x = at.t + s * a.pass.threads;
    if (x >= a.mx) continue;
#pragma unroll
    for (int local = 0; local < 2; ++local) {
      if (at.row + local < a.my)
        visit(s, local, x, static_cast<std::size_t>(at.row + local) * a.mx + x);
    }
  }
}

__device__ __forceinline__ float part_of(float2 pair, int local) {
  return local == 0 ? pair.x : pair.y;
}
__device__ __forceinline__ void set_part(float2& pair, int local, float value) {
  (local == 0 ? pair.x : pair.y) = value;
}

// Sum of count numbers by the block's first warp, in all its lanes; the same bits in every run.
__device__ __forceinline__ double warp_sum(const double* values, int count) {
  double sum = 0.0;
  for (int k = static_cast<int>(threadIdx.x & 31); k < count; k += 32) sum += values[k];
  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  return sum;
}

// Writes the block's part of the sums of M v; `mine`: of each thread. The slots are free by now.
__device__ __forceinline__ void put_sums(const NewtonRows& a, const SlotPlace& at, double mine) {
  double* const values = reinterpret_cast<double*>(at.slots);
  const int threads = a.pass.threads;
  __syncthreads();
  if (at.active && at.field < 2) values[at.field * threads + at.t] = mine;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  for (int field = 0; field < 2; ++field) {
    const double sum = warp_sum(values + field * threads, threads);
    if (threadIdx.x == 0) a.sums[field * gridDim.x + blockIdx.x] = sum;
  }
}

// Sets the force rows from the blocks' sums of M v; if the rigid slip is given, its entry as it
// was.
__device__ __forceinline__ void put_force_rows(const NewtonRows& a) {
  if (blockIdx.x != 0 || threadIdx.x >= 32) return;
  for (int field = 0; field < 2; ++field) {
    const bool given = field == 0 ? a.f.force_x_given : a.f.force_y_given;
    const std::size_t place = 2 * a.f.count + field;
    const double sum =
        given ? warp_sum(a.sums + field * gridDim.x, static_cast<int>(gridDim.x)) : 0.0;
    if (threadIdx.x == 0) a.out[place] = given ? a.f.scale * sum : a.joined[place];
  }
}

// Copies the entries of the rigid slips, which M does not change.
__device__ __forceinline__ void copy_rigid_entries(const NewtonRows& a, const double* from,
                                                   double* to) {
  if (blockIdx.x == 0 && threadIdx.x < 2)
    to[2 * a.f.count + threadIdx.x] = from[2 * a.f.count + threadIdx.x];
}

__device__ __forceinline__ AcrossDirectionOf<float> across_of(const NewtonFields& f,
                                                              std::size_t i) {
  const AcrossDirection across = across_if_slipping(f, i);
  return {static_cast<float>(across.x), static_cast<float>(across.y),
          static_cast<float>(across.shared), static_cast<float>(across.rest)};
}
__device__ __forceinline__ VectorPartOf<float> vector_at(const NewtonRows& a, std::size_t i) {
  return {static_cast<float>(a.in[i]), static_cast<float>(a.in[a.f.count + i])};
}

#endif  // SLIPFIELD_FUSED_FFT

template <int E>
__global__ void __launch_bounds__(kFftMaxThreads, 1)
    split_kernel(const __grid_constant__ NewtonRows a) {
#if SLIPFIELD_FUSED_FFT
  const SlotPlace at = begin_slots<3>(a);
  float2 v[E] = {};
  if (at.active) {
    each_own_element<E>(a, at, [&](int s, int local, int, std::size_t i) {
      const VectorPartOf<float> part = vector_at(a, i);
      const SplitVectorOf<float> split =
          split_vector(a.f.tangential.state[i], across_of(a.f, i), part.x, part.y);
      set_part(v[s], local, at.field == 0 ? split.x : (at.field == 1 ? split.y : split.across));
    });
  }
  transform_slots<E, 3>(v, a, at);
#endif
}

template <int E>
__global__ void __launch_bounds__(kFftMaxThreads, 1)
    join_kernel(const __grid_constant__ NewtonRows a) {
#if SLIPFIELD_FUSED_FFT
  const SlotPlace at = begin_slots<3>(a);
  load_slots<E, 3>(a, at);
  invert_slots<E>(a, at);
  float2 v[E] = {};
  if (at.active && at.field < 2) {
    each_own_element<E>(a, at, [&](int s, int local, int x, std::size_t i) {
      const auto inner = [&](int field) {
        return part_of(at.slots[field * a.pass.stride + x], local);
      };
      const VectorPartOf<float> part = vector_at(a, i);
      const VectorPartOf<float> joined =
          join_vector(a.f.tangential.state[i], across_of(a.f, i), 1.0F, part.x, part.y,
                      SplitVectorOf<float>{inner(0), inner(1), inner(2)});
      const float value = at.field == 0 ? joined.x : joined.y;
      a.joined[at.field * a.f.count + i] = value;
      set_part(v[s], local, value);
    });
  }
  copy_rigid_entries(a, a.in, a.joined);
  double sum = 0.0;
#pragma unroll
  for (int s = 0; s < E / 2; ++s) sum += v[s].x + v[s].y;
  transform_slots<E, 2>(v, a, at);
  if (a.f.forces() != 0) put_sums(a, at, sum);
#endif
}

template <int E>
__global__ void __launch_bounds__(kFftMaxThreads, 1)
    jacobian_kernel(const __grid_constant__ NewtonRows a) {
#if SLIPFIELD_FUSED_FFT
  const SlotPlace at = begin_slots<2>(a);
  load_slots<E, 2>(a, at);
  invert_slots<E>(a, at);
  NewtonFields f = a.f;
  f.rho = 1.0;  // the spectra contain it
  if (at.active) {
    each_own_element<E>(a, at, [&](int, int local, int x, std::size_t i) {
      const auto image = [&](int field) {
        return part_of(at.slots[field * a.pass.stride + x], local);
      };
      const VectorPart product =
          jacobian_times<double>(f, i, {a.joined[i], a.joined[a.f.count + i]}, {image(0), image(1)},
                                 a.joined + 2 * a.f.count);
      a.out[at.field * a.f.count + i] = at.field == 0 ? product.x : product.y;
    });
  }
  put_force_rows(a);
#endif
}

}  // namespace newton_detail

using fft_detail::ColumnArguments;
using newton_detail::NewtonRows;

namespace {

constexpr int kMostRows = 512;

// Index of the points per thread, 4 or 8; -1 if neither is possible.
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

// A block's shared memory holds floats.
FftSide in_single(FftSide side) {
  side.shared_bytes /= 2;
  return side;
}
FftSide row_side_of(const FftTransform& transform, int fields) {
  FftSide side;
  side.transform = &transform;
  side.group = fields;
  side.threads = (fields * transform.pass.threads + 31) / 32 * 32;
  side.shared_bytes = fft_shared_bytes(transform.length, fields);
  return in_single(side);
}
FftSide column_side_of(const FftShape& shape, int fields, const DeviceLimits& card) {
  FftSide sides[3];
  for (int i = 0; i < 3; ++i) sides[i] = fft_column_side(shape.ny, shape.columns(), i, card);
  return in_single(
      sides[nearest_usable(sides, choose_fft_columns(shape.ny, shape.columns(), fields))]);
}

}  // namespace

NewtonSpectra newton_spectra(const SpectrumMatrix& inverse, const SpectrumMatrix& slip,
                             double rho) {
  const auto view = [](const SpectrumMatrix& of, int to, int from, double scale) {
    return of.block[to][from] == nullptr ? SpectrumView{}
                                         : of.block[to][from]->view(scale * of.sign[to][from]);
  };
  NewtonSpectra spectra;
  for (int d = 0; d < kDirections; ++d)
    spectra.inverse[d] = view(inverse, d, d, d < 2 ? 1.0 / rho : 1.0);
  for (int to = 0; to < 2; ++to)
    for (int from = 0; from < 2; ++from) spectra.slip[to][from] = view(slip, to, from, rho);
  return spectra;
}

bool NewtonProduct::takes(const FftShape& shape) {
  return shape.engine == FftEngine::fused && shape.boundary == Boundary::free &&
         shape.my <= kMostRows && index_for(shape, current_limits()) >= 0;
}

struct NewtonProduct::Impl {
  FftShape shape;
  FftSide three;  // rows, in blocks of three fields, and of two
  FftSide two;
  FftSide three_columns;  // columns of three fields that do not couple, and of two that do
  FftSide two_columns;
  void (*split)(NewtonRows) = nullptr;
  void (*join)(NewtonRows) = nullptr;
  void (*jacobian)(NewtonRows) = nullptr;
  DeviceArray<double> sums;

  [[nodiscard]] dim3 blocks() const { return {static_cast<unsigned>(shape.my + 1) / 2}; }
  [[nodiscard]] ColumnArguments columns_of(const NewtonRows& rows, const FftSide& side,
                                           int fields) const;
  [[nodiscard]] unsigned column_blocks(const FftSide& side) const {
    return static_cast<unsigned>((shape.columns() + side.group - 1) / side.group);
  }
};

NewtonProduct::NewtonProduct(const FftShape& shape) : impl_(std::make_unique<Impl>()) {
  using namespace newton_detail;
  const DeviceLimits card = current_limits();
  const int index = index_for(shape, card);
  if (index < 0) throw Error("NewtonProduct: a grid that it does not take");
  const FftTransform& transform = fft_transform(shape.nx, index, card);
  impl_->shape = shape;
  impl_->sums = DeviceArray<double>(2 * impl_->blocks().x);
  impl_->three = row_side_of(transform, 3);
  impl_->two = row_side_of(transform, 2);
  impl_->three_columns = column_side_of(shape, 3, card);
  impl_->two_columns = column_side_of(shape, 2, card);
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

ColumnArguments NewtonProduct::Impl::columns_of(const NewtonRows& rows, const FftSide& side,
                                                int fields) const {
  ColumnArguments column{};
  for (int d = 0; d < fields; ++d) {
    column.work[d] = reinterpret_cast<double2*>(rows.work[d]);
    column.takes[d] = column.gives[d] = true;
  }
  column.my = shape.my;
  column.pitch = rows.pitch;
  column.columns = shape.columns();
  column.columns_per_block = side.group;
  column.pass = side.pass();
  return column;
}

void NewtonProduct::apply(FftProduct& product, const SpectrumMatrix& inverse,
                          const SpectrumMatrix& slip, const NewtonFields& f, const double* in,
                          double* joined, double* out, cudaStream_t stream) const {
  Impl& of = *impl_;
  NewtonRows rows{};
  rows.sums = of.sums.data();
  rows.f = f;
  rows.in = in;
  rows.joined = joined;
  rows.out = out;
  for (int field = 0; field < kDirections; ++field)
    rows.work[field] = reinterpret_cast<float2*>(product.work(field));
  rows.mx = of.shape.mx;
  rows.my = of.shape.my;
  rows.pitch = product.pitch();
  rows.pass = of.three.pass();

  const NewtonSpectra spectra = newton_spectra(inverse, slip, f.rho);
  ColumnArguments three = of.columns_of(rows, of.three_columns, 3);
  for (int d = 0; d < kDirections; ++d) three.spectrum[d][d] = spectra.inverse[d];
  ColumnArguments two = of.columns_of(rows, of.two_columns, 2);
  for (int to = 0; to < 2; ++to)
    for (int from = 0; from < 2; ++from) two.spectrum[to][from] = spectra.slip[to][from];

  launch_fft(of.split, of.blocks(), of.three, 1, true, rows, stream);
  launch_fft(of.three_columns.kernels().single_columns[0],
             dim3(of.column_blocks(of.three_columns), 3), of.three_columns, 1, true, three, stream);
  launch_fft(of.join, of.blocks(), of.three, 1, true, rows, stream);
  launch_fft(of.two_columns.kernels().single_columns[1], dim3(2 * of.column_blocks(of.two_columns)),
             of.two_columns, 2, true, two, stream);
  launch_fft(of.jacobian, of.blocks(), of.two, 1, true, rows, stream);
}

}  // namespace slipfield
