// SPDX-License-Identifier: Apache-2.0
// The coefficients A_nn, even in x and y, of a grid of which few elements touch: those of near
// elements in a table, those of all in another one that is made when direct sums need it, as it
// takes longer than a solution with split ones.
#pragma once

#include <cstdlib>
#include <functional>
#include <memory>
#include <utility>

#include "solver/influence/influence_table.h"

namespace slipfield {

class DiluteCoefficients {
 public:
  using Table = std::shared_ptr<const InfluenceTable>;

  // all: with at least a row more than the grid. The caller may still make it implicitly.
  DiluteCoefficients(Table all)  // NOLINT(google-explicit-constructor)
      : near_(all), all_(std::move(all)) {}
  // of_pair(kx, ky): a single coefficient; make_all: forms the table of all.
  DiluteCoefficients(Table near, std::function<double(int kx, int ky)> of_pair,
                     std::function<Table()> make_all)
      : near_(std::move(near)), of_pair_(std::move(of_pair)), make_all_(std::move(make_all)) {}

  [[nodiscard]] double at(int kx, int ky) const {
    if (all_) return *all_->at(kx, ky);
    const bool near = std::abs(kx) < near_->mx && std::abs(ky) < near_->my;
    return near ? *near_->at(kx, ky) : of_pair_(kx, ky);
  }
  [[nodiscard]] bool has_all() const { return all_ != nullptr; }
  const InfluenceTable& all() {
    if (!all_) all_ = make_all_();
    return *all_;
  }

 private:
  Table near_, all_;
  std::function<double(int kx, int ky)> of_pair_;
  std::function<Table()> make_all_;
};

}  // namespace slipfield
