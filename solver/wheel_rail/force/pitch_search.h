// SPDX-License-Identifier: Apache-2.0
// The pitch velocity at which a wheelset has a given longitudinal force (THEORY.md 13.10).
#pragma once

#include <functional>
#include <limits>

namespace slipfield {

// Where to look for a force on the rail, which rises with the pitch velocity up to the limit of
// friction. In a shift the velocity is an angle.
struct PitchTask {
  double force = 0.0;      // [N] asked for
  double tolerance = 0.0;  // [N]
  double start = 0.0;      // [rad/s]
  double stiffness = 0.0;  // [N s] roughly, of contacts that stick: dF/dpitch, > 0
  double bound = 0.0;      // [N] mu F_n of all contacts
  double farthest = 0.0;   // [rad/s] from `start`
  // [N] The force at `start` by the linear theory, from which the pitch tried first follows; not a number: that is
  // `start`.
  double linear_force = std::numeric_limits<double>::quiet_NaN();
};

struct PitchResult {
  double pitch = 0.0;
  double force = 0.0;  // there: the one nearest to that asked for
  bool met = false;
  double stiffness = 0.0;  // [N s] as that of the task, as the last two pitches have it
};

// The last call of force_at() is at the pitch returned. Not met: the force is beyond the bound, and
// the pitch is `start`; or it was not found up to the farthest pitch, or between two that
// bracket it to rounding.
PitchResult find_pitch(const PitchTask& task, const std::function<double(double)>& force_at);

}  // namespace slipfield
