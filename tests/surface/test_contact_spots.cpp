// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "solver/surface/contact_spots.h"
#include "solver/surface/surface_fields.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

using namespace slipfield;
using namespace slipfield::test;

namespace {

using SpotField = std::vector<ElementState>;

SpotField random_contact(const Grid& grid, double part, unsigned seed) {
  std::mt19937 random(seed);
  std::bernoulli_distribution touches(part);
  SpotField division(grid.count());
  for (ElementState& state : division)
    state = touches(random) ? ElementState::slip : ElementState::exterior;
  return division;
}

// The least number that each element's region holds, by handing it on until nothing changes. On a
// grid of several copies of a periodic one, regions that go around connect an element with its
// copies.
std::vector<int> spread_labels(const SpotField& division, int mx, int my) {
  std::vector<int> label(division.size());
  for (std::size_t i = 0; i < label.size(); ++i) label[i] = static_cast<int>(i);
  for (bool changed = true; changed;) {
    changed = false;
    for (int iy = 0; iy < my; ++iy) {
      for (int ix = 0; ix < mx; ++ix) {
        const auto join = [&](int x, int y) {
          const auto a = static_cast<std::size_t>(iy * mx + ix);
          const auto b = static_cast<std::size_t>(y * mx + x);
          const bool alike =
              (division[a] == ElementState::exterior) == (division[b] == ElementState::exterior);
          if (!alike || label[a] == label[b]) return;
          label[a] = label[b] = std::min(label[a], label[b]);
          changed = true;
        };
        if (ix + 1 < mx) join(ix + 1, iy);
        if (iy + 1 < my) join(ix, iy + 1);
      }
    }
  }
  return label;
}

ContactSpots spots_of(const Grid& grid, const SpotField& division) {
  return contact_spots(grid, division, std::vector<double>(grid.count(), 0.5));
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("contact spots: number, greatest one and open gaps are those of labels handed on") {
    for (unsigned seed = 0; seed < 60; ++seed) {
      const Grid grid{11, 9, 0.5, 0.25};
      const SpotField division = random_contact(grid, 0.2 + 0.01 * seed, seed);
      const std::vector<int> label = spread_labels(division, grid.mx, grid.my);
      int count = 0;
      std::int64_t largest = 0;
      bool open_x = false;
      bool open_y = false;
      for (std::size_t i = 0; i < label.size(); ++i) {
        const bool touches = division[i] != ElementState::exterior;
        const auto size = std::ranges::count(label, static_cast<int>(i));
        if (touches && size > 0) ++count;
        if (touches) largest = std::max<std::int64_t>(largest, size);
        if (touches) continue;
        const int ix = static_cast<int>(i) % grid.mx;
        const int iy = static_cast<int>(i) / grid.mx;
        for (int k = 0; ix == 0 && k < grid.my; ++k)
          open_x = open_x || label[grid.index(grid.mx - 1, k)] == label[i];
        for (int k = 0; iy == 0 && k < grid.mx; ++k)
          open_y = open_y || label[grid.index(k, grid.my - 1)] == label[i];
      }
      const ContactSpots spots = spots_of(grid, division);
      CHECK(spots.count == count);
      CHECK(spots.largest_area == near(static_cast<double>(largest) * 0.125));
      CHECK(spots.open_along_x == open_x);
      CHECK(spots.open_along_y == open_y);
      CHECK(spots.mean_gap == near(0.5));
    }
  }

  TEST_CASE(
      "contact spots: on a periodic grid gaps go all around where copies of the grid connect") {
    constexpr int kCopies = 5;
    int around = 0;
    for (unsigned seed = 0; seed < 40; ++seed) {
      Grid grid{8, 7, 1.0, 1.0};
      grid.boundary = Boundary::periodic;
      const SpotField division = random_contact(grid, 0.3 + 0.01 * seed, seed);
      const int wide = kCopies * grid.mx;
      const int high = kCopies * grid.my;
      SpotField copies;
      for (int iy = 0; iy < high; ++iy)
        for (int ix = 0; ix < wide; ++ix)
          copies.push_back(division[grid.index(ix % grid.mx, iy % grid.my)]);
      const std::vector<int> label = spread_labels(copies, wide, high);
      bool open_x = false;
      bool open_y = false;
      for (int iy = 0; iy < grid.my; ++iy) {
        for (int ix = 0; ix < grid.mx; ++ix) {
          if (division[grid.index(ix, iy)] != ElementState::exterior) continue;
          const int x = ix + 2 * grid.mx;  // from the copy in the middle
          const int y = iy + 2 * grid.my;
          const int own = label[static_cast<std::size_t>(y * wide + x)];
          for (int other_y = iy; other_y < high; other_y += grid.my)
            for (int other_x = ix; other_x < wide; other_x += grid.mx)
              if (label[static_cast<std::size_t>(other_y * wide + other_x)] == own) {
                open_x = open_x || other_x != x;
                open_y = open_y || other_y != y;
              }
        }
      }
      const ContactSpots spots = spots_of(grid, division);
      CHECK(spots.open_along_x == open_x);
      CHECK(spots.open_along_y == open_y);
      around += open_x ? 1 : 0;
      // Shifted, nothing changes.
      SpotField shifted(division.size());
      for (int iy = 0; iy < grid.my; ++iy)
        for (int ix = 0; ix < grid.mx; ++ix)
          shifted[grid.index((ix + 3) % grid.mx, (iy + 5) % grid.my)] =
              division[grid.index(ix, iy)];
      const ContactSpots other = spots_of(grid, shifted);
      CHECK(other.count == spots.count);
      CHECK(other.perimeter == spots.perimeter);
      CHECK(other.open_along_x == spots.open_along_x);
      CHECK(other.open_along_y == spots.open_along_y);
    }
    CHECK(around > 5);
    CHECK(around < 35);
  }

  TEST_CASE("contact spots: periodic in x only, gaps go around in x and from edge to edge in y") {
    constexpr int kCopies = 5;
    int around = 0;
    int through = 0;
    for (unsigned seed = 0; seed < 40; ++seed) {
      const Grid grid{8, 7, 1.0, 1.0, 0.0, 0.0, Boundary::periodic_x};
      const SpotField division = random_contact(grid, 0.3 + 0.01 * seed, seed);
      const int wide = kCopies * grid.mx;
      SpotField copies;
      for (int iy = 0; iy < grid.my; ++iy)
        for (int ix = 0; ix < wide; ++ix) copies.push_back(division[grid.index(ix % grid.mx, iy)]);
      const std::vector<int> label = spread_labels(copies, wide, grid.my);
      const auto at = [&](int x, int y) { return static_cast<std::size_t>(y * wide + x); };
      bool open_x = false;
      bool open_y = false;
      for (int iy = 0; iy < grid.my; ++iy)
        for (int ix = 0; ix < grid.mx; ++ix) {
          if (division[grid.index(ix, iy)] != ElementState::exterior) continue;
          const int x = ix + 2 * grid.mx;  // from the copy in the middle
          for (int other = ix; other < wide; other += grid.mx)
            open_x = open_x || (other != x && label[at(other, iy)] == label[at(x, iy)]);
          for (int other = 0; iy == 0 && other < wide; ++other)
            open_y = open_y || label[at(other, grid.my - 1)] == label[at(x, 0)];
        }
      const ContactSpots spots = spots_of(grid, division);
      CHECK(spots.open_along_x == open_x);
      CHECK(spots.open_along_y == open_y);
      around += open_x ? 1 : 0;
      through += open_y ? 1 : 0;
    }
    CHECK(around > 5);
    CHECK(around < 35);
    CHECK(through > 5);
    CHECK(through < 35);
  }

  TEST_CASE(
      "contact spots: outline and areas of a block of elements, at an edge and away from it") {
    const Grid grid{10, 8, 0.5, 0.25};
    SpotField division(grid.count(), ElementState::exterior);
    for (int iy = 2; iy < 5; ++iy)
      for (int ix = 0; ix < 4; ++ix) division[grid.index(ix, iy)] = ElementState::adhesion;
    const ContactSpots spots = spots_of(grid, division);
    CHECK(spots.count == 1);
    CHECK(spots.area == near(12 * 0.125));
    CHECK(spots.perimeter == near(3 * 0.25 + 2 * 4 * 0.5));  // the grid's edge is not outline
    const double part = (std::numbers::pi - 1.0 + std::log(2.0)) / 24.0;
    CHECK(spots.area_corrected == near((12 - part * 11) * 0.125));
    CHECK(spots.open_along_x);
    CHECK(spots.open_along_y);
    for (int iy = 2; iy < 5; ++iy)
      for (int ix = 4; ix < grid.mx; ++ix) division[grid.index(ix, iy)] = ElementState::adhesion;
    const ContactSpots wall = spots_of(grid, division);
    CHECK(wall.perimeter == near(2 * 10 * 0.5));
    CHECK(wall.open_along_x);
    CHECK(!wall.open_along_y);
  }

  TEST_CASE("contact spots: the corrected area of coarse Hertzian contacts is nearer to pi a^2") {
    double error = 0.0;
    double corrected = 0.0;
    int solved = 0;
    for (const double radius : {2.6, 3.2, 3.9, 4.7}) {  // in elements
      for (const double x : {0.0, 0.21, 0.43}) {
        Grid grid{15, 15, 1.0, 1.0, -7.5 + x, -7.5 + 0.6 * x};
        const ElasticBody body{200.0, 0.3};
        const double modulus = 200.0 / 0.7;
        const double force = 4.0 / 3.0 * modulus * std::pow(radius, 3) / 1000.0;
        const Solved found = solve(normal_problem(grid, body, QuadraticShape{0.0005, 0.0, 0.0005},
                                                  NormalControl::force, force, 1e-8));
        const ContactSpots spots =
            contact_spots(grid, found.fields.element_division, found.fields.gap);
        const double area = std::numbers::pi * radius * radius;
        error += spots.area / area - 1.0;
        corrected += spots.area_corrected / area - 1.0;
        ++solved;
      }
    }
    error /= solved;
    corrected /= solved;
    // 5 % too much, and 4 % too little: the factor is that of outlines of all kinds.
    CHECK(error > 0.04);
    CHECK(error < 0.06);
    CHECK(std::fabs(corrected) < 0.8 * error);
  }
}
