// SPDX-License-Identifier: Apache-2.0
// Which features combine. Two tables: the features of a problem, and the pairs that exclude each
// other. To add a feature, add a row to the first table, and to the second one for each feature
// that it excludes; the checks, their messages and the table in app/RUNNING.md follow.
#include "solver/combinations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>
#include <variant>

#include "solver/check/fault_list.h"
#include "solver/error.h"
#include "solver/influence/fading_memory.h"
#include "solver/method_names.h"
#include "solver/number_text.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

using P = ContactProblem;
using S = StepInput;

// clang-format off
enum class Feature {
  periodic, periodic_one_way, tiled, conjugate_gradients, normal_direct, normal_not_newton,
  normal_estimate, sdec, normal_given, normal_not_bound_cg, normal_of_half_spaces, influence_given,
  gauss_seidel, tangential_direct, not_newton, simplified, fastrip, not_simplified, not_fastsim,
  elliptic_bound, slope, flexibility, second_order, nothing_rolls, nothing_steady, viscoelastic,
  layered, hardness, adhesion, unlike, layer, layer_and_sheet, yielding, curved, curved_tables,
  curved_by_row, patches, sensitivities, error_estimate, spots, wear, heat, fatigue,
  interior,
  // Features of a step; those above describe the whole problem.
  approach, normal_contact, slides, shift, transient, steady, not_steady, oblique, not_along_x,
  along_period, unlike_step, few_elements, shift_without_time, rolling_without_velocity, moment,
  turns, force_ratio, traction_coefficient, extra_slip, spin_slip, friction_by_place, friction_by_temperature,
  shear_strength, falling, memory, kinetic, count, none = count
};
// clang-format on
constexpr auto kFeatures = static_cast<std::size_t>(Feature::count);
using Features = CombinationCheck::Features;
static_assert(kFeatures <= Features().size());

constexpr unsigned bit(Way way) { return 1U << static_cast<unsigned>(way); }
constexpr unsigned kGpu = bit(Way::gpu);
constexpr unsigned kCards = bit(Way::several_gpus);
constexpr unsigned kRanks = bit(Way::several_ranks);
constexpr unsigned kBatch = bit(Way::batch);
constexpr unsigned kDerivatives = bit(Way::derivatives);

struct FeatureRow {
  Feature feature = Feature::none;
  const char* field = "";    // of the problem or of a step: what asks for it
  const char* name = "";     // in a list
  const char* instead = "";  // what its field may be instead; empty: the methods that go
  const char* without = "";  // what removes it, in a message at another field
  const char* clause = "";   // of a contact that has it; empty where every way takes it
  unsigned not_on = 0;       // ways that do not support it
  bool (*of_problem)(const P&) = nullptr;
  bool (*of_step)(const Grid&, const S&) = nullptr;
};

bool rolls(const S& s) { return is_rolling(s.tangential.problem); }
bool has_load(const S& s, TangentialControl control) {
  return s.tangential.problem != TangentialProblem::none &&
         (s.tangential.x.control == control || s.tangential.y.control == control);
}
bool along_x(const S& s) { return rolls_along_x(s.tangential.direction); }
bool along_y(const S& s) { return rolls_along_y(s.tangential.direction); }
double element_of(const Grid& grid, const S& s) {
  return element_length(s.tangential.direction, grid);
}
int elements_along(const Grid& grid, const S& s) {
  return rolls_along_x(s.tangential.direction) ? grid.mx : grid.my;
}
// False if the steps are unknown.
bool no_step(const P& p, bool (*of)(const S&)) {
  return !p.steps.empty() && std::ranges::none_of(p.steps, of);
}
constexpr double kRounding = 1.0e-9;  // of a step, against an element
constexpr int kFewestElements = 4;    // needed to find the edges for second order

#define SLIPFIELD_OF_PROBLEM []([[maybe_unused]] const P& p) -> bool
#define SLIPFIELD_OF_STEP nullptr, []([[maybe_unused]] const Grid& grid, const S& s) -> bool

