// SPDX-License-Identifier: Apache-2.0
// Case files written, edited and read by the tests of the case reader.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "io/case/reader.h"
#include "tests/support/temporary_folder.h"

namespace slipfield::test {

// A complete case, one key in a line.
extern const std::string kPlainCase;
extern const std::string kPlainGeometry;  // its line's value

// The text with one occurrence of `old_text` replaced; the test fails where there is not exactly
// one.
std::string edited(const std::string& text, const std::string& old_text,
                   const std::string& new_text);

// Reads the text as "case.yaml".
CaseFile read_text(const std::string& text, const std::vector<std::string>& overrides = {});

// The warnings of the file that name `key`.
std::vector<std::string> warnings_about(const CaseFile& file, const std::string& key);

// What is wrong with the text, the folder cut from the file's name; empty: nothing.
std::string error_of(const std::string& text, const std::vector<std::string>& overrides = {});

// Only the lines "case.yaml:line:column: ...", without the excerpts.
std::vector<std::string> messages_of(const std::string& text,
                                     const std::vector<std::string>& overrides = {});

}  // namespace slipfield::test
