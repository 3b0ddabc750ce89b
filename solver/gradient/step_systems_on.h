// SPDX-License-Identifier: Apache-2.0
// The linear systems of a step's derivatives on a backend.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "solver/fields/gmres.h"
#include "solver/gradient/step_systems.h"
#include "solver/normal/normal_solver.h"
#include "solver/tangential/newton_solver.h"

namespace slipfield {

template <class Backend>
class StepSystemsOn : public StepSystems {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;
  using Influence = typename Backend::Influence;

  explicit StepSystemsOn(const SystemsTask& task)
      : task_(task),
        count_(task.grid.count()),
        gmres_(backend_, 2 * count_ + 2, 2),
        rhs_(2 * count_ + 2),
        solution_(2 * count_ + 2),
        product_(2 * count_ + 2),
        joined_(2 * count_ + 2),
        image_x_(count_),
        image_y_(count_),
        image_across_(count_),
        state_(count_),
        scalars_(1) {
    StepSystemsOn::add_operator(task.grid, task.kind);
    normal_.emplace(backend_, task.grid, operators_.front().influence);
  }

  int add_operator(const Grid& grid, const InfluenceKind& kind) override {
    operators_.emplace_back(backend_, grid, task_, kind);
    return static_cast<int>(operators_.size()) - 1;
  }
  double self(int number, Component component) override {
    return influence(number).self(component);
  }
  void multiply(int number, Block block, const TractionField& tractions,
                const DisplacementField& displacements) override {
    if (between) between();
    const std::size_t count = operators_[static_cast<std::size_t>(number)].count;
    const std::array in{sent(tractions.x, count), sent(tractions.y, count),
                        sent(tractions.n, count)};
    const auto made = [&](const double* field) {
      return field != nullptr ? Array<double>(count) : Array<double>();
    };
    std::array out{made(displacements.x), made(displacements.y), made(displacements.n)};
    influence(number).apply(block, {in[0].data(), in[1].data(), in[2].data()},
                            {out[0].data(), out[1].data(), out[2].data()});
    fetch(out[0], displacements.x);
    fetch(out[1], displacements.y);
    fetch(out[2], displacements.n);
  }

  bool follow_approach(const std::vector<unsigned char>& contact, double elements,
                       const double* displaced, double tolerance, double* q,
                       double* moved) override {
    if (between) between();
    Array<unsigned char> division(count_);
    backend_.upload(contact, division);
    const Array<double> u = sent(displaced, count_);
    Array<double> pressure = sent(q, count_);
    Array<double> displacement = sent(moved, count_);
    const bool found =
        normal_->follow_approach(division.data(), elements, u, tolerance, pressure, displacement);
    fetch(pressure, q);
    fetch(displacement, moved);
    return found;
  }

