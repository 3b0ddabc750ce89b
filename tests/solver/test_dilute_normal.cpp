// SPDX-License-Identifier: Apache-2.0
// The normal problem where few elements touch (solver/window/dilute_normal.h).
#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/geometry/rough_surface.h"
#include "solver/influence/layered_bodies.h"
#include "solver/normal/dilute_elements.h"
#include "solver/normal/grid_sums.h"
#include "solver/run/cpu_instances.h"
#include "solver/window/normal_window.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"
#include "tests/support/skew_contact.h"

using namespace slipfield;

namespace {

struct Solved {
  NormalResult result;
  std::vector<double> pressure, displacement;
  double products = 0.0;
};

// How a grid's normal problem is solved: by a window, which tries the few elements first, or on the
// grid alone.
struct DilutePair {
  Grid grid;
  CombinedMaterial material;
  CpuBackend backend;
  CpuBackend::Influence influence;
  std::vector<double> heights;

  DilutePair(const Grid& of, std::vector<double> h)
      : grid(of),
        material(combine(test::kBody, test::kBody)),
        influence(backend, of, material, InfluenceMethod::automatic),
        heights(std::move(h)) {}

  template <class Solver>
  Solved solve(Solver& solver, const NormalLoad& load, const std::vector<double>& start) {
    CpuBackend::Array<double> distance(grid.count());
    CpuBackend::Array<double> pressure(grid.count());
    CpuBackend::Array<double> displacement(grid.count());
    backend.upload(heights, distance);
    if (!start.empty()) backend.upload(start, pressure);
    const auto before = static_cast<double>(influence.products());
    Solved solved;
    solved.result = solver.solve(distance, load, NormalMethod::bound_cg, 1e-8, pressure,
                                 displacement, [](int, double) {});
    solved.pressure = backend.download(pressure);
    solved.displacement = backend.download(displacement);
    solved.products = static_cast<double>(influence.products()) - before;
    return solved;
  }
  Solved by_few(const NormalLoad& load, const std::vector<double>& start = {}) {
    NormalWindow<CpuBackend> window(backend, grid, material, {}, influence, heights);
    return solve(window, load, start);
  }
  Solved by_all(const NormalLoad& load) {
    NormalSolver<CpuBackend> solver(backend, grid, influence);
    return solve(solver, load, {});
  }
};

DilutePair rough_pair(const Grid& grid, std::uint64_t seed, double longest, double hurst = 0.8) {
  RoughSurface surface;
  surface.hurst = hurst;
  surface.rms = 0.05;
  surface.shortest = 4.0;
  surface.longest = longest;
  surface.seed = seed;
  return {grid, rough_heights(surface, grid)};
}
DilutePair rough(Boundary boundary, std::uint64_t seed, double hurst = 0.8) {
  Grid grid{256, 288, 0.5, 0.4, -3.0, 7.0};
  grid.boundary = boundary;
  return rough_pair(grid, seed, 32.0, hurst);
}

// The force under which about that part of the elements touches, by Persson's theory.
NormalLoad load_for(const DilutePair& pair, double part) {
  const Grid& grid = pair.grid;
  double squares = 0.0;
  for (std::size_t i = 1; i < pair.heights.size(); ++i)
    if (i % static_cast<std::size_t>(grid.mx) != 0)
      squares += std::pow((pair.heights[i] - pair.heights[i - 1]) / grid.dx, 2);
  const auto count = static_cast<double>(grid.count());
  const double slope = std::sqrt(2.0 * squares / count);
  return {NormalControl::force,
          part * count * grid.element_area() * pair.material.contact_modulus() * slope / 1.6};
}

// The contact conditions, whatever solved them: 0 <= p, 0 <= gap where p is 0, no gap where it is
// not.
void check_conditions(const DilutePair& pair, const Solved& solved, const NormalLoad& load,
                      double length) {
  double sum = 0.0;
  double least = 0.0;
  double open = 0.0;
  for (std::size_t i = 0; i < solved.pressure.size(); ++i) {
    const double gap = pair.heights[i] + solved.displacement[i] - solved.result.approach;
    sum += solved.pressure[i];
    least = std::min({least, gap, solved.pressure[i]});
    if (solved.pressure[i] > 0.0) open = std::max(open, std::abs(gap));
  }
  CHECK(least > -1e-6 * length);
  CHECK(open < 1e-6 * length);
  if (load.control == NormalControl::force)
    CHECK(sum * pair.grid.element_area() == test::near(load.value, 1e-12));
  else
    CHECK(solved.result.approach == load.value);
}

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference2 = 0.0;
  double whole2 = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference2 += (a[i] - b[i]) * (a[i] - b[i]);
    whole2 += b[i] * b[i];
  }
  return std::sqrt(difference2 / whole2);
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("dilute contact: direct sums over scattered elements are the product over the grid") {
    for (const Boundary boundary : {Boundary::free, Boundary::periodic}) {
      Grid grid{37, 29, 0.5, 0.4};
      grid.boundary = boundary;
      CpuBackend backend;
      CpuBackend::Influence influence(backend, grid, combine(test::kBody, test::kBody),
                                      InfluenceMethod::fft);
      const auto product = [&](const std::vector<double>& p) {
        std::vector<double> u(p.size());
        influence.apply(Block::normal, {nullptr, nullptr, p.data()}, {nullptr, nullptr, u.data()});
        return u;
      };
      std::vector<double> unit(grid.count());
      unit[0] = 1.0;
      DiluteElements dilute(grid, even_table(grid, product(unit)));
      std::mt19937_64 random(11);
      std::uniform_real_distribution<double> uniform(0.0, 1.0);
      for (const double part : {0.02, 0.3, 1.0}) {
        std::vector<int> elements;
        std::vector<double> p, of_grid(grid.count());
        for (std::size_t i = 0; i < grid.count(); ++i) {
          if (uniform(random) > part) continue;
          elements.push_back(static_cast<int>(i));
          p.push_back(uniform(random) < 0.5 ? uniform(random) : 0.0);
          of_grid[i] = p.back();
        }
        dilute.take(elements, p.size());
        std::vector<double> u(p.size());
        dilute.multiply(p.data(), u.data());
        const std::vector<double> expected = product(of_grid);
        double greatest = 0.0;
        for (const double each : expected) greatest = std::max(greatest, std::fabs(each));
        for (std::size_t k = 0; k < u.size(); ++k)
          REQUIRE(u[k] == test::within(expected[static_cast<std::size_t>(elements[k])],
                                       1e-13 * greatest));  // rounding of the transforms
      }
    }
  }

  TEST_CASE("dilute contact: sums split into near and smooth ones are those of all pairs to 1e-6") {
    const Grid grid{620, 580, 0.5, 0.4, -3.0, 7.0};
    const CombinedMaterial material = combine(test::kBody, test::kBody);
    std::vector<double> coefficients(grid.count());
    for (int iy = 0; iy < grid.my; ++iy)
      for (int ix = 0; ix < grid.mx; ++ix)
        coefficients[grid.index(ix, iy)] = influence_coefficient(
            Component::nn, ix * grid.dx, iy * grid.dy, grid.dx, grid.dy, material);
    std::mt19937_64 random(21);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    const auto spots = [&](int count) {  // overlapping, and over the edges
      std::vector<int> elements;
      std::vector<unsigned char> taken(grid.count());
      for (int k = 0; k < count; ++k) {
        const double x = grid.mx * uniform(random);
        const double y = grid.my * uniform(random);
        const double radius = 7.0 * uniform(random);
        const auto first = [radius](double middle) {
          return std::max(0, static_cast<int>(middle - radius));
        };
        for (int iy = first(y); iy < std::min<double>(grid.my, y + radius); ++iy)
          for (int ix = first(x); ix < std::min<double>(grid.mx, x + radius); ++ix)
            if (std::hypot(ix - x, iy - y) < radius) taken[grid.index(ix, iy)] = 1;
      }
      for (std::size_t i = 0; i < taken.size(); ++i)
        if (taken[i] != 0) elements.push_back(static_cast<int>(i));
      return elements;
    };
    DiluteElements all(grid, even_table(grid, coefficients));  // of no modulus: never split
    DiluteElements split(grid, even_table(grid, coefficients), material.contact_modulus());
    for (const int count : {150, 300}) {
      const std::vector<int> elements = spots(count);
      std::vector<double> p(elements.size());
      for (double& each : p) each = uniform(random) < 0.7 ? uniform(random) : 0.0;
      all.take(elements, p.size());
      split.take(elements, p.size());
      REQUIRE(split.sums() == DiluteElements::Sums::split);
      std::vector<double> u(p.size()), expected(p.size());
      all.multiply(p.data(), expected.data());
      split.multiply(p.data(), u.data());
      const double greatest = *std::ranges::max_element(expected);
      for (std::size_t k = 0; k < u.size(); ++k)
        REQUIRE(u[k] == test::within(expected[k], 1e-6 * greatest));
    }
    const std::vector<int> elements = spots(200);
    std::vector<int> x, y;
    for (const int each : elements) {
      x.push_back(each % grid.mx);
      y.push_back(each / grid.mx);
    }
    ElementRuns runs;
    runs.form(x, y);
    std::vector<double> p(elements.size()), u(elements.size()), expected(elements.size());
    for (double& each : p) each = uniform(random);
    all.take(elements, p.size());
    all.multiply(p.data(), expected.data());
    const double greatest = *std::ranges::max_element(expected);
    for (const int stride : ScatteredSums::kStrides) {
      ScatteredSums sums(grid, material.contact_modulus(), even_table(grid, coefficients), stride);
      sums.take(x, y, runs);
      sums.multiply(p, u);
      CAPTURE(stride);
      for (std::size_t k = 0; k < u.size(); ++k)
        REQUIRE(u[k] == test::within(expected[k], 1e-6 * greatest));
    }
    // Coefficients of another modulus, or with a coating, are not split.
    for (double& each : coefficients) each *= 1.001;
    DiluteElements other(grid, even_table(grid, coefficients), material.contact_modulus());
    other.take(spots(200), 5000);
    CHECK(other.sums() != DiluteElements::Sums::split);
  }

  TEST_CASE("dilute contact: a grid is displaced by few elements as by a direct sum over them") {
    // With every stride, over the grid's edges, elements twice as long as wide.
    std::mt19937_64 random(31);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    for (const Grid& grid :
         {Grid{331, 307, 0.5, 0.4, -3.0, 7.0}, Grid{251, 509, 0.2, 0.1}, Grid{640, 97, 0.3, 0.3}}) {
      const CombinedMaterial material = combine(test::kBody, test::kBody);
      const auto coefficient = [&](int kx, int ky) {
        return influence_coefficient(Component::nn, kx * grid.dx, ky * grid.dy, grid.dx, grid.dy,
                                     material);
      };
      std::vector<double> coefficients(grid.count());
      for (int iy = 0; iy < grid.my; ++iy)
        for (int ix = 0; ix < grid.mx; ++ix) coefficients[grid.index(ix, iy)] = coefficient(ix, iy);
      const auto table = even_table(grid, coefficients);
      std::vector<int> elements = {0, grid.mx - 1, static_cast<int>(grid.count()) - 1};
      for (int k = 0; k < 40; ++k)
        elements.push_back(
            static_cast<int>(uniform(random) * static_cast<double>(grid.count() - 1)));
      std::ranges::sort(elements);
      std::vector<double> p(elements.size());
      for (double& each : p) each = uniform(random) < 0.8 ? uniform(random) : 0.0;
      std::vector<double> expected(grid.count()), u(grid.count(), 1.0);
      for (int iy = 0; iy < grid.my; ++iy)
        for (int ix = 0; ix < grid.mx; ++ix)
          for (std::size_t k = 0; k < elements.size(); ++k)
            expected[grid.index(ix, iy)] +=
                p[k] * *table->at(ix - elements[k] % grid.mx, std::abs(iy - elements[k] / grid.mx));
      const double greatest = *std::ranges::max_element(expected);
      for (const int stride : GridSums::kStrides) {
        CAPTURE(stride);
        GridSums sums(grid, material.contact_modulus(), table, stride);
        sums.multiply(elements, p, u.data());
        double worst = 0.0;
        for (std::size_t i = 0; i < u.size(); ++i)
          worst = std::max(worst, std::fabs(u[i] - expected[i]));
        CHECK(worst < 1e-9 * greatest);  // what grid_sums.h promises
      }
    }
  }

  TEST_CASE(
      "dilute contact: pressures found by sums to the grid obey the conditions by exact products") {
    const Grid grid{1100, 960, 0.5, 0.5};
    DilutePair pair = rough_pair(grid, 9, 64.0);
    for (const double part : {0.0003, 0.003}) {
      const NormalLoad load = load_for(pair, part);
      CpuBackend::Array<double> distance(grid.count()), pressure(grid.count()), u(grid.count());
      pair.backend.upload(pair.heights, distance);
      DiluteNormal<CpuBackend> dilute(pair.backend, grid, pair.material, pair.influence,
                                      pair.heights);
      int done = 0;
      const auto found = dilute.solve(
          distance, load, NormalMethod::bound_cg, 1e-6, pressure, u, [](int, double) {}, done);
      REQUIRE(found.has_value());
      REQUIRE(found->converged);
      CpuBackend::Influence exact(pair.backend, grid, pair.material, InfluenceMethod::fft);
      CpuBackend::Array<double> product(grid.count());
      exact.apply(Block::normal, {.n = pressure.data()}, {.n = product.data()});
      Solved solved{*found, pair.backend.download(pressure), pair.backend.download(product)};
      const std::vector<double> displacement = pair.backend.download(u);
      const double greatest = *std::ranges::max_element(displacement);
      double worst = 0.0;
      for (std::size_t i = 0; i < displacement.size(); ++i)
        worst = std::max(worst, std::fabs(displacement[i] - solved.displacement[i]));
      CHECK(worst < 1e-9 * greatest);
      check_conditions(pair, solved, load, greatest);
    }
  }

  TEST_CASE("dilute contact: split sums of dense elements reach less far than those of few") {
    // A reach twice as long has four times the products, and a quarter of the coarse grid's places.
    const Grid grid{1024, 1024, 0.5, 0.5};
    const CombinedMaterial material = combine(test::kBody, test::kBody);
    CpuBackend backend;
    CpuBackend::Influence influence(backend, grid, material, InfluenceMethod::automatic);
    DiluteElements dilute(grid, influence.shared_table(Component::nn), material.contact_modulus());
    const auto blocks = [&](int edge, int apart) {
      std::vector<int> elements;
      for (int iy = 0; iy < grid.my; ++iy)
        for (int ix = 0; ix < grid.mx; ++ix)
          if (ix % apart < edge && iy % apart < edge)
            elements.push_back(static_cast<int>(grid.index(ix, iy)));
      return elements;
    };
    const std::vector<int> dense = blocks(10, 32);  // 102,400
    dilute.take(dense, dense.size());
    CHECK(dilute.stride() == ScatteredSums::kStrides.front());
    const std::vector<int> few = blocks(2, 32);  // 4,096
    dilute.take(few, few.size());
    CHECK(dilute.stride() == ScatteredSums::kStrides.back());
  }

  TEST_CASE(
      "dilute contact: split sums end in the fields of the whole grid's solver, without a gap "
      "where "
      "elements touch") {
    const Grid grid{512, 480, 0.5, 0.5};
    DilutePair pair = rough_pair(grid, 5, 32.0);
    const NormalLoad load = load_for(pair, 0.012);
    DiluteNormal<CpuBackend> dilute(pair.backend, grid, pair.material, pair.influence,
                                    pair.heights);
    CpuBackend::Array<double> distance(grid.count()), pressure(grid.count()), u(grid.count());
    pair.backend.upload(pair.heights, distance);
    int done = 0;
    const auto few = dilute.solve(
        distance, load, NormalMethod::bound_cg, 1e-8, pressure, u, [](int, double) {}, done);
    REQUIRE(few.has_value());
    REQUIRE(dilute.sums() == DiluteElements::Sums::split);
    // After the first guess and two rounds; the coefficients take none, and are of one table.
    CHECK(pair.influence.products() == 3);
    CHECK(pair.influence.shared_table(Component::nn).use_count() > 1);
    const Solved all = pair.by_all(load);
    const std::vector<double> p = pair.backend.download(pressure);
    const std::vector<double> displacement = pair.backend.download(u);
    CHECK(relative_difference(p, all.pressure) < 1e-6);
    CHECK(relative_difference(displacement, all.displacement) < 1e-7);
    CHECK(few->approach == test::near(all.result.approach, 1e-9));
    double mean = 0.0;
    double loaded = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (!(p[i] > 0.0)) continue;
      mean += pair.heights[i] + displacement[i] - few->approach;
      loaded += 1.0;
    }
    CHECK(std::fabs(mean / loaded) < 1e-14);  // rounding of heights of .05
  }

  TEST_CASE("dilute contact: the preconditioner inverts A_nn within each spot, and is symmetric") {
    const Grid grid{90, 80, 0.5, 0.4};
    CpuBackend backend;
    CpuBackend::Influence influence(backend, grid, combine(test::kBody, test::kBody),
                                    InfluenceMethod::fft);
    std::vector<double> unit(grid.count()), coefficients(grid.count());
    unit[0] = 1.0;
    influence.apply(Block::normal, {nullptr, nullptr, unit.data()},
                    {nullptr, nullptr, coefficients.data()});
    DiluteElements dilute(grid, even_table(grid, coefficients));
    // Two spots that meet at a corner are one, a third one is alone, and a large one is cut.
    std::vector<int> elements;
    for (int iy = 0; iy < grid.my; ++iy)
      for (int ix = 0; ix < grid.mx; ++ix)
        if ((ix < 3 && iy < 4) || (ix >= 3 && ix < 6 && iy >= 4 && iy < 6) ||
            (ix == 9 && iy == 2) || (ix > 20 && iy > 20))
          elements.push_back(static_cast<int>(grid.index(ix, iy)));
    dilute.take(elements, elements.size());
    const std::size_t count = elements.size();
    std::vector<unsigned char> active(count, 1);
    active[1] = 0;
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    std::vector<double> one(count), other(count), of_one(count), of_other(count);
    const auto apply = [&] {
      dilute.precondition(active.data(), one.data(), of_one.data());
      dilute.precondition(active.data(), other.data(), of_other.data());
    };
    // A p of a pressure on the first spots alone has that pressure as its image, apart from the far
    // element's part.
    std::vector<double> p(count), u(count);
    for (std::size_t k = 0; k < count; ++k)
      if (active[k] != 0 && elements[k] % grid.mx < 6 && elements[k] / grid.mx < 6)
        p[k] = normal(random);
    dilute.multiply(p.data(), one.data());
    apply();
    for (std::size_t k = 0; k < count; ++k)
      if (elements[k] % grid.mx < 6 && elements[k] / grid.mx < 6)
        CHECK(std::fabs(of_one[k] - p[k]) < 1e-5);  // factors in single precision, p of about 1
    CHECK(of_one[1] == 0.0);
    for (const bool all :
         {false, true}) {  // once more with another set: old factors must not be taken
      if (all) active[1] = 1;
      for (std::size_t k = 0; k < count; ++k) {
        one[k] = active[k] != 0 ? normal(random) : 0.0;
        other[k] = active[k] != 0 ? normal(random) : 0.0;
      }
      apply();
      double there = 0.0;
      double back = 0.0;
      double energy = 0.0;
      for (std::size_t k = 0; k < count; ++k) {
        there += one[k] * of_other[k];
        back += other[k] * of_one[k];
        energy += one[k] * of_one[k];
      }
      CHECK(std::fabs(there - back) < 1e-5 * energy);  // likewise
      CHECK(energy > 0.0);
    }
  }

  TEST_CASE("dilute contact: the cuts of a large spot cost few iterations") {
    const Grid grid{90, 80, 0.5, 0.4};
    CpuBackend backend;
    CpuBackend::Influence influence(backend, grid, combine(test::kBody, test::kBody),
                                    InfluenceMethod::fft);
    DiluteElements dilute(grid, influence.shared_table(Component::nn));
    std::vector<int> elements(grid.count());
    std::iota(elements.begin(), elements.end(), 0);
    dilute.take(elements, elements.size());
    const auto count = static_cast<Eigen::Index>(elements.size());
    const std::vector<unsigned char> active(elements.size(), 1);
    // The pressures under a flat punch by conjugate gradients.
    Eigen::VectorXd p = Eigen::VectorXd::Zero(count);
    Eigen::VectorXd r = Eigen::VectorXd::Ones(count);
    Eigen::VectorXd z(count), image(count);
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(count);
    double energy = 0.0;
    double first = 0.0;
    int iterations = 0;
    for (; iterations < 100; ++iterations) {
      dilute.precondition(active.data(), r.data(), z.data());
      const double before = std::exchange(energy, r.dot(z));
      if (iterations == 0) first = energy;
      if (energy < 1e-12 * first) break;
      direction = z + (before > 0.0 ? energy / before : 0.0) * direction;
      dilute.multiply(direction.data(), image.data());
      const double step = energy / direction.dot(image);
      p += step * direction;
      r -= step * image;
    }
    CHECK(r.lpNorm<Eigen::Infinity>() < 1e-5);
    CHECK(iterations < 15);  // 18 with squares that are cut in one way alone
  }

  TEST_CASE(
      "dilute contact: fields are those of the solver on the whole grid, and obey the contact "
      "conditions") {
    for (const Boundary boundary : {Boundary::free, Boundary::periodic}) {
      for (const std::uint64_t seed : {1U, 2U}) {
        DilutePair pair = rough(boundary, seed);
        for (const double force : {0.02, 0.2, 1.0}) {
          const NormalLoad load{NormalControl::force, force};
          const Solved few = pair.by_few(load);
          const Solved all = pair.by_all(load);
          CAPTURE(force);
          REQUIRE(few.result.converged);
          REQUIRE(all.result.converged);
          CHECK(few.products < 0.5 * all.products);
          CHECK(relative_difference(few.pressure, all.pressure) < 1e-6);
          CHECK(relative_difference(few.displacement, all.displacement) < 1e-7);
          CHECK(few.result.approach == test::near(all.result.approach, 1e-7));
          check_conditions(pair, few, load, 0.05);
          // The approach that this force gives, prescribed; and the same force from a start that is
          // another one's.
          const NormalLoad approach{NormalControl::approach, few.result.approach};
          const Solved prescribed = pair.by_few(approach);
          REQUIRE(prescribed.result.converged);
          CHECK(relative_difference(prescribed.pressure, few.pressure) < 1e-5);
          check_conditions(pair, prescribed, approach, 0.05);
          const Solved heavier = pair.by_few({NormalControl::force, 1.5 * force}, few.pressure);
          REQUIRE(heavier.result.converged);
          CHECK(relative_difference(heavier.pressure,
                                    pair.by_all({NormalControl::force, 1.5 * force}).pressure) <
                1e-6);
        }
      }
    }
  }

  // Every 61st element is looked at first: here those of columns that are far away, or nearer than
  // others, many of which have the same height.
  TEST_CASE("dilute contact: heights whose sample misleads lead to the same pressures") {
    const Grid grid{305, 215, 0.5, 0.4, -3.0, 7.0};
    const NormalLoad load{NormalControl::force, 0.2};
    for (const bool far : {true, false}) {
      CAPTURE(far);
      DilutePair pair = rough_pair(grid, 5, 32.0);
      for (int iy = 0; iy < grid.my; ++iy) {
        for (int ix = 0; ix < grid.mx; ++ix) {
          double& height = pair.heights[grid.index(ix, iy)];
          if (!far) height = std::round(100.0 * height) / 100.0;
          if (ix % 61 == 0) height += far ? 1.0 : -0.02;
        }
      }
      const Solved few = pair.by_few(load);
      REQUIRE(few.result.converged);
      CHECK(few.products < 20.0);
      CHECK(relative_difference(few.pressure, pair.by_all(load).pressure) < 1e-6);
      check_conditions(pair, few, load, 0.05);
    }
  }

  TEST_CASE("dilute contact: gaps that are no numbers end the search, without a solution") {
    DilutePair pair = rough(Boundary::free, 6);
    const NormalLoad load{NormalControl::force, 0.2};
    std::vector<double> start = pair.by_few(load).pressure;
    *std::ranges::max_element(start) = HUGE_VAL;
    CpuBackend::Array<double> distance(pair.grid.count()), pressure(pair.grid.count()),
        u(pair.grid.count());
    pair.backend.upload(pair.heights, distance);
    pair.backend.upload(start, pressure);
    DiluteNormal<CpuBackend> dilute(pair.backend, pair.grid, pair.material, pair.influence,
                                    pair.heights);
    REQUIRE(dilute.possible());
    int done = 0;
    CHECK(!dilute.solve(
        distance, load, NormalMethod::bound_cg, 1e-8, pressure, u, [](int, double) {}, done));
  }

  TEST_CASE("dilute contact: peaks on a sphere that the first guess misses are found") {
    DilutePair pair = rough(Boundary::free, 3);
    for (int iy = 0; iy < pair.grid.my; ++iy) {
      for (int ix = 0; ix < pair.grid.mx; ++ix) {
        const double x = pair.grid.x(ix) - 40.0;
        const double y = pair.grid.y(iy) - 60.0;
        pair.heights[pair.grid.index(ix, iy)] += 1e-4 * (x * x + y * y);
      }
    }
    const NormalLoad load{NormalControl::force, 0.5};
    const Solved few = pair.by_few(load);
    const Solved all = pair.by_all(load);
    REQUIRE(few.result.converged);
    CHECK(relative_difference(few.pressure, all.pressure) < 1e-6);
    check_conditions(pair, few, load, 0.05);
  }

  TEST_CASE(
      "dilute contact: elements that cannot touch stay free, and nothing touches where nothing "
      "can") {
    DilutePair pair = rough(Boundary::free, 4);
    for (std::size_t i = 0; i < pair.heights.size(); i += 3) pair.heights[i] = HUGE_VAL;
    const NormalLoad load{NormalControl::force, 0.2};
    const Solved few = pair.by_few(load);
    REQUIRE(few.result.converged);
    for (std::size_t i = 0; i < pair.heights.size(); i += 3) REQUIRE(few.pressure[i] == 0.0);
    CHECK(relative_difference(few.pressure, pair.by_all(load).pressure) < 1e-6);
    const double least = *std::ranges::min_element(pair.heights);
    const Solved none = pair.by_few({NormalControl::approach, least - 1.0});
    CHECK(none.result.converged);
    CHECK(*std::ranges::max_element(none.pressure) == 0.0);
  }
}
