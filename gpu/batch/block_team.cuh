// SPDX-License-Identifier: Apache-2.0
// One block as the team that solves a contact of a batch (solver/batch/small_solver.h).
//
// Mirrors solver/batch/cpu_team.h. Products are transforms in shared memory; the two fields of a
// vector field are the real and imaginary part of one. All other data of the contact is in the
// block's own device memory, which the caches hold (0.4 MB at 32 x 32 including the Krylov basis).
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "gpu/batch/batch_kernels.h"
#include "gpu/device/block_sum.cuh"
#include "gpu/fft/butterflies.cuh"
#include "solver/batch/small_contact.h"
#include "solver/fields/element_op.h"

namespace slipfield {

// Two-dimensional transforms of one contact by one block, in place in shared memory, or in its own
// device memory if the padded grid is too large.
//
// A line of n = P Q points takes two passes: butterflies of P points Q apart, rotations,
// butterflies of Q adjacent points. Frequency f is then at (f mod P) Q + f/P; the inverse takes the
// passes in reverse order, so that no pass needs a second buffer and one barrier after each
// suffices. The threads of a warp take neighbouring lines: rows are an odd number of points apart,
// columns adjacent, so that there are no bank conflicts.
//
// Traffic: each pass reads and writes every point once. 64 x 64 points of which a quarter is loaded
// and a quarter wanted are 7 passes of 4096 points for a product, 0.46 MB of shared memory in
// single precision, 3,600 clocks at 128 bytes each.

// The lines of a transform: their points and places. `loaded` of the n points are nonzero before a
// forward transform, and wanted after a backward one.
struct BlockLines {
  int n = 1;
  int count = 1;
  unsigned reciprocal = 0;  // ceil(2^20/count): i/count = i reciprocal >> 20
  int point = 1;            // from one point to the next
  int line = 1;
  int loaded = 1;
};

namespace block_fft_detail {

using namespace fft_detail;

template <class C>
__device__ __forceinline__ C swapped(C a) {
  return PairOf<C>::make(a.y, a.x);
}

// Butterflies of P points: forward the first pass, backward the last.
template <int P, int Q, bool kForward, class C>
__device__ __forceinline__ void wide_pass(C* field, const BlockLines& l, const C* twiddles) {
  for (int i = threadIdx.x; i < l.count * Q; i += blockDim.x) {
    const int q = static_cast<int>((static_cast<unsigned>(i) * l.reciprocal) >> 20);
    C* const at = field + (i - q * l.count) * l.line + q * l.point;
    C x[P];
    if (kForward) {
#pragma unroll
      for (int p = 0; p < P; ++p)
        x[p] = p * Q + q < l.loaded ? at[p * Q * l.point] : PairOf<C>::make(0, 0);
      dft<P>(x);
      at[0] = x[0];
#pragma unroll
      for (int p = 1; p < P; ++p) at[p * Q * l.point] = times(x[p], twiddles[p * q]);
    } else {
      x[0] = swapped(at[0]);
#pragma unroll
      for (int p = 1; p < P; ++p) x[p] = times(swapped(at[p * Q * l.point]), twiddles[p * q]);
      dft<P>(x);
#pragma unroll
      for (int p = 0; p < P; ++p)
        if (p * Q + q < l.loaded) at[p * Q * l.point] = swapped(x[p]);
    }
  }
  __syncthreads();
}

// Butterflies of Q adjacent points: forward the last pass, backward the first.
template <int P, int Q, bool kForward, class C>
__device__ __forceinline__ void narrow_pass(C* field, const BlockLines& l) {
  for (int i = threadIdx.x; i < l.count * P; i += blockDim.x) {
    const int p = static_cast<int>((static_cast<unsigned>(i) * l.reciprocal) >> 20);
    C* const at = field + (i - p * l.count) * l.line + p * Q * l.point;
    C x[Q];
#pragma unroll
    for (int q = 0; q < Q; ++q) x[q] = kForward ? at[q * l.point] : swapped(at[q * l.point]);
    dft<Q>(x);
#pragma unroll
    for (int q = 0; q < Q; ++q) at[q * l.point] = kForward ? x[q] : swapped(x[q]);
  }
  __syncthreads();
}

template <int P, int Q, class C>
__device__ __forceinline__ void forward(C* field, const BlockLines& l, const C* twiddles) {
  wide_pass<P, Q, true>(field, l, twiddles);
  narrow_pass<P, Q, true>(field, l);
}

template <int P, int Q, class C>
__device__ __forceinline__ void backward(C* field, const BlockLines& l, const C* twiddles) {
  narrow_pass<P, Q, false>(field, l);
  wide_pass<P, Q, false>(field, l, twiddles);
}

}  // namespace block_fft_detail

// The lengths that lines may have, with their first factors (gpu/batch/batch_kernels.h).
#define SLIPFIELD_EACH_BLOCK_LENGTH(CASE) \
  CASE(16, 4, 4)                          \
  CASE(32, 4, 8)                          \
  CASE(48, 6, 8) CASE(64, 8, 8) CASE(96, 8, 12) CASE(128, 8, 16) CASE(144, 12, 12) CASE(192, 12, 16)

// Transforms all lines without normalisation. twiddles[k] = exp(-2 pi i k/n). Every thread of the
// block calls it after a barrier; it ends with a barrier.
template <bool kForward, class C>
__device__ __noinline__ void transform_lines(C* field, const BlockLines l, const C* twiddles) {
  switch (l.n) {
#define SLIPFIELD_CASE(N, P, Q)                             \
  case N:                                                   \
    if (kForward)                                           \
      block_fft_detail::forward<P, Q>(field, l, twiddles);  \
    else                                                    \
      block_fft_detail::backward<P, Q>(field, l, twiddles); \
    break;
    SLIPFIELD_EACH_BLOCK_LENGTH(SLIPFIELD_CASE)
#undef SLIPFIELD_CASE
    default:  // one point: nothing to do
      break;
  }
}

// The lines of the padded grid, and its pairs of frequencies in device memory.
struct BlockGrid {
  BatchShape shape;
  bool exact_shared = true;
  bool rough_shared = true;
  BlockLines rows;     // those with elements
  BlockLines columns;  // all
  const FrequencyPair* pairs = nullptr;
  int pair_count = 0;
  const double2* twiddles = nullptr;  // of rows, then of columns: in device memory
};

namespace block_team_detail {

template <class C>
__device__ __forceinline__ C conjugate(C a) {
  return fft_detail::PairOf<C>::make(a.x, -a.y);
}
template <class C>
__device__ __forceinline__ C times_i(C a) {
  return fft_detail::PairOf<C>::make(-a.y, a.x);
}
template <class C, class Real>
__device__ __forceinline__ C scaled(Real a, C b) {
  return fft_detail::PairOf<C>::make(a * b.x, a * b.y);
}

// The input of a transform: two real fields as one complex field.
template <class C, class Real>
__device__ void load_fields(C* field, const BlockGrid& g, const Real* x, const Real* y) {
  const int count = g.shape.mx * g.shape.my;
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    const int iy = i / g.shape.mx;
    field[iy * g.shape.row + i - iy * g.shape.mx] =
        fft_detail::PairOf<C>::make(x[i], y != nullptr ? y[i] : Real{0});
  }
  __syncthreads();
}

template <class C, class Real>
__device__ void store_fields(const C* field, const BlockGrid& g, Real* x, Real* y) {
  const int count = g.shape.mx * g.shape.my;
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    const int iy = i / g.shape.mx;
    const C value = field[iy * g.shape.row + i - iy * g.shape.mx];
    x[i] = value.x;
    if (y != nullptr) y[i] = value.y;
  }
  __syncthreads();
}

