// SPDX-License-Identifier: Apache-2.0
#include "solver/surface/warm_motion.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "solver/step/rigid_motion.h"

namespace slipfield {
namespace {

// The component of the motion that is sought: a direction of its translation, or the rotation.
enum class Sought { x, y, both, rotation };

bool is_given(const TangentialLoad& load) { return load.control != TangentialControl::rigid; }

// A number that the motion in the sought direction is changed by until its friction is the target.
struct Line {
  std::function<void(StepInput&, double)> set;
  std::function<double()> carried;  // by the last solution, in the direction of the target
  double target = 0.0;
  double first = 0.0;  // where to begin, and what is missing there
  double first_missing = 1.0;
  double least = 0.0;  // first: where `first` has no size or the wrong sign
  double most = 0.0;   // as far as the search goes
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

  // What is beyond the friction of the coefficients; nothing where that carries it, or where no
  // temperature does.
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

  // A part that is carried gives a motion to begin with. The surfaces may cool when it is less.
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

  // Sets the limits of a line search: for lengths in a shift, creepages in rolling, or angles where
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

  // A motion beyond the one sought, then false position, in which the end that stays counts half.
  // More motion is against the target: friction is. A motion that begins the other way, as after a
  // slide whose force was greater, is turned round first.
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

  // Two forces: the motion is turned by how far off the direction of its friction is. True: the
  // report has what was found, or says why it failed.
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
      if (k == 0)  // the part that was carried begins
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

}  // namespace slipfield
