// SPDX-License-Identifier: Apache-2.0
// The slip that second-order rolling corrects: at straight edges against closed forms, and on some
// rows of a grid against the same rows of the whole grid.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/tangential/second_order/edge_ops.h"
#include "tests/support/leading_edge.h"
#include "tests/support/oracle_random.h"

namespace slipfield {
namespace {

using test::displacement;
using test::edge_row;
using test::EdgeRow;
using test::exact_rate;
using test::integral_of_root;
using test::Staircase;

constexpr int kElements = 4000;  // of the run, far more than have a correction
constexpr double kPerTraction = 0.7;
constexpr double kPerPressure = 0.9;
constexpr double kPoisson = 0.3;

// The slip of one row, whose tractions begin as (3, -4) sqrt(d) and whose pressure as sqrt(d):
// rolling across the edge, x sees plane strain, y antiplane shear.
class StraightEdge {
 public:
  // part: of its tractions, what the leading element holds.
  StraightEdge(double f, double part, bool transient)
      : f_(f), transient_(transient), stairs_(f, 0.0, part) {
    stairs_.find_edge();
    for (int row = 0; row < Staircase::kRows; ++row) stairs_.distance[at(0, row)] = f;
    stairs_.find_tractions(1.0, 0.0);
    held_ = edge_row(f, kElements, integral_of_root);
    held_.ahead = 0.0;
    held_.mean[0] *= std::fmin(part, 1.0);
    fill();
    stairs_.run(CorrectSlip{.line = stairs_.line,
                            .per_traction = kPerTraction,
                            .per_pressure = kPerPressure,
                            .poisson_ratio = kPoisson,
                            .state = stairs_.state.data(),
                            .slip_x = slip_x_.data(),
                            .slip_y = slip_y_.data(),
                            .ahead_x = slip_x_.data(),
                            .ahead_y = slip_y_.data(),
                            .moved_x = moved_x_.data(),
                            .moved_y = moved_y_.data(),
                            .transient = transient,
                            .distance = stairs_.distance.data(),
                            .along = stairs_.along.data(),
                            .across = stairs_.across.data(),
                            .factor_x = stairs_.factor_x.data(),
                            .factor_y = stairs_.factor_y.data(),
                            .pressure_factor = stairs_.pressure_factor.data(),
                            .answer = stairs_.answer.data(),
                            .answer_of_pressure = -0.25,
                            .correction_x = correction_x_.data(),
                            .correction_y = correction_y_.data()});
  }
  // The error of the corrected slip of element j of the row.
  [[nodiscard]] double error_x(int j) const {
    const double d = f_ + j;
    const double exact = 3.0 * kPerTraction * (1.0 - kPoisson) * exact_rate(d, length()) +
                         kPerPressure * std::sqrt(std::fmax(d, 0.0));
    return slip_x_[at(j)] + correction_x_[at(j)] - exact;
  }
  [[nodiscard]] double error_y(int j) const {
    return slip_y_[at(j)] + correction_y_[at(j)] +
           4.0 * kPerTraction * exact_rate(f_ + j, length());
  }
  // The same of S p alone, which is of half an element ahead.
  [[nodiscard]] double error_of_first_order(int j) const {
    return slip_y_[at(j)] + 4.0 * kPerTraction * exact_rate(f_ + j, length());
  }
  [[nodiscard]] double correction_ahead() const { return correction_y_[at(-1)]; }

