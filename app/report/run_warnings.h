// SPDX-License-Identifier: Apache-2.0
// Collects the warnings of a run: those of its case and of all its steps. The log, the result file
// and the libraries give these lines; a step has only its own.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/report/doubt_log.h"

namespace slipfield {

class RunWarnings {
 public:
  explicit RunWarnings(std::vector<std::string> of_case) : of_case_(std::move(of_case)) {}

  // Before a step for which a program set the loads: doubts about what it set, and the case's
  // warnings that also hold for the step. One that holds for no step is none of the run.
  void add_set(int number, const std::vector<std::string>& doubts,
               const std::vector<std::string>& holding);
  // Adds a solved step of one contact; returns the lines that are new. What several steps share is
  // not among them: of_all_steps() has it.
  std::vector<std::string> add(int number, const ContactProblem& problem, const StepInput& input,
                               const StepReport& report);
  // The same of a wheel; `warnings`: of the step.
  std::vector<std::string> add(int number, const StepReport& report,
                               const std::vector<std::string>& warnings);
  // Adds a line about the run as a whole.
  void add_line(std::string line) { lines_.push_back(std::move(line)); }

  [[nodiscard]] std::vector<std::string> of_all_steps() const;
  // All lines; before the first step those of the case.
  [[nodiscard]] std::vector<std::string> lines() const;

 private:
  [[nodiscard]] std::vector<std::string> before_steps() const;
  std::vector<std::string> take(std::vector<std::string> lines);

  std::vector<std::string> of_case_;
  std::set<std::string> holding_;    // of these, if is_set_
  bool is_set_ = false;              // whether add_set() was called
  std::vector<std::string> doubts_;  // about what was set
  std::vector<std::string> lines_;   // about single steps and the run
  std::size_t left_out_ = 0;         // lines about steps beyond kMostLines
  std::set<std::string> told_;       // see message_of_step()
  DoubtLog shared_;
  std::size_t steps_ = 0;
};

}  // namespace slipfield
