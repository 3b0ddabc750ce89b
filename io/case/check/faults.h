// SPDX-License-Identifier: Apache-2.0
// What solver/problem_check.h finds, at its key and place in the case. The sentences are the
// solver's; `field = value` in what it accepts is `key: value` here.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "io/case/section.h"
#include "solver/problem_check.h"

namespace slipfield {

// The keys of a section that stand for fields of one part of the problem.
struct FieldKey {
  std::string_view field;  // the name of a field, or how names begin
  std::string_view key;
};

// At the values of the section's keys; of a field without a key at the section. True: there are
// none.
bool report_faults(CaseSection& section, const std::vector<Fault>& faults,
                   std::initializer_list<FieldKey> keys);

// Of a step whose sections in force are members of `step`. `path`: of its entry, with a point at
// the end.
bool report_step_faults(const YamlNode& step, const std::string& path,
                        const std::vector<Fault>& faults, CaseDiagnostics& diagnostics);

// Of the whole problem. `is_whole`: all of it was read; otherwise only what its steps and methods
// say against each other is reported.
void report_problem(CaseSection& root, const ContactProblem& problem, bool is_whole);

}  // namespace slipfield
