// SPDX-License-Identifier: Apache-2.0
#include "io/case/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>
#include <vector>

#include "io/case/angle.h"
#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "io/result/field_table.h"
#include "io/yaml/writer.h"

namespace slipfield {
namespace {

// {} of a double is its shortest text that reads back as the same number.
std::string pair_text(double first, double second) {
  return fmt::format("[{}, {}]", first, second);
}

template <typename Items>
std::string list_text(const Items& items) {
  std::string text = "[";
  for (const auto& item : items) text += fmt::format("{}{}", text.size() > 1 ? ", " : "", item);
  return text + "]";
}

std::string body_text(const ElasticBody& body) {
  return fmt::format("{{shear_modulus: {}, poisson_ratio: {}{}}}", body.shear_modulus,
                     body.poisson_ratio, creep_text(body));
}

struct OutlineWriter {
  const PlanformShape& shape;

  [[nodiscard]] std::string centre() const { return pair_text(shape.centre_x, shape.centre_y); }
  std::string operator()(const EllipseOutline& ellipse) const {
    if (ellipse.semi_axis_x == ellipse.semi_axis_y)
      return fmt::format("shape: circle, radius: {}, centre: {}", ellipse.semi_axis_x, centre());
    return fmt::format("shape: ellipse, semi_axes: {}, centre: {}",
                       pair_text(ellipse.semi_axis_x, ellipse.semi_axis_y), centre());
  }
  std::string operator()(const RectangleOutline& rectangle) const {
    return fmt::format("shape: rectangle, half_widths: {}, centre: {}",
                       pair_text(rectangle.half_width_x, rectangle.half_width_y), centre());
  }
  std::string operator()(const PolygonOutline& polygon) const {
    std::vector<std::string> vertices;
    for (const auto& [x, y] : polygon.vertices) vertices.push_back(pair_text(x, y));
    return fmt::format("shape: polygon, vertices: {}, centre: {}", list_text(vertices), centre());
  }
};

struct ShapeWriter {
  const std::vector<HeightsFile>& files;
  std::size_t next_file = 0;