// Splits the sum x + iy at a frequency and its opposite into x and y, and back.
template <class C>
struct Split {
  C x;
  C y;
};
template <class C>
__device__ __forceinline__ Split<C> split(C at, C opposite) {
  using namespace fft_detail;
  using Real = typename PairOf<C>::Real;
  const C other = conjugate(opposite);
  return {scaled(Real(0.5), at + other), times_minus_i(scaled(Real(0.5), at - other))};
}
template <class C>
__device__ __forceinline__ void join(C* field, FrequencyPair pair, C x, C y) {
  using namespace fft_detail;
  field[pair.at] = x + times_i(y);
  field[pair.opposite] = conjugate(x) + times_i(conjugate(y));
}

}  // namespace block_team_detail

__device__ inline BlockLines block_lines(int n, int count, int point, int line, int loaded) {
  const unsigned reciprocal =
      ((1U << 20) + static_cast<unsigned>(count) - 1) / static_cast<unsigned>(count);
  return {n, count, reciprocal, point, line, loaded};
}

__device__ inline BlockGrid block_grid(const BatchGrid& grid) {
  const BatchShape& s = grid.shape;
  BlockGrid block;
  block.shape = s;
  block.exact_shared = grid.exact_shared;
  block.rough_shared = grid.rough_shared;
  block.rows = block_lines(s.nx, s.my, 1, s.row, s.mx);
  block.columns = block_lines(s.ny, s.nx, s.row, 1, s.my);
  block.pairs = grid.pairs;
  block.pair_count = grid.pair_count;
  block.twiddles = reinterpret_cast<const double2*>(grid.twiddles);
  return block;
}

