// SPDX-License-Identifier: Apache-2.0
// Planes inside a body on the CPU (THEORY.md 12.5).
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/grid.h"
#include "solver/influence/influence_coefficients.h"
#include "solver/interior/interior_planes.h"
#include "solver/interior/interior_points.h"
#include "solver/interior/interior_response.h"

namespace slipfield {

// Spectra of tables of coefficients that are even or odd in x and in y, from a quarter of their
// values: half the work of CpuFftConvolution::transform, and no table of all
// differences.

class ParityTransform {
 public:
  explicit ParityTransform(const Grid& grid);  // a free one
  ~ParityTransform();
  ParityTransform(const ParityTransform&) = delete;
  ParityTransform& operator=(const ParityTransform&) = delete;

  // Spectra of two tables of one parity, as CpuFftConvolution::transform gives them. Quarters:
  // values at (kx dx, ky dy), 0 <= kx < mx, 0 <= ky < my, x fastest; what is odd counts as 0 where
  // its coordinate is 0. Without a second table both of its pointers are null.
  void transform(Parity parity, const double* first, const double* second, Spectrum& spectrum,
                 Spectrum* second_spectrum);

  static std::size_t memory_bytes(const Grid& grid);

 private:
  struct Plans;
  void rows(Parity parity, const double* first, const double* second);

  int mx_, my_, nx_, ny_;
  int columns_;  // nx/2 + 1
  bool worth_threads_;
  std::unique_ptr<Plans> plans_;
  std::complex<double>* half_;  // my rows of columns_
};

class CpuInteriorPlanes final : public HostInteriorPlanes {
 public:
  // The solution outlives the object. Throws InputError where this machine has too little memory.
  CpuInteriorPlanes(const InteriorTask& task, const ContactSolution& solution);

  void compute(double depth) override;

 private:
  // What a load does to a component, for a depth.
  struct Table {
    int load = 0;
    int component = 0;
    std::vector<double> quarter;  // at differences of positions from 0 on
    Spectrum spectrum;
  };
  void tabulate(double depth);
  void transform_tables();

  int components_;
  CpuFftConvolution convolution_;
  ParityTransform transform_;
  InteriorLoads tractions_;
  std::vector<const double*> loads_;  // those that are not zero everywhere
  std::vector<Table> tables_;         // of each of them, each component
};

}  // namespace slipfield
