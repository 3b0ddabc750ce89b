// SPDX-License-Identifier: Apache-2.0
#include "io/case/of_result.h"

#include <cmath>
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
#include "solver/wheel_rail/wheel_rail.h"

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
                                const std::vector<SourceText>& overrides) {
  CaseDiagnostics diagnostics;
  const auto text = text_of(header, diagnostics);
  for (const SourceText& argument : overrides)
    apply_override(text->tree, argument, text->value_files, diagnostics);
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

namespace {

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
    rolls = rolls || of.find("wheel_rail") != nullptr ||
            (problem != nullptr && problem->text.ends_with("_rolling"));
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
