// SPDX-License-Identifier: Apache-2.0
// The linear systems of a step's derivatives (THEORY.md 11.8): that of the pressures, that of the
// tractions and its transpose, and rounds in which both follow each other.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/gradient/linear_step.h"
#include "solver/gradient/step_systems_on.h"

namespace slipfield::gradient {

constexpr double kPressureTolerance = 1.0e-13;  // of the pressures' system
constexpr double kTractionTolerance = 1.0e-12;  // of that of the tractions
constexpr double kOfRound = 1.0e-3;             // of either, where rounds correct what it leaves

inline std::unique_ptr<StepSystems> systems_on_cpu(const SystemsTask& task) {
  return std::make_unique<StepSystemsOn<CpuBackend>>(task);
}

// Remaining right-hand sides: of the rows of the pressures and of the tractions.
struct Rest {
  Values normal;
  SurfaceField tangential;
};

// A change of the pressures, and what with A_nn of it makes up the right-hand side.
struct Pressures {
  Values change;
  double load = 0.0;
};

class LinearSystems : public LinearStep {
 public:
  // tolerance: of linear systems, if looser than the default.
  template <class... OfStep>
  explicit LinearSystems(double tolerance, const OfStep&... of_step)
      : LinearStep(of_step...), tolerance_(tolerance) {}

  // Moves the systems to the CPU for good, after a device has run out of memory.
  void move_to_cpu() {
    systems.reset(systems_on_cpu(task).release());
    forwards.reset();
    backwards.reset();
    has_across_ = {};
    send_step();
  }

  // Solves A_nn v + load = b on the contact: for the given sum of v, or without one for load = 0.
  // wanted: accepted residual relative to b. residual: the remaining residual.
  Pressures solve_normal(Values b, std::optional<double> sum_of_v,
                         double wanted = kPressureTolerance, Values* residual = nullptr) {
    Pressures found{zeros(), 0.0};
    if (sum_of_v && *sum_of_v != 0.0) {
      found.change = touches.select(
          Values::Constant(std::ssize(b), *sum_of_v / static_cast<double>(contact.size())), 0.0);
      Values moved = zeros();
      systems->multiply(kCurrent, Block::normal, {.n = found.change.data()}, {.n = moved.data()});
      keep_contact(moved);
      b -= moved;
    }
    // The load first, because the rest may be much smaller.
    constexpr double kRounding = 1.0e-15;
    const double given = greatest(b);
    if (sum_of_v) {
      found.load = sum(b) / static_cast<double>(contact.size());
      b = touches.select(b - found.load, 0.0);
    }
    if (residual != nullptr) *residual = b;
    const double most = greatest(b);
    if (!(most > kRounding * given)) return found;
    const double size = most * std::sqrt((b / most).square().sum());
    Values gap = -b / size;
    Values v(std::ssize(b));
    const std::optional<double> load = systems->respond(
        sum_of_v ? Held::sum : Held::approach, std::max(wanted, tolerance_), gap.data(), v.data());
    if (!load) fail("that of the pressure did not converge");
    found.change += size * v;
    found.load -= size * *load;
    if (residual != nullptr) *residual = touches.select(-size * gap, 0.0);
    return found;
  }

  // Solves J v = b, J = (I - D) + rho D S, or with S'. residual: the remaining residual of b.
  SurfaceField solve_tangential(bool reversed, const SurfaceField& b,
                                double wanted = kPressureTolerance,
                                SurfaceField* residual = nullptr) {
    const Operator by = preconditioned(reversed);
    const double size = std::fmax(greatest(b.col(0)), greatest(b.col(1)));
    SurfaceField v = no_field();
    if (residual != nullptr) *residual = b;
    if (size == 0.0) return v;
    const Values given = b.reshaped()(unknown) / size;
    Values column = given;
    if (!systems->solve_tractions(by, unknown, std::max({wanted, kTractionTolerance, tolerance_}),
                                  column.data())) {
      column = given;
      solve_densely(by, column);
    }
    v.reshaped()(unknown) = size * column;
    if (residual != nullptr) *residual -= multiplied(by, v);
    return v;
  }
  // S or S', whichever GMRES needs as its preconditioner.
  Operator preconditioned(bool reversed) {
    const Operator by = slip_operator(reversed);
    bool& has = has_across_.at(reversed && by != kCurrent ? 1 : 0);
    if (!has) systems->set_across(by, across_symbol(rows, scalars));
    has = true;
    return by;
  }
  // J v
  SurfaceField multiplied(Operator by, const SurfaceField& v) {
    return times_d(slip_by(by, v), rows.rho) + (v - times_d(v, 1.0));
  }
  // Used if GMRES stalls, as on rows of very long elements.
  void solve_densely(Operator by, Values& column) {
    constexpr std::size_t kMost = 3000;
    if (contact.size() > kMost || whole.boundary == Boundary::periodic)
      fail("that of the tractions did not converge; accepted: a coarser grid");
    systems->solve_densely(by, {contact.begin(), contact.end()}, column.data());
  }