template <int kThreads>
class BlockTeam {
 public:
  using Real = float;

  // own: the block's own memory, for padded grids that do not fit into shared memory. Call
  // take_grid() before anything else.
  __device__ BlockTeam(const BlockGrid& grid, char* shared, char* own)
      : grid_(grid), shared_(shared), own_(own) {}

  // After a change of grid, copies its twiddles to shared memory behind the padded grid. All
  // threads call it after a barrier.
  __device__ void take_grid() {
    const std::size_t points = static_cast<std::size_t>(grid_.shape.row * grid_.shape.ny);
    exact_ = reinterpret_cast<double2*>(grid_.exact_shared ? shared_ : own_);
    rough_ = reinterpret_cast<float2*>(grid_.rough_shared ? shared_ : own_);
    const std::size_t each = grid_.exact_shared   ? sizeof(double2)
                             : grid_.rough_shared ? sizeof(float2)
                                                  : 0;
    const int lines = grid_.shape.nx + grid_.shape.ny;
    exact_twiddles_ = reinterpret_cast<double2*>(shared_ + points * each);
    rough_twiddles_ = reinterpret_cast<float2*>(exact_twiddles_ + lines);
    for (int i = threadIdx.x; i < lines; i += kThreads) {
      const double2 w = grid_.twiddles[i];
      exact_twiddles_[i] = w;
      rough_twiddles_[i] = make_float2(static_cast<float>(w.x), static_cast<float>(w.y));
    }
    __syncthreads();
  }

  __device__ void take_up(const FamilySpectra& spectra) { spectra_ = spectra; }

  __device__ double2* exact_field() const { return exact_; }
  __device__ const double2* exact_twiddles() const { return exact_twiddles_; }

  __device__ static bool first() { return threadIdx.x == 0; }
  __device__ static void wait() { __syncthreads(); }

  template <class Op>
  __device__ void run(std::size_t count, const Op& op) {
    static_assert(kIsSound<Op>);
    constexpr int kSums = kSumsOf<Op>;
    double sums[kSums > 0 ? kSums : 1] = {};
    for (std::size_t i = threadIdx.x; i < count; i += kThreads) op.element(i, sums);
    if constexpr (kSums > 0 || kHasFinish<Op>) {
      block_sum<kSums, kThreads>(sums);
      if (threadIdx.x == 0) op.finish(sums);
    }
    __syncthreads();
  }

