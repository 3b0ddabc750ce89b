// SPDX-License-Identifier: Apache-2.0
#include "solver/simplified/simplified_solver.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/cpu/cpu_influence.h"
#include "solver/derived_numbers.h"
#include "solver/error.h"
#include "solver/geometry/hertz_ellipse.h"
#include "solver/number_text.h"
#include "solver/simplified/patch_estimate.h"
#include "solver/simplified/simplified_theory.h"
#include "solver/step/step_outcome.h"

namespace slipfield {
namespace {

// Finds the creepages for a prescribed force, for a theory that computes the force from them
// (THEORY.md 10.6).
//
// Newton's method with a difference Jacobian; a step is halved until the force is nearer. Assumes
// that the force is continuous and grows with creepage, as in FASTSIM.
struct CreepageTask {
  std::array<bool, 2> searched{};    // x, y: whether the force is given and this creepage unknown
  std::array<double, 2> creepage{};  // given, or where the search starts
  std::array<double, 2> force{};     // wanted force if given
  double scale = 0.0;                // creepage that changes the force by much of its range
  double tolerance = 0.0;            // of the force
};

struct CreepageResult {
  std::array<double, 2> creepage{};
  double error = 0.0;  // of the force
  int iterations = 0;
  bool converged = false;
};

using ForceOfCreepage = std::function<std::array<double, 2>(const std::array<double, 2>&)>;
using SearchCallback = std::function<void(int iteration, double error)>;

using Pair = std::array<double, 2>;

constexpr int kMaxIterations = 60;
constexpr int kMaxHalvings = 20;
constexpr double kDifference = 1.0e-6;  // of the scale: rounding and curvature both stay small

struct Search {
  const CreepageTask& task;
  const ForceOfCreepage& force;

  [[nodiscard]] Pair lacking(const Pair& creepage) const {
    const Pair found = force(creepage);
    Pair lack{};
    for (std::size_t k = 0; k < 2; ++k) {
      if (task.searched[k]) lack[k] = task.force[k] - found[k];
    }
    return lack;
  }

