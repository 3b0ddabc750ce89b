// SPDX-License-Identifier: Apache-2.0
// Element operations of surfaces that adhere (solver/step/adhesion.h).
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/adhesion.h"
#include "solver/host_device.h"

namespace slipfield {

// gap = distance - approach + displacement - drawn, at least 0; null fields are left out.
struct FormGap {
  const double* distance = nullptr;
  const double* displacement = nullptr;  // by the pressure or by all stresses
  const double* drawn = nullptr;         // by the adhesive stress, to be subtracted
  double approach = 0.0;
  double* gap = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const {
    double at = distance[i] - approach;
    if (displacement != nullptr) at += displacement[i];
    if (drawn != nullptr) at -= drawn[i];
    gap[i] = at > 0.0 ? at : 0.0;
  }
};

struct SubtractField {
  const double* from = nullptr;
  const double* field = nullptr;
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double*) const { out[i] = from[i] - field[i]; }
};

struct AdhesionSums {
  double change2 = 0.0;  // the law's stress less the stress that caused the gap
  double stress2 = 0.0;
  double change1 = 0.0;
  double stress1 = 0.0;  // the sum: no stress is negative
  double energy = 0.0;   // elastic, less the work of separation that is still to be done
  double size = 0.0;     // sum of the absolute terms of the energy
};

// Evaluates the law at the gaps and its difference from the stress that caused them. The gaps may
// have rows before and after those of the other fields.
struct FollowGap {
  struct Sum {
    enum : int { change2, stress2, change1, stress1, energy, size, count };
  };
  Adhesion adhesion;
  GapField field;
  std::size_t place = 0;  // in `field` of the other fields' first element
  const double* stress = nullptr;
  const double* pressure = nullptr;
  const double* displacement = nullptr;  // by the pressure
  const double* drawn = nullptr;         // by the adhesive stress
  double* image = nullptr;
  double* change = nullptr;
  AdhesionSums* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const AdhesiveStress wanted = adhesion_at(adhesion, field, place + i);
    const double step = wanted.stress - stress[i];
    image[i] = wanted.stress;
    change[i] = step;
    sums[Sum::change2] += step * step;
    sums[Sum::stress2] += wanted.stress * wanted.stress;
    sums[Sum::change1] += std::fabs(step);
    sums[Sum::stress1] += wanted.stress;
    const double elastic = 0.5 * (pressure[i] - stress[i]) * (displacement[i] - drawn[i]);
    sums[Sum::energy] += elastic - wanted.work_left;
    sums[Sum::size] += std::fabs(elastic) + wanted.work_left;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    out->change2 = sums[Sum::change2];
    out->stress2 = sums[Sum::stress2];
    out->change1 = sums[Sum::change1];
    out->stress1 = sums[Sum::stress1];
    out->energy = sums[Sum::energy];
    out->size = sums[Sum::size];
  }
};

// Weighted sum of the law's last images, clamped to [0, greatest stress].
struct MixImages {
  static constexpr int kMost = 6;
  static constexpr int kSums = 1;
  const double* image[kMost] = {};
  double weight[kMost] = {};
  int images = 0;
  double most = 0.0;
  double* out = nullptr;
  double* sum = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    double value = 0.0;
    for (int k = 0; k < images; ++k) value += weight[k] * image[k][i];
    value = value > 0.0 ? value : 0.0;
    out[i] = value < most ? value : most;
    sums[0] += out[i];
  }
  SLIPFIELD_HD void finish(const double* sums) const { *sum = sums[0]; }
};

struct MultiplyFields {
  static constexpr int kSums = 1;
  const double* a = nullptr;
  const double* b = nullptr;
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const { sums[0] += a[i] * b[i]; }
  SLIPFIELD_HD void finish(const double* sums) const { *out = sums[0]; }
};

// Counts elements on a non-periodic edge whose stress exceeds `least`.
struct CountAtEdge {
  static constexpr int kSums = 1;
  const double* stress = nullptr;  // from the first element of row first_row on
  int first_row = 0;
  int mx = 1;
  int my = 1;
  bool ends_x = true;
  bool ends_y = true;
  double least = 0.0;
  double* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const auto columns = static_cast<std::size_t>(mx);
    const std::size_t ix = i % columns;
    const std::size_t iy = static_cast<std::size_t>(first_row) + i / columns;
    const bool edge = (ends_x && mx > 1 && (ix == 0 || ix + 1 == columns)) ||
                      (ends_y && my > 1 && (iy == 0 || iy + 1 == static_cast<std::size_t>(my)));
    if (edge && stress[i] > least) sums[0] += 1.0;
  }
  SLIPFIELD_HD void finish(const double* sums) const { *out = sums[0]; }
};

}  // namespace slipfield
