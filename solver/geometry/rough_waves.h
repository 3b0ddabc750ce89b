// SPDX-License-Identifier: Apache-2.0
// The waves of a self-affine rough surface on a grid, for the CPU and for kernels: their phases and
// amplitudes follow from the seed and the wave alone (solver/geometry/rough_surface.h).
#pragma once

#include <cmath>
#include <cstdint>

#include "solver/host_device.h"

namespace slipfield {

// The wave number on which the spectrum depends: its square is xx x^2 + 2 xy x y + yy y^2 for the
// wave (x, y), with determinant elongation^2.
struct WaveMetric {
  double elongation = 1.0;
  double xx = 1.0;
  double xy = 0.0;
  double yy = 1.0;

  [[nodiscard]] SLIPFIELD_HD double number(double x, double y) const {
    if (elongation == 1.0) return std::hypot(x, y);
    return std::sqrt(std::fmax(0.0, xx * x * x + 2.0 * xy * x * y + yy * y * y));
  }
};

// Whether a grid holds only part of the waves of a surface. If no wave runs across one of its
// sides, it holds a profile, whose spectrum is that of the surface summed over the waves across; if
// a side is much shorter than the longest wave, each wave represents those across it that do not
// fit.
enum class Narrow { neither, along_x, along_y, profile };

namespace rough_detail {

inline constexpr double kTwoPi = 6.28318530717958647692;

// splitmix64 [SteeleLeaFlood2014]: a well-mixed number for each counter.
SLIPFIELD_HD inline std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

SLIPFIELD_HD inline double phase(std::uint64_t seed, int kx, int ky) {
  const auto x = static_cast<std::uint64_t>(static_cast<std::int64_t>(kx));
  const auto y = static_cast<std::uint64_t>(static_cast<std::int64_t>(ky));
  const std::uint64_t bits = mix(mix(mix(seed) ^ x) ^ y);
  return kTwoPi * static_cast<double>(bits >> 11) * 0x1.0p-53;
}

// The integral over `unit` of |q|^-(2 + 2 hurst) over the waves (along, t), t from `from` to `to`:
// by Gauss's rule over the angle of q.
SLIPFIELD_HD inline double mean_of_power(double along, double from, double to, double unit,
                                         double hurst) {
  if (along == 0.0) {
    const double exponent = -1.0 - 2.0 * hurst;
    return (std::pow(to, exponent) - std::pow(from, exponent)) / (exponent * unit);
  }
  constexpr int kPoints = 4;
  constexpr double kPlace[kPoints] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                      0.9602898564975363};
  constexpr double kWeight[kPoints] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                       0.1012285362903763};
  const double first = std::atan2(from, along);
  const double last = std::atan2(to, along);
  const double half = 0.5 * (last - first);
  double sum = 0.0;
  for (int i = 0; i < kPoints; ++i)
    for (int side = -1; side <= 1; side += 2)
      sum += kWeight[i] *
             std::pow(std::cos(0.5 * (first + last) + side * half * kPlace[i]), 2.0 * hurst);
  return half * sum * std::pow(along, -1.0 - 2.0 * hurst) / unit;
}

// The mean of the spectrum over the waves (along, t) with t in a cell of width `unit` around
// `across`; below the wave number `level` the spectrum is constant.
SLIPFIELD_HD inline double mean_over_cell(double along, double across, double unit, double hurst,
                                          double level) {
  const double from = across - 0.5 * unit;
  const double to = across + 0.5 * unit;
  if (along >= level) return mean_of_power(along, from, to, unit, hurst);
  const double chord = std::sqrt(level * level - along * along);
  const double covered = std::fmax(0.0, std::fmin(to, chord) - std::fmax(from, -chord));
  double mean = covered / unit * std::pow(level, -2.0 - 2.0 * hurst);
  if (from < -chord) mean += mean_of_power(along, from, std::fmin(to, -chord), unit, hurst);
  if (to > chord) mean += mean_of_power(along, std::fmax(from, chord), to, unit, hurst);
  return mean;
}

// Half of the spectrum summed over all waves across, of the wave `along` of a profile. From the end
// of the plateau on it is the integral of cos^(2 hurst) over the angle of q up to a right angle,
// whose distance from there is the square of the variable of Gauss's rule.
SLIPFIELD_HD inline double sum_across(double along, double hurst, double level) {
  const double chord = along < level ? std::sqrt(level * level - along * along) : 0.0;
  const double least = std::atan2(chord, along);
  constexpr int kPieces = 32;
  const double width = std::sqrt(0.25 * kTwoPi - least) / kPieces;
  const double offset = 0.5 / std::sqrt(3.0);
  double sum = 0.0;
  for (int i = 0; i < kPieces; ++i)
    for (int side = -1; side <= 1; side += 2) {
      const double root = (i + (0.5 + side * offset)) * width;
      sum += width * root * std::pow(std::sin(root * root), 2.0 * hurst);
    }
  const double plateau = chord > 0.0 ? chord * std::pow(level, -2.0 - 2.0 * hurst) : 0.0;
  return plateau + sum * std::pow(along, -1.0 - 2.0 * hurst);
}

}  // namespace rough_detail

