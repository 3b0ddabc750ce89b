// SPDX-License-Identifier: Apache-2.0
#include "solver/ranks/slab_convolution.h"

#include <fftw3-mpi.h>

#include <algorithm>
#include <cmath>

#include "solver/error.h"
#include "solver/ranks/ranks.h"

namespace slipfield {

namespace {

// Transform size along one direction of the grid: its elements where they repeat, otherwise padded.
int transform_size(int elements, bool repeats) {
  return repeats ? elements : fast_transform_size(2 * elements - 1);
}

constexpr std::ptrdiff_t kDoubles = 2;  // of a complex number: FFTW transposes doubles

double* raw(std::complex<double>* values) { return reinterpret_cast<double*>(values); }

FftwPlan<> plan_transposition(int rows, int columns, std::complex<double>* matrix) {
  FftwPlan<> plan(fftw_mpi_plan_many_transpose(rows, columns, kDoubles, FFTW_MPI_DEFAULT_BLOCK,
                                               FFTW_MPI_DEFAULT_BLOCK, raw(matrix), raw(matrix),
                                               MPI_COMM_WORLD, FFTW_ESTIMATE));
  if (!plan) throw Error("FFTW has no plan to transpose a field over the ranks");
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

void SlabTransposition::to_columns(std::complex<double>* matrix) const {
  fftw_mpi_execute_r2r(to_columns_.get(), raw(matrix), raw(matrix));
}

void SlabTransposition::to_rows(std::complex<double>* matrix) const {
  fftw_mpi_execute_r2r(to_rows_.get(), raw(matrix), raw(matrix));
}

namespace {

std::size_t size_of(int value) { return static_cast<std::size_t>(value); }

}  // namespace

struct SlabConvolution::Plans {
  SlabTransposition transposition;  // of a field
  FftwPlan<> row_forward, row_backward;
  FftwPlan<> column_forward, column_backward;  // in place

  Plans(int my, int nx, int ny) : transposition(my, nx / 2 + 1) {
    const ComplexBuffer line = complex_buffer(size_of(nx));
    const ComplexBuffer half = complex_buffer(size_of(std::max(ny, nx / 2 + 1)));
    auto* const real = reinterpret_cast<double*>(line.get());
    const std::lock_guard<std::mutex> planning(fftw_planner());
    row_forward.reset(fftw_plan_dft_r2c_1d(nx, real, as_fftw(half.get()), FFTW_ESTIMATE));
    row_backward.reset(fftw_plan_dft_c2r_1d(nx, as_fftw(half.get()), real, FFTW_ESTIMATE));
    column_forward.reset(fftw_plan_dft_1d(ny, as_fftw(half.get()), as_fftw(half.get()),
                                          FFTW_FORWARD, FFTW_ESTIMATE | FFTW_UNALIGNED));
    column_backward.reset(fftw_plan_dft_1d(ny, as_fftw(half.get()), as_fftw(half.get()),
                                           FFTW_BACKWARD, FFTW_ESTIMATE | FFTW_UNALIGNED));
  }
};

SlabConvolution::SlabConvolution(const Grid& grid)
    : mx_(grid.mx),
      my_(grid.my),
      nx_(transform_size(grid.mx, repeats_in_x(grid.boundary))),
      ny_(transform_size(grid.my, repeats_in_y(grid.boundary))),
      rows_(ranks::own_rows(grid.my)),
      all_columns_(nx_ / 2 + 1),
      columns_(ranks::own_rows(all_columns_)),
      plans_(std::make_unique<Plans>(my_, nx_, ny_)) {}

SlabConvolution::~SlabConvolution() = default;

std::size_t SlabConvolution::memory_bytes(const Grid& grid, int ranks, int components,
                                          int spectra) {
  const int nx = transform_size(grid.mx, repeats_in_x(grid.boundary));
  const int ny = transform_size(grid.my, repeats_in_y(grid.boundary));
  const auto rows = size_of(ranks::rows_of(0, ranks, grid.my).count);
  const auto columns = size_of(ranks::rows_of(0, ranks, nx / 2 + 1).count);
  const std::size_t field =
      std::max(rows * size_of(nx / 2 + 1), columns * size_of(grid.my)) * sizeof(double) * 2;
  const std::size_t spectrum = columns * size_of(ny) * sizeof(double);
  // A spectrum is made from a complex field of ny rows, which FFTW transposes by way of another.
  return field * size_of(components) + spectrum * size_of(spectra) + 4 * spectrum;
}

void SlabConvolution::make_fields(std::size_t count) {
  while (work_.size() < count) work_.push_back(complex_buffer(plans_->transposition.buffer_size()));
}

Spectrum SlabConvolution::transform(const std::function<void(int, double*)>& row) const {
  const SlabTransposition transposition(ny_, all_columns_);
  const ComplexBuffer half = complex_buffer(transposition.buffer_size());
  const RowRange rows = ranks::own_rows(ny_);
#pragma omp parallel
  {
    const ComplexBuffer line = complex_buffer(size_of(nx_));
    auto* const real = reinterpret_cast<double*>(line.get());
    const ComplexBuffer transformed = complex_buffer(size_of(all_columns_));
#pragma omp for schedule(dynamic, 4)
    for (int r = 0; r < rows.count; ++r) {
      const int place = rows.first + r;
      row(2 * place <= ny_ ? place : place - ny_, real);
      fftw_execute_dft_r2c(plans_->row_forward.get(), real, as_fftw(transformed.get()));
      std::copy_n(transformed.get(), all_columns_, half.get() + size_of(r) * size_of(all_columns_));
    }
  }
  transposition.to_columns(half.get());
  const double scale = 1.0 / (static_cast<double>(nx_) * ny_);
  const std::size_t count = size_of(columns_.count) * size_of(ny_);
#pragma omp parallel for schedule(static)
  for (int c = 0; c < columns_.count; ++c) {
    std::complex<double>* const column = half.get() + size_of(c) * size_of(ny_);
    fftw_execute_dft(plans_->column_forward.get(), as_fftw(column), as_fftw(column));
  }
  double real_size = 0.0;
  double imaginary_size = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    half[k] *= scale;
    real_size = std::max(real_size, std::abs(half[k].real()));
    imaginary_size = std::max(imaginary_size, std::abs(half[k].imag()));
  }
  real_size = ranks::greatest(real_size);
  imaginary_size = ranks::greatest(imaginary_size);
  // As CpuFftConvolution: the other part is rounding where the coefficients have a parity.
  constexpr double kRounding = 1.0e-13;
  Spectrum spectrum;
  if (real_size > kRounding * imaginary_size) {
    spectrum.real.resize(count);
    for (std::size_t k = 0; k < count; ++k) spectrum.real[k] = half[k].real();
  }
  if (imaginary_size > kRounding * real_size) {
    spectrum.imaginary.resize(count);
    for (std::size_t k = 0; k < count; ++k) spectrum.imaginary[k] = half[k].imag();
  }
  return spectrum;
}

Spectrum SlabConvolution::from_symbol(
    const std::function<std::complex<double>(int, int)>& symbol) const {
  const double scale = 1.0 / (static_cast<double>(nx_) * ny_);
  Spectrum spectrum;
  const std::size_t count = size_of(columns_.count) * size_of(ny_);
  spectrum.real.resize(count);
  spectrum.imaginary.resize(count);
  for (int c = 0; c < columns_.count; ++c) {
    for (int iy = 0; iy < ny_; ++iy) {
      const std::complex<double> value =
          scale * symbol(columns_.first + c, 2 * iy <= ny_ ? iy : iy - ny_);
      const std::size_t k = size_of(c) * size_of(ny_) + size_of(iy);
      spectrum.real[k] = value.real();
      spectrum.imaginary[k] = value.imag();
    }
  }
  const auto is_zero = [](double value) { return value == 0.0; };
  for (auto* part : {&spectrum.real, &spectrum.imaginary})
    if (std::all_of(part->begin(), part->end(), is_zero)) *part = {};
  return spectrum;
}

void SlabConvolution::invert(double identity, std::span<const SpectrumShare> sum,
                             double regularisation, Spectrum& result) const {
  const std::size_t count = size_of(columns_.count) * size_of(ny_);
  const double unit = 1.0 / (static_cast<double>(nx_) * ny_);
  bool is_real = identity != 0.0;
  bool is_imaginary = false;
  for (const SpectrumShare& share : sum) {
    is_real = is_real || !share.spectrum->real.empty();
    is_imaginary = is_imaginary || !share.spectrum->imaginary.empty();
  }
  result.real.resize(is_real ? count : 0);
  result.imaginary.resize(is_imaginary ? count : 0);
  const std::size_t short_wave = count - std::min(count, size_of(ny_)) + size_of(ny_ / 2);
  const auto value = [&](std::size_t k) {
    std::complex<double> a = identity * unit;
    for (const SpectrumShare& share : sum)
      a += share.weight * (columns_.first == 0 ? invertible_at(*share.spectrum, k, short_wave)
                                               : share.spectrum->at(k));
    return a;
  };
  double greatest = 0.0;
  for (std::size_t k = 0; k < count; ++k) greatest = std::max(greatest, std::norm(value(k)));
  const double floor = regularisation * std::sqrt(ranks::greatest(greatest));
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < count; ++k) {
    const std::complex<double> a = value(k);
    const double size2 = std::norm(a) + floor * floor;
    const std::complex<double> inverted = size2 == 0.0 ? 0.0 : unit * unit * std::conj(a) / size2;
    if (is_real) result.real[k] = inverted.real();
    if (is_imaginary) result.imaginary[k] = inverted.imag();
  }
}

Spectrum SlabConvolution::inverse(const Spectrum& spectrum, double regularisation) const {
  const SpectrumShare whole{1.0, &spectrum};
  Spectrum result;
  invert(0.0, std::span(&whole, 1), regularisation, result);
  return result;
}

void SlabConvolution::forward_rows(const double* in, std::complex<double>* field) const {
#pragma omp parallel
  {
    const ComplexBuffer line = complex_buffer(size_of(nx_));
    auto* const real = reinterpret_cast<double*>(line.get());
    const ComplexBuffer half = complex_buffer(size_of(all_columns_));
    std::fill_n(real, nx_, 0.0);
#pragma omp for schedule(static)
    for (int r = 0; r < rows_.count; ++r) {
      const double* const from = in + size_of(r) * size_of(mx_);
      std::complex<double>* const to = field + size_of(r) * size_of(all_columns_);
      if (std::all_of(from, from + mx_, [](double value) { return value == 0.0; })) {
        std::fill_n(to, all_columns_, 0.0);
        continue;
      }
      std::copy_n(from, mx_, real);
      fftw_execute_dft_r2c(plans_->row_forward.get(), real, as_fftw(half.get()));
      std::copy_n(half.get(), all_columns_, to);
    }
  }
}

void SlabConvolution::backward_rows(std::complex<double>* field, double* out) const {
#pragma omp parallel
  {
    const ComplexBuffer line = complex_buffer(size_of(nx_));
    auto* const real = reinterpret_cast<double*>(line.get());
    const ComplexBuffer half = complex_buffer(size_of(all_columns_));
#pragma omp for schedule(static)
    for (int r = 0; r < rows_.count; ++r) {
      std::copy_n(field + size_of(r) * size_of(all_columns_), all_columns_, half.get());
      fftw_execute_dft_c2r(plans_->row_backward.get(), as_fftw(half.get()), real);
      std::copy_n(real, mx_, out + size_of(r) * size_of(mx_));
    }
  }
}

void SlabConvolution::columns(std::span<const ConvolutionTerm> terms, std::size_t inputs,
                              std::size_t outputs) {
#pragma omp parallel
  {
    const auto length = size_of(ny_);
    const ComplexBuffer source = complex_buffer(inputs * length);
    const ComplexBuffer target = complex_buffer(outputs * length);
#pragma omp for schedule(static)
    for (int c = 0; c < columns_.count; ++c) {
      const std::size_t place = size_of(c) * size_of(my_);
      for (std::size_t b = 0; b < inputs; ++b) {
        std::complex<double>* const column = source.get() + b * length;
        std::copy_n(work_[b].get() + place, my_, column);
        std::fill(column + my_, column + ny_, 0.0);
        fftw_execute_dft(plans_->column_forward.get(), as_fftw(column), as_fftw(column));
      }
      std::fill_n(target.get(), outputs * length, 0.0);
      for (const ConvolutionTerm& term : terms) {
        const std::complex<double>* const from = source.get() + size_of(term.source) * length;
        std::complex<double>* const to = target.get() + size_of(term.target) * length;
        for (std::size_t k = 0; k < length; ++k)
          to[k] += term.sign * term.spectrum->at(size_of(c) * length + k) * from[k];
      }
      for (std::size_t a = 0; a < outputs; ++a) {
        std::complex<double>* const column = target.get() + a * length;
        fftw_execute_dft(plans_->column_backward.get(), as_fftw(column), as_fftw(column));
        std::copy_n(column, my_, work_[a].get() + place);
      }
    }
  }
}

void SlabConvolution::invert_columns(const std::function<void(int, std::complex<double>*)>& column,
                                     double* out) {
  make_fields(1);
  std::complex<double>* const field = work_[0].get();
#pragma omp parallel for schedule(static)
  for (int c = 0; c < columns_.count; ++c) {
    std::complex<double>* const values = field + size_of(c) * size_of(my_);
    column(columns_.first + c, values);
    fftw_execute_dft(plans_->column_backward.get(), as_fftw(values), as_fftw(values));
  }
  plans_->transposition.to_rows(field);
  backward_rows(field, out);
}

void SlabConvolution::apply(std::span<const ConvolutionTerm> terms,
                            std::span<const double* const> in, std::span<double* const> out) {
  make_fields(std::max(in.size(), out.size()));
  for (std::size_t b = 0; b < in.size(); ++b) {
    forward_rows(in[b], work_[b].get());
    plans_->transposition.to_columns(work_[b].get());
  }
  columns(terms, in.size(), out.size());
  for (std::size_t a = 0; a < out.size(); ++a) {
    plans_->transposition.to_rows(work_[a].get());
    backward_rows(work_[a].get(), out[a]);
  }
}

}  // namespace slipfield
