// SPDX-License-Identifier: Apache-2.0
#include "gpu/bench/measured.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "gpu/backend/cuda_backend.h"
#include "gpu/curved/row_product.h"
#include "gpu/device/current_device.h"
#include "gpu/device/device_array.h"
#include "gpu/fft/fft_product.h"
#include "gpu/summation/coefficient_table.h"
#include "gpu/summation/tiled_product.h"

namespace slipfield {

namespace {

// The most elements for direct summation and for a table per row, whose cost is quadratic.
constexpr std::size_t kTiledLimit = std::size_t{1} << 18;
constexpr std::size_t kStudyLimit = std::size_t{1} << 16;
constexpr std::size_t kRowsLimit = std::size_t{1} << 16;

CombinedMaterial bench_material() {
  CombinedMaterial material;
  material.shear_modulus = 1.0;
  material.poisson_ratio = 0.28;
  material.coupling = 0.05;
  return material;
}

std::vector<double> random_field(std::size_t count, unsigned seed) {
  std::vector<double> field(count);
  std::uint64_t state = seed * 2654435761u + 1;
  for (double& value : field) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    value = static_cast<double>(state >> 11) * 0x1p-53;
  }
  return field;
}

// One grid: fields on the host and on the device, tables, references.
class Bench {
 public:
  Bench(int mx, int my, const DeviceCeilings& ceilings, cudaStream_t stream)
      : mx_(mx), my_(my), ceilings_(ceilings), stream_(stream) {
    for (int d = 0; d < kDirections; ++d) {
      host_[d] = random_field(count(), static_cast<unsigned>(d) + 1);
      in_[d] = DeviceArray<double>(host_[d]);
      out_[d] = DeviceArray<double>(count());
    }
    for (int c = 0; c < kComponents; ++c)
      tables_[c] = make_coefficient_table(recipe(c), mx, my, stream);
  }

  void run(Block shape, std::vector<BenchLine>& results) {
    shape_ = shape;
    for (int d = 0; d < kDirections; ++d) {
      fields_in_.field[d] = block_takes(shape, d) ? in_[d].data() : nullptr;
      fields_out_.field[d] = block_gives(shape, d) ? out_[d].data() : nullptr;
    }
    make_reference();
    const double pairs = static_cast<double>(count()) * count() * inputs() * outputs();
    if (shape == Block::normal && count() <= kStudyLimit) {
      for (const auto& [variant, name] : {std::pair{StudyProduct::global_memory, "global memory"},
                                          std::pair{StudyProduct::one_row_tiles, "one-row tiles"}})
        results.push_back(time(name, 0.0, 2.0 * pairs, [&, v = variant](cudaStream_t stream) {
          study_product(v, tables_[0].data(), in_[2].data(), mx_, my_, out_[2].data(), stream);
        }));
    }
    if (count() <= kTiledLimit) {
      CoefficientTables tables;
      for (int c = 0; c < kComponents; ++c) tables.component[c] = tables_[c].data();
      const TiledProduct product(mx_, my_);
      results.push_back(time("tiled", 0.0, 2.0 * pairs, [&](cudaStream_t stream) {
        product.apply(shape_, tables, fields_in_, fields_out_, stream);
      }));
    }
    results.push_back(time_fft("fft", make_fft_shape(mx_, my_, Boundary::free, current_limits())));
    if (count() <= kRowsLimit) {
      const double bytes = rows().bytes_moved(shape_);
      results.push_back(time("a table for each row", bytes, 0.0, [&](cudaStream_t stream) {
        rows().apply(shape_, fields_in_, fields_out_, stream);
      }));
    }
    results.push_back(time_fft("cufft", make_cufft_shape(mx_, my_, Boundary::free)));
  }

 private:
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(mx_) * static_cast<std::size_t>(my_);
  }
  [[nodiscard]] int inputs() const {
    int found = 0;
    for (int d = 0; d < kDirections; ++d) found += block_takes(shape_, d) ? 1 : 0;
    return found;
  }
  [[nodiscard]] int outputs() const {
    int found = 0;
    for (int d = 0; d < kDirections; ++d) found += block_gives(shape_, d) ? 1 : 0;
    return found;
  }
  static CoefficientRecipe recipe(int component) {
    CoefficientRecipe recipe;
    recipe.component = static_cast<Component>(component);
    recipe.material = bench_material();
    recipe.dx = recipe.dy = 0.1;
    return recipe;
  }

  // Computes some outputs by direct summation in long double.
  void make_reference() {
    constexpr double kReferencePairs = 4.0e8;
    const double wanted = kReferencePairs / (static_cast<double>(count()) * inputs() * outputs());
    const std::size_t samples =
        std::clamp(static_cast<std::size_t>(wanted), std::size_t{8}, count());
    std::array<std::vector<double>, kComponents> host_tables;
    sampled_.clear();
    for (std::size_t k = 0; k < std::min(samples, count()); ++k)
      sampled_.push_back(k * count() / samples);
    for (int to = 0; to < kDirections; ++to) {
      reference_[to].assign(sampled_.size(), 0.0);
      if (!block_gives(shape_, to)) continue;
      std::vector<long double> sums(sampled_.size(), 0.0L);
      for (int from = 0; from < kDirections; ++from) {
        if (!block_takes(shape_, from)) continue;
        const BlockTerm term = block_term(to, from);
        std::vector<double>& table = host_tables[term.component];
        if (table.empty()) table = tables_[term.component].download(stream_);
#pragma omp parallel for
        for (std::size_t k = 0; k < sampled_.size(); ++k)
          sums[k] += term.sign * sum_at(sampled_[k], table, host_[from]);
      }
      std::copy(sums.begin(), sums.end(), reference_[to].begin());
    }
  }

