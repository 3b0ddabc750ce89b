// SPDX-License-Identifier: Apache-2.0
// GMRES of a Newton step in rolling by one cluster of blocks, from the right side to the solution
// (THEORY.md 6.4, 6.5). Mirrors solver/fields/gmres.h around NewtonSolver::multiply; M and J M are
// in single precision, as in solver/cpu/team/cpu_newton_product.h, and so in units in which the
// coefficient of an element on itself is 1.
//
// Each block has some pairs of rows, with these elements' entries of the vectors, and some columns
// of the transforms, in its shared memory. A warp transforms one row pair or one column, so that
// between the passes of a transform only a warp synchronises. The parts of an iteration, separated
// by barriers of the cluster:
//
//   rows of the vector | columns of the preconditioner | join: rows back, M v, rows | columns of
//   the slip | rows back, J M v, products with the basis | their sums, the newest vector
#pragma once

#include <cooperative_groups.h>

#include "gpu/fft/columns.cuh"
#include "gpu/fft/rows.cuh"
#include "gpu/newton/gmres_basis.h"
#include "gpu/newton/newton_product.h"
#include "solver/fields/krylov_column.h"
#include "solver/fields/newton_ops.h"
#include "solver/tangential/newton_preconditioner.h"

namespace slipfield {
namespace newton_detail {

inline constexpr int kGmresThreads = 512;
inline constexpr int kGmresWarps = kGmresThreads / 32;
inline constexpr int kGmresPoints = 4;  // of a transform, in a thread
inline constexpr int kLinear = 2;       // directions of the slip
// Spectra that a warp multiplies: one of the preconditioner, and those of a direction of the slip.
inline constexpr int kGmresSpectra = 1 + kLinear;

struct GmresArguments {
  NewtonFields f;
  const double* b;  // right side
  double* x;        // solution
  float* basis;     // of all blocks, the vectors that are not in shared memory
  NewtonSpectra spectra;
  FftPass row;
  FftPass column;
  int mx;
  int my;
  int columns;  // nx/2 + 1
  int pairs_per_block;
  int columns_per_block;
  int most;       // products
  int in_shared;  // vectors of the basis in shared memory
  double tolerance;
};

// Scalars of a block.
struct GmresShared {
  FftPass row;
  FftPass column;
  GmresScalars<GridLimits::kKrylov> scalars;
  double partial[GridLimits::kKrylov + 1];  // the block's part of the newest products
  double sums[kGmresWarps];                 // of M v, of each warp
  double rigid[kLinear];                    // entries of the vector that M leaves as they are
};

// The most elements of a block, and its entries in a vector: x and y of its elements, and the rigid
// slips in the first block.
SLIPFIELD_HD inline int gmres_elements(const GmresArguments& a) {
  return 2 * a.pairs_per_block * a.mx;
}
SLIPFIELD_HD inline int gmres_entries(const GmresArguments& a) { return 2 * gmres_elements(a) + 2; }
// Complex numbers of a warp's transform, and of a column's rows.
SLIPFIELD_HD inline int gmres_slot(const GmresArguments& a) {
  return ((a.row.stride > a.column.stride ? a.row.stride : a.column.stride) + 1) & ~1;
}
SLIPFIELD_HD inline int gmres_pitch(const GmresArguments& a) { return (a.my + 1) / 2 * 2; }

// Offsets of the parts of a block's shared memory, in bytes.
struct GmresLayout {
  // Constant fields of single elements: D, the direction across q with its two roots, the part of
  // the rigid slip.
  static constexpr int kConstants = 9;
  std::size_t shared = 0;
  std::size_t vector, columns, slots, spectra, row_twiddles, column_twiddles, constants, joined,
      state, basis;

