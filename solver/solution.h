// SPDX-License-Identifier: Apache-2.0
// Results of a step: host fields and a report of numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slipfield {

// plastic: a layer between the surfaces yields there (THEORY.md 5.11); the solvers treat that as
// slip, and a finished step separates the two.
enum class ElementState : std::uint8_t { exterior = 0, adhesion = 1, slip = 2, plastic = 3 };

// Fields over the grid, one value per element, x fastest. Units follow the case.
struct ContactSolution {
  std::vector<double> pressure;
  std::vector<double> traction_x;  // on body 1
  std::vector<double> traction_y;
  std::vector<double> traction_bound;  // g = tau_0 + mu p_n
  std::vector<double> displacement_x;  // body 1 minus body 2
  std::vector<double> displacement_y;
  std::vector<double> displacement_n;
  std::vector<double> undeformed_distance;  // +infinity where no contact is possible
  std::vector<double> gap;                  // e = h + u_n - approach
  std::vector<double> slip_x;               // slip distance of the step, body 1 relative to body 2
  std::vector<double> slip_y;
  std::vector<ElementState> element_division;

  // Surface fields, if the problem requests them (solver/surface/surface_fields.h); else empty.
  std::vector<double> friction_power_density;  // [power/area]
  std::vector<double> t_gamma_density;         // T-gamma per area [force/area]
  // [length]: in rolling the element's part of one pass, in a shift the whole depth.
  std::vector<double> wear_depth;
  std::vector<double> wear_depth_total;  // by all shifts so far [length]
  // Temperatures of the surfaces of body 1 and body 2 [degrees].
  std::vector<double> temperature_upper;
  std::vector<double> temperature_lower;
  std::vector<double> permanent_deformation;  // by all steps, if surfaces yield [length]
  std::vector<double> adhesive_stress;        // >= 0, attracts the surfaces, if they adhere
  // One value per row of elements, by iy.
  std::vector<double> wear_profile;             // worn depth of all passes [length]
  std::vector<double> surface_fatigue_along_y;  // index of each row, taken as a line contact
};

// Some of the fields of a ContactSolution.
class ChosenFields {
 public:
  using Field = std::vector<double> ContactSolution::*;
  // Chooses all fields.
  ChosenFields() = default;
  ChosenFields(std::vector<Field> fields, bool division)
      : fields_(std::move(fields)), division_(division) {}
  [[nodiscard]] bool has(Field field) const {
    return !fields_ || std::find(fields_->begin(), fields_->end(), field) != fields_->end();
  }
  [[nodiscard]] bool has_division() const { return !fields_ || division_; }
  // The same fields, but those that a solver has not allocated, which are 0, may be empty.
  [[nodiscard]] ChosenFields without_zeros() const {
    ChosenFields same = *this;
    same.without_zeros_ = true;
    return same;
  }
  [[nodiscard]] bool leaves_out_zeros() const { return without_zeros_; }

 private:
  std::optional<std::vector<Field>> fields_;
  bool division_ = false;
  bool without_zeros_ = false;
};

enum class Outcome { converged, not_converged };

enum class Phase : std::uint8_t { normal = 0, tangential = 1, outer = 2 };
inline std::string_view phase_name(Phase phase) {
  switch (phase) {
    case Phase::normal:
      return "normal";
    case Phase::tangential:
      return "tangential";
    case Phase::outer:
      return "outer";
  }
  return "";
}

// One line of the convergence history; change: relative change of the tractions in that iteration.
struct IterationRecord {
  Phase phase = Phase::normal;
  int iteration = 0;
  double change = 0.0;
};

// Body 1 and body 2; the values also serve as indices.
enum class Body : std::uint8_t { upper = 0, lower = 1 };

// The greatest value of a quantity inside a body, its position [length], and the greatest at each
// depth.
struct InteriorGreatest {
  double value = 0.0;
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;                // negative in body 2
  std::vector<double> by_depth;  // empty: not requested
};

