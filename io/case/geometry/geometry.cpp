// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <string_view>

#include "io/case/geometry/shapes.h"
#include "io/case/names.h"

namespace slipfield {
namespace {

void read_quadratic(const ShapeReading& reading) {
  CaseSection& section = reading.section;
  QuadraticShape shape;
  shape.xx = section.number_or("xx", kAnyNumber, 0.0);
  shape.xy = section.number_or("xy", kAnyNumber, 0.0);
  shape.yy = section.number_or("yy", kAnyNumber, 0.0);
  shape.x = section.number_or("x", kAnyNumber, 0.0);
  shape.y = section.number_or("y", kAnyNumber, 0.0);
  shape.constant = section.number_or("constant", kAnyNumber, 0.0);
  reading.keep(shape);
}

void read_sphere(const ShapeReading& reading) {
  if (const auto radius = reading.section.number("radius", kPositive, Presence::required))
    reading.keep(SphereShape{*radius});
}

void read_ellipsoid(const ShapeReading& reading) {
  const auto radii =
      reading.section.number_pair("radii", kPositive, "[Rx, Ry]", Presence::required);
  if (radii) reading.keep(EllipsoidShape{(*radii)[0], (*radii)[1]});
}

void read_cylinder(const ShapeReading& reading) {
  const auto radius = reading.section.number("radius", kPositive, Presence::required);
  const auto axis = reading.section.choice("axis", kCylinderAxes, Presence::optional);
  if (radius) reading.keep(CylinderShape{*radius, axis.value_or(CylinderAxis::y)});
}

void read_hertz(const ShapeReading& reading) {
  CaseSection& section = reading.section;
  const auto axes = section.number_pair("semi_axes", kPositive, "[a, b]", Presence::required);
  const auto& steps = reading.context.steps;
  if (!steps) return;
  const NormalLoad& load = steps->front().normal;
  if (load.control != NormalControl::force) {
    section.error_at_value("type",
                           "hertz takes its curvatures from the normal force of the first "
                           "step, which prescribes the approach",
                           "normal: {force: F}, or a shape with given curvatures");
    return;
  }
  if (axes) reading.keep(HertzShape{(*axes)[0], (*axes)[1], load.value});
}

struct ShapeType {
  std::string_view name;
  void (*value)(const ShapeReading&);
  Support support = Support::now;
};

// A punch is a planform: flat, and alone in its geometry.
constexpr std::array<ShapeType, 10> kShapeTypes{{
    {"quadratic", read_quadratic},
    {"sphere", read_sphere},
    {"ellipsoid", read_ellipsoid},
    {"cylinder", read_cylinder},
    {"hertz", read_hertz},
    {"punch", read_planform},
    {"planform", read_planform},
    {"profile", read_profile},
    {"heights", read_heights_shape},
    {"rough", read_rough},
}};

void read_shape(CaseSection& section, const GeometryContext& context, Geometry& geometry) {
  const auto read = section.choice("type", kShapeTypes, Presence::required);
  if (!read) return;  // the other keys depend on the type
  (*read)({section, context, geometry});
  section.finish();
}

}  // namespace

Geometry read_geometry(CaseSection& root, const GeometryContext& context) {
  constexpr std::string_view kAccepted = "a map {type, ...}, or a list of such maps";
  Geometry geometry;
  root.takes("geometry", map_form);
  root.takes("geometry", [] { return list_form(map_form(), 1); });
  const YamlNode* node = root.value("geometry", kAccepted, Presence::required);
  if (node == nullptr) return geometry;
  const std::string path = root.path_of("geometry");
  if (node->kind == YamlNode::Kind::map) {
    CaseSection section(*node, root.key_place("geometry"), path, root.diagnostics());
    read_shape(section, context, geometry);
  } else if (node->kind == YamlNode::Kind::sequence && !node->items.empty()) {
    for (std::size_t i = 0; i < node->items.size(); ++i) {
      CaseSection section(node->items[i], node->items[i].place, fmt::format("{}.{}", path, i),
                          root.diagnostics());
      if (section.is_map()) read_shape(section, context, geometry);
    }
  } else {
    const bool list = node->kind == YamlNode::Kind::sequence;
    root.error_at_value("geometry", list ? "is an empty list" : describe_node(*node), kAccepted);
  }
  return geometry;
}

}  // namespace slipfield
