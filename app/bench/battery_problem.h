// SPDX-License-Identifier: Apache-2.0
// Random contact problems for `slipfield bench battery`.
//
// Problem k of a seed is the same on every machine and does not depend on the problems before it.
// Ellipses range from 1:20 to 20:1, bare, rough, or as one row of long elements; K = 0 or |K| up to
// 0.3; friction from 0.01 to 1; shifts and rolling, steady and transient, from linear creep to full
// sliding, with spin, with rigid motions or forces prescribed. Half of the problems with friction
// add one more effect: creep, layers, a prescribed moment, falling friction or second order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/problem.h"

namespace slipfield {

struct GridLimit {
  int mx = 200;
  int my = 160;
};

struct BatteryProblem {
  ContactProblem problem;
  std::string description;
};

// limit: the largest grid; the smallest one has 8 x 8 elements, or 8 x 1.
BatteryProblem battery_problem(std::uint64_t seed, int number, const GridLimit& limit);

// Returns true if no tractions within the friction bound have the prescribed forces and moment
// under the pressure found: for some motion, friction that opposes the slip everywhere dissipates
// less power than these loads supply. Only for friction with one coefficient; false without a
// prescribed moment.
bool has_no_solution(const ContactProblem& problem, const StepInput& step,
                     const std::vector<double>& pressure);

}  // namespace slipfield
