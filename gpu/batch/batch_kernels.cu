// SPDX-License-Identifier: Apache-2.0
// Kernels of a batch: coefficients and their transforms, the contacts themselves, and their
// derivatives. Mirrors solver/batch/cpu_team.cpp, solver/batch/cpu_batch.cpp and
// solver/gradient/batch_adjoint.cpp.
#include <cmath>
#include <string>

#include "gpu/batch/batch_kernels.h"
#include "gpu/batch/block_team.cuh"
#include "gpu/device/cuda_check.h"
#include "solver/batch/small_solver.h"
#include "solver/error.h"
#include "solver/influence/block.h"
#include "solver/influence/half_space_symbol.h"
#include "solver/influence/influence_coefficients.h"

namespace slipfield {
namespace {

// Blocks of 256 threads, two to a multiprocessor, or of 512 if shared memory holds only one.
constexpr int kSmallThreads = 256;
constexpr int kLargeThreads = 512;

// The coefficient at (kx, ky) as placed by CpuFftConvolution::transform: half a transform away the
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

// The regularised inverse of the transforms in `spectrum`; see CpuFftConvolution::inverse.
__device__ double2 inverse_of(double2 a, double floor, double scale) {
  const double size2 = a.x * a.x + a.y * a.y + floor * floor;
  const double factor = size2 == 0.0 ? 0.0 : scale / size2;
  return make_double2(factor * a.x, -factor * a.y);
}

__global__ void __launch_bounds__(kSmallThreads)
    family_kernel(const BatchGrid* grids, const FamilyItem* families, char* memory,
                  std::size_t memory_bytes) {
  extern __shared__ __align__(16) char shared[];
  __shared__ BlockGrid grid;
  const BatchFamily family = families[blockIdx.x].family;
  if (threadIdx.x == 0) grid = block_grid(grids[families[blockIdx.x].grid]);
  __syncthreads();
  BlockTeam<kSmallThreads> team(grid, shared, memory + blockIdx.x * memory_bytes);
  team.take_grid();
  double2* const field = team.exact_field();
  const double2* const twiddles = team.exact_twiddles();
  const CombinedMaterial material{1.0, family.poisson_ratio, 0.0};
  const bool rolls = family.offset_x != 0.0 || family.offset_y != 0.0;
  const auto pairs = static_cast<std::size_t>(grid.pair_count);
  const FamilySpectra out = family_spectra(families[blockIdx.x].spectra, pairs);
  const BlockLines rows =
      block_lines(grid.shape.nx, grid.shape.ny, 1, grid.shape.row, grid.shape.nx);
  BlockLines columns = grid.columns;
  columns.loaded = grid.shape.ny;
  const double points = static_cast<double>(grid.shape.nx) * grid.shape.ny;
  const int last = rolls ? 7 : 4;
  const double share = rolls ? steady_share(family.mx, family.my * family.aspect, 1.0,
                                            family.aspect, family.offset_x, family.offset_y)
                             : 0.0;
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
    const double floor = (which == 0 ? kNormalShare : share) * greatest;
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

// A contact that a block has taken; all in its shared memory.
template <class Item>
struct TakenContact {
  Item& item;
  BlockGrid& grid;
  int& next;
};

// The loop of a block: work(team, i) for contacts i, each as soon as the block is free.
// lay_out(memory): places the item's fields; called by one thread.
template <int kThreads, class Item, class LayOut, class Work>
__device__ __forceinline__ void take_contacts(const BatchLaunch& launch, const Item* items,
                                              int count, int* taken, char* shared,
                                              const TakenContact<Item> at, const LayOut& lay_out,
                                              const Work& work) {
  char* const own = launch.memory + blockIdx.x * launch.block_bytes();
  BlockTeam<kThreads> team(at.grid, shared, own);
  int known = -1;  // the grid that the team has loaded
  while (true) {
    if (threadIdx.x == 0) {
      at.next = atomicAdd(taken, 1);
      if (at.next < count) {
        at.item = items[at.next];
        if (at.item.grid != known) {
          at.grid = block_grid(launch.grids[at.item.grid]);
          lay_out(own + launch.own_bytes);
        }
      }
    }
    __syncthreads();
    const int i = at.next;
    if (i >= count) return;
    if (at.item.grid != known) team.take_grid();
    known = at.item.grid;
    team.take_up(family_spectra(at.item.spectra, static_cast<std::size_t>(at.grid.pair_count)));
    work(team, i);
    __syncthreads();
  }
}

template <int kThreads, int kBlocks>
__global__ void __launch_bounds__(kThreads, kBlocks)
    batch_kernel(const BatchLaunch launch, const BatchItem* items, int count, int* taken,
                 SmallResult* results, const BatchFieldsOut fields_out) {
  extern __shared__ __align__(16) char shared[];
  __shared__ SmallScalars scalars;
  __shared__ SmallFields<float> fields;
  __shared__ BatchItem item;
  __shared__ BlockGrid grid;
  __shared__ int next;
  const auto lay_out = [&](char* memory) { lay_out_fields(item.task.count(), memory, fields); };
  take_contacts<kThreads>(
      launch, items, count, taken, shared, {item, grid, next}, lay_out, [&](auto& team, int i) {
        const SmallResult result =
            solve_small_contact(team, item.task, item.shape, item.start, fields, scalars);
        if (threadIdx.x == 0) results[i] = result;
        const std::size_t elements = item.task.count();
        const std::size_t begin = item.fields;
        for (std::size_t k = threadIdx.x; fields_out.pressure != nullptr && k < elements;
             k += kThreads)
          fields_out.pressure[begin + k] = fields.pressure[k];
        for (std::size_t k = threadIdx.x; fields_out.traction != nullptr && k < elements;
             k += kThreads) {
          fields_out.traction[2 * begin + k] = fields.traction[k];
          fields_out.traction[2 * begin + elements + k] = fields.traction[elements + k];
          fields_out.slip[2 * begin + k] = fields.slip[k];
          fields_out.slip[2 * begin + elements + k] = fields.slip[elements + k];
          fields_out.state[begin + k] = fields.state[k];
        }
      });
}

// Derivatives of solved contacts (solver/gradient/small_adjoint.h).
//
// Floor: its transforms, like those of the solution. A random contact of 32 x 32 takes about as
// many (48 products of GMRES and 10 of the pressures' system at a tolerance of 1e-6).
template <int kThreads, int kBlocks>
__global__ void __launch_bounds__(kThreads, kBlocks)
    adjoint_kernel(const BatchLaunch launch, const AdjointItem* items, int count, int* taken,
                   const AdjointScalar* all, AdjointResult* results) {
  extern __shared__ __align__(16) char shared[];
  __shared__ AdjointScalars scalars;
  __shared__ SmallGmresState gmres;
  __shared__ AdjointScalar scalar;
  __shared__ AdjointFields<float> fields;
  __shared__ AdjointItem item;
  __shared__ BlockGrid grid;
  __shared__ int next;
  const auto lay_out = [&](char* memory) {
    lay_out_adjoint(item.contact.task.count(), memory, fields);
  };
  take_contacts<kThreads>(
      launch, items, count, taken, shared, {item, grid, next}, lay_out, [&](auto& team, int) {
        const bool sound =
            item.scalars > 0 && begin_small_adjoint(team, item.contact, fields, scalars);
        for (int k = item.first_scalar; k < item.first_scalar + item.scalars; ++k) {
          __syncthreads();
          if (threadIdx.x == 0) scalar = all[k];
          __syncthreads();
          AdjointResult result;
          if (sound)
            result = solve_small_adjoint(team, item.contact, scalar.seed, fields, scalar.out,
                                         scalars, gmres);
          if (threadIdx.x == 0) results[k] = result;
        }
      });
}

using BatchKernel = decltype(&batch_kernel<kSmallThreads, 2>);
using AdjointKernel = decltype(&adjoint_kernel<kSmallThreads, 2>);

struct KernelChoice {
  BatchKernel kernel;
  AdjointKernel adjoint;
  int threads;
};

// Shared memory limits the number of blocks on a multiprocessor.
KernelChoice choose_kernel(std::size_t shared_bytes) {
  if (is_small_block(shared_bytes))
    return {batch_kernel<kSmallThreads, 2>, adjoint_kernel<kSmallThreads, 2>, kSmallThreads};
  return {batch_kernel<kLargeThreads, 1>, adjoint_kernel<kLargeThreads, 1>, kLargeThreads};
}

template <class Kernel>
void allow_shared(Kernel kernel, std::size_t bytes) {
  SLIPFIELD_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            static_cast<int>(bytes)));
}

}  // namespace

