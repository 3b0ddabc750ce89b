// SPDX-License-Identifier: Apache-2.0
// Mirrors solver/interior/cpu_interior_planes.h.
//
// Traffic of one component by three loads, in bytes per element, nx = 2 mx, ny = 2 my: the
// responses 24 written and read, their tables 96 written, three transforms forward of two passes
// 384, the product 224, one transform back 128, the plane 40: 900. The least is the plane itself, 8
// in the card's memory and 8 to the host's.
#include "gpu/device/cuda_check.h"
#include "gpu/device/launch_grid.h"
#include "gpu/interior/interior_kernels.h"
#include "solver/interior/local_measures.h"

namespace slipfield {
namespace {

__global__ void __launch_bounds__(kColumnThreads)
    responses_kernel(InteriorShape shape, InteriorSources sources, int components, double depth,
                     double poisson_ratio, double* responses) {
  const int kx = blockIdx.x * kColumnThreads + threadIdx.x;
  if (kx >= shape.mx) return;
  for (int ky = blockIdx.y; ky < shape.my; ky += gridDim.y) {
    const InteriorResponse response =
        interior_response(kx * shape.dx, ky * shape.dy, depth, shape.dx, shape.dy, poisson_ratio);
    double* to = responses + static_cast<std::size_t>(ky) * shape.mx + kx;
    for (int load = 0; load < kLoads; ++load) {
      bool acts = false;
      for (int source = 0; source < sources.count; ++source)
        acts = acts || sources.load[source] == load;
      if (!acts) continue;
#pragma unroll
      for (int c = 0; c < kInteriorComponents; ++c) {
        if (c >= components) break;
        *to = response.of[load][c];
        to += shape.elements();
      }
    }
  }
}

__global__ void __launch_bounds__(kColumnThreads)
    tables_kernel(InteriorShape shape, InteriorSources sources, int components, int component,
                  const double* responses, double* tables) {
  const int x = blockIdx.x * kColumnThreads + threadIdx.x;
  if (x >= shape.nx) return;
  const int source = blockIdx.z;
  const Parity sign = interior_parity(sources.load[source], component);
  const double* from =
      responses + (static_cast<std::size_t>(source) * components + component) * shape.elements();
  double* to = tables + source * shape.padded();
  const bool left = x > shape.nx - shape.mx;
  const int kx = left ? shape.nx - x : x;
  for (int y = blockIdx.y; y < shape.ny; y += gridDim.y) {
    const bool below = y > shape.ny - shape.my;
    const int ky = below ? shape.ny - y : y;
    double value = 0.0;
    if (kx < shape.mx && ky < shape.my)
      value = (left ? sign.x : 1) * (below ? sign.y : 1) *
              from[static_cast<std::size_t>(ky) * shape.mx + kx];
    to[static_cast<std::size_t>(y) * shape.nx + x] = value;
  }
}

__global__ void __launch_bounds__(kColumnThreads)
    interior_pad_kernel(InteriorShape shape, const double* field, double* padded) {
  const int x = blockIdx.x * kColumnThreads + threadIdx.x;
  if (x >= shape.nx) return;
  for (int y = blockIdx.y; y < shape.ny; y += gridDim.y)
    padded[static_cast<std::size_t>(y) * shape.nx + x] =
        x < shape.mx && y < shape.my ? field[static_cast<std::size_t>(y) * shape.mx + x] : 0.0;
}

__global__ void __launch_bounds__(kColumnThreads)
    interior_product_kernel(std::size_t points, InteriorSources sources, double2* spectra,
                            const double2* loads) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * kColumnThreads;
  for (std::size_t k = static_cast<std::size_t>(blockIdx.x) * kColumnThreads + threadIdx.x;
       k < points; k += stride) {
    double2 sum = make_double2(0.0, 0.0);
    for (int source = 0; source < sources.count; ++source) {
      const double2 a = spectra[source * points + k];
      const double2 b = loads[source * points + k];
      const double weight = sources.weight[source];
      sum.x += weight * (a.x * b.x - a.y * b.y);
      sum.y += weight * (a.x * b.y + a.y * b.x);
    }
    spectra[k] = sum;
  }
}

__global__ void __launch_bounds__(kColumnThreads)
    interior_cut_kernel(InteriorShape shape, const double* padded, double* field) {
  const int x = blockIdx.x * kColumnThreads + threadIdx.x;
  if (x >= shape.mx) return;
  for (int y = blockIdx.y; y < shape.my; y += gridDim.y)
    field[static_cast<std::size_t>(y) * shape.mx + x] =
        padded[static_cast<std::size_t>(y) * shape.nx + x];
}

__global__ void __launch_bounds__(kColumnThreads)
    measures_kernel(InteriorPart part, const double* stress, std::size_t elements,
                    double* measures) {
  const int ix = blockIdx.x * kColumnThreads + threadIdx.x;
  if (ix >= part.mx) return;
  const std::size_t count = static_cast<std::size_t>(part.mx) * part.my;
  for (int iy = blockIdx.y; iy < part.my; iy += gridDim.y) {
    const double* at =
        stress + static_cast<std::size_t>(part.iy0 + iy) * part.row_length + part.ix0 + ix;
    const LocalMeasures here = local_measures(at[0], at[elements], at[2 * elements],
                                              at[3 * elements], at[4 * elements], at[5 * elements]);
    double* to = measures + static_cast<std::size_t>(iy) * part.mx + ix;
    to[0] = here.principal_1;
    to[count] = here.principal_2;
    to[2 * count] = here.principal_3;
    to[3 * count] = here.von_mises;
    to[4 * count] = here.tresca;
    to[5 * count] = here.hydrostatic;
  }
}

}  // namespace

