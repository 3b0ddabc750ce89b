// SPDX-License-Identifier: Apache-2.0
// The words of the case file for all choices, for reading and writing.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "io/heights/sampling.h"
#include "io/result/sweep_table.h"
#include "solver/error.h"
#include "solver/geometry.h"
#include "solver/grid.h"
#include "solver/interior/interior_request.h"
#include "solver/method_names.h"
#include "solver/problem.h"
#include "solver/wheel_rail/profile.h"

namespace slipfield {

inline constexpr std::array<Choice<Units>, 2> kUnits{
    {{"N-mm-s", Units::n_mm_s}, {"SI", Units::si}}};

inline constexpr std::array<Choice<Boundary>, 4> kBoundaries{
    {{"free", Boundary::free},
     {"periodic", Boundary::periodic},
     {"periodic_x", Boundary::periodic_x},
     {"periodic_y", Boundary::periodic_y}}};

inline constexpr std::array<Choice<CylinderAxis>, 2> kCylinderAxes{
    {{"x", CylinderAxis::x}, {"y", CylinderAxis::y}}};

inline constexpr std::array<Choice<HeightsOf>, 3> kHeightsOf{
    {{"distance", HeightsOf::distance}, {"lower", HeightsOf::lower}, {"upper", HeightsOf::upper}}};

inline constexpr std::array<Choice<Interpolation>, 2> kInterpolations{
    {{"bilinear", Interpolation::bilinear}, {"bicubic", Interpolation::bicubic}}};

// Units of a profile's points.
inline constexpr std::array<Choice<LengthUnit>, 4> kProfileUnits{{{"mm", LengthUnit::millimetre},
                                                                  {"cm", LengthUnit::centimetre},
                                                                  {"m", LengthUnit::metre},
                                                                  {"inch", LengthUnit::inch}}};

// Whether contacts of a wheel lie on curved surfaces.
inline constexpr std::array<Choice<bool>, 2> kContactSurfaces{
    {{"planar", false}, {"conformal", true}}};

// Whether the inclination of the points' least-squares line is included.
inline constexpr std::array<Choice<bool>, 2> kInclinations{
    {{"straight", true}, {"as_given", false}}};

inline constexpr std::array<Choice<TangentialProblem>, 4> kTangentialProblems{
    {{"none", TangentialProblem::none},
     {"shift", TangentialProblem::shift},
     {"transient_rolling", TangentialProblem::transient_rolling},
     {"steady_rolling", TangentialProblem::steady_rolling}}};

inline constexpr std::array<Choice<FrictionStart>, 3> kFrictionStarts{
    {{"last", FrictionStart::last},
     {"adhesion", FrictionStart::adhesion},
     {"slip", FrictionStart::slip}}};

inline constexpr std::array<Choice<SpinSlip>, 3> kSpinSlips{
    {{"both", SpinSlip::both}, {"x", SpinSlip::x}, {"y", SpinSlip::y}}};

inline constexpr std::array<Choice<AdhesionLaw>, 3> kAdhesionLaws{
    {{"maugis", AdhesionLaw::maugis},
     {"exponential", AdhesionLaw::exponential},
     {"power", AdhesionLaw::power}}};

inline constexpr std::array<Choice<FrictionLaw>, 4> kFrictionLaws{
    {{"constant", FrictionLaw::constant},
     {"linear_falling", FrictionLaw::linear_falling},
     {"rational", FrictionLaw::rational},
     {"exponential", FrictionLaw::exponential}}};

inline constexpr std::array<Choice<RollingScheme>, 2> kRollingSchemes{
    {{"first_order", RollingScheme::first_order}, {"second_order", RollingScheme::second_order}}};

inline constexpr std::array<Choice<TractionBound>, 2> kTractionBounds{
    {{"parabolic", TractionBound::parabolic}, {"elliptic", TractionBound::elliptic}}};

inline constexpr std::array<Choice<Spacing>, 2> kSpacings{
    {{"linear", Spacing::linear}, {"logarithmic", Spacing::logarithmic}}};

inline constexpr std::array<Choice<InteriorRegion>, 2> kInteriorRegions{
    {{"contact", InteriorRegion::contact}, {"grid", InteriorRegion::grid}}};

inline constexpr std::array<Choice<WearLaw>, 2> kWearLaws{
    {{"archard", WearLaw::archard}, {"t_gamma", WearLaw::t_gamma}}};

inline constexpr std::array<Choice<HeatConduction>, 3> kHeatConductions{
    {{"auto", HeatConduction::automatic},
     {"depth", HeatConduction::depth},
     {"half_space", HeatConduction::half_space}}};
inline constexpr std::array<Choice<Body>, 2> kBodyChoices{
    {{"upper", Body::upper}, {"lower", Body::lower}}};

inline const std::array<Choice<std::vector<Body>>, 3> kInteriorBodies{
    {{"upper", {Body::upper}}, {"lower", {Body::lower}}, {"both", {Body::upper, Body::lower}}}};

template <typename Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const auto& choice : table) names.emplace_back(choice.name);
  return names;
}
template <typename Table, typename E>
constexpr std::string_view name_of(const Table& table, const E& value) {
  for (const auto& choice : table) {
    if (choice.value == value) return choice.name;
  }
  return {};
}

inline std::string_view boundary_name(Boundary boundary) { return name_of(kBoundaries, boundary); }
inline Boundary boundary_named(std::string_view name) {  // free if none is given
  if (name.empty()) return Boundary::free;
  for (const auto& choice : kBoundaries)
    if (choice.name == name) return choice.value;
  throw InputError("an unknown boundary of the grid: '" + std::string(name) +
                   "'; accepted: free, periodic, periodic_x or periodic_y");
}

}  // namespace slipfield
