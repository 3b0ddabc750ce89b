// SPDX-License-Identifier: Apache-2.0
#include "app/run/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "io/result/field_table.h"

namespace slipfield {

std::vector<ExpectationResult> compare_with_expected(const std::vector<Expectation>& expected,
                                                     const std::vector<StepRecord>& steps,
                                                     bool complete) {
  std::vector<ExpectationResult> results;
  for (const Expectation& expectation : expected) {
    if (expectation.step == 0 && !complete) continue;  // the last step has not run
    const std::size_t index =
        expectation.step == 0 ? steps.size() : static_cast<std::size_t>(expectation.step);
    if (index == 0 || index > steps.size()) continue;
    const StepRecord& step = steps[index - 1];
    const double value = step.wheel ? step.wheel->get(expectation.quantity, expectation.contact)
                                    : quantity(step.report, step.input, expectation.quantity);
    const double difference = value - expectation.value;
    results.push_back({expectation, step.number, value, difference,
                       std::fabs(difference) <= expectation.tolerance});
  }
  return results;
}

bool all_within(const std::vector<ExpectationResult>& results) {
  return std::all_of(results.begin(), results.end(),
                     [](const ExpectationResult& result) { return result.within; });
}

std::vector<std::string> expectation_table(const std::vector<ExpectationResult>& results) {
  const bool of_sweep = std::any_of(results.begin(), results.end(), [](const auto& result) {
    return result.expectation.point != 0;
  });
  const auto point = [&](const auto& value) {
    return of_sweep ? fmt::format("{:>6} ", value) : std::string();
  };
  std::vector<std::string> lines = {
      point("point") + fmt::format("{:>5}  {:<22} {:>14} {:>14} {:>12} {:>12}  {:<6}  {}", "step",
                                   "quantity", "expected", "got", "difference", "tolerance",
                                   "within", "source")};
  for (const ExpectationResult& result : results) {
    const Expectation& expectation = result.expectation;
    lines.push_back(point(expectation.point) +
                    fmt::format("{:>5}  {:<22} {:>14.7g} {:>14.7g} {:>12.3g} {:>12.3g}  {:<6}  {}",
                                result.step, expectation.quantity, expectation.value, result.value,
                                result.difference, expectation.tolerance,
                                result.within ? "yes" : "NO", expectation.source));
  }
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  return lines;
}

nlohmann::ordered_json expectations_json(const std::vector<ExpectationResult>& results) {
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (const ExpectationResult& result : results) {
    array.push_back({{"quantity", result.expectation.quantity},
                     {"step", result.step},
                     {"expected", result.expectation.value},
                     {"tolerance", result.expectation.tolerance},
                     {"got", result.value},
                     {"difference", result.difference},
                     {"within", result.within},
                     {"source", result.expectation.source}});
    if (result.expectation.point != 0) array.back()["point"] = result.expectation.point;
  }
  return array;
}

}  // namespace slipfield
