// SPDX-License-Identifier: Apache-2.0
// Reports faults that solver/problem_check.h finds, with their key and place in the case. The
// tables of keys say which key sets which field of the problem.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/case/section.h"
#include "solver/problem_check.h"

namespace slipfield {

struct KeyTable;

// The place in a case of a value that a step uses.
using KeyPath = std::vector<std::string>;

std::string dotted(const KeyPath& path);
KeyPath key_path(const std::string& dotted_path);

// Returns nullptr if the path does not lead to a value.
const YamlNode* find_path(const YamlNode* node, const KeyPath& path);

struct FoundValue {
  const YamlNode* node = nullptr;
  std::string path;  // place of the value: "steps.1.normal.force"
  KeyPath key;       // the path that was found
};

// Returns the value in force at an entry of `steps`: from the last entry up to it that has one of
// the paths, else from the root, trying the paths in order. Without any the root.
FoundValue value_in_force(const YamlNode& root, std::size_t entry,
                          const std::vector<KeyPath>& paths);

// Reports faults of one part of the problem ("grid.dx") at the keys of the section, which `table`
// reads. `below`: the common beginning of the section's fields. Returns true if there are none.
bool report_faults(CaseSection& section, const KeyTable& table, const std::vector<Fault>& faults,
                   std::string_view below = {});

// Reports the faults of a step, whose sections in force are members of `step`. `path`: that of its
// entry, with a trailing dot.
bool report_step_faults(const YamlNode& step, const std::string& path,
                        const std::vector<Fault>& faults, CaseDiagnostics& diagnostics);

// For a key that is unknown in section `within` but exists in one of its subsections, returns the
// path there, such as "wheel_rail.wheelset" for `wheelset`, followed by the keys given below it,
// each on its own. Else empty.
std::string path_elsewhere(const std::string& within, const std::string& name,
                           const YamlNode& value);

// Reports combinations that contacts of a wheel on a rail do not allow; their grids are chosen in
// the run.
void report_wheel_problem(CaseSection& root, ContactProblem problem);

// Reports the faults of the whole problem. `is_whole`: all of it was read; otherwise only
// contradictions between its steps and methods are reported.
void report_problem(CaseSection& root, const ContactProblem& problem, bool is_whole);

}  // namespace slipfield
