// SPDX-License-Identifier: Apache-2.0
// geometry: a shape, or a list of them that add up. Each shape has its table of keys.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "io/case/check/faults.h"
#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/case/table.h"
#include "io/heights/reader.h"
#include "solver/problem_check.h"

namespace slipfield {
namespace {

// One member of the geometry, kept if all its keys are right and the solver accepts it; otherwise
// the errors are in the diagnostics.
struct ShapeReading {
  CaseSection& section;
  const CaseContext& context;
  const std::optional<std::vector<StepInput>>& steps;
  Geometry& geometry;

  bool keep(const KeyTable& table, Shape shape) const {
    const Grid* grid = context.grid ? &*context.grid : nullptr;
    if (!report_faults(section, table, check_shape(shape, grid))) return false;
    geometry.shapes.push_back(std::move(shape));
    return true;
  }
};

// The first row of every shape, written with the first of its names.
KeyRow type_row(std::vector<std::string> names, std::string_view meaning) {
  KeyRow row = value("type", {word_form(std::move(names))}, "", "required", meaning);
  row.write = [](const KeyRow& self, const void*) { return self.forms.front().words.front(); };
  return row;
}

// --- Shapes of a few numbers.

constexpr std::string_view kCurvatures = "numbers [1/length]";
constexpr std::string_view kSlopes = "numbers";
constexpr NumberRange kConvex{.least = 0.0, .besides = ", or type: quadratic for a concave body"};
const KeyTable kQuadraticTable{
    "geometry: quadratic",
    {type_row({"quadratic"}, "`quadratic`"),
     number("xx", &QuadraticShape::xx, kAnyNumber, "0", kCurvatures),
     number("xy", &QuadraticShape::xy, kAnyNumber, "0", kCurvatures),
     number("yy", &QuadraticShape::yy, kAnyNumber, "0", kCurvatures),
     number("x", &QuadraticShape::x, kAnyNumber, "0", kSlopes),
     number("y", &QuadraticShape::y, kAnyNumber, "0", kSlopes),
     number("constant", &QuadraticShape::constant, kAnyNumber, "0", "a length")}};

const KeyTable kSphereTable{
    "geometry: sphere",
    {type_row({"sphere"}, "`sphere`"),
     number("radius", &SphereShape::radius, kConvex, "required", "R: h = (x² + y²)/(2 R)")}};

const KeyTable kEllipsoidTable{
    "geometry: ellipsoid",
    {type_row({"ellipsoid"}, "`ellipsoid`"),
     pair("radii", &EllipsoidShape::radius_x, &EllipsoidShape::radius_y, kConvex, "[Rx, Ry]",
          "required", "[Rx, Ry]: h = x²/(2 Rx) + y²/(2 Ry)")}};

const KeyTable kCylinderTable{
    "geometry: cylinder",
    {type_row({"cylinder"}, "`cylinder`"),
     number("radius", &CylinderShape::radius, kConvex, "required",
            "R: h = x²/(2 R) with axis y, y²/(2 R) with axis x"),
     word("axis", &CylinderShape::axis, kCylinderAxes, "y", "`x` or `y`")}};

// --- hertz

const KeyTable kHertzTable{"geometry: hertz",
                           {type_row({"hertz"}, "`hertz`"),
                            pair("semi_axes", &HertzShape::semi_axis_x, &HertzShape::semi_axis_y,
                                 kPositive, "[a, b]", "required", "[a, b] in x and y")}};

const KeyTable& plain_table(const QuadraticShape&) { return kQuadraticTable; }
const KeyTable& plain_table(const SphereShape&) { return kSphereTable; }
const KeyTable& plain_table(const EllipsoidShape&) { return kEllipsoidTable; }
const KeyTable& plain_table(const CylinderShape&) { return kCylinderTable; }
const KeyTable& plain_table(const HertzShape&) { return kHertzTable; }

template <typename S>
void read_plain(const ShapeReading& reading) {
  S shape{};
  const KeyTable& table = plain_table(shape);
  if (table.read_into(reading.section, &shape)) reading.keep(table, shape);
}

void read_hertz(const ShapeReading& reading) {
  HertzShape shape{};
  const bool good = kHertzTable.read_into(reading.section, &shape);
  const auto& steps = reading.steps;
  if (!steps) return;
  const NormalLoad& load = steps->front().normal;
  if (load.control != NormalControl::force) {
    reading.section.error_at_value("type",
                                   "hertz takes its curvatures from the normal force of the first "
                                   "step, which prescribes the approach",
                                   "normal: {force: F}, or a shape with given curvatures");
    return;
  }
  shape.force = load.value;
  if (good) reading.keep(kHertzTable, shape);
}

// --- rough

constexpr IntegerRange kSeed{0, std::numeric_limits<std::int64_t>::max()};

struct RoughKeys {
  RoughSurface surface;
  std::optional<double> rms_height;
  std::optional<double> rms_slope;
};

constexpr NumberRange kLay{
    .least = -180.0, .lower = Bound::closed, .greatest = 180.0, .upper = Bound::closed};

const KeyTable kRoughTable{
    "geometry: rough",
    {type_row({"rough"}, "`rough`"),
     number("hurst", InPart{&RoughKeys::surface, &RoughSurface::hurst}, kHurst, "required",
            "0 to 1"),
     number("rms_height", &RoughKeys::rms_height, kPositive, "this or `rms_slope`", "a length"),
     number("rms_slope", &RoughKeys::rms_slope, kPositive, "this or `rms_height`", "a number"),
     pair("wavelengths", &RoughSurface::shortest, &RoughSurface::longest, kPositive,
          "[shortest, longest]", "required", "[shortest, longest]; shortest at least two elements")
         .gives({"surface"})
         .within(&RoughKeys::surface),
     number("rolloff", InPart{&RoughKeys::surface, &RoughSurface::rolloff}, kPositive, "none",
            "a wavelength: longer waves have the amplitude of this one, a plateau of the spectrum")
         .or_none()
         .gives({"surface.rolloff"}),
     number("elongation", InPart{&RoughKeys::surface, &RoughSurface::elongation}, kElongation, "1",
            "wavelengths along the lay over those across it, which `wavelengths` and `rolloff` are")
         .gives({"surface.elongation"}),
     number("lay", InPart{&RoughKeys::surface, &RoughSurface::lay}, kLay, "0",
            "direction of the lay [degrees], from x towards y")
         .in_degrees()
         .gives({"surface.lay"})
         .with("elongation"),
     number("skewness", InPart{&RoughKeys::surface, &RoughSurface::skewness}, kAnyNumber, "0",
            "of the heights, -5 to 5; also with `kurtosis` only of a given `rms_height`")
         .gives({"surface.skewness"}),
     number("kurtosis", InPart{&RoughKeys::surface, &RoughSurface::kurtosis}, kPositive, "3",
            "of the heights, 3 of the normal distribution; above 1 + skewness²")
         .gives({"surface.kurtosis"}),
     integer("seed", InPart{&RoughKeys::surface, &RoughSurface::seed}, kSeed, "0",
             "an integer from 0")},
    {one_of({"rms_height", "rms_slope"})}};

void read_rough(const ShapeReading& reading) {
  RoughKeys keys{};
  if (!kRoughTable.read_into(reading.section, &keys)) return;
  keys.surface.slope_given = keys.rms_slope.has_value();
  keys.surface.rms = keys.rms_slope ? *keys.rms_slope : *keys.rms_height;
  reading.keep(kRoughTable, RoughShape{keys.surface});
}

// --- planform

enum class OutlineKind { circle, rectangle, ellipse, polygon };
constexpr std::array<Choice<OutlineKind>, 4> kOutlines{{{"circle", OutlineKind::circle},
                                                        {"rectangle", OutlineKind::rectangle},
                                                        {"ellipse", OutlineKind::ellipse},
                                                        {"polygon", OutlineKind::polygon}}};

struct PlanformKeys {
  OutlineKind shape = OutlineKind::circle;
  double radius = 0.0;
  std::array<double, 2> half_widths{};
  std::array<double, 2> semi_axes{};
  std::vector<std::array<double, 2>> vertices;
  std::array<double, 2> centre{};
};

static_assert(kLeastVertices == 3 && kMostVertices == 10000);
const KeyForm kVertices{.kind = KeyForm::Kind::list,
                        .items = {pair_form(number_form(kAnyNumber), "[x, y]")},
                        .least = kLeastVertices,
                        .most = kMostVertices,
                        .names = "a list of 3 to 10000 vertices, each a list [x, y]"};
KeyRow of_outline(std::string_view shape, KeyRow row) {
  return std::move(row).with("shape", {shape}).gives({"outline"}).need();
}
const KeyTable kPlanformTable{
    "geometry: planform",
    {type_row({"planform", "punch"}, "`planform`"),
     word("shape", &PlanformKeys::shape, kOutlines, "required",
          "`circle`, `rectangle`, `ellipse`, `polygon`"),
     of_outline("circle", number("radius", &PlanformKeys::radius, kPositive, "", "of a circle")),
     of_outline("rectangle", pair("half_widths", &PlanformKeys::half_widths, kPositive, "[wx, wy]",
                                  "", "[wx, wy] of a rectangle")),
     of_outline("ellipse", pair("semi_axes", &PlanformKeys::semi_axes, kPositive, "[a, b]", "",
                                "[a, b] of an ellipse")),
     of_outline("polygon",
                value("vertices", {kVertices}, "", "", "[[x, y], ...] of a polygon, three or more"))
         .at(&PlanformKeys::vertices),
     pair("centre", &PlanformKeys::centre, kAnyNumber, "[x, y]", "[0, 0]", "[x, y]")}};

void read_planform(const ShapeReading& reading) {
  PlanformKeys keys;
  if (!kPlanformTable.read_into(reading.section, &keys)) return;
  PlanformShape shape;
  shape.centre_x = keys.centre[0];
  shape.centre_y = keys.centre[1];
  switch (keys.shape) {
    case OutlineKind::circle:
      shape.outline = EllipseOutline{keys.radius, keys.radius};
      break;
    case OutlineKind::rectangle:
      shape.outline = RectangleOutline{keys.half_widths[0], keys.half_widths[1]};
      break;
    case OutlineKind::ellipse:
      shape.outline = EllipseOutline{keys.semi_axes[0], keys.semi_axes[1]};
      break;
    case OutlineKind::polygon:
      shape.outline = PolygonOutline{keys.vertices};
      break;
  }
  reading.keep(kPlanformTable, std::move(shape));
}

PlanformKeys keys_of(const PlanformShape& shape) {
  PlanformKeys keys;
  keys.centre = {shape.centre_x, shape.centre_y};
  if (const auto* ellipse = std::get_if<EllipseOutline>(&shape.outline)) {
    const bool circle = ellipse->semi_axis_x == ellipse->semi_axis_y;
    keys.shape = circle ? OutlineKind::circle : OutlineKind::ellipse;
    keys.radius = ellipse->semi_axis_x;
    keys.semi_axes = {ellipse->semi_axis_x, ellipse->semi_axis_y};
  } else if (const auto* rectangle = std::get_if<RectangleOutline>(&shape.outline)) {
    keys.shape = OutlineKind::rectangle;
    keys.half_widths = {rectangle->half_width_x, rectangle->half_width_y};
  } else {
    keys.shape = OutlineKind::polygon;
    for (const auto& vertex : std::get<PolygonOutline>(shape.outline).vertices)
      keys.vertices.push_back(vertex);
  }
  return keys;
}

// --- profile

struct ProfileKeys {
  ProfileShape shape;
  std::optional<std::string> file;
  std::optional<std::string> dataset;
};

constexpr std::array<Choice<ProfileCurve>, 2> kCurves{
    {{"cubic", ProfileCurve::cubic}, {"monotone", ProfileCurve::monotone}}};
const KeyTable kProfileTable{
    "geometry: profile",
    {type_row({"profile"}, "`profile`"),
     numbers("y", InPart{&ProfileKeys::shape, &ProfileShape::y}, kAnyNumber, kLeastPoints,
             "with `z`, or `file`", "increasing numbers that reach over all element centres")
         .need(),
     numbers("z", InPart{&ProfileKeys::shape, &ProfileShape::z}, kAnyNumber, kLeastPoints, "",
             "as many heights")
         .need(),
     text("file", &ProfileKeys::file,
          "the name of a text, .npy or HDF5 file of two columns, from the folder of the case", "",
          "a table of two columns y, z")
         .gives({"y", "z"}),
     text("dataset", &ProfileKeys::dataset, "the path of a dataset in an HDF5 file", "/profile",
          "in an HDF5 file")
         .with("file")
         .refused_as("given without a file", "a file"),
     number("curvature_x", InPart{&ProfileKeys::shape, &ProfileShape::curvature_x}, kAnyNumber, "0",
            "1/R of the roller"),
     word("interpolation", InPart{&ProfileKeys::shape, &ProfileShape::curve}, kCurves, "cubic",
          "`cubic`: the smoothest curve; `monotone`: one that rises and falls only as the points "
          "do, for points that lie far apart")
         .gives({"curve"}),
     word("of", InPart{&ProfileKeys::shape, &ProfileShape::of}, kHeightsOf, "distance",
          "`distance`, or the surface of the `upper` or `lower` body")},
    {{{{"y", "z"}, {"file"}}, Presence::required, "file, or y and z"}}};

// Reads a table of two columns, y and z, into the keys of the same names.
bool read_points_file(const ShapeReading& reading, ProfileKeys& keys) {
  CaseSection& section = reading.section;
  HeightsRequest request;
  request.dataset = keys.dataset;
  request.default_dataset = "/profile";
  request.of = TableOf::lengths;
  request.metres = metres_of(reading.context.units);
  request.mx = 2;
  request.columns = columns_of_profile();
  const std::filesystem::path path = reading.context.folder / *keys.file;
  bool good = false;
  section.read_file(path, [&] {
    const Heights table = read_heights(path, request);
    if (static_cast<std::size_t>(table.my) < kLeastPoints)
      return section.error_at_value("file", fmt::format("{} has {} point", *keys.file, table.my),
                                    fmt::format("at least {} points", kLeastPoints));
    Heights heights = table;  // without y, whose values lie as far apart as they like
    for (std::size_t row = 0; row < heights.values.size(); row += 2)
      heights.values[row] = std::numeric_limits<double>::quiet_NaN();
    if (const auto warning = fill_value_warning(heights))
      section.warn_at_value("file", fmt::format("{}: {}", *keys.file, *warning));
    for (std::size_t row = 0; row < table.values.size(); row += 2) {
      keys.shape.y.push_back(table.values[row]);
      keys.shape.z.push_back(table.values[row + 1]);
    }
    good = true;
  });
  return good;
}

void read_profile(const ShapeReading& reading) {
  ProfileKeys keys;
  const bool good = kProfileTable.read_into(reading.section, &keys);
  if (keys.file && !reading.section.has("y") && !read_points_file(reading, keys)) return;
  if (good) reading.keep(kProfileTable, std::move(keys.shape));
}

// --- heights

struct HeightsKeys {
  std::string file;
  std::optional<std::string> dataset;
  HeightsOf of = HeightsOf::distance;
  std::optional<std::array<double, 2>> spacing;
  std::optional<std::array<double, 2>> origin;
  std::optional<Interpolation> interpolation;
};

KeyRow of_own_grid(KeyRow row) {
  return std::move(row).with("spacing").refused_as(
      "given without 'spacing', which makes the file a grid of its own", "spacing with it");
}
const KeyTable kHeightsTable{
    "geometry: heights",
    {type_row({"heights"}, "`heights`"),
     text("file", &HeightsKeys::file,
          "the name of an HDF5, .npy or text file, from the folder of the case", "required",
          "HDF5, .npy or text, the first row at the lowest y; one value per element, or on a "
          "grid of its own")
         .gives({"values"}),
     text("dataset", &HeightsKeys::dataset, "the path of a dataset in an HDF5 file", "/heights",
          "in an HDF5 file"),
     pair("spacing", &HeightsKeys::spacing, kPositive, "[dx, dy]", "the case's grid",
          "[dx, dy] of the file's own grid"),
     of_own_grid(pair("origin", &HeightsKeys::origin, kAnyNumber, "[x0, y0]", "centred on (0, 0)",
                      "[x, y] of the lower left corner of its cells")),
     of_own_grid(word("interpolation", &HeightsKeys::interpolation, kInterpolations, "bilinear",
                      "`bilinear`, `bicubic`")),
     word("of", &HeightsKeys::of, kHeightsOf, "distance",
          "`distance`, `upper`, `lower`: what the values are")}};

// The places of the file's samples; nothing if they do not cover the element centres.
std::optional<HeightsSampling> find_samples(const ShapeReading& reading, const HeightsKeys& keys,
                                            const Heights& heights) {
  const Grid& grid = *reading.context.grid;
  HeightsSampling sampling;
  sampling.spacing = *keys.spacing;
  sampling.interpolation = keys.interpolation.value_or(Interpolation::bilinear);
  sampling.origin = keys.origin.value_or(
      std::array{-0.5 * heights.mx * sampling.spacing[0], -0.5 * heights.my * sampling.spacing[1]});
  if (!resolves_elements(sampling.origin[0], sampling.spacing[0], heights.mx) ||
      !resolves_elements(sampling.origin[1], sampling.spacing[1], heights.my)) {
    reading.section.error_at_value("spacing",
                                   "gives samples whose coordinates do not differ in a double",
                                   "samples that are not tiny against their distance from (0, 0)");
    return std::nullopt;
  }
  const Grid sampled = sample_grid(sampling, heights.mx, heights.my);
  const double right = sampled.x(sampled.mx - 1);
  const double top = sampled.y(sampled.my - 1);
  if (!grid.centres_within_x(sampled.x(0), right) || !grid.centres_within_y(sampled.y(0), top)) {
    reading.section.error_at_value(
        "file",
        fmt::format(
            "its samples lie at x = {:.10g} to {:.10g}, y = {:.10g} to {:.10g}, the element "
            "centres at x = {:.10g} to {:.10g}, y = {:.10g} to {:.10g}",
            sampled.x(0), right, sampled.y(0), top, grid.x(0), grid.x(grid.mx - 1), grid.y(0),
            grid.y(grid.my - 1)),
        "samples that reach over the whole grid, or a smaller grid");
    return std::nullopt;
  }
  return sampling;
}

// Warns if the file's coordinates differ from the case's.
void warn_of_spacing(const ShapeReading& reading, const HeightsKeys& keys, const Heights& heights) {
  const Grid& grid = *reading.context.grid;
  const std::array<double, 2> said = keys.spacing.value_or(std::array{grid.dx, grid.dy});
  constexpr double kAlike = 0.01;
  const auto differs = [](double file, double here) {
    return file > 0.0 && std::abs(file - here) > kAlike * here;
  };
  if (!differs(heights.dx, said[0]) && !differs(heights.dy, said[1])) return;
  const auto text = [](double value) { return value > 0.0 ? fmt::format("{:.6g}", value) : "?"; };
  reading.section.warn_at_value(
      "file", fmt::format("the file's own coordinates are [{}, {}] apart, the {} here is [{:.6g}, "
                          "{:.6g}]; another spacing, or coordinates in another unit?",
                          text(heights.dx), text(heights.dy),
                          keys.spacing ? "spacing" : "grid's spacing", said[0], said[1]));
}

// Interpolates the file's heights at the element centres and records their origin.
void take_heights(const ShapeReading& reading, const HeightsKeys& keys,
                  const std::filesystem::path& path, const Heights& heights) {
  CaseSection& section = reading.section;
  HeightsFile origin{absolute_path(path), heights.dataset, std::nullopt};
  if (const auto warning = fill_value_warning(heights))
    section.warn_at_value("file", fmt::format("{}: {}", shown_name(keys.file), *warning));
  warn_of_spacing(reading, keys, heights);
  HeightsShape shape{keys.of, heights.values};
  if (keys.spacing) {
    origin.sampling = find_samples(reading, keys, heights);
    if (!origin.sampling) return;
    shape.values =
        sample_heights(heights.values, sample_grid(*origin.sampling, heights.mx, heights.my),
                       origin.sampling->interpolation, *reading.context.grid);
  }
  if (reading.keep(kHeightsTable, std::move(shape)))
    reading.geometry.heights_files.push_back(std::move(origin));
}

void read_heights_shape(const ShapeReading& reading) {
  HeightsKeys keys;
  if (!kHeightsTable.read_into(reading.section, &keys) || !reading.context.grid) return;
  HeightsRequest request;
  request.of = TableOf::lengths;
  request.form = TableForm::map;
  request.metres = metres_of(reading.context.units);
  request.dataset = keys.dataset;
  if (!keys.spacing) {
    request.mx = reading.context.grid->mx;
    request.my = reading.context.grid->my;
  }
  if (keys.of == HeightsOf::distance && keys.interpolation != Interpolation::bicubic)
    request.infinity = Infinity::allowed;
  const std::filesystem::path path = reading.context.folder / keys.file;
  reading.section.read_file(
      path, [&] { take_heights(reading, keys, path, *reading.context.files.read(path, request)); });
}

// --- All shapes.

struct ShapeType {
  std::string_view name;
  void (*value)(const ShapeReading&);
  const KeyTable* table;
};

// A punch is a planform: flat, and alone in its geometry.
constexpr std::array<ShapeType, 10> kShapeTypes{{
    {"quadratic", read_plain<QuadraticShape>, &kQuadraticTable},
    {"sphere", read_plain<SphereShape>, &kSphereTable},
    {"ellipsoid", read_plain<EllipsoidShape>, &kEllipsoidTable},
    {"cylinder", read_plain<CylinderShape>, &kCylinderTable},
    {"hertz", read_hertz, &kHertzTable},
    {"punch", read_planform, &kPlanformTable},
    {"planform", read_planform, &kPlanformTable},
    {"profile", read_profile, &kProfileTable},
    {"heights", read_heights_shape, &kHeightsTable},
    {"rough", read_rough, &kRoughTable},
}};

void read_shape(CaseSection& section, const CaseContext& context,
                const std::optional<std::vector<StepInput>>& steps, Geometry& geometry) {
  const auto read = section.choice("type", kShapeTypes, Presence::required);
  if (read) (*read)({section, context, steps, geometry});  // the other keys depend on the type
}

struct ShapeWriter {
  const std::vector<HeightsFile>& files;
  std::size_t next_file = 0;

