// SPDX-License-Identifier: Apache-2.0
// An input file of CONTACT for tests, and how it reads as a case.
#pragma once

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "io/contact/contact_input.h"
#include "tests/support/test_case_support.h"

namespace slipfield::test {

// Steady rolling on 12 x 10 elements; unlike numbers, so that none is taken for another.
inline const std::string kRolling = R"(% rolling
 3  MODULE
  203100   P-B-T-N-F-S
  022020   L-D-C-M-Z-E
 0000341   H-G-I-A-O-W-R
  80 200 5 1 1e-6           MAXGS, MAXIN, MAXNR, MAXOUT, EPS
  800. 0.001 -0.002 0.0003  FN, CKSI, CETA, CPHI
  0.3  0.3                  FSTAT, FKIN
  0.0  0.5 3000.            CHI, DQ, VELOC
  0.25 0.35 400. 500.       POISS 1,2, GG 1,2
  1                         IPOTCN
  12 10 -6. -4. 1.0 0.8     MX, MY, XL, YL, DX, DY
  1 1                       IBASE, IPLAN
  0.01 0.001 0.02 0.003 -0.004 0.005
)";
inline const std::string kEnd = " 0  MODULE\n";
inline const std::string kGrid =
    "  1                         IPOTCN\n  12 10 -6. -4. 1.0 0.8     MX, MY, XL, YL, DX, DY\n";
inline const std::string kQuadratic =
    "  1 1                       IBASE, IPLAN\n"
    "  0.01 0.001 0.02 0.003 -0.004 0.005\n";

inline ConvertedInput converted(const std::string& text,
                                const std::optional<CaseRange>& range = {}) {
  const TemporaryFolder folder;
  return convert_contact_input(folder.write("a.inp", text), range);
}

inline CaseFile read_converted(const ConvertedCase& converted_case) {
  const TemporaryFolder folder;
  folder.write("heights.txt", converted_case.heights);
  return read_case(folder.write("case.yaml", converted_case.text("heights.txt")));
}

// The only case file of the cases.
inline ContactProblem problem_of(const std::string& text) {
  const ConvertedInput input = converted(text + kEnd);
  REQUIRE(input.cases.size() == 1);
  return read_converted(input.cases.front()).problem;
}

inline ContactProblem edited_problem(const std::string& old_text, const std::string& new_text) {
  return problem_of(edited(kRolling, old_text, new_text));
}

inline const StepInput& only_step(const ContactProblem& problem) {
  REQUIRE(problem.steps.size() == 1);
  return problem.steps.front();
}

}  // namespace slipfield::test
