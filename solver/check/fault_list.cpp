// SPDX-License-Identifier: Apache-2.0
#include "solver/check/fault_list.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace slipfield {

bool FaultList::number(std::string_view name, double value, const NumberRange& range,
                       FaultKind kind) {
  if (!std::isfinite(value)) {
    add(name, joined(value, " is not finite"), range.describe_one());
    return false;
  }
  if (range.contains(value)) return true;
  add(name, joined(value, " is out of range"), range.describe_one(), kind);
  return false;
}

bool FaultList::each(const NumberRange& range, std::initializer_list<Named> numbers) {
  bool good = true;
  for (const auto& [name, value] : numbers) good = number(name, value, range) && good;
  return good;
}

bool FaultList::integer(std::string_view name, std::int64_t value, const IntegerRange& range) {
  if (value >= range.least && value <= range.greatest) return true;
  add(name, joined(value, " is out of range"), range.describe_one());
  return false;
}

bool FaultList::numbers(std::string_view name, const std::vector<double>& values,
                        const NumberRange& range) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i]) && range.contains(values[i])) continue;
    return number(joined(name, "[", i, "]"), values[i], range);
  }
  return true;
}

bool FaultList::increasing(std::string_view name, const std::vector<double>& values) {
  if (std::ranges::adjacent_find(values, std::greater_equal<>()) == values.end()) return true;
  add(name, "does not increase", "a list of increasing numbers");
  return false;
}

}  // namespace slipfield
