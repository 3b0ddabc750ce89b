// SPDX-License-Identifier: Apache-2.0
// The rows of the grid that a backend owns: all of them, or some, if several backends (ranks, GPUs)
// share them out. An owner has these functions in addition to solver_backend.h:
//   own_rows(rows)         this owner's part of `rows` rows; blocks in the order of the owners
//   add_up(values)         sums over the owners, with the same bits on each
//   greatest_of(value)     maximum over the owners
//   gather(values)         a field's own rows -> all rows, on each owner
//   fetch_rows(grid, wanted, fields)       the rows `wanted` of fields on the whole grid; each
//                          owner may request others. Rows before the first and after the last are
//                          those of the other end, for grids that repeat
//   alone()                the backend that computes its rows, as the one owner of a grid
//   most_alone()           size of the grids that each owner solves redundantly, because that is
//                          faster than solving them together
//   most_fetched()         elements of rows that fetch_rows() may bring to each owner for such a
//                          redundant solution
//   Backend(other)         another backend of the same owner
//   own_distance(shapes, grid, material)   own rows of undeformed_distance(); see form_distance()
//   kOneOwner              whether it owns all rows. Dense factors, sweeps and tables of
//                          coefficients need whole grids and are not available if rows are shared
//                          out.
// run() forms an operation's sums over the elements of all owners, and so does greatest(array);
// arrays, counts and copies hold only the own rows. An influence acts on the whole grid, with
// fields of its own rows. All owners make every call except own_rows(), alone(), most_alone() and
// copies in the same order: they take the same branches, because the values that steer a solver
// have the same bits on each.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "solver/fields/step_ops.h"
#include "solver/geometry.h"
#include "solver/grid.h"
#include "solver/material.h"

namespace slipfield {

// A field for fetch_rows(): the own rows, and the destination, which may already contain the own
// rows in place.
struct RowsOfField {
  const void* own = nullptr;
  void* fetched = nullptr;
  std::size_t element_bytes = sizeof(double);
};

// What one owner exchanges: nothing is fetched, and all sums are complete.
struct NoExchange {
  static void add_up(std::span<double> /*values*/) {}
  [[nodiscard]] static double greatest_of(double value) { return value; }
  template <class T>
  [[nodiscard]] static std::vector<T> gather(std::vector<T> own) {
    return own;
  }
  static void fetch_rows(const Grid& /*grid*/, const RowRange& /*wanted*/,
                         std::span<const RowsOfField> /*fields*/) {}
};

// These functions for a backend that owns all rows.
template <class Backend>
class OneOwner : public NoExchange {
 public:
  static constexpr bool kOneOwner = true;
  [[nodiscard]] static RowRange own_rows(int rows) { return {0, rows}; }
  [[nodiscard]] Backend& alone() { return static_cast<Backend&>(*this); }
  [[nodiscard]] static std::size_t most_alone() { return std::numeric_limits<std::size_t>::max(); }
  [[nodiscard]] static std::size_t most_fetched() { return most_alone(); }
  [[nodiscard]] static std::vector<double> own_distance(const std::vector<Shape>& shapes,
                                                        const Grid& grid,
                                                        const CombinedMaterial& material) {
    return undeformed_distance(shapes, grid, material);
  }
};

// Writes the own rows of undeformed_distance() to an array, and returns them unless the backend
// generates them in its own memory.
template <class Backend>
std::optional<std::vector<double>> form_distance(
    Backend& backend, const std::vector<Shape>& shapes, const Grid& grid,
    const CombinedMaterial& material, typename Backend::template Array<double>& distance) {
  if constexpr (requires { backend.form_distance(shapes, grid, material, distance); })
    if (backend.form_distance(shapes, grid, material, distance)) return std::nullopt;
  std::vector<double> h = backend.own_distance(shapes, grid, material);
  backend.upload(h, distance);
  return h;
}

// The backend with which an owner solves redundantly.
template <class Backend>
using AloneOf = std::remove_cvref_t<decltype(std::declval<Backend&>().alone())>;

// The rows `rows` of the whole grid as a grid of their own.
inline Grid slab_of(const Grid& grid, const RowRange& rows) {
  Grid slab = grid;
  slab.my = rows.count;
  slab.y0 = grid.y0 + rows.first * grid.dy;
  return slab;
}

// grid: the whole grid.
template <class Backend>
Grid own_grid(const Backend& backend, const Grid& grid) {
  return slab_of(grid, backend.own_rows(grid.my));
}

// Cuts these rows out of a field on the whole grid, x fastest.
template <class T>
std::vector<T> rows_of_field(const Grid& grid, const RowRange& rows, const std::vector<T>& field) {
  const auto begin = field.begin() + static_cast<std::ptrdiff_t>(grid.index(0, rows.first));
  return {begin, begin + static_cast<std::ptrdiff_t>(grid.index(0, rows.count))};
}
template <class Backend, class T>
std::vector<T> own_values(const Backend& backend, const Grid& grid, std::vector<T> values) {
  const RowRange rows = backend.own_rows(grid.my);
  if (rows.count == grid.my) return values;
  return rows_of_field(grid, rows, values);
}

// Counts a replicated value in a sum over the owners: the value on the first owner, 0 on others.
template <class Backend>
double counted_once(const Backend& backend, double value) {
  return backend.own_rows(1).count == 1 ? value : 0.0;
}

// Gives all owners the first owner's values, so that all take the same branches even if rounding
// differs.
template <class Backend, class... T>
void agree_with_first(Backend& backend, T&... own) {
  std::array<double, sizeof...(T)> first{counted_once(backend, static_cast<double>(own))...};
  backend.add_up(first);
  const double* value = first.data();
  ((own = static_cast<T>(*value++)), ...);
}

// Computes values by make() on the first owner and gives them to all.
template <class Backend, class Make>
std::vector<double> made_by_first(Backend& backend, std::size_t count, const Make& make) {
  std::vector<double> values =
      counted_once(backend, 1.0) > 0.0 ? make() : std::vector<double>(count);
  backend.add_up(values);
  return values;
}

// Sums a value over all owners.
template <class Backend>
double sum_over_owners(Backend& backend, double own) {
  std::array<double, 1> sum{own};
  backend.add_up(sum);
  return sum[0];
}

// Brings the rows `wanted` of fields on the whole grid: redirects each pointer, to own rows or
// null, to the wanted rows. The returned arrays hold fetched rows and must outlive their use. All
// owners must call it.
template <class Backend, class... T>
[[nodiscard]] auto bring_rows(Backend& backend, const Grid& grid, const RowRange& wanted,
                              T*&... fields) {
  std::tuple<typename Backend::template Array<std::remove_const_t<T>>...> rooms;
  if constexpr (Backend::kOneOwner) {
    ((fields = fields == nullptr ? nullptr : fields + grid.index(0, wanted.first)), ...);
  } else {
    std::vector<RowsOfField> fetched;
    const auto add = [&](auto& room, auto*& field) {
      if (field == nullptr) return;
      room = std::remove_reference_t<decltype(room)>(grid.index(0, wanted.count));
      fetched.push_back({field, room.data(), sizeof(*field)});
      field = room.data();
    };
    std::apply([&](auto&... room) { (add(room, fields), ...); }, rooms);
    backend.fetch_rows(grid, wanted, fetched);
  }
  return rooms;
}

// Fields on the rows that a backend owns and on halo rows, for operations that look across rows. A
// single owner copies nothing.
template <class Backend>
class RowsBeside {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  // grid: the whole grid; most: halo rows on either side, fewer at the grid's ends. On a grid that
  // repeats along y, those of an end are at the other end; an owner of all rows has none.
  RowsBeside(Backend& backend, const Grid& grid, int most)
      : backend_(backend), whole_(grid), own_(backend.own_rows(grid.my)), rows_(own_), most_(most) {
    if (own_.count == 0 || own_.count == grid.my) return;
    const bool ends = !repeats_in_y(grid.boundary);
    const int end = own_.first + own_.count + most;
    rows_.first = ends ? std::max(0, own_.first - most) : own_.first - most;
    rows_.count = (ends ? std::min(grid.my, end) : end) - rows_.first;
  }

