// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "solver/geometry.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"
#include "tests/support/oracle_random.h"

namespace slipfield {
namespace {

using Vertices = std::vector<std::array<double, 2>>;

// Elements of the grid that can touch, x fastest.
std::vector<bool> inside(const PlanformShape& shape, const Grid& grid) {
  const std::vector<double> h = undeformed_distance({shape}, grid, combine({1.0, 0.3}, {1.0, 0.3}));
  std::vector<bool> result;
  for (const double value : h) result.push_back(value == 0.0);
  return result;
}

int count_inside(const PlanformShape& shape, const Grid& grid) {
  int count = 0;
  for (const bool element : inside(shape, grid)) count += element ? 1 : 0;
  return count;
}

// How often the polygon runs around the point, by the angles under which its edges are seen.
int winding(const Vertices& vertices, double x, double y) {
  double turned = 0.0;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const auto& from = vertices[i];
    const auto& to = vertices[(i + 1) % vertices.size()];
    turned += std::remainder(
        std::atan2(to[1] - y, to[0] - x) - std::atan2(from[1] - y, from[0] - x), 2.0 * test::kPi);
  }
  return static_cast<int>(std::lround(turned / (2.0 * test::kPi)));
}

Vertices shifted(const Vertices& vertices, std::size_t by) {
  Vertices result;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    result.push_back(vertices[(i + by) % vertices.size()]);
  return result;
}

const Grid kEightByEight{8, 8, 0.25, 0.25, -1.0, -1.0};  // centres at odd multiples of 0.125

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("planform: an element belongs where its centre is inside the outline or on it") {
    CHECK(count_inside({RectangleOutline{0.375, 0.125}}, kEightByEight) == 4 * 2);
    CHECK(count_inside({RectangleOutline{0.374, 0.126}}, kEightByEight) == 2 * 2);
    CHECK(count_inside({EllipseOutline{0.625, 0.625}}, kEightByEight) == 16);
    // (0.125, 0.375) and its images are just outside, on, just inside.
    const double radius = std::hypot(0.125, 0.375);
    CHECK(count_inside({EllipseOutline{0.999 * radius, 0.999 * radius}}, kEightByEight) == 4);
    CHECK(count_inside({EllipseOutline{radius, radius}}, kEightByEight) == 12);
    CHECK(count_inside({EllipseOutline{2.0 * radius, radius}, 0.0, 0.0}, kEightByEight) ==
          count_inside({EllipseOutline{radius, 2.0 * radius}, 0.0, 0.0}, kEightByEight));
    // The polygon through centres of elements holds all of them, whatever its sense and start.
    const Vertices square{{-0.375, -0.375}, {0.625, -0.375}, {0.625, 0.375}, {-0.375, 0.375}};
    const Vertices diamond{{0.125, -0.625}, {0.875, 0.125}, {0.125, 0.875}, {-0.625, 0.125}};
    for (std::size_t start = 0; start < 4; ++start) {
      for (const auto& [vertices, count] : {std::pair{square, 5 * 4}, std::pair{diamond, 25}}) {
        const Vertices forward = shifted(vertices, start);
        CHECK(count_inside({PolygonOutline{forward}}, kEightByEight) == count);
        CHECK(count_inside({PolygonOutline{{forward.rbegin(), forward.rend()}}}, kEightByEight) ==
              count);
      }
    }
  }

  TEST_CASE("planform: rounding of a centre does not take it off the outline") {
    for (const double spacing : {0.1, 0.3, 1.0 / 3.0, 0.07}) {
      for (const int n : {11, 21, 33}) {
        const Grid grid{n, n + 2, spacing, spacing, -0.5 * n * spacing, -0.5 * (n + 2) * spacing};
        const double half = 3 * spacing;
        CHECK(count_inside({RectangleOutline{half, half}}, grid) == 49);
        CHECK(count_inside(
                  {PolygonOutline{{{-half, -half}, {half, -half}, {half, half}, {-half, half}}}},
                  grid) == 49);
        CHECK(count_inside({PolygonOutline{{{-half, 0.0}, {0.0, -half}, {half, 0.0}, {0.0, half}}}},
                           grid) == 25);
        CHECK(count_inside({EllipseOutline{half, half}}, grid) == 29);
      }
    }
  }