  // The change of creepages that closes the remaining gap to the wanted forces, by the local
  // slopes; zero if there is none, as in full sliding.
  [[nodiscard]] Pair newton_step(const Pair& creepage, const Pair& lack) const {
    Pair slope_x{1.0, 0.0};  // of the gap to the forces, by creepage x
    Pair slope_y{0.0, 1.0};
    const auto slope = [&](std::size_t k) {
      Pair moved = creepage;
      const double difference = kDifference * (task.scale + std::abs(creepage[k]));
      moved[k] += difference;
      const Pair then = lacking(moved);
      return Pair{(then[0] - lack[0]) / difference, (then[1] - lack[1]) / difference};
    };
    if (task.searched[0]) slope_x = slope(0);
    if (task.searched[1]) slope_y = slope(1);
    const double determinant = slope_x[0] * slope_y[1] - slope_x[1] * slope_y[0];
    if (determinant == 0.0) return {};
    return {-(slope_y[1] * lack[0] - slope_y[0] * lack[1]) / determinant,
            -(slope_x[0] * lack[1] - slope_x[1] * lack[0]) / determinant};
  }
};

CreepageResult search_creepage(const CreepageTask& task, const ForceOfCreepage& force,
                               const SearchCallback& on_iteration) {
  const Search search{task, force};
  CreepageResult result;
  result.creepage = task.creepage;
  Pair lack = search.lacking(result.creepage);
  result.error = std::hypot(lack[0], lack[1]);
  while (result.error > task.tolerance && result.iterations < kMaxIterations) {
    ++result.iterations;
    const Pair step = search.newton_step(result.creepage, lack);
    bool nearer = false;
    double part = 1.0;
    for (int halving = 0; halving < kMaxHalvings && !nearer; ++halving, part *= 0.5) {
      const Pair creepage{result.creepage[0] + part * step[0], result.creepage[1] + part * step[1]};
      const Pair left = search.lacking(creepage);
      const double error = std::hypot(left[0], left[1]);
      nearer = error < result.error;
      if (!nearer) continue;
      result.creepage = creepage;
      result.error = error;
      lack = left;
    }
    on_iteration(result.iterations, result.error);
    if (!nearer) break;
  }
  result.converged = result.error <= task.tolerance;
  return result;
}

// Rolling in -x is the mirror image of rolling in +x: x, xi and phi change sign, and so do the x
// components of the results.
Creepages mirrored(const Creepages& creepages) {
  return {-creepages.x, creepages.y, -creepages.spin};
}

template <class T>
void reverse_rows(const Grid& grid, std::vector<T>& field) {
  for (auto row = field.begin(); row != field.end(); row += grid.mx)
    std::reverse(row, row + grid.mx);
}

ElementSlip mirrored(ElementSlip slip, const Grid& grid) {
  for (double& value : slip.x) value = -value;
  reverse_rows(grid, slip.x);
  reverse_rows(grid, slip.y);
  return slip;
}

ElementSlip element_slip(const Tangential& tangential) {
  const auto copied = [](const std::shared_ptr<const std::vector<double>>& values) {
    return values ? *values : std::vector<double>{};
  };
  return {tangential.spin_slip, copied(tangential.extra.x), copied(tangential.extra.y)};
}

Grid mirrored(const Grid& grid) {
  Grid image = grid;
  image.x0 = -(grid.x0 + grid.mx * grid.dx);
  return image;
}

void mirror_solution(const Grid& grid, SimplifiedSolution& solution) {
  for (auto* field : {&solution.traction_x, &solution.slip_x}) {
    for (double& value : *field) value = -value;
  }
  for (auto* field : {&solution.traction_x, &solution.traction_y, &solution.traction_bound,
                      &solution.slip_x, &solution.slip_y}) {
    reverse_rows(grid, *field);
  }
  reverse_rows(grid, solution.state);
}

class SimplifiedRun final : public SolverWithDefaults {
 public:
  SimplifiedRun(const ContactProblem& problem, ProgressCallback progress)
      : progress_(std::move(progress)),
        grid_(problem.grid),
        settings_(problem.solver),
        material_(contact_material(problem)),
        solution_(0) {
    if (settings_.normal == NormalMethod::bound_cg) {
      half_spaces_ = problem;
      half_spaces_->solver.tangential = TangentialMethod::automatic;
      half_spaces_->solver.traction_bound = TractionBound::parabolic;
      half_spaces_->solver.slope = {};
      half_spaces_->solver.flexibility = 0.0;
      half_spaces_->surface = {};
      for (StepInput& step : half_spaces_->steps) step.tangential = {};
    }
    if (settings_.normal == NormalMethod::automatic)
      paraboloid_ = paraboloid_of(problem.geometry, material_).value();
    distance_ = undeformed_distance(problem.geometry, grid_, material_);
  }

  StepReport advance(const StepInput& step) override {
    const auto begin = std::chrono::steady_clock::now();
    StepReport report;
    find_contact(step);
    solve(step, report);
    fill_report(report);
    report_range(step.normal, 0.0, 0.0, report);
    add_derived_numbers(step.tangential, 0.0, report);
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return report;
  }

  [[nodiscard]] ContactSolution download() const override {
    ContactSolution out;
    out.pressure.resize(grid_.count());
    out.displacement_n.resize(grid_.count());
    out.gap.resize(grid_.count());
    out.undeformed_distance = distance_;
    out.traction_x = solution_.traction_x;
    out.traction_y = solution_.traction_y;
    out.traction_bound = solution_.traction_bound;
    out.displacement_x = solution_.traction_x;
    out.displacement_y = solution_.traction_y;
    for (double& u : out.displacement_x) u *= solution_.flexibilities.x;
    for (double& u : out.displacement_y) u *= solution_.flexibilities.y;
    out.slip_x = solution_.slip_x;
    out.slip_y = solution_.slip_y;
    out.element_division = solution_.state;
    if (estimate_)
      displace_by_estimate(out);
    else
      displace_by_ellipse(out);
    for (std::size_t i = 0; i < grid_.count(); ++i)
      out.gap[i] = distance_[i] + out.displacement_n[i] - approach();
    return out;
  }
  // Steps do not depend on each other; restore() recomputes the last one.
  [[nodiscard]] SolverState state() const override { return {{"undeformed_distance", distance_}}; }
  void restore(const SolverState& state, const StepInput& last) override {
    const auto found = state.find("undeformed_distance");
    if (found == state.end() || found->second != distance_) {
      throw InputError("the geometry is not the one that the saved state belongs to");
    }
    advance(last);
  }
  [[nodiscard]] std::string backend_name() const override { return CpuBackend::name(); }
  [[nodiscard]] std::string device_name() const override { return CpuBackend().device_name(); }

