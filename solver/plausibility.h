// SPDX-License-Identifier: Apache-2.0
// Finds what is possible but suspicious in a problem or its solution: a number in the wrong unit, a
// grid that cannot resolve the contact. Values only: io/case/doubts.h has the sentences.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// Limits of what passes without a warning.
inline constexpr double kLeastElementsAcross = 8.0;
inline constexpr double kLeastElementsInZone = 2.0;  // of adhesion
inline constexpr double kKeepsVolume = 0.49;         // Poisson's ratio of a layer, or more
inline constexpr double kStiffBase = 100.0;          // its shear modulus over that of the layer
inline constexpr double kMostPressure = 0.1;         // p_max/E*: linear elasticity ends about there
inline constexpr double kHighPressure = 1.0e+10;  // in Pa: beyond what steel, rock and glass carry
inline constexpr double kLeastModulus = 1.0e+6;   // Young's, in Pa
inline constexpr double kMostModulus = 1.0e+13;
inline constexpr double kSoftestMetal = 1.0e+10;      // lead, 16 GPa [Pa]
inline constexpr double kSteelModulus = 2.1e+11;      // [Pa]
inline constexpr double kStiffestMaterial = 1.2e+12;  // diamond [Pa]
inline constexpr double kLikeAThousand = 1.3;  // factor by which the moduli of like metals differ
inline constexpr double kMostFriction = 1.5;
inline constexpr double kLeastDensity = 20.0;  // [kg/m^3]: foams
inline constexpr double kMostDensity = 3.0e+4;
inline constexpr double kLeastConductivity = 0.1;  // [W/(m K)] of solids: polymers
inline constexpr double kMostConductivity = 3.0e+3;
inline constexpr double kLeastCapacity = 50.0;  // [J/(kg K)]
inline constexpr double kMostCapacity = 1.0e+4;
inline constexpr double kMostAdhesion = 10.0;      // [J/m^2]
inline constexpr double kLeastAdhesion = 1.0e-11;  // [m], a tenth of an atom
inline constexpr double kMostRotation = 0.5;       // [rad], of a shift
// Strengths over Young's moduli of the bodies, also of soft films and of coatings that the model
// leaves out.
inline constexpr double kMostStrength = 1.0;      // over the greatest modulus
inline constexpr double kLeastHardness = 5.0e-5;  // over the least one
inline constexpr double kLeastYield = 5.0e-6;     // of a metal in shear
inline constexpr double kMostWear = 0.05;         // of the approach, in a round of wear
inline constexpr double kSlowFriction = 0.02;   // [m/s] and less, if rolling is 1000 times as fast
inline constexpr double kFastFriction = 100.0;  // [m/s]
inline constexpr double kMostCreepage = 0.1;
inline constexpr double kMostCoupling = 0.2;  // |K| with second-order rolling
inline constexpr double kLongStep = 0.5;      // of transient rolling, over the contact's length
inline constexpr double kMostCreepError =
    0.01;                                      // of the force, of one shift of viscoelastic bodies
inline constexpr double kMostHeatApart = 0.1;  // of the power that forces dissipate
inline constexpr double kMostSemiAxis = 0.3;   // over the radius: h is a paraboloid up to there

