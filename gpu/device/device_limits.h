// SPDX-License-Identifier: Apache-2.0
// Limits of a card and the decisions based on them. Without CUDA calls, so that the decisions are
// tested without a GPU (tests/gpu/test_device_limits.cpp).
//
// Speeds were measured on an H200 (132 multiprocessors, 227 KiB of shared memory for a block,
// clusters). Other cards compute the same numbers with the same kernels, or with those that they
// can run.
#pragma once

#include <cstddef>
#include <string>

namespace slipfield {

struct DeviceLimits {
  std::string name;
  int capability = 0;  // 90: compute capability 9.0
  int code = 0;        // architecture of the code that the card runs, see code_for()
  int multiprocessors = 0;
  std::size_t shared_per_block = 0;           // bytes, the most that a kernel may ask for
  std::size_t shared_per_multiprocessor = 0;  // bytes, of all its blocks
  std::size_t shared_reserved = 0;            // bytes of each block that the driver keeps
  std::size_t cache_bytes = 0;                // L2
  bool clusters = false;                      // of thread blocks
  bool cooperative = false;                   // launches whose blocks wait for each other
  bool memory_pools = false;
};

// Returns the architecture whose code a card runs; 0: none. `architectures`: as
// CMAKE_CUDA_ARCHITECTURES, with commas ("80-virtual,90"). Binary code runs on cards of its
// generation with at least its number, PTX on every card with at least its number. Words such as
// all-major mean the card's own.
int code_for(int capability, const std::string& architectures);

// Returns why nothing runs on the card; empty if the program can use it.
std::string why_unusable(const DeviceLimits& card, const std::string& architectures);

// The most blocks in a cluster, a power of two up to 8; 1: no clusters, because of card or code.
int largest_cluster(const DeviceLimits& card);

// Returns whether the fused FFT product (gpu/fft/kernels.cuh) can run: kernels that start before
// the previous one has ended, and clusters of three. Otherwise cuFFT replaces it.
bool runs_fused_fft(const DeviceLimits& card);

// The most shared memory of a block such that a second one fits on the multiprocessor.
std::size_t shared_for_two_blocks(const DeviceLimits& card);

// The most blocks of the Gauss-Seidel sweep that keep the slip. One more runs the chain, and all
// are on the card at the same time, one per multiprocessor. Throws Error if the card cannot run the
// sweep, whose blocks need `shared_bytes`.
int most_sweep_owners(const DeviceLimits& card, std::size_t shared_bytes);

}  // namespace slipfield