 private:
  void displace_by_ellipse(ContactSolution& out) const {
    const double modulus = material_.contact_modulus();
#pragma omp parallel for if (grid_.count() >= kLeastForThreads)
    for (int iy = 0; iy < grid_.my; ++iy) {
      for (int ix = 0; ix < grid_.mx; ++ix) {
        const std::size_t i = grid_.index(ix, iy);
        const double x = centred_.x(ix);
        const double y = centred_.y(iy);
        out.pressure[i] = ellipse_.pressure(x, y);
        out.displacement_n[i] = hertz_displacement(ellipse_, modulus, x, y);
      }
    }
  }
  void displace_by_estimate(ContactSolution& out) const {
    out.pressure = estimate_->pressure;
    const CpuBackend backend;
    CpuInfluence influence(backend, grid_, material_, InfluenceMethod::automatic);
    influence.apply(Block::normal, {.n = out.pressure.data()}, {.n = out.displacement_n.data()});
  }

  // The pressure of half-spaces.
  [[nodiscard]] PatchEstimate pressed(const StepInput& step) const {
    StepInput normal = step;
    normal.tangential = {};
    // new, so that the start does not depend on earlier steps
    const auto solver = make_cpu_solver(*half_spaces_);
    const StepReport report = solver->advance(normal);
    if (report.outcome != Outcome::converged) throw InputError("the pressure: " + report.message);
    return patch_of(solver->download().pressure, grid_, report.approach);
  }

  // Sets the ellipse, or the estimated patch that replaces it, in the same members.
  void find_contact(const StepInput& step) {
    NormalLoad load = step.normal;
    if (settings_.normal != NormalMethod::automatic) {
      estimate_ = half_spaces_ ? pressed(step)
                               : estimate_patch(settings_, distance_, grid_, material_, load);
      ellipse_ = {estimate_->semi_axis_x, estimate_->semi_axis_y, estimate_->force,
                  estimate_->approach, estimate_->max_pressure};
    } else {
      if (load.control == NormalControl::approach) load.value -= paraboloid_.lowest;
      ellipse_ = hertz_ellipse(paraboloid_.curvature_x, paraboloid_.curvature_y, load,
                               material_.contact_modulus());
    }
    contact_.semi_axis_x = ellipse_.semi_axis_x;
    contact_.semi_axis_y = ellipse_.semi_axis_y;
    contact_.normal_force = ellipse_.force;
    contact_.friction = step.friction.coefficient;
    contact_.slope = settings_.slope;
    contact_.flexibility = settings_.flexibility;
    law_ = sliding_law(step.friction);
    const bool falls = step.friction.law != FrictionLaw::constant;
    velocity_ = step.friction.depends_on_slip() && falls ? step.tangential.velocity : 0.0;
    contact_.kinetic_share = 1.0;
    if (step.friction.depends_on_slip() && !falls)
      contact_.kinetic_share = *step.friction.kinetic / step.friction.coefficient;
    contact_.shear_modulus = material_.shear_modulus;
    contact_.poisson_ratio = material_.poisson_ratio;
    reference_ = estimate_ ? centroid_of(estimate_->pressure, grid_)
                           : std::array<double, 2>{paraboloid_.centre_x, paraboloid_.centre_y};
    centred_ = grid_;
    centred_.x0 -= reference_[0];
    centred_.y0 -= reference_[1];
  }

