// SPDX-License-Identifier: Apache-2.0
#include "app/report/doubt_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/report/step_table.h"
#include "io/case/doubts.h"
#include "io/result/field_table.h"

namespace slipfield {

void DoubtLog::add(int number, const std::vector<Finding>& findings, Units units) {
  for (const Finding& finding : findings) {
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

// With all of the steps: "4 steps, 2 to 4 and 7".
std::string DoubtLog::edge_sentence() const {
  std::vector<std::string> ranges;
  for (auto first = at_edge_.begin(); first != at_edge_.end();) {
    auto last = first;
    auto next = std::next(last);
    while (next != at_edge_.end() && *next == *last + 1) last = next++;
    ranges.push_back(*first == *last ? std::to_string(*first)
                                     : fmt::format("{} to {}", *first, *last));
    first = next;
  }
  constexpr std::size_t kMostRanges = 10;  // each step's own warnings have all
  std::string last = ranges.back();
  ranges.pop_back();
  if (ranges.size() >= kMostRanges) {
    ranges.resize(kMostRanges);
    last = fmt::format("others up to {}", *at_edge_.rbegin());
  }
  const std::string all =
      ranges.empty() ? last : fmt::format("{} and {}", fmt::join(ranges, ", "), last);
  if (at_edge_.size() == 1) return fmt::format("step {}: {}", all, kEdgeWarning);
  return fmt::format("{}, {}: {}", counted(at_edge_.size(), "step"), all, kEdgeWarning);
}

std::vector<std::string> DoubtLog::of_steps(std::size_t steps) const {
  std::vector<std::string> result;
  if (!at_edge_.empty()) result.push_back(edge_sentence());
  for (const Entry& entry : entries_) {
    const bool coarse = entry.doubt == Doubt::one_element || entry.doubt == Doubt::few_elements;
    if (!coarse || entry.count == steps) result.push_back(sentence(entry, "step"));
  }
  return result;
}

}  // namespace slipfield
