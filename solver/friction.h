// Coulomb friction whose coefficient may differ from element to element, and between adhesion and
// slip: |p_t| <= mu p_n with mu the static coefficient where the element adheres, and mu(w) where
// it slips at the velocity w [length/time] (THEORY.md 5.6).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/grid.h"
#include "solver/sliding_law.h"

namespace slipfield {

// A coefficient for each place: linear between points along y and constant beyond them, or one
// value per element.
struct LocalFriction {
  std::vector<double> y;      // increasing; empty: `value` holds one value per element
  std::vector<double> value;  // >= 0
  std::string file;           // absolute, and `dataset` of it: where the values were read
  std::string dataset;
};

struct Friction {
  double coefficient = 0.0;  // static, mu >= 0; of a local coefficient the greatest
  // In slip, or in fast slip for a falling law; at most the static one. None: the same.
  std::optional<double> kinetic;
  FrictionLaw law = FrictionLaw::constant;
  double half_velocity = 0.0;                  // h > 0 of a falling law [length/time]
  std::shared_ptr<const LocalFriction> local;  // null: the same everywhere

  [[nodiscard]] bool depends_on_slip() const { return kinetic && *kinetic != coefficient; }
  bool operator==(const Friction&) const = default;
};

inline SlidingLaw sliding_law(const Friction& friction) {
  return {friction.law, friction.coefficient, friction.kinetic.value_or(friction.coefficient),
          friction.half_velocity};
}

// The static coefficient of each element, x fastest.
std::vector<double> static_coefficients(const Friction& friction, const Grid& grid);

}  // namespace slipfield
