// SPDX-License-Identifier: Apache-2.0
// Input files of CONTACT, the field's reference program, as case files.
//
// Reads the cases of its basic contact module (module 3), or those of its wheel-rail module (module
// 1, io/contact/wheel/), which become steps of `wheel_rail`. Of the former, cases that follow one
// another on one grid, with one geometry and the same bodies, become the steps of one case file;
// another one begins where these change, or where a case does not continue from the tractions of
// the last one (P = 1, 2). Signs agree: tractions and forces act on body 1, motions are body 1
// minus body 2. The format was read from CONTACT's sources (github.com/eve70a/CONTACT).
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
  std::string head;     // up to the name of the heights file; without one all of it
  std::string tail;     // from there on
  std::string heights;  // empty: there is none
  [[nodiscard]] std::string text(const std::string& heights_name) const {
    return heights.empty() ? head : head + heights_name + tail;
  }
};

// A case, or the rest of the file from it on, that is left out.
struct SkippedCase {
  int number = 0;
  int first_line = 0;
  int last_line = 0;
  bool rest_of_file = false;         // what follows cannot be read
  std::vector<std::string> reasons;  // each with its place
};

enum class Unsupported { refuse, skip };

struct ConvertedInput {
  std::vector<ConvertedCase> cases;
  std::vector<SkippedCase> skipped;
  std::vector<std::string> warnings;  // what the cases leave out, or take otherwise than written
};

// `range`: only these cases are converted. Throws CaseError with every error as file:line:column:
// name: what is wrong; what is accepted. Unsupported::skip leaves out cases that are not supported,
// and those that continue from them; a file of which nothing remains is an error. `output_folder`:
// of the case files, which name profiles and coefficients from there; empty: that of the input.
ConvertedInput convert_contact_input(const std::filesystem::path& path,
                                     const std::optional<CaseRange>& range,
                                     Unsupported unsupported = Unsupported::refuse,
                                     const std::filesystem::path& output_folder = {});

}  // namespace slipfield
