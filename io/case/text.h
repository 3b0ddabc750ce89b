// SPDX-License-Identifier: Apache-2.0
// The text of a case before it is read: from a file or from a program, with values put in place.
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

// A case as it was written, --set applied. The places in the tree are places in its texts.
struct CaseText {
  std::filesystem::path path;
  SourceText source;
  std::deque<SourceText> arguments;    // keeps its elements in place
  std::deque<SourceText> value_files;  // that arguments name
  std::vector<std::string> set;        // the arguments, with the values of those files
  YamlNode tree;
  bool skipped_expected = false;  // --set changes what is computed, and the tree has no `expected`
};

// Puts the values of the arguments of --set in place.
void apply_overrides(CaseText& text, const std::vector<std::string>& overrides,
                     CaseDiagnostics& diagnostics);

struct CaseSource;  // io/result/writer.h
std::shared_ptr<const CaseSource> source_of(const CaseText& text);

// Throws CaseError where the file cannot be read or is not YAML. `overrides`: the arguments of
// --set; what is wrong with them is collected in `diagnostics`.
std::unique_ptr<CaseText> read_case_text(const std::filesystem::path& path,
                                         const std::vector<std::string>& overrides,
                                         CaseDiagnostics& diagnostics);
// The same of a text that is in no file. `name` stands for it in messages; files that the case
// names are relative to `folder`.
std::unique_ptr<CaseText> make_case_text(const std::string& yaml, const std::string& name,
                                         const std::filesystem::path& folder,
                                         CaseDiagnostics& diagnostics);

}  // namespace slipfield
