// SPDX-License-Identifier: Apache-2.0
// The influence operator of the CPU reference: direct summation or FFT behind one interface.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "solver/cpu/cpu_curved.h"
#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/cpu/team/cpu_newton_product.h"
#include "solver/influence/spectral_influence.h"

namespace slipfield {

class CpuBackend;

// Tables and spectra of one grid, built on first use and shared by everything that uses the same
// displacements.
class CpuInfluence final : public SpectralInfluence<Spectrum> {
 public:
  // The backend is unused; the argument matches the GPU's class.
  CpuInfluence(const CpuBackend& backend, const Grid& grid, const CombinedMaterial& material,
               InfluenceMethod method, const InfluenceKind& kind = {});

  // The table of a component, like spectrum(): at least a row more than the grid's, and as far as a
  // transform needs. shared_table() stays valid when the kind changes.
  const InfluenceTable& table(Component component) { return *shared_table(component); }
  const std::shared_ptr<const InfluenceTable>& shared_table(Component component);
  CpuFftConvolution& convolution();

  // out = inverse of the padded circulant of A_nn, applied to `in` and cut to the grid: an
  // approximate inverse that preconditions the normal problem (THEORY.md 2.7). in and out
  // may be the same.
  void precondition_normal(const double* in, double* out);

  // Applies the regularised inverse symbols of xx and yy of this operator, and the one set last,
  // field by field: the preconditioner of GMRES in rolling (THEORY.md 6.5). In and out may be the
  // same.
  void set_across(const AcrossSymbol& symbol);
  void precondition_tangential(const double* in_x, const double* in_y, const double* in_across,
                               double* out_x, double* out_y, double* out_across);

  // Like those of SlipOperator.
  bool precondition_newton(const NewtonFields& f, const double* in, double* out);
  bool multiply_newton(const NewtonFields& f, const double* in, double* joined, double* out);

 private:
  void compute(Block block, const TractionField& traction,
               const DisplacementField& displacement) override;
  void multiply(Block block, const TractionField& traction, const DisplacementField& displacement);
  Spectrum make_spectrum(Component component) override;
  Spectrum invert(const Spectrum& spectrum, double share) override;
  void drop(const InfluenceKind& last) override;
  std::vector<ConvolutionTerm> convolution_terms(Block block);
  CpuNewtonProduct& newton();  // with the inverse symbols of this operator's xx and yy
  template <class Real>
  void invert_across(SpectrumOf<Real>& result);
  CpuCurved& curved();
  const InfluenceTable& table_of(const ProductTerm& term);
  [[nodiscard]] double sign(const ProductTerm& term) const;
  InfluenceTable make_table(Component component) const;
  Spectrum table_spectrum(Component component);
  [[nodiscard]] bool summation_is_faster(std::span<const double* const> tractions,
                                         std::size_t terms) const;

  InfluenceMethod method_;
  std::array<std::shared_ptr<const InfluenceTable>, kComponents> tables_;
  AcrossSymbol across_;
  std::unique_ptr<CpuFftConvolution> convolution_;
  std::unique_ptr<CpuCurved> curved_;
  std::optional<CpuNewtonProduct> newton_;  // made on first use
  std::vector<double> of_mode_, by_mode_;   // of patches: scratch
};

}  // namespace slipfield