// clang-format off
constexpr std::array<FeatureRow, kFeatures> kFeatureRows{{
  {Feature::periodic, "grid.boundary", "a periodic grid", "free", "grid.boundary: free",
   "its grid is periodic", kBatch,
   SLIPFIELD_OF_PROBLEM { return p.grid.boundary == Boundary::periodic; }},
  {Feature::periodic_one_way, "grid.boundary", "a grid that is periodic in one direction", "free", "grid.boundary: free",
   "its grid is periodic in one direction", kCards | kBatch,
   SLIPFIELD_OF_PROBLEM { return repeats_in_one_direction(p.grid.boundary); }},
  {Feature::tiled, "solver.influence", "`influence: tiled`", "", "solver.influence: auto",
   "it asks for products by direct summation", kCards | kRanks | kBatch,
   SLIPFIELD_OF_PROBLEM { return p.solver.influence == InfluenceMethod::summation; }},
  {Feature::conjugate_gradients, "solver.normal", "`normal: bound_cg` or `active_set_cg`", "", "solver.normal: auto",
   "", 0, SLIPFIELD_OF_PROBLEM { return p.solver.normal == NormalMethod::bound_cg || p.solver.normal == NormalMethod::active_set_cg; }},
  {Feature::normal_direct, "solver.normal", "`normal: direct`", "", "solver.normal: auto",
   "its normal problem is solved by direct", kCards | kRanks,
   SLIPFIELD_OF_PROBLEM { return p.solver.normal == NormalMethod::dense; }},
  {Feature::normal_not_newton, "solver.normal", "`normal` other than `auto` and `newton`", "", "solver.normal: auto",
   "", 0, SLIPFIELD_OF_PROBLEM { return p.solver.normal != NormalMethod::automatic && p.solver.normal != NormalMethod::newton; }},
  {Feature::normal_estimate, "solver.normal", "`normal: kpec`, `analyn` or `sdec`", "", "solver.normal: auto",
   "", 0, SLIPFIELD_OF_PROBLEM { return is_estimate(p.solver.normal); }},
  {Feature::sdec, "solver.normal", "`normal: sdec`", "", "solver.normal: auto",
   "", 0, SLIPFIELD_OF_PROBLEM { return p.solver.normal == NormalMethod::sdec; }},
  {Feature::normal_given, "solver.normal", "`normal` other than `auto`", "", "solver.normal: auto",
   "", 0, SLIPFIELD_OF_PROBLEM { return p.solver.normal != NormalMethod::automatic; }},
  {Feature::normal_not_bound_cg, "solver.normal", "`normal` other than `auto` and `bound_cg`", "", "solver.normal: auto",
   "its normal problem is not solved by bound_cg", kBatch,
   SLIPFIELD_OF_PROBLEM { return p.solver.normal != NormalMethod::automatic && p.solver.normal != NormalMethod::bound_cg; }},
  {Feature::normal_of_half_spaces, "solver.normal", "`normal: active_set_cg`, `direct` or `newton`", "", "solver.normal: auto",
   "", 0, SLIPFIELD_OF_PROBLEM { return p.solver.normal != NormalMethod::automatic && p.solver.normal != NormalMethod::bound_cg && !is_estimate(p.solver.normal); }},
  {Feature::influence_given, "solver.influence", "`influence` other than `auto`", "", "solver.influence: auto",
   "", 0, SLIPFIELD_OF_PROBLEM { return p.solver.influence != InfluenceMethod::automatic; }},
  {Feature::gauss_seidel, "solver.tangential", "`tangential: gauss_seidel`", "", "solver.tangential: auto",
   "its tangential problem is solved by gauss_seidel", kCards | kRanks | kBatch,
   SLIPFIELD_OF_PROBLEM { return p.solver.tangential == TangentialMethod::gauss_seidel; }},
  {Feature::tangential_direct, "solver.tangential", "`tangential: direct`", "", "solver.tangential: auto",
   "its tangential problem is solved by direct", kCards | kRanks | kBatch,
   SLIPFIELD_OF_PROBLEM { return p.solver.tangential == TangentialMethod::dense; }},
  {Feature::not_newton, "solver.tangential", "`tangential` other than `auto` and `newton`", "", "solver.tangential: auto",
   "", 0, SLIPFIELD_OF_PROBLEM { return p.solver.tangential != TangentialMethod::automatic && p.solver.tangential != TangentialMethod::newton; }},
  {Feature::simplified, "solver.tangential", "`fastsim` and `fastrip`", "", "another tangential method",
   "it is of the simplified theory", kCards | kRanks | kBatch | kDerivatives,
   SLIPFIELD_OF_PROBLEM { return is_simplified(p.solver.tangential); }},
  {Feature::fastrip, "solver.tangential", "`fastrip`", "", "solver.tangential: fastsim",
   "", 0, SLIPFIELD_OF_PROBLEM { return p.solver.tangential == TangentialMethod::fastrip; }},
  {Feature::not_simplified, "solver.tangential", "`tangential` other than `fastsim` and `fastrip`", "",
   "solver.tangential: fastsim or fastrip",
   "", 0, SLIPFIELD_OF_PROBLEM { return !is_simplified(p.solver.tangential); }},
  {Feature::not_fastsim, "solver.tangential", "`tangential` other than `fastsim`", "", "solver.tangential: fastsim",
   "", 0, SLIPFIELD_OF_PROBLEM { return p.solver.tangential != TangentialMethod::fastsim; }},
  {Feature::elliptic_bound, "solver.traction_bound", "`traction_bound: elliptic`", "parabolic", "solver.traction_bound: parabolic",
   "", 0, SLIPFIELD_OF_PROBLEM { return p.solver.traction_bound == TractionBound::elliptic; }},
  {Feature::slope, "solver.slope", "`slope`", "none", "no solver.slope",
   "", 0, SLIPFIELD_OF_PROBLEM { return p.solver.slope != SlopeReduction{}; }},
  {Feature::flexibility, "solver.flexibility", "`flexibility`", "none", "no solver.flexibility",
   "", 0, SLIPFIELD_OF_PROBLEM { return p.solver.flexibility > 0.0; }},
  {Feature::second_order, "solver.rolling", "`rolling: second_order`", "first_order", "solver.rolling: first_order",
   "it rolls by the scheme of second order", kBatch | kDerivatives,
   SLIPFIELD_OF_PROBLEM { return p.solver.rolling == RollingScheme::second_order; }},
  {Feature::nothing_rolls, "tangential.problem", "steps of which none rolls", "steady_rolling", "tangential.problem: steady_rolling",
   "", 0, SLIPFIELD_OF_PROBLEM { return !is_simplified(p.solver.tangential) && no_step(p, rolls); }},
  {Feature::nothing_steady, "tangential.problem", "steps of which none rolls steadily", "steady_rolling", "tangential.problem: steady_rolling",
   "", 0, SLIPFIELD_OF_PROBLEM { return !is_simplified(p.solver.tangential) && no_step(p, [](const S& s) { return s.tangential.problem == TangentialProblem::steady_rolling; }); }},
  {Feature::viscoelastic, "bodies", "viscoelastic bodies", "none", "elastic bodies",
   "its bodies are viscoelastic", kCards | kBatch | kDerivatives,
   SLIPFIELD_OF_PROBLEM { return creeps(p); }},
  {Feature::layered, "bodies", "bodies of layers (`coating`, `thickness`)", "none", "half-spaces",
   "its bodies have layers", kBatch,
   SLIPFIELD_OF_PROBLEM { return is_layered(p.upper) || is_layered(p.lower); }},
  {Feature::hardness, "bodies", "bodies with a `hardness`", "none", "no hardness",
   "its surfaces yield", kBatch | kDerivatives,
   SLIPFIELD_OF_PROBLEM { return p.upper.hardness > 0.0 || p.lower.hardness > 0.0; }},
  {Feature::adhesion, "adhesion", "`adhesion`", "none", "no adhesion",
   "its surfaces adhere", kBatch | kDerivatives,
   SLIPFIELD_OF_PROBLEM { return p.adhesion.exists(); }},
  {Feature::unlike, "bodies", "bodies that are not quasi-identical (K is not 0, or unlike layers)", "", "bodies of one material",
   "its bodies are not quasi-identical (K is not 0, or unlike layers)", kBatch,
   SLIPFIELD_OF_PROBLEM { return couples(p.upper, p.lower); }},
  {Feature::layer, "layer", "`layer`", "no layer", "no layer",
   "it has a layer between the bodies", kBatch,
   SLIPFIELD_OF_PROBLEM { return p.layer.exists(); }},
  {Feature::layer_and_sheet, "layer", "`layer`, except a normal compliance with `bound_cg`", "none", "no layer",
   "", 0, SLIPFIELD_OF_PROBLEM { return p.layer.exists() && (p.solver.normal != NormalMethod::bound_cg || p.layer.compliance != 0.0 || p.layer.yields()); }},
  {Feature::yielding, "layer.yield_stress", "a layer that yields", "none", "no layer.yield_stress",
   "its layer yields", kDerivatives,
   SLIPFIELD_OF_PROBLEM { return p.layer.yields(); }},
  {Feature::curved, "influence", "curved surfaces (`influence`, `contact_surface: conformal`)", "none", "half-spaces",
   "its surfaces are curved", kCards | kRanks | kBatch | kDerivatives,
   SLIPFIELD_OF_PROBLEM { return p.influence.exists(); }},
  {Feature::curved_tables, "influence", "a table of coefficients of curved surfaces", "none", "half-spaces",
   "", 0, SLIPFIELD_OF_PROBLEM { return p.influence.tables != nullptr; }},
  {Feature::curved_by_row, "influence", "coefficients that differ from row to row", "none", "coefficients that are the same for each row (inclination: straight)",
   "", 0, SLIPFIELD_OF_PROBLEM { return p.influence.by_row(); }},
  {Feature::patches, "patches", "`patches`", "none", "no patches",
   "its patches act on each other in part", kGpu | kCards | kBatch | kDerivatives,
   SLIPFIELD_OF_PROBLEM { return p.patches.exist(); }},
  {Feature::sensitivities, "sensitivities", "`sensitivities`", "false", "no sensitivities",
   "it asks for sensitivities", kBatch,
   SLIPFIELD_OF_PROBLEM { return p.sensitivities; }},
  {Feature::error_estimate, "error_estimate", "`error_estimate`", "false", "no error_estimate",
   "it asks for estimated errors", kBatch,
   SLIPFIELD_OF_PROBLEM { return p.error_estimate; }},
  {Feature::spots, "output.spots", "`spots`", "false", "no output.spots",
   "it asks for the spots of the contact", kBatch,
   SLIPFIELD_OF_PROBLEM { return p.surface.spots; }},
  {Feature::wear, "wear", "`wear`", "none", "no wear",
   "it asks for wear, fatigue or heat", kBatch,
   SLIPFIELD_OF_PROBLEM { return p.surface.wear.has_value(); }},
  {Feature::heat, "heat", "`heat`", "no heat", "no heat",
   "it asks for wear, fatigue or heat", kBatch,
   SLIPFIELD_OF_PROBLEM { return p.surface.heat.has_value(); }},
  {Feature::fatigue, "fatigue", "`fatigue`", "none", "no fatigue",
   "it asks for wear, fatigue or heat", kBatch,
   SLIPFIELD_OF_PROBLEM { return p.surface.fatigue.has_value(); }},
  // Not part of a problem but requested with it: refuse_interior().
  {Feature::interior, "interior", "`interior`", "no interior", "no interior",
   "", 0, SLIPFIELD_OF_PROBLEM { return false; }},

  {Feature::approach, "normal", "a prescribed approach", "a force", "a normal.force",
   "", 0, SLIPFIELD_OF_STEP { return s.normal.control == NormalControl::approach; }},
  {Feature::normal_contact, "tangential.problem", "normal contact alone", "shift", "a tangential.problem",
   "", 0, SLIPFIELD_OF_STEP { return s.tangential.problem == TangentialProblem::none; }},
  {Feature::slides, "tangential.problem", "a shift or rolling", "none", "tangential.problem: none",
   "", 0, SLIPFIELD_OF_STEP { return s.tangential.problem != TangentialProblem::none; }},
  {Feature::shift, "tangential.problem", "`shift`", "steady_rolling", "tangential.problem: steady_rolling",
   "it is neither normal contact nor steady rolling", kBatch,
   SLIPFIELD_OF_STEP { return s.tangential.problem == TangentialProblem::shift; }},
  {Feature::transient, "tangential.problem", "`transient_rolling`", "shift", "tangential.problem: shift",
   "it is neither normal contact nor steady rolling", kBatch,
   SLIPFIELD_OF_STEP { return s.tangential.problem == TangentialProblem::transient_rolling; }},
  {Feature::steady, "tangential.problem", "`steady_rolling`", "shift", "tangential.problem: shift",
   "", 0, SLIPFIELD_OF_STEP { return s.tangential.problem == TangentialProblem::steady_rolling; }},
  {Feature::not_steady, "tangential.problem", "steps that do not roll steadily", "steady_rolling", "problem: steady_rolling in every step",
   "", 0, SLIPFIELD_OF_STEP { return s.tangential.problem != TangentialProblem::steady_rolling; }},
  {Feature::oblique, "tangential.direction", "rolling in a direction between x and y", "a direction along x or y", "a tangential.direction along x or y",
   "", 0, SLIPFIELD_OF_STEP { return rolls(s) && std::isfinite(s.tangential.direction) && !along_x(s) && !along_y(s); }},
  {Feature::not_along_x, "tangential.direction", "rolling in a direction other than x", "0 or 180 degrees", "a direction of 0 or 180 degrees",
   "", 0, SLIPFIELD_OF_STEP { return rolls(s) && std::isfinite(s.tangential.direction) && !along_x(s); }},
  {Feature::along_period, "tangential.direction", "rolling in a direction that is not across the period", "a direction across the period", "a tangential.direction across the period",
   "", 0, SLIPFIELD_OF_STEP { return rolls(s) && std::isfinite(s.tangential.direction) && repeats_in_one_direction(grid.boundary) && !(repeats_in_x(grid.boundary) ? along_y(s) : along_x(s)); }},
  {Feature::unlike_step, "tangential.step", "rolling steps that are not one element long", "{element} (the default)", "a tangential.step of one element",
   "", 0, SLIPFIELD_OF_STEP { return rolls(s) && s.tangential.step > 0.0 && std::abs(s.tangential.step - element_of(grid, s)) > kRounding * element_of(grid, s); }},
  {Feature::few_elements, "grid.elements", "fewer than 4 elements along the rolling direction", "more elements", "more elements",
   "", 0, SLIPFIELD_OF_STEP { return rolls(s) && (along_x(s) || along_y(s)) && elements_along(grid, s) < kFewestElements; }},
  {Feature::shift_without_time, "tangential.duration", "a shift without `duration`", "a number > 0", "a tangential.duration",
   "", 0, SLIPFIELD_OF_STEP { return s.tangential.problem == TangentialProblem::shift && !(s.tangential.duration > 0.0); }},
  {Feature::rolling_without_velocity, "tangential.velocity", "rolling without `velocity`", "a number > 0", "a tangential.velocity",
   "", 0, SLIPFIELD_OF_STEP { return rolls(s) && !(s.tangential.velocity > 0.0); }},
  {Feature::moment, "tangential.moment", "a prescribed moment", "a rotation or spin", "a rotation or spin",
   "its moment is prescribed", kBatch,
   SLIPFIELD_OF_STEP { return s.tangential.moment && s.tangential.problem != TangentialProblem::none; }},
  {Feature::turns, "tangential.rotation", "a rotation or spin", "0", "no rotation or spin",
   "", 0, SLIPFIELD_OF_STEP { return s.tangential.problem != TangentialProblem::none && s.tangential.rotation != 0.0; }},
  {Feature::force_ratio, "tangential", "a tangential force prescribed as a force_ratio", "a given motion or force", "a given motion or force",
   "", 0, SLIPFIELD_OF_STEP { return has_load(s, TangentialControl::force_ratio); }},
  {Feature::traction_coefficient, "tangential", "a tangential force prescribed as a traction_coefficient", "a given motion or force", "a given motion or force",
   "", 0, SLIPFIELD_OF_STEP { return has_load(s, TangentialControl::traction_coefficient); }},
  {Feature::extra_slip, "tangential.extra_x", "`extra_x` and `extra_y`", "none", "no extra_x and extra_y",
   "its elements have a rigid slip of their own", kBatch,
   SLIPFIELD_OF_STEP { return s.tangential.extra.given(); }},
  {Feature::spin_slip, "tangential.spin_slip", "`spin_slip`", "both", "spin_slip: both",
   "", 0, SLIPFIELD_OF_STEP { return s.tangential.spin_slip != SpinSlip::both; }},
  {Feature::friction_by_place, "friction.coefficient", "friction over the contact, along y or by temperature", "one coefficient", "one coefficient",
   "its friction varies over the contact", kBatch,
   SLIPFIELD_OF_STEP { return s.friction.varies() || !s.friction.along_y.empty(); }},
  {Feature::friction_by_temperature, "friction.coefficient", "friction by temperature", "one coefficient", "one coefficient",
   "its friction depends on the temperature", kDerivatives,
   SLIPFIELD_OF_STEP { return std::holds_alternative<FrictionByTemperature>(s.friction.place); }},
  {Feature::shear_strength, "friction.shear_strength", "a `shear_strength`", "none", "no shear_strength",
   "its contact has a shear strength", kBatch,
   SLIPFIELD_OF_STEP { return s.friction.shear_strength > 0.0; }},
  {Feature::falling, "friction.law", "friction that falls with the slip velocity", "constant", "law: constant",
   "", 0, SLIPFIELD_OF_STEP { return s.friction.law != FrictionLaw::constant; }},
  {Feature::memory, "friction.memory_distance", "friction with memory", "none", "no memory_distance",
   "its friction remembers the slip", kBatch | kDerivatives,
   SLIPFIELD_OF_STEP { return s.friction.remembers(); }},
  {Feature::kinetic, "friction.kinetic", "a kinetic coefficient without a law", "none", "no friction.kinetic",
   "", 0, SLIPFIELD_OF_STEP { return s.friction.depends_on_slip() && s.friction.law == FrictionLaw::constant; }},
}};
// clang-format on

