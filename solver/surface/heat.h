// SPDX-License-Identifier: Apache-2.0
// Surface temperatures of both bodies in steady rolling, due to frictional heat and to bodies of
// different temperature (THEORY.md 15). Heat flows only into the depth: the limit of a body that
// moves fast through the contact (high Peclet number).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "solver/grid.h"
#include "solver/problem.h"
#include "solver/solution.h"
#include "solver/surface/surface_request.h"

namespace slipfield {

// beta = sqrt(conductivity density capacity) in the case's units: power per area, sqrt(time) and K.
double thermal_penetration(const ThermalBody& body, Units units);

// The speeds of both bodies' material through the contact, over the velocity of the step.
using PassingSpeeds = std::array<double, 2>;
inline constexpr double kSlowestPassage = 0.01;

// V is the mean of both speeds, and the creepage the excess of body 1 over body 2 along the rolling
// direction, against which the material moves: 1 - creepage/2 and 1 + creepage/2. Without the drift
// across and the turning by spin. A body that would stand still or move the other way, where this
// theory ends, counts with kSlowestPassage.
PassingSpeeds passing_speeds(const Tangential& step, const StepReport& report);

// The least V l/(2 kappa) of the given bodies, those that pass through the contact; l: half of the
// contact's greatest length along the direction of the step. Infinite without contact.
double least_peclet_number(std::span<const ThermalBody> bodies, const Grid& grid,
                           const Tangential& step, const std::vector<ElementState>& division,
                           const PassingSpeeds& speeds = {1.0, 1.0});

struct SurfaceTemperatures {
  std::array<std::vector<double>, 2> temperature;  // by enum class Body, at the element centres
  std::array<double, 2> heat{};  // power into each body: its share of friction, and conduction
};

// flux: frictional power per area of each element. step: steady rolling along x or y with a given
// velocity.
SurfaceTemperatures surface_temperatures(const HeatRequest& request, Units units, const Grid& grid,
                                         const Tangential& step, const std::vector<double>& flux,
                                         const std::vector<ElementState>& division,
                                         const PassingSpeeds& speeds = {1.0, 1.0});

// The heat flux into each surface that surface_temperatures() assumes, friction plus conduction
// [power per area]; the conduction as its mean over the element.
std::array<std::vector<double>, 2> surface_fluxes(const HeatRequest& request, Units units,
                                                  const Grid& grid, const Tangential& step,
                                                  const std::vector<double>& flux,
                                                  const std::vector<ElementState>& division,
                                                  const PassingSpeeds& speeds = {1.0, 1.0});

// For the particle at each element's centre: half the integral of flux/sqrt(distance) over its path
// since it entered the contact, element by element [flux sqrt(length)]. forwards: rolling in +x,
// the material enters at the greatest x. By fast Fourier transforms along x, O(N log N).
std::vector<double> flux_memory(const Grid& grid, const std::vector<double>& flux, bool forwards);

}  // namespace slipfield
