// SPDX-License-Identifier: Apache-2.0
// Decisions that follow from a card's properties, for cards of every kind, without a card.
#include "gpu/device/device_limits.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "gpu/cuda_device.h"
#include "gpu/fft/shape.h"
#include "gpu/summation/tiled_plan.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr std::size_t kKiB = 1024;
constexpr std::size_t kMiB = 1024 * kKiB;
const std::string kArchitectures = "80-virtual,90";  // as compiled by default

// Numbers of the CUDA C++ Programming Guide's tables of compute capabilities and of the makers'
// data sheets.
DeviceLimits card(const std::string& name, int capability, int multiprocessors,
                  std::size_t shared_kib, std::size_t cache_mib) {
  DeviceLimits limits;
  limits.name = name;
  limits.capability = capability;
  limits.code = code_for(capability, kArchitectures);
  limits.multiprocessors = multiprocessors;
  limits.shared_per_block = shared_kib * kKiB;
  limits.shared_per_multiprocessor = (shared_kib + 1) * kKiB;
  limits.shared_reserved = kKiB;
  limits.cache_bytes = cache_mib * kMiB;
  limits.clusters = capability >= 90;
  limits.cooperative = true;
  limits.memory_pools = true;
  return limits;
}

const DeviceLimits kH200 = card("NVIDIA H200", 90, 132, 227, 60);
const DeviceLimits kH100Pcie = card("NVIDIA H100 PCIe", 90, 114, 227, 50);
const DeviceLimits kB200 = card("NVIDIA B200", 100, 148, 227, 126);
const DeviceLimits kA100 = card("NVIDIA A100", 80, 108, 163, 40);
const DeviceLimits kRtx4090 = card("NVIDIA GeForce RTX 4090", 89, 128, 99, 72);
const DeviceLimits kRtx5090 = card("NVIDIA GeForce RTX 5090", 120, 170, 99, 96);
const DeviceLimits kSmall = card("NVIDIA RTX A2000", 86, 20, 99, 4);
const DeviceLimits kSlice = card("NVIDIA H100 MIG 1g.10gb", 90, 6, 227, 6);
const std::vector<DeviceLimits> kCards{kH200,    kH100Pcie, kB200,  kA100,
                                       kRtx4090, kRtx5090,  kSmall, kSlice};

