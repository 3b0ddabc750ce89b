// SPDX-License-Identifier: Apache-2.0
// Laws of adhesion: the attractive stress between the surfaces as a function of the gap (THEORY.md
// 4.11). The stress of each law falls with the gap, and its integral over all gaps is the work.
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/host_device.h"

namespace slipfield {

// maugis: constant up to the length, 0 beyond it; exponential: exp(-g/length); power:
// (1 + g/length)^-3, van der Waals's attraction of two half-spaces with equilibrium distance
// `length`.
enum class AdhesionLaw { maugis, exponential, power };

struct Adhesion {
  AdhesionLaw law = AdhesionLaw::maugis;
  double work = 0.0;    // of separation, per area [force/length]
  double length = 0.0;  // range of the stress [length]

  [[nodiscard]] bool exists() const { return work != 0.0 || length != 0.0; }
  // The greatest stress, that of surfaces in contact [force/length^2].
  [[nodiscard]] double strength() const {
    return (law == AdhesionLaw::power ? 2.0 : 1.0) * work / length;
  }
  bool operator==(const Adhesion& other) const {  // not defaulted: kernels are C++17
    return law == other.law && work == other.work && length == other.length;
  }
};

// Values at a gap >= 0; work_left: work needed to separate the surfaces completely from there
// [force/length].
struct AdhesiveStress {
  double stress = 0.0;
  double work_left = 0.0;
};

SLIPFIELD_HD inline AdhesiveStress smooth_adhesion(const Adhesion& adhesion, double gap) {
  const double ratio = gap / adhesion.length;
  if (adhesion.law == AdhesionLaw::exponential) {
    const double left = adhesion.work * std::exp(-ratio);
    return {left / adhesion.length, left};
  }
  const double fall = 1.0 / (1.0 + ratio);
  const double left = adhesion.work * fall * fall;
  return {2.0 * left * fall / adhesion.length, left};
}

// The part of a triangle where a linear gap is below `reach`: the integrals over it of the three
// linear shape functions and of reach - gap, divided by the triangle's area.
struct BandOfTriangle {
  double share[3] = {0.0, 0.0, 0.0};
  double depth = 0.0;
};
SLIPFIELD_HD inline BandOfTriangle band_of_triangle(const double (&gap)[3], double reach) {
  BandOfTriangle band;
  int below = 0;
  int last_below = 0;
  int last_above = 0;
  for (int k = 0; k < 3; ++k) {
    const bool is_below = gap[k] < reach;
    below += is_below ? 1 : 0;
    (is_below ? last_below : last_above) = k;
  }
  if (below == 0) return band;
  const double whole = reach - (gap[0] + gap[1] + gap[2]) / 3.0;
  if (below == 3) {
    for (double& share : band.share) share = 1.0 / 3.0;
    band.depth = whole;
    return band;
  }
  // i: the corner that is alone on its side of `reach`; its two edges cross `reach`.
  const int i = below == 1 ? last_below : last_above;
  const int j = (i + 1) % 3;
  const int k = (i + 2) % 3;
  const double to_j = (reach - gap[i]) / (gap[j] - gap[i]);
  const double to_k = (reach - gap[i]) / (gap[k] - gap[i]);
  const double area = to_j * to_k;
  band.share[i] = area * (3.0 - to_j - to_k) / 3.0;
  band.share[j] = area * to_j / 3.0;
  band.share[k] = area * to_k / 3.0;
  band.depth = area * (reach - gap[i]) / 3.0;
  if (below == 1) return band;
  for (double& share : band.share) share = 1.0 / 3.0 - share;
  band.depth = whole - band.depth;
  return band;
}

// The gaps of a grid, >= 0; infinite where there can be no contact.
struct GapField {
  const double* gap = nullptr;
  int mx = 1;
  int my = 1;
  bool repeats_x = false;
  bool repeats_y = false;

  SLIPFIELD_HD static int beside(int at, int step, int count, bool repeats) {
    const int next = at + step;
    if (next >= 0 && next < count) return next;
    return repeats ? (next + count) % count : at;
  }
};

// Maugis's stress is discontinuous: evaluated per element, an edge of the band could stop anywhere
// within an element, at different places in loading and unloading. So the gap is taken as linear
// between the centres, over both pairs of triangles into which a cell of four centres divides, and
// the stress of an element is the integral of the band with its shape function. Beyond the edge of
// a free grid, and where nothing can touch, the gap continues over the remaining half cell.
SLIPFIELD_HD inline AdhesiveStress banded_adhesion(const Adhesion& adhesion, const GapField& field,
                                                   std::size_t i) {
  constexpr int kTriangles[4][3] = {{0, 1, 3}, {0, 2, 3}, {0, 1, 2}, {1, 2, 3}};
  const auto columns = static_cast<std::size_t>(field.mx);
  const int ix = static_cast<int>(i % columns);
  const int iy = static_cast<int>(i / columns);
  const auto gap_at = [&](int kx, int ky) {
    return field.gap[static_cast<std::size_t>(ky) * columns + static_cast<std::size_t>(kx)];
  };
  double share = 0.0;
  double depth = 0.0;
  for (int side = 0; side < 4; ++side) {
    int jx = GapField::beside(ix, side % 2 == 0 ? -1 : 1, field.mx, field.repeats_x);
    int jy = GapField::beside(iy, side / 2 == 0 ? -1 : 1, field.my, field.repeats_y);
    if (!(gap_at(jx, iy) < HUGE_VAL)) jx = ix;
    if (!(gap_at(ix, jy) < HUGE_VAL)) jy = iy;
    // Corners: the element, its neighbours along x and y, and the one between them.
    const bool own[4] = {true, jx == ix, jy == iy, jx == ix && jy == iy};
    double gap[4] = {gap_at(ix, iy), gap_at(jx, iy), gap_at(ix, jy), gap_at(jx, jy)};
    if (!(gap[3] < HUGE_VAL)) gap[3] = gap[0];
    const double part = (own[1] ? 0.5 : 1.0) * (own[2] ? 0.5 : 1.0);
    double owned = 0.0;
    for (const bool is_own : own) owned += is_own ? 0.25 : 0.0;
    for (const auto& corners : kTriangles) {
      const BandOfTriangle band =
          band_of_triangle({gap[corners[0]], gap[corners[1]], gap[corners[2]]}, adhesion.length);
      for (int k = 0; k < 3; ++k)
        if (own[corners[k]]) share += 0.25 * part * band.share[k];
      depth += 0.25 * part * owned * band.depth;
    }
  }
  const double strength = adhesion.work / adhesion.length;
  return {strength * share, strength * depth};
}

// Stress and remaining work of element i.
SLIPFIELD_HD inline AdhesiveStress adhesion_at(const Adhesion& adhesion, const GapField& field,
                                               std::size_t i) {
  if (!(field.gap[i] < HUGE_VAL)) return {};
  return adhesion.law == AdhesionLaw::maugis ? banded_adhesion(adhesion, field, i)
                                             : smooth_adhesion(adhesion, field.gap[i]);
}

}  // namespace slipfield
