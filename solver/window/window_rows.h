// SPDX-License-Identifier: Apache-2.0
// A window of a grid whose rows may be shared out (solver/fields/own_rows.h). Every owner solves a
// small one redundantly: cheaper than communicating. Each then keeps the rows of the solution that
// it owns. A single owner copies no rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "solver/fields/own_rows.h"
#include "solver/grid.h"
#include "solver/problem.h"
#include "solver/window/grid_window.h"
#include "solver/window/window_ops.h"

namespace slipfield {

// wide: whole rows; square; high: as many rows as may be fetched.
enum class WindowForm { wide, square, high };

template <class Backend>
class WindowRows {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;
  using Alone = AloneOf<Backend>;

  // grid: the whole grid.
  WindowRows(Backend& backend, const Grid& grid, InfluenceMethod method)
      : backend_(backend),
        grid_(grid),
        rows_(backend.own_rows(grid.my)),
        by_elements_(has_host_fields(backend) && method == InfluenceMethod::fft) {}

  // The backend that solves the window.
  [[nodiscard]] Alone& alone() const { return backend_.alone(); }
  // The number of grid elements that this backend holds.
  [[nodiscard]] std::size_t own_count() const { return grid_.index(0, rows_.count); }

  // Whether windows may be solved at all.
  [[nodiscard]] bool possible() const {
    return backend_.most_fetched() > 0 && most_of_grid(1.0) > 0.0;
  }
  // The greatest part of the grid that pays; part: on a large grid.
  [[nodiscard]] double most_of_grid(double part) const {
    return slipfield::most_of_grid(grid_, part, by_elements_);
  }
  // Whether a window pays (window_pays()), is small enough for every owner to solve, and has few
  // enough rows to be fetched by each.
  [[nodiscard]] bool pays(const GridWindow& window, double part) const {
    return window.count() <= backend_.most_alone() &&
           grid_.index(0, window.my) <= backend_.most_fetched() &&
           window_pays(window, grid_, part, by_elements_);
  }

  // The largest window of that form that pays; empty if none does.
  [[nodiscard]] GridWindow largest(WindowForm form, double part) const {
    const double most =
        std::min(std::floor(most_of_grid(part) * static_cast<double>(grid_.count())),
                 static_cast<double>(backend_.most_alone()));
    const auto fetched = backend_.most_fetched() / grid_.index(0, 1);  // whole rows
    const double most_rows = std::min(static_cast<double>(fetched), static_cast<double>(grid_.my));
    const double rows = form == WindowForm::wide   ? most / grid_.mx
                        : form == WindowForm::high ? most_rows
                                                   : std::sqrt(most);
    GridWindow window;
    window.my = static_cast<int>(std::min(std::fmax(rows, 1.0), most_rows));
    if (window.my > 0)
      window.mx = static_cast<int>(std::fmin(most / window.my, static_cast<double>(grid_.mx)));
    return pays(window, part) ? window : GridWindow{};
  }

  // The smallest window with all elements whose mark is not 0. All owners must call it.
  [[nodiscard]] GridWindow around(const Array<unsigned char>& marks) const {
    const GridWindow own =
        window_around(slab_of(grid_, rows_), backend_.download(marks.data(), own_count()));
    const auto greatest = [&](int side, int none) {
      return static_cast<int>(backend_.greatest_of(own.empty() ? none : side));
    };
    const int left = -greatest(-own.x, -grid_.mx);
    const int right = greatest(own.x + own.mx, 0);
    const int bottom = -greatest(-(rows_.first + own.y), -grid_.my);
    const int top = greatest(rows_.first + own.y + own.my, 0);
    return top == 0 ? GridWindow{} : GridWindow{left, bottom, right - left, top - bottom};
  }

  // The window's place for operations over the grid's own rows.
  [[nodiscard]] WindowPlace place(const GridWindow& window) const {
    WindowPlace place = place_of(window, grid_);
    place.first_row = static_cast<std::size_t>(rows_.first);
    return place;
  }

  // Cuts fields of the own rows out to the window; the second pair may be null. All owners must
  // call it.
  void cut_out(const GridWindow& window, const double* from, Array<double>& to,
               const double* second_from, Array<double>& second_to) const {
    const auto rooms = bring_rows(backend_, grid_, rows_of(window), from, second_from);
    alone().run(window.count(),
                CutOut{place_in_rows(window), from, to.data(), second_from, second_to.data()});
  }
  // Cuts marks of the own rows out to the window. All owners must call it.
  [[nodiscard]] Array<unsigned char> cut_out(const GridWindow& window,
                                             const Array<unsigned char>& marks) const {
    const unsigned char* from = marks.data();
    const auto rooms = bring_rows(backend_, grid_, rows_of(window), from);
    const WindowPlace place = place_in_rows(window);
    const std::vector<unsigned char> rows = alone().download(from, grid_.index(0, window.my));
    std::vector<unsigned char> inside(window.count());
    for (std::size_t i = 0; i < inside.size(); ++i) inside[i] = rows[place.on_grid(i)];
    Array<unsigned char> result(inside.size());
    alone().upload(inside, result);
    return result;
  }
  // Cuts out the tangential problem. fraction: null if the grid's is null. All owners must call it.
  void cut_out(const GridWindow& window, TangentialFields from, Array<double>& bound,
               Array<unsigned char>& state, double* fraction) const {
    const auto rooms =
        bring_rows(backend_, grid_, rows_of(window), from.bound, from.state, from.fraction);
    alone().run(window.count(),
                CutOutContact{place_in_rows(window), from, bound.data(), state.data(), fraction});
  }

 private:
  static RowRange rows_of(const GridWindow& window) { return {window.y, window.my}; }
  // The window's place in fields that start with its rows.
  [[nodiscard]] WindowPlace place_in_rows(const GridWindow& window) const {
    WindowPlace place = place_of(window, grid_);
    place.y = 0;
    return place;
  }

  Backend& backend_;
  Grid grid_;
  RowRange rows_;
  bool by_elements_;  // most_of_grid()
};

}  // namespace slipfield
