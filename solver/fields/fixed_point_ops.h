// SPDX-License-Identifier: Apache-2.0
// Element operations of the fixed-point iterations that bring parts of a step into agreement: their
// change, Aitken's relaxation (THEORY.md 8.2), Anderson's mixing (6.12, 8.1).
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/host_device.h"

namespace slipfield {

// Rounds in which coefficients and tractions may move freely; in later ones elements are kept from
// alternating.
inline constexpr int kFreeRounds = 10;

// The relaxation factor omega = -omega' r'.(r - r')/|r - r'|^2, with omega' = `last`, r the
// distances from the coefficients wanted and r' those one round ago; the products are passed in.
// Limited to [least, most]: if r grows in one direction omega is negative and `least` is returned.
// 1 if r equals r'.
SLIPFIELD_HD inline double aitken_relaxation(double last, double before_times_turn, double turn2,
                                             double least, double most) {
  if (!(turn2 > 0.0)) return 1.0;
  return std::fmin(most, std::fmax(least, -last * before_times_turn / turn2));
}

// aitken_relaxation for a coefficient that depends on the slip. escapes: if the distances grow, the
// slip is leaving an unstable solution, and the least factor would leave slowly. With kEscape 2, 3
// and 4 the 288 cases of rolling tried took 13139, 12949 and 12933 rounds in all and at most 111,
// 117 and 167 in a step; with kLeast 18512, and seven did not end in 200.
SLIPFIELD_HD inline double friction_relaxation(double last, double before_times_turn, double turn2,
                                               bool escapes) {
  constexpr double kLeast = 0.1;
  constexpr double kMost = 4.0;
  constexpr double kEscape = 3.0;
  const bool grows = before_times_turn > 0.0;
  return aitken_relaxation(last, before_times_turn, turn2, escapes && grows ? kEscape : kLeast,
                           kMost);
}

// Pressure and tractions; pressure is null if it is given.
struct RoundFields {
  double* pressure = nullptr;
  double* traction_x = nullptr;
  double* traction_y = nullptr;
};

// Relative change of pressure and tractions in a round: of both together, and of the tractions
// alone.
struct OuterChanges {
  double all = 0.0;
  double tangential = 0.0;
};

struct OuterChange {
  struct Sum {
    enum : int { normal_change2, change2, normal2, traction2, count };
  };
  RoundFields now;
  RoundFields before;
  OuterChanges* changes = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    if (now.pressure != nullptr) {
      const double dn = now.pressure[i] - before.pressure[i];
      sums[Sum::normal_change2] += dn * dn;
      sums[Sum::normal2] += now.pressure[i] * now.pressure[i];
    }
    const double dx = now.traction_x[i] - before.traction_x[i];
    const double dy = now.traction_y[i] - before.traction_y[i];
    sums[Sum::change2] += dx * dx + dy * dy;
    sums[Sum::traction2] +=
        now.traction_x[i] * now.traction_x[i] + now.traction_y[i] * now.traction_y[i];
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    const double change2 = sums[Sum::normal_change2] + sums[Sum::change2];
    const double all2 = sums[Sum::normal2] + sums[Sum::traction2];
    changes->all = all2 > 0.0 ? std::sqrt(change2 / all2) : 0.0;
    changes->tangential =
        sums[Sum::traction2] == 0.0 ? 0.0 : std::sqrt(sums[Sum::change2] / sums[Sum::traction2]);
  }
};

// now = before + part (now - before)
struct TakePart {
  const double* before = nullptr;
  double* now = nullptr;
  double part = 1.0;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    now[i] = before[i] + part * (now[i] - before[i]);
  }
};

// Memory of a mixed iteration x -> g(x): g and its change g - x in the last round, and the
// differences of both between rounds, `size` values each.
struct MixedRounds {
  static constexpr int kMost = 8;  // differences
  std::size_t size = 0;
  double* result = nullptr;
  double* change = nullptr;
  double* results = nullptr;
  double* changes = nullptr;
};

// Keeps a round; stores its difference from the last one at index `newest` unless that is below 0.
struct KeepRound {
  MixedRounds rounds;
  int newest = -1;
  const double* x = nullptr;
  const double* g = nullptr;
  std::size_t first = 0;  // index at which the field's values start
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    const std::size_t k = first + i;
    const double change = g[i] - x[i];
    if (newest >= 0) {
      rounds.results[newest * rounds.size + k] = g[i] - rounds.result[k];
      rounds.changes[newest * rounds.size + k] = change - rounds.change[k];
    }
    rounds.result[k] = g[i];
    rounds.change[k] = change;
  }
};

// Products of the differences with other changes.
struct MixingProducts {
  double value[MixedRounds::kMost] = {};
};
struct MultiplyRounds {
  static constexpr int kSums = MixedRounds::kMost;
  MixedRounds rounds;
  int count = 0;
  const double* with = nullptr;
  MixingProducts* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    for (int k = 0; k < kSums; ++k)
      if (k < count) sums[k] += rounds.changes[k * rounds.size + i] * with[i];
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    for (int k = 0; k < kSums; ++k) out->value[k] = sums[k];
  }
};

// g less the combination of the differences of results.
struct SubtractResults {
  MixedRounds rounds;
  int count = 0;
  double part[MixedRounds::kMost] = {};
  double* g = nullptr;
  std::size_t first = 0;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    double sum = 0.0;
    for (int k = 0; k < count; ++k) sum += part[k] * rounds.results[k * rounds.size + first + i];
    g[i] -= sum;
  }
};

}  // namespace slipfield
