// SPDX-License-Identifier: Apache-2.0
// interior: what is computed inside the bodies after each step.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/case/check/faults.h"
#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/result/interior/group.h"
#include "io/yaml/suggestion.h"

namespace slipfield {
namespace {

constexpr std::string_view kAcceptedQuantities =
    "all, or a list of names of quantities, with stress, principal and displacement for their "
    "components";

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
  if (std::find(quantities.begin(), quantities.end(), quantity) == quantities.end())
    quantities.push_back(quantity);
}

// False where the name is not known.
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

void read_quantities(CaseSection& section, InteriorRequest& request) {
  section.takes("quantities", [] { return word_form({"all"}); });
  section.takes("quantities", [] { return list_form(word_form(known_quantities()), 0); });
  const YamlNode* node = section.value("quantities", kAcceptedQuantities, Presence::optional);
  if (node == nullptr) return;
  if (node->kind == YamlNode::Kind::scalar && node->text == "all") {
    request.quantities = all_quantities();
    return;
  }
  if (node->kind != YamlNode::Kind::sequence) {
    section.error_at_value("quantities", describe_node(*node), kAcceptedQuantities);
    return;
  }
  const std::vector<std::string> names = known_quantities();
  const std::vector<std::string_view> words(names.begin(), names.end());
  std::vector<InteriorQuantity> quantities;
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const std::string path = fmt::format("{}.{}", section.path_of("quantities"), i);
    const auto name = read_text(node->items[i], path, "a quantity's name", section.diagnostics());
    if (name && !add_named(quantities, *name))
      section.diagnostics().add(node->items[i].place, path, in_quotes(*name) + " is not known",
                                accepted_words(*name, words));
  }
  if (!quantities.empty() || node->items.empty()) request.quantities = std::move(quantities);
}

std::vector<double> read_depth_range(CaseSection& section) {
  const auto spacing = section.choice("spacing", kSpacings, Presence::optional);
  const bool logarithmic = spacing == Spacing::logarithmic;
  const auto from = section.number("from", logarithmic ? kPositive : kAnyNumber,
                                   logarithmic ? Presence::required : Presence::optional);
  const auto to = section.number("to", kPositive, Presence::required);
  const auto points =
      section.integer("points", {2, static_cast<std::int64_t>(kMostDepths)}, Presence::required);
  section.finish();
  if (!to || !points || (section.has("from") && !from)) return {};
  return logarithmic ? logarithmic_depths(*from, *to, *points)
                     : linear_depths(from.value_or(0.0), *to, *points);
}

// False where they could not be read, which has been reported.
bool read_depths(CaseSection& section, InteriorRequest& request) {
  constexpr std::string_view kAccepted =
      "a list of depths, or a map {from, to, points, spacing}, in the case's length";
  const YamlNode* node = section.value("depths", kAccepted, Presence::required);
  if (node == nullptr) return false;
  if (node->kind == YamlNode::Kind::map) {
    if (auto range = section.section("depths", kAccepted, Presence::required))
      request.depths = read_depth_range(*range);
  } else if (const auto list = section.number_list("depths", kAnyNumber, 1, Presence::required)) {
    request.depths = *list;
  }
  return !request.depths.empty();
}

// Left as it is where it could not be read, which has been reported.
void read_region(CaseSection& section, InteriorRequest& request) {
  constexpr std::string_view kAccepted = "contact, grid, or a map {x, y} of ranges";
  const YamlNode* node = section.value("region", kAccepted, Presence::optional);
  if (node == nullptr) return;
  if (node->kind == YamlNode::Kind::map) {
    auto box = section.section("region", kAccepted, Presence::required);
    const auto x = box->number_pair("x", kAnyNumber, "[least, greatest]", Presence::required);
    const auto y = box->number_pair("y", kAnyNumber, "[least, greatest]", Presence::required);
    box->finish();
    if (!x || !y) return;
    request.region = InteriorRegion::box;
    request.box_x = *x;
    request.box_y = *y;
    return;
  }
  request.region =
      section.choice("region", kInteriorRegions, Presence::optional).value_or(request.region);
}

// The stresses of a viscoelastic body follow from the tractions alone, its displacements do not.
void refuse_displacements(CaseSection& section, const InteriorRequest& request,
                          const ContactProblem& bodies) {
  if (!is_viscoelastic(bodies.upper) && !is_viscoelastic(bodies.lower)) return;
  for (const InteriorQuantity quantity : request.quantities) {
    if (interior_entry(quantity).dimension != Dimension::length) continue;
    return section.error_at_value("quantities",
                                  "displacements inside viscoelastic bodies are not computed",
                                  "stresses, or elastic bodies");
  }
}

