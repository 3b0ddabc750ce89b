// SPDX-License-Identifier: Apache-2.0
// The case that a saved state belongs to. Without it a state of other units, materials or layers
// would be accepted if only its grid fits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/case/reader.h"

namespace slipfield {

struct CaseOfState {
  std::string resolved_yaml;
  std::string problem;             // of its first step, as read
  std::vector<StepInput> steps{};  // those that its solver began with
  std::uint64_t heights = 0;  // a hash of the tables of heights, of which the case has only names
  std::string backend;        // empty: not chosen yet
};

// `entries`: the steps as read, without loads set since.
CaseOfState describe_case(CaseFile file, const std::vector<StepInput>& entries,
                          std::string backend);

// Throws InputError, which names the first difference, unless both are the same case on the same
// backend. What steps may change may differ, except the problem of the first step, as may the
// title, outputs and expected values.
void require_case_of_state(const CaseOfState& saved, const CaseOfState& here);

}  // namespace slipfield
