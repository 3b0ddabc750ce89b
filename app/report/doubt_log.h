// SPDX-License-Identifier: Apache-2.0
// Collects warnings about solved steps and reports each once with its steps.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "solver/plausibility.h"

namespace slipfield {

class DoubtLog {
 public:
  // Adds the doubts about a solved step of one contact, including contact at the edge of the grid.
  // `number`: of the step.
  void add(int number, const ContactProblem& problem, const StepInput& input,
           const StepReport& report);
  // Adds the warnings of a wheel's step, but keeps only those of contacts at an edge
  // (is_edge_warning()).
  void add(int number, const std::vector<std::string>& warnings);
  // Returns one sentence per doubt. `steps`: their number, of which some may be coarse.
  [[nodiscard]] std::vector<std::string> of_steps(std::size_t steps) const;

 private:
  struct Entry {
    Doubt doubt;
    std::string text;  // that of the first step
    int first = 0;
    int last = 0;
    std::size_t count = 0;
  };
  // Numbers of steps in their order.
  struct Steps {
    std::vector<std::pair<int, int>> ranges;  // of consecutive ones, first and last; the first few
    int last = 0;
    std::size_t count = 0;
  };
  static void add_number(int number, Steps& steps);
  // The sentence with its steps and places: "4 steps, 2 to 4 and 7, contact 1: ...".
  static std::string edge_sentence(const std::string& warning, const Steps& steps);
  static std::string sentence(const Entry& entry, const std::string& noun);

  std::vector<Entry> entries_;
  std::map<std::string, Steps> at_edge_;  // the steps of each warning
};

}  // namespace slipfield
