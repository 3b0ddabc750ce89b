// SPDX-License-Identifier: Apache-2.0
// The linear systems of newton (THEORY.md 6.4, 11.5): their units and preconditioner, and the
// solution for several right sides with the rows of the grid shared out, by GMRES again and again
// from the residual that it leaves, where a single backend has dense factors.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "solver/influence/influence_operator.h"
#include "solver/step/own_rows.h"
#include "solver/tangential/gmres.h"
#include "solver/tangential/newton_ops.h"

namespace slipfield {

// The unit of a right side of that size, so that squares are doubles.
inline double newton_unit(double size) {
  constexpr double kLeast = 1.0e-100;
  constexpr double kGreatest = 1.0e100;
  if (size == 0.0 || !std::isfinite(size) || (size >= kLeast && size <= kGreatest)) return 1.0;
  return std::exp2(std::clamp(std::ilogb(size), -1000, 1000));
}

// Mean response of the slipping elements across q: (1 - gamma) + gamma rho S (THEORY.md 6.5).
inline AcrossSymbol across_symbol(const NewtonFields& f, const NewtonScalars& now) {
  if (!(now.slipping > 0.0)) return {};
  const double gamma = now.shrink1 / now.slipping;
  const double along_x = now.across_x2 / now.slipping;
  return {1.0 - gamma, gamma * f.rho * along_x, gamma * f.rho * (1.0 - along_x)};
}

// The places of the unknowns of elements in contact, and of rigid slips, in a Krylov vector.
inline std::vector<std::size_t> unknowns(const std::vector<int>& contact, const NewtonFields& f) {
  std::vector<std::size_t> places;
  for (const int i : contact) places.push_back(static_cast<std::size_t>(i));
  for (const int i : contact) places.push_back(f.count + static_cast<std::size_t>(i));
  if (f.force_x_given) places.push_back(2 * f.count);
  if (f.force_y_given) places.push_back(2 * f.count + 1);
  return places;
}

// Vectors of a backend that a linear system takes: right side, solution, a product.
template <class Array>
struct LinearVectors {
  Array& rhs;
  Array& solution;
  Array& product;
};

// Each column, the right side at `places` of a Krylov vector and 0 elsewhere, becomes the solution
// there. multiply(in, out) = J M in and precondition(in, out) = M in as Gmres takes them;
// product(in, out) = J in, which may not use `vectors` but for what it is given. Returns whether all
// were found, to kEnough of |b|. Together.
template <class Backend, class Multiply, class Precondition, class Product>
bool solve_columns(Backend& backend, Gmres<Backend>& gmres,
                   LinearVectors<typename Backend::template Array<double>> vectors,
                   const std::vector<std::size_t>& places, Eigen::MatrixXd& columns,
                   const Multiply& multiply, const Precondition& precondition,
                   const Product& product) {
  constexpr int kMostRuns = 60;
  constexpr double kOfOneRun = 1.0e-3;  // single precision of the basis gives that for sure
  constexpr double kWanted = 1.0e-12;
  constexpr double kEnough = 1.0e-8;
  const std::size_t size = vectors.rhs.size();
  const auto length = [&](const std::vector<double>& values) {
    double sum = 0.0;
    for (const std::size_t place : places) sum += values[place] * values[place];
    return std::sqrt(sum_over_sharers(backend, sum));
  };
  bool found = true;
  for (Eigen::Index c = 0; c < columns.cols(); ++c) {
    std::vector<double> b(size, 0.0);
    for (std::size_t k = 0; k < places.size(); ++k)
      b[places[k]] = columns(static_cast<Eigen::Index>(k), c);
    const double whole = length(b);
    std::vector<double> x(size, 0.0);
    std::vector<double> rest = b;
    double left = whole;
    for (int run = 0; run < kMostRuns && left > kWanted * whole; ++run) {
      const double before = left;
      backend.upload(rest, vectors.rhs);
      gmres.solve(vectors.rhs, vectors.solution, kOfOneRun, multiply, precondition);
      const std::vector<double> step = backend.download(vectors.solution);
      for (const std::size_t place : places) x[place] += step[place];
      backend.upload(x, vectors.solution);
      product(vectors.solution.data(), vectors.product.data());
      const std::vector<double> image = backend.download(vectors.product);
      for (const std::size_t place : places) rest[place] = b[place] - image[place];
      left = length(rest);
      if (!(left < 0.9 * before)) break;
    }
    found = found && left <= kEnough * whole;
    for (std::size_t k = 0; k < places.size(); ++k)
      columns(static_cast<Eigen::Index>(k), c) = x[places[k]];
  }
  return found;
}

}  // namespace slipfield
