// SPDX-License-Identifier: Apache-2.0
// dense (`direct` in a case): the normal problem by Cholesky factors of the contact's influence
// matrix, elements leaving and entering until nothing changes.
//
// Within a contact C the pressure is approach z - y with A_CC z = 1 and A_CC y = h; a prescribed
// force fixes the approach. Then p <= 0 leaves and a negative gap enters (THEORY.md 4.5).
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "solver/influence/influence_operator.h"
#include "solver/problem.h"

namespace slipfield {

template <class Backend>
class DenseNormal {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;
  using Influence = typename Backend::Influence;

  DenseNormal(Backend& backend, const Grid& grid, Influence& influence)
      : backend_(backend),
        influence_(influence),
        dense_(backend, grid),
        area_(grid.element_area()) {}

  // pressure: a start whose contact is nearly the right one, then the solution. report(exchange,
  // relative change of the pressures). Returns whether the contact settled.
  template <class Report>
  bool solve(const Array<double>& distance, const NormalLoad& load, Array<double>& pressure,
             Array<double>& displacement, const Report& report) {
    constexpr int kMaxExchanges = 100;
    h_ = backend_.download(distance);
    std::vector<double> p = backend_.download(pressure);
    std::vector<int> elements;
    for (std::size_t i = 0; i < p.size(); ++i)
      if (p[i] > 0.0) elements.push_back(static_cast<int>(i));
    for (int exchange = 1; exchange <= kMaxExchanges; ++exchange) {
      const double approach = solve_contact(elements, load, p, exchange, report);
      backend_.upload(p, pressure);
      influence_.apply(Block::normal, {nullptr, nullptr, pressure.data()},
                       {nullptr, nullptr, displacement.data()});
      std::vector<int> next = contact_of(p, backend_.download(displacement), approach);
      if (next == elements) return true;
      elements = std::move(next);
    }
    return false;
  }

 private:
  // The pressures of a contact, which may be negative; returns the approach.
  template <class Report>
  double solve_contact(const std::vector<int>& elements, const NormalLoad& load,
                       std::vector<double>& p, int exchange, const Report& report) {
    const auto n = static_cast<Eigen::Index>(elements.size());
    const bool force = load.control == NormalControl::force;
    Eigen::MatrixXd columns(n, 2);
    for (Eigen::Index k = 0; k < n; ++k) {
      columns(k, 0) = 1.0;
      columns(k, 1) = h_[static_cast<std::size_t>(elements[static_cast<std::size_t>(k)])];
    }
    if (n > 0) {
      dense_.factor_normal(influence_, elements);
      dense_.solve(columns);
    }
    const double approach =
        force ? (load.value / area_ + columns.col(1).sum()) / columns.col(0).sum() : load.value;
    std::vector<double> last(p.size(), 0.0);
    last.swap(p);
    double change2 = 0.0;
    double whole2 = 0.0;
    for (Eigen::Index k = 0; k < n; ++k) {
      const auto i = static_cast<std::size_t>(elements[static_cast<std::size_t>(k)]);
      p[i] = approach * columns(k, 0) - columns(k, 1);
      change2 += (p[i] - last[i]) * (p[i] - last[i]);
      whole2 += p[i] * p[i];
    }
    report(exchange, whole2 > 0.0 ? std::sqrt(change2 / whole2) : 0.0);
    return approach;
  }

  // Elements under pressure stay, penetrating elements enter; gaps within rounding stay open.
  [[nodiscard]] std::vector<int> contact_of(const std::vector<double>& p,
                                            const std::vector<double>& u, double approach) const {
    constexpr double kRounding = 1.0e-13;
    std::vector<int> elements;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double gap = h_[i] + u[i] - approach;
      const double size = std::abs(approach) + std::abs(u[i]);
      if (p[i] > 0.0 || (p[i] == 0.0 && gap < -kRounding * size))
        elements.push_back(static_cast<int>(i));
    }
    return elements;
  }

  Backend& backend_;
  Influence& influence_;
  typename Backend::Dense dense_;
  double area_;
  std::vector<double> h_;
};

}  // namespace slipfield
