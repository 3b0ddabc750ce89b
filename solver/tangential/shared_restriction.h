// SPDX-License-Identifier: Apache-2.0
// RestrictToCoarse where the rows are shared out (solver/step/own_rows.h): the two fine rows of a
// coarse one may be held by two sharers.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "solver/grid.h"
#include "solver/step/own_rows.h"
#include "solver/tangential/coarse_grid.h"
#include "solver/tangential/tangential_ops.h"

namespace slipfield {

template <class Backend>
class SharedRestriction {
 public:
  // fine: the whole grid; state: of its own rows. Together, as sums().
  SharedRestriction(Backend& backend, const Grid& fine, std::vector<unsigned char> state)
      : backend_(backend),
        fine_(fine),
        coarse_(coarsen(fine)),
        rows_(own_rows(backend, fine)),
        state_(std::move(state)) {
    std::vector<double> places;
    const int first = rows_.first / 2;
    for (int row = 0; row < touched(); ++row) places.push_back(first + row);
    places_ = backend_.gather(places);
  }

  // Of a field on the own rows of the fine grid, summed over those of 2 x 2 elements that are in
  // contact: on the own rows of the coarse grid.
  [[nodiscard]] std::vector<double> sums(const std::vector<double>& values) {
    std::vector<double> own(coarse_.index(0, touched()));
    for (int iy = 0; iy < rows_.count; ++iy) {
      const int row = (rows_.first + iy) / 2 - rows_.first / 2;
      for (int ix = 0; ix < fine_.mx; ++ix) {
        const std::size_t i = fine_.index(ix, iy);
        if (in_contact(state_[i])) own[coarse_.index(ix / 2, row)] += values[i];
      }
    }
    const std::vector<double> parts = backend_.gather(own);
    std::vector<double> all(coarse_.count());
    const auto width = static_cast<std::size_t>(coarse_.mx);
    for (std::size_t part = 0; part < places_.size(); ++part) {
      const std::size_t to = coarse_.index(0, static_cast<int>(places_[part]));
      for (std::size_t k = 0; k < width; ++k) all[to + k] += parts[part * width + k];
    }
    return own_values(backend_, coarse_, std::move(all));
  }

 private:
  // Coarse rows that hold some of the own ones.
  [[nodiscard]] int touched() const {
    return rows_.count == 0 ? 0 : (rows_.first + rows_.count - 1) / 2 - rows_.first / 2 + 1;
  }

  Backend& backend_;
  Grid fine_;
  Grid coarse_;
  RowRange rows_;
  std::vector<unsigned char> state_;
  std::vector<double> places_;  // coarse rows of all sharers' parts, one after another
};

}  // namespace slipfield