  SLIPFIELD_HD explicit GmresLayout(const GmresArguments& a) {
    const auto behind = [](std::size_t start, std::size_t bytes) {
      return (start + bytes + 15) / 16 * 16;
    };
    const auto elements = static_cast<std::size_t>(gmres_elements(a));
    const auto entries = static_cast<std::size_t>(gmres_entries(a));
    vector = behind(shared, sizeof(GmresShared));
    columns = behind(vector, sizeof(double) * entries);
    slots = behind(columns, sizeof(float2) * kDirections * a.columns_per_block * gmres_pitch(a));
    spectra = behind(slots, sizeof(float2) * kGmresWarps * gmres_slot(a));
    row_twiddles = behind(spectra, sizeof(float2) * kGmresThreads * kGmresPoints * kGmresSpectra);
    column_twiddles = behind(row_twiddles, sizeof(float2) * a.row.twiddle_count);
    constants = behind(column_twiddles, sizeof(float2) * a.column.twiddle_count);
    joined = behind(constants, sizeof(float) * kConstants * elements);
    state = behind(joined, sizeof(float) * entries);
    basis = behind(state, elements);
  }
  [[nodiscard]] SLIPFIELD_HD std::size_t bytes(const GmresArguments& a) const {
    return basis + sizeof(float) * static_cast<std::size_t>(a.in_shared) * gmres_entries(a);
  }
};

#if SLIPFIELD_FUSED_FFT

using fft_detail::add_spectrum_times;
using fft_detail::padded;
using fft_detail::row_of_pair;
using fft_detail::WarpSync;

// A lane's points of a transform.
struct Points {
  float2 v[kGmresPoints];
};

// Transposes v over four lanes kStride apart: point r of lane a becomes point a of lane r.
template <int kStride>
__device__ __forceinline__ void transpose_lanes(float2 (&v)[kGmresPoints], int lane) {
  const auto exchange = [lane](float2& low, float2& high, int apart) {
    const bool upper = (lane & apart) != 0;
    const float2 sent = upper ? low : high;
    const float2 other = make_float2(__shfl_xor_sync(0xffffffffu, sent.x, apart),
                                     __shfl_xor_sync(0xffffffffu, sent.y, apart));
    low = upper ? other : low;
    high = upper ? high : other;
  };
  exchange(v[0], v[1], kStride);
  exchange(v[2], v[3], kStride);
  exchange(v[0], v[2], 2 * kStride);
  exchange(v[1], v[3], 2 * kStride);
}

// fft_forward of n = 64 or 128 points with shuffles between its passes: with t = n/16 a + n/64 c +
// d and frequency k = r + 4 q + 16 s + 64 p, the points s of lane t become r, those of the lanes a
// become q, those of the lanes c become s, and for 128 points the two lanes d become p.
template <int n>
__device__ __forceinline__ void transform_in_lanes(float2 (&v)[kGmresPoints], float2* slot,
                                                   const float2* twiddles, int lane, bool active) {
  using fft_detail::dft;
  using fft_detail::twiddle;
  constexpr bool kPairs = n == 128;
  constexpr int kFirst = n / 16;  // lanes between those of the first exchange, and of the second
  constexpr int kSecond = n / 64;
  const float2* const of_second = twiddles + (kPairs ? 4 : 0);  // behind those of the last pass
  dft<4>(v);
  twiddle<4>(v, of_second[kFirst + lane % (n / 4)]);
  transpose_lanes<kFirst>(v, lane);
  dft<4>(v);
  twiddle<4>(v, of_second[lane % kFirst]);
  transpose_lanes<kSecond>(v, lane);
  dft<4>(v);
  if constexpr (kPairs) {
    const bool odd = lane % 2 != 0;
    twiddle<4>(v, twiddles[lane % 2]);
#pragma unroll
    for (float2& of : v) {
      const float2 other =
          make_float2(__shfl_xor_sync(0xffffffffu, of.x, 1), __shfl_xor_sync(0xffffffffu, of.y, 1));
      of = odd ? make_float2(other.x - of.x, other.y - of.y)
               : make_float2(of.x + other.x, of.y + other.y);
    }
  }
  // Back to natural order; two places between the halves keep lanes in different banks.
  const int half = kPairs ? lane % 2 : 0;
  float2* const to = slot + lane / kFirst + lane / kSecond % 4 * 4 + half * 66;
  if (active) {
#pragma unroll
    for (int s = 0; s < kGmresPoints; ++s) to[16 * s] = v[s];
  }
  __syncwarp();
#pragma unroll
  for (int s = 0; s < kGmresPoints; ++s) {
    const int k = lane % (n / 4) + s * (n / 4);
    v[s] = slot[k + 2 * (k / 64)];
  }
}

// Transforms a warp's points, those of its lanes t < n/4 (the others: t = 0, not active), in
// registers and its slot. Inlining it in its eight places triples the compile time without making
// it faster.
__device__ __noinline__ Points transformed(Points points, float2* slot, const float2* twiddles,
                                           const FftPass* pass, int t, bool active) {
  __syncwarp();
  if (pass->n == 128)
    transform_in_lanes<128>(points.v, slot, twiddles, t, active);
  else if (pass->n == 64)
    transform_in_lanes<64>(points.v, slot, twiddles, static_cast<int>(threadIdx.x) % 32, active);
  else
    fft_forward<kGmresPoints, true, WarpSync>(points.v, slot, twiddles, t, *pass, active);
  __syncwarp();
  return points;
}

struct GmresBlock {
  static constexpr int E = kGmresPoints;
  const GmresArguments& a;
  cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  int rank = static_cast<int>(cluster.block_rank());
  int warp = static_cast<int>(threadIdx.x) / 32;
  int lane = static_cast<int>(threadIdx.x) % 32;
  int first_row;  // of the block
  int elements;   // of the block
  int entries;    // of the block in a vector
  GmresShared* shared;
  double* vector;   // the newest one
  float2* columns;  // [field][column of the block][row], in place
  float2* slots;    // of the warps
  float2* spectra;  // [spectrum][point][thread], at the thread's points of its warp's column
  float2* row_twiddles;
  float2* column_twiddles;
  NewtonFieldsOf<float> f;  // of the block's elements: D, state and fraction; rho is 1
  float* across_x;
  float* across_y;
  float* across_shared;
  float* across_rest;
  float* fraction;
  float* joined;  // M times the vector
  float* kept;    // vectors of the basis, in shared memory and behind them
  float* more;

