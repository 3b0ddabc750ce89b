// SPDX-License-Identifier: Apache-2.0
#include "app/report/run_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/report/step_table.h"
#include "app/report/step_warnings.h"
#include "app/report/wheel_warnings.h"

namespace slipfield {
namespace {

// A program may advance a solver for days.
constexpr std::size_t kMostLines = 1000;

void append(const std::vector<std::string>& more, std::vector<std::string>& lines) {
  lines.insert(lines.end(), more.begin(), more.end());
}

}  // namespace

std::vector<std::string> RunWarnings::before_steps() const {
  std::vector<std::string> lines;
  std::ranges::copy_if(of_case_, std::back_inserter(lines), [&](const std::string& line) {
    return !is_set_ || holding_.contains(line);
  });
  append(doubts_, lines);
  return lines;
}

std::vector<std::string> RunWarnings::take(std::vector<std::string> lines) {
  const std::size_t room = kMostLines - std::min(kMostLines, lines_.size());
  if (lines.size() > room) {
    left_out_ += lines.size() - room;
    lines.resize(room);
  }
  append(lines, lines_);
  return lines;
}

void RunWarnings::add_set(int number, const std::vector<std::string>& doubts,
                          const std::vector<std::string>& holding) {
  is_set_ = true;
  holding_.insert(holding.begin(), holding.end());
  if (doubts.empty()) return;
  const std::vector<std::string> more = unsaid(doubts, before_steps(), number);
  const std::size_t room = kMostLines - std::min(kMostLines, doubts_.size());
  left_out_ += more.size() - std::min(more.size(), room);
  std::copy_n(more.begin(), std::min(more.size(), room), std::back_inserter(doubts_));
}

std::vector<std::string> RunWarnings::add(int number, const ContactProblem& problem,
                                          const StepInput& input, const StepReport& report) {
  ++steps_;
  shared_.add(number, problem, input, report);
  return take(lines_of_step(problem, number, input, report, told_));
}

std::vector<std::string> RunWarnings::add(int number, const StepReport& report,
                                          const std::vector<std::string>& warnings) {
  ++steps_;
  shared_.add(number, warnings);
  std::vector<std::string> lines;
  if (std::string message = message_of_step(number, report, told_); !message.empty())
    lines.push_back(std::move(message));
  if (!warnings.empty())
    append(lines_of_wheel(number, unsaid(warnings, before_steps(), number)), lines);
  return take(std::move(lines));
}

std::vector<std::string> RunWarnings::of_all_steps() const {
  std::vector<std::string> lines = shared_.of_steps(steps_);
  if (left_out_ > 0)
    lines.push_back(
        fmt::format("{} of later steps, which the steps have", counted(left_out_, "more warning")));
  return lines;
}

std::vector<std::string> RunWarnings::lines() const {
  std::vector<std::string> lines = steps_ == 0 && doubts_.empty() ? of_case_ : before_steps();
  append(lines_, lines);
  append(of_all_steps(), lines);
  return lines;
}

}  // namespace slipfield
