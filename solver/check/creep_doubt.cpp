// SPDX-License-Identifier: Apache-2.0
#include "solver/check/creep_doubt.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <variant>
#include <vector>

#include "solver/influence/fading_memory.h"
#include "solver/plausibility.h"
#include "solver/rolling.h"
#include "solver/step/fading_step.h"

namespace slipfield {
namespace {

bool is_flat(const ContactProblem& problem) {
  return std::ranges::any_of(problem.geometry, [](const Shape& shape) {
    return std::holds_alternative<PlanformShape>(shape);
  });
}

// A strain that grew linearly over a time.
struct Growth {
  double begin = 0.0;
  double end = 0.0;
  double strain = 0.0;
};

double stress_at(const Relaxation& relaxation, const std::vector<Growth>& history, double time) {
  double stress = 0.0;
  for (const Growth& growth : history)
    stress += growth.strain * relaxation.mean_left(time - growth.end, time - growth.begin);
  return stress;
}

// Growth of an elastic contact's stress between two times of a step, as fractions of its duration:
// exact, and as one linear step between the two times gives it.
using Increment = std::function<double(double, double)>;
struct CreepGrowth {
  Increment exact;
  Increment linear;
};

// The stress at the end of a step divided into `pieces` of equal length.
double stress_of_pieces(const Relaxation& relaxation, const Increment& linear, double duration,
                        int pieces) {
  double stress = 0.0;
  for (int k = 0; k < pieces; ++k) {
    const double begin = static_cast<double>(k) / pieces;
    const double end = static_cast<double>(k + 1) / pieces;
    stress +=
        linear(begin, end) * relaxation.mean_left(duration * (1.0 - end), duration * (1.0 - begin));
  }
  return stress;
}

// The growth in pieces that become shorter towards the end, where the stress has not relaxed yet.
std::vector<Growth> growth_of(const Increment& exact, double time, double duration) {
  constexpr double kShrinks = 0.8;
  constexpr double kLeast = 1.0e-6;
  std::vector<Growth> pieces;
  double left = 1.0;
  while (left > 0.0) {
    const double next = left < kLeast ? 0.0 : kShrinks * left;
    pieces.push_back({time + (1.0 - left) * duration, time + (1.0 - next) * duration,
                      exact(1.0 - left, 1.0 - next)});
    left = next;
  }
  return pieces;
}

// Number of equal steps that keeps the error below `most_error`.
int pieces_of(const Relaxation& relaxation, const Increment& linear, double duration, double exact,
              double most_error) {
  constexpr int kMostPieces = 4096;
  int pieces = 2;
  while (pieces < kMostPieces &&
         std::abs(stress_of_pieces(relaxation, linear, duration, pieces) - exact) > most_error)
    pieces += (pieces + 3) / 4;
  return pieces;
}

// The longest step in which linear tractions reproduce a strain that grows from zero to within 1 %.
double linear_duration(const Relaxation& relaxation, double duration) {
  constexpr double kShorter = 0.9;
  constexpr int kTries = 132;  // down to 1e-6 of the step
  for (int k = 0; k < kTries; ++k) {
    const double stress = relaxation.mean_left(0.0, duration);
    if (std::abs(relaxation.linear_stress(duration) / stress - 1.0) <= kMostCreepError) break;
    duration *= kShorter;
  }
  return duration;
}

class CreepWalk {
 public:
  explicit CreepWalk(const ContactProblem& problem)
      : pressure_(relaxation_of(problem.upper, problem.lower)),
        tangential_(relaxation_of(problem.upper, problem.lower, true)),
        flat_(is_flat(problem)) {
    const double modulus = combine(problem.upper, problem.lower).contact_modulus();
    for (const auto& [material, time] : creep_of(problem.upper, problem.lower))
      creep_.push_back({modulus / material.contact_modulus(), time});
  }

  void take(std::size_t entry, const StepInput& step) {
    const Tangential& shift = step.tangential;
    const bool shifts = shift.problem == TangentialProblem::shift;
    const bool linear = creep_plan(step, last_).changes == Changes::tractions;
    entry_ = entry;
    duration_ = shifts ? shift.duration : 0.0;
    const std::array<double, 3> more{given(shift.x), given(shift.y),
                                     shift.moment ? 0.0 : shift.rotation};
    const bool slides = shifts && step.friction.coefficient > 0.0;
    for (std::size_t k = 0; k < more.size(); ++k) {
      if (!slides)
        shift_[k].clear();
      else if (more[k] != 0.0)
        add(tangential_, shift_[k], growth_by_shift(step.normal, more[k]), linear);
    }
    if (step.normal.control == NormalControl::approach) {
      force_ = 0.0;
      pushes_.clear();
      if (step.normal.value != approach_)
        add(pressure_, press_, growth_by_approach(approach_, step.normal.value), linear);
      approach_ = step.normal.value;
    } else {
      approach_ = 0.0;
      press_.clear();
      if (step.normal.value != force_)
        pushes_.push_back({time_, time_ + duration_, step.normal.value - force_});
      force_ = step.normal.value;
    }
    time_ += duration_;
    last_ = loads_of(step);
  }
  [[nodiscard]] const std::optional<CreepDoubt>& worst() const { return worst_; }

