// SPDX-License-Identifier: Apache-2.0
// The section `grid`: elements, and their places by spacing or extent.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "io/case/check/faults.h"
#include "io/case/names.h"
#include "io/case/sections.h"

namespace slipfield {
namespace {

// dx, dy and the corner from `extent`, which replaces spacing and origin.
bool read_extent(CaseSection& grid, Grid& result) {
  auto extent = grid.section("extent", "a map {x: [least, greatest], y: [least, greatest]}",
                             Presence::optional);
  if (!extent) return false;
  const auto x = extent->number_pair("x", kAnyNumber, "[least, greatest]", Presence::required);
  const auto y = extent->number_pair("y", kAnyNumber, "[least, greatest]", Presence::required);
  extent->finish();
  bool good = extent->is_map() && x && y;
  const auto check = [&](std::string_view key, const auto& range) {
    if (!range || (*range)[0] < (*range)[1]) return;
    extent->error_at_value(key, "does not increase", "a list [least, greatest]");
    good = false;
  };
  check("x", x);
  check("y", y);
  if (!good) return false;
  result.dx = ((*x)[1] - (*x)[0]) / result.mx;
  result.dy = ((*y)[1] - (*y)[0]) / result.my;
  result.x0 = (*x)[0];
  result.y0 = (*y)[0];
  return true;
}

// How many elements each one becomes in each direction; 0 where that is wrong.
int read_refine(CaseSection& grid, const std::optional<std::array<int, 2>>& elements) {
  const auto refine = grid.integer("refine", {1, kMaxElements}, Presence::optional);
  if (!refine) return grid.has("refine") ? 0 : 1;
  if (!elements) return *refine;
  const int most = kMaxElements / std::max((*elements)[0], (*elements)[1]);
  if (*refine <= most) return *refine;
  grid.error_at_value("refine",
                      fmt::format("gives more than {} elements in a direction", kMaxElements),
                      fmt::format("an integer from 1 to {}", most));
  return 0;
}

// The same area in smaller elements. A row stays a row: its length is not part of the problem.
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

}  // namespace

void check_refine(CaseSection& root) {
  const YamlNode& node = root.node();
  const YamlNode* grid = node.find("grid");
  if (grid == nullptr || grid->kind != YamlNode::Kind::map) return;
  const YamlNode* refine = grid->find("refine");
  if (refine == nullptr || refine->text == "1") return;
  const auto any_of = [&](const YamlNode* list, bool (*has)(const YamlNode&)) {
    if (list == nullptr) return false;
    return has(*list) || (list->kind == YamlNode::Kind::sequence &&
                          std::any_of(list->items.begin(), list->items.end(), has));
  };
  const bool heights = any_of(node.find("geometry"), is_file_of_elements);
  if (!heights && !has_local_file(node) && !any_of(node.find("steps"), has_local_file)) return;
  root.diagnostics().add(
      refine->place, "grid.refine",
      fmt::format("the file of the {} has one value per element, which cannot be refined",
                  heights ? "heights" : "friction coefficients"),
      heights ? "heights with a spacing of their own, or no refine"
              : "points along y, or no refine");
}

std::optional<Grid> read_grid(CaseSection& root) {
  auto section = root.section("grid", "a map {elements, spacing or extent}", Presence::required);
  if (!section) return std::nullopt;
  const auto elements =
      section->integer_pair("elements", {1, kMaxElements}, "[mx, my]", Presence::required);
  const auto boundary = section->choice("boundary", kBoundaries, Presence::optional);
  const bool boundary_good = boundary || !section->has("boundary");
  const auto form = section->one_of({"spacing", "extent"}, Presence::required);
  const auto spacing = section->number_pair("spacing", kPositive, "[dx, dy]", Presence::optional);
  const auto origin = section->number_pair("origin", kAnyNumber, "[x0, y0]", Presence::optional);
  if (section->has("extent") && section->has("origin"))
    section->error_at_key("origin", "given together with 'extent', which fixes it",
                          "exactly one of extent, spacing with origin");
  const int refine = read_refine(*section, elements);
  Grid grid;
  if (elements) grid.mx = (*elements)[0], grid.my = (*elements)[1];
  bool good =
      elements && form && boundary_good && refine > 0 && (origin || !section->has("origin"));
  const bool has_extent = read_extent(*section, grid);
  section->finish();
  good = good && (*form == "spacing" ? spacing.has_value() : has_extent);
  if (!good) return std::nullopt;
  if (*form == "spacing") {
    grid.dx = (*spacing)[0], grid.dy = (*spacing)[1];
    grid.x0 = origin ? (*origin)[0] : -0.5 * grid.mx * grid.dx;
    grid.y0 = origin ? (*origin)[1] : -0.5 * grid.my * grid.dy;
  }
  refine_elements(grid, refine);
  grid.boundary = boundary.value_or(Boundary::free);
  const bool sound = report_faults(*section, check_grid(grid), {{"dx", *form}, {"dy", *form}});
  return sound ? std::optional(grid) : std::nullopt;
}

}  // namespace slipfield
