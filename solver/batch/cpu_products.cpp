// SPDX-License-Identifier: Apache-2.0
#include "solver/batch/cpu_products.h"

#include <fftw3.h>

#include <algorithm>
#include <mutex>
#include <new>

#include "solver/batch/family_operators.h"
#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/cpu/fft/fftw_numbers.h"
#include "solver/cpu/fftw_planner.h"
#include "solver/influence/block.h"

namespace slipfield {
namespace {

// The symbol at all frequencies, from CpuFftConvolution's, which has half of the columns.
using Symbol = std::vector<std::complex<double>>;
Symbol whole_symbol(const Spectrum& half, int nx, int ny) {
  const auto place = [](int row, int length, int column) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(length) +
           static_cast<std::size_t>(column);
  };
  Symbol out(place(ny, nx, 0));
  for (int ky = 0; ky < ny; ++ky) {
    for (int kx = 0; kx < nx; ++kx) {
      const bool stored = kx <= nx / 2;
      const int x = stored ? kx : nx - kx;
      const int y = stored ? ky : (ny - ky) % ny;
      const std::size_t from = place(x, ny, y);
      const std::complex<double> value{half.real.empty() ? 0.0 : half.real[from],
                                       half.imaginary.empty() ? 0.0 : half.imaginary[from]};
      out[place(ky, nx, kx)] = stored ? value : std::conj(value);
    }
  }
  return out;
}

std::vector<double> real_part(const Symbol& values) {
  std::vector<double> out(values.size());
  std::transform(values.begin(), values.end(), out.begin(), [](const auto& v) { return v.real(); });
  return out;
}

template <class Real>
PairSpectrum<Real> pair_spectrum(const Symbol& xx, const Symbol& xy, const Symbol& yy) {
  PairSpectrum<Real> pair;
  for (std::size_t k = 0; k < xx.size(); ++k) {
    const std::complex<double> turned{-xy[k].imag(), xy[k].real()};
    pair.straight.emplace_back(0.5 * (xx[k] + yy[k]));
    pair.crossed.emplace_back(0.5 * (xx[k] - yy[k]) + turned);
  }
  return pair;
}

}  // namespace

std::shared_ptr<const CpuFamilySpectra> make_cpu_spectra(const BatchFamily& family, bool sliding) {
  const Grid grid = unit_grid(family);
  const CombinedMaterial material = unit_material(family);
  const CpuFftConvolution convolution(grid);
  const int nx = convolution.transform_x();
  const int ny = convolution.transform_y();
  Grid padded = grid;
  padded.mx = nx / 2 + 1;
  padded.my = ny / 2 + 1;
  const auto spectrum = [&](Component component, const InfluenceKind& kind) {
    return convolution.transform(influence_table(component, padded, material, kind));
  };
  const auto whole = [&](const Spectrum& half) { return whole_symbol(half, nx, ny); };
  auto spectra = std::make_shared<CpuFamilySpectra>();
  spectra->nx = nx;
  spectra->ny = ny;
  const Spectrum normal = spectrum(Component::nn, {});
  spectra->self_normal = influence_coefficient(Component::nn, 0.0, 0.0, grid, material, {});
  spectra->normal = real_part(whole(normal));
  spectra->normal_inverse = real_part(whole(convolution.inverse(normal, kNormalShare)));
  if (!sliding) return spectra;
  const InfluenceKind kind = slip_kind(family);
  spectra->self_slip = influence_coefficient(Component::xx, 0.0, 0.0, grid, material, kind);
  spectra->displacement =
      pair_spectrum<double>(whole(spectrum(Component::xx, {})), whole(spectrum(Component::xy, {})),
                            whole(spectrum(Component::yy, {})));
  const double share = tangential_share(kind, grid);
  const Spectrum half_xx = spectrum(Component::xx, kind);
  const Spectrum half_yy = spectrum(Component::yy, kind);
  const Symbol xx = whole(half_xx);
  const Symbol xy = whole(spectrum(Component::xy, kind));
  const Symbol yy = whole(half_yy);
  spectra->slip = pair_spectrum<double>(xx, xy, yy);
  spectra->rough_slip = pair_spectrum<float>(xx, xy, yy);
  spectra->inverse_slip =
      pair_spectrum<float>(whole(convolution.inverse(half_xx, share)), Symbol(xx.size()),
                           whole(convolution.inverse(half_yy, share)));
  return spectra;
}

