// SPDX-License-Identifier: Apache-2.0
// Fields on the rows that a sharer of the grid holds and on some of its neighbours' rows beside
// them, for operations that look across rows (solver/step/own_rows.h). A backend that holds all
// rows has none beside them, and nothing is copied.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "solver/grid.h"
#include "solver/step/own_rows.h"
#include "solver/step/step_ops.h"

namespace slipfield {

template <class Backend>
class RowsBeside {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  // grid: the whole one; most: so many rows on either side, fewer at the grid's ends.
  RowsBeside(Backend& backend, const Grid& grid, int most)
      : backend_(backend), whole_(grid), own_(own_rows(backend, grid)), rows_(own_) {
    if (!kSharesRows<Backend> || own_.count == 0) return;
    rows_.first = std::max(0, own_.first - most);
    rows_.count = std::min(grid.my, own_.first + own_.count + most) - rows_.first;
  }

  // The own rows and those beside them.
  [[nodiscard]] Grid grid() const { return slab_of(whole_, rows_); }
  // The place of the first own element in a field of theirs.
  [[nodiscard]] std::size_t own_place() const { return whole_.index(0, own_.first - rows_.first); }

  // A field of the own rows with the rows beside them; in `room`, where there are any. Together.
  template <class T>
  const T* with(const T* field, Array<T>& room) const {
    if constexpr (kSharesRows<Backend>) {
      if (room.size() == 0) room = Array<T>(whole_.index(0, rows_.count));
      const RowsOfField fetched{field, room.data(), sizeof(T)};
      backend_.fetch_rows(whole_, rows_, {&fetched, 1});
      return room.data();
    } else {
      static_cast<void>(room);
      return field;
    }
  }
  // A field of the own rows with zeros beside them; likewise.
  const double* with_zeros(const double* field, Array<double>& room) const {
    if constexpr (kSharesRows<Backend>) {
      room = Array<double>(whole_.index(0, rows_.count));
      backend_.run(whole_.index(0, own_.count), CopyField{field, room.data() + own_place()});
      return room.data();
    } else {
      static_cast<void>(room);
      return field;
    }
  }
  // Of a field on the whole grid, x fastest.
  template <class T>
  [[nodiscard]] std::vector<T> cut(const std::vector<T>& all) const {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(whole_.index(0, rows_.first));
    return {begin, begin + static_cast<std::ptrdiff_t>(whole_.index(0, rows_.count))};
  }

 private:
  Backend& backend_;
  Grid whole_;
  RowRange own_;
  RowRange rows_;
};

}  // namespace slipfield
