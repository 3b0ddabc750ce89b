// SPDX-License-Identifier: Apache-2.0
// The friction coefficient of a slipping element as a function of its slip velocity w [length/time]
// (THEORY.md 5.6), and its derivative. No other file knows the laws.
//
// Falling laws, with d = static - kinetic and h the velocity at which half of d is left:
//   linear_falling  kinetic + d max(0, 1 - w/(2 h))
//   rational        kinetic + d/(1 + w/h)
//   exponential     kinetic + d 2^(-w/h)
// A second term with its own drop d2 and velocity h2 takes d2 from d; for the rational law it is
// d2/(1 + (w/h2)^2). These are the laws of the field's reference program (CONTACT, m_friclaw.f90).
#pragma once

#include <array>
#include <cmath>

#include "solver/host_device.h"

namespace slipfield {

enum class FrictionLaw { constant, linear_falling, rational, exponential };
inline constexpr FrictionLaw kLastFrictionLaw = FrictionLaw::exponential;

// The parameters of a falling law besides its two coefficients.
struct FallingNumbers {
  double half_velocity = 0.0;  // h > 0 [length/time]
  // A second term: its share of the fall, and its velocity.
  double second_drop = 0.0;
  double second_half_velocity = 0.0;
};
// All of these parameters; along y they are linear between places.
inline constexpr std::array<double FallingNumbers::*, 3> kFallingNumbers{
    &FallingNumbers::half_velocity, &FallingNumbers::second_drop,
    &FallingNumbers::second_half_velocity};
inline void take_numbers(const FallingNumbers& from, FallingNumbers& to) {
  for (const auto number : kFallingNumbers) to.*number = from.*number;
}
inline bool operator==(const FallingNumbers& a, const FallingNumbers& b) {
  for (const auto number : kFallingNumbers)
    if (a.*number != b.*number) return false;
  return true;
}

// Where a law is not convex: the quadratic term of the rational law bends down up to the velocity
// `until`, and nowhere by more than d2 mu/d w2 = -bend. Both are 0 for a convex law.
struct BentLaw {
  double until = 0.0;
  double bend = 0.0;
};

// mu(w) of one law.
struct SlidingLaw : FallingNumbers {
  FrictionLaw law = FrictionLaw::constant;
  double fixed = 0.0;  // static
  double kinetic = 0.0;
  bool operator==(const SlidingLaw& other) const {  // not defaulted: kernels are C++17
    return law == other.law && fixed == other.fixed && kinetic == other.kinetic &&
           static_cast<const FallingNumbers&>(*this) == other;
  }

  SLIPFIELD_HD double at(double w) const {
    const double first = first_term(w);
    return second_drop > 0.0 ? first + second_term(w) : first;
  }
  // d mu/d w <= 0 [time/length].
  SLIPFIELD_HD double slope(double w) const {
    const double first = slope_of_term(fixed - kinetic - second_drop, half_velocity, false, w);
    if (!(second_drop > 0.0)) return first;
    return first + slope_of_term(second_drop, second_half_velocity, true, w);
  }
  [[nodiscard]] SLIPFIELD_HD BentLaw bent_part() const {
    if (law != FrictionLaw::rational || !(second_drop > 0.0)) return {};
    constexpr double kInflection = 0.5773502691896258;  // 1/sqrt(3) of 1/(1 + x^2)
    const double h = second_half_velocity;
    return {kInflection * h, 2.0 * second_drop / (h * h)};
  }
  SLIPFIELD_HD double first_term(double w) const {
    const double drop = fixed - kinetic - second_drop;
    switch (law) {
      case FrictionLaw::linear_falling:
        return kinetic + drop * std::fmax(0.0, 1.0 - 0.5 * w / half_velocity);
      case FrictionLaw::rational:
        return kinetic + drop / (1.0 + w / half_velocity);
      case FrictionLaw::exponential:
        return kinetic + drop * std::exp2(-w / half_velocity);
      case FrictionLaw::constant:
        break;
    }
    return kinetic;
  }
  SLIPFIELD_HD double second_term(double w) const {
    const double part = w / second_half_velocity;
    switch (law) {
      case FrictionLaw::linear_falling:
        return second_drop * std::fmax(0.0, 1.0 - 0.5 * part);
      case FrictionLaw::rational:
        return second_drop / (1.0 + part * part);
      case FrictionLaw::exponential:
        return second_drop * std::exp2(-part);
      case FrictionLaw::constant:
        break;
    }
    return 0.0;
  }
  // Derivative of a term that takes `drop` from the coefficient, half of it at velocity `half`; the
  // second term of the rational law is quadratic. 0 for the linear law after its fall.
  SLIPFIELD_HD double slope_of_term(double drop, double half, bool quadratic, double w) const {
    constexpr double kLog2 = 0.6931471805599453;
    const double part = w / half;
    switch (law) {
      case FrictionLaw::linear_falling:
        return part < 2.0 ? -0.5 * drop / half : 0.0;
      case FrictionLaw::rational: {
        const double all = quadratic ? 1.0 + part * part : 1.0 + part;
        return -drop / half * (quadratic ? 2.0 * part : 1.0) / (all * all);
      }
      case FrictionLaw::exponential:
        return -drop / half * kLog2 * std::exp2(-part);
      case FrictionLaw::constant:
        break;
    }
    return 0.0;
  }
};

}  // namespace slipfield
