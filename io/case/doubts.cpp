// SPDX-License-Identifier: Apache-2.0
#include "io/case/doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>
#include <string_view>
#include <vector>

#include "io/case/check/faults.h"
#include "io/result/field_table.h"

namespace slipfield {
namespace {

// The sentence for a doubt. {value}, {limit} and {ratio} (of these two) are the finding's numbers,
// {at} is its direction, {body} its body, and {length}, {stress}, {spin} and {units} are the case's
// units; {closer} and the requested factor depend on them and on the grid. If a doubt has several
// rows, the first one that applies is used.
struct DoubtRow {
  Doubt doubt;
  // The place of the number: the first of these paths that the case has.
  std::array<std::string_view, 4> keys;
  std::string_view sentence;
  bool (*holds)(const Finding&) = nullptr;
};

const char* body_of(const Finding& finding) { return finding.at == 'u' ? "upper" : "lower"; }
bool is_of_coating(const Finding& finding) { return finding.layer > 0; }
bool is_estimate(const Finding& finding) { return finding.is_estimate; }
bool is_of_contact(const Finding& finding) { return finding.at == 'c'; }
bool is_fast(const Finding& finding) { return finding.at == 'f'; }
bool is_of_wear(const Finding& finding) { return finding.at == 'w'; }
bool is_of_fatigue(const Finding& finding) { return finding.at == 'f'; }
bool is_of_layer(const Finding& finding) { return finding.at == 'y'; }
bool is_of_interface(const Finding& finding) { return finding.at == 's'; }
bool is_dented(const Finding& finding) { return finding.value > finding.limit; }
bool is_outside(const Finding& finding) { return finding.limit <= 0.0; }

constexpr std::array<std::string_view, 4> kModulusKeys{
    "bodies.{body}.young_modulus", "bodies.{body}.shear_modulus",
    "bodies.{wheel_body}.young_modulus", "bodies.{wheel_body}.shear_modulus"};
constexpr const char* kStrengthText =
    "{value:.6g} {stress} is {ratio:.2g} times a Young's modulus, {limit:.6g} {stress}; hardness "
    "is "
    "some 1e-4 to 0.3 of the modulus, and strength in shear less. Is it in another unit? In "
    "{units} it is in {stress}";
constexpr const char* kDensityText =
    "{value:.6g} kg/{cube} is {ratio:.4g} kg/m³; solids have 100 to 23000. Is it per another "
    "volume? In {units} steel has {steel:g} kg/{cube}";

constexpr std::array kDoubtRows{
    DoubtRow{
        Doubt::low_modulus, kModulusKeys,
        "a Young's modulus of {value:.6g} {stress} is below 1 MPa. Is it in {larger}? In {units} "
        "a modulus is in {stress}"},
    DoubtRow{Doubt::high_modulus, kModulusKeys,
             "a Young's modulus of {value:.6g} {stress} is above 10 TPa. {too_high}? In {units} a "
             "modulus is in {stress}"},
    DoubtRow{Doubt::mixed_moduli, kModulusKeys,
             "a Young's modulus of {value:.6g} {stress} is a thousandth of the greatest one of the "
             "bodies and their coatings, {limit:.6g} {stress}. {thousand}? In {units} a modulus is "
             "in {stress}",
             is_of_coating},
    DoubtRow{Doubt::mixed_moduli, kModulusKeys,
             "a Young's modulus of {value:.6g} {stress} is a thousandth of that of the other body, "
             "{limit:.6g} {stress}. {thousand}? In {units} a modulus is in {stress}"},
    DoubtRow{
        Doubt::soft_rail,
        {"bodies"},
        "the harder body has a Young's modulus of {value:.6g} {stress}, where that of steel is "
        "{limit:.6g} {stress}. {thousand}?"},
    DoubtRow{Doubt::high_friction,
             {"friction.coefficient", "friction.static"},
             "{value:.6g} is above {limit:g}. Is it in percent? Dry metals have 0.1 to 1"},
    DoubtRow{Doubt::slow_friction,
             {"friction.half_velocity"},
             "{value:.6g} {velocity} is {limit:.4g} m/s, faster than contacts slip. Is it in "
             "another unit? In {units} it is in {velocity}",
             is_fast},
    DoubtRow{Doubt::slow_friction,
             {"friction.half_velocity"},
             "{value:.6g} {velocity} is {ratio:.2g} of the rolling velocity, {limit:.6g} "
             "{velocity}, so that nearly all slip has the kinetic coefficient. Is it in m/s? In "
             "{units} it is in {velocity}"},
    DoubtRow{Doubt::large_rotation,
             {"tangential.rotation"},
             "{value:.6g} rad is {turn:.4g} degrees in one step. Is it in degrees? Rotations are "
             "in rad"},
    DoubtRow{
        Doubt::periodic_rotation,
        {"tangential.rotation"},
        "a rotation turns about x = y = 0, and its slip jumps at the edge of the period: it is "
        "right only while the contact stays clear of that edge. Otherwise no rotation, or "
        "grid.boundary: free"},
    DoubtRow{Doubt::far_shift,
             {"tangential.{at}.shift"},
             "the step's shift of {value:.6g} {length} is {ratio:.2g} times as long as the contact "
             "in {at}, about {limit:.3g} {length} (Hertz). Is it in another unit? Each step shifts "
             "by its own `shift`"},
    DoubtRow{Doubt::wrong_conductivity,
             {"heat.{body}.conductivity", "heat.{wheel_body}.conductivity"},
             "{value:.6g} {conductivity} is {limit:.4g} W/(m K); solids have 0.1 to 3000. Is it "
             "per another length? In {units} steel has {steel_conducts:g} {conductivity}"},
    DoubtRow{Doubt::wrong_capacity,
             {"heat.{body}.capacity", "heat.{wheel_body}.capacity"},
             "{value:.6g} J/(kg K) is not that of a solid, which has 50 to 10000. Is it in "
             "another unit? Steel has 460 J/(kg K)"},
    DoubtRow{
        Doubt::layered_heat,
        {"heat.{body}", "heat.{wheel_body}", "heat"},
        "the layers on this body, {value:.3g} {length} together, conduct as it does. Their "
        "constants are right while heat reaches less deep, the body's where it reaches far deeper"},
    DoubtRow{Doubt::strong_adhesion,
             {"adhesion.work"},
             "{value:.6g} {line_force} is {limit:.4g} J/m²; solids have 0.01 to 1. Is it in "
             "{other_work}? In {units} work is in {line_force}"},
    DoubtRow{Doubt::short_adhesion,
             {"adhesion.length"},
             "{value:.6g} {length}, where an atom is {atom:.2g} {length} wide. Is it in another "
             "unit? In {units} a length is in {length}"},
    DoubtRow{Doubt::deep_wear,
             {"wear.passes"},
             "the surfaces wear by up to {value:.3g} {length} in these passes, {ratio:.2g} of the "
             "approach, {limit:.3g} {length}, which leaves another contact than the one that was "
             "solved: the depth is too great. Fewer passes, up to {most_wear:g} of the approach, "
             "and the worn profile in the next round"},
    DoubtRow{Doubt::odd_strength, {"wear.hardness"}, kStrengthText, is_of_wear},
    DoubtRow{Doubt::odd_strength, {"fatigue.shear_yield"}, kStrengthText, is_of_fatigue},
    DoubtRow{Doubt::odd_strength, {"layer.yield_stress"}, kStrengthText, is_of_layer},
    DoubtRow{Doubt::odd_strength, {"friction.shear_strength"}, kStrengthText, is_of_interface},
    DoubtRow{Doubt::odd_strength,
             {"bodies.{body}.hardness", "bodies.{wheel_body}.hardness"},
             kStrengthText},
    DoubtRow{Doubt::wrong_density, {"wear.density"}, kDensityText, is_of_wear},
    DoubtRow{
        Doubt::wrong_density, {"heat.{body}.density", "heat.{wheel_body}.density"}, kDensityText},
    DoubtRow{Doubt::large_creepage,
             {"tangential.{at}.creepage"},
             "{value:.6g} is above {limit:g}. Is it in percent? Creepage is a slip velocity over "
             "the rolling velocity; most contacts slide at 0.01"},
    DoubtRow{Doubt::large_spin,
             {"tangential.spin"},
             "{value:.6g} {spin} is beyond 1/length of the contact, {limit:.3g} {spin}. Is it per "
             "another length? Spin is an angle per rolling distance"},
    DoubtRow{Doubt::direction_in_radians,
             {"tangential.direction"},
             "{value:.6g} degrees looks like radians. In degrees it is {limit:.6g}"},
    DoubtRow{Doubt::short_step,
             {"tangential.step"},
             "steady rolling in steps of {value:.4g} {length}, {ratio:.2g} of an element, takes "
             "many times the products of steps of an element or does not converge, and is no more "
             "exact. Leave the step out: it is then an element, {limit:.4g} {length}"},
    DoubtRow{Doubt::long_step,
             {"tangential.step"},
             "the bodies roll {value:.4g} {length} in a step, {ratio:.2g} times the length of the "
             "contact, {some} {limit:.3g} {length}, so that hardly any material stays in contact "
             "from one step to the next. A smaller step; left out, it is an element"},
    DoubtRow{
        Doubt::long_creep,
        {"tangential.duration"},
        "the step is long compared with the relaxation of stress, and the contact grows or its "
        "forces change meanwhile: the force may be off by {value:.2g} %. Steps of at most "
        "{limit:.2g} {time} give 1 %"},
    DoubtRow{Doubt::long_growth,
             {"tangential.duration"},
             "the step is long compared with the relaxation of stress, and the contact grows "
             "meanwhile: the pressure in its middle may be off by {value:.2g} %, towards "
             "its edge by more. Steps of at most {limit:.2g} {time} give 1 %"},
    DoubtRow{
        Doubt::friction_seam,
        {"friction.coefficient", "friction"},
        "a periodic grid repeats these coefficients in {at}, and they jump from {value:.4g} to "
        "{limit:.4g} at the edge. Coefficients that continue across the edge, or another boundary"},
    DoubtRow{Doubt::no_contact,
             {"normal.approach"},
             "{value:.6g} {length} does not reach the lowest point of the geometry, {limit:.6g} "
             "{length}: there is no contact. {closer}",
             is_estimate},
    DoubtRow{Doubt::no_contact,
             {"normal.approach"},
             "no element is in contact at the approach {value:.6g} {length}: surfaces that have "
             "yielded or crept come apart at a greater approach than the one at which they met. "
             "{closer}",
             is_dented},
    DoubtRow{Doubt::no_contact,
             {"normal.approach"},
             "no element is in contact at the approach {value:.6g} {length}. {closer}"},
    DoubtRow{Doubt::one_element,
             {"grid.elements"},
             "one element is in contact, which resolves nothing. A finer grid over the contact"},
    DoubtRow{Doubt::few_elements,
             {"grid.elements"},
             "about {value:.2g} elements across the contact in {at} (Hertz), so the pressure is "
             "coarse. A spacing of at most {limit:.3g} {length} gives {across:.0f}",
             is_estimate},
    DoubtRow{Doubt::few_elements,
             {"grid.elements"},
             "{value:.0f} elements are in contact, fewer than {limit:.0f} across it, so the "
             "pressure is coarse. A finer grid (grid.refine: 2)"},
    DoubtRow{Doubt::high_pressure,
             {"normal.approach", "normal.force"},
             "the greatest pressure, {about}{value:.4g} {stress}, is {ratio:.2g} of the contact "
             "modulus E*, {limit:.4g}; linear elasticity ends near 0.1. Is a length or a modulus "
             "in another unit? If not, {remedy}"},
    DoubtRow{Doubt::extreme_pressure,
             {"normal.approach", "normal.force"},
             "the greatest pressure, {about}{value:.4g} {stress}, is {gpa:.3g} GPa, above the "
             "{most_gpa:g} GPa that steel, rock and glass bear at most. Is a length or a modulus "
             "in another unit? If not, {remedy}"},
    DoubtRow{Doubt::curved_period,
             {"geometry"},
             "a periodic grid repeats this curved shape every {limit:.4g} {length} in {at}, and "
             "its slope jumps by {value:.3g} at the edge. boundary: free, or a shape that "
             "continues across the edge"},
    DoubtRow{Doubt::stepped_period,
             {"geometry"},
             "a periodic grid repeats this shape every {limit:.4g} {length} in {at}, and it has a "
             "step of {value:.3g} {length} at the edge, as a tilt makes. boundary: free, or a "
             "levelled shape that continues across the edge"},
    DoubtRow{Doubt::wide_heights,
             {"geometry"},
             "the heights range over {value:.4g} {length}, on a grid that is {limit:.4g} {length} "
             "wide; half-spaces need small slopes. Are the heights in another unit, or are there "
             "spikes in them?"},
    DoubtRow{Doubt::steep_heights,
             {"geometry"},
             "half of the heights' slopes are above {value:.3g}; half-spaces need small ones. Are "
             "the heights in another unit than the grid?"},
    DoubtRow{
        Doubt::tilted_heights,
        {"geometry"},
        "the heights are tilted: their mean plane rises by {value:.3g} {length} over the grid, "
        "and the root mean square about it is {limit:.3g} {length}, so that they touch at the "
        "grid's edge. Levelled heights (slipfield surface --level plane), or a shape that "
        "touches within the grid"},
    DoubtRow{
        Doubt::loose_profile,
        {"geometry"},
        "between the points at y = {from:.6g} and {to:.6g} {length} the profile's curve goes "
        "{value:.3g} {length} beyond both, where the heights of the points next to them differ by "
        "{limit:.3g} {length}. interpolation: monotone, or points that lie closer together"},
    DoubtRow{Doubt::shared_seed,
             {"geometry"},
             "two rough surfaces with the seed {value:.0f} have the same phases, so that the waves "
             "of both "
             "add up as those of one surface. A seed of its own for each"},
    DoubtRow{
        Doubt::scattered_summits,
        {"geometry"},
        "the heights range over {value:.4g} {length}, {ratio:.2g} times the {limit:.3g} {length} "
        "that the contact is wide. Are the heights in another unit, or are there spikes in them?",
        is_of_contact},
    DoubtRow{Doubt::scattered_summits,
             {"geometry"},
             "the heights range over {value:.4g} {length}, {ratio:.2g} times the {limit:.3g} "
             "{length} that the bodies approach after the first touch. Are the heights in another "
             "unit, or are there spikes in them?"},
    DoubtRow{Doubt::large_contact,
             {"geometry"},
             "the contact's semi-axis in {at}, about {value:.4g} {length} (Hertz), is {ratio:.2g} "
             "of the radius {limit:.4g} {length}; half-spaces and paraboloids hold up to about "
             "{most_axis:g}. Is a length in another unit? If not, a smaller load"},
    DoubtRow{Doubt::beyond_grid,
             {"grid.elements"},
             "the contact, about {value:.4g} {length} long in {at} (Hertz), lies outside the grid, "
             "which is then loaded at its edge or not at all. A grid over the contact",
             is_outside},
    DoubtRow{Doubt::beyond_grid,
             {"grid.elements"},
             "the contact is about {value:.4g} {length} long in {at} (Hertz), and the grid covers "
             "{limit:.4g} {length} of it, so the pressures are too high. A larger grid, or one "
             "over the contact"},
    DoubtRow{
        Doubt::coarse_adhesion,
        {"grid.elements"},
        "an element is {value:.3g} {length} long, and the zone over which the adhesive stress "
        "falls, pi/4 E* work/stress^2, is {limit:.3g} {length}: the force of pull-off depends on "
        "the grid. A spacing of at most {spacing:.3g} {length}, or a greater adhesion.length"},
    DoubtRow{
        Doubt::coarse_layer,
        {"grid.elements"},
        "an element is {value:.3g} {length} long, and the layer of the {body} body, which keeps "
        "its volume on a base far stiffer, is {limit:.3g} {length} thick: the force may be 10 % "
        "off. A spacing of {limit:.3g} {length} leaves 3 %, half of that 0.3 %"},
    DoubtRow{Doubt::coarse_heat,
             {"heat"},
             "the elements' slip dissipates {value:.3g} {power}, and the forces {limit:.3g} "
             "{power}; heat and temperatures are those of the slip. {finer}"},
    DoubtRow{Doubt::idle_tolerance,
             {"solver.tolerance"},
             "{value:g} has no effect: none of the chosen methods iterates to it. Leave it out"},
    DoubtRow{Doubt::unseen_slip,
             {"tangential.extra_{at}"},
             "up to {value:.4g} in single elements: in the simplified theory the coefficient of "
             "friction and the slope follow from the creepages alone, here {limit:.4g}. "
             "tangential: newton follows the slip of each element"},
    DoubtRow{Doubt::unlike_bodies,
             {"solver.rolling"},
             "between bodies as unlike as these, K = {value:.2g}, second_order is hardly more "
             "exact than first_order, and its estimated errors are too small; it pays up to about "
             "{limit:g}. first_order, and a finer grid"}};

const DoubtRow& row_of(const Finding& finding) {
  return *std::ranges::find_if(kDoubtRows, [&](const DoubtRow& row) {
    return row.doubt == finding.doubt && (row.holds == nullptr || row.holds(finding));
  });
}

std::vector<KeyPath> places(const Finding& finding) {
  std::vector<KeyPath> paths;
  for (const std::string_view key : row_of(finding).keys) {
    if (key.empty()) continue;
    const KeyPath path = key_path(fmt::format(
        fmt::runtime(key), fmt::arg("at", finding.at), fmt::arg("body", body_of(finding)),
        fmt::arg("wheel_body", finding.at == 'u' ? "rail" : "wheel")));
    if (finding.layer == 0) {
      paths.push_back(path);
      continue;
    }
    KeyPath of_map = path;  // one layer, or a list of them
    of_map.insert(of_map.end() - 1, "coating");
    KeyPath of_list = of_map;
    of_list.insert(of_list.end() - 1, std::to_string(finding.layer - 1));
    paths.push_back(std::move(of_map));
    paths.push_back(std::move(of_list));
  }
  return paths;
}

void warn_of(CaseSection& root, const Finding& finding, Units units) {
  const FoundValue found = value_in_force(root.node(), finding.entry, places(finding));
  root.diagnostics().warn(
      found.node->place, found.path, doubt_sentence(finding, units),
      fmt::format("{}{}{}", static_cast<int>(finding.doubt), finding.at, finding.layer));
}

}  // namespace

std::string doubt_sentence(const Finding& finding, Units units) {
  constexpr double kGiga = 1.0e+9;
  const bool si = units == Units::si;
  // On a periodic grid full contact begins before the approach reaches the mean of the distance.
  const char* const closer =
      finding.at == 'p'
          ? "A normal.force, or a greater approach below the mean of the undeformed distance"
      : finding.is_estimate
          ? "A greater approach"
          : "A greater approach, or a grid over the place where the bodies are nearest";
  const char* const finer =
      finding.at == ' ' ? "solver.rolling: second_order, or a finer grid" : "A finer grid";
  const char* const remedy = finding.at == 'r'
                                 ? "a `hardness`, at which peaks yield, or smaller slopes"
                                 : "a smaller load";
  using fmt::arg;
  return fmt::format(
      fmt::runtime(row_of(finding).sentence), arg("value", finding.value),
      arg("from", finding.between[0]), arg("to", finding.between[1]), arg("limit", finding.limit),
      arg("ratio", std::abs(finding.value / finding.limit)), arg("at", finding.at),
      arg("body", body_of(finding)), arg("about", finding.is_estimate ? "about " : ""),
      arg("closer", closer), arg("finer", finer), arg("remedy", remedy),
      arg("larger", si ? "MPa or GPa" : "GPa"),
      arg("too_high", si ? "Is there a power of ten too many" : "Is it in Pa"),
      arg("thousand", si ? "Is a factor of 1000 missing" : "Is it in GPa"),
      arg("some", finding.is_estimate ? "about" : "some"),
      arg("length", unit_text(Dimension::length, units)),
      arg("velocity", unit_text(Dimension::velocity, units)),
      arg("line_force", unit_text(Dimension::stiffness, units)),
      arg("other_work", si ? "mJ/m²" : "J/m²"), arg("most_wear", kMostWear),
      arg("conductivity", si ? "W/(m K)" : "W/(mm K)"), arg("steel_conducts", si ? 46.0 : 0.046),
      arg("turn", finding.value * 180.0 / std::numbers::pi), arg("cube", si ? "m³" : "mm³"),
      arg("steel", si ? 7850.0 : 7.85e-6), arg("stress", unit_text(Dimension::traction, units)),
      arg("time", unit_text(Dimension::time, units)),
      arg("power", unit_text(Dimension::power, units)),
      arg("spin", unit_text(Dimension::angle_per_length, units)), arg("units", units_name(units)),
      arg("across", kLeastElementsAcross), arg("most_axis", kMostSemiAxis),
      arg("atom", si ? 1.0e-10 : 1.0e-7), arg("spacing", finding.limit / kLeastElementsInZone),
      arg("gpa", finding.value * pascal(units) / kGiga), arg("most_gpa", kHighPressure / kGiga));
}

std::string doubt_text(const Finding& finding, Units units) {
  // Without a case: the common part of the keys that may set it.
  const std::vector<KeyPath> keys = places(finding);
  KeyPath path = keys.front();
  for (const KeyPath& key : keys) {
    const auto [end, other] = std::mismatch(path.begin(), path.end(), key.begin(), key.end());
    path.erase(end, path.end());
  }
  return fmt::format("{}: {}", dotted(path), doubt_sentence(finding, units));
}

void warn_of_doubts(CaseSection& root, const ContactProblem& problem) {
  for (const Finding& finding : doubts_before(problem)) warn_of(root, finding, problem.units);
}

void warn_of_rail_bodies(CaseSection& root, const ContactProblem& problem) {
  for (const Finding& finding : doubts_of_rail_bodies(problem))
    warn_of(root, finding, problem.units);
}

void warn_of_friction(CaseSection& root, const Friction& friction, double velocity,
                      std::size_t entry, Units units) {
  if (friction.coefficient > kMostFriction)
    warn_of(root, {Doubt::high_friction, ' ', friction.coefficient, kMostFriction, entry}, units);
  if (auto slow = doubt_of_half_velocity(friction, velocity, units)) {
    slow->entry = entry;
    warn_of(root, *slow, units);
  }
}

}  // namespace slipfield