// Greatest values over the requested depths and region (solver/interior/interior_field.h).
struct InteriorSummary {
  Body body = Body::upper;
  InteriorGreatest von_mises;
  InteriorGreatest tresca;
  InteriorGreatest principal_1;
  InteriorGreatest
      dang_van;  // x: where the passage has its greatest value; the grid's edge for the
                 // unloaded state
  InteriorGreatest crossland;  // x: the grid's edge, for it is of the whole passage
};

// Estimated errors of the totals due to the element size, as magnitudes (THEORY.md 11.6).
struct DiscretisationError {
  double force_x = 0.0;
  double force_y = 0.0;
  double moment_z = 0.0;
  double friction_work = 0.0;
  double t_gamma = 0.0;     // error of SurfaceNumbers::t_gamma
  double creepage_x = 0.0;  // 0 unless the force is prescribed
  double creepage_y = 0.0;
};

// Numbers of the surfaces, if the problem requests them, and others that only some steps have.
struct SurfaceNumbers {
  // Forces over mu (F_n + adhesive force) (solver/derived_numbers.h). None without friction or with
  // a shear strength.
  std::optional<double> force_ratio_x;
  std::optional<double> force_ratio_y;
  // Dissipation per rolling distance, > 0: minus (forces times creepages plus moment times spin)
  // [force]; in transient rolling less what the bodies store (solver/surface/wear.h).
  std::optional<double> t_gamma;
  std::optional<double> t_gamma_spin;      // the part due to spin, -M_z phi [force]
  std::optional<double> t_gamma_elements;  // from the elements' tractions and slip [force]
  std::optional<double> rcf_damage;        // of one pass, by T-gamma [-]
  std::optional<double> worn_area;       // of the worn profile: volume per length rolled [length^2]
  std::optional<double> worn_volume;     // by all shifts so far, all passes [length^3]
  std::optional<double> max_wear_depth;  // of the worn profile, or by all shifts so far [length]
  std::optional<double> max_temperature;  // in the contact, if both surfaces have one [degrees]
  std::optional<double> max_temperature_upper;
  std::optional<double> max_temperature_lower;
  std::optional<double> heat_upper;  // power into the body [power]
  std::optional<double> heat_lower;
  std::optional<double> peclet_number;   // V l/(2 kappa), the smaller one of the bodies that pass
  std::optional<double> used_friction;   // tangential over normal force
  std::optional<double> shakedown_load;  // p_0/k, p_0 by the pressure's moments
  std::optional<double> surface_fatigue_index;  // used_friction - k/p_0
  // p_0/k up to which the first pass is elastic at this friction
  std::optional<double> elastic_limit;
  std::optional<double> shakedown_limit;    // p_0/k up to which later passes are elastic
  std::optional<double> shakedown_reserve;  // shakedown_limit/shakedown_load
  // Energy that the pressure loses in viscoelastic bodies per rolling distance [force].
  std::optional<double> rolling_resistance;
  // The shape of the contact (solver/surface/contact_spots.h): areas [length^2], perimeter and mean
  // gap [length], number of spots.
  std::optional<double> contact_area;
  std::optional<double> contact_area_corrected;
  std::optional<double> contact_perimeter;
  std::optional<double> contact_spots;
  std::optional<double> largest_spot_area;
  std::optional<double> mean_gap;
  std::optional<double> open_along_x;  // 1 or 0
  std::optional<double> open_along_y;
  // Moments of the pressure, dx dy sum y p and -dx dy sum x p; its centre. None across a period.
  std::optional<double> moment_x;
  std::optional<double> moment_y;
  std::optional<double> pressure_centre_x;  // none without contact
  std::optional<double> pressure_centre_y;
  // The first of approach_sensitivities, where a file says it [force/length].
  std::optional<double> stiffness;
};

