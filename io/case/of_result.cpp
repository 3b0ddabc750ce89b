// SPDX-License-Identifier: Apache-2.0
#include "io/case/of_result.h"

#include <cstdint>
#include <limits>
#include <memory>

#include "io/case/change/override.h"
#include "io/case/sections.h"
#include "io/case/text.h"
#include "io/yaml/number.h"
#include "solver/error.h"

namespace slipfield {
namespace {

// The resolved case of a result; only sections that name no files are read from it.
std::unique_ptr<CaseText> text_of(const ResultHeader& header, CaseDiagnostics& diagnostics) {
  return make_case_text(header.case_yaml, "the result's /case", {}, diagnostics);
}

CaseSection root_of(const CaseText& text, CaseDiagnostics& diagnostics) {
  CaseSection root(text.tree, {&text.source, kWholeSource, 0}, "", diagnostics);
  if (!root.is_map()) diagnostics.throw_if_any();
  return root;
}

void read_bodies_of(CaseSection& root, ContactProblem& problem) {
  read_bodies(root, problem, root.has("wheel_rail") ? kWheelRailBodies : kContactBodies);
}

}  // namespace

ResultBodies read_result_bodies(const ResultHeader& header,
                                const std::vector<std::string>& overrides) {
  CaseDiagnostics diagnostics;
  const auto text = text_of(header, diagnostics);
  apply_overrides(*text, overrides, diagnostics);
  diagnostics.throw_if_any();
  CaseSection root = root_of(*text, diagnostics);
  ContactProblem problem;
  read_bodies_of(root, problem);
  const auto interior = read_interior(root, header.grid, problem);
  diagnostics.throw_if_any();
  return {{problem.upper, problem.lower}, interior.value_or(InteriorRequest{})};
}

std::array<ElasticBody, 2> read_result_materials(const ResultHeader& header) {
  CaseDiagnostics diagnostics;
  const auto text = text_of(header, diagnostics);
  CaseSection root = root_of(*text, diagnostics);
  ContactProblem problem;
  read_bodies_of(root, problem);
  diagnostics.throw_if_any();
  return {problem.upper, problem.lower};
}

bool has_interior(const ResultHeader& header) {
  CaseDiagnostics diagnostics;
  return text_of(header, diagnostics)->tree.index_of("interior").has_value();
}

bool has_curved_surfaces(const ResultHeader& header) {
  CaseDiagnostics diagnostics;
  const auto text = text_of(header, diagnostics);
  const YamlNode* surface = text->tree.find("wheel_rail", "contact_surface");
  return text->tree.index_of("influence").has_value() ||
         (surface != nullptr && surface->text == "conformal");
}

int steps_of_case(const ResultHeader& header) {
  CaseDiagnostics diagnostics;
  std::int64_t count = 0;
  try {
    const auto text = text_of(header, diagnostics);
    const YamlNode* steps = text->tree.find("steps");
    if (steps == nullptr) return 1;
    for (const YamlNode& step : steps->items) {
      const YamlNode* repeat = step.find("repeat");
      count += repeat == nullptr ? 1 : parse_integer(repeat->text).value.value_or(0);
    }
  } catch (const InputError&) {
    return 0;  // a damaged text, which nothing else is read from here
  }
  return count > 0 && count <= std::numeric_limits<int>::max() ? static_cast<int>(count) : 0;
}

}  // namespace slipfield
