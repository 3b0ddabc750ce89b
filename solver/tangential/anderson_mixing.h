// SPDX-License-Identifier: Apache-2.0
// Anderson's mixing of the rounds of a fixed-point iteration x -> g(x) (THEORY.md 6.12, 8.1): the
// next x is the combination of the last g whose changes g - x, combined alike, are least.
#pragma once

#include <Eigen/Dense>
#include <cstddef>
#include <deque>
#include <vector>

#include "solver/step/step_ops.h"

namespace slipfield {

class AndersonMixing {
 public:
  // most: differences of rounds that are kept.
  explicit AndersonMixing(std::size_t most) : most_(most) {}

  // x: what a round began with; g: what it gave, and on return what the next one is to begin with.
  // Both of the same size in all rounds.
  void mix(const std::vector<double>& x, std::vector<double>& g) {
    const Eigen::Map<const Eigen::VectorXd> from(x.data(), size_of(x));
    Eigen::Map<Eigen::VectorXd> to(g.data(), size_of(g));
    rounds_.push_back({to, to - from});
    if (rounds_.size() > most_ + 1) rounds_.pop_front();
    const std::size_t differences = rounds_.size() - 1;
    if (differences == 0) return;
    Eigen::MatrixXd change(to.size(), static_cast<Eigen::Index>(differences));
    Eigen::MatrixXd result(to.size(), static_cast<Eigen::Index>(differences));
    for (std::size_t j = 0; j < differences; ++j) {
      change.col(static_cast<Eigen::Index>(j)) = rounds_[j + 1].change - rounds_[j].change;
      result.col(static_cast<Eigen::Index>(j)) = rounds_[j + 1].result - rounds_[j].result;
    }
    to -= result * change.colPivHouseholderQr().solve(rounds_.back().change);
  }

 private:
  static Eigen::Index size_of(const std::vector<double>& values) {
    return static_cast<Eigen::Index>(values.size());
  }

  struct Round {
    Eigen::VectorXd result;  // g
    Eigen::VectorXd change;  // g - x
  };
  std::size_t most_;
  std::deque<Round> rounds_;
};

// Two fields, of x and of y, as one vector on the host.
template <class Backend>
std::vector<double> download_both(Backend& backend, const double* x, const double* y,
                                  std::size_t count) {
  std::vector<double> both = backend.download(x, count);
  const std::vector<double> second = backend.download(y, count);
  both.insert(both.end(), second.begin(), second.end());
  return both;
}

// As download_both gives them.
template <class Backend>
void upload_both(Backend& backend, const std::vector<double>& both, double* x, double* y) {
  const auto middle = both.begin() + static_cast<std::ptrdiff_t>(both.size() / 2);
  typename Backend::template Array<double> half(both.size() / 2);
  backend.upload(std::vector<double>(both.begin(), middle), half);
  backend.run(half.size(), CopyField{half.data(), x});
  backend.upload(std::vector<double>(middle, both.end()), half);
  backend.run(half.size(), CopyField{half.data(), y});
}

}  // namespace slipfield
