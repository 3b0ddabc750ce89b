// SPDX-License-Identifier: Apache-2.0
// A contact problem as a plain value, in the units of the case; problem_check.h finds its faults.
//
// Signs: body 1 (upper) minus body 2 (lower) throughout; tractions act on body 1.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/adhesion.h"
#include "solver/friction.h"
#include "solver/geometry.h"
#include "solver/grid.h"
#include "solver/influence/curved_influence.h"
#include "solver/material.h"
#include "solver/surface/surface_request.h"

namespace slipfield {

// A layer of third bodies between the surfaces, thin compared with the contact (THEORY.md 5.10):
// each of its elements responds only to its own traction.
struct ContactLayer {
  double compliance = 0.0;  // tangential, thickness over shear modulus [length^3/force]; >= 0
  double normal_compliance = 0.0;  // [length^3/force]; >= 0
  double yield_stress = 0.0;  // shear beyond it is permanent [force/length^2]; 0: does not yield
  // Increase of the yield stress per sheared distance [force/length^3]; < 0: softens.
  double hardening = 0.0;

  [[nodiscard]] bool yields() const { return yield_stress > 0.0; }
  [[nodiscard]] bool exists() const {
    return compliance != 0.0 || normal_compliance != 0.0 || yields();
  }
  bool operator==(const ContactLayer&) const = default;
};

// Patches of a contact that affect each other only in part (THEORY.md 4.7): between two of them a
// weight multiplies the normal displacement due to pressure.

// An element belongs to the first rectangle that contains its centre; outside all, nothing touches.
struct ContactPatches {
  struct Rectangle {
    double x_from = 0.0;
    double x_to = 0.0;
    double y_from = 0.0;
    double y_to = 0.0;
    bool operator==(const Rectangle&) const = default;
  };
  std::vector<Rectangle> rectangles;  // none: the contact is one patch
  // For patches 1 and 2, 1 and 3, .., 2 and 3, ..: from 0 (independent) to 1 (one half-space).
  std::vector<double> weights;

  [[nodiscard]] bool exist() const { return !rectangles.empty(); }
  bool operator==(const ContactPatches&) const = default;
};

inline std::size_t pairs_of(std::size_t patches) {
  return patches * (patches - (patches == 0 ? 0 : 1)) / 2;
}

enum class Units { n_mm_s, si };

enum class NormalControl { force, approach, pull_off };

struct NormalLoad {
  NormalControl control = NormalControl::force;
  // Force F_n, > 0 unless the surfaces adhere; approach [length]; for pull_off the distance by
  // which each try separates the bodies further, > 0 [length] (solver/run/checked_solver.h).
  double value = 0.0;

  bool operator==(const NormalLoad&) const = default;
};

enum class TangentialProblem { none, shift, transient_rolling, steady_rolling };

// What is prescribed in one direction: the rigid motion (shift [length] or creepage [-]), the force
// on body 1, the force over mu F_n, or the force over F_n.
enum class TangentialControl { rigid, force, force_ratio, traction_coefficient };

struct TangentialLoad {
  TangentialControl control = TangentialControl::rigid;
  double value = 0.0;

  bool operator==(const TangentialLoad&) const = default;
};

// If friction depends on the slip a step may have several solutions. Selects the coefficients from
// which the solver starts: those of the step before, of adhesion, or of sliding at the velocity V.
enum class FrictionStart { last, adhesion, slip };

// Additional rigid slip of single elements, body 1 minus body 2: one value per element, x fastest,
// in a shift [length], in rolling over dq [-]. Null: none.
struct ExtraSlip {
  std::shared_ptr<const std::vector<double>> x;
  std::shared_ptr<const std::vector<double>> y;