  __device__ __forceinline__ GmresBlock(const GmresArguments& arguments, unsigned char* memory)
      : a(arguments) {
    first_row = min(2 * rank * a.pairs_per_block, a.my);
    elements = (min(first_row + 2 * a.pairs_per_block, a.my) - first_row) * a.mx;
    entries = 2 * elements + (rank == 0 ? 2 : 0);
    const GmresLayout at(a);
    shared = reinterpret_cast<GmresShared*>(memory + at.shared);
    vector = reinterpret_cast<double*>(memory + at.vector);
    columns = reinterpret_cast<float2*>(memory + at.columns);
    slots = reinterpret_cast<float2*>(memory + at.slots);
    spectra = reinterpret_cast<float2*>(memory + at.spectra);
    row_twiddles = reinterpret_cast<float2*>(memory + at.row_twiddles);
    column_twiddles = reinterpret_cast<float2*>(memory + at.column_twiddles);
    float* const constants = reinterpret_cast<float*>(memory + at.constants);
    const int most = gmres_elements(a);
    f.rho = 1.0;
    f.scale = a.f.scale;
    f.force_x_given = a.f.force_x_given;
    f.force_y_given = a.f.force_y_given;
    f.dxx = constants;
    f.dxy = constants + most;
    f.dyx = constants + 2 * most;
    f.dyy = constants + 3 * most;
    across_x = constants + 4 * most;
    across_y = constants + 5 * most;
    across_shared = constants + 6 * most;
    across_rest = constants + 7 * most;
    fraction = constants + 8 * most;
    joined = reinterpret_cast<float*>(memory + at.joined);
    f.tangential.state = memory + at.state;
    kept = reinterpret_cast<float*>(memory + at.basis);
    more = a.basis + static_cast<std::size_t>(rank) * (GridLimits::kKrylov + 1) * gmres_entries(a);
  }