// What a step took.
struct StepCost {
  int iterations_normal = 0;
  int iterations_tangential = 0;
  int iterations_outer = 0;
  std::int64_t matrix_products = 0;         // on the grid of the case
  std::int64_t matrix_products_coarse = 0;  // on coarser grids, for a start (coarse_start.h)
  double seconds = 0.0;

  StepCost& operator+=(const StepCost& other) {
    iterations_normal += other.iterations_normal;
    iterations_tangential += other.iterations_tangential;
    iterations_outer += other.iterations_outer;
    matrix_products += other.matrix_products;
    matrix_products_coarse += other.matrix_products_coarse;
    seconds += other.seconds;
    return *this;
  }
};

struct StepReport : StepCost {
  Outcome outcome = Outcome::converged;
  std::string message;        // empty when converged; otherwise one sentence that says what did not
  double normal_force = 0.0;  // of the pressure, less the adhesive force
  double adhesive_force =
      0.0;  // dx dy sum of the adhesive stress, >= 0; 0: the surfaces do not adhere
  double approach = 0.0;
  double force_x = 0.0;  // on body 1
  double force_y = 0.0;
  double moment_z = 0.0;  // dx dy sum (x p_y - y p_x)
  double rigid_x = 0.0;   // shift_x, or creepage_x when rolling
  double rigid_y = 0.0;
  double rotation = 0.0;       // rotation, or spin when rolling
  double shift_total_x = 0.0;  // sums of the shifts of all steps so far
  double shift_total_y = 0.0;
  double friction_work_total = 0.0;  // likewise of friction_work
  double max_pressure = 0.0;
  std::int64_t elements_contact = 0;
  std::int64_t elements_adhesion = 0;
  std::int64_t elements_slip = 0;
  std::int64_t elements_plastic = 0;
  std::int64_t elements_yielding = 0;  // of elements_contact: those with the hardness as pressure
  double elastic_energy = 0.0;         // dx dy/2 sum p.u
  double friction_work = 0.0;          // dx dy sum p_t.s, <= 0; to second order see THEORY.md 11.3
  // The static coefficient; if it varies, its mean weighted with the pressure, to which forces over
  // mu F_n refer.
  double friction_coefficient = 0.0;
  double shear_strength = 0.0;  // tau_0 of the bound tau_0 + mu p_n [traction]
  // In transient rolling with wear requested (solver/step/stored_work.h); without friction, per
  // unit of its coefficient. Not in results.
  double stored_work = 0.0;
  // Energy that the tangential tractions give to viscoelastic or unlike bodies per rolling
  // distance, along x or y [force] (THEORY.md 11.7); without friction, per unit of its coefficient.
  // Not in results.
  std::optional<double> given_to_bodies;
  double residual = 0.0;  // independent of the solvers: THEORY.md 9.4
  // If requested: d(force_x, force_y, moment_z)/d(rigid_x, rigid_y, rotation), row by row, with the
  // elements in contact and the normal force or approach, whichever is prescribed, held
  // (THEORY.md 11.5).
  std::optional<std::array<double, 9>> sensitivities;
  // With them: d(normal_force, force_x, force_y, moment_z)/d(approach), with the elements in
  // contact and the rigid motion held. Their products are not in matrix_products.
  std::optional<std::array<double, 4>> approach_sensitivities;
  // For steady rolling, if requested and enough elements are in contact for an estimate.
  std::optional<DiscretisationError> error;
  std::vector<InteriorSummary> interior;  // one per requested body; empty: not computed
  SurfaceNumbers surface;
  // With second order: the share of rows that are of first order at their leading edge, and of
  // those whose pressures there differ from Hertz's, or are too few to judge (THEORY.md 5.8).
  double first_order_rows = 0.0;
  double unlike_edges = 0.0;
  bool adhesion_unsettled = false;  // the step failed because the adhesive stress did not settle
  bool touches_edge = false;  // contact reaches the edge of the grid: the grid may be too small
  std::vector<IterationRecord> history;
};

}  // namespace slipfield
