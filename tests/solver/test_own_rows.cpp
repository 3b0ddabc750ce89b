// SPDX-License-Identifier: Apache-2.0
// Rows of one of several owners of a grid, with halo rows.
#include <doctest/doctest.h>

#include <vector>

#include "solver/fields/own_rows.h"

namespace slipfield {
namespace {

struct OwnerOfSome {
  template <class T>
  using Array = std::vector<T>;
  static constexpr bool kOneOwner = false;
  RowRange own;
  [[nodiscard]] RowRange own_rows(int /*rows*/) const { return own; }
};

// The numbers of the rows that an owner cuts out of a grid of 2 x 7 elements.
std::vector<double> rows_cut(Boundary boundary, RowRange own, int halo) {
  Grid grid;
  grid.mx = 2;
  grid.my = 7;
  grid.dx = grid.dy = 1.0;
  grid.boundary = boundary;
  OwnerOfSome owner{own};
  std::vector<double> row(grid.count());
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) row[grid.index(ix, iy)] = iy;
  const std::vector<double> cut = RowsBeside<OwnerOfSome>(owner, grid, halo).cut(row);
  std::vector<double> first;  // of each row
  for (std::size_t i = 0; i < cut.size(); i += 2) {
    REQUIRE(cut[i] == cut[i + 1]);
    first.push_back(cut[i]);
  }
  return first;
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("own rows: halo rows beyond an end of a grid that repeats are those of the other end") {
    using Rows = std::vector<double>;
    CHECK(rows_cut(Boundary::periodic, {0, 2}, 2) == Rows{5, 6, 0, 1, 2, 3});
    CHECK(rows_cut(Boundary::periodic, {5, 2}, 1) == Rows{4, 5, 6, 0});
    CHECK(rows_cut(Boundary::periodic, {2, 3}, 2) == Rows{0, 1, 2, 3, 4, 5, 6});
    CHECK(rows_cut(Boundary::free, {0, 2}, 2) == Rows{0, 1, 2, 3});
    CHECK(rows_cut(Boundary::free, {5, 2}, 3) == Rows{2, 3, 4, 5, 6});
  }
}

}  // namespace slipfield