  // Solves J^T y = b. If J' w leaves the residual r of D b, y leaves r - rho S' r of b.
  SurfaceField solve_transposed(const SurfaceField& b, double wanted = kPressureTolerance,
                                SurfaceField* residual = nullptr) {
    const SurfaceField w = solve_tangential(true, times_d(b, 1.0), wanted, residual);
    const SurfaceField image = slip_by(slip_operator(true), w);
    if (residual != nullptr) *residual -= rows.rho * slip_by(slip_operator(true), *residual);
    return b + (w - rows.rho * image);
  }

  // Solves the small system of the rows of prescribed forces; the other values are 0.
  [[nodiscard]] Motion solve_rows(const std::array<Motion, 3>& columns, const Motion& rhs) const {
    const std::size_t n = prescribed.size();
    if (n == 0) return {};
    Eigen::MatrixXd matrix(n, n);
    Eigen::VectorXd b(n);
    for (std::size_t row = 0; row < n; ++row) {
      b(row) = rhs.at(prescribed[row]);
      for (std::size_t column = 0; column < n; ++column)
        matrix(row, column) = columns.at(prescribed[column]).at(prescribed[row]);
    }
    const Eigen::VectorXd x = matrix.fullPivLu().solve(b);
    if (!x.allFinite() || !((matrix * x - b).norm() <= 1e-8 * b.norm()))
      fail("the prescribed force does not determine the rigid motion");
    Motion found{};
    for (std::size_t row = 0; row < n; ++row) found.at(prescribed[row]) = x(row);
    return found;
  }

  // --- Rounds in which pressure and tractions follow each other. A round finds a change that
  // leaves less of both right sides; changes are combined so that least is left (generalised
  // conjugate residuals).

  template <class Found>
  [[nodiscard]] Found nothing() const {
    Found found;
    found.normal = zeros();
    found.tangential = no_field();
    return found;
  }
  static void add(const Rest& change, double part, Rest& sum) {
    sum.normal += part * change.normal;
    sum.tangential += part * change.tangential;
  }
  template <class Found>
  requires requires(Found found) { found.motion; }
  static void add(const Found& change, double part, Found& sum) {
    sum.normal += part * change.normal;
    sum.tangential += part * change.tangential;
    for (std::size_t k = 0; k < 3; ++k) sum.motion.at(k) += part * change.motion.at(k);
    sum.load += part * change.load;
  }
  static double dot(const Eigen::Ref<const Values>& a, const Eigen::Ref<const Values>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  }
  // unit: of the rows of the pressures, over that of the tractions.
  static double dot(const Rest& a, const Rest& b, double unit) {
    return dot(a.normal, b.normal) / (unit * unit) + dot(a.tangential.col(0), b.tangential.col(0)) +
           dot(a.tangential.col(1), b.tangential.col(1));
  }

  // round(rest, first): returns a change for `rest` and replaces `rest` by what remains. Only the
  // first round includes prescribed forces and motions, so that later ones may be scaled.
  template <class Found, class Round>
  Found solve_in_rounds(Rest rest, double unit, const Round& round) {
    constexpr int kMostRounds = 60;
    constexpr double kWanted = 1.0e-13;
    constexpr double kEnough = 1.0e-9;  // where rounding ends the rounds before
    const auto length = [&](const Rest& of) { return std::sqrt(dot(of, of, unit)); };
    double given = coupled ? length(rest) : 0.0;
    Found found = round(rest, true);
    if (!coupled) return found;
    double left = length(rest);
    given = std::fmax(given, left);
    std::vector<std::pair<Found, Rest>> taken;  // changes, and what each takes away, of length 1
    for (int k = 0; k < kMostRounds && left > kWanted * given; ++k) {
      Rest image = rest;
      Rest after = rest;
      Found change = round(after, false);
      add(after, -1.0, image);
      for (const auto& [other, of_other] : taken) {
        const double part = -dot(image, of_other, unit);
        add(of_other, part, image);
        add(other, part, change);
      }
      const double size = length(image);
      if (!(size > 0.0)) break;
      std::pair<Found, Rest> one{nothing<Found>(), nothing<Rest>()};
      add(change, 1.0 / size, one.first);
      add(image, 1.0 / size, one.second);
      const double part = dot(rest, one.second, unit);
      add(one.first, part, found);
      add(one.second, -part, rest);
      taken.push_back(std::move(one));
      const double before = std::exchange(left, length(rest));
      if (!(left < 0.9 * before) && left <= kEnough * given) break;
    }
    if (!(left <= kEnough * given))
      fail(
          "pressure and tractions do not come to agree, as with much friction between very unlike "
          "bodies; accepted: less friction");
    return found;
  }

 private:
  double tolerance_;
  std::array<bool, 2> has_across_{};  // of S, of S'
};

}  // namespace slipfield::gradient