  // The own rows and the halo rows.
  [[nodiscard]] Grid grid() const { return slab_of(whole_, rows_); }
  // Index of the first own element in a field with halo rows.
  [[nodiscard]] std::size_t own_place() const { return whole_.index(0, own_.first - rows_.first); }

  // A field of the own rows with halo rows, stored in `room` if there are any. All owners must call
  // it.
  template <class T>
  const T* with(const T* field, Array<T>& room) const {
    if constexpr (Backend::kOneOwner) {
      static_cast<void>(room);
      return field;
    } else {
      if (room.size() == 0) room = Array<T>(whole_.index(0, rows_.count));
      const RowsOfField fetched{field, room.data(), sizeof(T)};
      backend_.fetch_rows(whole_, rows_, {&fetched, 1});
      return room.data();
    }
  }
  // Fills the halo rows of a field that has room for them and holds the own rows. All owners must
  // call it.
  template <class T>
  void fill(T* field) const {
    if (most_ == 0) return;
    const RowsOfField fetched{field + own_place(), field, sizeof(T)};
    backend_.fetch_rows(whole_, rows_, {&fetched, 1});
  }
  // A field of the own rows with zeros in the halo rows, stored likewise.
  const double* with_zeros(const double* field, Array<double>& room) const {
    if constexpr (Backend::kOneOwner) {
      static_cast<void>(room);
      return field;
    } else {
      room = Array<double>(whole_.index(0, rows_.count));
      backend_.run(whole_.index(0, own_.count), CopyField{field, room.data() + own_place()});
      return room.data();
    }
  }
  // Cuts the own and halo rows out of a field on the whole grid, x fastest.
  template <class T>
  [[nodiscard]] std::vector<T> cut(const std::vector<T>& all) const {
    std::vector<T> rows;
    rows.reserve(grid().count());
    for (int k = 0; k < rows_.count; ++k) {
      const int iy =
          (rows_.first + k) % whole_.my;  // beyond an end, which repeats, at the other one
      const std::vector<T> row = rows_of_field(whole_, {iy < 0 ? iy + whole_.my : iy, 1}, all);
      rows.insert(rows.end(), row.begin(), row.end());
    }
    return rows;
  }

 private:
  Backend& backend_;
  Grid whole_;
  RowRange own_;
  RowRange rows_;
  int most_;
};

}  // namespace slipfield
