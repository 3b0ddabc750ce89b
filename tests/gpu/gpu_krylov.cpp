// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gpu/device/device_array.h"
#include "gpu/device/krylov.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/near.h"

namespace slipfield::test {

namespace {

struct Orthogonalized {
  std::vector<double> w;
  std::vector<float> stored;
  KrylovColumn column;
  KrylovColumn on_host;
};

// basis: `count` vectors as long as w.
Orthogonalized orthogonalize(const std::vector<std::vector<float>>& basis,
                             const std::vector<double>& w, bool in_cluster) {
  const CudaStream stream;
  CudaKrylov krylov(stream.get(), true, in_cluster);
  const std::size_t size = w.size();
  std::vector<DeviceArray<float>> chunks;
  KrylovBasis on_device;
  on_device.size = size;
  for (std::size_t k = 0; k <= basis.size(); k += kKrylovFused) {
    // Not a number where no vector has been written.
    std::vector<float> host(kKrylovFused * size, std::numeric_limits<float>::quiet_NaN());
    for (std::size_t of = k; of < std::min(basis.size(), k + kKrylovFused); ++of)
      std::copy(basis[of].begin(), basis[of].end(),
                host.begin() + static_cast<std::ptrdiff_t>((of - k) * size));
    chunks.emplace_back(host);
    on_device.chunk[chunks.size() - 1] = chunks.back().data();
  }
  const std::size_t place = basis.size() % kKrylovFused * size;
  DeviceArray<double> newest(w);
  DeviceArray<KrylovColumn> column(1);
  column.zero();
  const PinnedMemory host(sizeof(KrylovColumn));
  auto* const on_host = static_cast<KrylovColumn*>(host.get());
  *on_host = {};
  Orthogonalized found;
  krylov.orthogonalize(on_device, static_cast<int>(basis.size()), newest.data(), column.data(),
                       on_host);
  found.w = newest.download(stream.get());
  const std::vector<float> last = chunks.back().download(stream.get());
  found.stored.assign(last.begin() + static_cast<std::ptrdiff_t>(place),
                      last.begin() + static_cast<std::ptrdiff_t>(place + size));
  found.column = column.download(stream.get())[0];
  found.on_host = *on_host;
  return found;
}

std::vector<std::vector<float>> random_basis(Random& random, std::size_t size, int count) {
  std::vector<std::vector<float>> basis(static_cast<std::size_t>(count));
  for (auto& vector : basis) {
    const std::vector<double> values = random.values(size);
    vector.assign(values.begin(), values.end());
  }
  return basis;
}

}  // namespace

TEST_SUITE("gpu") {
  TEST_CASE("Gram-Schmidt in one launch has the bits of the one in two, and sums of the host") {
    for (const std::size_t size : {1u, 31u, 255u, 257u, 2050u, 2306u, 8194u, 12345u, 16384u}) {
      for (const int count : {0, 1, 6, 7, 8, 20, 95}) {
        CAPTURE(size);
        CAPTURE(count);
        Random random(size + static_cast<std::size_t>(count));
        auto basis = random_basis(random, size, count);
        // Short, so that something is left of w whatever their number.
        const double length = 0.1 / std::sqrt(static_cast<double>(size * (count + 1)));
        for (auto& vector : basis)
          for (float& value : vector) value *= static_cast<float>(length);
        const std::vector<double> w = random.values(size);
        const Orthogonalized one = orthogonalize(basis, w, true);
        const Orthogonalized two = orthogonalize(basis, w, false);
        CHECK(one.w == two.w);
        CHECK(one.stored == two.stored);
        CHECK(one.column.norm2 == two.column.norm2);
        CHECK(std::equal(one.column.product, one.column.product + count, two.column.product));
        for (const Orthogonalized& found : {one, two}) {
          CHECK(found.on_host.norm2 == one.column.norm2);
          CHECK(std::equal(one.column.product, one.column.product + count, found.on_host.product));
        }
        long double left = 0.0L;
        for (const double value : w) left += static_cast<long double>(value) * value;
        std::vector<long double> rest(w.begin(), w.end());
        for (int k = 0; k < count; ++k) {
          const std::vector<float>& vector = basis[static_cast<std::size_t>(k)];
          long double sum = 0.0L;
          long double parts = 0.0L;
          for (std::size_t i = 0; i < size; ++i) {
            sum += static_cast<long double>(vector[i]) * w[i];
            parts += std::fabs(static_cast<long double>(vector[i]) * w[i]);
          }
          left -= sum * sum;
          for (std::size_t i = 0; i < size; ++i) rest[i] -= sum * vector[i];
          // Sums of 64 numbers at most in a row, then in trees.
          CHECK(std::fabs(static_cast<double>(sum - one.column.product[k])) <=
                1e-14 * static_cast<double>(parts));
        }
        CHECK(one.column.norm2 == near(static_cast<double>(left), 1e-12));
        std::vector<double> expected(size);
        for (std::size_t i = 0; i < size; ++i)
          expected[i] = static_cast<double>(rest[i] / std::sqrt(left));
        CHECK(relative_difference(one.w, expected) < 1e-12);  // rounding of `size` terms
      }
    }
  }

  TEST_CASE(
      "a basis made vector by vector, by the device's count, is orthonormal and in its place") {
    constexpr int kVectors = 16;
    for (const std::size_t size : {600u, 16384u, 30000u}) {
      CAPTURE(size);
      const CudaStream stream;
      CudaKrylov krylov(stream.get(), true);
      Random random(size);
      std::vector<DeviceArray<float>> chunks;
      KrylovBasis basis;
      basis.size = size;
      for (int k = 0; k < 3; ++k) {
        chunks.emplace_back(kKrylovFused * size);
        basis.chunk[k] = chunks.back().data();
      }
      DeviceArray<KrylovColumn> column(1);
      const PinnedMemory host(sizeof(KrylovColumn));
      for (int begun = 0; begun < 2; ++begun) {  // the second time from the start again
        for (int k = 0; k < kVectors; ++k) {
          DeviceArray<double> w(random.values(size));
          krylov.orthogonalize(basis, k, w.data(), column.data(),
                               static_cast<KrylovColumn*>(host.get()));
          CHECK(w.download(stream.get()).size() == size);  // waits, before it is released
        }
        std::vector<std::vector<float>> stored;
        for (const DeviceArray<float>& chunk : chunks)
          stored.push_back(chunk.download(stream.get()));
        const auto entry = [&](int k, std::size_t i) {
          const auto of = static_cast<std::size_t>(k);
          return static_cast<double>(stored[of / kKrylovFused][of % kKrylovFused * size + i]);
        };
        for (int a = 0; a < kVectors; ++a) {
          for (int b = 0; b <= a; ++b) {
            double sum = 0.0;
            for (std::size_t i = 0; i < size; ++i) sum += entry(a, i) * entry(b, i);
            CHECK(std::abs(sum - (a == b ? 1.0 : 0.0)) < 1e-5);  // single precision
          }
        }
      }
    }
  }

  TEST_CASE("Gram-Schmidt leaves 0 of a vector that is in the span of the basis") {
    for (const std::size_t size : {300u, 8194u, 20000u}) {
      CAPTURE(size);
      Random random(size);
      auto basis = random_basis(random, size, 1);
      double square = 0.0;
      for (const float value : basis[0]) square += static_cast<double>(value) * value;
      for (float& value : basis[0]) value = static_cast<float>(value / std::sqrt(square));
      std::vector<double> w(basis[0].begin(), basis[0].end());
      for (double& value : w) value *= 3.0;
      const Orthogonalized found = orthogonalize(basis, w, true);
      CHECK(found.column.norm2 == 0.0);
      CHECK(found.column.product[0] == near(3.0, 1e-6));  // single precision
      CHECK(std::all_of(found.w.begin(), found.w.end(), [](double value) { return value == 0.0; }));
    }
  }
}

}  // namespace slipfield::test
