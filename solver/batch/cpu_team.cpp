// SPDX-License-Identifier: Apache-2.0
#include "solver/batch/cpu_team.h"

#include <cmath>

namespace slipfield {
namespace {

// Without what the standard asks of infinities, which keeps the loops from being vectorized.
template <class Real>
std::complex<Real> times(const std::complex<Real>& a, const std::complex<Real>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
template <class Real>
std::complex<Real> times(Real a, const std::complex<Real>& b) {
  return {a * b.real(), a * b.imag()};
}

// conj f(-k) along a row, from the row of the opposite frequencies.
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

// Sums of floats in eight doubles.
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
