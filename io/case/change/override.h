// SPDX-License-Identifier: Apache-2.0
// --set key.path=value: changes the tree of a case before it is validated, like the points of a
// sweep.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/yaml/diagnostics.h"
#include "io/yaml/source.h"
#include "io/yaml/tree.h"

namespace slipfield {

// The argument of --set as a source of places: messages name it instead of file:line:column.
SourceText override_source(const std::string& argument);

// One key of a path.
struct PathSegment {
  std::string name;
  SourcePlace place;
};

// Returns the list index that a path segment stands for: digits without leading zeros.
std::optional<std::size_t> list_index(std::string_view segment);

// Splits a path written at `place` into its keys, which are joined by dots; list entries are
// numbered from 0 (steps.0.normal.force). If it is not a path, returns nothing and reports what is
// `accepted`.
std::optional<std::vector<PathSegment>> split_path(std::string_view path, const SourcePlace& place,
                                                   std::string_view accepted,
                                                   CaseDiagnostics& diagnostics);

// Reports an error and returns false if the path leads into wheel_rail but the case is of another
// kind.
bool fits_kind(const YamlNode& root, const std::vector<PathSegment>& path,
               CaseDiagnostics& diagnostics);

// Puts the value at the end of the path and makes missing maps on the way. Reports an error if the
// path leads through a value.
void replace_value(YamlNode& root, const std::vector<PathSegment>& path, YamlNode value,
                   CaseDiagnostics& diagnostics);

// Sets one value: YAML in one line, or after `@` the name of a file with the value, since a list of
// thousands of values does not fit on the command line. Keeps the file's text in `files`, because
// places of values point into it. Collects faults of the argument in `diagnostics`; throws
// CaseError if the file cannot be read.
void apply_override(YamlNode& root, const SourceText& source, std::deque<SourceText>& files,
                    CaseDiagnostics& diagnostics);

}  // namespace slipfield
