// SPDX-License-Identifier: Apache-2.0
// grid: elements, and their places by spacing or extent.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "io/case/check/faults.h"
#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/case/table.h"

namespace slipfield {
namespace {

struct ExtentKeys {
  std::array<double, 2> x{};
  std::array<double, 2> y{};
};
struct GridKeys {
  std::array<int, 2> elements{1, 1};
  std::optional<std::array<double, 2>> spacing;
  std::optional<std::array<double, 2>> origin;
  std::optional<ExtentKeys> extent;
  std::optional<int> refine;
  Boundary boundary = Boundary::free;
};

const KeyTable kExtentTable{"grid.extent",
                            {pair("x", &ExtentKeys::x, kAnyNumber, kEnds, "required", kEnds),
                             pair("y", &ExtentKeys::y, kAnyNumber, kEnds, "required", kEnds)}};

// Reports contradictions between the keys; returns true if there are none.
bool check_keys(CaseSection& section, const GridKeys& keys) {
  const std::size_t before = section.diagnostics().reported();
  const auto check = [&](std::string_view key, const std::array<double, 2>& range) {
    if (range[0] < range[1]) return;
    section.error_at_value(key, "does not increase", "a list [least, greatest]");
  };
  if (keys.extent) check("extent.x", keys.extent->x);
  if (keys.extent) check("extent.y", keys.extent->y);
  const int most = kMaxElements / std::max(keys.elements[0], keys.elements[1]);
  if (keys.refine.value_or(1) > most)
    section.error_at_value("refine",
                           fmt::format("gives more than {} elements in a direction", kMaxElements),
                           fmt::format("an integer from 1 to {}", most));
  return section.diagnostics().reported() == before;
}

Grid grid_of(const GridKeys& keys) {
  Grid grid;
  grid.mx = keys.elements[0];
  grid.my = keys.elements[1];
  grid.boundary = keys.boundary;
  if (keys.extent) {
    const auto& [x, y] = *keys.extent;
    grid.dx = (x[1] - x[0]) / grid.mx;
    grid.dy = (y[1] - y[0]) / grid.my;
    grid.x0 = x[0];
    grid.y0 = y[0];
  } else {
    grid.dx = (*keys.spacing)[0];
    grid.dy = (*keys.spacing)[1];
    grid.x0 = keys.origin ? (*keys.origin)[0] : -0.5 * grid.mx * grid.dx;
    grid.y0 = keys.origin ? (*keys.origin)[1] : -0.5 * grid.my * grid.dy;
  }
  return grid;
}

// Divides the same area into smaller elements. A row stays a row: its width is not part of the
// problem.
void refine_elements(Grid& grid, int refine) {
  if (refine == 1) return;
  const auto divide = [refine](int& elements, double& spacing) {
    if (elements == 1) return;
    elements *= refine;
    spacing /= refine;
  };
  divide(grid.mx, grid.dx);
  divide(grid.my, grid.dy);
}

bool is_file_of_elements(const YamlNode& shape) {
  return shape.kind == YamlNode::Kind::map && shape.find("type") != nullptr &&
         shape.find("type")->text == "heights" && shape.find("spacing") == nullptr;
}

bool has_local_file(const YamlNode& part) {
  const YamlNode* friction = part.kind == YamlNode::Kind::map ? part.find("friction") : nullptr;
  if (friction == nullptr || friction->kind != YamlNode::Kind::map) return false;
  const YamlNode* local = friction->find("coefficient");
  return local != nullptr && local->kind == YamlNode::Kind::map && local->find("file") != nullptr;
}

// Whether grid.refine can be applied; files with a value for each element cannot be refined.
bool may_refine(CaseSection& root, const YamlNode& grid) {
  const YamlNode& node = root.node();
  const YamlNode* refine = grid.find("refine");
  const auto any_of = [&](const YamlNode* list, bool (*has)(const YamlNode&)) {
    if (list == nullptr) return false;
    return has(*list) ||
           (list->kind == YamlNode::Kind::sequence && std::ranges::any_of(list->items, has));
  };
  const bool heights = any_of(node.find("geometry"), is_file_of_elements);
  if (!heights && !has_local_file(node) && !any_of(node.find("steps"), has_local_file)) return true;
  root.diagnostics().add(
      refine->place, "grid.refine",
      fmt::format("the file of the {} has one value per element, which cannot be refined",
                  heights ? "heights" : "friction coefficients"),
      heights ? "heights with a spacing of their own, or no refine"
              : "points along y, or no refine");
  return false;
}

}  // namespace

const KeyTable kGridTable{
    "grid",
    {value("elements", {pair_form(integer_form(kElements), "[mx, my]")}, "", "required",
           "[mx, my], each 1 to 65536; one row is a strip, a two-dimensional contact if it is "
           "several times "
           "as long as the contact is wide")
         .gives({"mx", "my"})
         .at(&GridKeys::elements),
     pair("spacing", &GridKeys::spacing, kPositive, "[dx, dy]", "this or `extent`", "[dx, dy]")
         .gives({"dx", "dy"}),
     pair("origin", &GridKeys::origin, kAnyNumber, "[x0, y0]", "centred on (0, 0)",
          "[x, y] of the lower left corner")
         .gives({"x0", "y0"}),
     map("extent", &GridKeys::extent, kExtentTable, "this or `spacing`",
         "a map {x: [least, greatest], y: [least, greatest]}")
         .says("a map {x: [least, greatest], y: [least, greatest]}")
         .gives({"dx", "dy"}),
     integer("refine", &GridKeys::refine, kElements, "1",
             "an integer n: the same area in n times as many elements in each direction, 1/n as "
             "large"),
     word("boundary", &GridKeys::boundary, kBoundaries, "free",
          "`free` (half-space), `periodic`, or `periodic_x` or `periodic_y`: in that direction "
          "only, and free in the other")},
    {one_of({"spacing", "extent"}),
     {{{"extent"}, {"origin"}}, Presence::optional, "exactly one of extent, spacing with origin"}}};

std::optional<Grid> read_grid(CaseSection& root) {
  auto section = root.section("grid", "a map {elements, spacing or extent}", Presence::required);
  if (!section) return std::nullopt;
  GridKeys keys;
  if (!kGridTable.read_into(*section, &keys) || !check_keys(*section, keys)) return std::nullopt;
  Grid grid = grid_of(keys);
  if (keys.refine.value_or(1) != 1 && may_refine(root, section->node()))
    refine_elements(grid, *keys.refine);
  const bool sound = report_faults(*section, kGridTable, check_grid(grid));
  return sound ? std::optional(grid) : std::nullopt;
}

std::string grid_text(const Grid& grid) {
  GridKeys keys;
  keys.elements = {grid.mx, grid.my};
  keys.spacing = {grid.dx, grid.dy};
  keys.origin = {grid.x0, grid.y0};
  keys.boundary = grid.boundary;
  return "grid:\n" + block_text(kGridTable, &keys, "  ");
}

}  // namespace slipfield
