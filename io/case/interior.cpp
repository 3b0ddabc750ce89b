// SPDX-License-Identifier: Apache-2.0
// interior: stresses and displacements computed inside the bodies after each step.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/case/check/faults.h"
#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/case/table.h"
#include "io/result/interior/group.h"
#include "io/yaml/suggestion.h"

namespace slipfield {
namespace {

// --- depths

struct DepthKeys {
  Spacing spacing = Spacing::linear;
  std::optional<double> from;
  std::optional<double> to;
  std::optional<int> points;
};

const KeyTable kDepthsTable{
    "interior.depths",
    {number("from", &DepthKeys::from, kAnyNumber, "0, required with `logarithmic`",
            "the first depth"),
     number("to", &DepthKeys::to, kPositive, "required", "the last one"),
     integer("points", &DepthKeys::points, IntegerRange{2, static_cast<std::int64_t>(kMostDepths)},
             "required", "how many, 2 or more"),
     word("spacing", &DepthKeys::spacing, kSpacings, "linear", "`linear`, `logarithmic`")}};

std::vector<double> depths_of(CaseSection& section, const DepthKeys& keys) {
  if (keys.spacing == Spacing::linear)
    return linear_depths(keys.from.value_or(0.0), *keys.to, *keys.points);
  if (keys.from && *keys.from > 0.0) return logarithmic_depths(*keys.from, *keys.to, *keys.points);
  if (keys.from)
    section.error_at_value("from", fmt::format("{} is out of range", *keys.from),
                           kPositive.describe_one());
  else
    section.diagnostics().add_missing(section.place(), section.path_of("from"),
                                      kPositive.describe_one());
  return {};
}

void read_depths(CaseSection& section, const KeyRow& row, InteriorRequest& request) {
  const auto value = section.at(row.name, row.accepted, Presence::required);
  if (!value) return;
  if (value->node.kind != YamlNode::Kind::map) {
    keys::read_value(*value, row.forms.front(), request.depths);
    return;
  }
  auto range = section.section(row.name, row.accepted, Presence::required);
  DepthKeys keys;
  if (kDepthsTable.read_into(*range, &keys)) request.depths = depths_of(*range, keys);
}

// --- region

const KeyTable kRegionTable{
    "interior.region",
    {pair("x", &InteriorRequest::box_x, kAnyNumber, kEnds, "required",
          "[least, greatest]: element centres between them"),
     pair("y", &InteriorRequest::box_y, kAnyNumber, kEnds, "required", "likewise")}};

// Leaves the region unchanged if it could not be read, which has been reported.
void read_region(CaseSection& section, const KeyRow& row, InteriorRequest& request) {
  const YamlNode* node = section.value(row.name, row.accepted, Presence::optional);
  if (node == nullptr) return;
  if (node->kind != YamlNode::Kind::map) {
    const auto index = keys::read_word(section, row, Presence::optional);
    if (index) request.region = kInteriorRegions.at(*index).value;
    return;
  }
  auto box = section.section(row.name, row.accepted, Presence::required);
  if (kRegionTable.read_into(*box, &request)) request.region = InteriorRegion::box;
}
std::string region_text(const InteriorRequest& request) {
  if (request.region != InteriorRegion::box)
    return std::string(name_of(kInteriorRegions, request.region));
  return flow_text(kRegionTable, &request);
}

// --- quantities

struct Group {
  std::string_view name;
  InteriorQuantity first;
  int count;
};
constexpr std::array<Group, 3> kGroups{{
    {"stress", InteriorQuantity::stress_xx, 6},
    {"principal", InteriorQuantity::principal_1, 3},
    {"displacement", InteriorQuantity::displacement_x, 3},
}};

void add_once(std::vector<InteriorQuantity>& quantities, InteriorQuantity quantity) {
  if (std::ranges::find(quantities, quantity) == quantities.end()) quantities.push_back(quantity);
}

// Returns false for an unknown name.
bool add_named(std::vector<InteriorQuantity>& quantities, std::string_view name) {
  for (const Group& group : kGroups) {
    if (group.name != name) continue;
    for (int i = 0; i < group.count; ++i)
      add_once(quantities, static_cast<InteriorQuantity>(static_cast<int>(group.first) + i));
    return true;
  }
  const auto quantity = interior_from_name(name);
  if (quantity) add_once(quantities, *quantity);
  return quantity.has_value();
}

std::vector<InteriorQuantity> all_quantities() {
  std::vector<InteriorQuantity> quantities;
  for (int i = 0; i < kLocalQuantities; ++i) quantities.push_back(static_cast<InteriorQuantity>(i));
  return quantities;
}

std::vector<std::string> known_quantities() {
  std::vector<std::string> names = interior_names();
  for (const Group& group : kGroups) names.emplace_back(group.name);
  return names;
}

void read_quantities(CaseSection& section, const KeyRow& row, InteriorRequest& request) {
  const auto value = section.at(row.name, row.accepted, Presence::optional);
  if (!value) return;
  if (value->node.kind == YamlNode::Kind::scalar && value->node.text == "all") {
    request.quantities = all_quantities();
    return;
  }
  if (!value->is_list()) return value->refuse(describe_node(value->node), row.accepted);
  const std::vector<std::string> names = known_quantities();
  const std::vector<std::string_view> words(names.begin(), names.end());
  std::vector<InteriorQuantity> quantities;
  const auto items = value->items(row.accepted);
  for (const CaseValue& item : *items) {
    const auto name = item.text("a quantity's name");
    if (name && !add_named(quantities, *name))
      item.refuse(in_quotes(*name) + " is not known", accepted_words(*name, words));
  }
  if (!quantities.empty() || value->node.items.empty()) request.quantities = std::move(quantities);
}

std::string quantities_text(const InteriorRequest& request) {
  std::vector<std::string_view> names;
  for (const InteriorQuantity quantity : request.quantities)
    names.push_back(interior_entry(quantity).name);
  return fmt::format("[{}]", fmt::join(names, ", "));
}

// --- fatigue: the slopes themselves, or those from a material's limits.

struct SlopeKeys {
  std::optional<double> torsion_limit;
  std::optional<double> bending_limit;
  FatigueSlopes slopes;
};

const KeyTable kSlopesTable{
    "interior.fatigue",
    {number("torsion_limit", &SlopeKeys::torsion_limit, kPositive, "required with `bending_limit`",
            "amplitude in reversed torsion, 0.5774 to 1 of the bending limit")
         .need(),
     number("bending_limit", &SlopeKeys::bending_limit, kPositive, "required with `torsion_limit`",
            "amplitude in reversed bending or tension")
         .need(),
     number("dang_van", InPart{&SlopeKeys::slopes, &FatigueSlopes::dang_van}, kAnyNumber,
            "not computed",
            "or the slope a_DV itself, 0 to 1.5: what a unit of hydrostatic stress adds"),
     number("crossland", InPart{&SlopeKeys::slopes, &FatigueSlopes::crossland}, kAnyNumber,
            "not computed", "likewise a_C, 0 to 1.2679")},
    {{{{"torsion_limit", "bending_limit"}, {"dang_van", "crossland"}},
      Presence::required,
      "torsion_limit and bending_limit, or the slopes dang_van, crossland"}}};

void read_slopes(CaseSection& interior, const KeyRow& row, InteriorRequest& request) {
  auto section = interior.section(row.name, row.accepted, Presence::optional);
  if (!section) return;
  SlopeKeys keys;
  kSlopesTable.read_into(*section, &keys);
  const auto& [torsion, bending, slopes] = keys;
  request.fatigue = slopes;
  if (torsion && bending) request.fatigue = fatigue_slopes(*torsion, *bending);
  if (torsion && bending && (*request.fatigue.crossland < 0.0 || *torsion > *bending)) {
    section->error_at_value("torsion_limit",
                            fmt::format("is {:.4g} of the bending limit", *torsion / *bending),
                            "0.5774 to 1 of it, where both slopes are 0 or above; or the slope "
                            "dang_van or crossland itself");
    request.fatigue = {};
  }
}
std::string slopes_text(const InteriorRequest& request) {
  if (request.fatigue == FatigueSlopes{}) return {};
  const SlopeKeys keys{{}, {}, request.fatigue};
  return flow_text(kSlopesTable, &keys);
}

// The stresses in a viscoelastic body depend only on the tractions, its displacements do not.
void refuse_displacements(CaseSection& section, const InteriorRequest& request,
                          const ContactProblem& bodies) {
  if (!creeps(bodies)) return;
  for (const InteriorQuantity quantity : request.quantities) {
    if (interior_entry(quantity).dimension != Dimension::length) continue;
    return section.error_at_value("quantities",
                                  "displacements inside viscoelastic bodies are not computed",
                                  "stresses, or elastic bodies");
  }
}

}  // namespace

const KeyTable kInteriorTable{
    "interior",
    {word("body", &InteriorRequest::bodies, kInteriorBodies, "both", "`upper`, `lower`, `both`"),
     value("depths", {list_form(number_form(kAnyNumber), 1), map_form()},
           "a list of depths, or a map {from, to, points, spacing}, in the case's length",
           "required", "a list of increasing depths >= 0 from the surface into the body, or a map")
         .of(kDepthsTable)
         .at(&InteriorRequest::depths)
         .by(read_depths),
     value("region", {word_form({"contact", "grid"}), map_form()},
           "contact, grid, or a map {x, y} of ranges", "contact",
           "`contact`: the rectangle around it, `grid`, or a box {x: [least, greatest], y: [least, "
           "greatest]}")
         .of(kRegionTable)
         .by(read_region, region_text),
     value("quantities", {word_form({"all"}), list_form(word_form(known_quantities()), 0)},
           "all, or a list of names of quantities, with stress, principal and displacement for "
           "their components",
           "[von_mises, tresca]",
           "`all`, or a list of `stress`, `principal`, `displacement`, `von_mises`, `tresca`, "
           "`hydrostatic`, or single components (`stress_xz`, `principal_1`, `displacement_z`)")
         .by(read_quantities, quantities_text),
     map("fatigue", kSlopesTable, "none", "adds `dang_van`, `crossland` to the quantities")
         .says("a map {torsion_limit, bending_limit}, or {dang_van, crossland}, one or both")
         .by(read_slopes, slopes_text)}};

std::optional<InteriorRequest> read_interior(CaseSection& root, const std::optional<Grid>& grid,
                                             const ContactProblem& problem,
                                             const std::optional<std::vector<StepInput>>& steps) {
  auto section = root.section("interior", kInteriorTable.accepted_text(), Presence::optional);
  if (!section) return std::nullopt;
  InteriorRequest request;
  kInteriorTable.read_into(*section, &request);
  if (request.fatigue.dang_van) add_once(request.quantities, InteriorQuantity::dang_van);
  if (request.fatigue.crossland) add_once(request.quantities, InteriorQuantity::crossland);
  refuse_displacements(*section, request, problem);
  if (problem.influence.exists())
    section->diagnostics().warn(section->place(), section->path(),
                                "what is inside the bodies is that of half-spaces under the "
                                "tractions, although 'influence' has curved surfaces");
  if (!grid || request.depths.empty()) return request;
  report_faults(*section, kInteriorTable, check_interior(request, *grid));
  report_faults(*section, kInteriorTable,
                check_interior_depths(request, {problem.upper, problem.lower}));
  if (!steps) return request;
  for (const StepInput& step : *steps)  // the first whose material does not pass as asked
    if (!report_faults(*section, kInteriorTable, check_interior_step(request, step))) break;
  return request;
}

std::string interior_text(const InteriorRequest& request) {
  return "interior:\n" + block_text(kInteriorTable, &request, "  ");
}

}  // namespace slipfield
