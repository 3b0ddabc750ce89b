#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "io/case_names.h"
#include "io/case_sections.h"
#include "io/heights_reader.h"

namespace slipfield {
namespace {

constexpr NumberRange kHurst{
    .least = 0.0, .lower = Bound::closed, .greatest = 1.0, .upper = Bound::closed};
constexpr IntegerRange kSeed{0, std::numeric_limits<std::int64_t>::max()};

// One member of the geometry, read by its type's reader.
struct ShapeReading {
  CaseSection& section;
  const GeometryContext& context;
  Geometry& geometry;

  void keep(Shape shape) const { geometry.shapes.push_back(std::move(shape)); }
};

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

double nearest_to_origin(double first_centre, double spacing, int elements) {
  const double index = std::clamp(std::round(-first_centre / spacing), 0.0, elements - 1.0);
  return std::abs(first_centre + index * spacing);
}

// A punch lies around the origin, so the element nearest to it is inside if any is.
void check_punch(const ShapeReading& reading, double limit_x, double limit_y, double radius) {
  const auto& grid = reading.context.grid;
  if (!grid) return;
  const double x = nearest_to_origin(grid->x(0), grid->dx, grid->mx);
  const double y = nearest_to_origin(grid->y(0), grid->dy, grid->my);
  if (x > limit_x || y > limit_y || x * x + y * y > radius * radius) {
    reading.section.error_at_value("type", "no element's centre is inside the punch",
                                   "a grid of elements smaller than the punch, around (0, 0)");
  }
}

void read_punch(const ShapeReading& reading) {
  enum class PunchShape { circle, rectangle };
  constexpr std::array<Choice<PunchShape>, 2> kPunchShapes{{
      {"circle", PunchShape::circle},
      {"rectangle", PunchShape::rectangle},
  }};
  CaseSection& section = reading.section;
  const auto shape = section.choice("shape", kPunchShapes, Presence::required);
  const auto presence = [&](PunchShape wanted) {
    return shape == wanted ? Presence::required : Presence::optional;
  };
  const auto radius = section.number("radius", kPositive, presence(PunchShape::circle));
  const auto half_widths =
      section.number_pair("half_widths", kPositive, "[wx, wy]", presence(PunchShape::rectangle));
  if (!shape) return;
  const bool circle = *shape == PunchShape::circle;
  const std::string_view foreign = circle ? "half_widths" : "radius";
  if (section.has(foreign)) {
    section.error_at_key(foreign, circle ? "given for a circle" : "given for a rectangle",
                         circle ? "radius" : "half_widths");
  }
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  if (circle && radius) {
    check_punch(reading, kNoLimit, kNoLimit, *radius);
    reading.keep(CirclePunchShape{*radius});
  } else if (!circle && half_widths) {
    const auto [half_x, half_y] = *half_widths;
    check_punch(reading, half_x, half_y, kNoLimit);
    reading.keep(RectanglePunchShape{half_x, half_y});
  }
}

void read_heights_shape(const ShapeReading& reading) {
  CaseSection& section = reading.section;
  const auto file = section.text("file",
                                 "the name of an HDF5, .npy or text file, from the folder "
                                 "of the case",
                                 Presence::required);
  const auto dataset =
      section.text("dataset", "the path of a dataset in an HDF5 file", Presence::optional);
  const auto of = section.choice("of", kHeightsOf, Presence::optional);
  const bool bad = (section.has("dataset") && !dataset) || (section.has("of") && !of);
  if (!file || bad || !reading.context.grid) return;
  const Grid& grid = *reading.context.grid;
  const std::filesystem::path path = reading.context.folder / *file;
  HeightsShape shape;
  shape.of = of.value_or(HeightsOf::distance);
  HeightsRequest request;
  request.dataset = dataset;
  request.mx = grid.mx;
  request.my = grid.my;
  request.infinity = shape.of == HeightsOf::distance ? Infinity::allowed : Infinity::refused;
  try {
    Heights heights = read_heights(path, request);
    shape.values = std::move(heights.values);
    std::error_code failed;
    const auto absolute = std::filesystem::absolute(path, failed).lexically_normal();
    reading.geometry.heights_files.push_back({failed ? path : absolute, heights.dataset});
    reading.keep(std::move(shape));
  } catch (const InputError& error) {
    section.error_at_value("file", error.what(), "");
  }
}

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

struct ShapeType {
  std::string_view name;
  void (*value)(const ShapeReading&);
  Support support = Support::now;
};

constexpr std::array<ShapeType, 9> kShapeTypes{{
    {"quadratic", read_quadratic},
    {"sphere", read_sphere},
    {"ellipsoid", read_ellipsoid},
    {"cylinder", read_cylinder},
    {"hertz", read_hertz},
    {"punch", read_punch},
    {"heights", read_heights_shape},
    {"rough", read_rough},
    {"profile", nullptr, Support::later},
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