template <class Real>
struct PaddedTransform<Real>::Plans {
  using Library = Fftw<Real>;
  using Raw = typename Library::Complex;
  Complex* field = nullptr;   // my rows of the grid, padded with zeros; the rows below stay 0
  Complex* symbol = nullptr;  // ny rows
  typename Library::Plan rows_forward, columns_forward, columns_backward, rows_backward;

  Plans(int my, int nx, int ny) {
    const auto points = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
    for (Complex** one : {&field, &symbol}) {
      *one = static_cast<Complex*>(Library::kAllocate(points * sizeof(Complex)));
      if (*one == nullptr) throw std::bad_alloc();
      std::fill_n(*one, points, Complex{});
    }
    auto* const from = reinterpret_cast<Raw*>(field);
    auto* const to = reinterpret_cast<Raw*>(symbol);
    const auto rows = [&](int sign) {
      return Library::kLines(1, &nx, my, from, nullptr, 1, nx, from, nullptr, 1, nx, sign,
                             FFTW_ESTIMATE);
    };
    const std::lock_guard<std::mutex> planning(fftw_planner());
    rows_forward = rows(FFTW_FORWARD);
    rows_backward = rows(FFTW_BACKWARD);
    columns_forward = Library::kLines(1, &ny, nx, from, nullptr, nx, 1, to, nullptr, nx, 1,
                                      FFTW_FORWARD, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
    columns_backward = Library::kLines(1, &ny, nx, to, nullptr, nx, 1, to, nullptr, nx, 1,
                                       FFTW_BACKWARD, FFTW_ESTIMATE);
  }
  ~Plans() {
    {
      const std::lock_guard<std::mutex> planning(fftw_planner());
      for (auto plan : {rows_forward, columns_forward, columns_backward, rows_backward})
        Library::kDestroy(plan);
    }
    Library::kFree(field);
    Library::kFree(symbol);
  }
  Plans(const Plans&) = delete;
  Plans& operator=(const Plans&) = delete;
};

template <class Real>
PaddedTransform<Real>::PaddedTransform(int mx, int my, int nx, int ny)
    : mx_(mx), my_(my), nx_(nx), ny_(ny), plans_(std::make_unique<Plans>(my, nx, ny)) {}

template <class Real>
PaddedTransform<Real>::~PaddedTransform() = default;

template <class Real>
std::complex<Real>* PaddedTransform<Real>::row(int ky) {
  return plans_->symbol + static_cast<std::size_t>(ky) * static_cast<std::size_t>(nx_);
}

template <class Real>
void PaddedTransform<Real>::forward(const Real* x, const Real* y) {
  Complex* line = plans_->field;
  for (int iy = 0; iy < my_; ++iy, line += nx_, x += mx_) {
    for (int ix = 0; ix < mx_; ++ix) line[ix] = {x[ix], y != nullptr ? y[ix] : Real{0}};
    std::fill(line + mx_, line + nx_, Complex{});
    if (y != nullptr) y += mx_;
  }
  Fftw<Real>::kExecute(plans_->rows_forward);
  Fftw<Real>::kExecute(plans_->columns_forward);
}

// All columns are transformed back, but only the rows of the grid.
template <class Real>
void PaddedTransform<Real>::backward(Real* x, Real* y) {
  Fftw<Real>::kExecute(plans_->columns_backward);
  std::copy_n(plans_->symbol, static_cast<std::size_t>(my_) * static_cast<std::size_t>(nx_),
              plans_->field);
  Fftw<Real>::kExecute(plans_->rows_backward);
  const Complex* line = plans_->field;
  for (int iy = 0; iy < my_; ++iy, line += nx_, x += mx_) {
    for (int ix = 0; ix < mx_; ++ix) x[ix] = line[ix].real();
    if (y == nullptr) continue;
    for (int ix = 0; ix < mx_; ++ix) y[ix] = line[ix].imag();
    y += mx_;
  }
}

template class PaddedTransform<double>;
template class PaddedTransform<float>;

}  // namespace slipfield