  // The index of a block's entry in a vector of the whole grid.
  [[nodiscard]] __device__ __forceinline__ std::size_t place(int entry) const {
    const std::size_t first = static_cast<std::size_t>(first_row) * a.mx;
    if (entry < elements) return first + entry;
    if (entry < 2 * elements) return a.f.count + first + (entry - elements);
    return 2 * a.f.count + (entry - 2 * elements);
  }
  // Vector k of the basis.
  [[nodiscard]] __device__ __forceinline__ float* stored(int k) const {
    return (k < a.in_shared ? kept : more) + k * gmres_entries(a);
  }
  [[nodiscard]] __device__ __forceinline__ float2* slot(int of_warp) const {
    return slots + of_warp * gmres_slot(a);
  }
  // The place where a warp transforms: its slot, the lane's first point there, the stride of its
  // points.
  struct Slot {
    float2* points;
    int t;
    int stride;
    bool active;
    [[nodiscard]] __device__ __forceinline__ float2& operator[](int s) const {
      return points[padded<E>(t) + s * stride];
    }
  };
  [[nodiscard]] __device__ __forceinline__ Slot own_slot(const FftPass& pass) const {
    const bool active = lane < pass.threads;
    return {slot(warp), active ? lane : 0, padded<E>(pass.threads), active};
  }
  [[nodiscard]] __device__ __forceinline__ Points loaded(const Slot& own) const {
    Points points;
#pragma unroll
    for (int s = 0; s < E; ++s) points.v[s] = own[s];
    return points;
  }
  __device__ __forceinline__ void store(const Points& points, const Slot& own) const {
    if (own.active) {
#pragma unroll
      for (int s = 0; s < E; ++s) own[s] = points.v[s];
    }
    __syncwarp();
  }
  [[nodiscard]] __device__ __forceinline__ Points row(const Points& points, const Slot& own) const {
    return transformed(points, own.points, row_twiddles, &shared->row, own.t, own.active);
  }
  [[nodiscard]] __device__ __forceinline__ Points column(const Points& points,
                                                         const Slot& own) const {
    return transformed(points, own.points, column_twiddles, &shared->column, own.t, own.active);
  }

  __device__ __forceinline__ void load() const {
    if (threadIdx.x == 0) {
      shared->row = a.row;
      shared->column = a.column;
    }
    load_twiddles(row_twiddles, a.row);
    load_twiddles(column_twiddles, a.column);
    fft_detail::wait_for_previous();
    for (int e = static_cast<int>(threadIdx.x); e < entries; e += kGmresThreads)
      vector[e] = a.b[place(e)];
    for (int e = static_cast<int>(threadIdx.x); e < elements; e += kGmresThreads) {
      const std::size_t i = place(e);
      f.dxx[e] = static_cast<float>(a.f.dxx[i]);
      f.dxy[e] = static_cast<float>(a.f.dxy[i]);
      f.dyx[e] = static_cast<float>(a.f.dyx[i]);
      f.dyy[e] = static_cast<float>(a.f.dyy[i]);
      f.tangential.state[e] = a.f.tangential.state[i];
      fraction[e] = static_cast<float>(rigid_fraction(a.f.tangential.fraction, i));
      const AcrossDirection across = across_if_slipping(a.f, i);
      across_x[e] = static_cast<float>(across.x);
      across_y[e] = static_cast<float>(across.y);
      across_shared[e] = static_cast<float>(across.shared);
      across_rest[e] = static_cast<float>(across.rest);
    }
    keep_spectra();
    __syncthreads();
  }
  [[nodiscard]] __device__ __forceinline__ AcrossDirectionOf<float> across(int e) const {
    return {across_x[e], across_y[e], across_shared[e], across_rest[e]};
  }

