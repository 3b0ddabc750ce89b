// SPDX-License-Identifier: Apache-2.0
// What half of the problems of `slipfield bench battery` have besides elastic bodies, rigid motions,
// forces and one coefficient of friction.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>

#include "solver/geometry/hertz_ellipse.h"
#include "solver/problem.h"

namespace slipfield {

// The standard's generators are the same everywhere, its distributions are not.
class BatteryRandom {
 public:
  BatteryRandom(std::uint64_t seed, int number) {
    std::seed_seq sequence{static_cast<std::uint32_t>(seed),
                           static_cast<std::uint32_t>(seed >> 32U),
                           static_cast<std::uint32_t>(number)};
    engine_.seed(sequence);
  }
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11U) * 0x1.0p-53;
  }
  double evenly_in_log(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }
  double sign() { return chance(0.5) ? 1.0 : -1.0; }
  bool chance(double probability) { return uniform(0.0, 1.0) < probability; }
  int elements(int least, int most) {
    return std::clamp(static_cast<int>(std::lround(evenly_in_log(least, most))), least, most);
  }
  std::uint64_t bits() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

struct BatteryContact {
  double a = 1.0;  // semi-axes
  double b = 1.0;
  double force = 1.0;
  HertzContact hertz;
};

// Makes the problem's bodies viscoelastic, puts a layer between them that is elastic or yields,
// prescribes the moment, lets friction fall with slip and remember, or rolls to second order, where
// its only step allows it; says which, ", with ...", empty: nothing.
std::string choose_kind(BatteryRandom& random, const BatteryContact& contact,
                        ContactProblem& problem);

}  // namespace slipfield