  [[nodiscard]] long double sum_at(std::size_t element, const std::vector<double>& table,
                                   const std::vector<double>& traction) const {
    const auto width = static_cast<std::size_t>(2 * mx_ - 1);
    const std::size_t ix = element % static_cast<std::size_t>(mx_);
    const std::size_t iy = element / static_cast<std::size_t>(mx_);
    long double sum = 0.0L;
    for (int jy = 0; jy < my_; ++jy) {
      const double* row = table.data() + (iy + static_cast<std::size_t>(my_ - 1 - jy)) * width +
                          ix + static_cast<std::size_t>(mx_ - 1);
      const double* p =
          traction.data() + static_cast<std::size_t>(jy) * static_cast<std::size_t>(mx_);
      double row_sum = 0.0;
      for (int jx = 0; jx < mx_; ++jx) row_sum += row[-jx] * p[jx];
      sum += row_sum;
    }
    return sum;
  }

  [[nodiscard]] double error() const {
    long double difference = 0.0L;
    long double size = 0.0L;
    for (int d = 0; d < kDirections; ++d) {
      if (!block_gives(shape_, d)) continue;
      const std::vector<double> found = out_[d].download(stream_);
      for (std::size_t k = 0; k < sampled_.size(); ++k) {
        const long double off = static_cast<long double>(found[sampled_[k]]) - reference_[d][k];
        difference += off * off;
        size += static_cast<long double>(reference_[d][k]) * reference_[d][k];
      }
    }
    return static_cast<double>(std::sqrt(difference / size));
  }

  BenchLine time(const std::string& name, double bytes, double flops,
                 const std::function<void(cudaStream_t)>& work) {
    BenchLine result;
    result.name = std::string(shape_ == Block::normal ? "normal, " : "tangential, ") + name;
    result.size = std::to_string(mx_) + "x" + std::to_string(my_);
    result.milliseconds = median_milliseconds(work, stream_);
    set_floor(result, ceilings_, bytes, flops);
    result.error = error();
    return result;
  }

  BenchLine time_fft(const std::string& name, const FftShape& shape) {
    std::array<std::optional<DeviceSpectrum>, kComponents> spectra;
    const DeviceSpectrum* pointers[kComponents] = {};
    for (int to = 0; to < kDirections; ++to) {
      for (int from = 0; from < kDirections; ++from) {
        if (!block_gives(shape_, to) || !block_takes(shape_, from)) continue;
        const int component = block_term(to, from).component;
        if (!spectra[component])
          spectra[component] = DeviceSpectrum::from_coefficients(shape, recipe(component), stream_);
        pointers[component] = &*spectra[component];
      }
    }
    const SpectrumMatrix matrix = make_spectrum_matrix(shape_, pointers);
    FftProduct product(shape, std::max(inputs(), outputs()));
    return time(
        name, product.bytes_moved(matrix, inputs(), outputs()), 0.0,
        [&](cudaStream_t stream) { product.apply(matrix, fields_in_, fields_out_, stream); });
  }

  // A product row by row, here with the coefficients of half-spaces, which are equal in every row.
  RowProduct& rows() {
    if (rows_) return *rows_;
    const int nx = 2 * mx_;
    std::array<std::vector<double>, kComponents> tables;
    for (int c = 0; c < kComponents; ++c) tables[c] = tables_[c].download(stream_);
    rows_.emplace(mx_, my_, nx);
    std::vector<double> periods(static_cast<std::size_t>(9) * my_ * nx);
    for (int jy = 0; jy < my_; ++jy) {
      for (int pair = 0; pair < 9; ++pair) {
        const BlockTerm term = block_term(pair / 3, pair % 3);
        for (int iy = 0; iy < my_; ++iy) {
          const double* row = tables[term.component].data() +
                              static_cast<std::size_t>(iy - jy + my_ - 1) * (2 * mx_ - 1) + mx_ - 1;
          double* period = periods.data() + (static_cast<std::size_t>(pair) * my_ + iy) * nx;
          for (int kx = 1 - mx_; kx < mx_; ++kx)
            period[kx < 0 ? kx + nx : kx] = term.sign * row[kx] / nx;
        }
      }
      rows_->set_row(jy, periods, stream_);
    }
    rows_->all_rows_set(stream_);
    return *rows_;
  }

  int mx_;
  int my_;
  DeviceCeilings ceilings_;
  cudaStream_t stream_;
  Block shape_ = Block::normal;
  std::array<std::vector<double>, kDirections> host_;
  std::array<DeviceArray<double>, kDirections> in_;
  std::array<DeviceArray<double>, kDirections> out_;
  std::array<DeviceArray<double>, kComponents> tables_;
  std::optional<RowProduct> rows_;
  ConstFields fields_in_;
  Fields fields_out_;
  std::vector<std::size_t> sampled_;
  std::array<std::vector<double>, kDirections> reference_;
};

}  // namespace

// Times products of the influence matrix with dense random tractions by each method. Floors: the
// flops of direct summation, the bytes of the FFT product. The error is that of some outputs (all
// on a small grid) against direct summation on the CPU.
std::vector<BenchLine> cuda_bench_matvec(const BenchSizes& sizes) {
  const CudaBackend backend;
  const DeviceCeilings ceilings = measure_ceilings(backend.stream());
  const BenchSizes usual{{64, 64},     {128, 128},   {256, 256},  {512, 512},
                         {1024, 1024}, {2048, 2048}, {4096, 4096}};
  std::vector<BenchLine> results;
  for (const auto& [mx, my] : sizes.empty() ? usual : sizes) {
    Bench bench(mx, my, ceilings, backend.stream());
    for (const Block shape : {Block::normal, Block::tangential}) bench.run(shape, results);
  }
  return results;
}

}  // namespace slipfield
