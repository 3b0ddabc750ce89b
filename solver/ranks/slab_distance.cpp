// SPDX-License-Identifier: Apache-2.0
#include "solver/ranks/slab_distance.h"

#include <fftw3-mpi.h>

#include <algorithm>

#include "solver/error.h"
#include "solver/ranks/ranks.h"
#include "solver/ranks/slab_transposition.h"

namespace slipfield {
namespace {

void subtract_rough_heights(const RoughSurface& surface, const Grid& grid, const RowRange& rows,
                            std::vector<double>& h) {
  prepare_distributed_fftw();
  const std::ptrdiff_t columns = grid.mx / 2 + 1;
  std::ptrdiff_t own_rows = 0;
  std::ptrdiff_t first_row = 0;
  const std::ptrdiff_t size =
      fftw_mpi_local_size_2d(grid.my, columns, MPI_COMM_WORLD, &own_rows, &first_row);
  if (own_rows != rows.count)
    throw Error("FFTW shares out a surface in other blocks than those expected");
  const ComplexBuffer waves = complex_buffer(static_cast<std::size_t>(size));
  auto* const heights = reinterpret_cast<double*>(waves.get());
  fftw_plan plan =
      fftw_mpi_plan_dft_c2r_2d(grid.my, grid.mx, reinterpret_cast<fftw_complex*>(waves.get()),
                               heights, MPI_COMM_WORLD, FFTW_ESTIMATE);
  if (plan == nullptr) throw Error("FFTW has no plan for a rough surface over the ranks");
  fill_waves(surface, grid, rows, waves.get());
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  const std::ptrdiff_t stride = 2 * columns;
  std::vector<double> own(h.size());
  for (int row = 0; row < rows.count; ++row)
    std::copy_n(heights + row * stride, grid.mx, own.begin() + row * std::ptrdiff_t{grid.mx});
  give_moments(surface, own, ranks::add_up);
  for (std::size_t i = 0; i < h.size(); ++i) h[i] -= own[i];
}

}  // namespace

std::vector<double> slab_distance(const std::vector<Shape>& shapes, const Grid& grid,
                                  const CombinedMaterial& material) {
  const RowRange rows = ranks::own_rows(grid.my);
  std::vector<double> h(grid.index(0, rows.count), 0.0);
  for (const Shape& shape : shapes) {
    if (const auto* rough = std::get_if<RoughShape>(&shape)) {
      subtract_rough_heights(rough->surface, grid, rows, h);
    } else {
      add_undeformed_distance(shape, grid, material, rows, h);
    }
  }
  return h;
}

}  // namespace slipfield
