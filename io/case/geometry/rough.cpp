// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "io/case/geometry/shapes.h"

namespace slipfield {
namespace {

constexpr IntegerRange kSeed{0, std::numeric_limits<std::int64_t>::max()};

}  // namespace

void read_rough(const ShapeReading& reading) {
  CaseSection& section = reading.section;
  const auto hurst = section.number("hurst", kHurst, Presence::required);
  section.one_of({"rms_height", "rms_slope"}, Presence::required);
  const auto height = section.number("rms_height", kPositive, Presence::optional);
  const auto slope = section.number("rms_slope", kPositive, Presence::optional);
  const auto wavelengths =
      section.number_pair("wavelengths", kPositive, "[shortest, longest]", Presence::required);
  const auto seed = section.long_integer("seed", kSeed, Presence::optional);
  if (!wavelengths) return;
  RoughSurface surface;
  surface.shortest = (*wavelengths)[0];
  surface.longest = (*wavelengths)[1];
  surface.hurst = hurst.value_or(surface.hurst);
  surface.slope_given = slope.has_value();
  surface.rms = slope.value_or(height.value_or(1.0));
  surface.seed = static_cast<std::uint64_t>(seed.value_or(0));
  reading.keep(RoughShape{surface}, {{"surface", "wavelengths"}});
}

}  // namespace slipfield
