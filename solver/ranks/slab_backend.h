// SPDX-License-Identifier: Apache-2.0
// One rank's rows of the grid as a backend of the normal problem: the same solver text runs on
// every rank, each on its own elements, and what an operation sums is summed over all of them. The
// sums have the same bits on every rank, so that all take the same branches.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/error.h"
#include "solver/ranks/ranks.h"
#include "solver/ranks/slab_influence.h"

namespace slipfield {

// Dense factors are not shared out: require_for_ranks() refuses what needs them.
class NoSlabDense {
 public:
  template <class Backend>
  NoSlabDense(const Backend& /*backend*/, const Grid& /*grid*/) {}
  void factor_normal(const SlabInfluence& /*influence*/, const std::vector<int>& /*elements*/) {
    throw Error("dense factors are not computed on several ranks");
  }
  void solve(Eigen::MatrixXd& /*columns*/) const {}
};

class SlabBackend {
 public:
  template <class T>
  using Array = CpuBackend::Array<T>;
  using Influence = SlabInfluence;
  using Dense = NoSlabDense;

  static std::string name() { return CpuBackend::name(); }
  [[nodiscard]] std::string device_name() const { return local_.device_name(); }

  // count: of this rank's elements.
  template <class Op>
  void run(std::size_t count, const Op& op) {
    auto sums = local_.elements(count, op);
    if constexpr (Op::kSums > 0) ranks::add_up(sums);
    if constexpr (requires { op.finish(sums.data()); }) op.finish(sums.data());
  }

  template <class T>
  T read(const Array<T>& array) {
    return local_.read(array);
  }
  template <class T>
  void write(Array<T>& array, const T& value) {
    local_.write(array, value);
  }
  [[nodiscard]] double greatest(const Array<double>& array) const {
    return ranks::greatest(array.size() == 0 ? 0.0 : local_.greatest(array));
  }
  template <class T>
  std::vector<T> download(const Array<T>& array) const {
    return local_.download(array);
  }
  template <class T>
  void upload(const std::vector<T>& values, Array<T>& array) {
    local_.upload(values, array);
  }

 private:
  CpuBackend local_;
};

}  // namespace slipfield
