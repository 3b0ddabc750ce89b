// SPDX-License-Identifier: Apache-2.0
#include "solver/run/checked_solver.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/adhesion.h"
#include "solver/number_text.h"

namespace slipfield {
namespace {

constexpr int kMostTries = 10000;
constexpr int kClosely = 16;  // golden section steps: 2 (0.618)^16 of a length, 1e-3

class PullOffSearch {
 public:
  PullOffSearch(ContactSolver& solver, const StepInput& step, const Adhesion& adhesion,
                Boundary boundary)
      : solver_(solver),
        try_(step),
        length_(step.normal.value),
        adhesion_(adhesion),
        periodic_(boundary == Boundary::periodic) {}

  StepReport run() {
    StepReport report = attempt({NormalControl::force, 0.0});
    if (report.outcome != Outcome::converged) return finished(report);
    first_ = report.approach;
    // Pulled surfaces bulge towards each other: the bodies separate only below the least distance.
    way_ = first_ - solver_.least_of(&ContactSolution::undeformed_distance);
    if (way_ > kMostTries * length_) return too_short(std::move(report));
    way_ = std::fmax(way_, adhesion_.length);
    if (length_ > way_) return too_long(std::move(report));
    pull_in_full_contact(report);
    least_ = {first_, report.normal_force};
    before_ = {solver_.own_state(), try_, report.normal_force};
    Start last = before_;
    bool passed = false;  // the last try was skipped
    for (int k = 1;; ++k) {
      if (k > kMostTries) return gave_up(report);
      report = attempt({NormalControl::approach, first_ - k * length_});
      if (report.outcome != Outcome::converged) {
        if (!may_be_at_jump(report) || passed) return finished(report);
        passed = true;
        solver_.restore_own(last.state, last.step);
        continue;
      }
      passed = false;
      if (report.normal_force < least_.force) {
        least_ = {report.approach, report.normal_force};
        before_ = last;
      } else if (report.elements_contact == 0) {
        break;
      }
      last = {solver_.own_state(), try_, report.normal_force};
    }
    return closely();
  }

 private:
  struct Place {
    double approach = 0.0;
    double force = 0.0;
  };
  struct Start {
    SolverState state;
    StepInput step;      // the step that led to it
    double force = 0.0;  // of this state
  };

  struct FullContact {
    Start before;       // without a load
    double pull = 0.0;  // the least force that it holds
  };

  // Rounds of the adhesive stress converge more slowly the nearer a state is to a jump, and just
  // beyond one they linger at the old state (THEORY.md 4.11). Such a try is skipped.
  static bool may_be_at_jump(const StepReport& report) {
    return report.outcome == Outcome::not_converged && std::isfinite(report.normal_force);
  }

  StepReport attempt(const NormalLoad& load) {
    try_.normal = load;
    StepReport report = solver_.advance(try_);
    cost_ += report;
    return report;
  }
  // Full contact of a periodic surface (THEORY.md 4.11): every element has the greatest stress, and
  // less force lowers all pressures by the same amount at the same approach. Pulls to just before
  // the first one is 0; `report` becomes that of the state held.
  void pull_in_full_contact(StepReport& report) {
    constexpr double kShare = 1.0 - 1.0e-4;  // of the way: the last part is below most tolerances
    if (!periodic_) return;
    const double least = solver_.least_of(&ContactSolution::pressure);
    if (!(least > 0.0)) return;
    Start start{solver_.own_state(), try_, report.normal_force};
    const double area = report.adhesive_force / adhesion_.strength();
    const double pull = report.normal_force - kShare * least * area;
    StepReport pulled = attempt({NormalControl::force, pull});
    if (pulled.outcome == Outcome::converged &&
        solver_.least_of(&ContactSolution::pressure) > 0.0) {
      full_ = FullContact{std::move(start), pull};
      report = std::move(pulled);
    } else {
      solver_.restore_own(start.state, start.step);
      try_ = start.step;
    }
  }
  // A try from the state before the least force, as if the bodies were drawn apart in one step.
  StepReport attempt_from_before(double approach) {
    solver_.restore_own(before_.state, before_.step);
    return attempt({NormalControl::approach, approach});
  }