  [[nodiscard]] bool given() const { return x != nullptr || y != nullptr; }
  bool operator==(const ExtraSlip&) const = default;
};

// For the simplified theory: the components of the rigid slip that the spin contributes to.
enum class SpinSlip { both, x, y };

struct Tangential {
  TangentialProblem problem = TangentialProblem::none;
  TangentialLoad x;
  TangentialLoad y;
  double rotation = 0.0;  // shift: rotation [rad]; rolling: spin creepage phi [rad/length]
  // Prescribed moment M_z about the origin, on body 1 [force length]; the solver then finds the
  // rotation.
  std::optional<double> moment = {};
  double direction = 0.0;  // rolling: direction chi [rad]
  double step = 0.0;       // rolling: distance dq > 0 [length]
  double velocity = 0.0;   // rolling: V [length/time]; 0: none given
  double duration = 0.0;   // shift: its duration [time]; 0: none given
  FrictionStart start = FrictionStart::last;
  ExtraSlip extra;
  SpinSlip spin_slip = SpinSlip::both;
};

// One entry of the sequence: everything that may change between steps; it runs `repeat` times.
struct StepInput {
  Friction friction;
  NormalLoad normal;
  Tangential tangential;
  int repeat = 1;
};

// The patch of sdec: |x| <= semi_axis_x sqrt(1 - ((y - border)/side)^2), where `side` is `below` or
// `above`, depending on the side of the border.
struct HalfEllipses {
  double semi_axis_x = 0.0;
  double below = 0.0;
  double above = 0.0;
  double border = 0.0;  // y
  bool operator==(const HalfEllipses&) const = default;
};

// In a case summation is `tiled`, and dense (factors of a dense matrix) is `direct`.
enum class InfluenceMethod { automatic, summation, fft };
enum class NormalMethod {
  automatic,
  active_set_cg,
  bound_cg,
  dense,
  newton,
  kpec,  // estimates, for fastsim only
  analyn,
  sdec
};
enum class TangentialMethod { automatic, gauss_seidel, newton, dense, fastsim, fastrip };

// FASTSIM's bound: mu times the paraboloid, or the ellipsoid, over the ellipse with the force F_n.
enum class TractionBound { parabolic, elliptic };

// Slope reduction of the simplified theory (THEORY.md 10.7): the stiffness is multiplied by initial
// (rest + (1 - rest)/(1 + decay eps)), eps: creepage over that of saturation. 1 and 1: none.
struct SlopeReduction {
  double initial = 1.0;  // > 0
  double rest = 1.0;     // 0 to 1, part that remains at large creepage
  double decay = 0.0;    // >= 0
  bool operator==(const SlopeReduction&) const = default;
};

// Slip in rolling: from one-sided differences of displacements, as published results use it, or to
// second order in the element size (THEORY.md 5.8).
enum class RollingScheme { first_order, second_order };

struct SolverSettings {
  InfluenceMethod influence = InfluenceMethod::automatic;
  NormalMethod normal = NormalMethod::automatic;
  TangentialMethod tangential = TangentialMethod::automatic;
  TractionBound traction_bound = TractionBound::parabolic;  // for fastsim
  SlopeReduction slope = {};                                // for fastsim and fastrip
  HalfEllipses half_ellipses = {};                          // for sdec
  double flexibility = 0.0;  // for fastsim, for all creepages [length^3/force]; 0: Kalker's
  RollingScheme rolling = RollingScheme::first_order;
  double tolerance = 1.0e-6;  // relative change of the tractions, and of a prescribed force
};

// Methods that estimate pressure and patch without solving: simplified/patch_estimate.h.
inline bool is_estimate(NormalMethod method) {
  return method == NormalMethod::kpec || method == NormalMethod::analyn ||
         method == NormalMethod::sdec;
}

// The methods that replace the half-spaces by Kalker's simplified theory: simplified_solver.h.
inline bool is_simplified(TangentialMethod method) {
  return method == TangentialMethod::fastsim || method == TangentialMethod::fastrip;
}

// The settings of all steps, without the geometry.
struct ProblemSettings {
  Units units = Units::n_mm_s;
  ElasticBody upper;
  ElasticBody lower;
  ContactLayer layer;
  Adhesion adhesion;  // between the surfaces
  ContactPatches patches;
  CurvedInfluence influence;  // for curved surfaces; none: half-spaces
  Grid grid;
  SolverSettings solver;
  bool sensitivities = false;   // of the forces with respect to rigid motion and approach
  bool error_estimate = false;  // of the totals of steady rolling, from a grid twice as coarse
  SurfaceRequest surface;       // wear and heat, after each step
};

struct ContactProblem : ProblemSettings {
  // The defaults, in problem.cpp: copying shapes and steps takes a second to compile, in nearly
  // every source.
  ContactProblem();
  ContactProblem(const ContactProblem& other);
  ContactProblem(ContactProblem&& other) noexcept;
  ContactProblem& operator=(const ContactProblem& other);
  ContactProblem& operator=(ContactProblem&& other) noexcept;
  ~ContactProblem();

  std::string title;
  std::vector<Shape> geometry;
  std::vector<StepInput> steps;  // at least one
};

// Either body is viscoelastic.
inline bool creeps(const ProblemSettings& problem) {
  return is_viscoelastic(problem.upper) || is_viscoelastic(problem.lower);
}

// The same settings, neither geometry nor steps: those may be large.
ContactProblem without_geometry(const ContactProblem& problem);

// The pressure at which the softer surface yields [force/length^2]; 0: neither yields.
inline double contact_hardness(const ContactProblem& problem) {
  const double upper = problem.upper.hardness;
  const double lower = problem.lower.hardness;
  if (!(upper > 0.0) || !(lower > 0.0)) return upper > 0.0 ? upper : lower;
  return upper < lower ? upper : lower;
}

// Combined material of the bodies, including the layer between them.
inline CombinedMaterial contact_material(const ContactProblem& problem) {
  CombinedMaterial material = combine(problem.upper, problem.lower);
  material.layer = problem.layer.compliance;
  material.sheet = problem.layer.normal_compliance;
  return material;
}

}  // namespace slipfield
