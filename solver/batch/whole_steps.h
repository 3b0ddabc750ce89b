// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace slipfield {

// Of a ContactSolver that solves a step from its normal problem on, whatever was solved before: the normal
// problem by itself saves little where the tangential one is wanted too.
class WholeSteps {
 public:
  virtual ~WholeSteps() = default;
  // False where the next step continues from what was solved before.
  [[nodiscard]] virtual bool solves_whole_steps() const = 0;
};

}  // namespace slipfield
