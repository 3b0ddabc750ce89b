// SPDX-License-Identifier: Apache-2.0
// Element operations of surfaces that yield under pressure (solver/step/hardness.h).
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/host_device.h"

namespace slipfield {

struct HardnessCounts {
  double changed = 0.0;  // elements that started or stopped yielding
  double yielding = 0.0;
  double reached = 0.0;  // elements whose pressure is the hardness, whether or not they yield now
};

// Marks elements where the undeformed surfaces would overlap as yielding.
struct YieldWhereOverlapping {
  static constexpr int kSums = 1;
  const double* distance = nullptr;
  double approach = 0.0;
  unsigned char* yielding = nullptr;
  HardnessCounts* counts = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    yielding[i] = distance[i] < approach ? 1 : 0;
    sums[0] += yielding[i] != 0 ? 1.0 : 0.0;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    counts->changed = counts->yielding = counts->reached = sums[0];
  }
};

// Prepares the normal problem of the other elements: yielding ones can carry no more.
struct LeaveOutYielding {
  const unsigned char* yielding = nullptr;
  const double* distance = nullptr;
  const double* carried = nullptr;  // displacement by the pressure of the yielding elements
  double* pressure = nullptr;       // starting value
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    out[i] = yielding[i] != 0 ? HUGE_VAL : distance[i] + carried[i];
    if (yielding[i] != 0) pressure[i] = 0.0;
  }
};

struct FillYielding {
  const unsigned char* yielding = nullptr;
  double hardness = 0.0;
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    out[i] = yielding[i] != 0 ? hardness : 0.0;
  }
};

// Combines pressure and displacement of all elements from those of the non-yielding ones. Elements
// above the hardness start to yield; those that have separated stop.
struct FollowYielding {
  struct Sum {
    enum : int { changed, yielding, reached, count };
  };
  double hardness = 0.0;
  double tolerance = 0.0;
  double approach = 0.0;
  const double* distance = nullptr;
  const double* carried = nullptr;
  unsigned char* yielding = nullptr;
  double* pressure = nullptr;
  double* displacement = nullptr;
  HardnessCounts* counts = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const double u = displacement[i] + carried[i];
    displacement[i] = u;
    const bool did = yielding[i] != 0;
    if (did) pressure[i] = hardness;
    const bool does = did ? distance[i] + u - approach <= tolerance * std::fabs(u)
                          : pressure[i] > (1.0 + tolerance) * hardness;
    yielding[i] = does ? 1 : 0;
    sums[Sum::changed] += does != did ? 1.0 : 0.0;
    sums[Sum::yielding] += does ? 1.0 : 0.0;
    // What yielded in an earlier step and carries as much again has this pressure to the tolerance.
    sums[Sum::reached] += pressure[i] >= (1.0 - tolerance) * hardness ? 1.0 : 0.0;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    counts->changed = sums[Sum::changed];
    counts->yielding = sums[Sum::yielding];
    counts->reached = sums[Sum::reached];
  }
};

// Adds the overlap of yielding elements to the permanent deformation.
struct DeformYielding {
  const unsigned char* yielding = nullptr;
  const double* displacement = nullptr;
  double approach = 0.0;
  double* permanent = nullptr;  // accumulated over the steps
  const double* undeformed = nullptr;
  double* distance = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    if (yielding[i] == 0) return;
    const double gap = distance[i] + displacement[i] - approach;
    if (!(gap < 0.0)) return;
    permanent[i] -= gap;
    distance[i] = undeformed[i] + permanent[i];
  }
};

}  // namespace slipfield