  // The tractions for both creepages at (0, 0) and the spin, in the coordinates of the case.
  [[nodiscard]] SimplifiedSolution tractions(const Tangential& tangential,
                                             const std::array<double, 2>& creepage) const {
    const double spin = tangential.rotation;
    const Creepages creepages{creepage[0] - spin_in_x(tangential.spin_slip, spin) * reference_[1],
                              creepage[1] + spin_in_y(tangential.spin_slip, spin) * reference_[0],
                              spin};
    SimplifiedContact contact = contact_;  // with the coefficient at these creepages
    if (velocity_ > 0.0)
      contact.friction = law_.at(velocity_ * std::hypot(creepages.x, creepages.y));
    // Takes the spin about the centroid of an estimated pressure, like about the ellipse's centre:
    // the flexibility of spin differs from those of creepage, so that about another point the
    // forces would depend on the patch's position on the grid.
    const auto roll = [&](const Creepages& c, const std::vector<double>& pressure, const Grid& grid,
                          const ElementSlip& slip) {
      const bool strips = settings_.tangential == TangentialMethod::fastrip;
      if (estimate_)
        return strips ? fastrip(contact, c, pressure, grid, slip.spin)
                      : fastsim(contact, c, pressure, grid, slip);
      return strips ? fastrip(contact, c, grid, slip.spin)
                    : fastsim(contact, c, settings_.traction_bound, grid, slip);
    };
    std::vector<double> pressure = estimate_ ? estimate_->pressure : std::vector<double>{};
    if (std::cos(tangential.direction) > 0.0) return roll(creepages, pressure, centred_, slip_);
    reverse_rows(grid_, pressure);
    SimplifiedSolution solution =
        roll(mirrored(creepages), pressure, mirrored(centred_), mirrored(slip_, grid_));
    mirror_solution(grid_, solution);
    return solution;
  }

  [[nodiscard]] std::array<double, 2> total(const SimplifiedSolution& solution) const {
    std::array<double, 2> force{};
    for (std::size_t i = 0; i < grid_.count(); ++i) {
      force[0] += solution.traction_x[i];
      force[1] += solution.traction_y[i];
    }
    for (double& component : force) component *= grid_.element_area();
    return force;
  }

  [[nodiscard]] double force_of(const TangentialLoad& load, double limit) const {
    if (load.control == TangentialControl::force) return load.value;
    return load.value * (load.control == TangentialControl::force_ratio ? limit : ellipse_.force);
  }

  void solve(const StepInput& step, StepReport& report) {
    const Tangential& tangential = step.tangential;
    slip_ = element_slip(tangential);
    CreepageTask task;
    const double limit = contact_.friction * ellipse_.force;
    const std::array<const TangentialLoad*, 2> loads{&tangential.x, &tangential.y};
    const KalkerCoefficients kalker =
        kalker_coefficients(contact_.semi_axis_x / contact_.semi_axis_y, contact_.poisson_ratio);
    const std::array<double, 2> coefficients{kalker.c11, kalker.c22};
    const double area = contact_.semi_axis_x * contact_.semi_axis_y;
    for (std::size_t k = 0; k < 2; ++k) {
      const TangentialLoad& load = *loads[k];
      task.searched[k] = load.control != TangentialControl::rigid;
      task.creepage[k] = load.value;
      if (!task.searched[k]) continue;
      task.force[k] = force_of(load, limit);
      task.creepage[k] = -task.force[k] / (contact_.shear_modulus * area * coefficients[k]);
    }
    task.scale = limit / (contact_.shear_modulus * area * kalker.c11);
    task.tolerance = settings_.tolerance * limit;
    const bool searching = task.searched[0] || task.searched[1];
    if (searching && std::hypot(task.force[0], task.force[1]) >= limit) {
      report.outcome = Outcome::not_converged;
      report.message =
          "the tangential force prescribed is not below mu F_n: no rigid slip gives it" +
          beyond_text({Ending::beyond_friction, std::hypot(task.force[0], task.force[1]), limit},
                      Units::n_mm_s);
    } else if (searching) {
      search(tangential, task, report);
    } else {
      report.iterations_tangential = 1;
    }
    report.friction_coefficient = contact_.friction;
    report.rotation = tangential.rotation;
    report.rigid_x = task.creepage[0];
    report.rigid_y = task.creepage[1];
    solution_ = tractions(tangential, task.creepage);
  }