  // A warp's row pair of one of `fields` fields.
  struct Rows {
    int pair;  // in the block
    int field;
    bool active;
  };
  [[nodiscard]] __device__ __forceinline__ Rows rows_of(int of_warp, int fields) const {
    const int pair = of_warp / fields;
    return {pair, of_warp % fields, pair < a.pairs_per_block && first_row + 2 * pair < a.my};
  }
  // visit(s, local, x, e) for the elements of a thread: x = lane + s n/E of both rows.
  template <class Visit>
  __device__ __forceinline__ void each_element(const Rows& at, Visit&& visit) const {
    if (!at.active || lane >= a.row.threads) return;
#pragma unroll
    for (int s = 0; s < E / 2; ++s) {
      const int x = lane + s * a.row.threads;
      if (x >= a.mx) continue;
#pragma unroll
      for (int local = 0; local < 2; ++local) {
        if (first_row + 2 * at.pair + local < a.my)
          visit(s, local, x, (2 * at.pair + local) * a.mx + x);
      }
    }
  }

  // Both rows of a pair in column k, where the block of that column has it.
  [[nodiscard]] __device__ __forceinline__ float4* in_column(const Rows& at, int k) const {
    const int of = k / a.columns_per_block;
    const int column = at.field * a.columns_per_block + (k - of * a.columns_per_block);
    float2* const own = columns + column * gmres_pitch(a) + first_row + 2 * at.pair;
    return reinterpret_cast<float4*>(cluster.map_shared_rank(own, of));
  }
  // Transforms a pair of rows and writes it to the columns.
  __device__ __forceinline__ void transform_rows(const Points& points, const Rows& at) const {
    if (!at.active) return;
    const Slot own = own_slot(a.row);
    store(row(points, own), own);
    const int n = a.row.n;
    for (int k = lane; k <= n / 2; k += 32) {
      const float2 first = row_of_pair<E>(own.points, n, k, 0);
      const float2 second = row_of_pair<E>(own.points, n, k, 1);
      *in_column(at, k) = make_float4(first.x, first.y, second.x, second.y);
    }
    __syncwarp();
  }

  // Transforms the columns back to rows in the slot, for row_value(). The inverse is the transform
  // of points with real and imaginary parts swapped.
  __device__ __forceinline__ void invert_rows(const Rows& at) const {
    if (!at.active) return;
    const Slot own = own_slot(a.row);
    const int n = a.row.n;
    const bool has_second = first_row + 2 * at.pair + 1 < a.my;
    constexpr int kRounds = kGmresLongest / 2 / 32 + 1;
    float4 both[kRounds];
#pragma unroll
    for (int u = 0; u < kRounds; ++u)
      if (lane + 32 * u <= n / 2) both[u] = *in_column(at, lane + 32 * u);
#pragma unroll
    for (int u = 0; u < kRounds; ++u) {
      const int k = lane + 32 * u;
      if (k > n / 2) continue;
      if (!has_second) both[u].z = both[u].w = 0.0F;
      own.points[padded<E>(k)] = make_float2(both[u].y + both[u].z, both[u].x - both[u].w);
      if (k != 0 && k != n / 2)
        own.points[padded<E>(n - k)] = make_float2(both[u].z - both[u].y, both[u].x + both[u].w);
    }
    __syncwarp();
    store(row(loaded(own), own), own);
  }
  // A value in the slot that has that field of the pair.
  [[nodiscard]] __device__ __forceinline__ float row_value(const Rows& at, int fields, int field,
                                                           int x, int local) const {
    const float2 both = slot(at.pair * fields + field)[padded<E>(x)];
    return local == 0 ? both.y : both.x;
  }

  // Splits the vector for the preconditioner and transforms its rows.
  __device__ __forceinline__ void split() const {
    const Rows at = rows_of(warp, kDirections);
    Points points = {};
    each_element(at, [&](int s, int local, int, int e) {
      const SplitVectorOf<float> parts =
          split_vector(f.tangential.state[e], across(e), static_cast<float>(vector[e]),
                       static_cast<float>(vector[elements + e]));
      const float value = at.field == 0 ? parts.x : (at.field == 1 ? parts.y : parts.across);
      (local == 0 ? points.v[s].x : points.v[s].y) = value;
    });
    transform_rows(points, at);
  }