  template <typename S>
  std::string operator()(const S& shape) const {
    return flow_text(plain_table(shape), &shape);
  }
  std::string operator()(const PlanformShape& shape) const {
    const PlanformKeys keys = keys_of(shape);
    return flow_text(kPlanformTable, &keys);
  }
  std::string operator()(const ProfileShape& shape) const {
    const ProfileKeys keys{shape, {}, {}};
    return flow_text(kProfileTable, &keys);
  }
  std::string operator()(const RoughShape& shape) const {
    RoughKeys keys{shape.surface, {}, {}};
    (shape.surface.slope_given ? keys.rms_slope : keys.rms_height) = shape.surface.rms;
    return flow_text(kRoughTable, &keys);
  }
  std::string operator()(const HeightsShape& shape) {
    const HeightsFile& file = files.at(next_file++);
    HeightsKeys keys;
    keys.file = file.path.string();
    if (!file.dataset.empty()) keys.dataset = file.dataset;
    keys.of = shape.of;
    if (file.sampling) {
      keys.spacing = file.sampling->spacing;
      keys.origin = file.sampling->origin;
      keys.interpolation = file.sampling->interpolation;
    }
    return flow_text(kHeightsTable, &keys);
  }
};

}  // namespace

std::vector<const KeyTable*> shape_tables() {
  std::vector<const KeyTable*> tables;
  for (const ShapeType& type : kShapeTypes)
    if (type.name != "punch") tables.push_back(type.table);
  return tables;
}

Geometry read_geometry(CaseSection& root, const CaseContext& context,
                       const std::optional<std::vector<StepInput>>& steps) {
  constexpr std::string_view kAccepted = "a map {type, ...}, or a list of such maps";
  Geometry geometry;
  for (CaseSection& section :
       root.maps("geometry", kAccepted, Presence::required, CaseSection::Maps::alone))
    read_shape(section, context, steps, geometry);
  return geometry;
}

std::string geometry_text(const std::vector<Shape>& shapes, const std::vector<HeightsFile>& files) {
  std::string text = "geometry:\n";
  ShapeWriter writer{files};
  for (const Shape& shape : shapes) text += fmt::format("  - {}\n", std::visit(writer, shape));
  return text;
}

}  // namespace slipfield