bool is_small_block(std::size_t shared_bytes) {
  constexpr std::size_t kHalf = 100 * 1024;
  return shared_bytes <= kHalf;
}

void launch_family_spectra(const BatchLaunch& launch, const FamilyItem* families, int count,
                           cudaStream_t stream) {
  allow_shared(family_kernel, launch.shared_bytes);
  for (int first = 0; first < count; first += launch.blocks) {
    const int blocks = count - first < launch.blocks ? count - first : launch.blocks;
    family_kernel<<<static_cast<unsigned>(blocks), kSmallThreads, launch.shared_bytes, stream>>>(
        launch.grids, families + first, launch.memory, launch.block_bytes());
    SLIPFIELD_LAUNCH_CHECK("family_kernel");
  }
}

int batch_blocks(std::size_t shared_bytes) {
  const KernelChoice choice = choose_kernel(shared_bytes);
  allow_shared(choice.kernel, shared_bytes);
  int each = 0;
  SLIPFIELD_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, choice.kernel,
                                                                     choice.threads, shared_bytes));
  if (each == 0)
    throw Error("the GPU has no room for a block of the batch: it asks for " +
                std::to_string(shared_bytes) + " bytes of shared memory");
  int device = 0;
  int multiprocessors = 0;
  SLIPFIELD_CUDA_CHECK(cudaGetDevice(&device));
  SLIPFIELD_CUDA_CHECK(
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  return each * multiprocessors;
}

