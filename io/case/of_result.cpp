// SPDX-License-Identifier: Apache-2.0
#include "io/case/of_result.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "io/case/sections.h"
#include "io/case/text.h"
#include "io/yaml/number.h"
#include "io/yaml/tree.h"
#include "solver/error.h"
#include "solver/wheel_rail/wheel_rail.h"

namespace slipfield {
namespace {

// The resolved case of a result; only sections that name no files are read from it.
std::unique_ptr<CaseText> text_of(const ResultHeader& header, CaseDiagnostics& diagnostics) {
  return make_case_text(header.case_yaml, "the result's /case", {}, diagnostics);
}

// Its tree; null for a damaged text.
YamlNode tree_of(const ResultHeader& header) {
  CaseDiagnostics diagnostics;
  try {
    return std::move(text_of(header, diagnostics)->tree);
  } catch (const InputError&) {
    return {};
  }
}

CaseSection root_of(const CaseText& text, CaseDiagnostics& diagnostics) {
  CaseSection root(text.tree, {&text.source, kWholeSource, 0}, "", diagnostics);
  if (!root.is_map()) diagnostics.throw_if_any();
  return root;
}

ContactProblem bodies_of(CaseSection& root) {
  ContactProblem problem;
  read_bodies(root, problem, root.has("wheel_rail") ? kWheelRailBodies : kContactBodies);
  return problem;
}

// The case and each of its steps.
std::vector<const YamlNode*> case_and_steps(const YamlNode& tree) {
  std::vector<const YamlNode*> parts{&tree};
  if (const YamlNode* steps = tree.find("steps"))
    for (const YamlNode& step : steps->items) parts.push_back(&step);
  return parts;
}

// The elements of a case as it gives them: as numbers, or as text if they cannot be read without
// the points of its sweep.
struct CaseElements {
  std::optional<Grid> grid;  // for wheels of one element at 0, of their spacing
  std::string text;
};

std::optional<Grid> wheel_element(const YamlNode* spacing) {
  const PatchSettings usual;
  Grid element{.mx = 1, .my = 1, .dx = usual.spacing_x, .dy = usual.spacing_y};
  if (spacing == nullptr) return element;
  if (spacing->items.size() != 2) return std::nullopt;
  const auto dx = parse_number(spacing->items[0].text).value;
  const auto dy = parse_number(spacing->items[1].text).value;
  if (!dx || !dy) return std::nullopt;
  element.dx = *dx;
  element.dy = *dy;
  return element;
}

CaseElements elements_of(const ResultHeader& header) {
  CaseDiagnostics diagnostics;
  try {
    const auto text = text_of(header, diagnostics);
    const bool of_wheel = text->tree.find("wheel_rail") != nullptr;
    const YamlNode* node =
        of_wheel ? text->tree.find("wheel_rail", "spacing") : text->tree.find("grid");
    CaseElements elements;
    if (node != nullptr) elements.text = flow_yaml(*node);
    CaseSection root = root_of(*text, diagnostics);
    elements.grid = of_wheel ? wheel_element(node) : read_grid(root);
    return elements;
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace

ResultBodies read_result_bodies(const ResultHeader& header,
                                const std::vector<SourceText>& overrides) {
  CaseDiagnostics diagnostics;
  const auto text = text_of(header, diagnostics);
  for (const SourceText& argument : overrides)
    apply_override(text->tree, argument, text->value_files, diagnostics);
  diagnostics.throw_if_any();
  CaseSection root = root_of(*text, diagnostics);
  const ContactProblem problem = bodies_of(root);
  const auto interior = read_interior(root, header.grid, problem);
  diagnostics.throw_if_any();
  return {{problem.upper, problem.lower}, interior.value_or(InteriorRequest{})};
}

std::array<ElasticBody, 2> read_result_materials(const ResultHeader& header) {
  CaseDiagnostics diagnostics;
  const auto text = text_of(header, diagnostics);
  CaseSection root = root_of(*text, diagnostics);
  const ContactProblem problem = bodies_of(root);
  diagnostics.throw_if_any();
  return {problem.upper, problem.lower};
}

bool has_section(const ResultHeader& header, std::string_view name) {
  return tree_of(header).index_of(name).has_value();
}

bool lie_alike(const Grid& a, const Grid& b) {
  constexpr double kMoved = 1.0e-3;  // of an element
  const auto are_near = [](double one, double other, double spacing) {
    return std::fabs(one - other) <= kMoved * spacing;
  };
  return a.mx == b.mx && a.my == b.my && are_near(a.mx * a.dx, b.mx * b.dx, a.dx) &&
         are_near(a.my * a.dy, b.my * b.dy, a.dy) && are_near(a.x0, b.x0, a.dx) &&
         are_near(a.y0, b.y0, a.dy);
}

bool have_one_grid(const ResultHeader& a, const ResultHeader& b) {
  if (a.case_yaml == b.case_yaml) return true;
  const CaseElements one = elements_of(a);
  const CaseElements other = elements_of(b);
  return one.grid && other.grid ? lie_alike(*one.grid, *other.grid) : one.text == other.text;
}

bool rolls_steadily(const ResultHeader& header) {
  const YamlNode tree = tree_of(header);
  return std::ranges::any_of(case_and_steps(tree), [](const YamlNode* part) {
    const YamlNode* problem = part->find("tangential", "problem");
    return part->find("wheel_rail") != nullptr ||
           (problem != nullptr && problem->text == "steady_rolling");
  });
}

bool rolls_along_x(const ResultHeader& header) {
  const YamlNode tree = tree_of(header);
  bool rolls = false;
  for (const YamlNode* part : case_and_steps(tree)) {
    const YamlNode* problem = part->find("tangential", "problem");
    const YamlNode* direction = part->find("tangential", "direction");
    rolls = rolls || part->find("wheel_rail") != nullptr ||
            (problem != nullptr && problem->text.ends_with("_rolling"));
    if (direction != nullptr && parse_number(direction->text).value.value_or(0.0) != 0.0)
      return false;
  }
  return rolls;
}

bool has_curved_surfaces(const ResultHeader& header) {
  CaseDiagnostics diagnostics;
  const auto text = text_of(header, diagnostics);
  const YamlNode* surface = text->tree.find("wheel_rail", "contact_surface");
  return text->tree.index_of("influence").has_value() ||
         (surface != nullptr && surface->text == "conformal");
}

int steps_of_case(const ResultHeader& header) {
  const YamlNode tree = tree_of(header);
  if (tree.kind == YamlNode::Kind::null) return 0;
  const YamlNode* steps = tree.find("steps");
  if (steps == nullptr) return 1;
  std::int64_t count = 0;
  for (const YamlNode& step : steps->items) {
    const YamlNode* repeat = step.find("repeat");
    count += repeat == nullptr ? 1 : parse_integer(repeat->text).value.value_or(0);
  }
  return count > 0 && count <= std::numeric_limits<int>::max() ? static_cast<int>(count) : 0;
}

}  // namespace slipfield
