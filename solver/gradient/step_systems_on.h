// SPDX-License-Identifier: Apache-2.0
// The linear systems of a step's derivatives on a backend.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <optional>
#include <utility>
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
        gap_(count_),
        response_(count_),
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
    const std::array in{tractions.x, tractions.y, tractions.n};
    const std::array out{displacements.x, displacements.y, displacements.n};
    const auto at = send(in, count, in_);
    const auto made = static_cast<std::size_t>(std::ranges::count_if(out, given));
    if (out_.size() != made * count) out_ = Array<double>(made * count);
    const auto to = places(out, count, out_.data());
    influence(number).apply(block, {at[0], at[1], at[2]}, {to[0], to[1], to[2]});
    const std::vector<double> values = backend_.download(out_);
    const double* from = values.data();
    for (double* field : out)
      if (given(field)) std::copy_n(std::exchange(from, from + count), count, field);
  }

  void set_contact(const std::vector<unsigned char>& division) override {
    backend_.upload(division, state_);
    elements_ = static_cast<double>(
        std::ranges::count_if(division, [](unsigned char state) { return in_contact(state); }));
  }
  std::optional<double> respond(Held held, double wanted, double* h, double* v) override {
    if (between) between();
    backend_.upload(std::vector<double>(h, h + count_), gap_);
    const std::optional<double> load =
        normal_->respond(state_.data(), elements_, held, wanted, gap_, response_);
    if (!load) return load;
    std::ranges::copy(backend_.download(gap_), h);
    std::ranges::copy(backend_.download(response_), v);
    return load;
  }

  void set_rows(const NewtonFields& rows) override {
    f_ = rows;
    const TangentialFields& t = rows.tangential;
    const auto at =
        send(std::array<const double*, 10>{t.traction_x, t.traction_y, t.slip_x, t.slip_y, t.bound,
                                           t.fraction, rows.dxx, rows.dxy, rows.dyx, rows.dyy},
             count_, rows_);
    f_.tangential = {.traction_x = at[0],
                     .traction_y = at[1],
                     .slip_x = at[2],
                     .slip_y = at[3],
                     .bound = at[4],
                     .state = state_.data(),
                     .fraction = at[5]};
    f_.dxx = at[6];
    f_.dxy = at[7];
    f_.dyx = at[8];
    f_.dyy = at[9];
    backend_.write(scalars_, *rows.scalars);
    f_.scalars = scalars_.data();
  }
  void set_across(int number, const AcrossSymbol& symbol) override {
    influence(number).set_across(symbol);
  }
  bool solve_tractions(int number, const std::vector<std::size_t>& unknown, double wanted,
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
      solve_by_gmres(gmres_, by, f_, rhs_, solution_, tolerance, both, precondition);
    };
    Eigen::MatrixXd column = Eigen::Map<Eigen::VectorXd>(b, std::ssize(unknown));
    try {
      const bool found =
          solve_columns(backend_, gmres_, LinearVectors<Array<double>>{rhs_, solution_, product_},
                        unknown, column, solve, product, wanted);
      Eigen::Map<Eigen::MatrixXd>(b, column.rows(), 1) = column;
      return found;
    } catch (...) {  // by between()
      send_launches(backend_);
      throw;
    }
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
  static bool given(const double* field) { return field != nullptr; }
  // The places of the fields that are given, one after another from `first` on; null for the others.
  template <class T, std::size_t n>
  static std::array<double*, n> places(const std::array<T*, n>& fields, std::size_t count,
                                       double* first) {
    std::array<double*, n> at{};
    for (std::size_t k = 0; k < n; ++k)
      if (given(fields[k])) at[k] = std::exchange(first, first + count);
    return at;
  }
  // Copies host fields to `array` in one piece.
  template <std::size_t n>
  std::array<double*, n> send(const std::array<const double*, n>& fields, std::size_t count,
                              Array<double>& array) {
    std::vector<double> values;
    values.reserve(n * count);
    for (const double* field : fields)
      if (given(field)) values.insert(values.end(), field, field + count);
    if (array.size() != values.size()) array = Array<double>(values.size());
    backend_.upload(values, array);
    return places(fields, count, array.data());
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
  Array<double> gap_, response_;  // of the pressures
  Array<double> rows_, in_, out_;
  Array<unsigned char> state_;
  double elements_ = 0.0;  // in contact
  Array<NewtonScalars> scalars_;
  NewtonFields f_;
};

}  // namespace slipfield
