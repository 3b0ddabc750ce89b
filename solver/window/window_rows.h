// SPDX-License-Identifier: Apache-2.0
// Where the rows of the grid are shared out (solver/fields/own_rows.h), a small window is solved by
// every sharer, whole and by itself: that costs less than what they would have to say to each
// other. Each then has the rows of the solution that it holds. A backend that holds all rows
// solves the window itself, and nothing is copied.
#pragma once

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <vector>

#include "solver/fields/own_rows.h"
#include "solver/grid.h"
#include "solver/window/grid_window.h"
#include "solver/window/window_ops.h"

namespace slipfield {

template <class Backend>
class WindowRows {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;
  using Alone = typename AloneOf<Backend>::Type;

  // grid: the whole one.
  WindowRows(Backend& backend, const Grid& grid)
      : backend_(backend), grid_(grid), rows_(own_rows(backend, grid)) {}

  // What solves the window.
  [[nodiscard]] Alone& alone() const {
    if constexpr (kSharesRows<Backend>)
      return backend_.alone();
    else
      return backend_;
  }
  // The elements of the grid that this backend holds.
  [[nodiscard]] std::size_t own_count() const { return grid_.index(0, rows_.count); }

  // Whether windows may be solved at all.
  [[nodiscard]] bool possible() const {
    if constexpr (kSharesRows<Backend>)
      return backend_.most_fetched() > 0;
    else
      return true;
  }
  // Whether a window pays (window_pays()), every sharer may solve it, and its rows are few enough
  // to be brought to each.
  [[nodiscard]] bool pays(const GridWindow& window, double part) const {
    if constexpr (kSharesRows<Backend>) {
      if (window.count() > backend_.most_alone() ||
          grid_.index(0, window.my) > backend_.most_fetched())
        return false;
    }
    return window_pays(window, grid_, part);
  }

  // The least window with all elements of the grid whose mark is not 0. Together.
  [[nodiscard]] GridWindow around(const Array<unsigned char>& marks) const {
    GridWindow window =
        window_around(slab_of(grid_, rows_), backend_.download(marks.data(), own_count()));
    if constexpr (kSharesRows<Backend>) {
      const auto greatest = [&](int side, int none) {
        return static_cast<int>(backend_.greatest_of(window.empty() ? none : side));
      };
      const int left = -greatest(-window.x, -grid_.mx);
      const int right = greatest(window.x + window.mx, 0);
      const int bottom = -greatest(-(rows_.first + window.y), -grid_.my);
      const int top = greatest(rows_.first + window.y + window.my, 0);
      window = top == 0 ? GridWindow{} : GridWindow{left, bottom, right - left, top - bottom};
    }
    return window;
  }

  // The window's place for what runs over the grid's own rows.
  [[nodiscard]] WindowPlace place(const GridWindow& window) const {
    WindowPlace place = place_of(window, grid_);
    place.first_row = static_cast<std::size_t>(rows_.first);
    return place;
  }

  // Fields of the own rows in the window; the second pair may be null. Together.
  void cut_out(const GridWindow& window, const double* from, Array<double>& to,
               const double* second_from, Array<double>& second_to) const {
    const auto rooms = fetch(window, from, second_from);
    alone().run(window.count(),
                CutOut{place_of_fetched(window), from, to.data(), second_from, second_to.data()});
  }
  // The same of what cuts out the tangential problem. fraction: null where the grid's is. Together.
  void cut_out(const GridWindow& window, TangentialFields from, Array<double>& bound,
               Array<unsigned char>& state, double* fraction) const {
    const auto rooms = fetch(window, from.bound, from.state, from.fraction);
    alone().run(window.count(), CutOutContact{place_of_fetched(window), from, bound.data(),
                                              state.data(), fraction});
  }

 private:
  // Each of the fields, of the own rows or null, becomes the same on the rows of the window, held by
  // what is returned.
  template <class... T>
  [[nodiscard]] auto fetch(const GridWindow& window, T*&... fields) const {
    std::tuple<Array<std::remove_const_t<T>>...> rooms;
    if constexpr (kSharesRows<Backend>) {
      std::vector<RowsOfField> fetched;
      const auto add = [&](auto& room, auto*& field) {
        if (field == nullptr) return;
        room = std::remove_reference_t<decltype(room)>(grid_.index(0, window.my));
        fetched.push_back({field, room.data(), sizeof(*field)});
        field = room.data();
      };
      std::apply([&](auto&... room) { (add(room, fields), ...); }, rooms);
      backend_.fetch_rows(grid_, {window.y, window.my}, fetched);
    }
    return rooms;
  }
  [[nodiscard]] WindowPlace place_of_fetched(const GridWindow& window) const {
    WindowPlace place = place_of(window, grid_);
    if constexpr (kSharesRows<Backend>) place.y = 0;
    return place;
  }

  Backend& backend_;
  Grid grid_;
  RowRange rows_;
};

}  // namespace slipfield
