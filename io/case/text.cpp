// SPDX-License-Identifier: Apache-2.0
#include "io/case/text.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "io/case/change/override.h"
#include "io/result/writer.h"

namespace slipfield {
namespace {

std::unique_ptr<CaseText> parse(std::filesystem::path path, SourceText source,
                                CaseDiagnostics& diagnostics) {
  auto text = std::make_unique<CaseText>(CaseText{std::move(path), std::move(source), {}, {}, {}});
  auto tree = parse_yaml(text->source.text(), text->source, diagnostics);
  if (!tree) diagnostics.throw_if_any();
  text->tree = std::move(*tree);
  return text;
}

// Whether the argument of --set leaves the numbers of the results unchanged.
bool keeps_numbers(std::string_view argument) {
  constexpr std::array<std::string_view, 5> kSections = {"title", "output", "solver", "interior",
                                                         "schema"};
  const std::string_view section = argument.substr(0, argument.find_first_of(".="));
  return std::ranges::find(kSections, section) != kSections.end();
}

void skip_expected(CaseText& text, const std::vector<std::string>& overrides) {
  const auto sets_expected = [](const std::string& argument) {
    return argument.starts_with("expected");
  };
  if (text.tree.find("expected") == nullptr || std::ranges::all_of(overrides, keeps_numbers) ||
      std::ranges::any_of(overrides, sets_expected))
    return;
  text.tree.erase("expected");
  text.skipped_expected = true;
}

}  // namespace

void apply_overrides(CaseText& text, const std::vector<std::string>& overrides,
                     CaseDiagnostics& diagnostics) {
  for (const std::string& argument : overrides) {
    text.arguments.push_back(override_source(argument));
    apply_override(text.tree, text.arguments.back(), text.value_files, diagnostics);
  }
}

std::shared_ptr<const CaseSource> source_of(const CaseText& text) {
  CaseSource source{text.path.filename().string(), text.source.text(), {}};
  for (const SourceText& argument : text.arguments) source.overrides.push_back(argument.text());
  return std::make_shared<const CaseSource>(std::move(source));
}

std::unique_ptr<CaseText> read_case_text(const std::filesystem::path& path,
                                         const std::vector<std::string>& overrides,
                                         CaseDiagnostics& diagnostics) {
  auto text = parse(path, read_source(path), diagnostics);
  apply_overrides(*text, overrides, diagnostics);
  skip_expected(*text, overrides);
  return text;
}

std::unique_ptr<CaseText> make_case_text(const std::string& yaml, const std::string& name,
                                         const std::filesystem::path& folder,
                                         CaseDiagnostics& diagnostics) {
  return parse(folder / name, make_source(name, yaml), diagnostics);
}

}  // namespace slipfield
