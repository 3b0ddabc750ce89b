// SPDX-License-Identifier: Apache-2.0
// Kernels of a batch: coefficients and their transforms, and the contacts themselves. Mirrors
// solver/batch/cpu_products.cpp and solver/batch/cpu_batch.cpp.
#include <cmath>

#include "gpu/batch/batch_kernels.h"
#include "gpu/batch/block_team.cuh"
#include "solver/batch/small_solver.h"
#include "solver/influence/block.h"
#include "solver/influence/influence_coefficients.h"

namespace slipfield {
namespace {

// Blocks of 256 threads, two to a multiprocessor, or of 512 where shared memory holds one.
constexpr int kSmallThreads = 256;
constexpr int kLargeThreads = 512;

BlockGrid block_grid(const BatchLaunch& launch) {
  const BatchShape& s = launch.shape;
  const auto lines = [](int n, int count, int point, int line, int loaded) {
    const unsigned reciprocal =
        ((1U << 20) + static_cast<unsigned>(count) - 1) / static_cast<unsigned>(count);
    return BlockLines{n, count, reciprocal, point, line, loaded};
  };
  BlockGrid grid;
  grid.shape = s;
  grid.rows = lines(s.nx, s.my, 1, s.row, s.mx);
  grid.columns = lines(s.ny, s.nx, s.row, 1, s.my);
  grid.pairs = launch.pairs;
  grid.pair_count = launch.pair_count;
  grid.twiddles = reinterpret_cast<const double2*>(launch.twiddles);
  return grid;
}

// The coefficient at (kx, ky) as CpuFftConvolution::transform places it: half a transform away the
// mean of both sides.
__device__ double placed_coefficient(Component component, bool change, int ix, int iy,
                                     const BatchShape& s, const BatchFamily& f,
                                     const CombinedMaterial& material) {
  const int kx = 2 * ix <= s.nx ? ix : ix - s.nx;
  const int ky = 2 * iy <= s.ny ? iy : iy - s.ny;
  const bool half_x = s.nx > 1 && 2 * kx == s.nx;
  const bool half_y = s.ny > 1 && 2 * ky == s.ny;
  double sum = 0.0;
  for (int side_y = 0; side_y <= (half_y ? 1 : 0); ++side_y) {
    for (int side_x = 0; side_x <= (half_x ? 1 : 0); ++side_x) {
      const double x = side_x == 0 ? kx : -kx;
      const double y = (side_y == 0 ? ky : -ky) * f.aspect;
      sum += influence_coefficient(component, x, y, 1.0, f.aspect, material);
      if (change)
        sum -= influence_coefficient(component, x + f.offset_x, y + f.offset_y, 1.0, f.aspect,
                                     material);
    }
  }
  return sum / ((half_x ? 2.0 : 1.0) * (half_y ? 2.0 : 1.0));
}

// The regularised inverse of the transforms in `spectrum`, as CpuFftConvolution::inverse.
__device__ double2 inverse_of(double2 a, double floor, double scale) {
  const double size2 = a.x * a.x + a.y * a.y + floor * floor;
  const double factor = size2 == 0.0 ? 0.0 : scale / size2;
  return make_double2(factor * a.x, -factor * a.y);
}

__global__ void __launch_bounds__(kSmallThreads)
    family_kernel(const BlockGrid grid, const BatchFamily* families, char* memory) {
  extern __shared__ __align__(16) char shared[];
  double2* const field = reinterpret_cast<double2*>(shared);
  const BlockTeam<kSmallThreads> team(grid, shared);  // brings the twiddles
  const double2* const twiddles = field + grid.shape.row * grid.shape.ny;
  const BatchFamily family = families[blockIdx.x];
  const CombinedMaterial material{1.0, family.poisson_ratio, 0.0};
  const bool rolls = family.offset_x != 0.0 || family.offset_y != 0.0;
  const auto pairs = static_cast<std::size_t>(grid.pair_count);
  const FamilySpectra out = family_spectra(memory + blockIdx.x * family_bytes(pairs), pairs);
  BlockLines rows = grid.rows;
  rows.count = grid.shape.ny;
  rows.reciprocal =
      ((1U << 20) + static_cast<unsigned>(rows.count) - 1) / static_cast<unsigned>(rows.count);
  rows.loaded = grid.shape.nx;
  BlockLines columns = grid.columns;
  columns.loaded = grid.shape.ny;
  const double points = static_cast<double>(grid.shape.nx) * grid.shape.ny;
  const int last = rolls ? 7 : 4;
  for (int which = 0; which < last; ++which) {
    const bool change = which > 3;
    constexpr Component kComponents[7] = {Component::nn, Component::xx, Component::xy,
                                          Component::yy, Component::xx, Component::xy,
                                          Component::yy};
    for (int i = threadIdx.x; i < grid.shape.nx * grid.shape.ny; i += kSmallThreads) {
      const int iy = i / grid.shape.nx;
      const int ix = i - iy * grid.shape.nx;
      field[iy * grid.shape.row + ix] = make_double2(
          placed_coefficient(kComponents[which], change, ix, iy, grid.shape, family, material),
          0.0);
    }
    __syncthreads();
    transform_lines<true>(field, rows, twiddles);
    transform_lines<true>(field, columns, twiddles + grid.shape.nx);
    const int of = (which + 2) % 3;  // xx, xy, yy
    double greatest = 0.0;
    for (int k = threadIdx.x; k < grid.pair_count; k += kSmallThreads) {
      const double2 a = field[grid.pairs[k].at];
      greatest = fmax(greatest, sqrt(a.x * a.x + a.y * a.y));
      if (which == 0) {
        out.normal[k] = a.x / points;
      } else {
        (change ? out.slip : out.displacement)[of * pairs + k] =
            make_double2(a.x / points, a.y / points);
        if (change)
          out.rough[of * pairs + k] =
              make_float2(static_cast<float>(a.x / points), static_cast<float>(a.y / points));
      }
    }
    greatest = BlockTeam<kSmallThreads>::greatest_of(greatest);
    const double floor = (which == 0 ? kNormalShare : kTangentialShare) * greatest;
    for (int k = threadIdx.x; k < grid.pair_count; k += kSmallThreads) {
      const double2 inverse = inverse_of(field[grid.pairs[k].at], floor, 1.0 / points);
      if (which == 0) out.normal_inverse[k] = inverse.x;
      if (change && of != 1)
        out.inverse[(of / 2) * pairs + k] =
            make_float2(static_cast<float>(inverse.x), static_cast<float>(inverse.y));
    }
    __syncthreads();
  }
}

template <int kThreads, int kBlocks>
__global__ void __launch_bounds__(kThreads, kBlocks)
    batch_kernel(const BlockGrid grid, const BatchItem* items, int count, const double* distances,
                 char* spectra, char* memory, std::size_t memory_bytes, int* taken,
                 SmallResult* results, const BatchFieldsOut fields_out) {
  extern __shared__ __align__(16) char shared[];
  __shared__ SmallScalars scalars;
  __shared__ BatchItem item;
  __shared__ SmallFields<float> fields;
  __shared__ int next;
  BlockTeam<kThreads> team(grid, shared);
  const auto elements = static_cast<std::size_t>(grid.shape.mx) * grid.shape.my;
  const auto pairs = static_cast<std::size_t>(grid.pair_count);
  if (threadIdx.x == 0) lay_out_fields(elements, memory + blockIdx.x * memory_bytes, fields);
  while (true) {
    if (threadIdx.x == 0) {
      next = atomicAdd(taken, 1);
      if (next < count) item = items[next];
    }
    __syncthreads();
    const int i = next;
    if (i >= count) return;
    team.take_up(family_spectra(
        spectra + static_cast<std::size_t>(item.family) * family_bytes(pairs), pairs));
    const SmallResult result = solve_small_contact(
        team, item.task, distances + static_cast<std::size_t>(item.shape) * elements, fields,
        scalars);
    if (threadIdx.x == 0) results[i] = result;
    const auto begin = static_cast<std::size_t>(i) * elements;
    for (std::size_t k = threadIdx.x; fields_out.pressure != nullptr && k < elements;
         k += kThreads) {
      fields_out.pressure[begin + k] = fields.pressure[k];
      fields_out.traction[2 * begin + k] = fields.traction[k];
      fields_out.traction[2 * begin + elements + k] = fields.traction[elements + k];
      fields_out.state[begin + k] = fields.state[k];
    }
    __syncthreads();
  }
}

using BatchKernel = decltype(&batch_kernel<kSmallThreads, 2>);

struct KernelChoice {
  BatchKernel kernel;
  int threads;
};

// Shared memory decides how many blocks a multiprocessor takes.
KernelChoice choose_kernel(const BatchShape& shape) {
  constexpr std::size_t kHalf = 100 * 1024;
  if (batch_shared_bytes(shape) <= kHalf) return {batch_kernel<kSmallThreads, 2>, kSmallThreads};
  return {batch_kernel<kLargeThreads, 1>, kLargeThreads};
}

template <class Kernel>
void allow_shared(Kernel kernel, std::size_t bytes) {
  SLIPFIELD_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            static_cast<int>(bytes)));
}

}  // namespace

