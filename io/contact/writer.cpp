// SPDX-License-Identifier: Apache-2.0
#include "io/contact/writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "io/case/reader.h"
#include "io/case/sections.h"
#include "io/contact/bodies/influence.h"
#include "io/yaml/tree.h"

namespace slipfield {
namespace {

constexpr std::size_t kRemarkColumn = 44;

// Appends a remark to the line; remarks of short lines are aligned.
std::string remarked(std::string line, std::string_view remark) {
  if (!remark.empty()) {
    line.resize(std::max(line.size() + 2, kRemarkColumn), ' ');
    line += "# ";
    line += remark;
  }
  return line + "\n";
}

// The numbers of the cases in a group; repeated ones are listed separately.
std::string numbers_of(const InputGroup& group) {
  const InputCase& own = *group.cases[group.repeated];
  std::string numbers = case_numbers(own, *group.cases.back());
  if (group.repeated == 0) return numbers;
  return fmt::format("{}, after {}", numbers,
                     case_numbers(*group.cases.front(), *group.cases[group.repeated - 1]));
}

std::string grid_text(const InputSurface& surface) {
  const Grid& grid = surface.grid;
  return remarked("grid:", surface.grid_remark) +
         fmt::format("  elements: [{}, {}]\n  spacing: [{}, {}]\n  origin: [{}, {}]\n", grid.mx,
                     grid.my, grid.dx, grid.dy, grid.x0, grid.y0);
}

std::string tangential_text(const InputStep& step) {
  std::string text = remarked("tangential:", step.problem_remark);
  text += fmt::format("  problem: {}\n", step.problem);
  for (const MotionEntry& entry : step.motion)
    text += remarked(fmt::format("  {}: {}", entry.key, entry.value), entry.remark);
  return text;
}

// BKTEMP, HEATCP, LAMBDA, DENS of one body, starting at index `first`.
std::string thermal_line(const InputNumbers& heat, std::size_t first) {
  return fmt::format("{{conductivity: {}, capacity: {}, density: {}, temperature: {}}}",
                     heat[first + 2].value, heat[first + 1].value, heat[first + 3].value,
                     heat[first].value);
}

std::string plastic_text(const InputCase& input) {
  const InputNumbers& share = input.state.plastic_heat;
  if (!input_layer(input).yields() || share.empty()) return {};
  return remarked(fmt::format("  plastic_share: {}", share[0].value), "BETAPL");
}

// K0_MF, ALFAMF, BETAMF and FLX as settings of the solver; nothing if they have no effect.
std::string slope_text(const InputCase& input) {
  const InputNumbers& slope = input.state.slope;
  std::string text;
  if (slope[0].value != 1.0 || slope[1].value != 1.0)
    text = fmt::format(", slope: {{initial: {}, rest: {}, decay: {}}}", slope[0].value,
                       slope[1].value, slope[2].value);
  if (input.digit('M') == 2)
    text += fmt::format(", flexibility: {}", input.state.flexibility.value);
  return text;
}

// B of the fast methods: the source of the pressure and thus of the bound.
std::string bound_text(const InputCase& input) {
  switch (input.digit('B')) {
    case 0:
    case 1:
      return ", normal: bound_cg";
    case 2:
      return input.digit('M') == 5 ? "" : ", traction_bound: elliptic";
    case 3:
      return input.digit('M') == 5 ? "" : ", traction_bound: parabolic";
    case 5:
      return ", normal: kpec";
    case 6:
      return ", normal: analyn";
    default:
      break;
  }
  const HalfEllipses halves = input_half_ellipses(input.state.potential);
  return fmt::format(
      ", normal: sdec, half_ellipses: {{semi_axis_x: {}, below: {}, above: {}, border: {}}}",
      halves.semi_axis_x, halves.below, halves.above, halves.border);
}

// One entry for each case; consecutive equal ones become one that is repeated.
std::string steps_text(const InputGroup& group) {
  if (group.cases.size() == 1) return {};
  std::string text = "steps:\n";
  for (std::size_t i = 0; i < group.cases.size();) {
    std::size_t end = i + 1;
    while (end < group.cases.size() && same_step(group.steps[end], group.steps[i])) ++end;
    std::vector<std::string> lines;
    if (i > 0) lines = changed_sections(group.steps[i], group.steps[i - 1]);
    if (end - i > 1) lines.push_back(fmt::format("repeat: {}", end - i));
    text += step_entry(*group.cases[i], *group.cases[end - 1], lines);
    i = end;
  }
  return text;
}

std::string heights_text(const InputSurface& surface) {
  std::string text;
  if (!surface.heights) return text;
  const std::vector<double>& values = *surface.heights;
  const auto mx = static_cast<std::size_t>(surface.grid.mx);
  for (std::size_t i = 0; i < values.size(); ++i)
    text += fmt::format("{}{}", values[i], (i + 1) % mx == 0 ? "\n" : " ");
  return text;
}

}  // namespace

std::string case_numbers(const InputCase& first, const InputCase& last) {
  return first.number == last.number ? fmt::format("case {}", first.number)
                                     : fmt::format("cases {} to {}", first.number, last.number);
}

std::string case_source(const InputCase& first, const InputCase& last) {
  return fmt::format("{}, lines {} to {}", case_numbers(first, last), first.first_line,
                     last.last_line);
}

std::string step_entry(const InputCase& first, const InputCase& last,
                       const std::vector<std::string>& lines) {
  return fmt::format("  # {}\n  - {}\n", case_source(first, last),
                     lines.empty() ? "{}" : fmt::to_string(fmt::join(lines, "\n    ")));
}

std::string input_solver(const InputCase& input) {
  if (!input.simplified()) return {};
  return remarked(
      fmt::format("solver: {{tangential: {}{}{}}}", input.digit('M') == 5 ? "fastrip" : "fastsim",
                  bound_text(input), slope_text(input)),
      fmt::format("M = {}, B = {}", input.digit('M'), input.digit('B')));
}

std::string input_heat(const InputCase& input, const std::array<const char*, 2>& names) {
  if (!input.heats()) return {};
  const InputNumbers& heat = input.state.heat;
  return remarked("heat:", fmt::format("{}: H = {}, BKTEMP, HEATCP, LAMBDA, DENS", lines_of(heat),
                                       input.digit('H'))) +
         fmt::format("  {}: {}\n  {}: {}\n", names[0], thermal_line(heat, 0), names[1],
                     thermal_line(heat, 4)) +
         plastic_text(input);
}

ConvertedCase write_input_group(const InputGroup& group, const std::string& name,
                                const std::filesystem::path& folder) {
  const InputCase& first = *group.cases.front();
  const InputCase& own = *group.cases[group.repeated];
  const InputCase& last = *group.cases.back();
  const InputStep& step = group.steps.front();
  ConvertedCase result;
  result.first_case = own.number;
  result.last_case = last.number;
  result.steps = static_cast<int>(group.cases.size() - group.repeated);
  const std::string source =
      group.repeated == 0 ? case_source(first, last)
                          : fmt::format("{}; P = 3 of case {} begins where the case before did",
                                        numbers_of(group), own.number);
  result.head = fmt::format(
      "# Converted from {}: {}.\n"
      "# Digits and names in capitals are CONTACT's. How it iterates (G, I, MAXGS to EPS) and what "
      "it prints\n# (A, O, W) is not taken over.\nschema: 1\ntitle: {}\n",
      name, source, double_quoted(fmt::format("{}, {}", name, numbers_of(group))));
  result.head += remarked("units: N-mm-s", "N, mm, N/mm2, mm/s");
  const std::string creep =
      first.viscoelastic() ? "; " + lines_of(first.state.creep) + ": FG 1,2, TC 1,2" : "";
  result.head +=
      remarked("bodies:", lines_of(first.state.material) + ": POISS 1,2, GG 1,2" + creep) +
      fmt::format("  upper: {}\n  lower: {}\n", body_text(upper_body(first)),
                  body_text(lower_body(first)));
  if (std::string layer = layer_text(input_layer(first)); !layer.empty()) {
    layer.pop_back();
    result.head += remarked(layer, first.digit('M') == 4 ? "LAYTHK/GG3, TAU_C0, K_TAU" : "FLXZ");
  }
  if (const std::string influence = input_influence(first, folder); !influence.empty())
    result.head += remarked(influence, fmt::format("C = {}", first.state.influence.value));
  result.head += remarked("friction: " + step.friction, step.friction_remark);
  result.head += grid_text(group.surface);
  result.head += remarked("geometry:", group.surface.geometry_remark);
  for (const std::string& member : group.surface.members)
    result.head += fmt::format("  - {}\n", member);
  result.heights = heights_text(group.surface);
  if (!result.heights.empty()) {
    result.head += "  - {type: heights, file: ";
    result.tail = ", of: distance}\n";
  }
  std::string& rest = result.heights.empty() ? result.head : result.tail;
  if (std::string patches = patches_text(group.surface.patches); !patches.empty()) {
    patches.pop_back();
    rest += remarked(patches, "IPLAN = 4: XL, XH, YL, YH, weights");
  }
  rest += remarked("normal: " + step.normal, step.normal_remark);
  rest += tangential_text(step);
  rest += steps_text(group);
  rest += input_solver(first);
  rest += input_heat(first, {"upper", "lower"});
  if (std::string inside = points_text(group.cases, group.surface.grid); !inside.empty()) {
    const std::size_t end = inside.find('\n');
    rest += remarked(inside.substr(0, end), "all points of S, ISUBS") + inside.substr(end + 1);
  }
  return result;
}

}  // namespace slipfield
