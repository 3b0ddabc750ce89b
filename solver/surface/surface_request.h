// SPDX-License-Identifier: Apache-2.0
// What to compute at the surfaces after a rolling step: wear and damage, temperatures (THEORY.md
// 14, 15).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace slipfield {

struct Fault;                    // solver/problem_check.h
struct StepInput;                // solver/problem.h
enum class Body : std::uint8_t;  // solver/solution.h

enum class WearLaw { archard, t_gamma };

// Archard's coefficient k by slip velocity and pressure, constant within each field of the map.
struct ArchardMap {
  std::vector<double> slip_velocity;  // limits between columns, increasing [length/time]
  std::vector<double> pressure;       // limits between rows, increasing [traction]
  // Row by row, one more than limits in each direction; one number: the same everywhere.
  std::vector<double> value;

  // At a limit: the value of the field above it.
  [[nodiscard]] double at(double slip_velocity, double pressure) const;
};

// Worn mass per distance and area as a function of tau, T-gamma per area: rate[0] tau below
// limit[0], rate[1] up to limit[1], above it rate[1] + rate[2] (tau - limit[1]) [ug/(m mm^2), tau
// in N/mm^2].
struct TGammaLaw {
  std::array<double, 3> rate{5.3, 55.0, 61.9};
  std::array<double, 2> limit{10.4, 77.2};
  double density = 0.0;  // kg per cube of the case's length

  [[nodiscard]] double at(double tau) const;
};

// Damage of a pass as a function of T-gamma [N]: linear between points, constant beyond them.
struct DamageFunction {
  std::vector<double> t_gamma{20.0, 65.0, 175.0};
  std::vector<double> value{0.0, 1.0, 0.0};

  [[nodiscard]] double at(double t_gamma_now) const;
};

struct WearRequest {
  WearLaw law = WearLaw::archard;
  ArchardMap coefficient;  // for the law archard
  double hardness = 0.0;   // for the law archard [traction]
  TGammaLaw t_gamma;       // for the law t_gamma
  DamageFunction damage;
  double passes = 1.0;  // number of passes of the worn profile
};

// W/(length K), J/(kg K), kg/length^3 and degrees, the length in mm or m.
struct ThermalBody {
  double conductivity = 0.0;
  double capacity = 0.0;
  double density = 0.0;
  double temperature = 0.0;  // far from the contact
};

// Where heat flows: only into the depth, the limit of a body that moves fast through the contact,
// or in all directions of a half-space. automatic: half_space if a step shifts and none rolls
// steadily.
enum class HeatConduction { automatic, depth, half_space };

struct HeatRequest {
  std::array<ThermalBody, 2> bodies;  // by enum class Body
  double plastic_share = 1.0;  // share of the work in a yielding layer that becomes heat, 0 to 1
  HeatConduction conduction = HeatConduction::automatic;
  // in a shift: body that carries the contact, through which the other one slides
  Body contact_on{};
};

// Resolves `automatic`.
HeatConduction heat_conduction(const HeatRequest& request, const std::vector<StepInput>& steps);

struct FatigueRequest {
  double shear_yield = 0.0;  // k, yield stress in shear of the material at the surface
};

struct SurfaceRequest {
  std::optional<WearRequest> wear;
  std::optional<HeatRequest> heat;
  std::optional<FatigueRequest> fatigue;
  bool spots = false;  // compute the shape of the contact

  [[nodiscard]] bool empty() const { return !wear && !heat && !fatigue && !spots; }
};

// Faults of the request by itself and against the steps; field names start with "wear.", "heat." or
// "fatigue.", those of a step with "steps[0].": solver/check/surface_check.cpp.
std::vector<Fault> check_surface(const SurfaceRequest& request,
                                 const std::vector<StepInput>& steps);

}  // namespace slipfield
