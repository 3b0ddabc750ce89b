// SPDX-License-Identifier: Apache-2.0
// Self-affine rough surfaces: random phases over a power law.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "solver/grid.h"

namespace slipfield {

struct RoughWaves;  // solver/geometry/rough_waves.h

// Height z = sum over q of a |q|^-(1+hurst) cos(q.r + phase_q), r from the grid's lower left
// corner, over one q of each pair +q, -q of the waves that fit the grid's extent, with
// shortest <= 2 pi/|q| <= longest (THEORY.md 3.8). The phases depend on the seed and the wave
// alone, so for a fixed extent and band every grid samples one and the same surface. The amplitude
// makes the root mean square of the height, or of the slope |grad z|, over the extent the given one
// [PerssonAlbohrTartaglinoVolokitinTosatti2005 for the power law]. On a grid that holds no wave
// across one of its sides the heights are a profile of such a surface, with |q|^-(1/2+hurst); on
// one with a side below a quarter of `longest`, each wave has the power of its cell across that
// side.
//
// rolloff: waves longer than it have the amplitude of this length (the plateau of the spectrum).
// elongation: in the place of |q| stands hypot(elongation q_l, q_t), q_l along the lay and q_t
// across it, so that the wavelengths are those across the lay, and along it `elongation` times as
// long. skewness, kurtosis: the heights z become rms J(z/rms), J Johnson's curve with these
// moments, less their mean and scaled to the rms height; the waves then are those of a surface near
// this one.
struct RoughSurface {
  double hurst = 0.8;        // 0 to 1
  bool slope_given = false;  // rms is the slope [-], else the height [length]
  double rms = 0.0;          // > 0
  double shortest = 0.0;     // wavelengths [length]; shortest >= 2 dx and 2 dy
  double longest = 0.0;
  std::uint64_t seed = 0;
  double rolloff = 0.0;     // wavelength, shortest < rolloff <= longest; 0: none
  double elongation = 1.0;  // >= 1
  double lay = 0.0;         // direction of the lay from x towards y [rad]
  double skewness = 0.0;    // of the heights; other than these two values: rms is the height
  double kurtosis = 3.0;    // that of the normal distribution is 3

  [[nodiscard]] bool is_normal() const { return skewness == 0.0 && kurtosis == 3.0; }
};

// Whether at least one wave that fits the grid lies in the band.
bool has_waves(const RoughSurface& surface, const Grid& grid);

// Sums numbers over all owners of a part of the grid.
using AddUp = std::function<void(std::span<double>)>;
// The sum of RoughWaves::power over all waves.
using PowerOfWaves = std::function<double(const RoughWaves&)>;

// The waves of the surface on a grid. Of the rows_of_waves() rows of ky each owner sums the powers
// of some.
int rows_of_waves(const Grid& grid);
RoughWaves rough_waves(const RoughSurface& surface, const Grid& grid, const RowRange& summed,
                       const AddUp& add_up);
RoughWaves rough_waves(const RoughSurface& surface, const Grid& grid, const PowerOfWaves& power);

// The transform of the heights: grid.my rows, with ky < 0 at ky + my, each of mx/2 + 1 values, kx
// from 0 on. The heights are its unscaled inverse.
void fill_waves(const RoughSurface& surface, const Grid& grid, std::complex<double>* values);

// Gives heights, or an owner's part of them, the surface's skewness and kurtosis.
void give_moments(const RoughSurface& surface, std::span<double> heights, const AddUp& add_up);

// Heights at the element centres, x fastest; their mean is 0. The surface must be faultless
// (problem_check.h).
std::vector<double> rough_heights(const RoughSurface& surface, const Grid& grid);

}  // namespace slipfield
