// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_case_support.h"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace slipfield::test {

const std::string kPlainCase = R"(schema: 1
title: Cattaneo shift
units: N-mm-s
bodies:
  upper: {shear_modulus: 200.0, poisson_ratio: 0.42}
  lower: {shear_modulus: 100.0, poisson_ratio: 0.3}
friction: {coefficient: 0.4}
grid:
  elements: [19, 17]
  spacing: [0.125, 0.25]
  origin: [-1.25, -2.0]
geometry: {type: quadratic, xx: 0.01, yy: 0.02}
normal: {force: 9.0}
tangential:
  problem: shift
  x: {force_ratio: -0.875}
  y: {shift: 0.001}
)";

const std::string kPlainGeometry = "{type: quadratic, xx: 0.01, yy: 0.02}";

std::string edited(const std::string& text, const std::string& old_text,
                   const std::string& new_text) {
  const std::size_t position = text.find(old_text);
  REQUIRE(position != std::string::npos);
  REQUIRE(text.find(old_text, position + 1) == std::string::npos);
  std::string result = text;
  return result.replace(position, old_text.size(), new_text);
}

CaseFile read_text(const std::string& text, const std::vector<std::string>& overrides) {
  const TemporaryFolder folder;
  return read_case(folder.write("case.yaml", text), overrides);
}

std::string error_of(const std::string& text, const std::vector<std::string>& overrides) {
  const TemporaryFolder folder;
  const auto path = folder.write("case.yaml", text);
  try {
    read_case(path, overrides);
  } catch (const CaseError& error) {
    CHECK(error.exit_code() == ExitCode::bad_input);
    std::string message = error.what();
    for (const CaseFault& fault : error.faults()) {  // in one form, whatever the fault
      CHECK_FALSE(fault.remedy.starts_with("accepted"));
      CHECK_FALSE(fault.remedy.starts_with("did you mean"));
    }
    const std::string prefix = folder.path().string() + "/";
    for (std::size_t at = 0; (at = message.find(prefix, at)) != std::string::npos;)
      message.erase(at, prefix.size());
    return message;
  }
  return {};
}

std::vector<std::string> messages_of(const std::string& text,
                                     const std::vector<std::string>& overrides) {
  std::vector<std::string> messages;
  std::istringstream lines(error_of(text, overrides));
  for (std::string line; std::getline(lines, line);) {
    const bool is_excerpt = line.find(" | ") < 7;
    constexpr std::string_view kPrefix = "error: ";  // of the second message and later ones
    if (!is_excerpt)
      messages.push_back(line.starts_with(kPrefix) ? line.substr(kPrefix.size()) : line);
  }
  return messages;
}

std::vector<std::string> warnings_about(const CaseFile& file, const std::string& key) {
  std::vector<std::string> found;
  std::copy_if(
      file.warnings.begin(), file.warnings.end(), std::back_inserter(found),
      [&](const std::string& warning) { return warning.find(key + ":") != std::string::npos; });
  return found;
}

}  // namespace slipfield::test
