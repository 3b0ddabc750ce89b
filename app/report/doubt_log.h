// SPDX-License-Identifier: Apache-2.0
// Warnings of what is suspicious in solved steps: each once, with where it was found.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "solver/plausibility.h"

namespace slipfield {

class DoubtLog {
 public:
  // `number`: of the step.
  void add(int number, const std::vector<Finding>& findings, Units units);
  // Contact reaches the edge of the grid.
  void add_edge(int number) { at_edge_.insert(number); }
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
  [[nodiscard]] std::string edge_sentence() const;
  static std::string sentence(const Entry& entry, const std::string& noun);

  std::vector<Entry> entries_;
  std::set<int> at_edge_;  // steps
};

}  // namespace slipfield
