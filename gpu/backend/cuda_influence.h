// SPDX-License-Identifier: Apache-2.0
// The influence operator on the GPU, by direct summation in tiles or by FFT. Mirrors
// solver/cpu/cpu_influence.h (THEORY.md 2.6, 2.7).
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <memory>
#include <optional>

#include "gpu/curved/cuda_curved.h"
#include "gpu/device/fields.h"
#include "gpu/fft/fft_product.h"
#include "gpu/fft/spectrum.h"
#include "gpu/newton/newton_gmres.h"
#include "gpu/newton/newton_product.h"
#include "gpu/summation/coefficient_table.h"
#include "gpu/summation/tiled_product.h"
#include "solver/influence/influence_table.h"
#include "solver/influence/spectral_influence.h"

namespace slipfield {

// How the coefficients of each kind of displacement of elastic bodies are computed on the device.

// Excludes the memory of viscoelastic bodies and compliances of single elements. layers: those of
// `kind`, which the caller keeps alive.
inline CoefficientRecipe coefficient_recipe(Component component, const Grid& grid,
                                            const CombinedMaterial& material,
                                            const InfluenceKind& kind,
                                            const DeviceArray<LayerImage>& layers) {
  CoefficientRecipe recipe;
  recipe.layers = {layers.data(), static_cast<int>(layers.size())};
  recipe.component = component;
  recipe.material = material;
  recipe.dx = grid.dx;
  recipe.dy = grid.dy;
  if (kind.displacement == Displacement::current) return recipe;
  recipe.shift_x = kind.offset_x;
  recipe.shift_y = kind.offset_y;
  if (kind.displacement == Displacement::change) recipe.kind = CoefficientRecipe::Kind::difference;
  return recipe;
}

class CudaBackend;

// Fields are device pointers; all work is ordered on the backend's stream.
class CudaInfluence final : public SpectralInfluence<DeviceSpectrum> {
 public:
  CudaInfluence(const CudaBackend& backend, const Grid& grid, const CombinedMaterial& material,
                InfluenceMethod method, const InfluenceKind& kind = {});

  // Coefficients of half-spaces in device memory, in the layout of
  // gpu/summation/coefficient_table.h; otherwise like CpuInfluence's.
  const double* table(Component component);

  // Returns whether a product consists only of kernel launches by launch_untyped().
  [[nodiscard]] bool made_of_launches() const {
    return shape_.engine != FftEngine::cufft && kind_.curved == nullptr;
  }

  void precondition_normal(const double* in, double* out);
  void set_across(const AcrossSymbol& symbol);
  void precondition_tangential(const double* in_x, const double* in_y, const double* in_across,
                               double* out_x, double* out_y, double* out_across);

  // Like SlipOperator's, by NewtonProduct if that accepts the grid.
  bool multiply_newton(const NewtonFields& f, const double* in, double* joined, double* out);
  // Likewise with NewtonGmres.
  bool solve_newton(const NewtonFields& f, const double* b, double* x, double tolerance, int most);

 private:
  void compute(Block block, const TractionField& traction,
               const DisplacementField& displacement) override;
  DeviceSpectrum make_spectrum(Component component) override;
  DeviceSpectrum invert(const DeviceSpectrum& spectrum, double share) override;
  void drop(const InfluenceKind& last) override;
  SpectrumMatrix spectrum_matrix(Block block);
  SpectrumMatrix tangential_inverse();
  [[nodiscard]] bool multiplies_by_fft() const {
    return kind_.curved == nullptr && method_ != InfluenceMethod::summation;
  }
  [[nodiscard]] bool made_on_host() const;
  DeviceSpectrum spectrum_of_table(Component component) const;
  [[nodiscard]] CoefficientRecipe recipe(Component component) const;
  [[nodiscard]] bool use_tiles(Block shape) const;
  FftProduct& fft(int directions);
  CudaCurved& curved();
  void multiply_curved(Block block, const ConstFields& in, const Fields& out);

  InfluenceMethod method_;
  cudaStream_t stream_;
  FftShape shape_;
  DeviceArray<LayerImage> layers_;
  std::array<std::optional<DeviceArray<double>>, kComponents> tables_;
  std::optional<DeviceSpectrum> inverse_across_;
  DeviceArray<double> largest_;
  std::optional<FftProduct> fft_;
  int fft_directions_ = 0;
  std::optional<TiledProduct> tiles_;
  std::optional<NewtonProduct> newton_;  // made on first use
  std::optional<NewtonGmres> gmres_;     // likewise
  std::unique_ptr<CudaCurved> curved_;
};

}  // namespace slipfield
