// SPDX-License-Identifier: Apache-2.0
// Launches that are made again and again with the same arguments, as one: each takes the host some
// 4 us, which on small grids is longer than it takes the device (NVIDIA H200, CUDA 13.0).
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstring>
#include <list>
#include <utility>
#include <vector>

#include "gpu/device/cuda_check.h"

namespace slipfield {

class RecordedLaunches {
 public:
  RecordedLaunches() = default;
  ~RecordedLaunches() {
    for (const Recorded& one : recorded_) SLIPFIELD_CUDA_REPORT(cudaGraphExecDestroy(one.graph));
    if (aside_ != nullptr) SLIPFIELD_CUDA_REPORT(cudaStreamDestroy(aside_));
  }
  RecordedLaunches(const RecordedLaunches&) = delete;
  RecordedLaunches& operator=(const RecordedLaunches&) = delete;

  // What launches(stream) would put into `stream`; recorded the first time that a key comes. key:
  // all that they are made with, told apart by its bytes, padding included. Asynchronous.
  template <class Key, class Launches>
  void run(const Key& key, cudaStream_t stream, const Launches& launches) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&key);
    for (const Recorded& one : recorded_) {
      if (one.key.size() != sizeof(Key) || std::memcmp(one.key.data(), bytes, sizeof(Key)) != 0)
        continue;
      SLIPFIELD_CUDA_CHECK(cudaGraphLaunch(one.graph, stream));
      return;
    }
    if (recorded_.size() == kMost) {
      SLIPFIELD_CUDA_CHECK(cudaGraphExecDestroy(recorded_.front().graph));
      recorded_.pop_front();
    }
    const cudaGraphExec_t graph = record(launches);
    recorded_.push_back({{bytes, bytes + sizeof(Key)}, graph});
    SLIPFIELD_CUDA_CHECK(cudaGraphLaunch(graph, stream));
  }

 private:
  static constexpr std::size_t kMost = 8;
  struct Recorded {
    std::vector<unsigned char> key;
    cudaGraphExec_t graph = nullptr;
  };

  // On a stream that the default one has nothing to do with: other threads may use that meanwhile.
  template <class Launches>
  cudaGraphExec_t record(const Launches& launches) {
    if (aside_ == nullptr)
      SLIPFIELD_CUDA_CHECK(cudaStreamCreateWithFlags(&aside_, cudaStreamNonBlocking));
    SLIPFIELD_CUDA_CHECK(cudaStreamBeginCapture(aside_, cudaStreamCaptureModeThreadLocal));
    cudaGraph_t graph = nullptr;
    try {
      launches(aside_);
    } catch (...) {
      cudaStreamEndCapture(aside_, &graph);
      if (graph != nullptr) cudaGraphDestroy(graph);
      throw;
    }
    SLIPFIELD_CUDA_CHECK(cudaStreamEndCapture(aside_, &graph));
    cudaGraphExec_t ready = nullptr;
    const cudaError_t code = cudaGraphInstantiate(&ready, graph, 0);
    SLIPFIELD_CUDA_REPORT(cudaGraphDestroy(graph));
    SLIPFIELD_CUDA_CHECK(code);
    return ready;
  }

  cudaStream_t aside_ = nullptr;
  std::list<Recorded> recorded_;
};

}  // namespace slipfield