  // Writes M v from the preconditioned fields to its rows or, in the last call, scaled by the norm
  // of the right side, to the solution.
  __device__ __forceinline__ void join(bool last, double norm) const {
    const Rows at = rows_of(warp, kDirections);
    invert_rows(at);
    // Behind the elements of the first block lie the rigid slips.
    if (threadIdx.x < kLinear)
      shared->rigid[threadIdx.x] = *cluster.map_shared_rank(
          vector + 2 * min(2 * a.pairs_per_block, a.my) * a.mx + threadIdx.x, 0);
    __syncthreads();
    Points points = {};
    double sum = 0.0;
    if (at.field < kLinear) {
      each_element(at, [&](int s, int local, int x, int e) {
        const auto inner = [&](int field) { return row_value(at, kDirections, field, x, local); };
        const VectorPartOf<float> both = join_vector<float>(
            f.tangential.state[e], across(e), 1.0F, static_cast<float>(vector[e]),
            static_cast<float>(vector[elements + e]), {inner(0), inner(1), inner(2)});
        const float value = at.field == 0 ? both.x : both.y;
        if (last)
          a.x[place(at.field * elements + e)] = norm * value;
        else
          joined[at.field * elements + e] = value;
        (local == 0 ? points.v[s].x : points.v[s].y) = value;
        sum += value;
      });
    }
    if (last) {
      if (rank == 0 && threadIdx.x < kLinear)
        a.x[place(2 * elements + threadIdx.x)] = norm * vector[2 * elements + threadIdx.x];
      return;
    }
    __syncthreads();
    if (f.forces() != 0) {
      for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
      if (lane == 0) shared->sums[warp] = sum;
    }
    if (at.field < kLinear) transform_rows(points, at);
  }

  // A warp's column of one of `fields` fields.
  struct Column {
    int field;
    int kx;  // of the grid
    bool active;
    float2* rows;
  };
  [[nodiscard]] __device__ __forceinline__ Column column_of(int fields) const {
    const int local = warp / fields;
    const int field = warp % fields;
    const int kx = rank * a.columns_per_block + local;
    return {field, kx, local < a.columns_per_block && kx < a.columns,
            columns + (field * a.columns_per_block + local) * gmres_pitch(a)};
  }
  // The place of a spectrum at this thread's first point; the next ones are kGmresThreads apart.
  [[nodiscard]] __device__ __forceinline__ float2* own_spectrum(int k) const {
    return spectra + k * E * kGmresThreads + threadIdx.x;
  }
  // Keeps a spectrum at the thread's points of a column: what it makes of ones.
  __device__ __forceinline__ void keep_spectrum(int k, const SpectrumView& spectrum,
                                                const Column& at) const {
    float2 value[E] = {};
    if (at.active && spectrum.kind != SpectrumKind::none)
      add_spectrum_times<E>(value, spectrum, at.kx, own_slot(a.column).t, a.column,
                            [](int) { return make_float2(1.0F, 0.0F); });
#pragma unroll
    for (int s = 0; s < E; ++s) own_spectrum(k)[s * kGmresThreads] = value[s];
  }
  __device__ __forceinline__ void keep_spectra() const {
    const Column three = column_of(kDirections);
    keep_spectrum(0, a.spectra.inverse[three.field], three);
    const Column two = column_of(kLinear);
    for (int from = 0; from < kLinear; ++from)
      keep_spectrum(1 + from, a.spectra.slip[two.field][from], two);
  }
  // to += spectrum k times a column
  __device__ __forceinline__ void add_spectrum(Points& to, int k, const Points& of) const {
    const float2* const spectrum = own_spectrum(k);
#pragma unroll
    for (int s = 0; s < E; ++s) {
      const float2 with = spectrum[s * kGmresThreads];
      to.v[s].x = fma(with.x, of.v[s].x, fma(-with.y, of.v[s].y, to.v[s].x));
      to.v[s].y = fma(with.x, of.v[s].y, fma(with.y, of.v[s].x, to.v[s].y));
    }
  }