 private:
  static double given(const TangentialLoad& load) {
    return load.control == TangentialControl::rigid ? load.value : 0.0;
  }

  // The contact of a punch does not grow; others grow like that of a paraboloid.
  [[nodiscard]] CreepGrowth growth_by_approach(double from, double to) const {
    const double power = flat_ ? 1.0 : 1.5;
    const Increment grows = [=](double begin, double end) {
      const auto force = [&](double part) {
        return std::pow(std::max(from + part * (to - from), 0.0), power);
      };
      return force(end) - force(begin);
    };
    return {grows, grows};
  }
  // In a single step the whole final contact takes part in the whole shift.
  [[nodiscard]] CreepGrowth growth_by_shift(const NormalLoad& load, double shift) const {
    const auto size = [=, this](double part) { return contact_size(load, part); };
    return {
        [=](double begin, double end) { return size(0.5 * (begin + end)) * shift * (end - begin); },
        [=](double begin, double end) { return size(end) * shift * (end - begin); }};
  }
  // Assumes the step's load from its start, and so neglects what an elastic contact does when load
  // and shift grow together.
  [[nodiscard]] double contact_size(const NormalLoad& load, double part) const {
    if (flat_ || load.control == NormalControl::approach) return 1.0;
    const double now = part * duration_;
    double crept = (load.value - force_) * compliance(now);
    for (const Growth& push : pushes_)
      crept += push.strain * compliance(time_ + now - 0.5 * (push.begin + push.end));
    return std::cbrt(std::max(crept, 0.0));
  }
  [[nodiscard]] double compliance(double time) const {
    double sum = 1.0;
    for (const CreepTerm& term : creep_)
      sum += term.time > 0.0 ? -term.ratio * std::expm1(-time / term.time) : term.ratio;
    return sum;
  }

  void add(const Relaxation& relaxation, std::vector<Growth>& history, const CreepGrowth& growth,
           bool linear) {
    const double end = time_ + duration_;
    const std::vector<Growth> now = growth_of(growth.exact, time_, duration_);
    const double exact = stress_at(relaxation, now, end);
    history.insert(history.end(), now.begin(), now.end());
    const double found = linear ? growth.linear(0.0, 1.0) * relaxation.linear_stress(duration_)
                                : stress_of_pieces(relaxation, growth.linear, duration_, 1);
    const double off = std::abs(found - exact);
    const double least = worst_ ? worst_->error : kMostCreepError;
    if (!(off > least * std::abs(exact))) return;
    const double whole = std::max(std::abs(stress_at(relaxation, history, end)), std::abs(exact));
    const double error = off / whole;
    if (!(error > least)) return;
    const int pieces =
        pieces_of(relaxation, growth.linear, duration_, exact, kMostCreepError * whole);
    const double longest = linear ? linear_duration(relaxation, duration_) : duration_;
    worst_ = {entry_, error, std::min(longest, duration_ / pieces)};
  }

  Relaxation pressure_, tangential_;
  bool flat_ = false;
  std::vector<CreepTerm> creep_;
  std::vector<Growth> press_;                 // due to the approach
  std::array<std::vector<Growth>, 3> shift_;  // in x, in y and the rotation
  std::vector<Growth> pushes_;                // of the normal force
  double approach_ = 0.0;
  double force_ = 0.0;
  double time_ = 0.0;      // at the start of the step
  double duration_ = 0.0;  // of the step
  std::size_t entry_ = 0;
  std::optional<StepLoads> last_;
  std::optional<CreepDoubt> worst_;
};

// A round contact under its normal force, with what creep has left of it. While it grows, the
// pressures and the faded pressures are sums of Hertz's, whose values in the middle are
// proportional to the radius and whose forces are proportional to its cube: both follow from one
// radius (THEORY.md 5.13).
struct GrownContact {
  double force = 0.0;
  double pressure = 0.0;  // in the middle
  double radius = 0.0;
  std::vector<double> faded_force;
  std::vector<double> faded_pressure;
};

class GrowthWalk {
 public:
  explicit GrowthWalk(const ContactProblem& problem)
      : relaxation_(relaxation_of(problem.upper, problem.lower)) {
    const double modulus = combine(problem.upper, problem.lower).contact_modulus();
    for (const auto& [material, time] : creep_of(problem.upper, problem.lower))
      ratio_.push_back(modulus / material.contact_modulus());
    start();
  }

