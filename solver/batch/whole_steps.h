// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace slipfield {

// A ContactSolver that solves every step as a whole, beginning with its normal problem, whatever was solved
// before: solving the normal problem alone saves little where the tangential one is needed as well.
class WholeSteps {
 public:
  virtual ~WholeSteps() = default;
  // False where the next step continues from what was solved before.
  [[nodiscard]] virtual bool solves_whole_steps() const = 0;
};

}  // namespace slipfield