// A term of a transform: size (cos angle + i sin angle).
struct PolarNumber {
  double size = 0.0;
  double angle = 0.0;
};

// The waves of a grid of mx x my elements, one of each pair +q, -q: rows of ky, kx from
// first_of(ky) to last_x. Made by rough_waves().
struct RoughWaves {
  int mx = 1;
  int my = 1;
  double unit_x = 0.0;
  double unit_y = 0.0;
  int last_x = 0;
  int last_y = 0;
  double least = 0.0;  // wave numbers of the band, slightly widened: rounding loses no wave
  double most = 0.0;
  double hurst = 0.0;
  double level = 0.0;  // wave number of the roll-off; 0: none
  WaveMetric metric;
  Narrow narrow = Narrow::neither;
  std::uint64_t seed = 0;
  bool slope_given = false;
  double scale = 1.0;  // of all amplitudes

  [[nodiscard]] SLIPFIELD_HD static int first_of(int ky) { return ky > 0 ? 0 : 1; }
  // The amplitude of a wave of the band with wave number q, up to the scale.
  [[nodiscard]] SLIPFIELD_HD double amplitude(int kx, int ky, double q) const {
    const double x = kx * unit_x;
    const double y = ky * unit_y;
    // The metric's square is (root_x x + xy y/root_x)^2 + along_y^2, and likewise with x and y
    // exchanged.
    const double root_x = std::sqrt(metric.xx);
    const double root_y = std::sqrt(metric.yy);
    const double along_y = std::fabs(y) * metric.elongation / root_x;
    const double along_x = x * metric.elongation / root_y;
    switch (narrow) {
      case Narrow::neither:
        return std::pow(std::fmax(q, level), -1.0 - hurst);
      case Narrow::profile:
        if (level == 0.0) return std::pow(q, -0.5 - hurst);
        return std::sqrt(rough_detail::sum_across(ky == 0 ? along_x : along_y, hurst, level));
      case Narrow::along_x:
        return std::sqrt(rough_detail::mean_over_cell(
            along_y, std::fabs(root_x * (x + metric.xy * y / metric.xx)), root_x * unit_x, hurst,
            level));
      case Narrow::along_y:
        break;
    }
    return std::sqrt(
        rough_detail::mean_over_cell(along_x, std::fabs(root_y * (y + metric.xy * x / metric.yy)),
                                     root_y * unit_y, hurst, level));
  }
  // The wave number in the metric; 0 outside the band.
  [[nodiscard]] SLIPFIELD_HD double number(int kx, int ky) const {
    const double q = metric.number(kx * unit_x, ky * unit_y);
    return q >= least && q <= most ? q : 0.0;
  }
  // The wave's part of the mean square of the heights, or of the slopes if the slope is given, up
  // to scale^2: half of its amplitude squared.
  [[nodiscard]] SLIPFIELD_HD double power(int kx, int ky) const {
    const double q = kx >= first_of(ky) ? number(kx, ky) : 0.0;
    const double a = q > 0.0 ? amplitude(kx, ky, q) : 0.0;
    const double slope = slope_given ? std::hypot(kx * unit_x, ky * unit_y) : 1.0;
    return 0.5 * a * a * (slope * slope);
  }

  // The transform of the heights in column kx >= 0 and row `row` of my, with ky < 0 at ky + my. The
  // heights are its unscaled inverse.
  [[nodiscard]] SLIPFIELD_HD PolarNumber at(int kx, int row) const {
    int ky = row <= last_y ? row : row - my;
    if (ky < -last_y || kx > last_x) return {};  // half of an even number of rows or columns
    const bool conjugate = kx == 0 && ky < 0;
    if (conjugate) ky = -ky;
    if (kx < first_of(ky)) return {};
    const double q = number(kx, ky);
    if (q == 0.0) return {};
    // Element centres are half an element off the corner.
    const double angle =
        rough_detail::phase(seed, kx, ky) +
        0.5 * rough_detail::kTwoPi * (static_cast<double>(kx) / mx + static_cast<double>(ky) / my);
    return {0.5 * scale * amplitude(kx, ky, q), conjugate ? -angle : angle};
  }
};

}  // namespace slipfield
