// SPDX-License-Identifier: Apache-2.0
// Replays launches that repeat as one graph.
//
// A launch takes the host 3.6 to 5.8 us, a short kernel takes the card 1.5: small grids wait for
// their launches (gpu/newton/newton_product.h). Launches are held from hold() to send(); send()
// finds a graph of the same kernels, updates the parameters that differ, and sends it at once. New
// kernels are launched one by one: making a graph costs some ten launches.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <vector>

namespace slipfield {

// Dimensions and attributes of a launch.
struct Launch {
  dim3 blocks;
  unsigned threads = 0;
  std::size_t shared_bytes = 0;
  unsigned cluster = 1;  // blocks of a cluster
  bool overlap = false;  // may begin while the previous launch ends
};

// values: the addresses of the kernel's `count` parameters, with `sizes` bytes each. The launch is
// held if the thread holds launches (gpu/device/launch_replay.h).
void launch_untyped(const void* kernel, const Launch& how, cudaStream_t stream, void** values,
                    const std::size_t* sizes, std::size_t count);

// Kernels with their parameters, in order.
class KeptLaunches {
 public:
  void add(const void* kernel, const Launch& how, void** values, const std::size_t* sizes,
           std::size_t count);
  void clear();
  [[nodiscard]] std::size_t size() const { return launches_.size(); }
  // Returns whether a graph of `other` can be updated to these parameters.
  [[nodiscard]] bool has_kernels_of(const KeptLaunches& other) const;
  // Returns whether launch k has the same parameters, byte by byte; the kernels must be equal.
  [[nodiscard]] bool same(std::size_t k, const KeptLaunches& other) const;
  void launch(cudaStream_t stream);
  // nodes: one for each launch.
  [[nodiscard]] cudaGraphExec_t make_graph(cudaGraph_t graph, std::vector<cudaGraphNode_t>& nodes);
  void hand_over(std::size_t k, cudaGraphExec_t to, cudaGraphNode_t node);

 private:
  struct Kept {
    const void* kernel = nullptr;
    Launch how;
    std::size_t first = 0;  // of its parameters
    std::size_t count = 0;
    std::size_t bytes_from = 0;
    std::size_t bytes_to = 0;
  };
  [[nodiscard]] cudaKernelNodeParams node_of(const Kept& of);
  [[nodiscard]] void** pointers(const Kept& of);

  std::vector<Kept> launches_;
  std::vector<std::size_t> offsets_;  // of each parameter
  std::vector<std::byte> bytes_;
  std::vector<void*> pointers_;  // of one launch
};

// Replays the launches of one stream; used by one thread at a time.
class LaunchReplay {
 public:
  explicit LaunchReplay(cudaStream_t stream) : stream_(stream) {}
  ~LaunchReplay();
  LaunchReplay(const LaunchReplay&) = delete;
  LaunchReplay& operator=(const LaunchReplay&) = delete;

  // Holds this thread's launches by launch_untyped() into the stream until send(). Other work in
  // the stream is not held.
  void hold();
  void send();
  // Sends this thread's held launches into the stream and stops holding: call before releasing
  // memory that they use or adding other work to the stream.
  static void interrupt(cudaStream_t stream);
  // Discards held launches, after an exception.
  void drop();

  // Holds a launch if this thread holds launches of that stream.
  static bool keep(cudaStream_t stream, const void* kernel, const Launch& how, void** values,
                   const std::size_t* sizes, std::size_t count);

  // Number of graphs sent so far.
  [[nodiscard]] long replayed() const { return uses_; }

 private:
  // Parameters that alternate, such as those of GMRES's two newest vectors, have one graph each.
  static constexpr std::size_t kGraphs = 2;
  static constexpr std::size_t kMostChains = 256;  // beyond this the least recently used is dropped
  static constexpr std::size_t kLeast = 3;         // launches of a graph

  struct Graph {
    KeptLaunches launches;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    std::vector<cudaGraphNode_t> nodes;
    long last_used = 0;
  };
  struct Chain {
    KeptLaunches kernels;
    std::vector<Graph> graphs;
    long last_used = 0;
  };

  // The chain of these kernels; null if they are new.
  [[nodiscard]] Chain* find_chain();
  void replay(Chain& chain);
  [[nodiscard]] Graph make_graph() const;
  static void destroy(const Chain& chain);

  cudaStream_t stream_;
  KeptLaunches kept_;
  std::vector<Chain> chains_;
  long uses_ = 0;
};

}  // namespace slipfield
