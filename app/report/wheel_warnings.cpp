// SPDX-License-Identifier: Apache-2.0
#include "app/report/wheel_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

#include "app/report/step_warnings.h"
#include "io/case/doubts.h"
#include "io/case/wheel_rail/doubts.h"
#include "io/result/warnings.h"
#include "io/result/wheel/table.h"
#include "solver/plausibility.h"

namespace slipfield {
namespace {

constexpr std::string_view kRegionWarning =
    "contact reaches the edge of the region in which the undeformed bodies overlap";

bool is_coarse(const StepReport& report) {
  const auto touching = static_cast<double>(report.elements_contact);
  return std::sqrt(touching * 4.0 / std::numbers::pi) < kLeastElementsAcross;
}

// To two digits. What is advised is then below the present spacing, and gives what it promises.
double rounded_down(double value) {
  const double digit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
  return digit * std::floor(value / digit * (1.0 + 1.0e-9));
}

std::string coarse_text(const SolvedPatch& patch) {
  const auto touching = static_cast<double>(patch.report.elements_contact);
  if (touching == 0.0)
    return patch.patch.penetration > 0.0
               ? std::string(
                     "no element is in contact, as the bodies overlap between the elements' "
                     "centres. A smaller wheel_rail.spacing")
               : std::string("no element is in contact: the bodies do not overlap");
  const Grid& grid = patch.patch.grid;
  const double across = std::sqrt(touching * grid.element_area() * 4.0 / std::numbers::pi);
  const std::string found =
      touching == 1.0 ? "1 element is in contact, and forces depend on where its centre lies"
                      : fmt::format(
                            "{} elements are in contact, fewer than {} across it, so the "
                            "pressure and the creep forces are coarse",
                            patch.report.elements_contact, kLeastElementsAcross);
  return fmt::format("{}. A smaller wheel_rail.spacing: {:.2g} mm gives {} across it", found,
                     rounded_down(across / kLeastElementsAcross), kLeastElementsAcross);
}

// The number of rows of elements around the reference point without contact, if there is contact on
// both sides; else 0. touches: tests an element.
template <typename Touches>
int rows_of_gap(const Grid& grid, const Touches& touches) {
  std::vector<bool> rows(static_cast<std::size_t>(grid.my));
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix)
      if (touches(grid.index(ix, iy))) rows[static_cast<std::size_t>(iy)] = true;
  const int middle = static_cast<int>(std::floor(-grid.y0 / grid.dy));
  int below = middle;
  int above = middle;
  while (below >= 0 && below < grid.my && !rows[static_cast<std::size_t>(below)]) --below;
  while (above >= 0 && above < grid.my && !rows[static_cast<std::size_t>(above)]) ++above;
  return below == above || below < 0 || above >= grid.my ? 0 : above - below - 1;
}

// A contact in two places, made of merged regions, has its reference point at the weighted mean of
// the overlap.
std::string gap_text(const SolvedPatch& solved) {
  const Grid& grid = solved.patch.grid;
  const std::vector<ElementState>& division = solved.solution.element_division;
  if (solved.patch.distance.empty() || solved.patch.distance.size() != grid.count()) return {};
  const int overlapping = rows_of_gap(
      grid, [&](std::size_t i) { return solved.patch.distance[i] < solved.patch.penetration; });
  const int touching =
      division.size() != grid.count()
          ? overlapping
          : rows_of_gap(grid, [&](std::size_t i) { return division[i] != ElementState::exterior; });
  if (touching == 0) return {};
  return fmt::format(
      "it touches in two places {:.3g} mm apart, and its position, rail_y = {:.5g} mm, lies "
      "between them, where nothing touches{}",
      touching * grid.dy, solved.patch.on_rail.y(),
      overlapping == 0 ? "" : ". A smaller wheel_rail.merge.distance makes two contacts");
}

// A wheel that is locked or turns backwards has a creepage down to -2, one that spins up to 2.
std::string creepage_text(const SolvedPatch& solved) {
  const PatchCreepages& creepages = solved.patch.creepages;
  const double most = std::max(std::fabs(creepages.x), std::fabs(creepages.y));
  if (creepages.is_shift || !(most > kMostCreepage)) return {};
  return fmt::format(
      "its creepages are {:.3g} along and {:.3g} across, and wheels that roll have less than {:g}. "
      "Is wheelset.velocity right? A wheel that rolls freely has a pitch near -x/nominal_radius",
      creepages.x + 0.0, creepages.y + 0.0, kMostCreepage);  // no -0
}

}  // namespace

std::vector<std::string> wheel_warnings(const ContactProblem& bodies,
                                        const SolvedWheelset& wheelset) {
  std::vector<std::string> warnings;
  int number = 0;
  for (const SolvedWheel& wheel : wheelset.wheels) {
    if (!wheel.warning.empty()) warnings.push_back(wheel.warning);
    if (is_wedged(wheel))
      warnings.push_back(wedged_text(wheel) +
                         ". Are wheelset.y, wheelset.yaw and the friction right?");
    if (wheel.patches.empty() && !wheelset.geometry_only && wheel.nearest.gap > 0.0)
      warnings.push_back(gap_doubt(wheel.side, wheel.nearest.gap).text);
    for (const SolvedPatch& patch : wheel.patches) {
      ++number;
      const auto add = [&](const std::string& text) {
        if (!text.empty()) warnings.push_back(warning_of_contact(number, text));
      };
      const StepReport& report = patch.report;
      if (report.outcome == Outcome::converged) add(report.message);
      if (report.touches_edge) add(std::string(kRegionWarning));
      add(heat_doubt(report));
      if (const auto heat = doubt_of_dissipation(bodies, patch.input, report))
        add(doubt_sentence(*heat, Units::n_mm_s));
      add(creepage_text(patch));
      if (report.max_pressure > kHighPressure / pascal(Units::n_mm_s))
        add(doubt_sentence({.doubt = Doubt::extreme_pressure, .value = report.max_pressure},
                           Units::n_mm_s));
      if (is_coarse(report)) add(coarse_text(patch));
      add(gap_text(patch));
    }
  }
  return warnings;
}

std::string warning_text(const std::string& steps, const std::string& warning) {
  constexpr std::string_view kContact = "contact ";
  const bool of_contact = warning.starts_with(kContact) && warning.size() > kContact.size() &&
                          std::isdigit(static_cast<unsigned char>(warning[kContact.size()])) != 0;
  return fmt::format("{}{} {}", steps, of_contact ? "," : ":", warning);
}

bool is_edge_warning(const std::string& warning) { return warning.ends_with(kRegionWarning); }

std::vector<std::string> lines_of_wheel(int step, const std::vector<std::string>& warnings) {
  std::vector<std::string> lines;
  for (const std::string& warning : warnings)
    if (!is_edge_warning(warning))
      lines.push_back(warning_text(fmt::format("step {}", step), warning));
  return lines;
}

}  // namespace slipfield
