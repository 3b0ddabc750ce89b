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

#include "solver/error.h"
#include "solver/number_text.h"
#include "solver/rolling.h"
#include "solver/step/step_state.h"
#include "solver/step/step_task.h"
#include "solver/surface/heat.h"
#include "solver/surface/heat_memory.h"
#include "solver/surface/surface_fields.h"

namespace slipfield {

namespace {

// The component of the motion that is sought: a direction of its translation, or the rotation.
enum class Sought { x, y, both, rotation };

bool is_given(const TangentialLoad& load) { return load.control != TangentialControl::rigid; }

// One-dimensional search: the value to which the motion is set until its friction equals the
// target.
struct Line {
  std::function<void(StepInput&, double)> set;
  std::function<double()> carried;  // by the last solution, in the direction of the target
  double target = 0.0;
  double first = 0.0;  // first value, and the missing friction there
  double first_missing = 1.0;
  double least = 0.0;  // first: where `first` has no size or the wrong sign
  double most = 0.0;   // limit of the search
};

class Seeker {
 public:
  Seeker(const WarmSearch& search, StepReport& report) : search_(search), report_(report) {}

  void seek() {
    const std::optional<Sought> sought = beyond(search_.demand());
    if (!sought) return;
    if (!carry_a_part(*sought)) return;
    if (*sought == Sought::both) {
      if (turn()) return;
    } else if (follow(line_of(*sought)) != End::missed) {
      return;
    }
    refuse();
  }

 private:
  enum class End { found, failed, missed };  // failed: the report says why

  // The load that exceeds the friction at the present coefficients; nothing if they carry it, or if
  // no temperature does.
  std::optional<Sought> beyond(const WarmDemand& demand) {
    constexpr double kRounding = 1.0e-12;
    const Tangential& given = search_.step.tangential;
    if (!std::isfinite(demand.force) || !std::isfinite(demand.moment)) return std::nullopt;
    if (demand.force >= 1.0 - kRounding) {
      if (demand.force >= demand.most_force) {
        refuse();
        return std::nullopt;
      }
      if (is_given(given.x) && is_given(given.y)) return Sought::both;
      return is_given(given.x) ? Sought::x : Sought::y;
    }
    if (!given.moment || !(demand.force + demand.moment >= 1.0 - kRounding)) return std::nullopt;
    if (demand.moment >= demand.most_moment) {
      refuse();
      return std::nullopt;
    }
    return Sought::rotation;
  }

  void refuse() {
    report_.outcome = Outcome::not_converged;
    report_.message = search_.step.tangential.moment && search_.demand().force < 1.0
                          ? "the moment prescribed is not below what friction carries about the "
                            "origin, with the temperatures that it makes: no spin was found for it"
                          : "the tangential force prescribed is not below mu F_n, with the "
                            "friction of the temperatures that it makes: no rigid slip was found "
                            "for it";
  }

  bool solve(const StepInput& trial) { return search_.solve(trial); }

  // A part of the load that is carried gives a first motion. At smaller loads the surfaces may
  // cool.
  bool carry_a_part(Sought sought) {
    constexpr int kMostParts = 6;
    constexpr double kCarried = 0.9;
    constexpr double kLess = 0.7;
    double carried = kCarried;
    for (int k = 0; k < kMostParts; ++k, carried *= kLess) {
      const WarmDemand demand = search_.demand();
      StepInput trial = search_.step;
      Tangential& tangential = trial.tangential;
      if (sought == Sought::rotation) {
        *tangential.moment *= carried / std::max(demand.moment, 1.0);
      } else {
        for (TangentialLoad* load : {&tangential.x, &tangential.y})
          if (is_given(*load)) load->value *= carried / demand.force;
      }
      if (solve(trial)) return true;
    }
    return false;
  }

  double force_of(const TangentialLoad& load) const {
    const ForceSums sums{0.0, search_.demand().pressure};
    return force_sum(load, sums, search_.grid) * search_.grid.element_area();
  }

  // Sets the limits of a line search: of lengths in a shift, creepages in rolling, or angles if
  // `arm` is a length.
  void limit(Line& line, double arm) const {
    constexpr double kLeast = 1.0e-6;  // elements
    constexpr double kMost = 1.0e6;
    const Tangential& given = search_.step.tangential;
    const double element =
        std::min(search_.grid.dx, search_.grid.dy) / (arm * slip_distance(given));
    line.least = kLeast * element;
    line.most = kMost * element;
  }

