// SPDX-License-Identifier: Apache-2.0
// Stresses and displacements under one loaded rectangle, and their sums over a contact.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/cpu/cpu_influence.h"
#include "solver/interior/cpu_interior_planes.h"
#include "solver/interior/fatigue_stress.h"
#include "solver/interior/interior_points.h"
#include "solver/interior/interior_response.h"
#include "tests/support/oracle_interior.h"
#include "tests/support/oracle_random.h"

namespace slipfield {
namespace {

struct Place {
  double x;
  double y;
  double z;
};
constexpr std::array<Place, 7> kPlaces{{{0.3, 0.2, 0.4},
                                        {-1.1, 0.9, 0.3},
                                        {0.2, -2.0, 1.1},
                                        {3.0, 1.0, 0.2},
                                        {-0.35, 0.65, 0.5},  // under a corner
                                        {0.0, 0.0, 2.0},
                                        {0.35, 0.1, 0.25}}};  // under an edge
constexpr double kDx = 0.7;
constexpr double kDy = 1.3;

// A field of random tractions, also negative ones, on every element.
ContactSolution random_tractions(const Grid& grid, std::uint64_t seed) {
  test::Random random(seed);
  ContactSolution solution;
  for (auto* field : {&solution.pressure, &solution.traction_x, &solution.traction_y})
    *field = random.field(grid.count());
  solution.element_division.assign(grid.count(), ElementState::slip);
  return solution;
}

constexpr Grid kGrid{13, 17, 0.3, 0.2, -2.0, 1.0};
constexpr InteriorWindow kWhole{0, 0, 13, 17};

double component(const InteriorValues& values, InteriorComponent which) {
  return values[static_cast<std::size_t>(which)];
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("interior: one element of CONTACT's example subsurf, to every digit printed") {
    struct Row {
      double z, ux, uz, xx, yy, zz_of_pressure, xz;
    };
    // Normal and tangential load: p_n = 1, p_x = .999. sigma_zz is printed of the pressure alone.
    constexpr std::array<Row, 5> kRows{
        {{0.0, .482073, .403982, -.779815, -.779977, -1.000000, -.998999},
         {0.2, .307159, .351264, -.366593, -.366719, -.960398, -.511760},
         {0.5, .175332, .265146, -.076184, -.076223, -.700886, -.149363},
         {1.0, .094955, .170498, .0039769, .0039711, -.336108, -.024183},
         {2.5, .038692, .075855, .0044578, .0044575, -.071614, -.00092701}}};
    constexpr double kDigits = 6.0e-7;  // half of the sixth decimal, and p_x = .998999 to .999
    for (const Row& row : kRows) {
      CAPTURE(row.z);
      const InteriorResponse r =
          interior_response(1.0e-5 - 1.0e-4, 1.0e-5 - 2.0e-4, row.z, 1.0, 1.0, 0.28);
      const auto both = [&](InteriorComponent c) {
        return r.of[2][static_cast<int>(c)] + 0.999 * r.of[0][static_cast<int>(c)];
      };
      CHECK(std::abs(both(InteriorComponent::x) - row.ux) < kDigits);
      CHECK(std::abs(both(InteriorComponent::z) - row.uz) < kDigits);
      CHECK(std::abs(both(InteriorComponent::xx) - row.xx) < kDigits);
      CHECK(std::abs(both(InteriorComponent::yy) - row.yy) < kDigits);
      CHECK(std::abs(both(InteriorComponent::xz) - row.xz) < 1.1e-6);
    }
    // The pressure alone: the printed numbers are of a place 1e-4 away and another end of the
    // digits.
    const InteriorResponse r =
        interior_response(1.0e-5 - 1.0e-4, 1.0e-5 - 2.0e-4, 0.2, 1.0, 1.0, 0.28);
    StressState stress{};
    std::copy_n(r.of[2], stress.size(), stress.begin());
    CHECK(std::abs(von_mises_stress(stress) - .593668) < kDigits);
    CHECK(std::abs(hydrostatic_stress(stress) + .564619) < kDigits);
  }

  TEST_CASE("interior: under an element the surface carries the load, outside nothing") {
    for (const double nu : {0.0, 0.28, 0.5}) {
      const InteriorResponse inside = interior_response(0.1, -0.4, 0.0, kDx, kDy, nu);
      const InteriorResponse outside = interior_response(0.5, -0.4, 0.0, kDx, kDy, nu);
      constexpr std::array<int, kLoads> kCarries = {static_cast<int>(InteriorComponent::xz),
                                                    static_cast<int>(InteriorComponent::yz),
                                                    static_cast<int>(InteriorComponent::zz)};
      for (int load = 0; load < kLoads; ++load) {
        for (int other = 0; other < kLoads; ++other) {
          const double value = inside.of[load][kCarries[static_cast<std::size_t>(other)]];
          CHECK(std::abs(value + (load == other ? 1.0 : 0.0)) < 1e-15);  // an arc of four corners
          CHECK(std::abs(outside.of[load][kCarries[static_cast<std::size_t>(other)]]) < 1e-15);
        }
      }
    }
  }

  TEST_CASE("interior: on a border at the surface the mean of both sides, and never infinite") {
    const InteriorResponse edge = interior_response(0.5 * kDx, 0.1, 0.0, kDx, kDy, 0.3);
    CHECK(std::abs(edge.of[2][static_cast<int>(InteriorComponent::zz)] + 0.5) < 1e-14);
    const InteriorResponse corner = interior_response(0.5 * kDx, 0.5 * kDy, 0.0, kDx, kDy, 0.3);
    CHECK(std::abs(corner.of[2][static_cast<int>(InteriorComponent::zz)] + 0.25) < 1e-14);
    for (const InteriorResponse& response : {edge, corner})
      for (const auto& of : response.of)
        for (const double value : of) CHECK(std::isfinite(value));
  }
}

TEST_SUITE("oracle") {
  TEST_CASE("interior: closed forms are the integrals of Boussinesq's and Cerruti's point loads") {
    for (const double nu : {0.0, 0.3, 0.5}) {
      for (const Place& place : kPlaces) {
        CAPTURE(place.x);
        CAPTURE(place.z);
        const InteriorResponse exact =
            test::integrated_response(place.x, place.y, place.z, kDx, kDy, nu);
        const InteriorResponse value = interior_response(place.x, place.y, place.z, kDx, kDy, nu);
        for (int load = 0; load < kLoads; ++load)
          for (int c = 0; c < kInteriorComponents; ++c)
            // 1e-11: of the quadrature, 60 x 60 points on a smooth integrand.
            CHECK(std::abs(value.of[load][c] - exact.of[load][c]) < 1.0e-11);
      }
    }
  }

  TEST_CASE("interior: a thousand elements away the closed form is the point load") {
    const InteriorResponse far = interior_response(700.0, -500.0, 300.0, 1.0, 1.0, 0.3);
    const InteriorResponse point = test::point_response(700.0, -500.0, 300.0, 0.3);
    for (int load = 0; load < kLoads; ++load) {
      for (int c = 0; c < kInteriorComponents; ++c) {
        // Stresses fall as 1/R^2, displacements as 1/R. Corner sums lose R/dx, of displacements its
        // square, times the rounding, as those of the surface do before they are taken apart.
        const double scale = c < kStressComponents ? 1.0e-6 : 1.0e-3;
        CHECK(std::abs(far.of[load][c] - point.of[load][c]) < 1.0e-6 * scale);
      }
    }
  }

  TEST_CASE("interior: planes by FFT are direct sums, in both bodies") {
    const ContactSolution solution = random_tractions(kGrid, 3);
    const ElasticBody material{3.0, 0.31};
    for (const Body body : {Body::upper, Body::lower}) {
      CpuInteriorPlanes planes(
          {kGrid, material, body, InteriorNeed::stress_and_displacement, kWhole}, solution);
      for (const double depth : {0.0, 0.1, 2.0}) {
        planes.compute(depth);
        std::vector<InteriorPoint> points;
        for (int iy = 0; iy < kGrid.my; ++iy)
          for (int ix = 0; ix < kGrid.mx; ++ix) points.push_back({kGrid.x(ix), kGrid.y(iy), depth});
        const auto direct = interior_at(points, kGrid, material, body, solution);
        double worst = 0.0;
        for (std::size_t i = 0; i < points.size(); ++i)
          for (int c = 0; c < kInteriorComponents; ++c)
            worst = std::max(
                worst, std::abs(planes.component(c)[i] - direct[i][static_cast<std::size_t>(c)]));
        CHECK(worst < 1.0e-13);  // values to 2, rounding of transforms of 1,000 elements
      }
    }
  }

  TEST_CASE("interior: at the surface the bodies' displacements differ as the contact says") {
    const ContactSolution solution = random_tractions(kGrid, 7);
    const ElasticBody upper{0.7, 0.31};
    const ElasticBody lower{2.3, 0.12};
    CpuInfluence influence(CpuBackend(), kGrid, combine(upper, lower), InfluenceMethod::fft);
    std::array<std::vector<double>, 3> difference;
    for (auto& field : difference) field.resize(kGrid.count());
    influence.apply(
        Block::full,
        {solution.traction_x.data(), solution.traction_y.data(), solution.pressure.data()},
        {difference[0].data(), difference[1].data(), difference[2].data()});
    CpuInteriorPlanes one(
        {kGrid, upper, Body::upper, InteriorNeed::stress_and_displacement, kWhole}, solution);
    CpuInteriorPlanes two(
        {kGrid, lower, Body::lower, InteriorNeed::stress_and_displacement, kWhole}, solution);
    one.compute(0.0);
    two.compute(0.0);
    for (int axis = 0; axis < 3; ++axis) {
      const int c = static_cast<int>(InteriorComponent::x) + axis;
      for (std::size_t i = 0; i < kGrid.count(); ++i)
        CHECK(std::abs(one.component(c)[i] - two.component(c)[i] -
                       difference[static_cast<std::size_t>(axis)][i]) < 1.0e-12);
    }
  }

  TEST_CASE("interior: surface stresses are pressure and traction, in both bodies") {
    const ContactSolution solution = random_tractions(kGrid, 11);
    for (const Body body : {Body::upper, Body::lower}) {
      CpuInteriorPlanes planes({kGrid, {1.0, 0.3}, body, InteriorNeed::stress, kWhole}, solution);
      planes.compute(0.0);
      const auto plane = [&](InteriorComponent c) { return planes.component(static_cast<int>(c)); };
      for (std::size_t i = 0; i < kGrid.count(); ++i) {
        // Tractions to 1, rounding of the transforms.
        CHECK(std::abs(plane(InteriorComponent::zz)[i] + solution.pressure[i]) < 1.0e-13);
        CHECK(std::abs(plane(InteriorComponent::xz)[i] + solution.traction_x[i]) < 1.0e-13);
        CHECK(std::abs(plane(InteriorComponent::yz)[i] + solution.traction_y[i]) < 1.0e-13);
      }
    }
  }

  TEST_CASE("interior: stresses are in equilibrium and follow from the displacements") {
    const ContactSolution solution = random_tractions(kGrid, 5);
    const ElasticBody material{2.0, 0.3};
    const double lambda = 2.0 * material.shear_modulus * material.poisson_ratio /
                          (1.0 - 2.0 * material.poisson_ratio);
    constexpr double kStep = 1.0e-4;
    for (const Body body : {Body::upper, Body::lower}) {
      const double up = body == Body::upper ? 1.0 : -1.0;  // the sign of z along the depth
      for (const Place& place : {Place{-1.0, 2.0, 0.3}, Place{0.4, 3.3, 0.15}}) {
        std::vector<InteriorPoint> points;
        for (int axis = 0; axis < 3; ++axis) {
          for (const double side : {-1.0, 1.0}) {
            const double h = side * kStep;
            points.push_back({place.x + (axis == 0 ? h : 0.0), place.y + (axis == 1 ? h : 0.0),
                              place.z + (axis == 2 ? up * h : 0.0)});
          }
        }
        points.push_back({place.x, place.y, place.z});
        const auto at = interior_at(points, kGrid, material, body, solution);
        const auto slope = [&](InteriorComponent c, std::size_t axis) {
          return (component(at[2 * axis + 1], c) - component(at[2 * axis], c)) / (2.0 * kStep);
        };
        using enum InteriorComponent;
        // Error of central differences: (1e-4)^2 times third derivatives, which are about
        // 1/depth^3.
        constexpr double kDifference = 2.0e-5;
        CHECK(std::abs(slope(xx, 0) + slope(xy, 1) + slope(xz, 2)) < kDifference);
        CHECK(std::abs(slope(xy, 0) + slope(yy, 1) + slope(yz, 2)) < kDifference);
        CHECK(std::abs(slope(xz, 0) + slope(yz, 1) + slope(zz, 2)) < kDifference);
        const double volume = slope(x, 0) + slope(y, 1) + slope(z, 2);
        const double g = material.shear_modulus;
        CHECK(std::abs(lambda * volume + 2.0 * g * slope(x, 0) - component(at[6], xx)) <
              kDifference);
        CHECK(std::abs(lambda * volume + 2.0 * g * slope(z, 2) - component(at[6], zz)) <
              kDifference);
        CHECK(std::abs(g * (slope(x, 1) + slope(y, 0)) - component(at[6], xy)) < kDifference);
        CHECK(std::abs(g * (slope(x, 2) + slope(z, 0)) - component(at[6], xz)) < kDifference);
        CHECK(std::abs(g * (slope(y, 2) + slope(z, 1)) - component(at[6], yz)) < kDifference);
      }
    }
  }
}

}  // namespace slipfield
