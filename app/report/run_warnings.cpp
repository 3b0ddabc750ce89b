// SPDX-License-Identifier: Apache-2.0
#include "app/report/run_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

void SharedLines::add(std::string text) {
  const std::size_t lines = count() + 1;
  last_ = std::make_shared<const Line>(Line{std::move(text), std::move(last_), lines});
}

void SharedLines::append_to(std::vector<std::string>& lines) const {
  const std::size_t start = lines.size();
  lines.resize(start + count());
  for (const Line* line = last_.get(); line != nullptr; line = line->before.get())
    lines[start + line->count - 1] = line->text;
}

std::vector<std::string> RunWarnings::unsaid(const std::vector<std::string>& warnings,
                                             int step) const {
  std::vector<std::string> rest = warnings;
  std::erase_if(rest, [&](const std::string& warning) {
    const auto is_said = [&](const std::string& line) { return says(line, warning, step); };
    for (std::size_t i = 0; i < of_case_->size(); ++i)
      if (holds(i) && is_said((*of_case_)[i])) return true;
    return doubts_.any_of(is_said);
  });
  return rest;
}

std::vector<std::string> RunWarnings::take(std::vector<std::string> lines) {
  const std::size_t room = kMostLines - std::min(kMostLines, lines_.count());
  if (lines.size() > room) {
    left_out_ += lines.size() - room;
    lines.resize(room);
  }
  for (const std::string& line : lines) lines_.add(line);
  return lines;
}

void RunWarnings::add_set(int number, const std::vector<std::string>& doubts,
                          const std::vector<std::string>& holding) {
  is_set_ = true;
  holding_.resize(of_case_->size());
  for (std::size_t i = 0; i < holding_.size(); ++i)
    holding_[i] = holding_[i] || std::ranges::find(holding, (*of_case_)[i]) != holding.end();
  add_unsaid(number, doubts);
}

void RunWarnings::add_unsaid(int number, const std::vector<std::string>& warnings) {
  for (std::string& warning : unsaid(warnings, number))
    if (doubts_.count() < kMostLines)
      doubts_.add(std::move(warning));
    else
      ++left_out_;
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
  if (!warnings.empty()) append(lines_of_wheel(number, unsaid(warnings, number)), lines);
  return take(std::move(lines));
}

std::vector<std::string> RunWarnings::of_all_steps() const {
  std::vector<std::string> lines = shared_.of_steps(steps_);
  if (left_out_ > 0)
    lines.push_back(
        fmt::format("{} of steps, not listed here", counted(left_out_, "more warning")));
  return lines;
}

std::vector<std::string> RunWarnings::lines() const {
  std::vector<std::string> lines;
  const bool all = steps_ == 0 && doubts_.count() == 0;
  for (std::size_t i = 0; i < of_case_->size(); ++i)
    if (all || holds(i)) lines.push_back((*of_case_)[i]);
  doubts_.append_to(lines);
  lines_.append_to(lines);
  append(of_all_steps(), lines);
  return lines;
}

}  // namespace slipfield