  void set_rows(const NewtonFields& rows) override {
    f_ = rows;
    const TangentialFields& t = rows.tangential;
    f_.tangential = {.traction_x = kept(t.traction_x, 0),
                     .traction_y = kept(t.traction_y, 1),
                     .slip_x = kept(t.slip_x, 2),
                     .slip_y = kept(t.slip_y, 3),
                     .bound = kept(t.bound, 4),
                     .state = state_.data(),
                     .fraction = kept(t.fraction, 5)};
    backend_.upload(std::vector<unsigned char>(t.state, t.state + count_), state_);
    f_.dxx = kept(rows.dxx, 6);
    f_.dxy = kept(rows.dxy, 7);
    f_.dyx = kept(rows.dyx, 8);
    f_.dyy = kept(rows.dyy, 9);
    backend_.upload(std::vector<NewtonScalars>{*rows.scalars}, scalars_);
    f_.scalars = scalars_.data();
  }
  void set_across(int number, const AcrossSymbol& symbol) override {
    influence(number).set_across(symbol);
  }
  bool solve_tractions(int number, const std::vector<std::size_t>& places, double wanted,
                       double* b) override {
    Influence& by = influence(number);
    const auto product = [&](const double* in, double* out) { multiply_rows(by, in, out); };
    const auto precondition = [&](const double* in, double* out) { preconditioned(by, in, out); };
    const auto both = [&](const double* in, double* out) {
      if (between) between();
      if (by.multiply_newton(f_, in, joined_.data(), out)) return;
      precondition(in, joined_.data());
      product(joined_.data(), out);
    };
    const auto solve = [&](double tolerance) {
      if (between) between();
      if constexpr (requires { by.solve_newton(f_, b, b, tolerance, 1); })
        if (by.solve_newton(f_, rhs_.data(), solution_.data(), tolerance, gmres_.most())) return;
      gmres_.solve(rhs_, solution_, tolerance, both, precondition);
    };
    Eigen::MatrixXd column = Eigen::Map<Eigen::VectorXd>(b, std::ssize(places));
    const bool found =
        solve_columns(backend_, LinearVectors<Array<double>>{rhs_, solution_, product_}, places,
                      column, solve, product, wanted);
    Eigen::Map<Eigen::MatrixXd>(b, column.rows(), 1) = column;
    return found;
  }
  void solve_densely(int number, const std::vector<int>& contact, double* b) override {
    Eigen::MatrixXd column = Eigen::Map<Eigen::VectorXd>(b, 2 * std::ssize(contact));
    typename Backend::Dense dense(backend_, task_.grid);
    dense.factor_jacobian(influence(number), contact, f_);
    dense.solve(column);
    Eigen::Map<Eigen::MatrixXd>(b, column.rows(), 1) = column;
  }

 private:
  struct Operator {
    Operator(Backend& backend, const Grid& grid, const SystemsTask& task, const InfluenceKind& kind)
        : influence(backend, grid, task.material, task.method, kind), count(grid.count()) {}
    Influence influence;
    std::size_t count;
  };

  Influence& influence(int number) {
    return operators_[static_cast<std::size_t>(number)].influence;
  }
  // Copies a host field to the backend; null gives an empty array.
  Array<double> sent(const double* field, std::size_t count) {
    if (field == nullptr) return {};
    Array<double> array(count);
    backend_.upload(std::vector<double>(field, field + count), array);
    return array;
  }
  void fetch(const Array<double>& array, double* field) {
    if (field != nullptr) std::ranges::copy(backend_.download(array), field);
  }
  double* kept(const double* field, std::size_t row) {
    rows_.at(row) = sent(field, count_);
    return rows_.at(row).data();
  }
  void multiply_rows(Influence& by, const double* in, double* out) {
    by.apply(Block::tangential, {in, in + count_}, {image_x_.data(), image_y_.data()});
    backend_.run(count_, MultiplyJacobian{f_, in, image_x_.data(), image_y_.data(), out});
  }
  void preconditioned(Influence& by, const double* in, double* out) {
    if constexpr (requires { by.precondition_newton(f_, in, out); })
      if (by.precondition_newton(f_, in, out)) return;
    double* x = image_x_.data();
    double* y = image_y_.data();
    double* across = image_across_.data();
    backend_.run(count_, SplitForPreconditioner{f_, in, x, y, across});
    by.precondition_tangential(x, y, across, x, y, across);
    backend_.run(count_, JoinPreconditioned{f_, in, x, y, across, out});
  }

  SystemsTask task_;
  std::size_t count_;
  Backend backend_;
  std::deque<Operator> operators_;  // a deque keeps its elements in place
  std::optional<NormalSolver<Backend>> normal_;
  Gmres<Backend> gmres_;
  Array<double> rhs_, solution_, product_, joined_, image_x_, image_y_, image_across_;
  std::array<Array<double>, 10> rows_;
  Array<unsigned char> state_;
  Array<NewtonScalars> scalars_;
  NewtonFields f_;
};

}  // namespace slipfield
