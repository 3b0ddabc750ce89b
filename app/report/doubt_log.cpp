// SPDX-License-Identifier: Apache-2.0
#include "app/report/doubt_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/report/step_table.h"
#include "io/case/doubts.h"

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

std::vector<std::string> DoubtLog::of_steps(std::size_t steps) const {
  std::vector<std::string> result;
  for (const Entry& entry : entries_) {
    const bool coarse = entry.doubt == Doubt::one_element || entry.doubt == Doubt::few_elements;
    if (!coarse || entry.count == steps) result.push_back(sentence(entry, "step"));
  }
  return result;
}

}  // namespace slipfield
