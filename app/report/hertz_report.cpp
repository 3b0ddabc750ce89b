// SPDX-License-Identifier: Apache-2.0
#include "app/report/hertz_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "io/result/field_table.h"

namespace slipfield {
namespace {

constexpr double kMargin = 1.25;  // of an extent over the contact

// In one direction: half of the contact, its elements and the extent that it suggests. Along the
// axis of a cylinder, and over a single row, the grid as it is.
struct Across {
  double semi_axis = 0.0;
  double elements = 0.0;
  double least = 0.0;
  double greatest = 0.0;
};

Across across(double semi_axis, double centre, double corner, double spacing, int elements) {
  if (semi_axis == 0.0 || elements == 1)
    return {semi_axis, static_cast<double>(elements), corner, corner + elements * spacing};
  return {semi_axis, 2.0 * semi_axis / spacing, centre - kMargin * semi_axis,
          centre + kMargin * semi_axis};
}

Across across_x(const HertzEstimate& hertz, const Grid& grid) {
  return across(hertz.semi_axis_x, hertz.centre_x, grid.x0, grid.dx, grid.mx);
}

Across across_y(const HertzEstimate& hertz, const Grid& grid) {
  return across(hertz.semi_axis_y, hertz.centre_y, grid.y0, grid.dy, grid.my);
}

}  // namespace

std::string hertz_text(const HertzEstimate& hertz, const ContactProblem& problem) {
  const Across x = across_x(hertz, problem.grid);
  const Across y = across_y(hertz, problem.grid);
  const std::string_view length = unit_text(Dimension::length, problem.units);
  std::string text = "Hertz: ";
  if (hertz.is_line())
    text += fmt::format("half-width {:.4g} {} in {}", 0.5 * hertz.length(), length,
                        hertz.semi_axis_x > 0.0 ? "x" : "y");
  else
    text += fmt::format("semi-axes {:.4g} x {:.4g} {}", x.semi_axis, y.semi_axis, length);
  text += fmt::format(", p_max {:.4g} {}", hertz.max_pressure,
                      unit_text(Dimension::traction, problem.units));
  if (!hertz.is_line()) text += fmt::format(", approach {:.4g} {}", hertz.approach, length);
  return text + fmt::format(
                    "; {:.3g} x {:.3g} elements across it; an extent that holds it: "
                    "{{x: [{:.3g}, {:.3g}], y: [{:.3g}, {:.3g}]}}",
                    x.elements, y.elements, x.least, x.greatest, y.least, y.greatest);
}

nlohmann::ordered_json hertz_json(const HertzEstimate& hertz, const ContactProblem& problem) {
  const Across x = across_x(hertz, problem.grid);
  const Across y = across_y(hertz, problem.grid);
  nlohmann::ordered_json document;
  const auto known = [](double value) {
    return value > 0.0 ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
  };
  document["semi_axes"] = {known(hertz.semi_axis_x), known(hertz.semi_axis_y)};
  document["max_pressure"] = hertz.max_pressure;
  document["approach"] =
      hertz.is_line() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(hertz.approach);
  document["elements_across"] = {x.elements, y.elements};
  document["extent"] = {{"x", {x.least, x.greatest}}, {"y", {y.least, y.greatest}}};
  return document;
}

}  // namespace slipfield