  Line line_of(Sought sought) {
    Line line;
    const Grid& grid = search_.grid;
    if (sought == Sought::rotation) {
      line.set = [](StepInput& trial, double value) {
        trial.tangential.moment.reset();
        trial.tangential.rotation = value;
      };
      line.carried = [this] { return report_.moment_z; };
      line.target = *search_.step.tangential.moment;
      line.first = report_.rotation;
      limit(line, 0.5 * std::hypot(grid.mx * grid.dx, grid.my * grid.dy));
    } else {
      const bool along_x = sought == Sought::x;
      const auto load = along_x ? &Tangential::x : &Tangential::y;
      line.set = [load](StepInput& trial, double value) {
        trial.tangential.*load = {TangentialControl::rigid, value};
      };
      line.carried = [this, along_x] { return along_x ? report_.force_x : report_.force_y; };
      line.target = force_of(search_.step.tangential.*load);
      line.first = along_x ? report_.rigid_x : report_.rigid_y;
      limit(line, 1.0);
    }
    line.first_missing = 1.0 - line.carried() / line.target;
    return line;
  }

  // Finds a motion beyond the one sought, then uses false position with the value at the retained
  // end halved. More motion acts against the target, as friction does. A motion in the wrong
  // direction, as after a slide with a greater force, is reversed first.
  End follow(const Line& line) {
    constexpr int kMostTrials = 60;
    constexpr double kGrowth = 1.5;
    StepInput trial = search_.step;
    const double way = line.target > 0.0 ? -1.0 : 1.0;
    double low = line.first;
    double low_missing = line.first_missing;
    double high = low;
    double high_missing = low_missing;
    const auto missing = [&](double value) -> std::optional<double> {
      line.set(trial, value);
      if (!solve(trial)) return std::nullopt;
      found_ = value;
      return 1.0 - line.carried() / line.target;
    };
    for (int k = 0; high_missing > 0.0 && k < kMostTrials; ++k) {
      low = high;
      low_missing = high_missing;
      high = way * low > 0.0 ? low * kGrowth : way * std::max(std::abs(low), line.least);
      if (std::abs(high) > line.most) return End::missed;
      const std::optional<double> now = missing(high);
      if (!now) return End::failed;
      high_missing = *now;
    }
    for (int k = 0; high_missing <= 0.0 && k < kMostTrials; ++k) {
      const std::optional<double> now =
          missing(low + (high - low) * low_missing / (low_missing - high_missing));
      if (!now) return End::failed;
      if (std::abs(*now) <= search_.enough) return End::found;
      if (*now > 0.0) {
        low = found_;
        low_missing = *now;
        high_missing *= 0.5;
      } else {
        high = found_;
        high_missing = *now;
        low_missing *= 0.5;
      }
    }
    return End::missed;
  }

  // For two forces: rotates the motion by the error of its friction's direction. True: the report
  // has the result, or says why it failed.
  bool turn() {
    constexpr int kMostTurns = 40;
    const double force_x = force_of(search_.step.tangential.x);
    const double force_y = force_of(search_.step.tangential.y);
    double way = std::atan2(-force_y, -force_x);
    double size = 0.0;
    for (int k = 0; k < kMostTurns; ++k) {
      Line line;
      line.set = [way](StepInput& trial, double value) {
        trial.tangential.x = {TangentialControl::rigid, -value * std::cos(way)};
        trial.tangential.y = {TangentialControl::rigid, -value * std::sin(way)};
      };
      line.target = std::hypot(force_x, force_y);
      line.carried = [&] {
        return (report_.force_x * force_x + report_.force_y * force_y) / line.target;
      };
      limit(line, 1.0);
      if (k == 0)  // start from the part that was carried
        size = std::hypot(report_.rigid_x, report_.rigid_y);
      line.first = -size / 1.5;
      const End end = follow(line);
      if (end != End::found) return end == End::failed;
      size = std::abs(found_);
      const double off = std::atan2(report_.force_y * force_x - report_.force_x * force_y,
                                    report_.force_x * force_x + report_.force_y * force_y);
      if (std::abs(off) <= search_.enough) return true;
      way -= off;
    }
    return false;
  }

