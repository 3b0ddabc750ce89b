// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <utility>

#include "gpu/device/current_device.h"
#include "gpu/fft/fft_product.h"
#include "gpu/fft/shape.h"
#include "tests/gpu/gpu_device_fields.h"
#include "tests/gpu/gpu_support.h"

namespace slipfield::test {

namespace {

// A padded transform of n points carries the rounding of about log2(n) passes: 1e-15 to 1e-14.
constexpr double kTolerance = 1e-13;

struct Spectra {
  std::array<DeviceSpectrum, kComponents> spectrum;
  Spectra(const FftShape& shape, const DeviceTables& tables, bool symmetric) {
    constexpr int kParity[kComponents][2] = {{1, 1}, {1, 1}, {1, 1}, {-1, -1}, {-1, 1}, {1, -1}};
    for (int c = 0; c < kComponents; ++c) {
      const TableSymmetry symmetry =
          symmetric ? TableSymmetry{kParity[c][0], kParity[c][1]} : TableSymmetry{};
      spectrum[c] = DeviceSpectrum::from_table(shape, tables.table[c].data(), symmetry, nullptr);
    }
  }
  [[nodiscard]] SpectrumMatrix matrix(Block shape) const {
    const DeviceSpectrum* pointers[kComponents];
    for (int c = 0; c < kComponents; ++c) pointers[c] = &spectrum[c];
    return make_spectrum_matrix(shape, pointers);
  }
};

void check_all_shapes(const FftShape& fft_shape, bool symmetric) {
  const int mx = fft_shape.mx;
  const int my = fft_shape.my;
  CAPTURE(mx);
  CAPTURE(my);
  CAPTURE(symmetric);
  CAPTURE(static_cast<int>(fft_shape.engine));
  const std::size_t count = static_cast<std::size_t>(mx) * my;
  Random random(count + 1);
  const Tables tables = random_tables(random, mx, my, symmetric);
  const HostFields host = random_fields(random, count);
  const DeviceTables device_tables(tables);
  const Spectra spectra(fft_shape, device_tables, symmetric);
  FftProduct product(fft_shape, kDirections);
  const std::size_t stride = count < 3000 ? 1 : 41;
  for (const Block shape : kAllShapes) {
    CAPTURE(static_cast<int>(shape));
    DeviceFields fields(host, count);
    product.apply(spectra.matrix(shape), fields.in(shape), fields.out(shape), nullptr);
    for (int to = 0; to < kDirections; ++to) {
      if (!block_gives(shape, to)) continue;
      const auto expected = summed_product(shape, to, tables, host, mx, my, stride);
      CHECK(relative_difference(fields.output(to).download(), expected, stride) < kTolerance);
    }
  }
}

}  // namespace

TEST_SUITE("gpu") {
  TEST_CASE("FFT product: every shape equals direct summation at awkward sizes") {
    for (const GridSize size : kAwkwardSizes) {
      for (const bool symmetric : {false, true}) {
        check_all_shapes(make_fft_shape(size.mx, size.my, Boundary::free, current_limits()),
                         symmetric);
        check_all_shapes(make_cufft_shape(size.mx, size.my, Boundary::free), symmetric);
      }
    }
  }

  TEST_CASE("FFT product: every transform length equals direct summation") {
    for (int n = 16; n <= kFftMaxLength; n += 16) {
      if (!fft_length_supported(n)) continue;
      CAPTURE(n);
      const int count = n / 2;
      Random random(n);
      Tables tables;
      for (auto& table : tables) table = random_table(random, count, 1, 0, 0);
      const HostFields host = random_fields(random, count);
      const DeviceTables device_tables(tables);
      for (const auto& [mx, my] : {std::pair{count, 1}, std::pair{1, count}}) {
        const FftShape shape = make_fft_shape(mx, my, Boundary::free, current_limits());
        CHECK(shape.ny == n);
        const DeviceSpectrum spectrum =
            DeviceSpectrum::from_table(shape, device_tables.table[0].data(), {}, nullptr);
        SpectrumMatrix matrix;
        matrix.block[2][2] = &spectrum;
        const std::size_t stride = n > 1000 ? 17 : 1;
        const auto expected = summed_product(Block::normal, 2, tables, host, count, 1, stride);
        for (const int per_thread : {4, 8, 16}) {
          if (n / per_thread > 512 || !fft_length_supported(n, per_thread)) continue;
          CAPTURE(per_thread);
          FftProduct product(shape, 1, FftTuning{per_thread, per_thread});
          DeviceFields fields(host, count);
          product.apply(matrix, fields.in(Block::normal), fields.out(Block::normal), nullptr);
          CHECK(relative_difference(fields.output(2).download(), expected, stride) < kTolerance);
        }
      }
    }
  }

  TEST_CASE("FFT product: long rows and long columns equal the whole-array cuFFT") {
    for (const GridSize size : {GridSize{4096, 3}, GridSize{3, 4096}, GridSize{3000, 40},
                                GridSize{40, 2500}, GridSize{700, 900}}) {
      CAPTURE(size.mx);
      CAPTURE(size.my);
      const std::size_t count = static_cast<std::size_t>(size.mx) * size.my;
      Random random(count);
      const Tables tables = random_tables(random, size.mx, size.my, true);
      const HostFields host = random_fields(random, count);
      const DeviceTables device_tables(tables);
      const FftShape shape = make_fft_shape(size.mx, size.my, Boundary::free, current_limits());
      const FftShape cufft_shape = make_cufft_shape(size.mx, size.my, Boundary::free);
      CHECK(shape.engine == FftEngine::fused);
      const Spectra spectra(shape, device_tables, true);
      const Spectra cufft_spectra(cufft_shape, device_tables, true);
      FftProduct cufft_product(cufft_shape, kDirections);
      DeviceFields cufft_fields(host, count);
      const Block full = Block::full;
      cufft_product.apply(cufft_spectra.matrix(full), cufft_fields.in(full), cufft_fields.out(full),
                          nullptr);
      for (const int per_thread : {4, 8, 16}) {
        if (shape.nx / per_thread > 512 || shape.ny / per_thread > 512) continue;
        CAPTURE(per_thread);
        FftProduct product(shape, kDirections, FftTuning{per_thread, per_thread});
        DeviceFields fields(host, count);
        product.apply(spectra.matrix(full), fields.in(full), fields.out(full), nullptr);
        for (int to = 0; to < kDirections; ++to)
          CHECK(relative_difference(fields.output(to).download(),
                                    cufft_fields.output(to).download()) < kTolerance);
      }
    }
  }

  TEST_CASE("FFT product: gives the same bits in every run, accumulates, works in place") {
    constexpr int kMx = 90;
    constexpr int kMy = 61;
    constexpr std::size_t kCount = std::size_t{kMx} * kMy;
    for (const FftShape& fft_shape : {make_fft_shape(kMx, kMy, Boundary::free, current_limits()),
                                      make_cufft_shape(kMx, kMy, Boundary::free)}) {
      Random random(3);
      const Tables tables = random_tables(random, kMx, kMy, true);
      const HostFields host = random_fields(random, kCount);
      const DeviceTables device_tables(tables);
      const Spectra spectra(fft_shape, device_tables, true);
      FftProduct product(fft_shape, kDirections);
      const Block shape = Block::full;
      DeviceFields first(host, kCount);
      product.apply(spectra.matrix(shape), first.in(shape), first.out(shape), nullptr);
      for (int run = 0; run < 5; ++run) {
        DeviceFields again(host, kCount);
        product.apply(spectra.matrix(shape), again.in(shape), again.out(shape), nullptr);
        for (int to = 0; to < kDirections; ++to)
          CHECK(again.output(to).download() == first.output(to).download());
      }
      HostFields once;
      for (int to = 0; to < kDirections; ++to) once[to] = first.output(to).download();
      product.apply(spectra.matrix(shape), first.in(shape), first.out(shape), nullptr,
                    Accumulate::yes);
      DeviceFields in_place(host, kCount);
      Fields both;
      for (int d = 0; d < kDirections; ++d) {
        in_place.output(d).upload(host[d]);
        both.field[d] = in_place.output(d).data();
      }
      product.apply(spectra.matrix(shape),
                    ConstFields{{both.field[0], both.field[1], both.field[2]}}, both, nullptr);
      for (int to = 0; to < kDirections; ++to) {
        const auto twice = first.output(to).download();
        for (std::size_t i = 0; i < kCount; ++i) CHECK(twice[i] == 2.0 * once[to][i]);
        CHECK(in_place.output(to).download() == once[to]);
      }
    }
  }
}

}  // namespace slipfield::test
