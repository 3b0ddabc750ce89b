// SPDX-License-Identifier: Apache-2.0
// Warnings of what is suspicious in solved steps: each once, with where it was found.
#pragma once

#include <string>
#include <vector>

#include "solver/plausibility.h"

namespace slipfield {

class DoubtLog {
 public:
  // `number`: of the step.
  void add(int number, const std::vector<Finding>& findings, Units units);
  // One sentence for each doubt. `steps`: how many there are, of which some may be coarse.
  [[nodiscard]] std::vector<std::string> of_steps(std::size_t steps) const;

 private:
  struct Entry {
    Doubt doubt;
    std::string text;  // of the first
    int first = 0;
    int last = 0;
    std::size_t count = 0;
  };
  static std::string sentence(const Entry& entry, const std::string& noun);

  std::vector<Entry> entries_;
};

}  // namespace slipfield
