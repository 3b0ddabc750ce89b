// SPDX-License-Identifier: Apache-2.0
// Coulomb friction whose coefficient may vary between elements, and between adhesion and slip:
// |p_t| <= tau_0 + mu p_n in contact, where mu is the static coefficient in adhesion and mu(w) in
// slip at the velocity w [length/time] (THEORY.md 5.6).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "solver/grid.h"
#include "solver/sliding_law.h"

namespace slipfield {

struct FrictionEverywhere {  // the same at every place
  bool operator==(const FrictionEverywhere&) const = default;
};

// Linear between points and constant beyond them.
struct FrictionAlongY {
  std::vector<double> y;      // increasing
  std::vector<double> value;  // >= 0, one for each point
  bool operator==(const FrictionAlongY&) const = default;
};

// By the surface temperature of body 1 [degrees]: linear between points and constant beyond them
// (THEORY.md 15.4). Needs a heat request of the problem.
struct FrictionByTemperature {
  std::vector<double> temperature;  // increasing
  std::vector<double> value;        // >= 0, one per point; for several places y one block per place
  // Increasing places, linear between them and constant beyond; empty: the same everywhere.
  std::vector<double> y = {};
  // As for a coefficient that falls with the slip velocity (THEORY.md 5.9).
  double memory_distance = 0.0;  // 0: no memory
  double memory_velocity = 0.0;
  bool operator==(const FrictionByTemperature&) const = default;

  [[nodiscard]] double at(double temperature_now, double y_now = 0.0) const;
};

// One value for each element, x fastest. Copies share the values; equality compares them.
struct FrictionByElement {
  std::shared_ptr<const std::vector<double>> value;  // >= 0
  std::string file;  // absolute path and `dataset` they were read from, or empty
  std::string dataset;
  bool operator==(const FrictionByElement& other) const {
    return file == other.file && dataset == other.dataset &&
           (value == other.value || (value && other.value && *value == *other.value));
  }
};

// values: one for each element of the grid, x fastest.
inline FrictionByElement friction_by_element(std::vector<double> values) {
  FrictionByElement elements;
  elements.value = std::make_shared<const std::vector<double>>(std::move(values));
  return elements;
}

// The parameters of a falling law at a place along y; linear between places and constant beyond.
struct LawAlongY {
  double y = 0.0;
  SlidingLaw law;
  bool operator==(const LawAlongY&) const = default;
};

struct Friction : FallingNumbers {
  double coefficient = 0.0;  // static, mu >= 0; the greatest if it varies
  // Coefficient in slip, in fast slip for a falling law; at most the static one. None: equal to it.
  std::optional<double> kinetic;
  FrictionLaw law = FrictionLaw::constant;
  // The coefficient follows the slip over this distance, at least as fast as if it slipped at
  // memory_velocity (THEORY.md 5.9); 0: without delay.
  double memory_distance = 0.0;
  double memory_velocity = 0.0;
  // A law that varies along y; `coefficient` and `kinetic` are then its greatest and least value.
  // Empty: the same everywhere.
  std::vector<LawAlongY> along_y = {};
  std::variant<FrictionEverywhere, FrictionAlongY, FrictionByElement, FrictionByTemperature> place =
      {};
  // tau_0 >= 0 [force/length^2]: an element in contact carries up to tau_0 + mu p.
  double shear_strength = 0.0;

  [[nodiscard]] bool varies() const { return !std::holds_alternative<FrictionEverywhere>(place); }
  [[nodiscard]] bool depends_on_slip() const { return kinetic && *kinetic != coefficient; }
  // Whether elements in contact carry any traction.
  [[nodiscard]] bool exists() const { return coefficient > 0.0 || shear_strength > 0.0; }
  [[nodiscard]] bool remembers() const { return memory_distance > 0.0 && depends_on_slip(); }
  bool operator==(const Friction&) const = default;
};

inline SlidingLaw sliding_law(const Friction& friction) {
  SlidingLaw law;
  take_numbers(friction, law);
  law.law = friction.law;
  law.fixed = friction.coefficient;
  law.kinetic = friction.kinetic.value_or(friction.coefficient);
  return law;
}
// The law for the row of elements at y.
SlidingLaw sliding_law(const Friction& friction, double y);

// The static coefficient of each element, x fastest; the greatest one for friction by temperature.
std::vector<double> static_coefficients(const Friction& friction, const Grid& grid);

}  // namespace slipfield
