// SPDX-License-Identifier: Apache-2.0
#include "solver/batch/cpu_team.h"

#include <fftw3.h>

#include <cmath>
#include <mutex>

#include "solver/batch/batch_task.h"
#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/cpu/fftw_planner.h"
#include "solver/influence/block.h"

namespace slipfield {

namespace {

// Expands the symbol of CpuFftConvolution, which has half of the columns, to all frequencies.
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
  FftwBuffer<Complex> field;   // my rows of the grid, zero-padded; the rows below stay 0
  FftwBuffer<Complex> symbol;  // ny rows
  FftwPlan<Real> rows_forward, columns_forward, columns_backward, rows_backward;

  Plans(int my, int nx, int ny) {
    const auto points = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
    for (FftwBuffer<Complex>* one : {&field, &symbol}) {
      *one = fftw_buffer<Complex>(points);
      std::fill_n(one->get(), points, Complex{});
    }
    auto* const from = as_fftw(field.get());
    auto* const to = as_fftw(symbol.get());
    const auto rows = [&](int sign) {
      return FftwPlan<Real>(Fftw<Real>::kLines(1, &nx, my, from, nullptr, 1, nx, from, nullptr, 1,
                                               nx, sign, FFTW_ESTIMATE));
    };
    const auto columns = [&](auto* in, int sign, unsigned flags) {
      return FftwPlan<Real>(
          Fftw<Real>::kLines(1, &ny, nx, in, nullptr, nx, 1, to, nullptr, nx, 1, sign, flags));
    };
    const std::lock_guard<std::mutex> planning(fftw_planner());
    rows_forward = rows(FFTW_FORWARD);
    rows_backward = rows(FFTW_BACKWARD);
    columns_forward = columns(from, FFTW_FORWARD, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
    columns_backward = columns(to, FFTW_BACKWARD, FFTW_ESTIMATE);
  }
};

template <class Real>
PaddedTransform<Real>::PaddedTransform(int mx, int my, int nx, int ny)
    : mx_(mx), my_(my), nx_(nx), ny_(ny), plans_(std::make_unique<Plans>(my, nx, ny)) {}

template <class Real>
PaddedTransform<Real>::~PaddedTransform() = default;

template <class Real>
std::complex<Real>* PaddedTransform<Real>::row(int ky) {
  return plans_->symbol.get() + static_cast<std::size_t>(ky) * static_cast<std::size_t>(nx_);
}

template <class Real>
void PaddedTransform<Real>::forward(const Real* x, const Real* y) {
  Complex* line = plans_->field.get();
  for (int iy = 0; iy < my_; ++iy, line += nx_, x += mx_) {
    for (int ix = 0; ix < mx_; ++ix) line[ix] = {x[ix], y != nullptr ? y[ix] : Real{0}};
    std::fill(line + mx_, line + nx_, Complex{});
    if (y != nullptr) y += mx_;
  }
  Fftw<Real>::kExecute(plans_->rows_forward.get());
  Fftw<Real>::kExecute(plans_->columns_forward.get());
}

// Transforms all columns back, but only the rows of the grid.
template <class Real>
void PaddedTransform<Real>::backward(Real* x, Real* y) {
  Fftw<Real>::kExecute(plans_->columns_backward.get());
  std::copy_n(plans_->symbol.get(), static_cast<std::size_t>(my_) * static_cast<std::size_t>(nx_),
              plans_->field.get());
  Fftw<Real>::kExecute(plans_->rows_backward.get());
  const Complex* line = plans_->field.get();
  for (int iy = 0; iy < my_; ++iy, line += nx_, x += mx_) {
    for (int ix = 0; ix < mx_; ++ix) x[ix] = line[ix].real();
    if (y == nullptr) continue;
    for (int ix = 0; ix < mx_; ++ix) y[ix] = line[ix].imag();
    y += mx_;
  }
}

template class PaddedTransform<double>;
template class PaddedTransform<float>;

namespace {

// A product without the standard's rules for infinities, which would prevent vectorization.
template <class Real>
std::complex<Real> times(const std::complex<Real>& a, const std::complex<Real>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
template <class Real>
std::complex<Real> times(Real a, const std::complex<Real>& b) {
  return {a * b.real(), a * b.imag()};
}

// conj f(-k) along a row, from the row of opposite frequencies.
template <class Real>
void oppose(const std::complex<Real>* from, int count, std::complex<Real>* to) {
  to[0] = std::conj(from[0]);
  for (int k = 1; k < count; ++k) to[k] = std::conj(from[count - k]);
}

template <class Real>
void combine_row(const std::complex<Real>* straight, const std::complex<Real>* crossed,
                 const std::complex<Real>* opposite, int count, std::complex<Real>* f) {
  for (int k = 0; k < count; ++k) f[k] = times(straight[k], f[k]) + times(crossed[k], opposite[k]);
}

}  // namespace

void CpuTeam::scale(const std::vector<double>& factor, const double* in, double* out) {
  exact_.forward(in, nullptr);
  std::complex<double>* const f = exact_.row(0);
  for (std::size_t k = 0; k < factor.size(); ++k) f[k] = times(factor[k], f[k]);
  exact_.backward(out, nullptr);
}

template <class Number>
void CpuTeam::multiply(PaddedTransform<Number>& transform, Line<Number>& lines,
                       const PairSpectrum<Number>& spectrum, const Number* in, Number* out) {
  transform.forward(in, in + count_);
  std::complex<Number>* const upper = lines.data();
  std::complex<Number>* const lower = upper + nx_;
  for (int ky = 0; 2 * ky <= ny_; ++ky) {
    const int opposite = (ny_ - ky) % ny_;
    oppose(transform.row(opposite), nx_, upper);
    if (opposite != ky) oppose(transform.row(ky), nx_, lower);
    const auto at = static_cast<std::size_t>(ky) * static_cast<std::size_t>(nx_);
    combine_row(&spectrum.straight[at], &spectrum.crossed[at], upper, nx_, transform.row(ky));
    if (opposite == ky) continue;
    const auto below = static_cast<std::size_t>(opposite) * static_cast<std::size_t>(nx_);
    combine_row(&spectrum.straight[below], &spectrum.crossed[below], lower, nx_,
                transform.row(opposite));
  }
  transform.backward(out, out + count_);
}

void CpuTeam::multiply_normal(const double* in, double* out) { scale(spectra_->normal, in, out); }

void CpuTeam::precondition_normal(const double* in, double* out) {
  scale(spectra_->normal_inverse, in, out);
}

void CpuTeam::multiply_displacement(const double* in, double* out) {
  multiply(exact_, exact_lines_, spectra_->displacement, in, out);
}

void CpuTeam::multiply_slip(const double* in, double* out) {
  multiply(exact_, exact_lines_, spectra_->slip, in, out);
}

void CpuTeam::multiply_slip(const float* in, float* out) {
  multiply(rough_, rough_lines_, spectra_->rough_slip, in, out);
}

void CpuTeam::precondition_slip(const float* in, float* out) {
  multiply(rough_, rough_lines_, spectra_->inverse_slip, in, out);
}

// Sums floats in eight double accumulators.
void CpuTeam::multiply_basis(const float* basis, std::size_t stride, int vectors, const float* w,
                             std::size_t size, double* out) {
  constexpr std::size_t kLanes = 8;
  for (int k = 0; k <= vectors; ++k) {
    const float* const v = k < vectors ? basis + static_cast<std::size_t>(k) * stride : w;
    std::array<double, kLanes> sums{};
    std::size_t i = 0;
    for (; i + kLanes <= size; i += kLanes)
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        sums[lane] += static_cast<double>(v[i + lane]) * static_cast<double>(w[i + lane]);
    double sum = 0.0;
    for (; i < size; ++i) sum += static_cast<double>(v[i]) * static_cast<double>(w[i]);
    for (const double lane : sums) sum += lane;
    out[k] = sum;
  }
}

void CpuTeam::subtract_basis(const float* basis, std::size_t stride, int vectors,
                             const double* factor, double norm2, std::size_t size, float* w) {
  for (int k = 0; k < vectors; ++k) {
    const float* const v = basis + static_cast<std::size_t>(k) * stride;
    const auto part = static_cast<float>(factor[k]);
    for (std::size_t i = 0; i < size; ++i) w[i] -= part * v[i];
  }
  const auto scale = static_cast<float>(1.0 / std::sqrt(norm2));
  for (std::size_t i = 0; i < size; ++i) w[i] *= scale;
}

void CpuTeam::combine_basis(const float* basis, std::size_t stride, int vectors,
                            const double* factor, std::size_t size, float* out) {
  std::fill_n(out, size, 0.0F);
  for (int k = 0; k < vectors; ++k) {
    const float* const v = basis + static_cast<std::size_t>(k) * stride;
    const auto part = static_cast<float>(factor[k]);
    for (std::size_t i = 0; i < size; ++i) out[i] += part * v[i];
  }
}

}  // namespace slipfield
