// SPDX-License-Identifier: Apache-2.0
// bodies, layer, patches, influence: the properties of the bodies.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "io/case/check/faults.h"
#include "io/case/names.h"
#include "io/case/sections.h"
#include "io/case/table.h"
#include "io/influence/coefficient_file.h"

namespace slipfield {
namespace {

// --- bodies

const std::vector<std::string_view> kModuli{"shear_modulus", "young_modulus"};

struct CreepKeys {
  std::vector<double> ratio;
  std::vector<double> time;
};
// A material with its thickness.
struct MaterialKeys {
  std::optional<double> shear_modulus;
  std::optional<double> young_modulus;
  double poisson_ratio = 0.0;
  double thickness = 0.0;

  // As a layer; `young_modulus` is converted if it is given.
  [[nodiscard]] BodyLayer layer() const {
    const double shear =
        young_modulus ? 0.5 * *young_modulus / (1.0 + poisson_ratio) : shear_modulus.value_or(0.0);
    return {shear, poisson_ratio, thickness};
  }
};
struct BodyKeys {
  MaterialKeys material;
  double thickness = 0.0;
  std::vector<BodyLayer> coating;  // from the outside in
  std::optional<CreepKeys> creep;
  double hardness = 0.0;
};

const KeyTable kCreepTable{
    "bodies.upper.viscoelastic",
    {number_or_list("ratio", &CreepKeys::ratio, kCreepRatio, "required",
                    "f from 0 to 1e9, or a list: instantaneous over long-term G, less 1")
         .says("a number >= 0 and <= 1e+09, or a list of them, one for each creep time"),
     number_or_list("creep_time", &CreepKeys::time, kCreepTime, "required",
                    "tau from 0 to 1e30, or as many")
         .says("a number >= 0 and <= 1e+30, or a list of them, one for each creep time")}};

const std::vector<KeyRow> kMaterialRows{
    number("shear_modulus", &MaterialKeys::shear_modulus, kPositive, "one of the two", "G > 0"),
    number("young_modulus", &MaterialKeys::young_modulus, kPositive, "one of the two",
           "E > 0, G = E/(2 (1 + nu))")
        .gives({"shear_modulus"}),
    number("poisson_ratio", &MaterialKeys::poisson_ratio, kPoissonRatio, "required",
           "nu, 0 to 0.5")};

const KeyTable kCoatingTable{
    "bodies.upper.coating",
    joined_rows(kMaterialRows, {number("thickness", &MaterialKeys::thickness, kPositive, "required",
                                       "of the layer, > 0")}),
    {one_of(kModuli)}};

void read_coating(CaseSection& section, const KeyRow& row, BodyKeys& keys) {
  const auto is_map = [](const YamlNode& node) { return node.kind == YamlNode::Kind::map; };
  const auto value = section.at(row.name, row.accepted, Presence::optional);
  if (!value) return;
  const auto& items = value->node.items;
  if (!(value->is_list() ? std::ranges::all_of(items, is_map) : is_map(value->node)))
    return value->refuse("is not a layer", row.accepted);
  for (CaseSection& part :
       section.maps(row.name, row.accepted, Presence::optional, CaseSection::Maps::alone)) {
    MaterialKeys layer;
    kCoatingTable.read_into(part, &layer);
    keys.coating.push_back(layer.layer());
  }
}
std::string coating_text(const BodyKeys& keys) {
  std::vector<std::string> layers;
  for (const BodyLayer& layer : keys.coating) {
    const MaterialKeys of_layer{layer.shear_modulus, {}, layer.poisson_ratio, layer.thickness};
    layers.push_back(flow_text(kCoatingTable, &of_layer));
  }
  return layers.empty() ? std::string() : fmt::format("[{}]", fmt::join(layers, ", "));
}

const KeyTable kBodyTable{
    "bodies.upper",
    joined_rows(
        rows_within(&BodyKeys::material, kMaterialRows),
        {number("thickness", &BodyKeys::thickness, kPositive, "none: a half-space",
                "of the body, which is bonded to a rigid base; without the coating's")
             .or_none(),
         value(
             "coating", {map_form(), list_form(map_form(), 1)},
             "a map {shear_modulus, poisson_ratio, thickness}, or a list of them from the surface "
             "inwards",
             "none",
             "a layer that is bonded to the body, or a list of them from the surface inwards")
             .of(kCoatingTable)
             .gives({"below"})
             .by(read_coating, coating_text),
         number("hardness", &BodyKeys::hardness, kPositive, "none: elastic",
                "the greatest pressure that the surface bears; where it is reached the surface "
                "keeps its deformation")
             .or_none(),
         map("viscoelastic", &BodyKeys::creep, kCreepTable, "none: elastic", "how the body creeps")
             .gives({"creep"})}),
    {one_of(kModuli)}};

// Nothing if the lists are wrong, which has been reported.
std::vector<CreepTerm> creep_terms(CaseSection& body, const BodyKeys& keys) {
  if (!keys.creep) return {};
  const auto& [ratio, time] = *keys.creep;
  if (ratio.empty() || time.empty()) return {};
  if (ratio.size() != time.size()) {
    body.error_at_value("viscoelastic.creep_time",
                        fmt::format("has {} numbers for {} of ratio", time.size(), ratio.size()),
                        "as many numbers as ratio has");
    return {};
  }
  std::vector<CreepTerm> terms;
  for (std::size_t i = 0; i < ratio.size(); ++i) terms.push_back({ratio[i], time[i]});
  return terms;
}

ElasticBody read_body(CaseSection& bodies, std::string_view key) {
  ElasticBody body;
  auto section = bodies.section(key, "a map {shear_modulus, poisson_ratio}", Presence::required);
  if (!section) return body;
  BodyKeys keys;
  kBodyTable.read_into(*section, &keys);
  std::vector<BodyLayer> layers = keys.coating;
  layers.push_back(keys.material.layer());
  layers.back().thickness = keys.thickness;
  body.shear_modulus = layers.front().shear_modulus;
  body.poisson_ratio = layers.front().poisson_ratio;
  body.thickness = layers.front().thickness;
  body.below.assign(layers.begin() + 1, layers.end());
  body.creep = creep_terms(*section, keys);
  body.hardness = keys.hardness;
  const bool whole =
      std::ranges::all_of(layers,
                          [](const BodyLayer& layer) { return layer.shear_modulus > 0.0; }) &&
      std::all_of(layers.begin(), layers.end() - 1,
                  [](const BodyLayer& layer) { return layer.thickness > 0.0; });
  if (whole && keys.material.shear_modulus.has_value() != keys.material.young_modulus.has_value())
    report_faults(*section, kBodyTable, check_body(body));
  return body;
}

}  // namespace

const KeyTable kBodiesTable{"bodies",
                            {map("upper", kBodyTable, "required", "body 1, above (z > 0)"),
                             map("lower", kBodyTable, "required", "body 2")}};

const KeyTable kRailBodiesTable{"bodies with wheel_rail",
                                {map("rail", kBodyTable, "required", "body 1"),
                                 map("wheel", kBodyTable, "required", "body 2")}};

void read_bodies(CaseSection& root, ContactProblem& problem, const BodyNames& names) {
  auto bodies = root.section("bodies", fmt::format("a map {{{}, {}}}", names[0], names[1]),
                             Presence::required);
  if (!bodies) return;
  problem.upper = read_body(*bodies, names[0]);
  problem.lower = read_body(*bodies, names[1]);
  bodies->finish();
}

std::string body_text(const ElasticBody& body) {
  std::vector<BodyLayer> layers = layers_of(body);
  BodyKeys keys;
  keys.material = {layers.back().shear_modulus, {}, layers.back().poisson_ratio, 0.0};
  keys.thickness = layers.back().thickness;
  keys.coating.assign(layers.begin(), layers.end() - 1);
  keys.hardness = body.hardness;
  if (!body.creep.empty()) keys.creep.emplace();
  for (const CreepTerm& term : body.creep) {
    keys.creep->ratio.push_back(term.ratio);
    keys.creep->time.push_back(term.time);
  }
  return flow_text(kBodyTable, &keys);
}

// --- layer

namespace {

struct LayerKeys {
  std::optional<double> thickness;
  std::optional<double> shear_modulus;
  std::optional<double> hardening;
  ContactLayer layer;
};

}  // namespace

const KeyTable kLayerTable{
    "layer",
    {number("thickness", &LayerKeys::thickness, kNotNegative, "with `shear_modulus`",
            "of the layer")
         .gives({"compliance"})
         .need(),
     number("shear_modulus", &LayerKeys::shear_modulus, kPositive, "with `thickness`",
            "of its material, > 0")
         .need(),
     number("compliance", InPart{&LayerKeys::layer, &ContactLayer::compliance}, kNotNegative, "0",
            "tangential: thickness over shear modulus"),
     number("normal_compliance", InPart{&LayerKeys::layer, &ContactLayer::normal_compliance},
            kNotNegative, "0", "of a sheet [length³/force]"),
     number("yield_stress", InPart{&LayerKeys::layer, &ContactLayer::yield_stress}, kPositive,
            "none", "in shear; where it is below mu p_n the layer yields")
         .or_none(),
     number("hardening", &LayerKeys::hardening, kAnyNumber, "0",
            "of the yield stress by distance sheared [force/length³]; below 0 it softens")},
    {{{{"compliance"}, {"thickness", "shear_modulus"}},
      Presence::optional,
      "compliance, or thickness and shear_modulus"}}};

ContactLayer read_layer(CaseSection& root) {
  LayerKeys keys;
  read_part(root, "layer", kLayerTable, keys);
  if (keys.thickness && keys.shear_modulus)
    keys.layer.compliance = *keys.thickness / *keys.shear_modulus;
  keys.layer.hardening = keys.hardening.value_or(0.0);
  return keys.layer;
}

std::string layer_text(const ContactLayer& layer) {
  if (!layer.exists()) return {};
  LayerKeys keys{{}, {}, {}, layer};
  if (layer.yields()) keys.hardening = layer.hardening;
  return part_text("layer", kLayerTable, keys);
}

// --- adhesion

const KeyTable kAdhesionTable{
    "adhesion",
    {word("law", &Adhesion::law, kAdhesionLaws, "required",
          "`maugis`: the stress is work/length up to a gap of `length`, 0 beyond; `exponential`: "
          "it falls as exp(-gap/length); `power`: it is 2 work/length (1 + gap/length)^-3"),
     number("work", &Adhesion::work, kPositive, "required",
            "of separation, per area [force/length], > 0"),
     number("length", &Adhesion::length, kPositive, "required", "the range of the stress, > 0")}};

// --- patches

namespace {

using PatchRectangle = ContactPatches::Rectangle;

// One side of all patches; the first list determines their number.
template <double PatchRectangle::*side>
void read_side(CaseSection& section, const KeyRow& row, ContactPatches& patches) {
  std::vector<double> values;
  if (!keys::read(section, row, Presence::required, values)) return;
  if (patches.rectangles.empty()) patches.rectangles.resize(values.size());
  if (values.size() != patches.rectangles.size())
    return section.error_at_value(
        row.name,
        fmt::format("has {} numbers for {} patches", values.size(), patches.rectangles.size()),
        "one number for each patch, as x_from has");
  for (std::size_t i = 0; i < values.size(); ++i) patches.rectangles[i].*side = values[i];
}
template <double PatchRectangle::*side>
std::string side_text(const ContactPatches& patches) {
  std::vector<double> values;
  for (const PatchRectangle& each : patches.rectangles) values.push_back(each.*side);
  return numbers_text(values);
}
template <double PatchRectangle::*side>
KeyRow side_row(std::string_view name) {
  return numbers(name, nullptr, kAnyNumber, 1, "required", "lists: the rectangle of each patch")
      .by(read_side<side>, side_text<side>);
}

}  // namespace

const KeyTable kPatchesTable{
    "patches",
    {side_row<&PatchRectangle::x_from>("x_from"), side_row<&PatchRectangle::x_to>("x_to"),
     side_row<&PatchRectangle::y_from>("y_from"), side_row<&PatchRectangle::y_to>("y_to"),
     numbers("weights", &ContactPatches::weights, kShare, 1, "required with two patches or more",
             "0 (each as if alone) to 1 (one half-space), of patches 1 and 2, 1 and 3, .., 2 and "
             "3, ..")}};

ContactPatches read_patches(CaseSection& root) {
  ContactPatches patches;
  return read_part(root, "patches", kPatchesTable, patches) ? patches : ContactPatches{};
}

std::string patches_text(const ContactPatches& patches) {
  return patches.exist() ? part_text("patches", kPatchesTable, patches) : std::string();
}

// --- influence

namespace {

constexpr NumberRange kInclinationDegrees{
    .least = -180.0, .lower = Bound::closed, .greatest = 180.0, .upper = Bound::closed};

struct InfluenceKeys {
  std::optional<std::string> file;
  std::optional<ConformalCorrection> conformal;
};

const KeyTable kConformalTable{
    "influence.conformal",
    {numbers("y", &ConformalCorrection::y, kAnyNumber, 2, "required",
             "places across, increasing, two or more"),
     numbers("angle", &ConformalCorrection::angle, kInclinationDegrees, 2, "required",
             "inclination of the contact surface there [degrees], -180 to 180, above 0 where it "
             "rises towards body 1 with y: over a rail's crown it falls")
         .in_degrees(),
     integer("variant", &ConformalCorrection::variant, kConformalVariant, "4",
             "CONTACT's 1 to 4: the plane of the half-space is that of the receiving element (1; "
             "2 leaves xn as it is), of the loaded one (3), or between them (4, which alone keeps "
             "reciprocity)"),
     word("inclination", &ConformalCorrection::straight, kInclinations, "straight",
          "`straight`, the least-squares line of the points: one table for all rows; `as_given`, "
          "linear between the points and beyond")}};

std::shared_ptr<const TabulatedCoefficients> read_tables(CaseSection& section,
                                                         const std::string& file,
                                                         const CaseContext& context) {
  if (!context.grid) return nullptr;
  const std::filesystem::path path = context.folder / file;
  constexpr double kSlack = 1.0e-5;  // mm
  const Grid& grid = *context.grid;
  std::shared_ptr<const TabulatedCoefficients> read;
  section.read_file(path, [&] {
    TabulatedCoefficients tables =
        read_coefficient_file(path, grid, context.units == Units::si ? 1.0e-3 * kSlack : kSlack);
    tables.file = absolute_path(path).string();
    if (tables.mx < grid.mx || tables.my < grid.my)
      section.warn_at_value(
          "file",
          fmt::format("has coefficients of {} x {} elements, and the grid {} x {}: those of "
                      "elements farther apart count as 0",
                      tables.mx, tables.my, grid.mx, grid.my));
    read = std::make_shared<const TabulatedCoefficients>(std::move(tables));
  });
  return read;
}

}  // namespace

const KeyTable kInfluenceTable{
    "influence",
    {text("file", &InfluenceKeys::file,
          "the name of a file of coefficients, from the folder of the case", "one of the two",
          "a file of coefficients in CONTACT's format (its C = 9)")
         .gives({"tables"}),
     map("conformal", &InfluenceKeys::conformal, kConformalTable, "one of the two",
         "coefficients of half-spaces that are turned with the surface")},
    {one_of({"file", "conformal"})}};

CurvedInfluence read_influence(CaseSection& root, const CaseContext& context) {
  CurvedInfluence influence;
  auto section = root.section("influence", "a map {file} or {conformal}", Presence::optional);
  if (!section) return influence;
  InfluenceKeys keys;
  kInfluenceTable.read_into(*section, &keys);
  if (keys.file && !keys.conformal) influence.tables = read_tables(*section, *keys.file, context);
  if (!keys.conformal || keys.file || keys.conformal->y.empty() || keys.conformal->angle.empty())
    return influence;
  influence.conformal = std::make_shared<const ConformalCorrection>(std::move(*keys.conformal));
  return influence;
}

std::string influence_text(const CurvedInfluence& influence) {
  InfluenceKeys keys;
  if (influence.tables) keys.file = influence.tables->file;
  if (influence.conformal) keys.conformal = *influence.conformal;
  if (!influence.exists()) return {};
  return part_text("influence", kInfluenceTable, keys);
}

}  // namespace slipfield
