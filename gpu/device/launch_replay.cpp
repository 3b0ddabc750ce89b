// SPDX-License-Identifier: Apache-2.0
// Launches of kernels whose parameters are known by address and size only; they have no CPU twin.
#include "gpu/device/launch_replay.h"

#include <algorithm>
#include <cstring>

#include "gpu/device/cuda_check.h"

namespace slipfield {

namespace {

thread_local LaunchReplay* holder = nullptr;  // in this thread

void launch_now(const void* kernel, const Launch& how, cudaStream_t stream, void** values) {
  cudaLaunchAttribute attributes[2] = {};
  unsigned count = 0;
  if (how.cluster > 1) {
    attributes[count].id = cudaLaunchAttributeClusterDimension;
    attributes[count].val.clusterDim.x = how.cluster;
    attributes[count].val.clusterDim.y = 1;
    attributes[count++].val.clusterDim.z = 1;
  }
  if (how.overlap) {
    attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[count++].val.programmaticStreamSerializationAllowed = 1;
  }
  cudaLaunchConfig_t config = {};
  config.gridDim = how.blocks;
  config.blockDim = dim3(how.threads);
  config.dynamicSmemBytes = how.shared_bytes;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = count;
  SLIPFIELD_CUDA_CHECK(cudaLaunchKernelExC(&config, kernel, values));
}

// Adds an edge between neighbours: the second kernel begins when the first one allows it
// (begin_in_turn() of launch_in_turn.cuh), or when the first has ended.
void add_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to, bool overlap) {
#if CUDART_VERSION >= 12030
  cudaGraphEdgeData edge = {};
  if (overlap) {
    edge.from_port = cudaGraphKernelNodePortProgrammatic;
    edge.type = cudaGraphDependencyTypeProgrammatic;
  }
#if CUDART_VERSION >= 13000
  SLIPFIELD_CUDA_CHECK(cudaGraphAddDependencies(graph, &from, &to, &edge, 1));
#else
  SLIPFIELD_CUDA_CHECK(cudaGraphAddDependencies_v2(graph, &from, &to, &edge, 1));
#endif
#else
  static_cast<void>(overlap);
  SLIPFIELD_CUDA_CHECK(cudaGraphAddDependencies(graph, &from, &to, 1));
#endif
}

}  // namespace

void launch_untyped(const void* kernel, const Launch& how, cudaStream_t stream, void** values,
                    const std::size_t* sizes, std::size_t count) {
  if (!LaunchReplay::keep(stream, kernel, how, values, sizes, count))
    launch_now(kernel, how, stream, values);
}

void KeptLaunches::add(const void* kernel, const Launch& how, void** values,
                       const std::size_t* sizes, std::size_t count) {
  Kept kept;
  kept.kernel = kernel;
  kept.how = how;
  kept.first = offsets_.size();
  kept.count = count;
  kept.bytes_from = bytes_.size();
  for (std::size_t k = 0; k < count; ++k) {
    constexpr std::size_t kAlign = alignof(std::max_align_t);
    const std::size_t at = (bytes_.size() + kAlign - 1) / kAlign * kAlign;
    bytes_.resize(at + sizes[k]);
    std::memcpy(bytes_.data() + at, values[k], sizes[k]);
    offsets_.push_back(at);
  }
  kept.bytes_to = bytes_.size();
  launches_.push_back(kept);
}

void KeptLaunches::clear() {
  launches_.clear();
  offsets_.clear();
  bytes_.clear();
}

bool KeptLaunches::has_kernels_of(const KeptLaunches& other) const {
  return std::equal(launches_.begin(), launches_.end(), other.launches_.begin(),
                    other.launches_.end(), [](const Kept& a, const Kept& b) {
                      return a.kernel == b.kernel && a.how.threads == b.how.threads &&
                             a.how.shared_bytes == b.how.shared_bytes &&
                             a.how.cluster == b.how.cluster && a.how.overlap == b.how.overlap;
                    });
}

bool KeptLaunches::same(std::size_t k, const KeptLaunches& other) const {
  const Kept& a = launches_[k];
  const Kept& b = other.launches_[k];
  return a.how.blocks.x == b.how.blocks.x && a.how.blocks.y == b.how.blocks.y &&
         a.how.blocks.z == b.how.blocks.z &&
         std::equal(bytes_.begin() + static_cast<std::ptrdiff_t>(a.bytes_from),
                    bytes_.begin() + static_cast<std::ptrdiff_t>(a.bytes_to),
                    other.bytes_.begin() + static_cast<std::ptrdiff_t>(b.bytes_from),
                    other.bytes_.begin() + static_cast<std::ptrdiff_t>(b.bytes_to));
}

void** KeptLaunches::pointers(const Kept& of) {
  pointers_.clear();
  for (std::size_t k = 0; k < of.count; ++k)
    pointers_.push_back(bytes_.data() + offsets_[of.first + k]);
  return pointers_.data();
}

void KeptLaunches::launch(cudaStream_t stream) {
  for (const Kept& kept : launches_) launch_now(kept.kernel, kept.how, stream, pointers(kept));
}

