// SPDX-License-Identifier: Apache-2.0
// --set key.path=value: changes the tree of a case before it is validated, as the points of a sweep
// do.
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

// The entry of a list that a key of a path names: digits, without a zero in front of others.
std::optional<std::size_t> list_index(std::string_view segment);

// The keys of a path that is written at `place`: keys joined by dots, list entries by number from 0
// (steps.0.normal.force). Nothing, with an error that says what is `accepted`, where it is not a
// path.
std::optional<std::vector<PathSegment>> split_path(std::string_view path, const SourcePlace& place,
                                                   std::string_view accepted,
                                                   CaseDiagnostics& diagnostics);

// False, with an error: the path leads into wheel_rail, and the case is one of another kind.
bool fits_kind(const YamlNode& root, const std::vector<PathSegment>& path,
               CaseDiagnostics& diagnostics);

// Puts the value where the path leads; maps on the way are made where they are missing. An error
// where it leads through a value.
void replace_value(YamlNode& root, const std::vector<PathSegment>& path, YamlNode value,
                   CaseDiagnostics& diagnostics);

// Sets one value, which is YAML in one line, or after `@` the name of a file that holds it: a list
// of thousands of values does not fit the command line. The file's text is kept in `files`, where
// the places of its values are. What is wrong with the argument is collected in `diagnostics`;
// throws CaseError where the file cannot be read.
void apply_override(YamlNode& root, const SourceText& source, std::deque<SourceText>& files,
                    CaseDiagnostics& diagnostics);

}  // namespace slipfield