  __device__ double greatest(const double* values, std::size_t count) {
    double most = 0.0;
    for (std::size_t i = threadIdx.x; i < count; i += kThreads) most = fmax(most, values[i]);
    return greatest_of(most);
  }
  // Returns the greatest of all threads' values to every thread.
  __device__ static double greatest_of(double most) {
    __shared__ double of_warp[kThreads / 32];
    for (int offset = 16; offset > 0; offset >>= 1)
      most = fmax(most, __shfl_xor_sync(0xffffffffu, most, offset));
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = most;
    __syncthreads();
    for (int w = 0; w < kThreads / 32; ++w) most = fmax(most, of_warp[w]);
    __syncthreads();
    return most;
  }

  __device__ __noinline__ void multiply_normal(const double* in, double* out) {
    scale(spectra_.normal, in, out);
  }
  __device__ __noinline__ void precondition_normal(const double* in, double* out) {
    scale(spectra_.normal_inverse, in, out);
  }
  __device__ __noinline__ void multiply_displacement(const double* in, double* out) {
    multiply(exact_, exact_twiddles_, spectra_.displacement, in, out);
  }
  __device__ __noinline__ void multiply_slip(const double* in, double* out) {
    multiply(exact_, exact_twiddles_, spectra_.slip, in, out);
  }
  __device__ __noinline__ void multiply_slip(const float* in, float* out) {
    multiply(rough_, rough_twiddles_, spectra_.rough, in, out);
  }
  __device__ __noinline__ void precondition_slip(const float* in, float* out) {
    using namespace block_team_detail;
    using fft_detail::times;
    const std::size_t count = static_cast<std::size_t>(grid_.shape.mx * grid_.shape.my);
    load_fields(rough_, grid_, in, in + count);
    forward(rough_, rough_twiddles_);
    for (int k = threadIdx.x; k < grid_.pair_count; k += kThreads) {
      const FrequencyPair pair = grid_.pairs[k];
      const Split<float2> p = split(rough_[pair.at], rough_[pair.opposite]);
      join(rough_, pair, times(spectra_.inverse[k], p.x),
           times(spectra_.inverse[grid_.pair_count + k], p.y));
    }
    __syncthreads();
    backward(rough_, rough_twiddles_);
    store_fields(rough_, grid_, out, out + count);
  }

  // Like CpuTeam's; one warp per vector. Adds eight floats at a time, then in double precision.
  __device__ __noinline__ void multiply_basis(const float* basis, std::size_t stride, int vectors,
                                              const float* w, std::size_t size, double* out) {
    constexpr int kEach = 8;
    const int lane = threadIdx.x % 32;
    const int n = static_cast<int>(size);
    for (int k = threadIdx.x / 32; k <= vectors; k += kThreads / 32) {
      const float* const v = k < vectors ? basis + static_cast<std::size_t>(k) * stride : w;
      double sum = 0.0;
      int i = lane;
      for (; i + 32 * (kEach - 1) < n; i += 32 * kEach) {
        float part = 0.0F;
#pragma unroll
        for (int e = 0; e < kEach; ++e) part = fmaf(v[i + 32 * e], w[i + 32 * e], part);
        sum += part;
      }
      for (; i < n; i += 32) sum += static_cast<double>(v[i]) * w[i];
      for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
      if (lane == 0) out[k] = sum;
    }
    __syncthreads();
  }

  __device__ __noinline__ void subtract_basis(const float* basis, std::size_t stride, int vectors,
                                              const double* factor, double norm2, std::size_t size,
                                              float* w) {
    const float scale = static_cast<float>(1.0 / sqrt(norm2));
    combine<true>(basis, stride, vectors, factor, scale, static_cast<int>(size), w);
  }
  __device__ __noinline__ void combine_basis(const float* basis, std::size_t stride, int vectors,
                                             const double* factor, std::size_t size, float* out) {
    combine<false>(basis, stride, vectors, factor, 1.0F, static_cast<int>(size), out);
  }