void launch_family_spectra(const BatchLaunch& launch, const BatchFamily* families, int count,
                           cudaStream_t stream) {
  const std::size_t bytes = batch_shared_bytes(launch.shape);
  allow_shared(family_kernel, bytes);
  family_kernel<<<static_cast<unsigned>(count), kSmallThreads, bytes, stream>>>(
      block_grid(launch), families, launch.spectra);
  SLIPFIELD_LAUNCH_CHECK("family_kernel");
}

int batch_blocks(const BatchShape& shape) {
  const KernelChoice choice = choose_kernel(shape);
  const std::size_t bytes = batch_shared_bytes(shape);
  allow_shared(choice.kernel, bytes);
  int each = 0;
  SLIPFIELD_CUDA_CHECK(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, choice.kernel, choice.threads, bytes));
  int device = 0;
  int multiprocessors = 0;
  SLIPFIELD_CUDA_CHECK(cudaGetDevice(&device));
  SLIPFIELD_CUDA_CHECK(
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  return each * multiprocessors;
}

std::size_t batch_memory_bytes(const BatchShape& shape) {
  SmallFields<float> fields;
  const auto elements = static_cast<std::size_t>(shape.mx) * static_cast<std::size_t>(shape.my);
  return (lay_out_fields(elements, static_cast<char*>(nullptr), fields) + 255) / 256 * 256;
}

void launch_batch(const BatchLaunch& launch, const BatchItem* items, int count,
                  const double* distances, char* memory, int blocks, int* taken,
                  SmallResult* results, const BatchFieldsOut& fields, cudaStream_t stream) {
  const KernelChoice choice = choose_kernel(launch.shape);
  const std::size_t bytes = batch_shared_bytes(launch.shape);
  allow_shared(choice.kernel, bytes);
  choice.kernel<<<static_cast<unsigned>(blocks < count ? blocks : count),
                  static_cast<unsigned>(choice.threads), bytes, stream>>>(
      block_grid(launch), items, count, distances, launch.spectra, memory,
      batch_memory_bytes(launch.shape), taken, results, fields);
  SLIPFIELD_LAUNCH_CHECK("batch_kernel");
}

}  // namespace slipfield