std::size_t batch_fields_bytes(const BatchShape& shape) {
  SmallFields<float> fields;
  const auto elements = static_cast<std::size_t>(shape.mx) * static_cast<std::size_t>(shape.my);
  return (lay_out_fields(elements, static_cast<char*>(nullptr), fields) + 255) / 256 * 256;
}
std::size_t adjoint_fields_bytes(const BatchShape& shape) {
  AdjointFields<float> fields;
  const auto elements = static_cast<std::size_t>(shape.mx) * static_cast<std::size_t>(shape.my);
  return (lay_out_adjoint(elements, static_cast<char*>(nullptr), fields) + 255) / 256 * 256;
}

void launch_batch(const BatchLaunch& launch, const BatchItem* items, int count, int* taken,
                  SmallResult* results, const BatchFieldsOut& fields, cudaStream_t stream) {
  const KernelChoice choice = choose_kernel(launch.shared_bytes);
  allow_shared(choice.kernel, launch.shared_bytes);
  choice.kernel<<<static_cast<unsigned>(launch.blocks < count ? launch.blocks : count),
                  static_cast<unsigned>(choice.threads), launch.shared_bytes, stream>>>(
      launch, items, count, taken, results, fields);
  SLIPFIELD_LAUNCH_CHECK("batch_kernel");
}

void launch_adjoints(const BatchLaunch& launch, const AdjointItem* items, int count, int* taken,
                     const AdjointScalar* scalars, AdjointResult* results, cudaStream_t stream) {
  const KernelChoice choice = choose_kernel(launch.shared_bytes);
  allow_shared(choice.adjoint, launch.shared_bytes);
  choice.adjoint<<<static_cast<unsigned>(launch.blocks < count ? launch.blocks : count),
                   static_cast<unsigned>(choice.threads), launch.shared_bytes, stream>>>(
      launch, items, count, taken, scalars, results);
  SLIPFIELD_LAUNCH_CHECK("adjoint_kernel");
}

}  // namespace slipfield
