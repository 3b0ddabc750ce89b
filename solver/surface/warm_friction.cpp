// SPDX-License-Identifier: Apache-2.0
#include "solver/surface/warm_friction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "solver/number_text.h"
#include "solver/rolling.h"
#include "solver/step/local_friction.h"
#include "solver/step/rigid_motion.h"
#include "solver/step/step_outcome.h"
#include "solver/step/step_state.h"
#include "solver/surface/heat.h"
#include "solver/surface/heat_memory.h"
#include "solver/surface/surface_fields.h"
#include "solver/surface/warm_motion.h"

namespace slipfield {
namespace {

constexpr const char* kWarmFriction = "friction_by_temperature";  // in a state
constexpr std::array<const char*, 2> kTemperature{"temperature_upper", "temperature_lower"};

const FrictionByTemperature* law_of(const StepInput& step) {
  return std::get_if<FrictionByTemperature>(&step.friction.place);
}

// Coefficients that approach those of their temperatures, with Aitken's relaxation.
class WarmCoefficients {
 public:
  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  void set(std::vector<double> values) {
    values_ = std::move(values);
    relaxed_.start_again();
  }

  // Greatest difference between the coefficients and the wanted ones, over the greatest
  // coefficient.
  double distance(const std::vector<double>& wanted, const std::vector<double>& pressure,
                  double greatest) {
    return relaxed_.measure(
        values_.size(), [&](std::size_t i) { return pressure[i]; },
        [&](std::size_t /*i*/) { return greatest; },
        [&](std::size_t i) { return wanted[i] - values_[i]; },
        [](std::size_t /*i*/, double far) { return far; });
  }

  // One step towards those wanted, which never leaves [0, greatest].
  void follow(double greatest) {
    constexpr double kLeast = 0.1;
    constexpr double kMost = 2.0;
    const double part = relaxed_.take([&](double last, double before_times_turn, double turn2) {
      return aitken_relaxation(last, before_times_turn, turn2, kLeast, kMost);
    });
    for (std::size_t i = 0; i < values_.size(); ++i)
      values_[i] = std::clamp(values_[i] + part * relaxed_.way(i), 0.0, greatest);
  }

 private:
  std::vector<double> values_;
  HostCoefficients relaxed_;
};

// Adds up what the rounds of one step took.
void add_round(const StepReport& round, StepReport& all) {
  StepReport report = round;
  report.iterations_normal += all.iterations_normal;
  report.iterations_tangential += all.iterations_tangential;
  report.iterations_outer += all.iterations_outer;
  report.matrix_products += all.matrix_products;
  report.matrix_products_coarse += all.matrix_products_coarse;
  report.seconds += all.seconds;
  report.history.insert(report.history.begin(), all.history.begin(), all.history.end());
  all = std::move(report);
}

bool is_finite(const HeatPulse& pulse) {
  const auto finite = [](double value) { return std::isfinite(value); };
  return finite(pulse.duration) && std::all_of(pulse.way_x.begin(), pulse.way_x.end(), finite) &&
         std::all_of(pulse.way_y.begin(), pulse.way_y.end(), finite) &&
         std::all_of(pulse.flux.begin(), pulse.flux.end(), [&](const std::vector<double>& flux) {
           return std::all_of(flux.begin(), flux.end(), finite);
         });
}

bool is_finite(const StepReport& report) {
  return report.history.empty() || std::isfinite(report.history.back().change);
}

// Where each round of a step begins, where that depends on the step before: steady rolling does not.
class Restart {
 public:
  Restart(const ContactSolver& solver, const StepInput& step, const std::optional<StepInput>& last)
      : last_(last.value_or(step)) {
    if (step.tangential.problem == TangentialProblem::steady_rolling) return;
    if (!last) last_.friction = {};  // no step has run: of a contact without load
    state_ = solver.state();
  }
  void restore(ContactSolver& solver) const {
    if (state_) solver.restore(*state_, last_);
  }

