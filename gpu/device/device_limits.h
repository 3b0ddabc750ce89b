// SPDX-License-Identifier: Apache-2.0
// What a card can do, and what is decided from it. No CUDA call: the decisions are tested without a
// GPU (tests/gpu/test_device_limits.cpp).
//
// Speeds were measured on an H200 (132 multiprocessors, 227 KiB of shared memory for a block,
// clusters); other cards get the same numbers by the same kernels, or by those that they can run.
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

// The architecture whose code a card runs, 0: none. `architectures`: as CMAKE_CUDA_ARCHITECTURES,
// with commas ("80-virtual,90"). Binary code runs on its own generation from its own number on, PTX
// on every card from its number on. Words like all-major: the card's own.
int code_for(int capability, const std::string& architectures);

// Why nothing runs on the card; empty where the program can use it.
std::string why_unusable(const DeviceLimits& card, const std::string& architectures);

// Blocks that a cluster may have, a power of two up to 8; 1: no clusters, by card or by code.
int largest_cluster(const DeviceLimits& card);

// Kernels that start before the one ahead of them has ended, and clusters of three: what the fused
// FFT product (gpu/fft/kernels.cuh) is made of. Otherwise cuFFT takes its place.
bool runs_fused_fft(const DeviceLimits& card);

// Shared memory of a block that leaves room for a second one on the multiprocessor.
std::size_t shared_for_two_blocks(const DeviceLimits& card);

// Blocks of the Gauss-Seidel sweep that keep the slip, at most: one more runs the chain, and all
// are on the card at the same time, one on a multiprocessor. Throws Error where the card cannot run
// the sweep, whose blocks need `shared_bytes`.
int most_sweep_owners(const DeviceLimits& card, std::size_t shared_bytes);

}  // namespace slipfield
