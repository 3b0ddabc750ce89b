// SPDX-License-Identifier: Apache-2.0
// A run against the `expected:` numbers of its case.
#pragma once

#include <cmath>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/run/step_session.h"
#include "io/case/reader.h"

namespace slipfield {

struct ExpectationResult {
  Expectation expectation;
  int step = 0;  // the number that was compared
  double value = 0.0;
  double difference = 0.0;
  bool within = false;
};

// Every expectation whose step has run, in the case's order. `steps`: records of steps with a
// number; value_of(record, expectation).
template <class Record, class ValueOf>
std::vector<ExpectationResult> compare_with_expected(const std::vector<Expectation>& expected,
                                                     const std::vector<Record>& steps,
                                                     bool complete, const ValueOf& value_of) {
  std::vector<ExpectationResult> results;
  for (const Expectation& expectation : expected) {
    if (expectation.step == 0 && !complete) continue;  // the last step has not run
    const std::size_t index =
        expectation.step == 0 ? steps.size() : static_cast<std::size_t>(expectation.step);
    if (index == 0 || index > steps.size()) continue;
    const Record& record = steps[index - 1];
    const double value = value_of(record, expectation);
    const double difference = value - expectation.value;
    results.push_back({expectation, record.number, value, difference,
                       std::fabs(difference) <= expectation.tolerance});
  }
  return results;
}

// Compares the steps of one contact.
std::vector<ExpectationResult> compare_with_expected(const std::vector<Expectation>& expected,
                                                     const std::vector<StepRecord>& steps,
                                                     bool complete);
bool all_within(const std::vector<ExpectationResult>& results);

std::vector<std::string> expectation_table(const std::vector<ExpectationResult>& results);
nlohmann::ordered_json expectations_json(const std::vector<ExpectationResult>& results);

}  // namespace slipfield