#undef SLIPFIELD_OF_PROBLEM
#undef SLIPFIELD_OF_STEP

// Checks that rows are in the order of the enumeration, and that each row that a way refuses has a
// clause.
constexpr bool are_rows_sound() {
  for (std::size_t i = 0; i < kFeatures; ++i)
    if (kFeatureRows[i].feature != static_cast<Feature>(i) ||
        (kFeatureRows[i].not_on != 0 && *kFeatureRows[i].clause == '\0'))
      return false;
  return true;
}
static_assert(are_rows_sound());

// Two features that exclude each other. In a text, "{element}" and the like stand for numbers of
// the step (filled() below).
struct Refusal {
  Feature at = Feature::none;       // the message appears at its field
  Feature against = Feature::none;  // the other one
  const char* reason = "";
  const char* remedy = "";       // empty: `at` instead, or without `against`
  Feature only = Feature::none;  // they exclude each other only with this third one
};

// clang-format off
constexpr std::array kRefusals{
  // Periodic grids: sums over images are those of the FFT.
  Refusal{Feature::tiled, Feature::periodic, "tiled does not sum over the images of a periodic grid"},
  Refusal{Feature::normal_direct, Feature::periodic, "direct does not sum over the images of a periodic grid"},
  Refusal{Feature::gauss_seidel, Feature::periodic, "gauss_seidel does not sum over the images of a periodic grid", "", Feature::slides},
  Refusal{Feature::tangential_direct, Feature::periodic, "direct does not sum over the images of a periodic grid", "", Feature::slides},
  Refusal{Feature::steady, Feature::periodic, "'steady_rolling' on a periodic grid is not supported yet"},
  Refusal{Feature::transient, Feature::periodic, "'transient_rolling' on a periodic grid is not supported yet"},
  Refusal{Feature::simplified, Feature::periodic, "{theory} does not solve periodic grids"},
  Refusal{Feature::layer, Feature::periodic, "a layer on a periodic grid is not supported"},
  Refusal{Feature::patches, Feature::periodic, "patches are those of a free grid"},
  Refusal{Feature::curved, Feature::periodic, "coefficients of curved surfaces need a free grid"},
  Refusal{Feature::moment, Feature::periodic, "a periodic grid has no point that a moment could be about", "no tangential.moment"},

  // Grids that are periodic in one direction: half-space coefficients are summed over the images.
  Refusal{Feature::along_period, Feature::periodic_one_way, "particles that roll along the period do not leave the grid, which is not supported"},
  Refusal{Feature::second_order, Feature::periodic_one_way, "second_order is for free grids"},
  Refusal{Feature::error_estimate, Feature::periodic_one_way, "a coarser grid would have another period"},
  Refusal{Feature::simplified, Feature::periodic_one_way, "{theory} does not solve periodic grids"},
  Refusal{Feature::patches, Feature::periodic_one_way, "patches are those of a free grid"},
  Refusal{Feature::curved, Feature::periodic_one_way, "coefficients of curved surfaces need a free grid"},
  Refusal{Feature::transient, Feature::viscoelastic, "what viscoelastic bodies remember behind the grid has no images along a period", "", Feature::periodic_one_way},
  Refusal{Feature::layered, Feature::periodic_one_way, "bodies of layers need a grid that is free or periodic in both directions"},
  Refusal{Feature::moment, Feature::periodic_one_way, "a periodic grid has no point that a moment could be about", "no tangential.moment"},
  Refusal{Feature::turns, Feature::periodic_one_way, "the slip of a rotation grows along the period, and jumps at its end"},

  // Rolling to second order: needs the edge of the tractions along a line of elements, and steps of
  // one element.
  Refusal{Feature::second_order, Feature::nothing_rolls, "only rolling has second_order"},
  Refusal{Feature::second_order, Feature::simplified, "the simplified theory has no second_order"},
  Refusal{Feature::second_order, Feature::layer, "second_order does not know a layer's leading edge"},
  Refusal{Feature::second_order, Feature::viscoelastic, "second_order knows how tractions begin between elastic bodies only"},
  Refusal{Feature::second_order, Feature::curved, "second_order knows how tractions begin on half-spaces only"},
  Refusal{Feature::second_order, Feature::few_elements, "second_order needs 4 elements or more along the rolling direction; the grid has {length}"},
  Refusal{Feature::oblique, Feature::second_order, "second_order rolls along x or y, and {degrees} degrees is between them"},
  Refusal{Feature::unlike_step, Feature::second_order, "second_order takes steps of one element, and {step} is not {element}"},

  // Layered bodies: coefficients of images, which only the theory of half-spaces supports.
  Refusal{Feature::second_order, Feature::layered, "second_order knows how tractions begin on half-spaces only"},
  Refusal{Feature::simplified, Feature::layered, "the simplified theory knows no layers"},
  Refusal{Feature::layered, Feature::viscoelastic, "layers are elastic"},
  Refusal{Feature::patches, Feature::layered, "patches are those of half-spaces"},
  Refusal{Feature::curved, Feature::layered, "bodies of layers are flat"},
  Refusal{Feature::fatigue, Feature::layered, "the shakedown map is that of half-spaces"},

  // Inside the bodies: sums over the elements of a free grid, or over the waves of a periodic one.
  Refusal{Feature::interior, Feature::periodic_one_way, "a grid that is periodic in one direction has no interior here: its images are not summed", "grid.boundary: free or periodic, or no interior"},

  // Surfaces that yield: their deformation does not move on the grid.
  Refusal{Feature::steady, Feature::hardness, "what has yielded would have to move on with the surfaces, which roll"},
  Refusal{Feature::transient, Feature::hardness, "what has yielded would have to move on with the surfaces, which roll"},
  Refusal{Feature::simplified, Feature::hardness, "the simplified theory has elastic bodies only"},
  Refusal{Feature::hardness, Feature::viscoelastic, "only elastic bodies have a hardness"},
  Refusal{Feature::curved, Feature::hardness, "bodies with a hardness are half-spaces"},
  Refusal{Feature::patches, Feature::hardness, "patches are those of elastic bodies"},
  Refusal{Feature::sensitivities, Feature::hardness, "they are those of elastic bodies"},
  Refusal{Feature::error_estimate, Feature::hardness, "a coarser grid would yield elsewhere"},

  // Surfaces that adhere: elastic half-spaces in normal contact and shifts. Friction depends on the
  // pressure only.
  Refusal{Feature::steady, Feature::adhesion, "surfaces that adhere do not roll"},
  Refusal{Feature::transient, Feature::adhesion, "surfaces that adhere do not roll"},
  Refusal{Feature::traction_coefficient, Feature::adhesion, "a traction_coefficient is one to F_n, which is 0 or less where surfaces only adhere"},
  Refusal{Feature::force_ratio, Feature::adhesion, "a force_ratio is one to mu F_n, and friction between surfaces that adhere carries mu times the force of the pressure alone, which is more"},
  Refusal{Feature::moment, Feature::adhesion, "surfaces that adhere are shifted by a given motion or force"},
  Refusal{Feature::adhesion, Feature::unlike, "surfaces that adhere can be shifted only if bodies are quasi-identical (K is 0, and equal layers)", "no shift, bodies of one material, or half-spaces with a Poisson ratio of 0.5 for both", Feature::slides},
  Refusal{Feature::simplified, Feature::adhesion, "the simplified theory has no adhesion"},
  Refusal{Feature::adhesion, Feature::viscoelastic, "only elastic bodies adhere"},
  Refusal{Feature::adhesion, Feature::hardness, "jumps of surfaces that adhere are found by their elastic energy, and surfaces that yield lose some of it"},
  Refusal{Feature::curved, Feature::adhesion, "surfaces that adhere are those of half-spaces"},
  Refusal{Feature::patches, Feature::adhesion, "patches do not adhere"},
  Refusal{Feature::sensitivities, Feature::adhesion, "they are those of contacts without adhesion"},
  Refusal{Feature::fatigue, Feature::adhesion, "the shakedown map is that of contacts without adhesion"},

  // Viscoelastic bodies.
  Refusal{Feature::simplified, Feature::viscoelastic, "the simplified theory has elastic bodies only"},
  Refusal{Feature::conjugate_gradients, Feature::viscoelastic, "conjugate gradients are for elastic bodies, in shifts too: they need symmetric coefficients, which viscoelastic bodies lose when they roll"},
  Refusal{Feature::patches, Feature::viscoelastic, "patches are those of elastic bodies"},
  Refusal{Feature::curved, Feature::viscoelastic, "viscoelastic bodies are half-spaces"},
  Refusal{Feature::normal_contact, Feature::viscoelastic, "viscoelastic bodies need a time, which this step does not have", "shift with a duration, rolling with a velocity (friction.coefficient: 0 for no friction), or elastic bodies"},
  Refusal{Feature::shift_without_time, Feature::viscoelastic, "missing: how far viscoelastic bodies creep in a shift depends on it"},
  Refusal{Feature::rolling_without_velocity, Feature::viscoelastic, "missing: how far viscoelastic bodies roll in a creep time depends on it"},
  Refusal{Feature::unlike_step, Feature::viscoelastic, "viscoelastic bodies take transient steps of one element, and {step} is not {element}", "", Feature::transient},
  Refusal{Feature::oblique, Feature::viscoelastic, "viscoelastic bodies roll along x or y, and {degrees} degrees is between them"},

  // Curved surfaces: coefficients that are not symmetric, or valid for one step only.
  Refusal{Feature::simplified, Feature::curved, "the simplified theory has half-spaces only"},
  Refusal{Feature::not_newton, Feature::curved, "only newton solves with coefficients of curved surfaces", "", Feature::not_simplified},
  Refusal{Feature::normal_not_newton, Feature::curved, "only newton solves with coefficients of curved surfaces", "", Feature::not_simplified},
  Refusal{Feature::tiled, Feature::curved_by_row, "tiled has one table for all rows of elements"},
  Refusal{Feature::curved, Feature::layer, "a layer lies between half-spaces only"},
  Refusal{Feature::curved, Feature::patches, "weights between patches are those of half-spaces"},
  Refusal{Feature::sensitivities, Feature::curved, "they are those of half-spaces"},
  Refusal{Feature::error_estimate, Feature::curved_tables, "a coarser grid would need a table of its own"},
  Refusal{Feature::not_along_x, Feature::curved, "curved surfaces roll along x, and {degrees} degrees is another direction"},
  Refusal{Feature::unlike_step, Feature::curved_tables, "a table has coefficients for steps of one element, and {step} is not {element}"},

  // Patches that affect each other only in part.
  Refusal{Feature::patches, Feature::simplified, "the simplified theory has one ellipse"},
  Refusal{Feature::normal_direct, Feature::patches, "direct has no weights between patches"},
  Refusal{Feature::error_estimate, Feature::patches, "a coarser grid would not keep the patches apart"},

  // The simplified theory: an ellipse, strips or elements of their own along x, one coefficient.
  Refusal{Feature::layer_and_sheet, Feature::simplified, "the simplified theory has no layer, bound_cg a normal_compliance only", "no layer, a normal_compliance with solver.normal: bound_cg, or another tangential method"},
  Refusal{Feature::sensitivities, Feature::simplified, "the simplified theory has none"},
  Refusal{Feature::error_estimate, Feature::simplified, "the simplified theory has none"},
  Refusal{Feature::normal_of_half_spaces, Feature::simplified, "{theory} takes the pressure from Hertz, an estimate or bound_cg"},
  Refusal{Feature::influence_given, Feature::simplified, "{theory} uses no influence coefficients"},
  Refusal{Feature::simplified, Feature::not_steady, "{theory} solves steady rolling only{at}", "problem: steady_rolling in every step, or another method"},
  Refusal{Feature::simplified, Feature::not_along_x, "{theory} rolls along x only{at}", "a direction of 0 or 180 degrees, or another method", Feature::steady},
  Refusal{Feature::simplified, Feature::unlike_step, "{theory} steps from element to element{at}", "a tangential.step of dx, or another method", Feature::steady},
  Refusal{Feature::simplified, Feature::friction_by_place, "{theory} takes one coefficient of friction, which may fall with the creepage{at}", "one coefficient, or another method"},
  Refusal{Feature::simplified, Feature::memory, "{theory} takes one coefficient of friction, which may fall with the creepage{at}", "one coefficient, or another method"},
  Refusal{Feature::fastrip, Feature::kinetic, "fastrip takes one coefficient of friction, which may fall with the creepage{at}", "one coefficient, or solver.tangential: fastsim"},
  Refusal{Feature::fastrip, Feature::extra_slip, "fastrip has no slip of single elements, which its strips do not know{at}", "no extra_x and extra_y, or solver.tangential: fastsim"},
  Refusal{Feature::sdec, Feature::approach, "sdec needs a force, for its ellipses are given{at}", "a normal.force, or kpec or analyn"},

  // Settings that only the simplified theory uses.
  Refusal{Feature::normal_estimate, Feature::not_simplified, "an estimate of the contact serves fastsim and fastrip only"},
  Refusal{Feature::elliptic_bound, Feature::not_fastsim, "elliptic is a bound of fastsim only"},
  Refusal{Feature::elliptic_bound, Feature::normal_given, "the bound follows the pressure of solver.normal", "parabolic, or solver.normal: auto", Feature::simplified},
  Refusal{Feature::slope, Feature::not_simplified, "the slope is reduced in the simplified theory only"},
  Refusal{Feature::flexibility, Feature::not_fastsim, "only fastsim takes a flexibility"},
  Refusal{Feature::spin_slip, Feature::not_simplified, "belongs to the simplified theory", "both, with extra_x or extra_y that take the spin away"},

  // Other pairs.
  Refusal{Feature::error_estimate, Feature::nothing_steady, "only steady rolling has one"},
  Refusal{Feature::shear_strength, Feature::friction_by_place, "goes with one coefficient of friction"},
  Refusal{Feature::shear_strength, Feature::falling, "goes with one coefficient of friction"},
  Refusal{Feature::shear_strength, Feature::kinetic, "goes with one coefficient of friction"},
  Refusal{Feature::shear_strength, Feature::yielding, "a layer that yields caps mu p_n alone"},
  Refusal{Feature::shear_strength, Feature::simplified, "the simplified theory has mu p_n alone"},
  Refusal{Feature::shear_strength, Feature::second_order, "second_order knows how tractions begin where their bound begins at 0"},
  Refusal{Feature::shear_strength, Feature::error_estimate, "errors are estimated as parts of mu F_n"},
  Refusal{Feature::force_ratio, Feature::shear_strength, "a force_ratio is one to mu F_n alone, and a shear strength carries more", "a given motion, force or traction_coefficient"},
  Refusal{Feature::moment, Feature::not_newton, "only newton finds the rotation that belongs to a moment", "solver.tangential: auto or newton, or a rotation or spin"},
  Refusal{Feature::yielding, Feature::oblique, "shear that stays moves with particles along x or y only"},
  Refusal{Feature::memory, Feature::oblique, "follows particles along x or y only"},
  Refusal{Feature::falling, Feature::rolling_without_velocity, "falls with the slip velocity, but no rolling velocity is given", "a tangential.velocity, or law: constant"},
  Refusal{Feature::falling, Feature::shift_without_time, "falls with the slip velocity, but no duration of the shift is given", "a tangential.duration, or law: constant"},
};
// clang-format on

