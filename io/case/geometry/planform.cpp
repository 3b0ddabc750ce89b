// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>

#include "io/case/geometry/shapes.h"

namespace slipfield {
namespace {

using Outline = decltype(PlanformShape::outline);

std::optional<Outline> read_circle(CaseSection& section) {
  const auto radius = section.number("radius", kPositive, Presence::required);
  if (!radius) return std::nullopt;
  return EllipseOutline{*radius, *radius};
}

std::optional<Outline> read_ellipse(CaseSection& section) {
  const auto axes = section.number_pair("semi_axes", kPositive, "[a, b]", Presence::required);
  if (!axes) return std::nullopt;
  return EllipseOutline{(*axes)[0], (*axes)[1]};
}

std::optional<Outline> read_rectangle(CaseSection& section) {
  const auto widths = section.number_pair("half_widths", kPositive, "[wx, wy]", Presence::required);
  if (!widths) return std::nullopt;
  return RectangleOutline{(*widths)[0], (*widths)[1]};
}

std::optional<Outline> read_polygon(CaseSection& section) {
  const std::string accepted =
      fmt::format("a list of {} to {} vertices, each a list [x, y]", kLeastVertices, kMostVertices);
  section.takes("vertices", [] {
    const KeyForm vertex{.kind = KeyForm::Kind::list,
                         .items = {{.kind = KeyForm::Kind::number}},
                         .least = 2,
                         .most = 2};
    return KeyForm{.kind = KeyForm::Kind::list,
                   .items = {vertex},
                   .least = kLeastVertices,
                   .most = kMostVertices};
  });
  const YamlNode* node = section.value("vertices", accepted, Presence::required);
  if (node == nullptr) return std::nullopt;
  if (node->kind != YamlNode::Kind::sequence) {
    section.error_at_value("vertices", describe_node(*node), accepted);
    return std::nullopt;
  }
  if (node->items.size() < kLeastVertices || node->items.size() > kMostVertices) {
    section.error_at_value("vertices", fmt::format("is a list of {}", node->items.size()),
                           accepted);
    return std::nullopt;
  }
  PolygonOutline polygon;
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const std::string path = fmt::format("{}.{}", section.path_of("vertices"), i);
    if (const auto vertex =
            read_number_pair(node->items[i], path, kAnyNumber, "[x, y]", section.diagnostics()))
      polygon.vertices.push_back(*vertex);
  }
  if (polygon.vertices.size() != node->items.size()) return std::nullopt;
  return polygon;
}

// A shape of outline, the key that it alone has, and the reader of that key.
struct OutlineKind {
  std::string_view key;
  std::string_view noun;
  std::optional<Outline> (*read)(CaseSection&);
};

constexpr std::array<Choice<OutlineKind>, 4> kOutlines{{
    {"circle", {"radius", "a circle", read_circle}},
    {"rectangle", {"half_widths", "a rectangle", read_rectangle}},
    {"ellipse", {"semi_axes", "an ellipse", read_ellipse}},
    {"polygon", {"vertices", "a polygon", read_polygon}},
}};

}  // namespace

void read_planform(const ShapeReading& reading) {
  CaseSection& section = reading.section;
  const auto kind = section.choice("shape", kOutlines, Presence::required);
  for (const auto& other : kOutlines) {
    const std::string_view key = other.value.key;
    if (!kind) {
      section.value(key, "", Presence::optional);
    } else if (key != kind->key) {
      section.refuse(key, fmt::format("given for {}", kind->noun), kind->key);
    }
  }
  const auto centre = section.number_pair("centre", kAnyNumber, "[x, y]", Presence::optional);
  if (!kind) return;
  auto outline = kind->read(section);
  if (!outline || (section.has("centre") && !centre)) return;
  PlanformShape shape;
  shape.outline = std::move(*outline);
  if (centre) {
    shape.centre_x = (*centre)[0];
    shape.centre_y = (*centre)[1];
  }
  reading.keep(std::move(shape), {{"outline", kind->key}});
}

}  // namespace slipfield
