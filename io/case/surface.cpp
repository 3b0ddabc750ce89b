// SPDX-License-Identifier: Apache-2.0
// wear, heat, fatigue: effects of a contact on the surfaces.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "io/case/check/faults.h"
#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/case/table.h"

namespace slipfield {
namespace {

// --- wear

void read_archard_values(CaseSection& section, const KeyRow& row, ArchardMap& map) {
  keys::read_rows(section, row, {map.slip_velocity.size() + 1, "range of slip velocity"},
                  map.value);
}
std::string archard_values_text(const ArchardMap& map) {
  return keys::rows_text(map.value, map.slip_velocity.size() + 1);
}

const KeyForm kArchardRow = list_form(number_form(kNotNegative), 0);
const KeyTable kArchardTable{
    "wear.coefficient",
    {numbers("slip_velocity", &ArchardMap::slip_velocity, kPositive, 1, "none",
             "increasing limits > 0; needs `tangential.velocity`"),
     numbers("pressure", &ArchardMap::pressure, kPositive, 1, "none", "increasing limits > 0"),
     value("value", {list_form(kArchardRow, 0)}, "", "required",
           "a row for each range of pressure, from the lowest; in it a number >= 0 for each range "
           "of velocity")
         .by(read_archard_values, archard_values_text)}};

void read_archard(CaseSection& section, const KeyRow& row, WearRequest& wear) {
  const auto value = section.at(row.name, row.accepted, Presence::required);
  if (!value) return;
  if (value->node.kind != YamlNode::Kind::map) {
    keys::read_value(*value, row.forms.front(), wear.coefficient.value);
    return;
  }
  auto map = section.section(row.name, row.accepted, Presence::required);
  kArchardTable.read_into(*map, &wear.coefficient);
}
std::string archard_text(const WearRequest& wear) {
  const ArchardMap& map = wear.coefficient;
  return map.value.size() == 1 ? fmt::format("{}", map.value.front())
                               : flow_text(kArchardTable, &map);
}

// As many numbers as the law already has.
template <auto numbers>
void read_as_many(CaseSection& section, const KeyRow& row, TGammaLaw& law) {
  std::optional<std::vector<double>> given;
  keys::read(section, row, Presence::optional, given);
  if (!given) return;
  if (given->size() == (law.*numbers).size())
    std::copy(given->begin(), given->end(), (law.*numbers).begin());
  else
    section.error_at_value(row.name, fmt::format("has {} numbers", given->size()),
                           fmt::format("a list of {} numbers", (law.*numbers).size()));
}

const KeyTable kDamageTable{
    "wear.damage",
    {numbers("t_gamma", &DamageFunction::t_gamma, kNotNegative, 1, "[20, 65, 175]",
             "increasing numbers >= 0")
         .need(),
     numbers("value", &DamageFunction::value, kAnyNumber, 1, "[0, 1, 0]", "as many numbers")
         .need()}};

}  // namespace

constexpr std::string_view kCoefficient =
    "a number >= 0, or a map {slip_velocity: [...], pressure: [...], value: [[...], ...]}";
const KeyTable kWearTable{
    "wear",
    {word("law", &WearRequest::law, kWearLaws, "required", "`archard`, `t_gamma`"),
     value("coefficient", {number_form(kNotNegative), map_form()}, kCoefficient, "required",
           "of archard: k >= 0, or a map")
         .of(kArchardTable)
         .with("law", {"archard"})
         .by(read_archard, archard_text),
     number("hardness", &WearRequest::hardness, kPositive, "required",
            "of archard: H, as a pressure")
         .with("law", {"archard"}),
     number("density", InPart{&WearRequest::t_gamma, &TGammaLaw::density}, kPositive, "required",
            "of t_gamma: kg/mm³ or kg/m³")
         .with("law", {"t_gamma"}),
     numbers("rates", &TGammaLaw::rate, kNotNegative, 1, "[5.3, 55.0, 61.9]",
             "of t_gamma: K1, K2, K3 with tau = T-gamma/area [N/mm²]: K1 tau below the first "
             "limit, K2 between the limits, K2 + K3 (tau - second limit) beyond; in µg/(m mm²) "
             "whatever the case's units")
         .with("law", {"t_gamma"})
         .by(read_as_many<&TGammaLaw::rate>)
         .within(&WearRequest::t_gamma),
     numbers("limits", &TGammaLaw::limit, kPositive, 1, "[10.4, 77.2]",
             "of t_gamma: two T-gamma over area [N/mm²]")
         .with("law", {"t_gamma"})
         .by(read_as_many<&TGammaLaw::limit>)
         .within(&WearRequest::t_gamma),
     number("passes", &WearRequest::passes, kPositive, "1", "N > 0 of the worn profile"),
     map("damage", &WearRequest::damage, kDamageTable, "that of its keys", "the damage function")}};

// --- heat

namespace {

struct HeatKeys {
  HeatRequest request;
  ThermalBody first{1.0, 1.0, 1.0, 0.0};
  ThermalBody second{1.0, 1.0, 1.0, 0.0};
};

const KeyTable kThermalTable{
    "heat.upper",
    {number("conductivity", &ThermalBody::conductivity, kPositive, "required",
            "W/(mm K) or W/(m K)"),
     number("capacity", &ThermalBody::capacity, kPositive, "required", "J/(kg K)"),
     number("density", &ThermalBody::density, kPositive, "required", "kg/mm³ or kg/m³"),
     number("temperature", &ThermalBody::temperature, kAnyNumber, "0", "far from the contact")}};

KeyRow share_row() {
  return number("plastic_share", InPart{&HeatKeys::request, &HeatRequest::plastic_share}, kShare,
                "1",
                "of the work in a `layer` that yields: what of it becomes heat, 0 to 1; a warning "
                "without such a layer");
}

std::optional<HeatRequest> read_heat(CaseSection& root, const BodyNames& names, bool yields,
                                     const std::optional<std::vector<StepInput>>& steps) {
  auto section =
      root.section("heat", fmt::format("a map {{{}, {}}}", names[0], names[1]), Presence::optional);
  if (!section) return std::nullopt;
  HeatKeys keys;
  (names == kContactBodies ? kHeatTable : kRailHeatTable).read_into(*section, &keys);
  if (keys.request.plastic_share != HeatRequest{}.plastic_share && !yields)
    section->warn_at_value("plastic_share",
                           "changes nothing, since no layer yields. Set layer.yield_stress, or "
                           "leave plastic_share out");
  const bool all_roll = steps && std::ranges::all_of(*steps, [](const StepInput& step) {
                          return is_rolling(step.tangential.problem);
                        });
  if (all_roll && keys.request.contact_on != HeatRequest{}.contact_on)
    section->warn_at_value("contact_on",
                           "changes nothing, since all steps roll, and both bodies then pass "
                           "through the contact. Leave contact_on out");
  keys.request.bodies = {keys.first, keys.second};
  return keys.request;
}

template <typename Request>
std::optional<Request> read_request(CaseSection& root, std::string_view key,
                                    std::string_view accepted, const KeyTable& table) {
  auto section = root.section(key, accepted, Presence::optional);
  if (!section) return std::nullopt;
  Request request;
  table.read_into(*section, &request);
  return request;
}

}  // namespace

const KeyTable kHeatTable{
    "heat",
    {map("upper", &HeatKeys::first, kThermalTable, "required", "body 1"),
     map("lower", &HeatKeys::second, kThermalTable, "required", "body 2"), share_row(),
     word("conduction", InPart{&HeatKeys::request, &HeatRequest::conduction}, kHeatConductions,
          "auto",
          "`depth`: into the depth only, of bodies that move fast through the contact, or stand "
          "still for a short time; `half_space`: in all directions, not of steady rolling; "
          "`auto`: half_space where a step shifts and none rolls steadily"),
     word("contact_on", InPart{&HeatKeys::request, &HeatRequest::contact_on}, kBodyChoices, "upper",
          "`upper`, `lower`: in a shift the contact stays on this body, and the other slides "
          "through")}};

// A wheel rolls steadily, without a shift.
const KeyTable kRailHeatTable{
    "heat with wheel_rail",
    {map("rail", &HeatKeys::first, kThermalTable, "required", "body 1"),
     map("wheel", &HeatKeys::second, kThermalTable, "required", "body 2"), share_row()}};

// --- fatigue

const KeyTable kFatigueTable{"fatigue",
                             {number("shear_yield", &FatigueRequest::shear_yield, kPositive,
                                     "required", "k, yield stress in shear, > 0")}};

// --- All three.

SurfaceRequest read_surface(CaseSection& root, const std::optional<std::vector<StepInput>>& steps,
                            const ContactLayer& layer, Boundary boundary, const BodyNames& names) {
  SurfaceRequest request;
  request.wear = read_request<WearRequest>(root, "wear", "a map {law, passes, ...}", kWearTable);
  request.heat = read_heat(root, names, layer.yields(), steps);
  request.fatigue =
      read_request<FatigueRequest>(root, "fatigue", "a map {shear_yield}", kFatigueTable);
  if (!steps || !root.diagnostics().empty()) return request;
  for (const Fault& fault : check_surface(request, *steps)) {
    const std::string_view field = fault.field;
    const std::string_view key = field.substr(0, field.find('.'));
    if (!root.has(key)) continue;  // of a step: reported with the whole problem
    auto section = root.section(key, "a map", Presence::required);
    if (field == "wear.steps" && boundary == Boundary::periodic_x)
      section->error_here(
          "wear needs steps that roll along x or shift, and nothing rolls along x on a grid of "
          "boundary periodic_x",
          "grid.boundary: free or periodic_y, steps that shift, or no wear");
    else if (field.ends_with(".steps"))
      section->error_here(fault.reason, fault.remedy);
    else
      report_faults(*section, *case_table(false, false).row(key).map, {fault});
  }
  return request;
}

std::string surface_text(const SurfaceRequest& request, const BodyNames& names) {
  std::string text;
  if (request.wear) text += "wear:\n" + block_text(kWearTable, &*request.wear, "  ");
  if (request.heat) {
    const HeatKeys keys{*request.heat, request.heat->bodies[0], request.heat->bodies[1]};
    const KeyTable& table = names == kContactBodies ? kHeatTable : kRailHeatTable;
    text += "heat:\n" + block_text(table, &keys, "  ");
  }
  if (request.fatigue) text += part_text("fatigue", kFatigueTable, *request.fatigue);
  return text;
}

}  // namespace slipfield
