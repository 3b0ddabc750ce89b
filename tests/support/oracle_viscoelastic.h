// SPDX-License-Identifier: Apache-2.0
// Displacements of viscoelastic bodies in steady rolling by direct summation: each body's elastic
// influence_coefficient() alone, its memory by tanh-sinh quadrature. Shares nothing with
// solver/influence/fading_memory.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "solver/influence/block.h"
#include "solver/influence/influence_coefficients.h"
#include "tests/support/oracle_contact.h"

namespace slipfield::test {

// What body 1 (side 1) or body 2 (side -1) adds to the displacement difference.
inline CombinedMaterial share_of(const ElasticBody& body, double side) {
  return {2.0 * body.shear_modulus, body.poisson_ratio,
          0.5 * side * (1.0 - 2.0 * body.poisson_ratio)};
}

// Integral of f over [a, b], whatever it does at the ends.
template <class Function>
double tanh_sinh(double a, double b, const Function& f) {
  constexpr double kStep = 0.15;
  constexpr int kPoints = 21;
  double sum = 0.0;
  for (int k = -kPoints; k <= kPoints; ++k) {
    const double u = k * kStep;
    const double w = 0.5 * kPi * std::sinh(u);
    const double place = 0.5 * (1.0 + std::tanh(w));
    const double weight = 0.25 * kPi * std::cosh(u) / (std::cosh(w) * std::cosh(w));
    if (place > 0.0 && place < 1.0) sum += weight * f(a + (b - a) * place);
  }
  return sum * kStep * (b - a);
}

// The coefficient with the memory of one body; (along_x, along_y): the rolling direction.
inline double creeping_coefficient(Component component, double x, double y, const Grid& grid,
                                   const ElasticBody& body, double side, double along_x,
                                   double along_y, double velocity) {
  const CombinedMaterial share = share_of(body, side);
  const auto elastic = [&](double s) {
    return influence_coefficient(component, x + s * along_x, y + s * along_y, grid.dx, grid.dy,
                                 share);
  };
  double sum = elastic(0.0);
  const double place = x * along_x + y * along_y;
  const double half = 0.5 * (std::abs(along_x) * grid.dx + std::abs(along_y) * grid.dy);
  for (const CreepTerm& term : body.creep) {
    const double l = velocity * term.time;
    const double end = 25.0 * l;  // exp(-25) = 1e-11
    std::vector<double> ends{0.0};
    for (const double edge : {-half - place, half - place})
      if (edge > 0.0 && edge < end) ends.push_back(edge);
    for (double size = std::min(l, 2.0 * half); ends.back() < end;
         size = std::min(2.0 * size, 3.0 * l))
      ends.push_back(std::min(end, ends.back() + size));
    for (std::size_t k = 0; k + 1 < ends.size(); ++k)
      sum += term.ratio * tanh_sinh(ends[k], ends[k + 1],
                                    [&](double s) { return std::exp(-s / l) / l * elastic(s); });
  }
  return sum;
}

// The coefficients of both bodies. Each is integrated once: seen from the next element, most are at
// the places of others.
class CreepingCoefficients {
 public:
  explicit CreepingCoefficients(const ContactProblem& problem)
      : problem_(problem),
        along_x_(std::round(std::cos(problem.steps.back().tangential.direction))),
        along_y_(std::round(std::sin(problem.steps.back().tangential.direction))) {}

  double along_x() const { return along_x_; }
  double along_y() const { return along_y_; }
  double operator()(Component component, double x, double y) {
    const Grid& grid = problem_.grid;
    const auto place = [](double in_elements) { return std::llround(1e6 * in_elements); };
    const auto [found, is_new] =
        known_.try_emplace({component, place(x / grid.dx), place(y / grid.dy)}, 0.0);
    if (is_new)
      for (const auto& [body, side] :
           {std::pair{&problem_.upper, 1.0}, std::pair{&problem_.lower, -1.0}})
        found->second += creeping_coefficient(component, x, y, grid, *body, side, along_x_,
                                              along_y_, problem_.steps.back().tangential.velocity);
    return found->second;
  }

 private:
  const ContactProblem& problem_;
  double along_x_;
  double along_y_;
  std::map<std::tuple<Component, long long, long long>, double> known_;
};

// Displacements by all tractions of a solution, seen from `ahead` further on along the direction.
inline DenseDisplacements creeping_displacements(const ContactProblem& problem,
                                                 CreepingCoefficients& coefficients,
                                                 const ContactSolution& f, double ahead) {
  const Grid& grid = problem.grid;
  const auto table = [&](Component component) {
    std::vector<double> values;
    for (int ky = 1 - grid.my; ky < grid.my; ++ky)
      for (int kx = 1 - grid.mx; kx < grid.mx; ++kx)
        values.push_back(coefficients(component, kx * grid.dx + ahead * coefficients.along_x(),
                                      ky * grid.dy + ahead * coefficients.along_y()));
    return values;
  };
  std::map<Component, std::vector<double>> tables;
  for (const Component component :
       {Component::nn, Component::xx, Component::yy, Component::xy, Component::xn, Component::yn})
    tables[component] = table(component);
  const std::vector<const std::vector<double>*> traction{&f.traction_x, &f.traction_y, &f.pressure};
  std::vector<std::vector<double>> u(3, std::vector<double>(grid.count(), 0.0));
  const int width = 2 * grid.mx - 1;
  for (std::size_t i = 0; i < grid.count(); ++i)
    for (std::size_t j = 0; j < grid.count(); ++j) {
      const int kx = static_cast<int>(i) % grid.mx - static_cast<int>(j) % grid.mx;
      const int ky = static_cast<int>(i) / grid.mx - static_cast<int>(j) / grid.mx;
      const auto at = static_cast<std::size_t>((ky + grid.my - 1) * width + kx + grid.mx - 1);
      for (int to = 0; to < kDirections; ++to)
        for (int from = 0; from < kDirections; ++from) {
          const BlockTerm term = block_term(to, from);
          u[static_cast<std::size_t>(to)][i] += term.sign *
                                                tables[static_cast<Component>(term.component)][at] *
                                                (*traction[static_cast<std::size_t>(from)])[j];
        }
    }
  return {u[0], u[1], u[2]};
}

}  // namespace slipfield::test
