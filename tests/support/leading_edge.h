// SPDX-License-Identifier: Apache-2.0
// Tractions that begin at a leading edge as sqrt(d), on elements of length 1: what they displace,
// by sums and in closed form, and a contact with such edges.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "solver/tangential/second_order/edge_ops.h"

namespace slipfield::test {

// Elements of length 1 behind an edge at d = 0, the first centre at d = f, each with its mean of a
// traction; the edge may also cut the element ahead.
struct EdgeRow {
  double f = 0.0;
  double ahead = 0.0;
  std::vector<double> mean;
};

inline EdgeRow edge_row(double f, int elements, double (*integral)(double)) {
  EdgeRow row{f, integral(std::fmax(f - 0.5, 0.0)), {}};
  for (int j = 0; j < elements; ++j)
    row.mean.push_back(integral(f + j + 0.5) - integral(std::fmax(f + j - 0.5, 0.0)));
  return row;
}

inline double integral_of_root(double d) { return 2.0 / 3.0 * d * std::sqrt(d); }
inline double integral_of_root_logarithm(double d) {
  return d > 0.0 ? d * std::sqrt(d) * (2.0 / 3.0 * std::log(d) - 4.0 / 9.0) : 0.0;
}

// u(d) = -sum mean int ln|d - s| ds over the elements.
inline double displacement(const EdgeRow& row, double d) {
  const auto part = [](double t) { return t == 0.0 ? 0.0 : t * std::log(std::abs(t)) - t; };
  const double front = row.f - 0.5 - d;
  double u = -row.ahead * (part(front) - part(front - 1.0));
  for (std::size_t j = 0; j < row.mean.size(); ++j) {
    const double from = front + static_cast<double>(j);
    u -= row.mean[j] * (part(from + 1.0) - part(from));
  }
  return u;
}

// 3/2 u - 2 u one element ahead + 1/2 u two ahead.
inline double difference(const EdgeRow& row, double d) {
  return 1.5 * displacement(row, d) - 2.0 * displacement(row, d - 1.0) +
         0.5 * displacement(row, d - 2.0);
}

// The same of u(d) = (integral of the row's traction up to d) - half of all, at element j.
inline double step_difference(const EdgeRow& row, int j) {
  const auto held = [&](int i) {
    if (i < -1) return 0.0;
    return i < 0 ? row.ahead : row.mean.at(static_cast<std::size_t>(i));
  };
  const auto step = [&](int i) { return 0.5 * (held(i) + held(i - 1)); };  // u(i) - u(i - 1)
  return 1.5 * step(j) - 0.5 * step(j - 1);
}

// PV int_0^L sqrt(s)/(s - d) ds.
inline double exact_rate(double d, double length) {
  const double root = std::sqrt(std::fmax(d, 0.0));
  const double end = std::sqrt(length);
  // At d < 0 the constant, and the contribution of the far end.
  if (d <= 0.0) return 2.0 * end - 2.0 * d / end;
  return 2.0 * end + root * std::log(std::abs((end - root) / (end + root)));
}

// Rows of elements, rolling towards greater coordinates, the edge of row r at 22 + f + shift r:
// pressures sqrt(d), tractions (3, -4) sqrt(d), and a bound of `part` of those on the leading
// elements.
struct Staircase {
  static constexpr int kLength = 26;
  static constexpr int kRows = 8;
  RollingLine line{kLength, kRows, false, 1};
  std::vector<unsigned char> state = std::vector<unsigned char>(kLength * kRows, 0);
  std::vector<double> pressure = std::vector<double>(kLength * kRows, 0.0);
  std::vector<double> x = pressure, y = pressure, distance = pressure, bound = pressure;
  std::vector<double> along = pressure, across = pressure;
  std::vector<double> factor_x = pressure, factor_y = pressure;
  std::vector<double> missing_x = pressure, missing_y = pressure, missing_n = pressure;
  std::vector<double> pressure_factor = pressure, answer = pressure;

  Staircase(double f, double shift, double part) {
    for (int row = 0; row < kRows; ++row) {
      const double edge = 22.0 + f + shift * row;
      const int leading = static_cast<int>(std::floor(edge + 0.2));
      for (int place = 0; place <= leading; ++place) {
        const std::size_t i = line.index(place, row);
        const double mean = edge_mean(leading - place, edge - leading);
        state[i] = static_cast<unsigned char>(ElementState::adhesion);
        pressure[i] = mean;
        x[i] = 3.0 * mean;
        y[i] = -4.0 * mean;
        bound[i] = place == leading ? part * 5.0 * mean : 100.0;
      }
    }
  }
  template <class Op>
  void run(const Op& op) {
    for (std::size_t i = 0; i < state.size(); ++i) op.element(i, nullptr);
  }
  // of_pressure: l over k of a pressure k sqrt(d), tractions l sqrt(d) ln(d).
  void find(double reach, double of_pressure = 0.0) {
    find_edge();
    find_tractions(reach, of_pressure);
  }
  void find_edge() {
    run(FindEdge{line, 1.0, state.data(), pressure.data(), distance.data(), along.data(),
                 across.data(), pressure_factor.data()});
  }
  void find_tractions(double reach, double of_pressure) {
    run(FindAnswer{line, of_pressure, state.data(), x.data(), y.data(), bound.data(),
                   distance.data(), pressure_factor.data(), answer.data()});
    run(FindFactor{line, reach, state.data(), x.data(), y.data(), distance.data(), along.data(),
                   across.data(), answer.data(), factor_x.data(), factor_y.data()});
    run(FindMissing{line, state.data(), pressure.data(), bound.data(), distance.data(),
                    along.data(), across.data(), pressure_factor.data(), answer.data(),
                    factor_x.data(), factor_y.data(), missing_x.data(), missing_y.data(),
                    missing_n.data()});
  }
};

}  // namespace slipfield::test