  // Multiplies the columns of kFields fields by their spectra; kCoupled: those of the slip, which
  // couple the fields.
  template <int kFields, bool kCoupled>
  __device__ __forceinline__ void multiply_columns() const {
    const Column at = column_of(kFields);
    const Slot own = own_slot(a.column);
    Points points = {};
    if (at.active) {
#pragma unroll
      for (int s = 0; s < E; ++s) {
        const int y = own.t + s * a.column.threads;
        if (y < a.my) points.v[s] = at.rows[y];
      }
      points = column(points, own);
    }
    Points product = {};
    if constexpr (kCoupled) {
      if (at.active) store(points, own);
      __syncthreads();
      if (at.active) {
#pragma unroll
        for (int from = 0; from < kFields; ++from) {
          Slot other = own;
          other.points = slot(warp - at.field + from);
          add_spectrum(product, 1 + from, loaded(other));
        }
      }
      __syncthreads();
    } else {
      add_spectrum(product, 0, points);
    }
    if (!at.active) return;
#pragma unroll
    for (int s = 0; s < E; ++s) points.v[s] = make_float2(product.v[s].y, product.v[s].x);
    points = column(points, own);
    if (!own.active) return;
#pragma unroll
    for (int s = 0; s < E / 2; ++s) {
      const int y = own.t + s * a.column.threads;
      if (y < a.my) at.rows[y] = make_float2(points.v[s].y, points.v[s].x);
    }
  }

  // Replaces the newest vector by J M v. Ends with a barrier of the block.
  __device__ __forceinline__ void jacobian() const {
    const Rows at = rows_of(warp, kLinear);
    invert_rows(at);
    __syncthreads();
    const float rigid[kLinear] = {static_cast<float>(shared->rigid[0]),
                                  static_cast<float>(shared->rigid[1])};
    NewtonFieldsOf<float> own = f;
    own.tangential.fraction = nullptr;
    each_element(at, [&](int, int local, int x, int e) {
      const auto image = [&](int field) { return row_value(at, kLinear, field, x, local); };
      own.scale = f.scale * fraction[e];
      const VectorPartOf<float> product = jacobian_times<float>(
          own, e, {joined[e], joined[elements + e]}, {image(0), image(1)}, rigid);
      vector[at.field * elements + e] = at.field == 0 ? product.x : product.y;
    });
    if (rank == 0 && warp >= kGmresWarps - kLinear) put_force_row(warp - (kGmresWarps - kLinear));
    __syncthreads();
  }
  // Sets the force row from all sums of M v; if the rigid slip is given, its entry as it was.
  __device__ __forceinline__ void put_force_row(int field) const {
    const bool given = field == 0 ? f.force_x_given : f.force_y_given;
    double sum = 0.0;
    if (given && lane < kGmresBlocks) {
      const double* const sums = cluster.map_shared_rank(&shared->sums[0], lane);
      for (int pair = 0; pair < a.pairs_per_block; ++pair) sum += sums[pair * kDirections + field];
    }
    for (int offset = 16; offset > 0; offset >>= 1)
      sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (lane == 0) vector[2 * elements + field] = given ? f.scale * sum : shared->rigid[field];
  }

