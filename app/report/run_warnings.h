// SPDX-License-Identifier: Apache-2.0
// Collects the warnings of a run: those of its case and of all its steps. The log, the result file
// and the libraries give these lines; a step has only its own.
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/report/doubt_log.h"

namespace slipfield {

// Lines to which others are added. Copies share what they have in common, also between threads.
class SharedLines {
 public:
  void add(std::string text);
  [[nodiscard]] std::size_t count() const { return last_ ? last_->count : 0; }
  // The last line first.
  template <class Test>
  [[nodiscard]] bool any_of(const Test& test) const {
    for (const Line* line = last_.get(); line != nullptr; line = line->before.get())
      if (test(line->text)) return true;
    return false;
  }
  void append_to(std::vector<std::string>& lines) const;

 private:
  struct Line {
    std::string text;
    std::shared_ptr<const Line> before;
    std::size_t count;  // with those before
  };
  std::shared_ptr<const Line> last_;  // destroyed recursively: for thousands of lines, not millions
};

// A copy takes little time and room: every step and every saved state may keep one.
class RunWarnings {
 public:
  // of_case: or the lines of a whole run, as of a file.
  explicit RunWarnings(std::vector<std::string> of_case)
      : of_case_(std::make_shared<const std::vector<std::string>>(std::move(of_case))) {}

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
  // Adds the unsaid() ones among a step's warnings, without its number.
  void add_unsaid(int number, const std::vector<std::string>& warnings);
  // Adds a line about the run as a whole.
  void add_line(std::string line) { lines_.add(std::move(line)); }

  // Returns the `warnings` of a step that are not yet in the lines of the case or among those added
  // by add_set() and add_unsaid().
  [[nodiscard]] std::vector<std::string> unsaid(const std::vector<std::string>& warnings,
                                                int step) const;
  [[nodiscard]] std::vector<std::string> of_all_steps() const;
  // All lines; before the first step those of the case.
  [[nodiscard]] std::vector<std::string> lines() const;

 private:
  [[nodiscard]] bool holds(std::size_t i) const { return !is_set_ || holding_[i]; }
  std::vector<std::string> take(std::vector<std::string> lines);

  std::shared_ptr<const std::vector<std::string>> of_case_;
  std::vector<bool> holding_;   // which of these hold for a step, if is_set_
  bool is_set_ = false;         // whether add_set() was called
  SharedLines doubts_;          // about what was set
  SharedLines lines_;           // about single steps and the run
  std::size_t left_out_ = 0;    // lines about steps beyond kMostLines
  std::set<std::string> told_;  // see message_of_step()
  DoubtLog shared_;
  std::size_t steps_ = 0;
};

}  // namespace slipfield
