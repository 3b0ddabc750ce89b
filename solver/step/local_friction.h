// SPDX-License-Identifier: Apache-2.0
// Coefficients of friction that need more than the slip of their own element: laws that vary along
// y or have memory, and a layer that yields (THEORY.md 5.9, 5.11). Computed on the host, once per
// round of the outer iteration.
//
// A layer at its yield limit tau bounds the traction as friction does, by a coefficient tau/p_n
// where that is less than mu. What the solvers find as slip there is plastic shear.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "solver/fields/element_op.h"
#include "solver/fields/fixed_point.h"
#include "solver/grid.h"
#include "solver/problem.h"
#include "solver/sliding_law.h"
#include "solver/step/friction_ops.h"

namespace slipfield {

// Relaxes coefficients in host memory towards those wanted, as FollowSlip and TakeFriction do on a
// backend.
class HostCoefficients {
 public:
  void start_again() {
    before_.clear();
    part_ = 1.0;
  }

  // Returns the distance to the wanted values as part of the bound. pressure, fixed, distance and
  // way are called for each element; return a pressure of 0 for elements that do not count.
  template <class Pressure, class Fixed, class Distance, class Way>
  double measure(std::size_t count, const Pressure& pressure, const Fixed& fixed,
                 const Distance& distance, const Way& way) {
    way_.resize(count);
    for (double& sum : sums_) sum = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      const double far = distance(i);
      way_[i] = way(i, far);
      if (const double p = pressure(i); p > 0.0)
        FrictionSums::add(p, fixed(i), far, way_[i], before_.empty() ? 0.0 : before_[i],
                          sums_.data());
    }
    return FrictionSums::change(sums_.data());
  }

  // Ends the round and returns the fraction of the distance to move: 1 in the first round, then
  // part(last, before_times_turn, turn2).
  template <class Part>
  double take(const Part& part) {
    part_ = before_.empty()
                ? 1.0
                : part(part_, sums_[FrictionSums::before_times_turn], sums_[FrictionSums::turn2]);
    std::swap(way_, before_);
    return part_;
  }
  // After take(): the whole distance of element i.
  [[nodiscard]] double way(std::size_t i) const { return before_[i]; }

 private:
  std::vector<double> way_, before_;
  std::array<double, FrictionSums::count> sums_{};
  double part_ = 1.0;
};

// One value per element, x fastest.
struct LocalFrictionFields {
  std::vector<double> pressure;
  std::vector<double> slip_x;  // of the step
  std::vector<double> slip_y;
  std::vector<double> traction;         // its magnitude
  std::vector<unsigned char> division;  // ElementState of the solvers, never plastic
};

// Host memory with the interface that AndersonMixing needs of a backend.
struct HostFields {
  template <class T>
  using Array = std::vector<T>;
  template <class Op>
  void run(std::size_t count, const Op& op) {
    std::array<double, kSumsOf<Op> + 1> sums{};
    for (std::size_t i = 0; i < count; ++i) op.element(i, sums.data());
    if constexpr (kHasFinish<Op>) op.finish(sums.data());
  }
  template <class T>
  T read(const std::vector<T>& array) {
    return array.front();
  }
};

class LocalFriction {
 public:
  LocalFriction(const Grid& grid, const ContactLayer& layer, double tolerance)
      : mixing_(host_, grid.count()), grid_(grid), layer_(layer), tolerance_(tolerance) {}

  // Fields of one double each: those of LocalFrictionFields and of mixing.
  static constexpr std::size_t kMostFields = 18 + 2 * (1 + MixedRounds::kMost);

  // Whether this class determines the step's coefficients.
  [[nodiscard]] bool takes(const StepInput& step) const {
    const bool law = remembers(step) || !step.friction.along_y.empty();
    return (law || layer_.yields()) && step.tangential.problem != TangentialProblem::none;
  }

  // Whether a memory outlasts what the tolerance resolves of the slip in a step. A shorter one is
  // none (THEORY.md 5.9): the slip within which friction recovers would be an error of the
  // solution.
  [[nodiscard]] bool remembers(const StepInput& step) const;

  // Begins a step. friction: the coefficients after the step before, without the layer's bound;
  // path: its plastic shear, may be empty.
  void begin(const StepInput& step, const std::vector<double>& friction,
             const std::vector<double>& path);

  // Replaces the static coefficient of the step's friction by one per element.
  void take_static(const std::vector<double>& coefficients) { fixed_ = coefficients; }

  // Moves the coefficients towards those of the fields by one round of Aitken's relaxation, as in
  // friction_ops.h, and returns how far they were, as part of the bound. self: slip of an element
  // by its own traction [length^3/force].
  double follow(const LocalFrictionFields& fields, double self, int round,
                std::vector<double>& coefficients);

