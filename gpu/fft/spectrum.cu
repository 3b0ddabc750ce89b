// Mirrors the spectra of solver/cpu/cpu_fft_convolution.h. Runs once per grid or step length, not
// per product: cuFFT does the transform.
#include "gpu/fft/spectrum.h"

#include "gpu/fft/cufft_check.h"
#include "gpu/fft/spectrum_build.cuh"
#include "solver/influence/half_space_symbol_part.h"

namespace slipfield {

namespace {

struct RecipeFunction {
  CoefficientRecipe recipe;
  __device__ double operator()(int dx, int dy) const { return recipe.at(dx, dy); }
};

struct TableFunction {
  const double* table;
  int mx;
  int my;
  __device__ double operator()(int dx, int dy) const {
    if (dx <= -mx || dx >= mx || dy <= -my || dy >= my) return 0.0;
    return table[static_cast<std::size_t>(dy + my - 1) * (2 * mx - 1) + dx + mx - 1];
  }
};

struct PeriodicSymbol {
  Component component;
  CombinedMaterial material;
  TableSymmetry symmetry;
  int mx;
  int my;
  double unit_x;  // 2 pi/(length of the grid in x)
  double unit_y;
  __device__ double operator()(int kx, int ky) const {
    if (kx == 0 && ky == 0) return 0.0;
    // At the highest wave number of an even count, +q and -q are one: an odd symbol is 0 there.
    const bool highest_x = 2 * abs(kx) == mx;
    const bool highest_y = 2 * abs(ky) == my;
    if ((symmetry.x < 0 && highest_x) || (symmetry.y < 0 && highest_y)) return 0.0;
    return half_space_symbol_part(component, unit_x * kx, unit_y * ky, material);
  }
};

// Half-complex transform, ny rows of nx/2+1 (a line: ny/2+1 numbers), into the storage of `view`.
__global__ void store_kernel(const double2* transform, int columns, int rows, int ny, bool line,
                             bool real, bool imaginary, double scale, std::size_t stride_x,
                             std::size_t stride_y, double* values) {
  const int kx = blockIdx.x * blockDim.x + threadIdx.x;
  if (kx >= columns) return;
  for (int ky = blockIdx.y; ky < rows; ky += gridDim.y) {
    double2 value;
    if (line) {
      const bool mirrored = 2 * ky > ny;
      value = transform[mirrored ? ny - ky : ky];
      if (mirrored) value.y = -value.y;
    } else {
      value = transform[static_cast<std::size_t>(ky) * columns + kx];
    }
    const std::size_t at = kx * stride_x + ky * stride_y;
    if (real) {
      values[at] = scale * (imaginary ? value.y : value.x);
    } else {
      values[2 * at] = scale * value.x;
      values[2 * at + 1] = scale * value.y;
    }
  }
}

// Greatest |a|: bits of a double >= 0 compare as integers, so the result is the same in every run.
__global__ void largest_kernel(const double* values, std::size_t count, bool real,
                               unsigned long long* largest) {
  double found = 0.0;
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride)
    found = fmax(found, real ? fabs(values[i]) : hypot(values[2 * i], values[2 * i + 1]));
  for (int offset = 16; offset > 0; offset >>= 1)
    found = fmax(found, __shfl_down_sync(0xffffffffu, found, offset));
  if ((threadIdx.x & 31) == 0)
    atomicMax(largest, static_cast<unsigned long long>(__double_as_longlong(found)));
}

// Stored a s (s = scale) -> s conj(a)/(|a|^2 + cut^2); the unused ends of rows are 0 and stay 0.
__global__ void invert_kernel(const double* from, std::size_t count, bool real, bool imaginary,
                              double scale, double relative_cut, const unsigned long long* largest,
                              double* to) {
  const double cut = relative_cut * __longlong_as_double(static_cast<long long>(*largest)) / scale;
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    if (real) {
      const double a = from[i] / scale;
      const double size = a * a + cut * cut;
      to[i] = size > 0.0 ? (imaginary ? -scale : scale) * a / size : 0.0;
    } else {
      const double re = from[2 * i] / scale;
      const double im = from[2 * i + 1] / scale;
      const double size = re * re + im * im + cut * cut;
      to[2 * i] = size > 0.0 ? scale * re / size : 0.0;
      to[2 * i + 1] = size > 0.0 ? -scale * im / size : 0.0;
    }
  }
}

std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

bool is_imaginary(const FftShape& shape, TableSymmetry symmetry) {
  const TableSymmetry s = transform_symmetry(shape, symmetry);
  if (shape.nx == 1) return s.y < 0;  // a line: across it the table is a number
  if (shape.ny == 1) return s.x < 0;
  return s.x * s.y < 0;
}

}  // namespace

SpectrumKind spectrum_kind(const FftShape& shape, TableSymmetry symmetry) {
  const TableSymmetry s = transform_symmetry(shape, symmetry);
  const bool symmetric_x = shape.nx == 1 || s.x != 0;
  const bool symmetric_y = shape.ny == 1 || s.y != 0;
  if (!symmetric_y) return SpectrumKind::complex_full;
  return symmetric_x ? SpectrumKind::real_quarter : SpectrumKind::complex_half;
}

