// SPDX-License-Identifier: Apache-2.0
// The text of a case before it is read, from a file or a program, with --set applied.
#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <string>
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

}  // namespace slipfield