static_assert(kRefusals.size() <= 128, "CombinationCheck counts them");

const FeatureRow& row_of(Feature feature) {
  return kFeatureRows.at(static_cast<std::size_t>(feature));
}
bool is_of_step(Feature feature) {
  return feature != Feature::none && row_of(feature).of_step != nullptr;
}
bool has(const Features& features, Feature feature) {
  return feature == Feature::none || features[static_cast<std::size_t>(feature)];
}
void set(Features& features, Feature feature, bool given = true) {
  if (given) features.set(static_cast<std::size_t>(feature));
}

Features of_problem(const P& problem) {
  Features features;
  for (const FeatureRow& row : kFeatureRows)
    if (row.of_problem != nullptr) set(features, row.feature, row.of_problem(problem));
  return features;
}
Features of_step(const Grid& grid, const S& step) {
  Features features;
  for (const FeatureRow& row : kFeatureRows)
    if (row.of_step != nullptr) set(features, row.feature, row.of_step(grid, step));
  return features;
}
// The features of this step, or of all steps. Unknown steps may slide.
Features of_steps(const P& problem, const S* step) {
  Features features;
  if (step != nullptr) return of_step(problem.grid, *step);
  for (const S& each : problem.steps) features |= of_step(problem.grid, each);
  set(features, Feature::slides, problem.steps.empty());
  return features;
}