  TEST_CASE(
      "planform: a centre moves every outline, and several planforms leave what all contain") {
    const Grid grid{31, 23, 0.1, 0.15, -1.4, -1.8};
    const std::vector<decltype(PlanformShape::outline)> outlines{
        EllipseOutline{0.5, 0.8}, RectangleOutline{0.5, 0.4},
        PolygonOutline{{{-0.5, -0.4}, {0.7, 0.1}, {-0.2, 0.6}}}};
    for (const auto& outline : outlines) {
      const Grid moved{31, 23, 0.1, 0.15, -1.4 - 0.3, -1.8 + 0.2};
      CHECK(inside({outline, 0.3, -0.2}, grid) == inside({outline}, moved));
    }
    const PlanformShape one{EllipseOutline{0.5, 0.8}};
    const PlanformShape two{RectangleOutline{0.5, 0.4}, 0.3, 0.1};
    const std::vector<double> h =
        undeformed_distance({one, SphereShape{10.0}, two}, grid, combine({1.0, 0.3}, {1.0, 0.3}));
    const std::vector<bool> in_one = inside(one, grid);
    const std::vector<bool> in_two = inside(two, grid);
    for (int iy = 0; iy < grid.my; ++iy) {
      for (int ix = 0; ix < grid.mx; ++ix) {
        const std::size_t i = grid.index(ix, iy);
        CHECK(std::isfinite(h[i]) == (in_one[i] && in_two[i]));
        if (!std::isfinite(h[i])) continue;
        const double exact = (grid.x(ix) * grid.x(ix) + grid.y(iy) * grid.y(iy)) / 20.0;
        CHECK(h[i] == test::near(exact, 1e-14));  // rounding
      }
    }
  }

  TEST_CASE("planform: polygons with dents hold the elements around which they run once") {
    test::Random random(11);
    const Grid grid{41, 37, 0.05, 0.06, -1.0, -1.1};
    for (int polygon = 0; polygon < 40; ++polygon) {
      Vertices vertices;  // in the order of their angle, so that no edges cross
      const int count = 3 + polygon % 17;
      for (int i = 0; i < count; ++i) {
        const double angle = 2.0 * test::kPi * (i + random.uniform(0.1, 0.9)) / count;
        const double radius = random.uniform(0.2, 1.2);
        vertices.push_back({radius * std::cos(angle), radius * std::sin(angle)});
      }
      CHECK_FALSE(meeting_edges({vertices}));
      const std::vector<bool> found = inside({PolygonOutline{vertices}}, grid);
      for (int iy = 0; iy < grid.my; ++iy) {
        for (int ix = 0; ix < grid.mx; ++ix)
          CHECK(found[grid.index(ix, iy)] == (winding(vertices, grid.x(ix), grid.y(iy)) != 0));
      }
    }
  }

  TEST_CASE("planform: any_element_inside sees a single element") {
    CHECK(any_element_inside({EllipseOutline{0.01, 0.01}, 0.875, -0.875}, kEightByEight));
    CHECK_FALSE(any_element_inside({EllipseOutline{0.12, 0.12}}, kEightByEight));
    CHECK_FALSE(any_element_inside({RectangleOutline{0.5, 0.5}, 3.0, 0.0}, kEightByEight));
    CHECK_FALSE(any_element_inside({RectangleOutline{0.5, 0.5}, 0.0, -3.0}, kEightByEight));
    CHECK_FALSE(any_element_inside({EllipseOutline{1e300, 0.01}}, kEightByEight));
    CHECK(any_element_inside({EllipseOutline{1e300, 1e300}}, kEightByEight));
  }

  TEST_CASE("planform: edges of a polygon that cross, touch, fold back or have no length") {
    const std::vector<Vertices> good{
        {{0, 0}, {1, 0}, {0, 1}},
        {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {0, 1}},  // a vertex on a straight side
        {{0, 0}, {4, 0}, {4, 3}, {2, 1}, {0, 3}},  // a dent
        {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 3}, {3, 2}, {0, 1}},
    };
    const std::vector<Vertices> bad{
        {{0, 0}, {1, 1}, {1, 0}, {0, 1}},                  // a bow tie
        {{0, 0}, {1, 0}, {2, 0}},                          // a line
        {{0, 0}, {0, 0}, {1, 0}, {0, 1}},                  // no length
        {{0, 0}, {1, 0}, {0, 1}, {0, 0}},                  // closed by hand
        {{0, 0}, {2, 0}, {1, 0}, {1, 1}},                  // folds back
        {{0, 0}, {4, 0}, {4, 3}, {2, 0}, {0, 3}},          // a dent down to the side
        {{0, 0}, {4, 0}, {4, 3}, {3, 0}, {1, 0}, {0, 3}},  // and along it
        {{0, 0}, {2, 2}, {4, 0}, {4, 4}, {2, 2}, {0, 4}},  // two triangles at a corner
    };
    for (const Vertices& vertices : good) {
      for (std::size_t start = 0; start < vertices.size(); ++start)
        CHECK_FALSE(meeting_edges({shifted(vertices, start)}));
    }
    for (const Vertices& vertices : bad) {
      for (std::size_t start = 0; start < vertices.size(); ++start)
        CHECK(meeting_edges({shifted(vertices, start)}));
    }
  }
}

}  // namespace slipfield