void launch_interior_responses(const InteriorShape& shape, const InteriorSources& sources,
                               int components, double depth, double poisson_ratio,
                               double* responses, cudaStream_t stream) {
  responses_kernel<<<blocks_over(shape.mx, shape.my), kColumnThreads, 0, stream>>>(
      shape, sources, components, depth, poisson_ratio, responses);
  SLIPFIELD_LAUNCH_CHECK("responses_kernel");
}

void launch_interior_tables(const InteriorShape& shape, const InteriorSources& sources,
                            int components, int component, const double* responses, double* tables,
                            cudaStream_t stream) {
  tables_kernel<<<blocks_over(shape.nx, shape.ny, sources.count), kColumnThreads, 0, stream>>>(
      shape, sources, components, component, responses, tables);
  SLIPFIELD_LAUNCH_CHECK("tables_kernel");
}

void launch_interior_pad(const InteriorShape& shape, const double* field, double* padded,
                         cudaStream_t stream) {
  interior_pad_kernel<<<blocks_over(shape.nx, shape.ny), kColumnThreads, 0, stream>>>(shape, field,
                                                                                      padded);
  SLIPFIELD_LAUNCH_CHECK("interior_pad_kernel");
}

void launch_interior_product(const InteriorShape& shape, const InteriorSources& sources,
                             double2* spectra, const double2* loads, cudaStream_t stream) {
  const std::size_t blocks = (shape.points() + kColumnThreads - 1) / kColumnThreads;
  constexpr std::size_t kMostBlocks = 65536;
  interior_product_kernel<<<static_cast<unsigned>(blocks < kMostBlocks ? blocks : kMostBlocks),
                            kColumnThreads, 0, stream>>>(shape.points(), sources, spectra, loads);
  SLIPFIELD_LAUNCH_CHECK("interior_product_kernel");
}

void launch_interior_cut(const InteriorShape& shape, const double* padded, double* field,
                         cudaStream_t stream) {
  interior_cut_kernel<<<blocks_over(shape.mx, shape.my), kColumnThreads, 0, stream>>>(shape, padded,
                                                                                      field);
  SLIPFIELD_LAUNCH_CHECK("interior_cut_kernel");
}

void launch_interior_measures(const InteriorPart& part, const double* stress, std::size_t elements,
                              double* measures, cudaStream_t stream) {
  measures_kernel<<<blocks_over(part.mx, part.my), kColumnThreads, 0, stream>>>(part, stress,
                                                                                elements, measures);
  SLIPFIELD_LAUNCH_CHECK("measures_kernel");
}

}  // namespace slipfield