bool meets(const Refusal& pair, const Features& features) {
  return has(features, pair.at) && has(features, pair.against) && has(features, pair.only);
}
bool is_of_step(const Refusal& pair) {
  return is_of_step(pair.at) || is_of_step(pair.against) || is_of_step(pair.only);
}

// --- The methods that a message names.

// Calls visit(field, member, choices) for each method of the settings; the first choice is auto.
template <class Visit>
void for_each_method(const Visit& visit) {
  visit("solver.influence", &SolverSettings::influence, kInfluenceMethods);
  visit("solver.normal", &SolverSettings::normal, kNormalMethods);
  visit("solver.tangential", &SolverSettings::tangential, kTangentialMethods);
}
bool is_method(std::string_view field) {
  bool found = false;
  for_each_method(
      [&](std::string_view name, auto, const auto&) { found = found || name == field; });
  return found;
}

// Whether the field's method belongs to a pair that occurs. or_methods: also count a pair with
// another method.
bool is_at_fault(std::string_view field, const Features& features, bool or_methods) {
  return std::ranges::any_of(kRefusals, [&](const Refusal& pair) {
    const std::string_view at = row_of(pair.at).field;
    const std::string_view against = row_of(pair.against).field;
    const bool both = is_method(at) && is_method(against);
    return (at == field || against == field) && (or_methods || !both) && meets(pair, features);
  });
}

