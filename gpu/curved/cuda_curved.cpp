// SPDX-License-Identifier: Apache-2.0
#include "gpu/curved/cuda_curved.h"

#include <vector>

#include "solver/cpu/cpu_fft_convolution.h"

namespace slipfield {

void CudaCurved::form_tables() {
  if (tables_[0]) return;
  const std::array<InfluenceTable, 9> host = coefficients_.tables();
  for (std::size_t p = 0; p < host.size(); ++p) tables_[p].emplace(host[p].values);
}

const double* CudaCurved::table(int to, int from) {
  form_tables();
  return tables_[pair_of(to, from)]->data();
}

const DeviceSpectrum& CudaCurved::spectrum(int to, int from, const FftShape& shape) {
  auto& slot = spectra_[pair_of(to, from)];
  constexpr TableSymmetry kNone{};
  if (!slot) slot = DeviceSpectrum::from_table(shape, table(to, from), kNone, stream_);
  return *slot;
}

RowProduct& CudaCurved::rows() {
  if (rows_) return *rows_;
  // Even, so that every line is aligned for cuFFT, which also has no transforms of length 1.
  const int nx = 2 * fast_transform_size(grid_.mx);
  const std::size_t line = static_cast<std::size_t>(nx) * static_cast<std::size_t>(grid_.my);
  rows_.emplace(grid_.mx, grid_.my, nx);
  std::vector<double> periods(9 * line);
  for (int jy = 0; jy < grid_.my; ++jy) {
#pragma omp parallel for if (grid_.count() >= kLeastForThreads)
    for (int iy = 0; iy < grid_.my; ++iy)
      coefficients_.period(iy, jy, nx, 1.0 / nx, line,
                           periods.data() + static_cast<std::size_t>(iy) * nx);
    rows_->set_row(jy, periods, stream_);
  }
  rows_->all_rows_set(stream_);
  return *rows_;
}

}  // namespace slipfield
