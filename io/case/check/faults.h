// SPDX-License-Identifier: Apache-2.0
// What solver/problem_check.h finds, at its key and place in the case. Which key gives a field of
// the problem is in the tables of keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/case/section.h"
#include "solver/problem_check.h"

namespace slipfield {

struct KeyTable;

// Where in a case a value was written that a step has.
using KeyPath = std::vector<std::string>;

std::string dotted(const KeyPath& path);
KeyPath key_path(const std::string& dotted_path);

// Nothing where the path does not lead to a value.
const YamlNode* find_path(const YamlNode* node, const KeyPath& path);

struct FoundValue {
  const YamlNode* node = nullptr;
  std::string path;  // where it was written: "steps.1.normal.force"
  KeyPath key;       // the one of the paths
};

// The value in force at an entry of `steps`, which the last entry up to it names, or the root; by
// the first of the paths that is there. Without any the root.
FoundValue value_in_force(const YamlNode& root, std::size_t entry,
                          const std::vector<KeyPath>& paths);

// Faults of one part of the problem ("grid.dx"), at the keys of its section, which the table reads.
// `below`: what else the section's fields begin with. True: there are none.
bool report_faults(CaseSection& section, const KeyTable& table, const std::vector<Fault>& faults,
                   std::string_view below = {});

// Reports the faults of a step whose sections in force are members of `step`. `path`: that of its
// entry, with a point at the end.
bool report_step_faults(const YamlNode& step, const std::string& path,
                        const std::vector<Fault>& faults, CaseDiagnostics& diagnostics);

// A key that is not known in the section `within`, but in one of the sections of that: the path
// there, "wheel_rail.wheelset" of `wheelset`, continued by the keys given below it, each alone.
// Else empty.
std::string path_elsewhere(const std::string& within, const std::string& name,
                           const YamlNode& value);

// Reports what does not go together in the contacts of a wheel on a rail, whose grids are chosen in
// the run.
void report_wheel_problem(CaseSection& root, ContactProblem problem);

// Reports the faults of the whole problem. `is_whole`: all of it was read; otherwise only what its
// steps and methods say against each other is reported.
void report_problem(CaseSection& root, const ContactProblem& problem, bool is_whole);

}  // namespace slipfield
