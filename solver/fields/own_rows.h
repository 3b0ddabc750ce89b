// SPDX-License-Identifier: Apache-2.0
// The rows of the grid that a backend holds: all of them, or some, where several backends (ranks,
// GPUs) share them out. Such a sharer has these functions in addition to solver_backend.h:
//   own_rows(rows)         this sharer's part of `rows` rows; blocks in the order of the sharers
//   add_up(values)         sums over the sharers, with the same bits on each
//   greatest_of(value)     over the sharers
//   gather(values)         from a field's own rows to all of them, on each sharer
//   fetch_rows(grid, wanted, fields)       the rows `wanted` of fields on the whole grid; each sharer
//                          may ask for others
//   alone()                what it computes its rows with, as a backend that shares nothing
//   most_alone()           the elements of a grid that each sharer solves by itself sooner than all
//                          of them together
//   most_fetched()         the elements of rows that fetch_rows() may bring to each sharer for what
//                          it solves by itself
//   Backend(other)         a further one of the same sharer, for a grid of its own
//   own_distance(shapes, grid, material)   undeformed_distance(), its own rows
// run() forms an operation's sums over the elements of all sharers, greatest(array) likewise;
// arrays, counts and copies are of its own rows. Influence is of the whole grid, with fields of its
// own rows. Every call but own_rows(), alone(), most_alone() and copies is made by all sharers in the
// same order: they take the same branches, because what steers a solver has the same bits on each.
//
// A backend that holds all rows has none of these calls; the functions below then do nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "solver/fields/step_ops.h"
#include "solver/grid.h"

namespace slipfield {

template <class Backend>
inline constexpr bool kSharesRows = requires(const Backend& backend) {
  backend.own_rows(1);
};

// A field whose rows are shared out: the own rows, and where fetched ones go, which may be the own
// ones' place among them.
struct RowsOfField {
  const void* own = nullptr;
  void* fetched = nullptr;
  std::size_t element_bytes = sizeof(double);
};

// The backend of what a sharer solves by itself; one that shares nothing is its own.
template <class Backend>
struct AloneOf {
  using Type = Backend;
};
template <class Backend>
requires kSharesRows<Backend>
struct AloneOf<Backend> {
  using Type = std::remove_cvref_t<decltype(std::declval<Backend&>().alone())>;
};

// The whole grid's rows `rows`, as a grid of their own.
inline Grid slab_of(const Grid& grid, const RowRange& rows) {
  Grid slab = grid;
  slab.my = rows.count;
  slab.y0 = grid.y0 + rows.first * grid.dy;
  return slab;
}

template <class Backend>
RowRange own_rows(const Backend& backend, const Grid& grid) {
  if constexpr (kSharesRows<Backend>)
    return backend.own_rows(grid.my);
  else
    return {0, grid.my};
}

// grid: the whole one.
template <class Backend>
Grid own_grid(const Backend& backend, const Grid& grid) {
  if constexpr (kSharesRows<Backend>)
    return slab_of(grid, own_rows(backend, grid));
  else
    return grid;
}

// The own rows of a field on the whole grid, x fastest.
template <class Backend, class T>
std::vector<T> own_values(const Backend& backend, const Grid& grid, std::vector<T> values) {
  if constexpr (kSharesRows<Backend>) {
    const RowRange rows = own_rows(backend, grid);
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(grid.index(0, rows.first));
    return {begin, begin + static_cast<std::ptrdiff_t>(grid.index(0, rows.count))};
  } else {
    return values;
  }
}

// The other way round: a field of the whole grid from its own rows, on each sharer.
template <class Backend, class T>
std::vector<T> whole_values(const Backend& backend, std::vector<T> own) {
  if constexpr (kSharesRows<Backend>) {
    const std::vector<double> all = backend.gather({own.begin(), own.end()});
    return {all.begin(), all.end()};
  } else {
    return own;
  }
}

// Whether this is the first sharer, which alone counts values that every sharer has.
template <class Backend>
bool is_first_sharer(const Backend& backend) {
  if constexpr (kSharesRows<Backend>)
    return backend.own_rows(1).count == 1;
  else
    return true;
}

// Gives all sharers the first one's values, so that all take the same branches even if another has
// rounded differently.
template <class Backend, class... T>
void agree_with_first(Backend& backend, T&... own) {
  if constexpr (kSharesRows<Backend>) {
    std::array<double, sizeof...(T)> first{};
    if (is_first_sharer(backend)) first = {static_cast<double>(own)...};
    backend.add_up(first);
    const double* value = first.data();
    ((own = static_cast<T>(*value++)), ...);
  }
}

// A sum over this backend's elements becomes the one over all.
template <class Backend>
double sum_over_sharers(Backend& backend, double own) {
  if constexpr (kSharesRows<Backend>) {
    std::array<double, 1> sum{own};
    backend.add_up(sum);
    return sum[0];
  } else {
    return own;
  }
}

template <class Backend>
double greatest_over_sharers(Backend& backend, double own) {
  if constexpr (kSharesRows<Backend>)
    return backend.greatest_of(own);
  else
    return own;
}

// Fields on the rows that a sharer of the grid holds and on some of its neighbours' rows next to
// them, for operations that look across rows. A backend that holds all rows copies nothing.
template <class Backend>
class RowsBeside {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  // grid: the whole one; most: the number of rows on either side, fewer at the grid's ends.
  RowsBeside(Backend& backend, const Grid& grid, int most)
      : backend_(backend), whole_(grid), own_(own_rows(backend, grid)), rows_(own_) {
    if (!kSharesRows<Backend> || own_.count == 0) return;
    rows_.first = std::max(0, own_.first - most);
    rows_.count = std::min(grid.my, own_.first + own_.count + most) - rows_.first;
  }

  // The own rows and those next to them.
  [[nodiscard]] Grid grid() const { return slab_of(whole_, rows_); }
  // The place of the first own element in a field of theirs.
  [[nodiscard]] std::size_t own_place() const { return whole_.index(0, own_.first - rows_.first); }

  // A field of the own rows with the rows next to them; in `room`, where there are any. Together.
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
  // A field of the own rows with zeros next to them; likewise.
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
  // The rows of a field on the whole grid, x fastest.
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