  // Refines the least force within a length of the one found, by golden sections.
  StepReport closely() {
    constexpr double kGolden = 0.6180339887498949;
    double low = least_.approach - length_;
    double high = least_.approach + length_;
    double force_high = HUGE_VAL;  // unknown beyond the state before
    if (before_.step.normal.control == NormalControl::approach) {
      high = std::fmin(high, before_.step.normal.value);
      force_high = before_.force;
    } else if (full_) {
      high = std::fmin(high, first_);
      force_high = before_.force;
    }
    double lower = high - kGolden * (high - low);
    double upper = low + kGolden * (high - low);
    std::optional<StepReport> failed;  // first try that did not converge, except at a jump
    const auto force_at = [&](double approach) {
      StepReport report = attempt_from_before(approach);
      const double force = report.normal_force;
      if (report.outcome == Outcome::converged) return force;
      if (!may_be_at_jump(report) && !failed) failed = std::move(report);
      return HUGE_VAL;
    };
    double force_lower = force_at(lower);
    double force_upper = force_at(upper);
    for (int k = 0; k < kClosely && !failed; ++k) {
      if (force_lower < force_upper) {
        high = upper;
        force_high = force_upper;
        upper = lower;
        force_upper = force_lower;
        lower = high - kGolden * (high - low);
        force_lower = force_at(lower);
      } else {
        low = lower;
        lower = upper;
        force_lower = force_upper;
        upper = low + kGolden * (high - low);
        force_upper = force_at(upper);
      }
    }
    if (failed) return finished(*std::move(failed));
    if (full_ && !(std::fmin(force_lower, force_upper) < full_->pull)) {
      solver_.restore_own(full_->before.state, full_->before.step);
      return finished(attempt({NormalControl::force, full_->pull}));
    }
    StepReport report = attempt_from_before(force_lower < force_upper ? lower : upper);
    // Up to the least force the pull grows gradually; only beyond it may the pull jump.
    constexpr double kResolved = 0.5;
    const double pull = -report.normal_force;
    if (!(pull > 0.0) || -force_high < kResolved * pull) return too_long(std::move(report));
    return finished(std::move(report));
  }

  // With what all tries took, the last one included.
  StepReport finished(StepReport report) const {
    static_cast<StepCost&>(report) = cost_;
    return report;
  }
  // Suggests a length that finds the pull-off of most contacts.
  [[nodiscard]] std::string such_as() const {
    constexpr double kTries = 100.0;
    return "such as " + number_text(way_ / kTries);
  }
  StepReport too_long(StepReport report) const {
    report.outcome = Outcome::not_converged;
    report.message = "pull_off: a length of " + number_text(length_) +
                     " does not resolve the pull-off; the " + "bodies come apart after some " +
                     number_text(way_) + "; accepted: a smaller length, " + such_as();
    return finished(std::move(report));
  }
  StepReport too_short(StepReport report) const {
    report.outcome = Outcome::not_converged;
    report.message = "pull_off: the approach has to fall by " + number_text(way_) +
                     " before the bodies come apart, more than " + std::to_string(kMostTries) +
                     " lengths of " + number_text(length_) + "; accepted: a greater one, " +
                     such_as();
    return finished(std::move(report));
  }
  StepReport gave_up(StepReport report) const {
    report.outcome = Outcome::not_converged;
    report.message = "the bodies did not come apart in " + std::to_string(kMostTries) +
                     " tries, each " + number_text(length_) +
                     " farther apart than the one before; a greater length finds the pull-off";
    return finished(std::move(report));
  }

  ContactSolver& solver_;
  StepInput try_;
  double length_;
  Adhesion adhesion_;
  bool periodic_;
  double first_ = 0.0;  // approach without a load
  double way_ = 0.0;    // about the fall of the approach before the bodies separate
  Place least_;
  Start before_;  // the try before the one with the least force
  std::optional<FullContact> full_;
  StepCost cost_;  // of all tries
};

}  // namespace

StepReport advance_to_pull_off(ContactSolver& solver, const StepInput& step,
                               const Adhesion& adhesion, Boundary boundary) {
  return PullOffSearch(solver, step, adhesion, boundary).run();
}

}  // namespace slipfield
