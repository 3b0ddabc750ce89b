// SPDX-License-Identifier: Apache-2.0
// Launches that are made again and again, as one graph that is replayed.
//
// A launch takes the host 3.6 to 5.8 us, a short kernel takes the card 1.5: what a small grid waits
// for are its launches (gpu/newton/newton_product.h). From hold() to send() they are kept back;
// send() looks for a graph of the same kernels, hands it the parameters that differ, and sends it
// in one piece. Kernels met for the first time are launched one by one: a graph costs some ten
// launches to make.
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
  bool overlap = false;  // may begin while the launch before it ends
};

// values: the address of each of the kernel's parameters, `count` of `sizes` bytes. Held back where
// the thread holds launches (gpu/device/launch_replay.h).
void launch_untyped(const void* kernel, const Launch& how, cudaStream_t stream, void** values,
                    const std::size_t* sizes, std::size_t count);

// Kernels with their parameters, in order.
class KeptLaunches {
 public:
  void add(const void* kernel, const Launch& how, void** values, const std::size_t* sizes,
           std::size_t count);
  void clear();
  [[nodiscard]] std::size_t size() const { return launches_.size(); }
  // Whether a graph of `other` can be handed these parameters.
  [[nodiscard]] bool has_kernels_of(const KeptLaunches& other) const;
  // Whether launch k is the same to the last byte, where the kernels are.
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

  // From here on this thread's launches by launch_untyped() into the stream wait for send(). What
  // else is put into the stream does not.
  void hold();
  void send();
  // What is held of this thread's launches into the stream is sent now, and no more is held: before
  // memory is released that they use, or other work is put into the stream.
  static void interrupt(cudaStream_t stream);
  // Discards the launches that are held, for a run that an exception ended.
  void drop();

  // Keeps a launch, if this thread holds launches of that stream.
  static bool keep(cudaStream_t stream, const void* kernel, const Launch& how, void** values,
                   const std::size_t* sizes, std::size_t count);

  // Number of graphs sent so far.
  [[nodiscard]] long replayed() const { return uses_; }

 private:
  // Parameters that alternate, as those of GMRES's two newest vectors, have a graph each.
  static constexpr std::size_t kGraphs = 2;
  static constexpr std::size_t kMostChains = 256;  // then the one used least recently goes
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

  // The chain of those kernels; null where they are new.
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