 private:
  static constexpr int kMiddle = 3;
  [[nodiscard]] double length() const { return f_ + kElements - 0.5; }
  [[nodiscard]] std::size_t at(int j, int row = kMiddle) const {
    return stairs_.line.index(22 - j, row);
  }
  // The displacement at an element by the pressures of its row, up to a constant.
  template <class Pressure>
  static double by_pressure(int j, const Pressure& pressure) {
    double sum = 0.5 * pressure(j);
    for (int i = -1; i < j; ++i) sum += pressure(i);
    return sum;
  }
  void fill() {
    const auto pressure = [this](int j) { return j < 0 ? 0.0 : stairs_.pressure[at(j)]; };
    const auto missing = [this](int j) { return j > 1 ? 0.0 : stairs_.missing_n[at(j)]; };
    const EdgeRow missing_x{f_, stairs_.missing_x[at(-1)], {stairs_.missing_x[at(0)]}};
    const EdgeRow missing_y{f_, stairs_.missing_y[at(-1)], {stairs_.missing_y[at(0)]}};
    const double across = kPerTraction * (1.0 - kPoisson);
    for (int j = -3; j <= 12; ++j) {
      const double d = f_ + j;
      const auto less_ahead = [&](const EdgeRow& row) {
        return displacement(row, d) - (transient_ ? 0.0 : displacement(row, d - 1.0));
      };
      const double rate = displacement(held_, d) - displacement(held_, d - 1.0);
      slip_x_[at(j)] = 3.0 * across * rate +
                       kPerPressure * (by_pressure(j, pressure) - by_pressure(j - 1, pressure));
      slip_y_[at(j)] = -4.0 * kPerTraction * rate;
      moved_x_[at(j)] = across * less_ahead(missing_x) +
                        kPerPressure * (by_pressure(j, missing) -
                                        (transient_ ? 0.0 : by_pressure(j - 1, missing)));
      moved_y_[at(j)] = kPerTraction * less_ahead(missing_y);
    }
  }

  double f_;
  bool transient_;
  Staircase stairs_;
  EdgeRow held_;
  std::vector<double> slip_x_ = std::vector<double>(stairs_.state.size(), 0.0);
  std::vector<double> slip_y_ = slip_x_, moved_x_ = slip_x_, moved_y_ = slip_x_;
  std::vector<double> correction_x_ = slip_x_, correction_y_ = slip_x_;
};

// A ragged contact with holes, of random pressures, tractions and slips.
struct RaggedContact {
  static constexpr int kWidth = 46;
  static constexpr int kHeight = 90;
  std::vector<unsigned char> state;
  std::vector<double> pressure, x, y, bound, slip_x, slip_y, moved_x, moved_y;

