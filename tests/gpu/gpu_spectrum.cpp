// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "gpu/device/current_device.h"
#include "gpu/fft/fft_product.h"
#include "gpu/fft/spectrum.h"
#include "tests/gpu/gpu_device_fields.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/near.h"

namespace slipfield::test {

namespace {

constexpr double kTolerance = 1e-13;  // rounding of the transforms

CombinedMaterial material() {
  CombinedMaterial combined;
  combined.shear_modulus = 1.3;
  combined.poisson_ratio = 0.28;
  combined.coupling = 0.07;
  return combined;
}

}  // namespace

TEST_SUITE("gpu") {
  TEST_CASE("spectra from coefficients: products equal direct summation, shifted ones too") {
    constexpr double kDx = 0.11;
    constexpr double kDy = 0.17;
    struct Shift {
      double x;
      double y;
    };
    for (const GridSize size : {GridSize{31, 17}, GridSize{1, 40}, GridSize{40, 1},
                                GridSize{5000, 1}, GridSize{1, 4500}}) {
      for (const Shift shift :
           {Shift{0.0, 0.0}, Shift{0.11, 0.0}, Shift{0.0, -0.05}, Shift{0.08, 0.03}}) {
        for (const auto kind :
             {CoefficientRecipe::Kind::shifted, CoefficientRecipe::Kind::difference}) {
          const bool zero = shift.x == 0.0 && shift.y == 0.0;
          if (zero && kind == CoefficientRecipe::Kind::difference) continue;
          CAPTURE(size.mx);
          CAPTURE(size.my);
          CAPTURE(shift.x);
          CAPTURE(shift.y);
          const std::size_t count = static_cast<std::size_t>(size.mx) * size.my;
          Random random(count);
          const HostFields host = random_fields(random, count);
          const FftShape shape = make_fft_shape(size.mx, size.my, Boundary::free, current_limits());
          Tables tables;
          std::array<DeviceSpectrum, kComponents> spectra;
          const DeviceSpectrum* pointers[kComponents];
          for (int c = 0; c < kComponents; ++c) {
            const CoefficientRecipe recipe{
                static_cast<Component>(c), material(), kDx, kDy, kind, shift.x, shift.y};
            const auto device_table = make_coefficient_table(recipe, size.mx, size.my, nullptr);
            tables[c] = device_table.download();
            // The closed forms cancel far away: their rounding is that of the nearest coefficient.
            const double nearest =
                influence_coefficient(Component::nn, 0.0, 0.0, kDx, kDy, material());
            CHECK(std::fabs(tables[c][0] - recipe.at(1 - size.mx, 1 - size.my)) < 1e-14 * nearest);
            spectra[c] = DeviceSpectrum::from_coefficients(shape, recipe, nullptr);
            pointers[c] = &spectra[c];
          }
          FftProduct product(shape, kDirections);
          DeviceFields fields(host, count);
          const Block full = Block::full;
          product.apply(make_spectrum_matrix(full, pointers), fields.in(full), fields.out(full),
                        nullptr);
          const std::size_t stride = count > 1000 ? 97 : 1;
          for (int to = 0; to < kDirections; ++to) {
            const auto expected = summed_product(full, to, tables, host, size.mx, size.my, stride);
            // Far coefficients are differences: two kernels round the long line's differently.
            const double tolerance = count > 1000 ? 1e-12 : kTolerance;
            CHECK(relative_difference(fields.output(to).download(), expected, stride) < tolerance);
          }
        }
      }
    }
  }

  TEST_CASE("inverse spectrum: undoes a product on a periodic grid") {
    for (const GridSize size :
         {GridSize{48, 80}, GridSize{96, 1}, GridSize{1, 160}, GridSize{30, 21}}) {
      CAPTURE(size.mx);
      CAPTURE(size.my);
      const std::size_t count = static_cast<std::size_t>(size.mx) * size.my;
      const FftShape shape = make_fft_shape(size.mx, size.my, Boundary::periodic, current_limits());
      const DeviceSpectrum forward =
          DeviceSpectrum::periodic(shape, {Component::nn, {2.2, 0.0, 0.0}, 0.1, 0.13}, nullptr);
      const DeviceSpectrum inverse = forward.inverse(0.0, nullptr);
      Random random(5);
      HostFields host = random_fields(random, count);
      double mean = 0.0;
      for (const double value : host[2]) mean += value;
      for (double& value : host[2]) value -= mean / static_cast<double>(count);
      DeviceFields fields(host, count);
      FftProduct product(shape, 1);
      SpectrumMatrix matrix;
      matrix.block[2][2] = &forward;
      const Block normal = Block::normal;
      product.apply(matrix, fields.in(normal), fields.out(normal), nullptr);
      matrix.block[2][2] = &inverse;
      ConstFields displacement;
      displacement.field[2] = fields.output(2).data();
      product.apply(matrix, displacement, fields.out(normal), nullptr);
      CHECK(relative_difference(fields.output(2).download(), host[2]) < 1e-12);
    }
  }

  TEST_CASE("periodic normal product: a pressure wave gives 2/(E* q) times itself") {
    constexpr double kPi = std::numbers::pi;
    constexpr double kModulus = 3.7;
    constexpr double kDx = 0.2;
    constexpr double kDy = 0.3;
    for (const GridSize size : {GridSize{64, 48}, GridSize{37, 53}}) {
      const std::size_t count = static_cast<std::size_t>(size.mx) * size.my;
      const int kx = 3;
      const int ky = -5;
      HostFields host;
      for (auto& field : host) field.assign(count, 0.0);
      for (std::size_t i = 0; i < count; ++i)
        host[2][i] = std::cos(2.0 * kPi *
                                  (kx * static_cast<double>(i % size.mx) / size.mx +
                                   ky * static_cast<double>(i / size.mx) / size.my) +
                              0.4);
      const double q = 2.0 * kPi * std::hypot(kx / (size.mx * kDx), ky / (size.my * kDy));
      std::vector<double> expected = host[2];
      for (double& value : expected) value *= 2.0 / (kModulus * q);
      const FftShape shape = make_fft_shape(size.mx, size.my, Boundary::periodic, current_limits());
      const DeviceSpectrum spectrum =
          DeviceSpectrum::periodic(shape, {Component::nn, {kModulus, 0.0, 0.0}, kDx, kDy}, nullptr);
      SpectrumMatrix matrix;
      matrix.block[2][2] = &spectrum;
      FftProduct product(shape, 1);
      DeviceFields fields(host, count);
      product.apply(matrix, fields.in(Block::normal), fields.out(Block::normal), nullptr);
      CHECK(relative_difference(fields.output(2).download(), expected) < kTolerance);
    }
  }

  TEST_CASE("regularised inverse: a coefficient and its inverse multiply to |a|^2/(|a|^2 + c^2)") {
    const FftShape shape = make_fft_shape(24, 20, Boundary::free, current_limits());
    const CoefficientRecipe recipe{
        Component::xx, material(), 0.1, 0.1, CoefficientRecipe::Kind::difference, 0.1, 0.02};
    DeviceSpectrum spectrum = DeviceSpectrum::from_coefficients(shape, recipe, nullptr);
    DeviceSpectrum inverse = spectrum.inverse(0.01, nullptr);
    std::vector<double> a(spectrum.bytes() / sizeof(double));
    std::vector<double> b(a.size());
    SLIPFIELD_CUDA_CHECK(
        cudaMemcpy(a.data(), spectrum.values(), spectrum.bytes(), cudaMemcpyDeviceToHost));
    SLIPFIELD_CUDA_CHECK(
        cudaMemcpy(b.data(), inverse.values(), inverse.bytes(), cudaMemcpyDeviceToHost));
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); i += 2)
      largest = std::fmax(largest, std::hypot(a[i], a[i + 1]));
    const double scale = shape.scale();
    for (std::size_t i = 0; i < a.size(); i += 2) {
      const double size = a[i] * a[i] + a[i + 1] * a[i + 1];
      const double expected = size / (size + 1e-4 * largest * largest) * scale * scale;
      CHECK(a[i] * b[i] - a[i + 1] * b[i + 1] == within(expected, 1e-12 * scale * scale));
      CHECK(std::fabs(a[i] * b[i + 1] + a[i + 1] * b[i]) < 1e-12 * scale * scale);
    }
  }
}

}  // namespace slipfield::test
