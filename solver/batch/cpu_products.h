// SPDX-License-Identifier: Apache-2.0
// Products of the contacts of a family on one core; plans and memory are made in advance (THEORY.md
// 2.6, 6.8).
//
// The two fields of a vector field are transformed as one, f = x + iy. With the symbols a, b, c of
// xx, xy, yy the product is (6.8)
//   g(k) = (a + c)/2 f(k) + ((a - c)/2 + ib) conj f(-k).
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "solver/batch/family.h"

namespace slipfield {

// What stands before f(k) and before conj f(-k), for all frequencies [ky][kx], kx fastest.
template <class Real>
struct PairSpectrum {
  std::vector<std::complex<Real>> straight;
  std::vector<std::complex<Real>> crossed;
};

// The transforms of a family's coefficients, which any number of threads read.
struct CpuFamilySpectra {
  int nx = 1;
  int ny = 1;
  double self_normal = 0.0;
  double self_slip = 0.0;
  std::vector<double> normal, normal_inverse;  // even coefficients: real
  PairSpectrum<double> displacement, slip;     // now, and of the step
  PairSpectrum<float> rough_slip, inverse_slip;
};

// sliding: also what the tangential problem needs.
std::shared_ptr<const CpuFamilySpectra> make_cpu_spectra(const BatchFamily& family, bool sliding);

// Transforms of pairs of fields over the padded grid, planned for one shape. Rows of the padding
// are neither read nor written. Nothing is normalised.
template <class Real>
class PaddedTransform {
 public:
  using Complex = std::complex<Real>;
  PaddedTransform(int mx, int my, int nx, int ny);
  ~PaddedTransform();
  PaddedTransform(const PaddedTransform&) = delete;
  PaddedTransform& operator=(const PaddedTransform&) = delete;

  // Fields of mx my values; y null: 0, and not wanted back.
  void forward(const Real* x, const Real* y);
  void backward(Real* x, Real* y);

  // The transform: nx values of the frequency ky.
  [[nodiscard]] Complex* row(int ky);

 private:
  struct Plans;
  int mx_, my_, nx_, ny_;
  std::unique_ptr<Plans> plans_;
};

}  // namespace slipfield