  explicit RaggedContact(std::uint64_t seed) {
    test::Random random(seed);
    for (auto* field : fields()) *field = random.field(kWidth * kHeight, 0.1, 1.0);
    const std::vector<double> end_x = random.field(kHeight, 0.75, 1.0);
    const std::vector<double> end_y = random.field(kWidth, 0.75, 1.0);
    for (int iy = 0; iy < kHeight; ++iy)
      for (int ix = 0; ix < kWidth; ++ix) {
        const bool touches =
            std::abs(2.0 * ix / kWidth - 1.0) < end_x[static_cast<std::size_t>(iy)] &&
            std::abs(2.0 * iy / kHeight - 1.0) < end_y[static_cast<std::size_t>(ix)] &&
            random.uniform(0.0, 1.0) < 0.98;
        state.push_back(
            static_cast<unsigned char>(touches ? ElementState::adhesion : ElementState::exterior));
      }
  }
  std::vector<std::vector<double>*> fields() {
    return {&pressure, &x, &y, &bound, &slip_x, &slip_y, &moved_x, &moved_y};
  }
  // `count` rows of the contact.
  [[nodiscard]] RaggedContact rows(int first, int count) const {
    RaggedContact some = *this;
    const auto cut = [&](auto& field) {
      field.erase(field.begin() + (first + count) * kWidth, field.end());
      field.erase(field.begin(), field.begin() + first * kWidth);
    };
    cut(some.state);
    for (auto* field : some.fields()) cut(*field);
    return some;
  }
};

struct Corrected {
  std::vector<double> missing_x, missing_y, missing_n, x, y;
};

// As SecondOrder::correct forms them.
Corrected corrected(const RaggedContact& contact, bool along_y, int ahead) {
  constexpr int kWidth = RaggedContact::kWidth;
  constexpr double kOfPressure = -0.2;
  const std::size_t count = contact.state.size();
  const RollingLine line{kWidth, static_cast<int>(count) / kWidth, along_y, ahead};
  const unsigned char* const state = contact.state.data();
  const double* const x = contact.x.data();
  const double* const y = contact.y.data();
  std::vector<double> distance(count), along(count), across(count), factor(count), answer(count);
  std::vector<double> factor_x(count), factor_y(count);
  Corrected out{factor, factor, factor, factor, factor};
  const auto run = [count](const auto& op) {
    for (std::size_t i = 0; i < count; ++i) op.element(i, nullptr);
  };
  run(FindEdge{line, 1.0, state, contact.pressure.data(), distance.data(), along.data(),
               across.data(), factor.data()});
  run(FindAnswer{line, kOfPressure, state, x, y, contact.bound.data(), distance.data(),
                 factor.data(), answer.data()});
  constexpr double kReach = 100.0;  // as far as it may
  run(FindFactor{line, kReach, state, x, y, distance.data(), along.data(), across.data(),
                 answer.data(), factor_x.data(), factor_y.data()});
  run(FindMissing{line, state, contact.pressure.data(), contact.bound.data(), distance.data(),
                  along.data(), across.data(), factor.data(), answer.data(), factor_x.data(),
                  factor_y.data(), out.missing_x.data(), out.missing_y.data(),
                  out.missing_n.data()});
  run(CorrectSlip{.line = line,
                  .per_traction = kPerTraction,
                  .per_pressure = kPerPressure,
                  .poisson_ratio = kPoisson,
                  .state = state,
                  .slip_x = contact.slip_x.data(),
                  .slip_y = contact.slip_y.data(),
                  .ahead_x = contact.slip_y.data(),
                  .ahead_y = contact.slip_x.data(),
                  .moved_x = contact.moved_x.data(),
                  .moved_y = contact.moved_y.data(),
                  .transient = true,
                  .distance = distance.data(),
                  .along = along.data(),
                  .across = across.data(),
                  .factor_x = factor_x.data(),
                  .factor_y = factor_y.data(),
                  .pressure_factor = factor.data(),
                  .answer = answer.data(),
                  .answer_of_pressure = kOfPressure,
                  .correction_x = out.x.data(),
                  .correction_y = out.y.data()});
  return out;
}

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("second order: corrected slip at a straight edge is the exact one") {
    for (const double f : {-0.15, 0.0, 0.2, 0.45, 0.7}) {
      for (const double part : {0.4, 1.1}) {
        for (const bool transient : {false, true}) {
          CAPTURE(f);
          CAPTURE(part);
          CAPTURE(transient);
          const StraightEdge edge(f, part, transient);
          for (int j = 0; j <= 8; ++j) {
            CAPTURE(j);
            const double most = j < kEdgeElements ? 3e-3 : 0.03;
            CHECK(std::abs(edge.error_x(j)) < (f < 0.0 ? 0.08 : most));
            CHECK(std::abs(edge.error_y(j)) < (f < 0.0 ? 0.03 : most));
          }
          CHECK(std::abs(edge.error_of_first_order(0)) > 0.5);
          CHECK(edge.correction_ahead() == 0.0);
        }
      }
    }
  }

  TEST_CASE("second order: rows with their halo rows are corrected as on the whole grid") {
    constexpr int kOwn = 9;
    constexpr auto kWidth = std::ptrdiff_t{RaggedContact::kWidth};
    const RaggedContact all(20261126);
    for (const bool along_y : {false, true})
      for (const int ahead : {-1, 1}) {
        const Corrected whole = corrected(all, along_y, ahead);
        for (int first = kRowsOfEdge; first + kOwn + kRowsOfEdge <= RaggedContact::kHeight;
             ++first) {
          CAPTURE(along_y);
          CAPTURE(ahead);
          CAPTURE(first);
          const Corrected part =
              corrected(all.rows(first - kRowsOfEdge, kOwn + 2 * kRowsOfEdge), along_y, ahead);
          for (const auto field : {&Corrected::missing_x, &Corrected::missing_y,
                                   &Corrected::missing_n, &Corrected::x, &Corrected::y}) {
            const auto from = (whole.*field).begin() + first * kWidth;
            CHECK(std::equal(from, from + kOwn * kWidth,
                             (part.*field).begin() + kRowsOfEdge * kWidth));
            CHECK(std::any_of(from, from + kOwn * kWidth, [](double v) { return v != 0.0; }));
          }
        }
      }
  }
}

}  // namespace slipfield