enum class Doubt {
  low_modulus,
  high_modulus,
  mixed_moduli,  // a thousandth of the other body's (at: u, l); a coating: also of its own body's
  high_friction,
  large_creepage,
  large_spin,            // beyond 1/length of the contact
  direction_in_radians,  // of rolling
  short_step,            // of steady rolling, compared with an element
  no_contact,
  one_element,
  few_elements,
  high_pressure,
  large_contact,      // no longer a half-space
  beyond_grid,        // the contact is longer than the part that the grid covers
  unlike_bodies,      // second order gains little if K != 0
  extreme_pressure,   // in Pa, whatever the moduli
  curved_period,      // a curved shape that a periodic grid repeats: its slope jumps at the edge
  stepped_period,     // a tilted shape, or a map whose ends differ in height
  wide_heights,       // heights range over more than the grid
  steep_heights,      // the median slope of heights
  tilted_heights,     // the rise of their mean plane over the rest; they first touch at an edge
  scattered_summits,  // heights range over more than the contact or approach (at: c, a)
  coarse_adhesion,    // elements longer than half of the zone in which the law's stress falls
  unseen_slip,        // extra slip, which the simplified theory's coefficients ignore
  long_step,          // of transient rolling, compared with the contact's length along it
  long_creep,         // a shift with nonlinear tractions; its error [%], the longest accepted shift
  long_growth,        // likewise, of the pressure where the contact grows under its force
  wrong_density,      // of a body that heats (at: u, l), or of one that wears (w)
  friction_seam,      // two coefficients where a periodic grid repeats a map of friction
  coarse_layer,  // elements longer than the thickness of an incompressible layer on a stiff base
  // heat of the elements' slip, compared with the power of the forces (at: s, only a finer grid
  // helps)
  coarse_heat,
  idle_tolerance,  // nothing is solved to this tolerance
  slow_friction,   // half velocity compared with that of rolling; without one only too fast (at: f)
  large_rotation,  // of a shift [rad]
  periodic_rotation,   // its slip jumps where the grid repeats it
  far_shift,           // compared with the contact's length along it
  wrong_conductivity,  // of a body that heats (at: u, l), in W/(length K)
  wrong_capacity,      // likewise, in J/(kg K)
  layered_heat,        // likewise, the thickness of its layers, which conduct as it does
  strong_adhesion,     // work in force/length
  short_adhesion,      // length of the law's stress
  deep_wear,           // of one pass or more, compared with the approach
  loose_profile,       // how far a profile's curve overshoots its points, compared with their steps
  shared_seed,         // of two rough surfaces that have waves of one length
  // a strength that no material of these moduli has (at: u, l, of the body; w, of wear; f, of
  // fatigue; y, of a layer; s, of the interface)
  odd_strength,
  soft_rail,  // of wheel and rail the harder one is softer than any metal; limit: steel's
};

struct Finding {
  Doubt doubt = Doubt::low_modulus;
  char at =
      ' ';  // 'x', 'y': the direction; 'u', 'l': the body; 'p': a periodic grid; 's': the simplified theory; 'r': a rough surface
  double value = 0.0;        // the suspicious value, in the units of the case
  double limit = 0.0;        // the limit that it is compared with
  std::size_t entry = 0;     // index in ContactProblem::steps
  bool is_estimate = false;  // from Hertz's theory, before solving
  int layer = 0;  // layer of the body's coating, counted from 1 at the surface; 0: the body
  std::array<double, 2> between{};  // its coordinates

  bool operator==(const Finding& other) const = default;
};

// Doubts before solving: for each doubt (and body or direction) the first step that raises it. A
// sequence may start loading at a single point, so "few elements" is judged by the step with the
// most elements; if that has enough, by a later step with fewer than half of enough.
std::vector<Finding> doubts_before(const ContactProblem& problem);

// A law whose half velocity seems to be in another unit than the case.
std::optional<Finding> doubt_of_half_velocity(const Friction& friction, double rolling_velocity,
                                              Units units);

// Doubts about these steps alone; the problem's own steps are not used.
std::vector<Finding> doubts_of_steps(const ContactProblem& problem,
                                     std::span<const StepInput> steps);

// Doubts after solving a step that no Hertz estimate can raise before.
std::vector<Finding> doubts_after(const ContactProblem& problem, const StepInput& step,
                                  const StepReport& report);

// The power that the elements' slip dissipates in steady rolling, which heats (THEORY.md 14.1) and,
// between unlike bodies, wears, if it differs by a tenth or more from that of the forces [power].
// Also applies to a contact of a wheel.
std::optional<Finding> doubt_of_dissipation(const ContactProblem& problem, const StepInput& step,
                                            const StepReport& report);

// Doubts about the bodies' densities and moduli and the solver's tolerance.
std::vector<Finding> doubts_of_bodies(const ContactProblem& problem);
// The same of a wheel and a rail, of which one may be of plastic, but seldom both.
std::vector<Finding> doubts_of_rail_bodies(const ContactProblem& problem);

// Pa per unit of stress of the case.
double pascal(Units units);

}  // namespace slipfield