constexpr Block kShapes[] = {Block::normal, Block::tangential, Block::full,
                             Block::normal_from_tangential, Block::tangential_from_normal};

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("GPU code: a card runs binary code of its generation, else PTX of none later") {
    CHECK(code_for(90, kArchitectures) == 90);
    CHECK(code_for(80, kArchitectures) == 80);
    CHECK(code_for(86, kArchitectures) == 80);
    CHECK(code_for(89, kArchitectures) == 80);
    CHECK(code_for(100, kArchitectures) == 90);
    CHECK(code_for(120, kArchitectures) == 90);
    CHECK(code_for(75, kArchitectures) == 0);
    CHECK(code_for(86, "80-real") == 80);
    CHECK(code_for(80, "86-real") == 0);
    CHECK(code_for(90, "80-real") == 0);
    CHECK(code_for(100, "90-real") == 0);
    CHECK(code_for(100, "90a") == 0);
    CHECK(code_for(90, "90a") == 90);
    CHECK(code_for(120, "80,86,120-real") == 120);
    CHECK(code_for(89, "all-major") == 89);
  }

  TEST_CASE("GPU: a card that the program cannot use is refused with the reason") {
    for (const DeviceLimits& usable : kCards) {
      CAPTURE(usable.name);
      CHECK(why_unusable(usable, kArchitectures).empty());
    }
    CHECK(why_unusable(card("Tesla T4", 75, 40, 64, 4), kArchitectures) ==
          "Tesla T4 has the compute capability 7.5; this program needs 8.0 or more");
    DeviceLimits other = kA100;
    other.code = code_for(other.capability, "90");
    CHECK(why_unusable(other, "90") ==
          "this program holds no code for NVIDIA A100 (compute capability 8.0), only for 90; build "
          "it with -DCMAKE_CUDA_ARCHITECTURES=80");
    DeviceLimits shared = kH200;
    shared.memory_pools = false;
    CHECK(why_unusable(shared, kArchitectures) ==
          "NVIDIA H200 has no memory pools with this driver (cudaMallocFromPoolAsync), and this "
          "program takes its memory from them");
  }

  TEST_CASE("GPU clusters: of eight blocks where card and code have them and they fit") {
    CHECK(largest_cluster(kH200) == 8);
    CHECK(largest_cluster(kB200) == 8);
    CHECK(largest_cluster(kSlice) == 4);
    CHECK(largest_cluster(kA100) == 1);
    CHECK(largest_cluster(kRtx4090) == 1);
    DeviceLimits old_code = kH200;
    old_code.code = 80;  // PTX of 8.0 alone
    CHECK(largest_cluster(old_code) == 1);
    CHECK_FALSE(runs_fused_fft(old_code));
  }

  TEST_CASE("GPU transforms: fused where the card has clusters and the shared memory, else cuFFT") {
    const auto engine = [](int n, const DeviceLimits& on) {
      return make_fft_shape(n, n, Boundary::free, on).engine;
    };
    for (const int n : {20, 256, 1000, 2048, 4096}) {
      CAPTURE(n);
      CHECK(engine(n, kH200) == FftEngine::fused);
      CHECK(engine(n, kH100Pcie) == FftEngine::fused);
      CHECK(engine(n, kSlice) == FftEngine::fused);
      CHECK(engine(n, kA100) == FftEngine::cufft);
      CHECK(engine(n, kRtx4090) == FftEngine::cufft);
      CHECK(engine(n, kSmall) == FftEngine::cufft);
      // 8192 points need 145 KiB.
      CHECK(engine(n, kRtx5090) == (n <= 2048 ? FftEngine::fused : FftEngine::cufft));
    }
    CHECK(make_fft_shape(500, 1, Boundary::free, kH200).engine == FftEngine::line);
    CHECK(make_fft_shape(500, 1, Boundary::free, kA100).engine == FftEngine::cufft);
    CHECK(make_fft_shape(4097, 8, Boundary::free, kH200).engine == FftEngine::cufft);  // too long
    CHECK(make_fft_shape(31, 8, Boundary::periodic, kH200).engine == FftEngine::cufft);
  }

  TEST_CASE("GPU transforms: every length of the family fits an H200, by some points per thread") {
    for (int n = 16; n <= kFftMaxLength; n += 16) {
      if (!fft_length_supported(n)) continue;
      CAPTURE(n);
      CHECK(fft_length_fits(n, kH200));
      CHECK(fft_length_fits(n, kRtx5090) == (n <= 5120));
    }
  }

  TEST_CASE("tiled product: on every card pieces fit, and only clusters share a tile") {
    for (const DeviceLimits& on : kCards) {
      for (const Block shape : kShapes) {
        for (const int mx : {1, 7, 8, 40, 72, 96, 97, 300, 1000}) {
          for (const int my : {1, 3, 32, 33, 100, 700}) {
            const TiledPlan plan = make_tiled_plan(shape, mx, my, on);
            CAPTURE(on.name);
            CAPTURE(mx);
            CAPTURE(my);
            CHECK(static_cast<std::size_t>(plan.shared_bytes) <= tiled_shared_limit(on));
            CHECK(plan.splits <= largest_cluster(on));
            CHECK(plan.splits >= 1);
            CHECK(plan.pieces_x * plan.piece_x >= mx);
            CHECK(plan.pieces_y * plan.piece_y >= my);
            CHECK(plan.piece_x % plan.outputs_x == 0);
            CHECK(plan.tiles_x * plan.lanes_x * plan.outputs_x >= mx);
            CHECK(plan.test_pieces == (plan.pieces_x * plan.pieces_y > plan.splits));
          }
        }
      }
    }
  }

  TEST_CASE("tiled product: more multiprocessors, more blocks for a tile") {
    const auto splits = [](const DeviceLimits& on) {
      return make_tiled_plan(Block::normal, 64, 64, on).splits;
    };
    CHECK(splits(kH200) == 8);
    CHECK(splits(kSlice) == 1);
    CHECK(splits(kA100) == 1);
    CHECK(make_tiled_plan(Block::normal, 64, 64, kA100, {8, 4}).splits == 1);
    CHECK(make_tiled_plan(Block::normal, 64, 64, kH200, {8, 4}).splits == 4);
  }

  TEST_CASE("gauss_seidel on a GPU: a block on each multiprocessor, or a refusal") {
    constexpr std::size_t kNeeded = 104000;  // bytes, what the sweep's chain needs
    CHECK(most_sweep_owners(kH200, kNeeded) == 131);
    CHECK(most_sweep_owners(kH100Pcie, kNeeded) == 113);
    CHECK(most_sweep_owners(kA100, kNeeded) == 107);
    CHECK(most_sweep_owners(kSlice, kNeeded) == 5);
    for (const DeviceLimits& refused : {kRtx4090, kRtx5090, kSmall})
      CHECK_THROWS_WITH_AS(
          most_sweep_owners(refused, kNeeded),
          ("gauss_seidel, which also follows where newton stalls, needs 102 KiB of shared memory "
           "for a block, and " +
           refused.name + " gives 99 KiB; accepted: the backend cpu, or a case that newton solves")
              .c_str(),
          Error);
    DeviceLimits alone = kH200;
    alone.cooperative = false;
    CHECK_THROWS_WITH_AS(most_sweep_owners(alone, kNeeded),
                         doctest::Contains("two blocks that run at the same time"), Error);
    alone = kH200;
    alone.multiprocessors = 1;
    CHECK_THROWS_AS(most_sweep_owners(alone, kNeeded), Error);
  }

  TEST_CASE("device: the one asked for, or why it cannot be used") {
    CudaStatus status;
    status.reason = "no NVIDIA driver is installed";
    CHECK_THROWS_WITH_AS(require_cuda_device(status, 0),
                         "backend cuda: no GPU answers: no NVIDIA driver is installed", Error);
    CudaDevice first;
    first.name = "first";
    CudaDevice second;
    second.unusable = "GPU 1 is too old";
    status.devices = {first, second};
    CHECK(require_cuda_device(status, 0).name == "first");
    CHECK_THROWS_WITH_AS(require_cuda_device(status, 1), "backend cuda: GPU 1 is too old", Error);
    for (const int none : {-1, 2})
      CHECK_THROWS_WITH_AS(require_cuda_device(status, none),
                           doctest::Contains("this machine shows 2, numbered from 0"), InputError);
  }
}

}  // namespace slipfield
