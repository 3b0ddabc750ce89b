// SPDX-License-Identifier: Apache-2.0
#include "app/report/doubt_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/report/step_table.h"
#include "app/report/step_warnings.h"
#include "app/report/wheel_warnings.h"
#include "io/case/doubts.h"
#include "io/result/field_table.h"

namespace slipfield {

namespace {

constexpr std::size_t kMostRanges = 10;  // each step's own warnings have all

}  // namespace

void DoubtLog::add_number(int number, Steps& steps) {
  if (steps.count > 0 && number <= steps.last) return;
  if (!steps.ranges.empty() && steps.ranges.back().second == number - 1)
    steps.ranges.back().second = number;
  else if (steps.ranges.size() < kMostRanges)
    steps.ranges.emplace_back(number, number);
  steps.last = number;
  ++steps.count;
}

void DoubtLog::add(int number, const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings)
    if (is_edge_warning(warning)) add_number(number, at_edge_[warning]);
}

void DoubtLog::add(int number, const ContactProblem& problem, const StepInput& input,
                   const StepReport& report) {
  if (report.touches_edge) add_number(number, at_edge_[std::string(kEdgeWarning)]);
  const Units units = problem.units;
  for (const Finding& finding : doubts_after(problem, input, report)) {
    auto entry = std::find_if(entries_.begin(), entries_.end(),
                              [&](const Entry& known) { return known.doubt == finding.doubt; });
    if (entry == entries_.end())
      entry = entries_.insert(entry, {finding.doubt, doubt_text(finding, units), number, 0, 0});
    if (entry->last != number) ++entry->count;
    if (number < entry->first) {
      entry->first = number;
      entry->text = doubt_text(finding, units);
    }
    entry->last = number;
  }
}

std::string DoubtLog::sentence(const Entry& entry, const std::string& noun) {
  if (entry.count == 1) return fmt::format("{} {}: {}", noun, entry.first, entry.text);
  return fmt::format("{}, first {}: {}", counted(entry.count, noun), entry.first, entry.text);
}

std::string DoubtLog::edge_sentence(const std::string& warning, const Steps& steps) {
  std::vector<std::string> ranges;
  for (const auto& [first, last] : steps.ranges)
    ranges.push_back(first == last ? std::to_string(first) : fmt::format("{} to {}", first, last));
  if (steps.last > steps.ranges.back().second)
    ranges.push_back(fmt::format("others up to {}", steps.last));
  const std::string last = ranges.back();
  ranges.pop_back();
  const std::string all =
      ranges.empty() ? last : fmt::format("{} and {}", fmt::join(ranges, ", "), last);
  if (steps.count == 1) return warning_text("step " + all, warning);
  return warning_text(fmt::format("{}, {}", counted(steps.count, "step"), all), warning);
}

std::vector<std::string> DoubtLog::of_steps(std::size_t steps) const {
  std::vector<std::string> result;
  for (const auto& [warning, at] : at_edge_) result.push_back(edge_sentence(warning, at));
  for (const Entry& entry : entries_) {
    const bool coarse = entry.doubt == Doubt::one_element || entry.doubt == Doubt::few_elements;
    if (!coarse || entry.count == steps) result.push_back(sentence(entry, "step"));
  }
  return result;
}

}  // namespace slipfield
