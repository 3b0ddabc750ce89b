// SPDX-License-Identifier: Apache-2.0
// wear: the law, and the damage function; heat: what the bodies are made of; fatigue.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "io/case/check/faults.h"
#include "io/case/names.h"
#include "io/case/sections.h"

namespace slipfield {
namespace {

ArchardMap read_archard_map(CaseSection& wear) {
  constexpr std::string_view kAccepted =
      "a number >= 0, or a map {slip_velocity: [...], pressure: [...], value: [[...], ...]}";
  ArchardMap map;
  const YamlNode* node = wear.value("coefficient", kAccepted, Presence::required);
  if (node == nullptr) return map;
  if (node->kind != YamlNode::Kind::map) {
    if (const auto value = wear.number("coefficient", kNotNegative, Presence::required))
      map.value = {*value};
    return map;
  }
  auto section = wear.section("coefficient", kAccepted, Presence::required);
  map.slip_velocity = section->number_list("slip_velocity", kPositive, 1, Presence::optional)
                          .value_or(map.slip_velocity);
  map.pressure =
      section->number_list("pressure", kPositive, 1, Presence::optional).value_or(map.pressure);
  map.value = section
                  ->number_rows("value", kNotNegative,
                                {map.slip_velocity.size() + 1, "range of slip velocity"})
                  .value_or(map.value);
  section->finish();
  return map;
}

void read_archard(CaseSection& section, WearRequest& wear) {
  wear.coefficient = read_archard_map(section);
  wear.hardness = section.number("hardness", kPositive, Presence::required).value_or(1.0);
  for (const std::string_view key : {"density", "rates", "limits"})
    section.refuse(key, "belongs to law: t_gamma", "no such key, or law: t_gamma");
}

void read_t_gamma(CaseSection& section, WearRequest& wear) {
  TGammaLaw& law = wear.t_gamma;
  law.density = section.number("density", kPositive, Presence::required).value_or(1.0);
  const auto take = [&](std::string_view key, const NumberRange& range, auto& numbers) {
    const auto given = section.number_list(key, range, 1, Presence::optional);
    if (!given) return;
    if (given->size() != numbers.size())
      section.error_at_value(key, fmt::format("has {} numbers", given->size()),
                             fmt::format("a list of {} numbers", numbers.size()));
    else
      std::copy(given->begin(), given->end(), numbers.begin());
  };
  take("rates", kNotNegative, law.rate);
  take("limits", kPositive, law.limit);
  for (const std::string_view key : {"coefficient", "hardness"})
    section.refuse(key, "belongs to law: archard", "no such key, or law: archard");
}

void read_damage(CaseSection& wear, DamageFunction& damage) {
  auto section = wear.section("damage", "a map {t_gamma: [...], value: [...]}", Presence::optional);
  if (!section) return;
  const auto t_gamma = section->number_list("t_gamma", kNotNegative, 1, Presence::required);
  const auto value = section->number_list("value", kAnyNumber, 1, Presence::required);
  section->finish();
  if (t_gamma && value) damage = {*t_gamma, *value};
}

std::optional<WearRequest> read_wear(CaseSection& root) {
  auto section = root.section("wear", "a map {law, passes, ...}", Presence::optional);
  if (!section) return std::nullopt;
  WearRequest wear;
  const auto law = section->choice("law", kWearLaws, Presence::required);
  wear.law = law.value_or(wear.law);
  wear.passes = section->number("passes", kPositive, Presence::optional).value_or(wear.passes);
  for (const char* key : {"coefficient", "hardness", "density", "rates", "limits"})
    section->know(key);
  if (law == WearLaw::archard) read_archard(*section, wear);
  if (law == WearLaw::t_gamma) read_t_gamma(*section, wear);
  read_damage(*section, wear.damage);
  section->finish();
  return wear;
}

ThermalBody read_thermal_body(CaseSection& heat, std::string_view key) {
  ThermalBody body{1.0, 1.0, 1.0, 0.0};
  auto section =
      heat.section(key, "a map {conductivity, capacity, density, temperature}", Presence::required);
  if (!section) return body;
  const auto positive = [&](std::string_view name) {
    return section->number(name, kPositive, Presence::required).value_or(1.0);
  };
  body.conductivity = positive("conductivity");
  body.capacity = positive("capacity");
  body.density = positive("density");
  body.temperature = section->number_or("temperature", kAnyNumber, 0.0);
  section->finish();
  return body;
}

// A wheel rolls steadily, without a shift.
void read_heat_flow(CaseSection& section, HeatRequest& heat) {
  heat.conduction =
      section.choice("conduction", kHeatConductions, Presence::optional).value_or(heat.conduction);
  heat.contact_on =
      section.choice("contact_on", kBodyChoices, Presence::optional).value_or(heat.contact_on);
}

std::optional<HeatRequest> read_heat(CaseSection& root, const BodyNames& names, bool yields) {
  auto section =
      root.section("heat", fmt::format("a map {{{}, {}}}", names[0], names[1]), Presence::optional);
  if (!section) return std::nullopt;
  HeatRequest heat;
  heat.bodies = {read_thermal_body(*section, names[0]), read_thermal_body(*section, names[1])};
  heat.plastic_share = section->number_or("plastic_share", kShare, heat.plastic_share);
  if (section->has("plastic_share") && !yields)
    section->warn_at_value("plastic_share",
                           "changes nothing, since no layer yields. Set layer.yield_stress, or "
                           "leave plastic_share out");
  if (names == kContactBodies) read_heat_flow(*section, heat);
  section->finish();
  return heat;
}

std::optional<FatigueRequest> read_fatigue(CaseSection& root) {
  auto section = root.section("fatigue", "a map {shear_yield}", Presence::optional);
  if (!section) return std::nullopt;
  FatigueRequest fatigue;
  fatigue.shear_yield = section->number("shear_yield", kPositive, Presence::required).value_or(1.0);
  section->finish();
  return fatigue;
}

std::string numbers_text(const std::vector<double>& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

std::string map_text(const ArchardMap& map) {
  if (map.value.size() == 1) return fmt::format("{}", map.value.front());
  std::string text = "{";
  if (!map.slip_velocity.empty())
    text += fmt::format("slip_velocity: {}, ", numbers_text(map.slip_velocity));
  if (!map.pressure.empty()) text += fmt::format("pressure: {}, ", numbers_text(map.pressure));
  text += "value: [";
  const std::size_t columns = map.slip_velocity.size() + 1;
  for (std::size_t i = 0; i < map.value.size(); i += columns) {
    const auto row = map.value.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end = row + static_cast<std::ptrdiff_t>(columns);
    text += (i > 0 ? ", " : "") + numbers_text(std::vector<double>(row, end));
  }
  return text + "]}";
}

std::string wear_text(const WearRequest& wear) {
  std::string text = fmt::format("wear:\n  law: {}\n", name_of(kWearLaws, wear.law));
  if (wear.law == WearLaw::archard)
    text += fmt::format("  coefficient: {}\n  hardness: {}\n", map_text(wear.coefficient),
                        wear.hardness);
  else
    text += fmt::format("  density: {}\n  rates: [{}]\n  limits: [{}]\n", wear.t_gamma.density,
                        fmt::join(wear.t_gamma.rate, ", "), fmt::join(wear.t_gamma.limit, ", "));
  return text + fmt::format("  passes: {}\n  damage: {{t_gamma: {}, value: {}}}\n", wear.passes,
                            numbers_text(wear.damage.t_gamma), numbers_text(wear.damage.value));
}

std::string thermal_text(const ThermalBody& body) {
  return fmt::format("{{conductivity: {}, capacity: {}, density: {}, temperature: {}}}",
                     body.conductivity, body.capacity, body.density, body.temperature);
}

}  // namespace

SurfaceRequest read_surface(CaseSection& root, const std::optional<std::vector<StepInput>>& steps,
                            const ContactLayer& layer, const BodyNames& names) {
  SurfaceRequest request;
  request.wear = read_wear(root);
  request.heat = read_heat(root, names, layer.yields());
  request.fatigue = read_fatigue(root);
  if (!steps || !root.diagnostics().empty()) return request;
  for (const Fault& fault : check_surface(request, *steps)) {
    const std::string_view field = fault.field;
    const std::string_view key = field.substr(0, field.find('.'));
    if (!root.has(key)) continue;  // of a step: reported with the whole problem
    auto section = root.section(key, "a map", Presence::required);
    if (field.ends_with(".steps"))
      section->error_here(fault.reason, fault.remedy);
    else
      report_faults(*section, {fault}, {{"coefficient", "coefficient"}, {"damage", "damage"}});
  }
  return request;
}

std::string surface_text(const SurfaceRequest& request, const BodyNames& names) {
  std::string text;
  if (request.wear) text += wear_text(*request.wear);
  if (request.heat)
    text +=
        fmt::format("heat:\n  {}: {}\n  {}: {}\n", names[0], thermal_text(request.heat->bodies[0]),
                    names[1], thermal_text(request.heat->bodies[1]));
  if (request.heat && request.heat->plastic_share != 1.0)
    text += fmt::format("  plastic_share: {}\n", request.heat->plastic_share);
  if (request.heat && names == kContactBodies)
    text += fmt::format("  conduction: {}\n  contact_on: {}\n",
                        name_of(kHeatConductions, request.heat->conduction),
                        name_of(kBodyChoices, request.heat->contact_on));
  if (request.fatigue)
    text += fmt::format("fatigue: {{shear_yield: {}}}\n", request.fatigue->shear_yield);
  return text;
}

}  // namespace slipfield