 private:
  template <class C>
  __device__ void forward(C* field, const C* twiddles) {
    transform_lines<true>(field, grid_.rows, twiddles);
    transform_lines<true>(field, grid_.columns, twiddles + grid_.shape.nx);
  }
  template <class C>
  __device__ void backward(C* field, const C* twiddles) {
    transform_lines<false>(field, grid_.columns, twiddles + grid_.shape.nx);
    transform_lines<false>(field, grid_.rows, twiddles);
  }

  __device__ void scale(const double* factor, const double* in, double* out) {
    using namespace block_team_detail;
    load_fields(exact_, grid_, in, static_cast<const double*>(nullptr));
    forward(exact_, exact_twiddles_);
    for (int k = threadIdx.x; k < grid_.pair_count; k += kThreads) {
      const FrequencyPair pair = grid_.pairs[k];
      const double a = factor[k];
      const double2 at = scaled(a, exact_[pair.at]);
      const double2 opposite = scaled(a, exact_[pair.opposite]);
      exact_[pair.at] = at;
      exact_[pair.opposite] = opposite;
    }
    __syncthreads();
    backward(exact_, exact_twiddles_);
    store_fields(exact_, grid_, out, static_cast<double*>(nullptr));
  }

  template <class C, class Number>
  __device__ void multiply(C* field, const C* twiddles, const C* spectra, const Number* in,
                           Number* out) {
    using namespace block_team_detail;
    using namespace fft_detail;
    const std::size_t count = static_cast<std::size_t>(grid_.shape.mx * grid_.shape.my);
    load_fields(field, grid_, in, in + count);
    forward(field, twiddles);
    for (int k = threadIdx.x; k < grid_.pair_count; k += kThreads) {
      const FrequencyPair pair = grid_.pairs[k];
      const Split<C> p = split(field[pair.at], field[pair.opposite]);
      const C xx = spectra[k];
      const C xy = spectra[grid_.pair_count + k];
      const C yy = spectra[2 * grid_.pair_count + k];
      join(field, pair, times(xx, p.x) + times(xy, p.y), times(xy, p.x) + times(yy, p.y));
    }
    __syncthreads();
    backward(field, twiddles);
    store_fields(field, grid_, out, out + count);
  }

  // Four elements per thread at a time, so that four loads are in flight.
  template <bool kSubtract>
  __device__ void combine(const float* basis, std::size_t stride, int vectors, const double* factor,
                          float scale, int size, float* out) {
    constexpr int kEach = 4;
    for (int first = threadIdx.x; first < size; first += kEach * kThreads) {
      float value[kEach];
#pragma unroll
      for (int e = 0; e < kEach; ++e) {
        const int i = first + e * kThreads;
        value[e] = kSubtract && i < size ? out[i] : 0.0F;
      }
      for (int k = 0; k < vectors; ++k) {
        const float part = static_cast<float>(kSubtract ? -factor[k] : factor[k]);
        const float* const v = basis + static_cast<std::size_t>(k) * stride;
#pragma unroll
        for (int e = 0; e < kEach; ++e) {
          const int i = first + e * kThreads;
          if (i < size) value[e] = fmaf(part, v[i], value[e]);
        }
      }
#pragma unroll
      for (int e = 0; e < kEach; ++e) {
        const int i = first + e * kThreads;
        if (i < size) out[i] = scale * value[e];
      }
    }
    __syncthreads();
  }

  const BlockGrid& grid_;
  char* shared_;
  char* own_;
  FamilySpectra spectra_;
  double2* exact_;
  float2* rough_;
  double2* exact_twiddles_;
  float2* rough_twiddles_;
};

}  // namespace slipfield
