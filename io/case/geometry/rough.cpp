#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "io/case/geometry/shapes.h"

namespace slipfield {
namespace {

constexpr NumberRange kHurst{
    .least = 0.0, .lower = Bound::closed, .greatest = 1.0, .upper = Bound::closed};
constexpr IntegerRange kSeed{0, std::numeric_limits<std::int64_t>::max()};

// The wavelengths must differ on the grid's elements and fit into it.
bool check_wavelengths(const ShapeReading& reading, const RoughSurface& surface) {
  CaseSection& section = reading.section;
  constexpr std::string_view kAccepted = "a list [shortest, longest] that increases";
  if (surface.shortest >= surface.longest) {
    section.error_at_value("wavelengths", "does not increase", kAccepted);
    return false;
  }
  if (!reading.context.grid) return false;
  const Grid& grid = *reading.context.grid;
  const double least = 2.0 * std::max(grid.mx > 1 ? grid.dx : 0.0, grid.my > 1 ? grid.dy : 0.0);
  const double most = std::max(grid.mx * grid.dx, grid.my * grid.dy);
  if (surface.shortest < least) {
    section.error_at_value(
        "wavelengths",
        fmt::format("the shortest wavelength {} is below two elements", surface.shortest),
        fmt::format("at least {}, or smaller elements", least));
  } else if (surface.longest > most * (1.0 + 1.0e-12)) {
    section.error_at_value(
        "wavelengths",
        fmt::format("the longest wavelength {} does not fit into the grid", surface.longest),
        fmt::format("at most {}, or a larger grid", most));
  } else if (!has_waves(surface, grid)) {
    section.error_at_value("wavelengths", "no wave that fits the grid's extent lies in the band",
                           "a band with at least one wave");
  } else {
    return true;
  }
  return false;
}

}  // namespace

void read_rough(const ShapeReading& reading) {
  CaseSection& section = reading.section;
  const auto hurst = section.number("hurst", kHurst, Presence::required);
  const auto form = section.one_of({"rms_height", "rms_slope"}, Presence::required);
  const auto height = section.number("rms_height", kPositive, Presence::optional);
  const auto slope = section.number("rms_slope", kPositive, Presence::optional);
  const auto wavelengths =
      section.number_pair("wavelengths", kPositive, "[shortest, longest]", Presence::required);
  const auto seed = section.long_integer("seed", kSeed, Presence::optional);
  if (!wavelengths) return;
  RoughSurface surface;
  surface.shortest = (*wavelengths)[0];
  surface.longest = (*wavelengths)[1];
  const bool fits = check_wavelengths(reading, surface);
  if (!fits || !hurst || !form || (!height && !slope) || (section.has("seed") && !seed)) return;
  surface.hurst = *hurst;
  surface.slope_given = slope.has_value();
  surface.rms = surface.slope_given ? *slope : *height;
  surface.seed = static_cast<std::uint64_t>(seed.value_or(0));
  reading.keep(RoughShape{surface});
}

}  // namespace slipfield