  void take(std::size_t entry, const StepInput& step) {
    const Tangential& shift = step.tangential;
    const double duration = shift.problem == TangentialProblem::shift ? shift.duration : 0.0;
    const Changes changes = creep_plan(step, last_).changes;
    last_ = loads_of(step);
    if (step.normal.control != NormalControl::force || is_rolling(shift.problem)) return start();
    const double force = step.normal.value;
    if (force < exact_.force) known_ = false;  // a contact that shrinks is another problem
    if (!known_) return;
    const GrownContact before = exact_;
    exact_ = after(before, force, duration, changes, kPieces);
    found_ = after(found_, force, duration, changes, 1);
    known_ = exact_.radius >= before.radius;
    const double error = std::abs(found_.pressure / exact_.pressure - 1.0);
    const double least = worst_ ? worst_->error : kMostCreepError;
    if (!known_ || !(error > least)) return;
    int pieces = 2;
    while (pieces < kPieces &&
           std::abs(after(before, force, duration, changes, pieces).pressure / exact_.pressure -
                    1.0) > kMostCreepError)
      pieces += (pieces + 3) / 4;
    worst_ = {entry, error, duration / pieces};
  }
  [[nodiscard]] const std::optional<CreepDoubt>& worst() const { return worst_; }

 private:
  static constexpr int kPieces = 256;

  void start() {
    found_ = {};
    found_.faded_force.assign(ratio_.size(), 0.0);
    found_.faded_pressure = found_.faded_force;
    exact_ = found_;
    known_ = true;
  }

  // The contact after a step that is divided into equal ones, in which the force grows linearly.
  [[nodiscard]] GrownContact after(GrownContact contact, double force, double duration,
                                   Changes changes, int pieces) const {
    const double piece = duration / pieces;
    const CreepStep step =
        relaxation_.step(piece, Rests::traction, relaxation_.now_of(piece, changes));
    double stiffness = 1.0;
    for (std::size_t k = 0; k < ratio_.size(); ++k) stiffness += ratio_[k] * step.now[k];
    const double begin = contact.force;
    for (int done = 1; done <= pieces; ++done) {
      const std::vector<double> known_force = known(step, contact.faded_force, contact.force);
      const std::vector<double> known_pressure =
          known(step, contact.faded_pressure, contact.pressure);
      contact.force = begin + (force - begin) * done / pieces;
      double cube = stiffness * contact.force;
      for (std::size_t k = 0; k < ratio_.size(); ++k) cube += ratio_[k] * known_force[k];
      contact.radius = std::cbrt(cube);
      contact.pressure = contact.radius;
      for (std::size_t k = 0; k < ratio_.size(); ++k)
        contact.pressure -= ratio_[k] * known_pressure[k];
      contact.pressure /= stiffness;
      for (std::size_t k = 0; k < ratio_.size(); ++k) {
        contact.faded_force[k] = known_force[k] + step.now[k] * contact.force;
        contact.faded_pressure[k] = known_pressure[k] + step.now[k] * contact.pressure;
      }
    }
    return contact;
  }
  // The faded values after a step, without the part of the value at its end.
  static std::vector<double> known(const CreepStep& step, const std::vector<double>& faded,
                                   double value) {
    const std::size_t n = faded.size();
    std::vector<double> result(n);
    for (std::size_t k = 0; k < n; ++k) {
      result[k] = step.before[k] * value;
      for (std::size_t l = 0; l < n; ++l) result[k] += step.kept[k * n + l] * faded[l];
    }
    return result;
  }

  Relaxation relaxation_;
  std::vector<double> ratio_;
  GrownContact found_;  // with the steps of the case
  GrownContact exact_;  // with steps that are short
  bool known_ = true;   // the contact has only grown
  std::optional<StepLoads> last_;
  std::optional<CreepDoubt> worst_;
};

// Takes the first steps of the case: the cost of a step grows with its number.
template <class Walk>
std::optional<CreepDoubt> worst_of(Walk walk, std::span<const StepInput> steps) {
  int left = 500;
  for (std::size_t entry = 0; entry < steps.size() && left > 0; ++entry)
    for (int k = 0; k < steps[entry].repeat && left > 0; ++k, --left)
      walk.take(entry, steps[entry]);
  return walk.worst();
}

}  // namespace

std::optional<CreepDoubt> worst_creep(const ContactProblem& problem,
                                      std::span<const StepInput> steps) {
  if (!creeps(problem)) return {};
  return worst_of(CreepWalk(problem), steps);
}

std::optional<CreepDoubt> worst_growth(const ContactProblem& problem,
                                       std::span<const StepInput> steps) {
  if (!creeps(problem) || is_flat(problem) || problem.grid.boundary != Boundary::free) return {};
  return worst_of(GrowthWalk(problem), steps);
}

}  // namespace slipfield