  // Until the next begin() newton's rows follow the layer's hardening, so the coefficients of its
  // elements move the whole distance.
  void follow_hardening();
  // limit(): the layer's limit before this step's shear, as of the last round; greatest(): the
  // friction coefficient, both per element; hardening(): stress per slip distance of the step.
  [[nodiscard]] const std::vector<double>& limit() const { return limit_; }
  [[nodiscard]] const std::vector<double>& greatest() const { return greatest_; }
  [[nodiscard]] double hardening() const { return layer_.hardening * shear_share_; }

  // After the last round: friction() is the coefficient without the layer, from which memory
  // continues; path() the plastic shear of the layer; yields() where it yields.
  [[nodiscard]] const std::vector<double>& friction() const { return friction_; }
  [[nodiscard]] const std::vector<double>& path() const { return path_; }
  [[nodiscard]] const std::vector<unsigned char>& yields() const { return yields_; }

 private:
  struct Upstream {  // state of the particle that moves into an element
    double friction = 0.0;
    double path = 0.0;
  };
  struct Wanted {
    double coefficient = 0.0;
    double friction = 0.0;  // without the layer
    double path = 0.0;
    bool yields = false;
    bool bounded = false;  // by the layer, not by friction
  };
  void want_all(const LocalFrictionFields& fields);
  [[nodiscard]] Wanted want(const LocalFrictionFields& fields, std::size_t i, const SlidingLaw& law,
                            const Upstream& from) const;
  template <class BySlip>
  [[nodiscard]] double recovering(const LocalFrictionFields& fields, std::size_t i,
                                  const Upstream& from, double slip, double otherwise,
                                  const BySlip& by_slip) const;
  [[nodiscard]] std::vector<double> ahead(const std::vector<double>& values) const;
  [[nodiscard]] double time_of(const Tangential& tangential) const;

  // mixes limits that in steady rolling depend on upstream elements
  AndersonMixing<HostFields> mixing_;
  Grid grid_;
  ContactLayer layer_;
  double tolerance_;
  HostFields host_;
  bool falls_ = false;
  bool varies_ = false;  // differs between elements, without a law of slip
  bool follows_hardening_ = false;
  bool steady_ = false;
  bool rolls_ = false;
  bool along_y_ = false;
  bool forwards_ = true;      // the leading edge is at the greatest x, or y
  double offset_ = 0.0;       // distance of a step in elements
  double rate_ = 0.0;         // from the slip distance of a step to a velocity [1/time]
  double time_ = 0.0;         // for a particle to cross an element, or of a transient step
  double shear_share_ = 1.0;  // shear of an element over the slip distance of a step
  double self_ = 0.0;         // slip of an element by its own traction
  double memory_distance_ = 0.0;
  double memory_velocity_ = 0.0;
  std::vector<SlidingLaw> laws_;  // one per row
  std::vector<double> fixed_;     // static coefficient of each element
  std::vector<double> friction_before_, path_before_;
  std::vector<double> friction_, path_, wanted_;
  std::vector<unsigned char> yields_, bounded_;
  std::vector<double> limit_, greatest_;
  HostCoefficients relaxed_;
};

// Relaxes friction coefficients by Aitken's method towards those that a FrictionFollower computes
// from the temperatures (THEORY.md 15.4). In host memory, on the whole grid.

class WarmCoefficients {
 public:
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

  // Called before the rounds of a step.
  void begin(std::vector<double> values) {
    values_ = std::move(values);
    relaxed_.start_again();
  }

  // Runs one round: returns the pressure-weighted distance to those wanted, as part of the
  // greatest. Moves the coefficients, within [0, greatest], only if it exceeds the tolerance;
  // otherwise they stay those of the tractions found.
  double follow(const std::vector<double>& wanted, const std::vector<double>& pressure,
                double greatest, double tolerance) {
    constexpr double kLeast = 0.1;
    constexpr double kMost = 2.0;
    const double change = relaxed_.measure(
        values_.size(), [&](std::size_t i) { return pressure[i]; },
        [&](std::size_t /*i*/) { return greatest; },
        [&](std::size_t i) { return wanted[i] - values_[i]; },
        [](std::size_t /*i*/, double far) { return far; });
    if (change <= tolerance) return change;
    const double part = relaxed_.take([&](double last, double before_times_turn, double turn2) {
      return aitken_relaxation(last, before_times_turn, turn2, kLeast, kMost);
    });
    for (std::size_t i = 0; i < values_.size(); ++i)
      values_[i] = std::clamp(values_[i] + part * relaxed_.way(i), 0.0, greatest);
    return change;
  }

 private:
  std::vector<double> values_;
  HostCoefficients relaxed_;
};

}  // namespace slipfield