  std::string operator()(const QuadraticShape& shape) const {
    return fmt::format("{{type: quadratic, xx: {}, xy: {}, yy: {}, x: {}, y: {}, constant: {}}}",
                       shape.xx, shape.xy, shape.yy, shape.x, shape.y, shape.constant);
  }
  std::string operator()(const SphereShape& shape) const {
    return fmt::format("{{type: sphere, radius: {}}}", shape.radius);
  }
  std::string operator()(const EllipsoidShape& shape) const {
    return fmt::format("{{type: ellipsoid, radii: {}}}", pair_text(shape.radius_x, shape.radius_y));
  }
  std::string operator()(const CylinderShape& shape) const {
    return fmt::format("{{type: cylinder, radius: {}, axis: {}}}", shape.radius,
                       name_of(kCylinderAxes, shape.axis));
  }
  std::string operator()(const HertzShape& shape) const {
    return fmt::format("{{type: hertz, semi_axes: {}}}",
                       pair_text(shape.semi_axis_x, shape.semi_axis_y));
  }
  std::string operator()(const PlanformShape& shape) const {
    return fmt::format("{{type: planform, {}}}", std::visit(OutlineWriter{shape}, shape.outline));
  }
  std::string operator()(const ProfileShape& shape) const {
    return fmt::format("{{type: profile, y: {}, z: {}, curvature_x: {}, of: {}}}",
                       list_text(shape.y), list_text(shape.z), shape.curvature_x,
                       name_of(kHeightsOf, shape.of));
  }
  std::string operator()(const RoughShape& shape) const {
    const RoughSurface& surface = shape.surface;
    return fmt::format("{{type: rough, hurst: {}, {}: {}, wavelengths: {}, seed: {}}}",
                       surface.hurst, surface.slope_given ? "rms_slope" : "rms_height", surface.rms,
                       pair_text(surface.shortest, surface.longest), surface.seed);
  }
  std::string operator()(const HeightsShape& shape) {
    const HeightsFile& file = files.at(next_file++);
    std::string text = fmt::format("{{type: heights, file: {}", double_quoted(file.path.string()));
    if (!file.dataset.empty()) text += fmt::format(", dataset: {}", double_quoted(file.dataset));
    if (file.sampling) {
      const auto& [spacing, origin, interpolation] = *file.sampling;
      text += fmt::format(", spacing: {}, origin: {}, interpolation: {}",
                          pair_text(spacing[0], spacing[1]), pair_text(origin[0], origin[1]),
                          name_of(kInterpolations, interpolation));
    }
    return text + fmt::format(", of: {}}}", name_of(kHeightsOf, shape.of));
  }
};

// `rigid`: the key of the rigid motion.
std::string load_text(const TangentialLoad& load, std::string_view rigid) {
  switch (load.control) {
    case TangentialControl::rigid:
      break;
    case TangentialControl::force:
      return fmt::format("{{force: {}}}", load.value);
    case TangentialControl::force_ratio:
      return fmt::format("{{force_ratio: {}}}", load.value);
    case TangentialControl::traction_coefficient:
      return fmt::format("{{traction_coefficient: {}}}", load.value);
  }
  return fmt::format("{{{}: {}}}", rigid, load.value);
}

std::string tangential_text(const Tangential& tangential) {
  const std::string_view problem = name_of(kTangentialProblems, tangential.problem);
  if (tangential.problem == TangentialProblem::none) return fmt::format("{{problem: {}}}", problem);
  const bool rolling = is_rolling(tangential.problem);
  const std::string_view rigid = rolling ? "creepage" : "shift";
  std::string text = fmt::format("{{problem: {}, x: {}, y: {}, {}: {}", problem,
                                 load_text(tangential.x, rigid), load_text(tangential.y, rigid),
                                 tangential.moment ? "moment"
                                 : rolling         ? "spin"
                                                   : "rotation",
                                 tangential.moment.value_or(tangential.rotation));
  if (rolling)
    text += fmt::format(", direction: {}, step: {}", degrees_text(tangential.direction),
                        tangential.step);
  if (rolling && tangential.velocity > 0.0)
    text += fmt::format(", velocity: {}", tangential.velocity);
  if (!rolling && tangential.duration > 0.0)
    text += fmt::format(", duration: {}", tangential.duration);
  if (tangential.start != FrictionStart::last)
    text += fmt::format(", start: {}", name_of(kFrictionStarts, tangential.start));
  const ExtraSlip& extra = tangential.extra;
  if (extra.x) text += ", extra_x: " + list_text(*extra.x);
  if (extra.y) text += ", extra_y: " + list_text(*extra.y);
  if (tangential.spin_slip != SpinSlip::both)
    text += fmt::format(", spin_slip: {}", name_of(kSpinSlips, tangential.spin_slip));
  return text + "}";
}

// friction, normal, tangential as lines, the first after `first`, the others after `indent`.
std::string step_text(const StepInput& step, std::string_view first, std::string_view indent) {
  const bool force = step.normal.control == NormalControl::force;
  return fmt::format("{}friction: {}\n{}normal: {{{}: {}}}\n{}tangential: {}\n", first,
                     friction_text(step.friction), indent, force ? "force" : "approach",
                     step.normal.value, indent, tangential_text(step.tangential));
}

std::string steps_text(const std::vector<StepInput>& steps) {
  if (steps.size() == 1 && steps.front().repeat == 1) return step_text(steps.front(), "", "");
  std::string text = "steps:\n";
  for (const StepInput& step : steps)
    text += step_text(step, "  - ", "    ") + fmt::format("    repeat: {}\n", step.repeat);
  return text;
}

std::string solver_text(const SolverSettings& solver, Defaults defaults) {
  const bool all = defaults == Defaults::all;
  std::string text = fmt::format("solver: {{influence: {}, normal: {}, tangential: {}",
                                 name_of(kInfluenceMethods, solver.influence),
                                 name_of(kNormalMethods, solver.normal),
                                 name_of(kTangentialMethods, solver.tangential));
  if (solver.tangential == TangentialMethod::fastsim)
    text += fmt::format(", traction_bound: {}", name_of(kTractionBounds, solver.traction_bound));
  if (solver.normal == NormalMethod::sdec)
    text += fmt::format(", half_ellipses: {{semi_axis_x: {}, below: {}, above: {}, border: {}}}",
                        solver.half_ellipses.semi_axis_x, solver.half_ellipses.below,
                        solver.half_ellipses.above, solver.half_ellipses.border);
  if (all || solver.slope != SlopeReduction{})
    text += fmt::format(", slope: {{initial: {}, rest: {}, decay: {}}}", solver.slope.initial,
                        solver.slope.rest, solver.slope.decay);
  if (all || solver.flexibility > 0.0) text += fmt::format(", flexibility: {}", solver.flexibility);
  if (all || solver.rolling != RollingScheme::first_order)
    text += fmt::format(", rolling: {}", name_of(kRollingSchemes, solver.rolling));
  return text + fmt::format(", tolerance: {}}}\n", solver.tolerance);
}

std::string output_text(const OutputSettings& output, Defaults defaults) {
  std::string fields = "all";
  if (output.fields) fields = output.fields->empty() ? "none" : list_text(*output.fields);
  std::string steps = "all";
  if (output.steps == OutputSettings::Steps::last) steps = "last";
  if (output.steps == OutputSettings::Steps::listed) steps = list_text(output.step_numbers);
  std::string more;
  if (defaults == Defaults::all || output.sensitivities)
    more += fmt::format(", sensitivities: {}", output.sensitivities);
  if (output.error_estimate) more += fmt::format(", error_estimate: {}", *output.error_estimate);
  if (output.compression) more += fmt::format(", compression: {}", *output.compression);
  return fmt::format("output: {{fields: {}, steps: {}{}}}\n", fields, steps, more);
}

std::string expected_text(const std::vector<Expectation>& expected) {
  if (expected.empty()) return {};
  std::string text = "expected:\n";
  for (const Expectation& entry : expected) {
    text += fmt::format("  - {{quantity: {}, value: {}, tolerance: {}", entry.quantity, entry.value,
                        entry.tolerance);
    if (entry.step != 0) text += fmt::format(", step: {}", entry.step);
    if (entry.patch != 0) text += fmt::format(", patch: {}", entry.patch);
    if (!entry.source.empty()) text += fmt::format(", source: {}", double_quoted(entry.source));
    text += "}\n";
  }
  return text;
}

// A number of a law, or where it differs along y one for each place.
std::string law_numbers(const Friction& friction, double SlidingLaw::*number) {
  if (friction.along_y.empty()) return fmt::format("{}", sliding_law(friction).*number);
  std::vector<double> values;
  for (const LawAlongY& place : friction.along_y) values.push_back(place.law.*number);
  return list_text(values);
}

std::string law_text(const Friction& friction, std::string_view key) {
  std::string text = fmt::format(
      "{{law: {}, static: {}, kinetic: {}", name_of(kFrictionLaws, friction.law),
      law_numbers(friction, &SlidingLaw::fixed), law_numbers(friction, &SlidingLaw::kinetic));
  const auto& places = friction.along_y;
  if (friction.law != FrictionLaw::constant)
    text += ", half_velocity: " + law_numbers(friction, &SlidingLaw::half_velocity);
  const bool second = std::any_of(places.begin(), places.end(), [](const LawAlongY& place) {
    return place.law.second_drop > 0.0;
  });
  if (second || friction.second_drop > 0.0)
    text += fmt::format(", second_drop: {}, second_half_velocity: {}",
                        law_numbers(friction, &SlidingLaw::second_drop),
                        law_numbers(friction, &SlidingLaw::second_half_velocity));
  if (friction.memory_distance > 0.0)
    text += fmt::format(", memory_distance: {}, memory_velocity: {}", friction.memory_distance,
                        friction.memory_velocity);
  std::vector<double> y;
  for (const LawAlongY& place : places) y.push_back(place.y);
  if (!y.empty()) text += fmt::format(", {}: {}", key, list_text(y));
  return text + "}";
}

std::string by_temperature_text(const FrictionByTemperature& law) {
  std::string value = list_text(law.value);
  const std::size_t count = law.temperature.size();
  if (!law.y.empty()) {
    std::vector<std::string> rows;
    for (auto row = law.value.begin(); rows.size() < law.y.size();
         row += static_cast<std::ptrdiff_t>(count))
      rows.push_back(list_text(std::vector<double>(row, row + static_cast<std::ptrdiff_t>(count))));
    value = fmt::format("[{}]", fmt::join(rows, ", "));
  }
  std::string text =
      fmt::format("{{coefficient: {{temperature: {}, value: {}", list_text(law.temperature), value);
  if (!law.y.empty()) text += ", along_y: " + list_text(law.y);
  if (law.memory_distance > 0.0)
    text += fmt::format(", memory_distance: {}, memory_velocity: {}", law.memory_distance,
                        law.memory_velocity);
  return text + "}}";
}

}  // namespace

std::string friction_text(const Friction& friction, std::string_view places) {
  if (const auto* points = std::get_if<FrictionAlongY>(&friction.place))
    return fmt::format("{{coefficient: {{{}: {}, value: {}}}}}", places, list_text(points->y),
                       list_text(points->value));
  if (const auto* points = std::get_if<FrictionByTemperature>(&friction.place))
    return by_temperature_text(*points);
  if (const auto* elements = std::get_if<FrictionByElement>(&friction.place)) {
    std::string text = fmt::format("{{coefficient: {{file: {}", double_quoted(elements->file));
    if (!elements->dataset.empty())
      text += fmt::format(", dataset: {}", double_quoted(elements->dataset));
    return text + "}}";
  }
  if (!friction.kinetic) return fmt::format("{{coefficient: {}}}", friction.coefficient);
  return law_text(friction, places);
}

std::string write_case(const CaseFile& file, Defaults defaults) {
  const ContactProblem& problem = file.problem;
  const Grid& grid = problem.grid;
  const bool wheel_rail = file.wheel_rail != nullptr;
  std::string text = fmt::format("schema: 1\ntitle: {}\nunits: {}\nbodies:\n  {}: {}\n  {}: {}\n",
                                 double_quoted(problem.title), name_of(kUnits, problem.units),
                                 wheel_rail ? "rail" : "upper", body_text(problem.upper),
                                 wheel_rail ? "wheel" : "lower", body_text(problem.lower));
  if (wheel_rail)
    return text + wheel_rail_text(file) + solver_text(problem.solver, defaults) +
           output_text(file.output, defaults) +
           (file.interior ? interior_text(*file.interior) : "") +
           surface_text(problem.surface, kWheelRailBodies) + expected_text(file.expected);
  text += layer_text(problem.layer);
  text += patches_text(problem.patches);
  text += influence_text(problem.influence);
  text += fmt::format("grid:\n  elements: [{}, {}]\n  spacing: {}\n  origin: {}\n  boundary: {}\n",
                      grid.mx, grid.my, pair_text(grid.dx, grid.dy), pair_text(grid.x0, grid.y0),
                      name_of(kBoundaries, grid.boundary));
  text += "geometry:\n";
  ShapeWriter writer{file.heights_files};
  for (const Shape& shape : problem.geometry)
    text += fmt::format("  - {}\n", std::visit(writer, shape));
  text += steps_text(problem.steps);
  return text + solver_text(problem.solver, defaults) + output_text(file.output, defaults) +
         (file.interior ? interior_text(*file.interior) : "") + surface_text(problem.surface) +
         expected_text(file.expected);
}

}  // namespace slipfield
