// SPDX-License-Identifier: Apache-2.0
// Everything that the spectrum of a coefficient table depends on, as a key of a cache.
#pragma once

#include <cstddef>
#include <functional>

#include "solver/influence/block.h"
#include "solver/influence/influence_table.h"
#include "solver/influence/periodic_images.h"
#include "solver/material.h"

namespace slipfield {

struct SpectrumKey {
  Component component = Component::nn;
  int transform_x = 0;
  int transform_y = 0;
  double dx = 0.0;
  double dy = 0.0;
  PeriodicImages images;
  CombinedMaterial material;
  InfluenceKind kind;
  bool operator==(const SpectrumKey&) const = default;

  // What the key allocates [bytes].
  [[nodiscard]] std::size_t bytes() const {
    return kind.memory.size() * sizeof(MemoryTerm) + kind.layers.size() * sizeof(LayerImage);
  }

  // Takes all numbers that sweeps and steps may vary; std::hash takes -0 as 0, as == does.
  struct Hash {
    std::size_t operator()(const SpectrumKey& key) const {
      std::size_t hash = static_cast<std::size_t>(key.component);
      const auto add = [&hash](double number) {
        constexpr std::size_t kGolden = 0x9e3779b97f4a7c15U;  // 2^64 over the golden ratio
        hash ^= std::hash<double>()(number) + kGolden + (hash << 6U) + (hash >> 2U);
      };
      const CombinedMaterial& m = key.material;
      for (const double number :
           {static_cast<double>(key.transform_x), static_cast<double>(key.transform_y), key.dx,
            key.dy, key.images.period, key.images.distance, m.shear_modulus, m.poisson_ratio,
            m.coupling, m.layer, m.sheet, key.kind.offset_x, key.kind.offset_y,
            key.kind.own_compliance})
        add(number);
      return hash;
    }
  };
};

}  // namespace slipfield