// The slopes themselves, or those of a material's limits.
void read_fatigue_slopes(CaseSection& interior, InteriorRequest& request) {
  auto section = interior.section(
      "fatigue", "a map {torsion_limit, bending_limit}, or {dang_van, crossland}, one or both",
      Presence::optional);
  if (!section) return;
  const bool limits = section->has("torsion_limit") || section->has("bending_limit");
  const auto presence = limits ? Presence::required : Presence::optional;
  const auto torsion = section->number("torsion_limit", kPositive, presence);
  const auto bending = section->number("bending_limit", kPositive, presence);
  if (limits) {
    for (const std::string_view key : {"dang_van", "crossland"})
      section->refuse(key, "follows from the limits", "the limits, or slopes");
    if (torsion && bending) request.fatigue = fatigue_slopes(*torsion, *bending);
    if (torsion && bending && (*request.fatigue.crossland < 0.0 || *torsion > *bending)) {
      section->error_at_value("torsion_limit",
                              fmt::format("is {:.4g} of the bending limit", *torsion / *bending),
                              "0.5774 to 1 of it, where both slopes are 0 or above; or the slope "
                              "dang_van or crossland itself");
      request.fatigue = {};
    }
  } else {
    request.fatigue.dang_van = section->number("dang_van", kAnyNumber, Presence::optional);
    request.fatigue.crossland = section->number("crossland", kAnyNumber, Presence::optional);
    if (!section->has("dang_van") && !section->has("crossland"))
      section->error_here("is empty",
                          "torsion_limit and bending_limit, or the slopes dang_van, crossland");
  }
  section->finish();
  if (request.fatigue.dang_van) add_once(request.quantities, InteriorQuantity::dang_van);
  if (request.fatigue.crossland) add_once(request.quantities, InteriorQuantity::crossland);
}

std::string fatigue_text(const FatigueSlopes& slopes) {
  if (slopes == FatigueSlopes{}) return "";
  std::vector<std::string> parts;
  if (slopes.dang_van) parts.push_back(fmt::format("dang_van: {}", *slopes.dang_van));
  if (slopes.crossland) parts.push_back(fmt::format("crossland: {}", *slopes.crossland));
  return fmt::format("  fatigue: {{{}}}\n", fmt::join(parts, ", "));
}

// Of the steps the first whose material does not pass as asked.
void report_step_of_fatigue(CaseSection& section, const InteriorRequest& request,
                            const std::vector<StepInput>& steps) {
  for (const StepInput& step : steps) {
    const auto faults = check_interior_step(request, step);
    if (!faults.empty()) {
      report_faults(section, faults, {{"fatigue", "fatigue"}});
      return;
    }
  }
}

}  // namespace

std::optional<InteriorRequest> read_interior(CaseSection& root, const std::optional<Grid>& grid,
                                             const ContactProblem& problem,
                                             const std::optional<std::vector<StepInput>>& steps) {
  auto section = root.section("interior", "a map {body, depths, region, quantities, fatigue}",
                              Presence::optional);
  if (!section) return std::nullopt;
  InteriorRequest request;
  const auto bodies = section->choice("body", kInteriorBodies, Presence::optional);
  if (bodies == InteriorBodies::upper) request.bodies = {Body::upper};
  if (bodies == InteriorBodies::lower) request.bodies = {Body::lower};
  const bool has_depths = read_depths(*section, request);
  read_region(*section, request);
  read_quantities(*section, request);
  read_fatigue_slopes(*section, request);
  section->finish();
  refuse_displacements(*section, request, problem);
  if (problem.influence.exists())
    section->diagnostics().warn(section->place(), section->path(),
                                "what is inside the bodies is that of half-spaces under the "
                                "tractions, although 'influence' has curved surfaces");
  if (!grid || !has_depths) return request;
  report_faults(*section, check_interior(request, *grid),
                {{"depths", "depths"},
                 {"region", "region"},
                 {"quantities", "quantities"},
                 {"fatigue", "fatigue"}});
  if (steps) report_step_of_fatigue(*section, request, *steps);
  return request;
}

std::string interior_text(const InteriorRequest& request) {
  const auto range = [](const std::array<double, 2>& pair) {
    return fmt::format("[{}, {}]", pair[0], pair[1]);
  };
  const bool both = request.bodies.size() == 2;
  const std::string body(both ? "both" : body_name(request.bodies.front()));
  std::string region(name_of(kInteriorRegions, request.region));
  if (request.region == InteriorRegion::box)
    region = fmt::format("{{x: {}, y: {}}}", range(request.box_x), range(request.box_y));
  std::vector<std::string_view> names;
  for (const InteriorQuantity quantity : request.quantities)
    names.push_back(interior_entry(quantity).name);
  return fmt::format("interior:\n  body: {}\n  depths: [{}]\n  region: {}\n  quantities: [{}]\n",
                     body, fmt::join(request.depths, ", "), region, fmt::join(names, ", ")) +
         fatigue_text(request.fatigue);
}

}  // namespace slipfield
