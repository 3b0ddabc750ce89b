// SPDX-License-Identifier: Apache-2.0
// Compares a run with the `expected:` numbers of its case.
#pragma once

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

// Every expectation whose step has run, in the case's order.
std::vector<ExpectationResult> compare_with_expected(const std::vector<Expectation>& expected,
                                                     const std::vector<StepRecord>& steps,
                                                     bool complete);
bool all_within(const std::vector<ExpectationResult>& results);

std::vector<std::string> expectation_table(const std::vector<ExpectationResult>& results);
nlohmann::ordered_json expectations_json(const std::vector<ExpectationResult>& results);

}  // namespace slipfield
