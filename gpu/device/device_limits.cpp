// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/device_limits.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "solver/error.h"
#include "solver/memory_estimate.h"

namespace slipfield {
namespace {

constexpr int kLeastCapability = 80;

std::string capability_text(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

// The code that one entry of the list, "90", "90-real", "80-virtual" or "90a", offers a card; 0:
// none.
int code_of_entry(int capability, const std::string& entry) {
  if (entry.empty()) return 0;
  if (std::isdigit(static_cast<unsigned char>(entry.front())) == 0) return capability;
  char* rest = nullptr;
  const int architecture = static_cast<int>(std::strtol(entry.c_str(), &rest, 10));
  const std::string kind = rest;
  if (kind.starts_with('a')) return capability == architecture ? architecture : 0;
  const bool binary = kind != "-virtual" && capability / 10 == architecture / 10;
  const bool ptx = kind != "-real";
  return capability >= architecture && (binary || ptx) ? architecture : 0;
}

}  // namespace

int code_for(int capability, const std::string& architectures) {
  int best = 0;
  for (std::size_t begin = 0; begin <= architectures.size();) {
    const std::size_t end = std::min(architectures.find(',', begin), architectures.size());
    best = std::max(best, code_of_entry(capability, architectures.substr(begin, end - begin)));
    begin = end + 1;
  }
  return best;
}

std::string why_unusable(const DeviceLimits& card, const std::string& architectures) {
  if (card.capability < kLeastCapability)
    return card.name + " has the compute capability " + capability_text(card.capability) +
           "; this program needs 8.0 or more";
  if (card.code == 0)
    return "this program holds no code for " + card.name + " (compute capability " +
           capability_text(card.capability) + "), only for " + architectures +
           "; build it with -DCMAKE_CUDA_ARCHITECTURES=" + std::to_string(card.capability);
  if (!card.memory_pools)
    return card.name +
           " has no memory pools with this driver (cudaMallocFromPoolAsync), and this "
           "program takes its memory from them";
  return {};
}

int largest_cluster(const DeviceLimits& card) {
  if (!card.clusters || card.code < 90) return 1;
  int blocks = 8;
  while (blocks > card.multiprocessors) blocks /= 2;
  return std::max(blocks, 1);
}

bool runs_fused_fft(const DeviceLimits& card) { return largest_cluster(card) >= 4; }

std::size_t shared_for_two_blocks(const DeviceLimits& card) {
  const std::size_t half = card.shared_per_multiprocessor / 2;
  return half > card.shared_reserved ? half - card.shared_reserved : 0;
}

int most_sweep_owners(const DeviceLimits& card, std::size_t shared_bytes) {
  const std::string method = "gauss_seidel, which also follows where newton stalls, ";
  const std::string accepted = "; accepted: the backend cpu, or a case that newton solves";
  if (shared_bytes > card.shared_per_block)
    throw Error(method + "needs " + readable_bytes(shared_bytes) +
                " of shared memory for a block, and " + card.name + " gives " +
                readable_bytes(card.shared_per_block) + accepted);
  if (!card.cooperative || card.multiprocessors < 2)
    throw Error(method + "needs two blocks that run at the same time (a cooperative launch), and " +
                card.name + " does not run them" + accepted);
  return card.multiprocessors - 1;
}

}  // namespace slipfield
