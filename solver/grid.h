// SPDX-License-Identifier: Apache-2.0
// The potential contact area: mx x my rectangular elements of dx x dy [length], x fastest.
//
// (x0, y0) is the lower left corner of the grid, as in the case file; collocation is at the element
// centres.
#pragma once

#include <cstddef>

namespace slipfield {

// Below this many elements a loop ends before a second thread has woken up.
inline constexpr std::size_t kLeastForThreads = 4096;
// The same limit for products with the influence matrix and related work, which take longer: with
// 20 x 20 elements two threads take four fifths of the time of one, and 16 threads half.
inline constexpr std::size_t kLeastForProducts = 400;

// Rounding tolerance for the position of an element's centre, as part of an element.
inline constexpr double kCentreRounding = 1.0e-9;

// periodic: in both directions; periodic_x, periodic_y: in one, and free in the other.
enum class Boundary { free, periodic, periodic_x, periodic_y };

inline bool repeats_in_x(Boundary boundary) {
  return boundary == Boundary::periodic || boundary == Boundary::periodic_x;
}
inline bool repeats_in_y(Boundary boundary) {
  return boundary == Boundary::periodic || boundary == Boundary::periodic_y;
}
inline bool repeats_in_one_direction(Boundary boundary) {
  return repeats_in_x(boundary) != repeats_in_y(boundary);
}

// Consecutive rows of a grid: `count` rows starting at `first`.
struct RowRange {
  int first = 0;
  int count = 0;
};

struct Grid {
  int mx = 0;
  int my = 0;
  double dx = 0.0;
  double dy = 0.0;
  double x0 = 0.0;
  double y0 = 0.0;
  Boundary boundary = Boundary::free;

  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(mx) * static_cast<std::size_t>(my);
  }
  [[nodiscard]] std::size_t index(int ix, int iy) const {
    return static_cast<std::size_t>(iy) * static_cast<std::size_t>(mx) +
           static_cast<std::size_t>(ix);
  }
  [[nodiscard]] double x(int ix) const { return x0 + (ix + 0.5) * dx; }
  [[nodiscard]] double y(int iy) const { return y0 + (iy + 0.5) * dy; }
  // Whether samples from `least` to `greatest` cover all element centres.
  [[nodiscard]] bool centres_within_x(double least, double greatest) const {
    const double slack = kCentreRounding * dx;
    return least <= x(0) + slack && x(mx - 1) - slack <= greatest;
  }
  [[nodiscard]] bool centres_within_y(double least, double greatest) const {
    const double slack = kCentreRounding * dy;
    return least <= y(0) + slack && y(my - 1) - slack <= greatest;
  }
  [[nodiscard]] double element_area() const { return dx * dy; }
};

}  // namespace slipfield