  // The block's part of the products of the newest vector with `count` of the basis, followed by
  // that of its square.
  __device__ __forceinline__ void multiply_basis(int count) const {
    for (int k = warp; k <= count; k += kGmresWarps) {
      const float* const with = k < count ? stored(k) : nullptr;
      double sum = 0.0;
#pragma unroll 4
      for (int e = lane; e < entries; e += 32) {
        const double value = vector[e];
        sum += (with == nullptr ? value : static_cast<double>(with[e])) * value;
      }
      for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
      if (lane == 0) shared->partial[k] = sum;
    }
  }
  // After a barrier of the cluster, adds the sums of its blocks. Ends with a barrier of the block.
  __device__ __forceinline__ void add_products(int count) const {
    for (int k = warp; k <= count; k += kGmresWarps) {
      double sum = 0.0;
      if (lane < kGmresBlocks) sum = *cluster.map_shared_rank(&shared->partial[k], lane);
      for (int offset = kGmresBlocks / 2; offset > 0; offset >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, offset);
      if (lane == 0) shared->scalars.column[k] = sum;
    }
    __syncthreads();
  }
  // store(e, start(e) + sign * the sum of `count` of the basis times their factors), for the
  // block's entries, by the first `threads` threads.
  template <class Start, class Store>
  __device__ __forceinline__ void add_basis(int threads, int count, const double* factor,
                                            double sign, Start&& start, Store&& store) const {
    for (int e = static_cast<int>(threadIdx.x); e < entries; e += threads) {
      double value = start(e);
#pragma unroll 4
      for (int k = 0; k < count; ++k) value += sign * factor[k] * static_cast<double>(stored(k)[e]);
      store(e, value);
    }
  }
  // Subtracts the basis from the newest vector, divides it by its norm and stores it behind `count`
  // others; by the first `threads` threads.
  __device__ __forceinline__ void subtract_basis(int threads, int count) const {
    const double norm2 = norm2_left(shared->scalars.column, count);
    const double over = norm2 > 0.0 ? 1.0 / sqrt(norm2) : 0.0;
    float* const to = stored(count);
    add_basis(
        threads, count, shared->scalars.column, -1.0, [&](int e) { return vector[e]; },
        [&](int e, double value) {
          vector[e] = value * over;
          to[e] = static_cast<float>(value * over);
        });
  }
  // vector = the sum of `count` of the basis by the factors found
  __device__ __forceinline__ void combine(int count) const {
    add_basis(
        kGmresThreads, count, shared->scalars.factor, 1.0, [](int) { return 0.0; },
        [&](int e, double value) { vector[e] = value; });
  }
};

#endif  // SLIPFIELD_FUSED_FFT

__global__ void __launch_bounds__(kGmresThreads, 1)
    gmres_kernel(const __grid_constant__ GmresArguments a) {
#if SLIPFIELD_FUSED_FFT
  extern __shared__ uint4 gmres_shared[];
  const GmresBlock block(a, reinterpret_cast<unsigned char*>(gmres_shared));
  const auto& cluster = block.cluster;
  auto& scalars = block.shared->scalars;
  block.load();
  block.multiply_basis(0);
  cluster.sync();
  block.add_products(0);
  const double norm = sqrt(norm2_left(scalars.column, 0));
  bool last = !(norm > 0.0);
  int n = 0;
  if (threadIdx.x == 0) scalars.rhs[0] = 1.0;  // whatever the norm: later values fit into floats
  if (last)
    block.combine(0);
  else
    block.subtract_basis(kGmresThreads, 0);
  while (true) {
    __syncthreads();
    block.split();
    cluster.sync();
    block.multiply_columns<kDirections, false>();
    cluster.sync();
    block.join(last, norm);
    if (last) break;
    cluster.sync();
    block.multiply_columns<kLinear, true>();
    cluster.sync();
    block.jacobian();
    block.multiply_basis(n + 1);
    cluster.sync();
    block.add_products(n + 1);
    if (block.warp < kGmresWarps - 1)
      block.subtract_basis(kGmresThreads - 32, n + 1);
    else if (block.lane == 0)
      take_column(scalars, n, GridLimits::kKrylovRounding);
    __syncthreads();
    ++n;
    const bool exhausted = !(scalars.norm2 > 0.0) || !isfinite(scalars.norm2);
    last = n == a.most || !(fabs(scalars.rhs[n]) > a.tolerance) || exhausted;
    if (!last) continue;
    fft_detail::let_next_start();
    if (threadIdx.x == 0) back_substitute(scalars, n, GridLimits::kSingular);
    __syncthreads();
    block.combine(n);
  }
  if (block.rank == 0 && threadIdx.x == 0) a.f.scalars->products = n;
  cluster.sync();  // keeps a block's memory until all have read it
#endif
}

}  // namespace newton_detail
}  // namespace slipfield
