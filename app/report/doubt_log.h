// SPDX-License-Identifier: Apache-2.0
// Warnings of what is suspicious in solved steps: each once, with where it was found.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "solver/plausibility.h"

namespace slipfield {

class DoubtLog {
 public:
  // What is suspicious in a solved step of one contact, and whether it reaches the edge of the
  // grid. `number`: of the step.
  void add(int number, const ContactProblem& problem, const StepInput& input,
           const StepReport& report);
  // Takes the warnings of a wheel's step; it keeps those of contacts at an edge
  // (is_edge_warning()).
  void add(int number, const std::vector<std::string>& warnings);
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
  // With all of the steps, and where else: "4 steps, 2 to 4 and 7, contact 1: ...".
  static std::string edge_sentence(const std::string& warning, const std::set<int>& steps);
  static std::string sentence(const Entry& entry, const std::string& noun);

  std::vector<Entry> entries_;
  std::map<std::string, std::set<int>> at_edge_;  // steps of a warning
};

}  // namespace slipfield
