// SPDX-License-Identifier: Apache-2.0
// Elastic and viscoelastic constants of the two bodies and their combination (THEORY.md 1.3, 2.8).
#pragma once

#include <limits>
#include <vector>

namespace slipfield {

// One term of the creep compliance of a viscoelastic body,
// J(t) = (1/G) (1 + sum of ratio (1 - exp(-t/time))).
struct CreepTerm {
  double ratio = 0.0;  // added compliance over the instantaneous one, >= 0
  double time = 0.0;   // creep (retardation) time [time], >= 0; 0: creep without delay
  friend bool operator==(const CreepTerm& a, const CreepTerm& b) {
    return a.ratio == b.ratio && a.time == b.time;
  }
};

// One layer of a body, below the outermost.
struct BodyLayer {
  double shear_modulus = 0.0;
  double poisson_ratio = 0.0;
  double thickness = 0.0;  // [length]; 0: as deep as a half-space
  friend bool operator==(const BodyLayer& a, const BodyLayer& b) {
    return a.shear_modulus == b.shear_modulus && a.poisson_ratio == b.poisson_ratio &&
           a.thickness == b.thickness;
  }
};

struct ElasticBody {
  double shear_modulus =
      0.0;  // [force/length^2], > 0; of a viscoelastic body the instantaneous one
  double poisson_ratio = 0.0;         // [-], 0 <= nu <= 0.5
  std::vector<CreepTerm> creep = {};  // none: elastic
  // Depth to which the constants above hold [length]; 0: the whole body.
  double thickness = 0.0;
  // The layers below, from the outside in; if the last one has a thickness, it lies on a rigid
  // base.
  std::vector<BodyLayer> below = {};
  // The pressure at which the surface yields [force/length^2]; 0: it does not yield.
  double hardness = 0.0;
};

// All layers of a body, from the surface inwards.
inline std::vector<BodyLayer> layers_of(const ElasticBody& body) {
  std::vector<BodyLayer> layers{{body.shear_modulus, body.poisson_ratio, body.thickness}};
  layers.insert(layers.end(), body.below.begin(), body.below.end());
  return layers;
}

inline bool is_layered(const ElasticBody& body) { return body.thickness > 0.0; }

// Depth of the rigid base below the layers [length], up to rounding of their sum; infinity for a
// half-space.
inline double depth_of_base(const ElasticBody& body) {
  double depth = 0.0;
  for (const BodyLayer& layer : layers_of(body)) {
    if (layer.thickness == 0.0) return std::numeric_limits<double>::infinity();
    depth += layer.thickness;
  }
  return depth;
}
// Depths up to this times that of a border count as on it or outside of it: depths are rounded
// sums.
inline constexpr double kOnBorder = 1.0 + 1.0e-12;
inline bool in_base(const ElasticBody& body, double depth) {
  return depth > kOnBorder * depth_of_base(body);
}

inline bool is_viscoelastic(const ElasticBody& body) {
  bool creeps = false;
  for (const CreepTerm& term : body.creep) creeps = creeps || term.ratio > 0.0;
  return creeps;
}

// Displacement of one body under a wave of traction, times wavenumber over traction [1/modulus]
// (THEORY.md 2.10).
struct WaveCompliance {
  double along = 0.0;   // u_t by a traction across it
  double across = 0.0;  // u_t by one across it
  double normal = 0.0;  // u_n by a pressure
  double skew = 0.0;    // u_l by a pressure, a quarter of a wave out of phase
  friend bool operator==(const WaveCompliance& a, const WaveCompliance& b) {
    return a.along == b.along && a.across == b.across && a.normal == b.normal && a.skew == b.skew;
  }
};

// The same for a half-space; independent of the wavelength.
inline WaveCompliance half_space_compliance(double shear_modulus, double poisson_ratio) {
  const double same = (1.0 - poisson_ratio) / shear_modulus;
  return {same, 1.0 / shear_modulus, same, 0.5 * (1.0 - 2.0 * poisson_ratio) / shear_modulus};
}

// Combined constants of two half-spaces [Kalker1990, ch. 1]:
//   1/G = (1/G1 + 1/G2)/2,  nu/G = (nu1/G1 + nu2/G2)/2,  K/G = ((1-2 nu1)/G1 - (1-2 nu2)/G2)/4.
// K = 0 (quasi-identical bodies) leaves the normal and the tangential problem uncoupled.
struct CombinedMaterial {
  double shear_modulus = 0.0;  // G [force/length^2]
  double poisson_ratio = 0.0;  // nu [-]
  double coupling = 0.0;       // K [-]
  double layer = 0.0;          // tangential compliance between the bodies [length^3/force]
  double sheet = 0.0;          // normal compliance between them

  // E* = G/(1 - nu): the modulus of Hertz's theory, 1/E* = (1-nu1^2)/E1 + (1-nu2^2)/E2.
  [[nodiscard]] double contact_modulus() const { return shear_modulus / (1.0 - poisson_ratio); }
  friend bool operator==(const CombinedMaterial& a, const CombinedMaterial& b) {
    return a.shear_modulus == b.shear_modulus && a.poisson_ratio == b.poisson_ratio &&
           a.coupling == b.coupling && a.layer == b.layer && a.sheet == b.sheet;
  }
};

// A measure from 0 (K = 0) to 1 of how the bodies differ. Limits of second-order rolling differ
// between like and unlike bodies; with this share they do not jump.
inline double unlikeness(const CombinedMaterial& material) {
  constexpr double kUnlike = 0.05;  // |K| from which the limits are those of unlike bodies
  const double part = (material.coupling < 0.0 ? -material.coupling : material.coupling) / kUnlike;
  return part < 1.0 ? part : 1.0;
}

inline CombinedMaterial combine(const ElasticBody& upper, const ElasticBody& lower) {
  const double compliance = 0.5 * (1.0 / upper.shear_modulus + 1.0 / lower.shear_modulus);
  CombinedMaterial combined;
  combined.shear_modulus = 1.0 / compliance;
  combined.poisson_ratio =
      0.5 *
      (upper.poisson_ratio / upper.shear_modulus + lower.poisson_ratio / lower.shear_modulus) /
      compliance;
  combined.coupling = 0.25 *
                      ((1.0 - 2.0 * upper.poisson_ratio) / upper.shear_modulus -
                       (1.0 - 2.0 * lower.poisson_ratio) / lower.shear_modulus) /
                      compliance;
  return combined;
}

}  // namespace slipfield