 private:
  StepInput last_;
  std::optional<SolverState> state_;
};

class WarmFrictionSolver final : public ContactSolver {
 public:
  WarmFrictionSolver(const ContactProblem& problem, std::unique_ptr<ContactSolver> solver)
      : solver_(std::move(solver)), memory_(problem) {
    problem_.units = problem.units;
    problem_.grid = problem.grid;
    problem_.solver = problem.solver;
    problem_.surface = problem.surface;
  }

  StepReport advance(const StepInput& step) override {
    const FrictionByTemperature* law = law_of(step);
    StepReport report;
    if (law == nullptr) {
      law_.reset();
      report = solver_->advance(step);
    } else {
      start(*law);
      report = iterate(step, *law);
    }
    last_ = law == nullptr ? step : with_coefficients(step, coefficients_.values());
    heat(step, report);
    return report;
  }

  [[nodiscard]] ContactSolution download() const override {
    return with_temperatures(solver_->download());
  }
  [[nodiscard]] ContactSolution download_fields(const ChosenFields& chosen) const override {
    return with_temperatures(solver_->download_fields(chosen));
  }
  [[nodiscard]] const double* device_values(
      std::vector<double> ContactSolution::*field) const override {
    return solver_->device_values(field);
  }
  [[nodiscard]] SolverState state() const override {
    SolverState state = solver_->state();
    if (law_) state[kWarmFriction] = coefficients_.values();
    memory_.save(state);
    for (std::size_t body = 0; body < 2; ++body) state[kTemperature[body]] = temperature_[body];
    return state;
  }
  void restore(const SolverState& state, const StepInput& last) override {
    memory_.restore(state);
    for (std::size_t body = 0; body < 2; ++body) {
      temperature_[body] = saved_values(state, kTemperature[body]);
      if (temperature_[body].size() != problem_.grid.count()) refuse_state(kTemperature[body]);
    }
    const FrictionByTemperature* law = law_of(last);
    const auto saved = state.find(kWarmFriction);
    SolverState inner = state;  // what the solver inside saved
    HeatMemory::erase(inner);
    for (const char* name : kTemperature) inner.erase(name);
    inner.erase(kWarmFriction);
    if (law == nullptr || saved == state.end()) {
      solver_->restore(inner, last);
      last_ = last;
      law_.reset();
      return;
    }
    last_ = with_coefficients(last, saved->second);
    solver_->restore(inner, *last_);
    coefficients_.set(saved->second);
    law_ = *law;
  }
  [[nodiscard]] std::string backend_name() const override { return solver_->backend_name(); }
  [[nodiscard]] std::string device_name() const override { return solver_->device_name(); }

 private:
  [[nodiscard]] ContactSolution with_temperatures(ContactSolution solution) const {
    solution.temperature_upper = temperature_[0];
    solution.temperature_lower = temperature_[1];
    return solution;
  }

  static StepInput with_coefficients(const StepInput& step, std::vector<double> values) {
    StepInput result = step;
    result.friction.place = friction_by_element(std::move(values));
    return result;
  }

  // The temperatures of a finished step, which the steps to come start from if it converged.
  void heat(const StepInput& step, StepReport& report) {
    if (!is_finite(report)) {  // the solver also begins again
      memory_.forget();
      for (std::size_t body = 0; body < 2; ++body)
        temperature_[body].assign(problem_.grid.count(),
                                  problem_.surface.heat->bodies[body].temperature);
      return;
    }
    ContactSolution solution = solver_->download();
    HeatedStep heated = memory_.after(step, solution, report);
    if (report.outcome == Outcome::converged && heated.apart > 0.0) {
      report.outcome = Outcome::not_converged;
      report.message = "the temperatures of the two surfaces in contact still differ by " +
                       number_text(heated.apart) + " degrees";
    }
    const bool finite = is_finite(heated.pulse);
    if (report.outcome == Outcome::converged && finite)
      memory_.keep(step, std::move(heated.pulse));
    else if (!finite)
      memory_.forget();
    add_temperatures(std::move(heated.surface), memory_.peclet_number(step, solution, report),
                     solution, report.surface);
    temperature_[0] = std::move(solution.temperature_upper);
    temperature_[1] = std::move(solution.temperature_lower);
  }