// The methods that the field of the pair's first feature may have instead, everything else
// unchanged; but a method outside the pair that must change anyway counts as automatic. Empty:
// none, or the field is no method.
std::string methods_that_go(const Refusal& pair, const P& problem, const S* step) {
  const std::string_view field = row_of(pair.at).field;
  const std::string_view against = row_of(pair.against).field;
  if (!is_method(field)) return {};
  P changed = problem;
  const Features steps = of_steps(problem, step);
  const Features now = of_problem(problem) | steps;
  for_each_method([&](std::string_view name, auto method, const auto& choices) {
    if (name != field && name != against && is_at_fault(name, now, false))
      changed.solver.*method = choices.front().value;
  });
  std::string list;
  for_each_method([&](std::string_view name, auto method, const auto& choices) {
    if (name != field) return;
    for (const auto& choice : choices) {
      changed.solver.*method = choice.value;
      if (is_at_fault(field, of_problem(changed) | steps, true)) continue;
      if (!list.empty()) list += ", ";
      list += choice.name;
    }
  });
  return list;
}

// problem: null if only fields of steps matter.
std::string remedy_of(const Refusal& pair, const P* problem, const S* step) {
  if (*pair.remedy != '\0') return pair.remedy;
  const FeatureRow& at = row_of(pair.at);
  const std::string instead = *at.instead != '\0' || problem == nullptr
                                  ? at.instead
                                  : methods_that_go(pair, *problem, step);
  return instead + (instead.empty() ? "" : ", or ") + row_of(pair.against).without;
}

