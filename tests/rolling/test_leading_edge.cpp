// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "solver/step/second_order.h"
#include "solver/tangential/second_order/edge_ops.h"
#include "tests/support/leading_edge.h"
#include "tests/support/near.h"
#include "tests/support/oracle_contact.h"

namespace slipfield {
namespace {

using test::difference;
using test::edge_row;
using test::EdgeRow;
using test::exact_rate;
using test::integral_of_root;
using test::integral_of_root_logarithm;
using test::kPi;
using test::Staircase;
using test::step_difference;

constexpr int kRow = 4000;

}  // namespace

TEST_SUITE("analytic") {
  TEST_CASE("second order: the edge of a line contact is where Hertz has it, within the element") {
    constexpr double kHertzian = kPi / 0.72 / 400.0;  // force per length, of a = 1
    constexpr double kLength = 1.0e4;
    for (const int n : {64, 250}) {
      for (int k = 0; k < 20; ++k) {
        const double end = 1.06 + 0.11 * k / n;
        ContactProblem problem = test::normal_problem(
            {n, 1, 2.0 * end / n, kLength, -end, -0.5 * kLength}, {1.0, 0.28},
            CylinderShape{100.0, CylinderAxis::y}, NormalControl::force, kHertzian * kLength, 1e-8);
        const test::Solved solved = test::solve(problem);
        REQUIRE(solved.report.outcome == Outcome::converged);
        std::vector<unsigned char> state;
        for (const ElementState of : solved.fields.element_division)
          state.push_back(static_cast<unsigned char>(of));
        std::vector<double> distance(state.size());
        std::vector<double> along = distance, across = distance, factor = distance;
        const FindEdge find{{n, 1, false, 1}, kLength / problem.grid.dx,
                            state.data(),     solved.fields.pressure.data(),
                            distance.data(),  along.data(),
                            across.data(),    factor.data()};
        int edges = 0;
        for (std::size_t i = 0; i < distance.size(); ++i) {
          find.element(i, nullptr);
          if (distance[i] == kNotLeading) continue;
          ++edges;
          const double centre = -end + (static_cast<double>(i) + 0.5) * problem.grid.dx;
          CAPTURE(n);
          CAPTURE(end);
          CHECK(std::abs(distance[i] - (1.0 - centre) / problem.grid.dx) < 2.0e-3);
        }
        CHECK(edges == 1);
      }
    }
  }
}

TEST_SUITE("unit") {
  TEST_CASE("second order: the terms at a leading edge are the sums that define them") {
    for (const double f : {-0.25, -0.1, 0.0, 0.1, 0.35, 0.5, 0.8, 1.0, 1.2}) {
      CAPTURE(f);
      const EdgeRow root = edge_row(f, kRow, integral_of_root);
      const EdgeRow logarithm = edge_row(f, kRow, integral_of_root_logarithm);
      const double length = f + kRow - 0.5;
      const double end = std::sqrt(length);
      for (int j = 0; j < kEdgeElements; ++j) {
        CAPTURE(j);
        const double d = f + j;
        const double error = difference(root, d) - exact_rate(d, length);
        // The fits are to 4e-4, and to 1.5e-2 for f < 0.
        CHECK(edge_error(j, f) == test::within(error, f < 0.0 ? 0.0155 : 5e-4));
        if (f < 0.0) continue;
        CHECK(pressure_error(j, f) == test::within(step_difference(root, j) - std::sqrt(d), 1e-12));
        // PV int_0^L sqrt(s) ln(s)/(s - d) ds = pi^2 sqrt(d) + what the far end leaves.
        double far = 2.0 * end * std::log(length) - 4.0 * end;
        for (int n = 1; n <= 3; ++n)
          far -= std::pow(d, n) * std::pow(length, 0.5 - n) *
                 (std::log(length) / (n - 0.5) + 1.0 / ((n - 0.5) * (n - 0.5)));
        const double answer = difference(logarithm, d) - far - kPi * kPi * std::sqrt(d);
        CHECK(adhering_pressure_error(j, f) ==
              test::within(pressure_error(j, f) - answer / (kPi * kPi), 1e-3));
      }
      CHECK(edge_mean(-1, f) == test::near(root.ahead));
      CHECK(edge_mean(0, f) == test::near(root.mean[0]));
      CHECK(edge_mean(2, f) == test::near(root.mean[2]));
      CHECK(edge_logarithm(-1, f) == test::near(logarithm.ahead));
      CHECK(edge_logarithm(0, f) == test::near(logarithm.mean[0]));
      CHECK(edge_logarithm(1, f) == test::near(logarithm.mean[1]));
      CHECK(edge_logarithm(2, f) == test::near(logarithm.mean[2]));
    }
  }

  TEST_CASE("second order: what is found at the edge of tractions that begin as sqrt(d)") {
    for (const double f : {-0.15, 0.0, 0.3, 0.7}) {
      for (const double shift : {0.0, 0.15, -0.4}) {
        for (const double part : {0.4, 1.1}) {
          CAPTURE(f);
          CAPTURE(shift);
          CAPTURE(part);
          Staircase stairs(f, shift, part);
          stairs.find(3.5);
          for (int row = 0; row < Staircase::kRows; ++row) {
            CAPTURE(row);
            const double edge = 22.0 + f + shift * row;
            const int leading = static_cast<int>(std::floor(edge + 0.2));
            const double away = edge - leading;
            const std::size_t first = stairs.line.index(leading, row);
            const std::size_t ahead = stairs.line.index(leading + 1, row);
            // What makes up for the pressures that a solver finds is left over with exact ones:
            // `found` is the edge without it.
            const double put = stairs.distance[first];
            double found = put;
            for (int k = 0; k < 5; ++k)
              found = put + FindEdge::found_ahead(found, stairs.along[first], stairs.across[first]);
            CHECK(std::abs(found - away) < 0.035);
            const double factor =
                (edge_mean(1, away) + edge_mean(2, away)) / (edge_mean(1, put) + edge_mean(2, put));
            CHECK(stairs.distance[ahead] == kNotLeading);
            CHECK(stairs.distance[first - 1] == kNotLeading);
            CHECK(stairs.factor_x[first] == test::near(3.0 * factor, 0.02));
            CHECK(stairs.factor_y[first] == test::near(-4.0 * factor, 0.02));
            CHECK(stairs.factor_x[first - 1] == 0.0);
            const double lacks =
                part < 1.0 ? factor * edge_mean(0, put) - part * edge_mean(0, away) : 0.0;
            CHECK(std::abs(stairs.missing_x[first] - 3.0 * lacks) < 0.075);
            CHECK(std::abs(stairs.missing_y[first] + 4.0 * lacks) < 0.1);
            if (part > 1.0) CHECK(stairs.missing_x[first] == 0.0);
            CHECK(std::abs(stairs.missing_x[ahead] - 3.0 * edge_mean(-1, away)) < 0.05);
            CHECK(stairs.missing_x[first - 1] == 0.0);
            CHECK(stairs.pressure_factor[first] == test::near(1.0, 0.01));
            CHECK(std::abs(stairs.missing_n[ahead] - edge_mean(-1, away)) < 0.02);
            CHECK(std::abs(stairs.missing_n[first]) < 0.05);
            CHECK(std::abs(stairs.missing_n[first - 1]) < 0.05);
            CHECK(stairs.missing_n[first - 2] == 0.0);
          }
        }
      }
    }
  }

  TEST_CASE("second order: the factor of tractions is averaged over neighbouring rows") {
    Staircase stairs(0.3, 0.0, 1.1);
    Staircase plain(0.3, 0.0, 1.1);
    constexpr int kRow = 4;
    for (int place = 0; place < Staircase::kLength; ++place)
      stairs.x[stairs.line.index(place, kRow)] *= 2.0;
    const auto times_plain = [&](int row) {
      const std::size_t i = stairs.line.index(22, row);
      return stairs.factor_x[i] / plain.factor_x[i];
    };
    stairs.find(1.0);
    plain.find(1.0);
    CHECK(times_plain(kRow) == test::near(2.0));
    CHECK(times_plain(kRow + 1) == test::near(1.0));
    stairs.find(2.0);  // weights 1/4, 1/2, 1/4
    plain.find(2.0);
    CHECK(times_plain(kRow) == test::near(1.5));
    CHECK(times_plain(kRow - 1) == test::near(1.25));
    CHECK(times_plain(kRow + 2) == test::near(1.0));
    CHECK(times_plain(0) == test::near(1.0));
  }

  TEST_CASE("second order: a contact that the grid cuts off has no edge there") {
    constexpr int kLast = Staircase::kLength - 1;
    Staircase stairs(kLast - 22.0 + 0.1, -0.2, 1.1);  // cut off in the first two rows
    stairs.find(3.5);
    for (int row = 0; row < Staircase::kRows - 1; ++row) {
      CAPTURE(row);
      const bool cut = row < 2;
      const std::size_t i = stairs.line.index(cut ? kLast : kLast - 1, row);
      if (cut) {
        CHECK(in_contact(stairs.state[i]));
        CHECK(stairs.distance[i] == kNotLeading);
      } else {
        CHECK(stairs.distance[i] != kNotLeading);
      }
      CHECK(stairs.factor_y[i] == test::near(cut ? 0.0 : -4.0, 0.02));
      CHECK(stairs.missing_y[i] == 0.0);
    }
  }

  TEST_CASE("second order: what the pressures of the first two elements are off by is missing") {
    Staircase stairs(0.2, 0.0, 1.1);
    const std::size_t first = stairs.line.index(22, 3);
    const double p0 = stairs.pressure[first];
    const double p1 = stairs.pressure[first - 1];
    stairs.pressure[first] = 0.6 * p0;
    stairs.pressure[first - 1] = 1.05 * p1;
    stairs.find(1.0);
    CHECK(stairs.missing_n[first] == test::near(0.4 * p0, 0.1));
    CHECK(stairs.missing_n[first - 1] == test::near(-0.05 * p1, 0.3));
    CHECK(stairs.missing_n[first - 2] == 0.0);
  }

  TEST_CASE("second order: the edge of short runs") {
    for (int length = 1; length <= 10; ++length) {
      for (const double f : {-0.1, 0.3, 0.6}) {
        CAPTURE(length);
        CAPTURE(f);
        Staircase stairs(f, 0.0, 1.1);
        for (int row = 0; row < Staircase::kRows; ++row)
          for (int place = 0; place <= 22 - length; ++place) {
            stairs.state[stairs.line.index(place, row)] = 0;
            stairs.pressure[stairs.line.index(place, row)] = 0.0;
          }
        stairs.find(3.5);
        const std::size_t first = stairs.line.index(22, 3);
        CHECK(std::abs(stairs.distance[first] - (length < 4 ? 0.5 : f)) < 0.13);
        if (length >= 4) {
          CHECK(stairs.factor_x[first] == test::near(3.0, 0.06));
          CHECK(stairs.pressure_factor[first] == test::near(1.0, 0.06));
        } else {
          CHECK(stairs.factor_x[first] > 0.5);
          CHECK(stairs.factor_x[first] < 6.0);
        }
      }
    }
  }

  TEST_CASE("second order: tractions that answer pressure are separated from those that do not") {
    constexpr double kAnswer = -0.25;
    Staircase stairs(0.2, 0.0, 1.1);
    for (int row = 0; row < Staircase::kRows; ++row)
      for (int j = 0; j < 22; ++j)
        stairs.x[stairs.line.index(22 - j, row)] += kAnswer * edge_logarithm(j, 0.2);
    stairs.find(1.0, kAnswer);
    const std::size_t first = stairs.line.index(22, 3);
    CHECK(stairs.answer[first] == test::near(kAnswer, 0.01));
    CHECK(stairs.answer[first - 1] == 0.0);
    CHECK(stairs.factor_x[first] == test::near(3.0, 0.02));
    CHECK(stairs.factor_y[first] == test::near(-4.0, 0.02));
  }

  TEST_CASE("second order: an edge passes from adhesion to slip without a jump") {
    const auto adhesion = [](double held) {  // of the bound, by the second and third element
      Staircase stairs(0.2, 0.0, 1.0);
      for (std::size_t i = 0; i < stairs.bound.size(); ++i)
        stairs.bound[i] = std::hypot(stairs.x[i], stairs.y[i]) / held;
      stairs.find(1.0, -0.25);
      return stairs.answer[stairs.line.index(22, 3)] /
             (-0.25 * stairs.pressure_factor[stairs.line.index(22, 3)]);
    };
    CHECK(adhesion(0.3) == test::near(1.0));
    CHECK(adhesion(0.79) == test::near(1.0));
    CHECK(adhesion(0.9) == test::near(0.5));
    CHECK(adhesion(1.0) == test::within(0.0, 1e-12));
  }

  TEST_CASE("second order: corrections that do not settle are reported, with how far they are") {
    const std::string text = unsettled_text(0.0312, 0.007);
    CHECK(text.find("still changed the tractions by 3.12 %, where 0.7 % is wanted") !=
          std::string::npos);
  }
}

}  // namespace slipfield
