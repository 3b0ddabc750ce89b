// SPDX-License-Identifier: Apache-2.0
// What a backend that holds some rows of the grid forwards to the backend that computes them:
// arrays, copies, and the values that steer a solver, which have the same bits on all owners.
#pragma once

#include <Eigen/Dense>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solver/error.h"
#include "solver/fields/newton_ops.h"
#include "solver/fields/tangential_ops.h"
#include "solver/grid.h"

namespace slipfield {

template <class Local>
class LocalRows {
 public:
  template <class T>
  using Array = typename Local::template Array<T>;
  static constexpr bool kOneOwner = false;

  static std::string name() { return Local::name(); }
  [[nodiscard]] std::string device_name() const { return local().device_name(); }

  template <class Values>
  auto read(const Values& array) const {
    return local().read(array);
  }
  template <class Values, class T>
  void write(Values& array, const T& value) const {
    local().write(array, value);
  }
  template <class Values>
  auto download(const Values& array) const {
    return local().download(array);
  }
  template <class T>
  auto download(const T* values, std::size_t count) const {
    return local().download(values, count);
  }
  template <class T, class Values>
  void upload(const std::vector<T>& values, Values& array) const {
    local().upload(values, array);
  }

 protected:
  // Copies share the same backend.
  explicit LocalRows(std::shared_ptr<Local> local) : local_(std::move(local)) {}
  [[nodiscard]] Local& local() const { return *local_; }

 private:
  std::shared_ptr<Local> local_;
};

// Stands in for methods that are not available with shared rows: require_for_shared_rows() refuses
// them earlier.
[[noreturn]] inline void refuse_unshared_method() {
  throw Error("the method is not computed with the rows of the grid shared out");
}

class NoSlabDense {
 public:
  template <class Backend>
  NoSlabDense(const Backend& /*backend*/, const Grid& /*grid*/) {}
  template <class Influence>
  void factor_normal(const Influence& /*influence*/, const std::vector<int>& /*elements*/) {
    refuse_unshared_method();
  }
  template <class Influence>
  void factor_jacobian(const Influence& /*influence*/, const std::vector<int>& /*elements*/,
                       const NewtonFields& /*linearized*/) {
    refuse_unshared_method();
  }
  void solve(Eigen::MatrixXd& /*columns*/) const { refuse_unshared_method(); }
};

class NoSlabGaussSeidel {
 public:
  template <class Backend>
  NoSlabGaussSeidel(const Backend& /*backend*/, const Grid& /*grid*/) {}
  template <class Influence>
  void set_contact(const Influence& /*influence*/, const unsigned char* /*state*/,
                   SweepOrder /*order*/) {
    refuse_unshared_method();
  }
  SweepChange sweep(const TangentialFields& /*fields*/, double /*relaxation*/) const {
    refuse_unshared_method();
  }
};

}  // namespace slipfield