std::string filled(std::string text, const P* problem, const Grid& grid, const S* step,
                   const std::string& at) {
  const auto fill = [&text](std::string_view name, const std::string& value) {
    const std::size_t found = text.find(name);
    if (found != std::string::npos) text.replace(found, name.size(), value);
  };
  if (problem != nullptr)
    fill("{theory}",
         problem->solver.tangential == TangentialMethod::fastrip ? "fastrip" : "fastsim");
  fill("{at}", at);
  if (step == nullptr) return text;
  fill("{degrees}", number_text(step->tangential.direction * 180.0 / std::numbers::pi));
  fill("{step}", number_text(step->tangential.step));
  fill("{element}", number_text(element_of(grid, *step)));
  fill("{length}", std::to_string(elements_along(grid, *step)));
  return text;
}

// For a layer: the number that makes it exist.
std::string field_of(const FeatureRow& row, const P* problem) {
  if (row.field != std::string_view("layer") || problem == nullptr) return row.field;
  const ContactLayer& layer = problem->layer;
  return layer.compliance > 0.0 ? "layer.compliance"
         : layer.yields()       ? "layer.yield_stress"
                                : "layer.normal_compliance";
}

// --- The ways of computing.

constexpr std::array<const char*, 5> kWayNames{"a GPU", "several GPUs", "several ranks", "a batch",
                                               "derivatives"};