cudaKernelNodeParams KeptLaunches::node_of(const Kept& of) {
  cudaKernelNodeParams node = {};
  node.func = const_cast<void*>(of.kernel);
  node.gridDim = of.how.blocks;
  node.blockDim = dim3(of.how.threads);
  node.sharedMemBytes = static_cast<unsigned>(of.how.shared_bytes);
  node.kernelParams = pointers(of);
  return node;
}

cudaGraphExec_t KeptLaunches::make_graph(cudaGraph_t graph, std::vector<cudaGraphNode_t>& nodes) {
  for (const Kept& kept : launches_) {
    const cudaKernelNodeParams params = node_of(kept);
    cudaGraphNode_t node = nullptr;
    SLIPFIELD_CUDA_CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
    if (kept.how.cluster > 1) {
      cudaLaunchAttributeValue value = {};
      value.clusterDim.x = kept.how.cluster;
      value.clusterDim.y = 1;
      value.clusterDim.z = 1;
      SLIPFIELD_CUDA_CHECK(
          cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &value));
    }
    if (!nodes.empty()) add_edge(graph, nodes.back(), node, kept.how.overlap);
    nodes.push_back(node);
  }
  cudaGraphExec_t executable = nullptr;
  SLIPFIELD_CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
  return executable;
}

void KeptLaunches::hand_over(std::size_t k, cudaGraphExec_t to, cudaGraphNode_t node) {
  const cudaKernelNodeParams params = node_of(launches_[k]);
  SLIPFIELD_CUDA_CHECK(cudaGraphExecKernelNodeSetParams(to, node, &params));
}

LaunchReplay::~LaunchReplay() {
  drop();
  for (const Chain& chain : chains_) destroy(chain);
}

// The runtime lets a running graph end first.
void LaunchReplay::destroy(const Chain& chain) {
  for (const Graph& graph : chain.graphs) {
    SLIPFIELD_CUDA_REPORT(cudaGraphExecDestroy(graph.executable));
    SLIPFIELD_CUDA_REPORT(cudaGraphDestroy(graph.graph));
  }
}

bool LaunchReplay::keep(cudaStream_t stream, const void* kernel, const Launch& how, void** values,
                        const std::size_t* sizes, std::size_t count) {
  if (holder == nullptr || holder->stream_ != stream) return false;
  holder->kept_.add(kernel, how, values, sizes, count);
  return true;
}

void LaunchReplay::hold() {
  if (holder == this) return;
  if (holder != nullptr) holder->send();
  holder = this;
}

void LaunchReplay::drop() {
  if (holder == this) holder = nullptr;
  kept_.clear();
}

void LaunchReplay::send() {
  if (holder != this) return;
  holder = nullptr;
  Chain* chain = kept_.size() < kLeast ? nullptr : find_chain();
  if (chain == nullptr)
    kept_.launch(stream_);
  else
    replay(*chain);
  kept_.clear();
}

void LaunchReplay::interrupt(cudaStream_t stream) {
  if (holder != nullptr && holder->stream_ == stream) holder->send();
}

LaunchReplay::Chain* LaunchReplay::find_chain() {
  for (Chain& chain : chains_)
    if (chain.kernels.has_kernels_of(kept_)) return &chain;
  if (chains_.size() == kMostChains) {
    const auto oldest =
        std::min_element(chains_.begin(), chains_.end(),
                         [](const Chain& a, const Chain& b) { return a.last_used < b.last_used; });
    destroy(*oldest);
    chains_.erase(oldest);
  }
  chains_.push_back({kept_, {}, uses_});
  return nullptr;
}

LaunchReplay::Graph LaunchReplay::make_graph() const {
  Graph made;
  made.launches = kept_;
  SLIPFIELD_CUDA_CHECK(cudaGraphCreate(&made.graph, 0));
  made.executable = made.launches.make_graph(made.graph, made.nodes);
  return made;
}

void LaunchReplay::replay(Chain& chain) {
  const auto same = [this](const Graph& graph) {
    for (std::size_t k = 0; k < kept_.size(); ++k)
      if (!kept_.same(k, graph.launches)) return false;
    return true;
  };
  auto found = std::find_if(chain.graphs.begin(), chain.graphs.end(), same);
  if (found == chain.graphs.end() && chain.graphs.size() < kGraphs) {
    chain.graphs.push_back(make_graph());
    found = chain.graphs.end() - 1;
  } else if (found == chain.graphs.end()) {
    found =
        std::min_element(chain.graphs.begin(), chain.graphs.end(),
                         [](const Graph& a, const Graph& b) { return a.last_used < b.last_used; });
    for (std::size_t k = 0; k < kept_.size(); ++k)
      if (!kept_.same(k, found->launches)) kept_.hand_over(k, found->executable, found->nodes[k]);
    found->launches = kept_;
  }
  found->last_used = chain.last_used = ++uses_;
  SLIPFIELD_CUDA_CHECK(cudaGraphLaunch(found->executable, stream_));
}

}  // namespace slipfield
