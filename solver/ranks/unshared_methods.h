// SPDX-License-Identifier: Apache-2.0
// In the place of methods that are not shared out: require_for_shared_rows() refuses what needs
// them.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "solver/error.h"
#include "solver/fields/newton_ops.h"
#include "solver/fields/tangential_ops.h"
#include "solver/grid.h"

namespace slipfield {

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
