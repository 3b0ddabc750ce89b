// SPDX-License-Identifier: Apache-2.0
// How a step ended: what its report says of fields, totals and failures (THEORY.md 9.4, 11).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "solver/fields/step_ops.h"
#include "solver/grid.h"
#include "solver/number_text.h"
#include "solver/problem.h"
#include "solver/rolling.h"
#include "solver/solution.h"
#include "solver/tangential/tangential_task.h"
#include "solver/vector_length.h"

namespace slipfield {

// How the outer iteration of a step ended.
enum class Ending {
  agreed,
  normal_failed,
  tangential_failed,
  beyond_friction,
  beyond_moment,
  no_agreement,
  refused  // falling friction: repeat the round with a smaller share of the law
};

inline bool has_force(const Tangential& tangential) {
  return tangential.x.control != TangentialControl::rigid ||
         tangential.y.control != TangentialControl::rigid || tangential.moment.has_value();
}

// What a load beyond friction prescribes and what the contact carries at most: forces [N], or
// moments.
struct BeyondBounds {
  Ending ending = Ending::agreed;
  double prescribed = 0.0;
  double carried = 0.0;
};

// Both numbers, to follow the message; both systems of units have N.
inline std::string beyond_text(const BeyondBounds& beyond, Units units) {
  const char* unit = beyond.ending == Ending::beyond_friction ? " N"
                     : units == Units::si                     ? " N m"
                                                              : " N mm";
  return " (prescribed " + number_text(beyond.prescribed) + unit + ", carried at most " +
         number_text(beyond.carried) + unit + ")";
}

inline bool is_beyond_friction(const TangentialTask& wanted, double bound) {
  return reaches_bound(std::hypot(wanted.force_x, wanted.force_y), bound);
}

// Marks the step as not converged; earlier remarks stay, after the message.
inline void fail(StepReport& report, const std::string& message) {
  report.outcome = Outcome::not_converged;
  report.message = message + (report.message.empty() ? "" : "; ") + report.message;
}

// Appends a remark unless the message has it already.
inline void add_remark(StepReport& report, const std::string& remark) {
  if (remark.empty() || report.message.find(remark) != std::string::npos) return;
  report.message += (report.message.empty() ? "" : "; ") + remark;
}

// Remark on a tangential problem in which newton stalled.
inline std::string stalled_text(TookOver who) {
  const std::string stalled = "newton stalled in the tangential problem and ";
  if (who == TookOver::proximal_point) return stalled + "the proximal point method took over";
  return stalled + (who == TookOver::newton_from_full_slip ? "started again from full slip"
                                                           : "gauss_seidel took over");
}

// Message when the rounds reach their limit. what: what should have agreed.
inline std::string no_agreement_text(const std::string& what, int rounds) {
  return what + " did not agree in " + std::to_string(rounds) + " outer iterations";
}

// Why a step did not converge. agree: what the rounds should have brought into agreement.
inline std::string failure_of(Ending ending, const Friction& friction, bool periodic,
                              bool shares_rows, const StepReport& report,
                              const char* agree = "friction and slip") {
  switch (ending) {
    case Ending::normal_failed:
      return "the normal problem did not converge in " + std::to_string(report.iterations_normal) +
             " iterations";
    case Ending::beyond_friction:
      return friction.depends_on_slip()
                 ? "the tangential force prescribed is not below mu F_n, with the friction of "
                   "sliding where the contact slips: no rigid slip was found for it"
                 : "the tangential force prescribed is not below mu F_n: no rigid slip gives it";
    case Ending::beyond_moment:
      return "the moment prescribed is not below what friction carries about the origin, the sum "
             "of mu p_n times the distance: no spin gives it";
    case Ending::tangential_failed:
      return "the tangential problem did not converge in " +
             std::to_string(report.iterations_tangential) + " iterations" +
             (shares_rows ? ": newton stalled twice, and no other method solves it where rows are "
                            "shared out"
              : periodic  ? ": newton stalled twice, and no other method solves periodic grids"
                          : "");
    case Ending::no_agreement:
      return no_agreement_text(agree, report.iterations_outer);
    case Ending::agreed:
    case Ending::refused:
      break;
  }
  return "";
}

// Advice to lengthen steps below 0.6 of an element if steady rolling did not converge; else empty.
inline std::string longer_step_text(Ending ending, const Tangential& tangential, const Grid& grid) {
  constexpr double kEasier = 0.6;
  const double whole = element_length(tangential.direction, grid);
  if (ending != Ending::tangential_failed ||
      tangential.problem != TangentialProblem::steady_rolling || tangential.step >= kEasier * whole)
    return "";
  return "a step of a whole element, " + number_text(whole) +
         ", converges more easily than one of " + number_text(tangential.step);
}

// Advice to prescribe a shift instead of a force if newton stalled near full sliding, where a
// little more force takes a lot more shift; else empty.
inline std::string shift_instead_text(Ending ending, const Tangential& tangential) {
  if (ending != Ending::tangential_failed || tangential.problem != TangentialProblem::shift ||
      !has_force(tangential))
    return "";
  return "a prescribed shift or a smaller force converges more easily";
}

// For an approach too large for a periodic grid: there the mean gap is `full_approach`, the mean of
// the undeformed distance, less the approach.
inline std::string full_contact_text(double approach, double full_approach) {
  return "the approach prescribed, " + number_text(approach) +
         ", is not below the mean of the undeformed distance, " + number_text(full_approach) +
         ", at which a periodic surface is in full contact; a prescribed force may be of any size";
}

inline constexpr const char* kBeyondDoubles =
    "the numbers of the case are beyond what doubles hold";

// Explains non-convergence by a field that is not finite at element i.
inline std::string broken_field_text(const std::string& name, std::size_t i, const Grid& grid,
                                     const StepReport& report) {
  std::string where = "before the first iteration";
  if (!report.history.empty()) {
    const IterationRecord& last = report.history.back();
    where = "in " + std::string(phase_name(last.phase)) + " iteration " +
            std::to_string(last.iteration);
  }
  const auto columns = static_cast<std::size_t>(grid.mx);
  return name + " is not finite at element (" + std::to_string(i % columns) + ", " +
         std::to_string(i / columns) + ") " + where + ": " + kBeyondDoubles;
}

// Explains non-convergence by sums of squares that are not finite although all fields are.
inline std::string broken_change_text(const IterationRecord& last) {
  return std::string(last.phase == Phase::normal ? "the sum of the squares of pressure"
                                                 : "the sum of the squares of traction") +
         " is not finite in " + std::string(phase_name(last.phase)) + " iteration " +
         std::to_string(last.iteration) + ": " + kBeyondDoubles;
}

inline void report_rigid_slip(const RigidSlip& rigid, double distance, StepReport& report) {
  report.rigid_x = rigid.x / distance;
  report.rigid_y = rigid.y / distance;
  report.rotation = rigid.rotation / distance;
}

// The moments of the pressure and its centre; none about an axis across which the grid repeats, as
// a cell may begin anywhere, and no centre without contact.
inline void report_pressure_moments(const StepTotals& totals, const Grid& grid,
                                    StepReport& report) {
  SurfaceNumbers& numbers = report.surface;
  const auto add = [&](double arm, double sign, std::optional<double>& moment,
                       std::optional<double>& centre) {
    if (!std::isfinite(arm * grid.element_area())) return;
    moment = sign * grid.element_area() * arm;
    if (totals.pressure > 0.0) centre = arm / totals.pressure;
  };
  if (!repeats_in_y(grid.boundary))
    add(totals.moment_x, 1.0, numbers.moment_x, numbers.pressure_centre_y);
  if (!repeats_in_x(grid.boundary))
    add(-totals.moment_y, -1.0, numbers.moment_y, numbers.pressure_centre_x);
}

inline void report_totals(const StepTotals& totals, const Grid& grid, StepReport& report) {
  const double area = grid.element_area();
  report.normal_force = area * totals.pressure;
  report.force_x = area * totals.traction_x;
  report.force_y = area * totals.traction_y;
  report.moment_z = area * totals.moment_z;
  report.elements_adhesion = static_cast<std::int64_t>(totals.adhesion);
  report.elements_slip = static_cast<std::int64_t>(totals.slip);
  report.elements_contact = report.elements_adhesion + report.elements_slip;
  report.elastic_energy = 0.5 * area * totals.energy;
  report.friction_work = area * totals.work;
  report_pressure_moments(totals, grid, report);
}

// Reports the residual and fails the step if it is too large. frictional: some friction is not 0.
inline void report_residual(const StepResiduals& residuals, const StepTotals& totals,
                            bool frictional, double tolerance, StepReport& report) {
  const double normal_part =
      relative_size(residuals.normal2, residuals.pressure2, residuals.normal1, totals.pressure);
  const double tangential_part = relative_size(residuals.tangential2, residuals.bound2,
                                               residuals.tangential1, residuals.bound1);
  report.residual =
      std::isnan(tangential_part) ? tangential_part : std::max(normal_part, tangential_part);
  // If the friction bound has vanished there is no scale for the residual.
  if (report.elements_contact > 0 && frictional && !(residuals.bound1 > 0.0))
    report.residual = std::numeric_limits<double>::quiet_NaN();
  // The residual weighs smooth errors, up to a grid's width, more than the change of the tractions
  // does.
  const double accepted = 100.0 * tolerance;
  if (report.outcome == Outcome::converged && !(report.residual <= accepted)) {
    fail(report, "the residual of the fields found is " + number_text(report.residual) +
                     ", above 100 times the tolerance of " + number_text(tolerance));
  }
}

// Fails a step whose fields are finite but whose sums are not, or whose pressures are too small for
// doubles to represent the prescribed force. strength: shear strength; tolerance: of the normal
// problem.
inline void report_range(const NormalLoad& load, double strength, double tolerance,
                         StepReport& report) {
  if (report.outcome != Outcome::converged) return;
  const double bound =
      report.friction_coefficient * std::max(report.normal_force, report.max_pressure);
  const double of_strength = strength * static_cast<double>(report.elements_contact);
  const std::array<std::pair<const char*, double>, 9> numbers{
      {{"approach", report.approach},
       {"normal_force", report.normal_force},
       {"force_x", report.force_x},
       {"force_y", report.force_y},
       {"moment_z", report.moment_z},
       {"elastic_energy", report.elastic_energy},
       {"friction_work", report.friction_work},
       {"mu times the pressure", bound},
       {"the sum of the shear strength over the contact", of_strength}}};
  for (const auto& [name, value] : numbers)
    if (!std::isfinite(value))
      return fail(report, std::string(name) + " is not finite: " + kBeyondDoubles);
  // Tolerates the digits that small doubles lose, and the force error that the tolerance allows.
  const double apart = std::max(1.0e-4, 10.0 * tolerance);
  const double size = std::max(std::abs(load.value), report.adhesive_force);
  if (load.control == NormalControl::force &&
      !(std::abs(report.normal_force - load.value) <= apart * size))
    fail(report, "the pressures add up to " + number_text(report.normal_force) +
                     ", not to the force of " + number_text(load.value) + ": " + kBeyondDoubles);
}

}  // namespace slipfield
