// SPDX-License-Identifier: Apache-2.0
#include "io/case/of_result.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "io/case/change/override.h"
#include "io/case/sections.h"
#include "io/case/text.h"
#include "io/yaml/number.h"
#include "io/yaml/writer.h"
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

bool has_section(const ResultHeader& header, std::string_view name) {
  CaseDiagnostics diagnostics;
  try {
    return text_of(header, diagnostics)->tree.index_of(name).has_value();
  } catch (const InputError&) {
    return false;
  }
}

bool have_one_grid(const ResultHeader& a, const ResultHeader& b) {
  const auto elements_of = [](const ResultHeader& header) -> std::string {
    CaseDiagnostics diagnostics;
    try {
      const auto text = text_of(header, diagnostics);
      const YamlNode* node = text->tree.find("wheel_rail", "spacing");
      if (node == nullptr) node = text->tree.find("grid");
      return node == nullptr ? "" : flow_yaml(*node);
    } catch (const InputError&) {
      return {};
    }
  };
  return a.case_yaml == b.case_yaml || elements_of(a) == elements_of(b);
}

namespace {

// Calls look with the case and each of its steps; with nothing for a damaged text.
template <class Look>
void look_at_steps(const ResultHeader& header, const Look& look) {
  CaseDiagnostics diagnostics;
  try {
    const auto text = text_of(header, diagnostics);
    look(text->tree);
    if (const YamlNode* steps = text->tree.find("steps"); steps != nullptr)
      for (const YamlNode& step : steps->items) look(step);
  } catch (const InputError&) {
    return;
  }
}

}  // namespace

bool rolls_steadily(const ResultHeader& header) {
  bool steadily = false;
  look_at_steps(header, [&](const YamlNode& of) {
    const YamlNode* problem = of.find("tangential", "problem");
    steadily = steadily || of.find("wheel_rail") != nullptr ||
               (problem != nullptr && problem->text == "steady_rolling");
  });
  return steadily;
}

bool rolls_along_x(const ResultHeader& header) {
  bool rolls = false;
  bool turns = false;
  look_at_steps(header, [&](const YamlNode& of) {
    const YamlNode* problem = of.find("tangential", "problem");
    const YamlNode* direction = of.find("tangential", "direction");
    rolls = rolls || (problem != nullptr && problem->text.ends_with("_rolling"));
    turns =
        turns || (direction != nullptr && parse_number(direction->text).value.value_or(0.0) != 0.0);
  });
  return rolls && !turns;
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