  // With the coefficients of the step before where the law stays the same, else with those of the
  // bodies at rest against each other in the contact.
  void start(const FrictionByTemperature& law) {
    if (law_ && *law_ == law) return coefficients_.set(coefficients_.values());
    const HeatRequest& heat = *problem_.surface.heat;
    const double upper = thermal_penetration(heat.bodies[0], problem_.units);
    const double lower = thermal_penetration(heat.bodies[1], problem_.units);
    const double mean =
        (upper * heat.bodies[0].temperature + lower * heat.bodies[1].temperature) / (upper + lower);
    coefficients_.set(
        at_elements([&](std::size_t /*element*/, double y) { return law.at(mean, y); }));
    law_ = law;
  }

  // value(i, y): of the element i in the row at y.
  template <class Value>
  [[nodiscard]] std::vector<double> at_elements(const Value& value) const {
    const Grid& grid = problem_.grid;
    std::vector<double> result;
    result.reserve(grid.count());
    for (int iy = 0; iy < grid.my; ++iy)
      for (int ix = 0; ix < grid.mx; ++ix) result.push_back(value(grid.index(ix, iy), grid.y(iy)));
    return result;
  }

  // The coefficients that the temperatures of a solution ask for.
  [[nodiscard]] std::vector<double> wanted_by(const StepInput& step,
                                              const FrictionByTemperature& law,
                                              const ContactSolution& solution,
                                              const StepReport& report) {
    const SurfaceTemperatures found = memory_.after(step, solution, report).surface;
    const auto& upper = found.temperature[static_cast<std::size_t>(Body::upper)];
    std::vector<double> wanted =
        at_elements([&](std::size_t i, double y) { return law.at(upper[i], y); });
    if (law.memory_distance > 0.0) remember(step.tangential, law, solution, wanted);
    return wanted;
  }

  // Memory along rows in x or y, from what body 1 brings into the contact (THEORY.md 5.9).
  void remember(const Tangential& rolling, const FrictionByTemperature& law,
                const ContactSolution& solution, std::vector<double>& wanted) const {
    const Grid& grid = problem_.grid;
    const bool along_y = rolls_along_y(rolling.direction);
    const bool forwards =
        (along_y ? std::sin(rolling.direction) : std::cos(rolling.direction)) > 0.0;
    const int lines = along_y ? grid.mx : grid.my;
    const int length = along_y ? grid.my : grid.mx;
    const double time = (along_y ? grid.dy : grid.dx) / rolling.velocity;
    const double rate = slip_rate(rolling);
    const double bulk = problem_.surface.heat->bodies[0].temperature;
    for (int line = 0; line < lines; ++line) {
      double before = 0.0;
      bool inside = false;  // of a run of elements in contact
      for (int k = 0; k < length; ++k) {
        const int place = forwards ? length - 1 - k : k;
        const std::size_t i = along_y ? grid.index(line, place) : grid.index(place, line);
        const ElementState state = solution.element_division[i];
        const double y = grid.y(along_y ? place : line);
        if (state == ElementState::exterior || !inside) before = law.at(bulk, y);
        inside = state != ElementState::exterior;
        if (!inside) continue;
        const double slip = state == ElementState::slip
                                ? rate * std::hypot(solution.slip_x[i], solution.slip_y[i])
                                : 0.0;
        const double gone = time * std::max(slip, law.memory_velocity);
        const double kept = law.memory_distance / (law.memory_distance + gone);
        before = wanted[i] = kept * before + (1.0 - kept) * wanted[i];
      }
    }
  }

