// SPDX-License-Identifier: Apache-2.0
// The text of a case before it is read, from a file or a program, and changes to its tree before it
// is validated: --set key.path=value, and the points of a sweep.
#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/yaml/diagnostics.h"
#include "io/yaml/source.h"
#include "io/yaml/tree.h"

namespace slipfield {

// A case as written, with --set applied. Places in the tree point into its texts.
struct CaseText {
  std::filesystem::path path;
  SourceText source;
  std::deque<SourceText> arguments;    // keeps its elements in place
  std::deque<SourceText> value_files;  // files named by arguments
  YamlNode tree;
  bool skipped_expected = false;  // --set changes the computation: the tree has no `expected`
};

// Applies the arguments of --set.
void apply_overrides(CaseText& text, const std::vector<std::string>& overrides,
                     CaseDiagnostics& diagnostics);

struct CaseSource;  // io/result/writer.h
std::shared_ptr<const CaseSource> source_of(const CaseText& text);

// Throws CaseError if the file cannot be read or is not YAML. `overrides`: the arguments of --set;
// their errors are collected in `diagnostics`.
std::unique_ptr<CaseText> read_case_text(const std::filesystem::path& path,
                                         const std::vector<std::string>& overrides,
                                         CaseDiagnostics& diagnostics);
// The same for a text without a file. `name` stands for it in messages; file names in the case are
// relative to `folder`.
std::unique_ptr<CaseText> make_case_text(const std::string& yaml, const std::string& name,
                                         const std::filesystem::path& folder,
                                         CaseDiagnostics& diagnostics);

// --- Changes.

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
