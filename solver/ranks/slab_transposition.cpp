// SPDX-License-Identifier: Apache-2.0
#include "solver/ranks/slab_transposition.h"

#include <fftw3-mpi.h>

#include <algorithm>

#include "solver/error.h"
#include "solver/ranks/ranks.h"

namespace slipfield {
namespace {

constexpr std::ptrdiff_t kDoubles = 2;  // of a complex number: FFTW transposes doubles

double* raw(std::complex<double>* values) { return reinterpret_cast<double*>(values); }

fftw_plan plan_transposition(int rows, int columns, std::complex<double>* matrix) {
  fftw_plan plan = fftw_mpi_plan_many_transpose(rows, columns, kDoubles, FFTW_MPI_DEFAULT_BLOCK,
                                                FFTW_MPI_DEFAULT_BLOCK, raw(matrix), raw(matrix),
                                                MPI_COMM_WORLD, FFTW_ESTIMATE);
  if (plan == nullptr) throw Error("FFTW has no plan to transpose a field over the ranks");
  return plan;
}

}  // namespace

ComplexBuffer complex_buffer(std::size_t count) {
  return fftw_buffer<std::complex<double>>(std::max<std::size_t>(1, count));
}

void prepare_distributed_fftw() {
  static const bool done = (fftw_mpi_init(), true);
  static_cast<void>(done);
}

SlabTransposition::SlabTransposition(int rows, int columns) {
  prepare_distributed_fftw();
  const std::ptrdiff_t shape[] = {rows, columns};
  std::ptrdiff_t own_rows = 0;
  std::ptrdiff_t first_row = 0;
  std::ptrdiff_t own_columns = 0;
  std::ptrdiff_t first_column = 0;
  const std::ptrdiff_t doubles = fftw_mpi_local_size_many_transposed(
      2, shape, kDoubles, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK, MPI_COMM_WORLD, &own_rows,
      &first_row, &own_columns, &first_column);
  const RowRange expected_rows = ranks::own_rows(rows);
  const RowRange expected_columns = ranks::own_rows(columns);
  if (own_rows != expected_rows.count || own_columns != expected_columns.count)
    throw Error("FFTW shares out a field in other blocks than those expected");
  size_ = static_cast<std::size_t>(
      std::max({(doubles + 1) / kDoubles, own_rows * columns, own_columns * rows}));
  const ComplexBuffer matrix = complex_buffer(size_);
  to_columns_ = plan_transposition(rows, columns, matrix.get());
  to_rows_ = plan_transposition(columns, rows, matrix.get());
}

SlabTransposition::~SlabTransposition() {
  fftw_destroy_plan(to_columns_);
  fftw_destroy_plan(to_rows_);
}

void SlabTransposition::to_columns(std::complex<double>* matrix) const {
  fftw_mpi_execute_r2r(to_columns_, raw(matrix), raw(matrix));
}

void SlabTransposition::to_rows(std::complex<double>* matrix) const {
  fftw_mpi_execute_r2r(to_rows_, raw(matrix), raw(matrix));
}

}  // namespace slipfield