const FeatureRow* refused_on(Way way, const ContactProblem& problem) {
  const Features features = of_problem(problem) | of_steps(problem, nullptr);
  for (const FeatureRow& row : kFeatureRows)
    if ((row.not_on & bit(way)) != 0 && has(features, row.feature)) return &row;
  return nullptr;
}

}  // namespace

CombinationCheck::CombinationCheck(const ContactProblem& problem)
    : problem_(&problem), grid_(problem.grid), features_(of_problem(problem)) {
  known_.set();
}

CombinationCheck::CombinationCheck(const Grid& grid) : grid_(grid) {
  set(features_, Feature::periodic, grid.boundary == Boundary::periodic);
  set(features_, Feature::periodic_one_way, repeats_in_one_direction(grid.boundary));
  for (const Feature feature : {Feature::transient, Feature::steady, Feature::oblique,
                                Feature::along_period, Feature::falling, Feature::memory,
                                Feature::shift_without_time, Feature::rolling_without_velocity})
    set(known_, feature);
}

void CombinationCheck::problem(FaultList& faults) {
  for (std::size_t i = 0; i < kRefusals.size(); ++i)
    if (!is_of_step(kRefusals[i]) && meets(kRefusals[i], features_)) report(i, nullptr, {}, faults);
}

void CombinationCheck::step(const StepInput& step, const StepName& name, FaultList& faults) {
  const Features features = features_ | (of_step(grid_, step) & known_);
  for (std::size_t i = 0; i < kRefusals.size(); ++i)
    if (is_of_step(kRefusals[i]) && meets(kRefusals[i], features)) report(i, &step, name, faults);
}

// Reports a fault at a field of the problem once: for the first step that shows it, and for one of
// several features with the same reason.
void CombinationCheck::report(std::size_t index, const StepInput* step, const StepName& name,
                              FaultList& faults) {
  const Refusal& pair = kRefusals[index];
  const FeatureRow& at = row_of(pair.at);
  const bool of_step = at.of_step != nullptr;
  if (!of_step && reported_[index]) return;
  for (std::size_t i = 0; !of_step && i < kRefusals.size(); ++i)
    if (kRefusals[i].at == pair.at && kRefusals[i].reason == std::string_view(pair.reason))
      reported_.set(i);
  const std::string field = of_step ? name.path + at.field : field_of(at, problem_);
  faults.add(field, filled(pair.reason, problem_, grid_, step, name.at),
             filled(remedy_of(pair, problem_, step), problem_, grid_, step, name.at));
}

std::vector<Fault> refuse_interior(const ContactProblem& problem) {
  Features features = of_problem(problem);
  features.set(static_cast<std::size_t>(Feature::interior));
  std::vector<Fault> faults;
  for (const Refusal& pair : kRefusals)
    if (pair.at == Feature::interior && meets(pair, features))
      faults.push_back(
          {"interior", pair.reason, remedy_of(pair, nullptr, nullptr), FaultKind::senseless});
  return faults;
}

std::string refusal_of_estimate(const ContactProblem& problem) {
  ContactProblem asked = without_geometry(problem);
  asked.steps = problem.steps;
  asked.error_estimate = true;
  const std::vector<Fault> faults = check_combinations(asked);
  return faults.empty() ? "" : faults.front().reason;
}

std::string refusal_on(Way way, const ContactProblem& problem) {
  const FeatureRow* row = refused_on(way, problem);
  return row != nullptr ? row->clause : "";
}

void require_on(Way way, const ContactProblem& problem, const std::string& accepted) {
  const FeatureRow* row = refused_on(way, problem);
  if (row == nullptr) return;
  const bool on_gpu =
      refused_on(Way::gpu, problem) == nullptr && !is_simplified(problem.solver.tangential);
  const std::string other = way == Way::several_ranks            ? "one process"
                            : way == Way::several_gpus && on_gpu ? "one GPU"
                                                                 : "the CPU backend";
  throw InputError(std::string(row->field) + ": not computed on " +
                   kWayNames.at(static_cast<std::size_t>(way)) + ", because " + row->clause +
                   "; accepted: " + (accepted.empty() ? other : accepted));
}

std::vector<CombinationLine> combination_lines() {
  const auto name_of = [](Feature feature, const Refusal& pair) {
    const std::string only =
        pair.only != Feature::none ? std::string(" (with ") + row_of(pair.only).name + ")" : "";
    return row_of(feature).name + only;
  };
  std::vector<CombinationLine> lines;
  for (const FeatureRow& row : kFeatureRows) {
    CombinationLine line{row.name, {}, {}};
    for (const Refusal& pair : kRefusals) {
      if (pair.at == row.feature) line.not_with.push_back(name_of(pair.against, pair));
      if (pair.against == row.feature) line.not_with.push_back(name_of(pair.at, pair));
    }
    for (std::size_t way = 0; way < kWayNames.size(); ++way)
      if ((row.not_on & bit(static_cast<Way>(way))) != 0) line.not_on.emplace_back(kWayNames[way]);
    if (!line.not_with.empty() || !line.not_on.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace slipfield
