// SPDX-License-Identifier: Apache-2.0
// Converts input files of CONTACT, the field's reference program, to case files.
//
// Reads the cases of its basic contact module (module 3), or those of its wheel-rail module (module
// 1, io/contact/wheel/), which become steps of `wheel_rail`. Consecutive cases of module 3 with one
// grid, one geometry and the same bodies become the steps of one case file; a new file begins when
// these change, or when a case does not continue from the previous tractions (P = 1, 2). Signs
// agree: tractions and forces act on body 1, motions are body 1 minus body 2. The format was read
// from CONTACT's sources (github.com/eve70a/CONTACT).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace slipfield {

struct CaseRange {  // numbers of cases, from 1, both included
  int first = 1;
  int last = 0;
};

// One case file. `heights` is a file next to it: one value per element, my lines of mx.
struct ConvertedCase {
  int first_case = 0;
  int last_case = 0;
  int steps = 0;
  std::string head;     // up to the name of the heights file; all of it without one
  std::string tail;     // the rest
  std::string heights;  // empty: no such file
  [[nodiscard]] std::string text(const std::string& heights_name) const {
    return heights.empty() ? head : head + heights_name + tail;
  }
};

// A case, or the rest of the file from it on, that is not converted.
struct SkippedCase {
  int number = 0;
  int first_line = 0;
  int last_line = 0;
  bool rest_of_file = false;         // the rest cannot be read
  std::vector<std::string> reasons;  // each with its place
};

enum class Unsupported { refuse, skip };

struct ConvertedInput {
  std::vector<ConvertedCase> cases;
  std::vector<SkippedCase> skipped;
  std::vector<std::string> warnings;  // values left out or changed
};

// `range`: converts only these cases. Throws CaseError with every error as file:line:column: name:
// what is wrong; what is accepted. Unsupported::skip leaves out unsupported cases and those that
// continue from them; a file of which nothing remains is an error. `output_folder`: of the case
// files, whose names of profiles and coefficients are relative to it; empty: that of the input.
ConvertedInput convert_contact_input(const std::filesystem::path& path,
                                     const std::optional<CaseRange>& range,
                                     Unsupported unsupported = Unsupported::refuse,
                                     const std::filesystem::path& output_folder = {});

}  // namespace slipfield
