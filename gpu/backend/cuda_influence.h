// SPDX-License-Identifier: Apache-2.0
// The influence operator on the GPU: direct summation in tiles or FFT behind one interface. Mirrors
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
#include "solver/influence/influence_operator.h"
#include "solver/influence/influence_table.h"
#include "solver/problem.h"

namespace slipfield {

class CudaBackend;

// Fields are device pointers; everything is ordered on the backend's stream.
class CudaInfluence final : public InfluenceOperator {
 public:
  CudaInfluence(const CudaBackend& backend, const Grid& grid, const CombinedMaterial& material,
                InfluenceMethod method, const InfluenceKind& kind = {});

  // Coefficient of an element on itself.
  [[nodiscard]] double self(Component component) const;
  [[nodiscard]] const InfluenceKind& kind() const { return kind_; }
  // As CpuInfluence's.
  void take_up(const InfluenceKind& kind);

  // Coefficients in device memory, as gpu/summation/coefficient_table.h lays them out: of
  // half-spaces, as CpuInfluence's.
  const double* table(Component component);

  // Whether a product puts nothing into the stream but launches of kernels by launch_untyped().
  [[nodiscard]] bool made_of_launches() const {
    return shape_.engine != FftEngine::cufft && kind_.curved == nullptr;
  }

  void precondition_normal(const double* in, double* out);
  void set_across(const AcrossSymbol& symbol);
  void precondition_tangential(const double* in_x, const double* in_y, const double* in_across,
                               double* out_x, double* out_y, double* out_across);

  // As SlipOperator's: by NewtonProduct, where it takes the grid.
  bool precondition_newton(const NewtonFields& f, const double* in, double* out);
  bool multiply_newton(const NewtonFields& f, const double* in, double* joined, double* out);
  // Likewise by NewtonGmres.
  bool solve_newton(const NewtonFields& f, const double* b, double* x, double tolerance, int most);

 private:
  void compute(Block block, const TractionField& traction,
               const DisplacementField& displacement) override;
  const DeviceSpectrum& spectrum(Component component);
  SpectrumMatrix spectrum_matrix(Block block);
  SpectrumMatrix tangential_inverse();
  bool takes_newton();
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

  Grid grid_;
  CombinedMaterial material_;
  InfluenceMethod method_;
  InfluenceKind kind_;
  cudaStream_t stream_;
  FftShape shape_;
  DeviceArray<LayerImage> layers_;
  std::array<std::optional<DeviceArray<double>>, kComponents> tables_;
  std::array<std::optional<DeviceSpectrum>, kComponents> spectra_;
  std::optional<DeviceSpectrum> inverse_normal_, inverse_x_, inverse_y_, inverse_across_;
  DeviceArray<double> largest_;
  std::optional<FftProduct> fft_;
  int fft_directions_ = 0;
  std::optional<TiledProduct> tiles_;
  std::optional<NewtonProduct> newton_;  // made on first use
  std::optional<NewtonGmres> gmres_;     // likewise
  std::unique_ptr<CudaCurved> curved_;
};

}  // namespace slipfield
