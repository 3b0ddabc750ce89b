// SPDX-License-Identifier: Apache-2.0
// Single values of a case file, and what is accepted for them.
//
// Readers return nothing where the value is wrong; the error, with the value's place, is then in
// the diagnostics.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/yaml/diagnostics.h"
#include "io/yaml/tree.h"
#include "solver/problem_limits.h"

namespace slipfield {

// A scalar as a number within the range.
std::optional<double> read_number(const YamlNode& node, std::string_view path,
                                  const NumberRange& range, CaseDiagnostics& diagnostics);
std::optional<std::int64_t> read_integer(const YamlNode& node, std::string_view path,
                                         const IntegerRange& range, CaseDiagnostics& diagnostics);
// A list of exactly two values.
bool is_pair(const YamlNode& node, std::string_view path, std::string_view accepted,
             CaseDiagnostics& diagnostics);
// A list of exactly two numbers; `names`: "[dx, dy]".
std::optional<std::array<double, 2>> read_number_pair(const YamlNode& node, std::string_view path,
                                                      const NumberRange& range,
                                                      std::string_view names,
                                                      CaseDiagnostics& diagnostics);
// A scalar as one line of text.
std::optional<std::string> read_text(const YamlNode& node, std::string_view path,
                                     std::string_view accepted, CaseDiagnostics& diagnostics);

// "has no value", "is a list", "is a map", or the quoted scalar.
std::string describe_node(const YamlNode& node);

}  // namespace slipfield
