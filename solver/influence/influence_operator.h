// SPDX-License-Identifier: Apache-2.0
// Products of the influence matrix with tractions, whatever computes them.
#pragma once

#include <cstdint>

#include "solver/influence/block.h"

namespace slipfield {

// Pointers to the fields of one vector field over the grid, in the memory of the backend.
struct TractionField {
  const double* x = nullptr;
  const double* y = nullptr;
  const double* n = nullptr;
};

struct DisplacementField {
  double* x = nullptr;
  double* y = nullptr;
  double* n = nullptr;
};

// The symbol identity + xx A_xx + yy A_yy (xx, yy: symbols of an operator), which stands for the
// response of slipping elements across their slip (THEORY.md 6.5).
struct AcrossSymbol {
  double identity = 1.0;
  double xx = 0.0;
  double yy = 0.0;
};

// Fields are mx my values, x fastest; input and output must not overlap.
class InfluenceOperator {
 public:
  virtual ~InfluenceOperator() = default;
  void apply(Block block, const TractionField& traction, const DisplacementField& displacement) {
    ++products_;
    compute(block, traction, displacement);
  }
  [[nodiscard]] std::int64_t products() const { return products_; }

 protected:
  void count_product() { ++products_; }  // of one that another way than apply() computes
  virtual void compute(Block block, const TractionField& traction,
                       const DisplacementField& displacement) = 0;

 private:
  std::int64_t products_ = 0;
};

}  // namespace slipfield