  // The forces prescribed, and the moment, as parts of what these coefficients carry.
  [[nodiscard]] WarmDemand demand_of(const Tangential& tangential,
                                     const std::vector<double>& pressure, double greatest) const {
    const Grid& grid = problem_.grid;
    ForceSums sums;
    double moment = 0.0;
    double moment_bound = 0.0;
    for (int iy = 0; iy < grid.my; ++iy)
      for (int ix = 0; ix < grid.mx; ++ix) {
        const std::size_t i = grid.index(ix, iy);
        const double arm = std::hypot(grid.x(ix), grid.y(iy));
        sums.pressure += pressure[i];
        sums.bound += coefficients_.values()[i] * pressure[i];
        moment += arm * pressure[i];
        moment_bound += arm * coefficients_.values()[i] * pressure[i];
      }
    WarmDemand demand;
    if (!(sums.bound > 0.0)) return demand;
    demand.force =
        std::hypot(force_sum(tangential.x, sums, grid), force_sum(tangential.y, sums, grid)) /
        sums.bound;
    if (tangential.moment && moment_bound > 0.0)
      demand.moment = std::abs(*tangential.moment) / (grid.element_area() * moment_bound);
    demand.pressure = sums.pressure;
    demand.most_force = greatest * sums.pressure / sums.bound;
    demand.most_moment = moment_bound > 0.0 ? greatest * moment / moment_bound : 0.0;
    return demand;
  }

  // Whether more is carried at some temperature than at a lower one.
  static bool rises(const FrictionByTemperature& law) {
    for (std::size_t k = 1; k < law.value.size(); ++k)
      if (k % law.temperature.size() != 0 && law.value[k] > law.value[k - 1]) return true;
    return false;
  }

  // A force or moment beyond what cold friction carries may be carried when the surfaces are warm.
  // Mostly all elements slip then, and the force fixes no motion while the coefficients stay: the
  // motion is sought whose friction, with the temperatures that it makes, adds up to the force.
  StepReport iterate(const StepInput& step, const FrictionByTemperature& law) {
    const Restart restart(*solver_, step, last_);
    StepReport all = agree(step, law, restart, true);
    if (all.outcome == Outcome::converged || !rises(law)) return all;
    const std::vector<double> pressure = solver_->download().pressure;
    const auto demand = [&] {
      return demand_of(step.tangential, pressure, step.friction.coefficient);
    };
    const auto solve = [&](const StepInput& trial) {
      add_round(agree(trial, law, restart, false), all);
      return all.outcome == Outcome::converged;
    };
    seek_warm_motion({step, problem_.grid, 10.0 * problem_.solver.tolerance, demand, solve}, all);
    return all;
  }

  // Rounds of the step and its temperatures. fresh: the solver is where the step begins.
  StepReport agree(const StepInput& step, const FrictionByTemperature& law, const Restart& restart,
                   bool fresh) {
    constexpr int kMostRounds = 100;
    StepReport all;
    for (int round = 1; round <= kMostRounds; ++round) {
      if (round > 1 || !fresh) restart.restore(*solver_);
      add_round(solver_->advance(with_coefficients(step, coefficients_.values())), all);
      ++all.iterations_outer;
      if (all.outcome != Outcome::converged) return all;
      const ContactSolution solution = solver_->download();
      const std::vector<double> wanted = wanted_by(step, law, solution, all);
      const double greatest = step.friction.coefficient;
      const double change = coefficients_.distance(wanted, solution.pressure, greatest);
      all.history.push_back({Phase::outer, round, change});
      if (change <= problem_.solver.tolerance) return all;
      // The next step begins from the state of the last round, which is that of its coefficients.
      if (round < kMostRounds) coefficients_.follow(greatest);
    }
    all.outcome = Outcome::not_converged;
    all.message = no_agreement_text("friction and temperature", kMostRounds);
    return all;
  }

  ContactProblem problem_;  // what temperatures need of it
  std::unique_ptr<ContactSolver> solver_;
  HeatMemory memory_;
  std::array<std::vector<double>, 2> temperature_;  // of the last step
  std::optional<StepInput> last_;                   // step, as solver_ got it
  WarmCoefficients coefficients_;
  std::optional<FrictionByTemperature> law_;  // of the coefficients; none: there are none
};

}  // namespace

std::unique_ptr<ContactSolver> warm_friction_solver(const ContactProblem& problem,
                                                    std::unique_ptr<ContactSolver> solver) {
  if (!problem.surface.heat) return solver;
  return std::make_unique<WarmFrictionSolver>(problem, std::move(solver));
}

}  // namespace slipfield
