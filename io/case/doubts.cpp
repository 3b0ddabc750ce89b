// SPDX-License-Identifier: Apache-2.0
#include "io/case/doubts.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "io/case/check/places.h"
#include "io/result/field_table.h"

namespace slipfield {
namespace {

constexpr double kGiga = 1.0e+9;

std::string body_name(char at) { return at == 'u' ? "upper" : "lower"; }

// Where the number was written; the first path that the case has.
std::vector<KeyPath> places(const Finding& finding) {
  const std::string at(1, finding.at);
  switch (finding.doubt) {
    case Doubt::low_modulus:
    case Doubt::high_modulus:
      return {{"bodies", body_name(finding.at), "young_modulus"},
              {"bodies", body_name(finding.at), "shear_modulus"}};
    case Doubt::high_friction:
      return {{"friction", "coefficient"}, {"friction", "static"}};
    case Doubt::large_creepage:
      return {{"tangential", at, "creepage"}};
    case Doubt::large_spin:
      return {{"tangential", "spin"}};
    case Doubt::direction_in_radians:
      return {{"tangential", "direction"}};
    case Doubt::short_step:
    case Doubt::long_step:
      return {{"tangential", "step"}};
    case Doubt::friction_seam:
      return {{"friction", "coefficient"}, {"friction"}};
    case Doubt::no_contact:
      return {{"normal", "approach"}};
    case Doubt::curved_period:
    case Doubt::stepped_period:
    case Doubt::wide_heights:
    case Doubt::steep_heights:
    case Doubt::scattered_summits:
      return {{"geometry"}};
    case Doubt::extreme_pressure:
    case Doubt::high_pressure:
      return {{"normal", "approach"}, {"normal", "force"}};
    case Doubt::one_element:
    case Doubt::few_elements:
    case Doubt::beyond_grid:
    case Doubt::coarse_adhesion:
      return {{"grid", "elements"}};
    case Doubt::large_contact:
      return {{"geometry"}};
    case Doubt::unlike_bodies:
      return {{"solver", "rolling"}};
    case Doubt::unseen_slip:
      return {{"tangential", "extra_" + at}};
  }
  return {};
}

std::string across_text(const Finding& finding, std::string_view length) {
  if (!finding.is_estimate)
    return fmt::format(
        "{:.0f} elements are in contact, fewer than {:.0f} across it, so the pressure is coarse. A "
        "finer grid (grid.refine: 2)",
        finding.value, finding.limit);
  return fmt::format(
      "about {:.2g} elements across the contact in {} (Hertz), so the pressure is coarse. A "
      "spacing of at most {:.3g} {} gives {:.0f}",
      finding.value, finding.at, finding.limit, length, kLeastElementsAcross);
}

std::string no_contact_text(const Finding& finding, std::string_view length) {
  // On a periodic grid full contact begins before the approach is the mean of the distance.
  const std::string_view greater = finding.at == 'p'
                                       ? "A normal.force, or a greater approach below the mean of "
                                         "the undeformed distance"
                                       : "A greater approach";
  if (!finding.is_estimate)
    return fmt::format(
        "no element is in contact at the approach {:.6g} {}. {}{}", finding.value, length, greater,
        finding.at == 'p' ? "" : ", or a grid over the place where the bodies are nearest");
  return fmt::format(
      "{:.6g} {} does not reach the lowest point of the geometry, {:.6g} {}: there "
      "is no contact. {}",
      finding.value, length, finding.limit, length, greater);
}

std::string modulus_text(const Finding& finding, Units units) {
  const bool low = finding.doubt == Doubt::low_modulus;
  const std::string_view unit = unit_text(Dimension::traction, units);
  const bool si = units == Units::si;
  std::string hint = low ? "Is it in MPa or GPa?" : "Is it in Pa?";
  if (low && !si) hint = "Is it in GPa?";
  if (!low && si) hint = "Is there a power of ten too many?";
  return fmt::format("a Young's modulus of {:.6g} {} is {} {}. {} In {} a modulus is in {}",
                     finding.value, unit, low ? "below" : "above", low ? "1 MPa" : "10 TPa", hint,
                     units_name(units), unit);
}

std::string method_text(const Finding& finding) {
  if (finding.doubt == Doubt::unseen_slip)
    return fmt::format(
        "up to {:.4g} in single elements: in the simplified theory the coefficient of friction "
        "and the slope follow from the creepages alone, here {:.4g}. tangential: newton follows "
        "the slip of each element",
        finding.value, finding.limit);
  return fmt::format(
      "between bodies as unlike as these, K = {:.2g}, second_order is hardly more exact than "
      "first_order, and its estimated errors are too small; it pays up to about {:g}. "
      "first_order, and a finer grid",
      finding.value, finding.limit);
}

std::string shape_text(const Finding& finding, std::string_view length) {
  switch (finding.doubt) {
    case Doubt::curved_period:
      return fmt::format(
          "a periodic grid repeats this curved shape every {:.4g} {} in {}, and its slope jumps by "
          "{:.3g} at the edge. boundary: free, or a shape that continues across the edge",
          finding.limit, length, finding.at, finding.value);
    case Doubt::stepped_period:
      return fmt::format(
          "a periodic grid repeats this shape every {:.4g} {} in {}, and it has a step of {:.3g} "
          "{} "
          "at the edge, as a tilt makes. boundary: free, or a levelled shape that continues across "
          "the edge",
          finding.limit, length, finding.at, finding.value, length);
    case Doubt::wide_heights:
      return fmt::format(
          "the heights range over {:.4g} {}, on a grid that is {:.4g} {} wide; half-spaces need "
          "small slopes. Are the heights in another unit, or are there spikes in them?",
          finding.value, length, finding.limit, length);
    case Doubt::steep_heights:
      return fmt::format(
          "half of the heights' slopes are above {:.3g}; half-spaces need small ones. Are the "
          "heights in another unit than the grid?",
          finding.value);
    default:
      return fmt::format(
          "the heights range over {:.4g} {}, {:.2g} times the {:.3g} {} {}. Are the heights in "
          "another unit, or are there spikes in them?",
          finding.value, length, finding.value / finding.limit, finding.limit, length,
          finding.at == 'c' ? "that the contact is wide"
                            : "that the bodies approach after the first touch");
  }
}

std::string zone_text(const Finding& finding, std::string_view length) {
  return fmt::format(
      "an element is {:.3g} {} long, and the zone over which the adhesive stress falls, pi/4 E* "
      "work/stress^2, is {:.3g} {}: the force of pull-off depends on the grid. A spacing of at "
      "most {:.3g} {}, or a greater adhesion.length",
      finding.value, length, finding.limit, length, finding.limit / kLeastElementsInZone, length);
}

std::string step_text(const Finding& finding, std::string_view length) {
  if (finding.doubt == Doubt::short_step)
    return fmt::format(
        "steady rolling in steps of {:.4g} {}, {:.2g} of an element, takes many times the "
        "products of steps of an element or does not converge, and is no more exact. Leave the "
        "step out: it is then an element, {:.4g} {}",
        finding.value, length, finding.value / finding.limit, finding.limit, length);
  return fmt::format(
      "the bodies roll {:.4g} {} in a step, {:.2g} times the length of the contact, {}{:.3g} "
      "{}, so that hardly any material stays in contact from one step to the next. A smaller "
      "step; left out, it is an element",
      finding.value, length, finding.value / finding.limit,
      finding.is_estimate ? "about " : "some ", finding.limit, length);
}

std::string sentence(const Finding& finding, Units units) {
  const std::string_view length = unit_text(Dimension::length, units);
  switch (finding.doubt) {
    case Doubt::low_modulus:
    case Doubt::high_modulus:
      return modulus_text(finding, units);
    case Doubt::high_friction:
      return fmt::format("{:.6g} is above {:g}. Is it in percent? Dry metals have 0.1 to 1",
                         finding.value, finding.limit);
    case Doubt::large_creepage:
      return fmt::format(
          "{:.6g} is above {:g}. Is it in percent? Creepage is a slip velocity over "
          "the rolling velocity; most contacts slide at 0.01",
          finding.value, finding.limit);
    case Doubt::large_spin:
      return fmt::format(
          "{:.6g} {} is beyond 1/length of the contact, {:.3g} {}. Is it per another "
          "length? Spin is an angle per rolling distance",
          finding.value, unit_text(Dimension::angle_per_length, units), finding.limit,
          unit_text(Dimension::angle_per_length, units));
    case Doubt::direction_in_radians:
      return fmt::format("{:.6g} degrees looks like radians. In degrees it is {:.6g}",
                         finding.value, finding.limit);
    case Doubt::short_step:
    case Doubt::long_step:
      return step_text(finding, length);
    case Doubt::friction_seam:
      return fmt::format(
          "a periodic grid repeats these coefficients in {}, and they jump from {:.4g} to {:.4g} "
          "at the edge. Coefficients that continue across the edge, or another boundary",
          finding.at, finding.value, finding.limit);
    case Doubt::no_contact:
      return no_contact_text(finding, length);
    case Doubt::one_element:
      return "one element is in contact, which resolves nothing. A finer grid over the contact";
    case Doubt::few_elements:
      return across_text(finding, length);
    case Doubt::high_pressure:
      return fmt::format(
          "the greatest pressure, {}{:.4g} {}, is {:.2g} of the contact modulus E*, "
          "{:.4g}; linear elasticity ends near 0.1. A smaller load, or is a length "
          "or a modulus in another unit?",
          finding.is_estimate ? "about " : "", finding.value, unit_text(Dimension::traction, units),
          finding.value / finding.limit, finding.limit);
    case Doubt::extreme_pressure:
      return extreme_pressure_text(finding.value, units, finding.is_estimate);
    case Doubt::curved_period:
    case Doubt::stepped_period:
    case Doubt::wide_heights:
    case Doubt::steep_heights:
    case Doubt::scattered_summits:
      return shape_text(finding, length);
    case Doubt::large_contact:
      return fmt::format(
          "the contact's semi-axis in {}, about {:.4g} {} (Hertz), is {:.2g} of the "
          "radius {:.4g} {}; half-spaces and paraboloids hold up to about {:g}. A "
          "smaller load, or is a length in another unit?",
          finding.at, finding.value, length, finding.value / finding.limit, finding.limit, length,
          kMostSemiAxis);
    case Doubt::beyond_grid:
      if (finding.limit <= 0.0)
        return fmt::format(
            "the contact, about {:.4g} {} long in {} (Hertz), lies outside the grid, which is then "
            "loaded at its edge or not at all. A grid over the contact",
            finding.value, length, finding.at);
      return fmt::format(
          "the contact is about {:.4g} {} long in {} (Hertz), and the grid covers {:.4g} {} of it, "
          "so the pressures are too high. A larger grid, or one over the contact",
          finding.value, length, finding.at, finding.limit, length);
    case Doubt::coarse_adhesion:
      return zone_text(finding, length);
    case Doubt::unseen_slip:
    case Doubt::unlike_bodies:
      return method_text(finding);
  }
  return {};
}

void warn_of(CaseSection& root, const Finding& finding, Units units) {
  const FoundValue found = value_in_force(root.node(), finding.entry, places(finding));
  root.diagnostics().warn(found.node->place, found.path, sentence(finding, units),
                          fmt::format("{}{}", static_cast<int>(finding.doubt), finding.at));
}

}  // namespace

std::string extreme_pressure_text(double pressure, Units units, bool is_estimate) {
  return fmt::format(
      "the greatest pressure, {}{:.4g} {}, is {:.3g} GPa, above the {:g} GPa that steel, rock and "
      "glass bear at most. A smaller load, or is a length or a modulus in another unit?",
      is_estimate ? "about " : "", pressure, unit_text(Dimension::traction, units),
      pressure * pascal(units) / kGiga, kHighPressure / kGiga);
}

std::string doubt_text(const Finding& finding, Units units) {
  // Without the case: of the keys that may give it what they have in common.
  const std::vector<KeyPath> keys = places(finding);
  KeyPath path = keys.front();
  for (const KeyPath& key : keys) {
    const auto [end, other] = std::mismatch(path.begin(), path.end(), key.begin(), key.end());
    path.erase(end, path.end());
  }
  return fmt::format("{}: {}", dotted(path), sentence(finding, units));
}

void warn_of_doubts(CaseSection& root, const ContactProblem& problem) {
  for (const Finding& finding : doubts_before(problem)) warn_of(root, finding, problem.units);
}

void warn_of_friction(CaseSection& root, double coefficient, std::size_t entry, Units units) {
  if (coefficient > kMostFriction)
    warn_of(root, {Doubt::high_friction, ' ', coefficient, kMostFriction, entry}, units);
}

}  // namespace slipfield