DeviceSpectrum::DeviceSpectrum(const FftShape& shape, SpectrumKind kind, TableSymmetry symmetry,
                               cudaStream_t stream)
    : shape_(shape), kind_(kind), symmetry_(symmetry) {
  const SpectrumView layout = view();
  const std::size_t reals = kind == SpectrumKind::real_quarter ? 1 : 2;
  const std::size_t rows =
      kind == SpectrumKind::complex_full ? shape.ny : static_cast<std::size_t>(shape.ny) / 2 + 1;
  const std::size_t count =
      shape.engine == FftEngine::cufft ? layout.stride_y * rows : layout.stride_x * shape.columns();
  values_ = DeviceArray<double>(reals * count);
  values_.zero(stream);
}

SpectrumView DeviceSpectrum::view(double sign) const {
  SpectrumView view;
  view.values = values_.data();
  view.kind = kind_;
  view.sign = sign;
  view.imaginary = kind_ == SpectrumKind::real_quarter && is_imaginary(shape_, symmetry_) ? 1 : 0;
  view.parity_y = transform_symmetry(shape_, symmetry_).y < 0 ? -1.0 : 1.0;
  const std::size_t rows =
      kind_ == SpectrumKind::complex_full ? shape_.ny : static_cast<std::size_t>(shape_.ny) / 2 + 1;
  if (shape_.engine == FftEngine::cufft) {
    view.stride_x = 1;
    view.stride_y = shape_.columns();
  } else {  // columns are contiguous: what the fused pass reads
    view.stride_x = round_up(rows, 4);
    view.stride_y = 1;
  }
  return view;
}

void transform_table(const FftShape& shape, DeviceArray<double>& table, DeviceSpectrum& spectrum,
                     cudaStream_t stream) {
  const bool line = shape.nx == 1;
  const std::size_t points = line ? shape.ny / 2 + 1 : shape.spectrum_points();
  DeviceArray<double2> transform(points);
  CufftPlan plan;
  if (line) {
    SLIPFIELD_CUFFT_CHECK(cufftPlan1d(plan.slot(), shape.ny, CUFFT_D2Z, 1));
  } else if (shape.ny == 1) {
    SLIPFIELD_CUFFT_CHECK(cufftPlan1d(plan.slot(), shape.nx, CUFFT_D2Z, 1));
  } else {
    SLIPFIELD_CUFFT_CHECK(cufftPlan2d(plan.slot(), shape.ny, shape.nx, CUFFT_D2Z));
  }
  plan.made();
  SLIPFIELD_CUFFT_CHECK(cufftSetStream(plan.get(), stream));
  SLIPFIELD_CUFFT_CHECK(cufftExecD2Z(plan.get(), table.data(), transform.data()));
  const SpectrumView view = spectrum.view();
  const bool real = view.kind == SpectrumKind::real_quarter;
  const int rows = view.kind == SpectrumKind::complex_full ? shape.ny : shape.ny / 2 + 1;
  store_kernel<<<spectrum_detail::grid_over(shape.columns(), rows), 128, 0, stream>>>(
      transform.data(), shape.columns(), rows, shape.ny, line, real, view.imaginary != 0,
      shape.scale(), view.stride_x, view.stride_y, spectrum.values());
  SLIPFIELD_LAUNCH_CHECK("store_kernel");
  SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(stream));  // `table` and `transform` are freed next
}

DeviceSpectrum DeviceSpectrum::from_coefficients(const FftShape& shape,
                                                 const CoefficientRecipe& recipe,
                                                 cudaStream_t stream) {
  return spectrum_from_function(shape, RecipeFunction{recipe}, recipe.symmetry(), stream);
}

DeviceSpectrum DeviceSpectrum::from_table(const FftShape& shape, const double* device_table,
                                          TableSymmetry symmetry, cudaStream_t stream) {
  return spectrum_from_function(shape, TableFunction{device_table, shape.mx, shape.my}, symmetry,
                                stream);
}

DeviceSpectrum DeviceSpectrum::periodic(const FftShape& shape, Component component,
                                        const CombinedMaterial& material, double dx, double dy,
                                        cudaStream_t stream) {
  constexpr double kTwoPi = 6.28318530717958647692;
  CoefficientRecipe recipe;
  recipe.component = component;
  const TableSymmetry symmetry = recipe.symmetry();
  return spectrum_from_symbol(shape,
                              PeriodicSymbol{component, material, symmetry, shape.mx, shape.my,
                                             kTwoPi / (shape.mx * dx), kTwoPi / (shape.my * dy)},
                              symmetry, stream);
}

DeviceSpectrum DeviceSpectrum::inverse(double relative_cut, cudaStream_t stream) const {
  DeviceSpectrum result(shape_, kind_, symmetry_, stream);
  const bool real = kind_ == SpectrumKind::real_quarter;
  const std::size_t count = values_.size() / (real ? 1 : 2);
  DeviceArray<unsigned long long> largest(1);
  largest.zero(stream);
  constexpr int kBlocks = 528;
  largest_kernel<<<kBlocks, 256, 0, stream>>>(values_.data(), count, real, largest.data());
  SLIPFIELD_LAUNCH_CHECK("largest_kernel");
  invert_kernel<<<kBlocks, 256, 0, stream>>>(values_.data(), count, real, view().imaginary != 0,
                                             shape_.scale(), relative_cut, largest.data(),
                                             result.values());
  SLIPFIELD_LAUNCH_CHECK("invert_kernel");
  SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(stream));  // `largest` is freed next
  return result;
}

}  // namespace slipfield