  const WarmSearch& search_;
  StepReport& report_;
  double found_ = 0.0;  // the last motion that was solved
};

}  // namespace

void seek_warm_motion(const WarmSearch& search, StepReport& report) {
  Seeker(search, report).seek();
}

namespace {

constexpr std::array<const char*, 2> kTemperature{"temperature_upper", "temperature_lower"};

const FrictionByTemperature* law_of(const StepInput& step) {
  return std::get_if<FrictionByTemperature>(&step.friction.place);
}

// Adds up the cost of the trials of one step.
void add_trial(const StepReport& trial, StepReport& all) {
  StepReport report = trial;
  report += all;
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

// The start of each trial of a step, if it depends on the step before; steady rolling does not.
class Restart {
 public:
  Restart(const ContactSolver& solver, const StepInput& step, const std::optional<StepInput>& last)
      : last_(last.value_or(step)) {
    if (step.tangential.problem == TangentialProblem::steady_rolling) return;
    state_ = solver.state();
    if (!last)  // no step has run: of a contact without load
      last_.friction = {};
    else if (!has_no_tangential_fields(*state_))
      law_ = step.friction;
  }
  // Keeps the coefficients of the previous trial.
  void restore(ContactSolver& solver) {
    if (!state_) return;
    if (law_) {
      const SolverState now = solver.state();
      for (const char* name : {"friction", kWarmFriction})
        (*state_)[name] = saved_values(now, name);
      last_.friction = *law_;
    }
    solver.restore(*state_, last_);
  }

 private:
  StepInput last_;
  std::optional<SolverState> state_;
  std::optional<Friction> law_;  // of the step, if the state has coefficients
};

class WarmFrictionSolver final : public ForwardingSolver, private FrictionFollower {
 public:
  WarmFrictionSolver(const ContactProblem& problem, std::unique_ptr<ContactSolver> solver)
      : ForwardingSolver(std::move(solver)), problem_(without_geometry(problem)), memory_(problem) {
    solver_->follow_friction(*this);
  }

  // A force or moment that exceeds cold friction may be carried by warm surfaces. Usually all
  // elements slip then, and at fixed coefficients the force does not determine the motion. So it
  // seeks the motion whose friction, at the temperatures that it produces, adds up to the force.
  StepReport advance(const StepInput& step) override {
    const FrictionByTemperature* law = law_of(step);
    std::optional<Restart> restart;
    if (law != nullptr && rises(*law)) restart.emplace(*solver_, step, last_);
    StepReport report = solver_->advance(step);
    if (restart && report.outcome != Outcome::converged) seek(step, *restart, report);
    last_ = step;
    heat(step, report);
    return report;
  }

  [[nodiscard]] ContactSolution download() const override {
    return with_temperatures(solver_->download());
  }
  [[nodiscard]] ContactSolution download_fields(const ChosenFields& chosen) const override {
    return with_temperatures(solver_->download_fields(chosen));
  }
  [[nodiscard]] SolverState state() const override { return with_memory(solver_->state()); }
  void restore(const SolverState& state, const StepInput& last) override {
    solver_->restore(restored_memory(state), last);
    last_ = last;
  }
  [[nodiscard]] SolverState own_state() const override { return with_memory(solver_->own_state()); }
  void restore_own(const SolverState& state, const StepInput& last) override {
    solver_->restore_own(restored_memory(state), last);
    last_ = last;
  }

 private:
  [[nodiscard]] SolverState with_memory(SolverState state) const {
    memory_.save(state);
    for (std::size_t body = 0; body < 2; ++body) state[kTemperature[body]] = temperature_[body];
    return state;
  }
  // Restores what with_memory() added, and returns the rest: what the solver inside saved.
  [[nodiscard]] SolverState restored_memory(const SolverState& state) {
    memory_.restore(state);
    for (std::size_t body = 0; body < 2; ++body) {
      temperature_[body] = saved_values(state, kTemperature[body]);
      if (temperature_[body].size() != problem_.grid.count()) refuse_state(kTemperature[body]);
    }
    SolverState inner;
    for (const auto& [name, values] : state)
      if (!HeatMemory::saves(name) && name != kTemperature[0] && name != kTemperature[1])
        inner.emplace(name, values);
    return inner;
  }
  [[nodiscard]] ContactSolution with_temperatures(ContactSolution solution) const {
    solution.temperature_upper = temperature_[0];
    solution.temperature_lower = temperature_[1];
    return solution;
  }

  // The temperatures of a finished step, from which later steps continue if it converged.
  void heat(const StepInput& step, StepReport& report) {
    if (!is_finite(report)) {  // the solver restarts, too
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

  // For bodies at rest relative to each other in the contact.
  std::vector<double> first_coefficients(const FrictionByTemperature& law) override {
    const HeatRequest& heat = *problem_.surface.heat;
    const double upper = thermal_penetration(heat.bodies[0], problem_.units);
    const double lower = thermal_penetration(heat.bodies[1], problem_.units);
    const double mean =
        (upper * heat.bodies[0].temperature + lower * heat.bodies[1].temperature) / (upper + lower);
    return at_elements([&](std::size_t /*element*/, double y) { return law.at(mean, y); });
  }

  // The coefficients at the temperatures of a round. What is refused here is reported by heat()
  // after the step: an exception on one owner of rows would leave the others waiting.
  std::vector<double> coefficients(const StepInput& step, const ContactSolution& found,
                                   const StepReport& report) override {
    const FrictionByTemperature& law = *law_of(step);
    try {
      const SurfaceTemperatures surface = memory_.after(step, found, report).surface;
      const auto& upper = surface.temperature[static_cast<std::size_t>(Body::upper)];
      std::vector<double> wanted =
          at_elements([&](std::size_t i, double y) { return law.at(upper[i], y); });
      if (law.memory_distance > 0.0) remember(step.tangential, law, found, wanted);
      return wanted;
    } catch (const InputError&) {
      return first_coefficients(law);
    }
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

  // Applies the memory along rows in x or y, starting from what body 1 brings into the contact
  // (THEORY.md 5.9).
  void remember(const Tangential& rolling, const FrictionByTemperature& law,
                const ContactSolution& solution, std::vector<double>& wanted) const {
    const Grid& grid = problem_.grid;
    const bool along_y = rolls_along_y(rolling.direction);
    const bool forwards = rolls_forwards(rolling.direction);
    const int lines = along_y ? grid.mx : grid.my;
    const int length = along_y ? grid.my : grid.mx;
    const double time = (along_y ? grid.dy : grid.dx) / rolling.velocity;
    const double rate = slip_rate(rolling);
    const double bulk = problem_.surface.heat->bodies[0].temperature;
    for (int line = 0; line < lines; ++line) {
      double before = 0.0;
      bool inside = false;  // the last element was in contact
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

  // The prescribed forces and moment, as parts of what the coefficients of the last solution carry.
  [[nodiscard]] WarmDemand demand_of(const StepInput& step) const {
    const Grid& grid = problem_.grid;
    const Tangential& tangential = step.tangential;
    const double greatest = step.friction.coefficient;
    const ContactSolution last = solver_->download_fields(
        {{&ContactSolution::pressure, &ContactSolution::traction_bound}, false});
    ForceSums sums;
    double moment = 0.0;
    double moment_bound = 0.0;
    for (int iy = 0; iy < grid.my; ++iy)
      for (int ix = 0; ix < grid.mx; ++ix) {
        const std::size_t i = grid.index(ix, iy);
        const double arm = std::hypot(grid.x(ix), grid.y(iy));
        sums.pressure += last.pressure[i];
        sums.bound += last.traction_bound[i];
        moment += arm * last.pressure[i];
        moment_bound += arm * last.traction_bound[i];
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

  // Whether the coefficient at some temperature exceeds that at a lower one.
  static bool rises(const FrictionByTemperature& law) {
    for (std::size_t k = 1; k < law.value.size(); ++k)
      if (k % law.temperature.size() != 0 && law.value[k] > law.value[k - 1]) return true;
    return false;
  }

  void seek(const StepInput& step, Restart& restart, StepReport& all) {
    const auto solve = [&](const StepInput& trial) {
      restart.restore(*solver_);
      add_trial(solver_->advance(trial), all);
      return all.outcome == Outcome::converged;
    };
    seek_warm_motion({step, problem_.grid, 10.0 * problem_.solver.tolerance,
                      [&] { return demand_of(step); }, solve},
                     all);
  }

  ContactProblem problem_;  // the parts needed for temperatures
  HeatMemory memory_;
  std::array<std::vector<double>, 2> temperature_;  // of the last step
  std::optional<StepInput> last_;
};

}  // namespace

std::unique_ptr<ContactSolver> warm_friction_solver(const ContactProblem& problem,
                                                    std::unique_ptr<ContactSolver> solver) {
  if (!problem.surface.heat) return solver;
  return std::make_unique<WarmFrictionSolver>(problem, std::move(solver));
}

}  // namespace slipfield