  void search(const Tangential& tangential, CreepageTask& task, StepReport& report) {
    const double limit = contact_.friction * ellipse_.force;
    const CreepageResult result = search_creepage(
        task,
        [&](const std::array<double, 2>& creepage) {
          return total(tractions(tangential, creepage));
        },
        [&](int iteration, double error) {
          report.history.push_back({Phase::tangential, iteration, error / limit});
          if (progress_) progress_({Phase::tangential, iteration, error / limit});
        });
    task.creepage = result.creepage;
    report.iterations_tangential = result.iterations;
    report.residual = result.error / limit;
    if (result.converged) return;
    report.outcome = Outcome::not_converged;
    report.message =
        "no creepage was found for the prescribed tangential force; the best is off by " +
        number_text(report.residual) + " mu F_n";
    if (settings_.tangential == TangentialMethod::fastrip)
      report.message += ", for the forces of FaStrip jump as an element begins to slip";
  }

  [[nodiscard]] double approach() const { return ellipse_.approach + paraboloid_.lowest; }

  void fill_report(StepReport& report) const {
    const double area = grid_.element_area();
    report.normal_force = ellipse_.force;
    report.approach = approach();
    report.max_pressure = ellipse_.max_pressure;
    StepTotals pressures;
    const std::array<double, 2> force = total(solution_);
    report.force_x = force[0];
    report.force_y = force[1];
    for (int iy = 0; iy < grid_.my; ++iy) {
      for (int ix = 0; ix < grid_.mx; ++ix) {
        const std::size_t i = grid_.index(ix, iy);
        const ElementState state = solution_.state[i];
        if (state == ElementState::exterior) continue;
        const double px = solution_.traction_x[i];
        const double py = solution_.traction_y[i];
        report.moment_z += area * (grid_.x(ix) * py - grid_.y(iy) * px);
        const double pressure =
            estimate_ ? estimate_->pressure[i] : ellipse_.pressure(centred_.x(ix), centred_.y(iy));
        pressures.pressure += pressure;
        pressures.moment_x += grid_.y(iy) * pressure;
        pressures.moment_y -= grid_.x(ix) * pressure;
        report.elastic_energy +=
            0.5 * area *
            (solution_.flexibilities.x * px * px + solution_.flexibilities.y * py * py +
             pressure * (approach() - distance_[i]));
        report.friction_work += area * (px * solution_.slip_x[i] + py * solution_.slip_y[i]);
        ++(state == ElementState::slip ? report.elements_slip : report.elements_adhesion);
        if (ix == 0 || iy == 0 || ix == grid_.mx - 1 || iy == grid_.my - 1) {
          report.touches_edge = true;
        }
      }
    }
    report.elements_contact = report.elements_adhesion + report.elements_slip;
    if (report.elements_contact == 0) {
      throw InputError(
          std::string("no element of the grid has its centre in the contact, ") +
          (estimate_ ? "like an ellipse with semi-axes " : "an ellipse with semi-axes ") +
          number_text(ellipse_.semi_axis_x) + " and " + number_text(ellipse_.semi_axis_y) +
          "; accepted: smaller elements");
    }
    // The elements' pressures add up to the force only on a fine grid.
    const double scale = report.normal_force / (area * pressures.pressure);
    for (double* sum : {&pressures.pressure, &pressures.moment_x, &pressures.moment_y})
      *sum *= scale;
    report_pressure_moments(pressures, grid_, report);
  }

  ProgressCallback progress_;
  Grid grid_;
  SolverSettings settings_;
  CombinedMaterial material_;
  Paraboloid paraboloid_;
  std::array<double, 2> reference_{};  // the ellipse's centre, or the centroid of the estimate
  Grid centred_;                       // origin at reference_
  HertzEllipse ellipse_;
  std::optional<PatchEstimate> estimate_;      // replaces the ellipse
  std::optional<ContactProblem> half_spaces_;  // supplies the pressure
  SimplifiedContact contact_;
  ElementSlip slip_;  // of the step
  SlidingLaw law_;
  double velocity_ = 0.0;         // for the law; 0: the coefficient does not fall
  SimplifiedSolution solution_;   // of the last step
  std::vector<double> distance_;  // undeformed
};

}  // namespace

std::unique_ptr<ContactSolver> make_simplified_solver(const ContactProblem& problem,
                                                      ProgressCallback progress) {
  return std::make_unique<SimplifiedRun>(problem, std::move(progress));
}

}  // namespace slipfield
