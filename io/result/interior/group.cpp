// SPDX-License-Identifier: Apache-2.0
#include "io/result/interior/group.h"

#include <array>
#include <utility>

#include "io/result/parts.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr std::array<InteriorEntry, kInteriorQuantities> kEntries = {{
    {"stress_xx", Dimension::traction, "stress sigma_xx, tension positive"},
    {"stress_yy", Dimension::traction, "stress sigma_yy, tension positive"},
    {"stress_zz", Dimension::traction, "stress sigma_zz, tension positive"},
    {"stress_xy", Dimension::traction, "stress sigma_xy"},
    {"stress_xz", Dimension::traction, "stress sigma_xz"},
    {"stress_yz", Dimension::traction, "stress sigma_yz"},
    {"displacement_x", Dimension::length, "displacement of this body in x"},
    {"displacement_y", Dimension::length, "displacement of this body in y"},
    {"displacement_z", Dimension::length, "displacement of this body in z, into body 1"},
    {"principal_1", Dimension::traction, "greatest principal stress, tension positive"},
    {"principal_2", Dimension::traction, "middle principal stress"},
    {"principal_3", Dimension::traction, "least principal stress"},
    {"von_mises", Dimension::traction, "equivalent stress of von Mises"},
    {"tresca", Dimension::traction,
     "principal_1 - principal_3, equivalent stress of Tresca; half of it is the greatest shear"},
    {"hydrostatic", Dimension::traction, "mean normal stress, tension positive"},
    {"dang_van", Dimension::traction,
     "equivalent shear stress of Dang Van, of the whole passage along x"},
    {"crossland", Dimension::traction,
     "equivalent shear stress of Crossland, of the whole passage along x"},
}};

struct SummaryEntry {
  InteriorQuantity quantity;
  InteriorGreatest InteriorSummary::*greatest;
};
constexpr std::array<SummaryEntry, 5> kSummary = {{
    {InteriorQuantity::von_mises, &InteriorSummary::von_mises},
    {InteriorQuantity::tresca, &InteriorSummary::tresca},
    {InteriorQuantity::principal_1, &InteriorSummary::principal_1},
    {InteriorQuantity::dang_van, &InteriorSummary::dang_van},
    {InteriorQuantity::crossland, &InteriorSummary::crossland},
}};

struct AlongY {
  InteriorQuantity quantity;
  std::vector<double> InteriorBody::*values;
};
constexpr std::array<AlongY, 2> kAlongY = {{
    {InteriorQuantity::dang_van, &InteriorBody::dang_van_along_y},
    {InteriorQuantity::crossland, &InteriorBody::crossland_along_y},
}};
std::string along_y_name(const AlongY& entry) {
  return std::string(interior_entry(entry.quantity).name) + "_along_y";
}

// Whether the quantity exists only in results whose case requests it.
bool is_of_passage(InteriorQuantity quantity) {
  return static_cast<int>(quantity) >= kLocalQuantities;
}

void write_places(hid_t group, Units units, const InteriorField& interior) {
  const std::string_view length = unit_text(Dimension::length, units);
  const InteriorWindow& window = interior.window();
  std::vector<double> x;
  std::vector<double> y;
  for (int ix = 0; ix < window.mx; ++ix) x.push_back(interior.grid().x(window.ix0 + ix));
  for (int iy = 0; iy < window.my; ++iy) y.push_back(interior.grid().y(window.iy0 + iy));
  write_list(group, "depth", interior.request().depths, length,
             "distance from the surface into the body");
  write_list(group, "x", x, length, "x of the values: element centres");
  write_list(group, "y", y, length, "y of the values: element centres");
}

void write_summary(hid_t group, Units units, const InteriorSummary& summary) {
  for (const auto& [quantity, greatest] : greatest_of(summary)) {
    const std::string name(quantity);
    const std::array place = {greatest->x, greatest->y, greatest->z};
    hdf5::write_attribute(group, "max_" + name, greatest->value);
    hdf5::write_attribute(group, "max_" + name + "_at", std::span<const double>(place));
    write_list(group, name + "_by_depth", greatest->by_depth, unit_text(Dimension::traction, units),
               "greatest " + name + " at each depth");
  }
}

void write_body(hid_t interior_group, Units units, InteriorField& interior, Body body) {
  const hdf5::Handle group = hdf5::create_group(interior_group, std::string(body_name(body)));
  write_places(group.id(), units, interior);
  const InteriorRequest& request = interior.request();
  const std::array shape = {request.depths.size(), static_cast<std::size_t>(interior.window().my),
                            static_cast<std::size_t>(interior.window().mx)};
  std::vector<hdf5::Handle> volumes;
  for (const InteriorQuantity quantity : request.quantities)
    volumes.push_back(hdf5::create_dataset(group.id(), std::string(interior_entry(quantity).name),
                                           hdf5::Number::float64, shape));
  for (std::size_t depth = 0; depth < request.depths.size(); ++depth) {
    interior.compute(body, depth);
    for (std::size_t i = 0; i < volumes.size(); ++i)
      hdf5::write_part(volumes[i], std::array{depth, std::size_t{0}, std::size_t{0}},
                       std::array{std::size_t{1}, shape[1], shape[2]},
                       interior.values(request.quantities[i]));
  }
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const InteriorEntry& entry = interior_entry(request.quantities[i]);
    describe_dataset(std::move(volumes[i]), unit_text(entry.dimension, units), entry.description);
  }
  write_summary(group.id(), units, interior.summaries().back());
  for (const AlongY& entry : kAlongY)
    if (const auto& values = interior.along_y(entry.quantity); !values.empty())
      write_list(group.id(), along_y_name(entry), values, unit_text(Dimension::traction, units),
                 "greatest over the depth in each row");
}

InteriorGreatest read_greatest(hid_t group, const std::string& name, std::size_t depths) {
  InteriorGreatest greatest;
  greatest.value = hdf5::read_double_attribute(group, "max_" + name);
  const std::vector<double> place = hdf5::read_doubles_attribute(group, "max_" + name + "_at");
  greatest.by_depth = hdf5::read_doubles(group, name + "_by_depth");
  if (place.size() != 3 || greatest.by_depth.size() != depths)
    throw Hdf5Error("reading", hdf5::describe(group, name), "its greatest value is incomplete");
  greatest.x = place[0];
  greatest.y = place[1];
  greatest.z = place[2];
  return greatest;
}

InteriorBody read_body(hid_t group, Body body, const std::filesystem::path& path) {
  InteriorBody result;
  result.body = body;
  result.depths = hdf5::read_doubles(group, "depth");
  result.x = hdf5::read_doubles(group, "x");
  result.y = hdf5::read_doubles(group, "y");
  const std::vector<std::size_t> shape = {result.depths.size(), result.y.size(), result.x.size()};
  if (shape[0] == 0 || shape[1] == 0 || shape[2] == 0)
    throw InputError(path.string() + ": the interior of a step is empty");
  for (const std::string& name : interior_names()) {
    if (!hdf5::has_link(group, name)) continue;
    if (hdf5::dataset_shape(group, name) != shape)
      throw InputError(path.string() + ": the interior of a step has " + name +
                       " in another shape than its depths and coordinates");
    result.quantities.push_back(name);
  }
  result.summary.body = body;
  for (const SummaryEntry& entry : kSummary) {
    const std::string name(interior_entry(entry.quantity).name);
    if (is_of_passage(entry.quantity) && !hdf5::has_link(group, name + "_by_depth")) continue;
    result.summary.*(entry.greatest) = read_greatest(group, name, shape[0]);
  }
  for (const AlongY& entry : kAlongY) {
    const std::string name = along_y_name(entry);
    if (!hdf5::has_link(group, name)) continue;
    result.*(entry.values) = hdf5::read_doubles(group, name);
    if ((result.*(entry.values)).size() != shape[1])
      throw InputError(path.string() + ": the interior of a step has " + name +
                       " of another length than its rows");
  }
  return result;
}

}  // namespace

const InteriorEntry& interior_entry(InteriorQuantity quantity) {
  return kEntries[static_cast<std::size_t>(quantity)];
}

std::vector<std::string> interior_names() {
  std::vector<std::string> names;
  for (const InteriorEntry& entry : kEntries) names.emplace_back(entry.name);
  return names;
}

std::optional<InteriorQuantity> interior_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kEntries.size(); ++i)
    if (kEntries[i].name == name) return static_cast<InteriorQuantity>(i);
  return std::nullopt;
}

std::string_view body_name(Body body) { return body == Body::upper ? "upper" : "lower"; }

std::vector<std::pair<std::string_view, const InteriorGreatest*>> greatest_of(
    const InteriorSummary& summary) {
  std::vector<std::pair<std::string_view, const InteriorGreatest*>> all;
  for (const SummaryEntry& entry : kSummary)
    if (const InteriorGreatest& greatest = summary.*(entry.greatest); !greatest.by_depth.empty())
      all.emplace_back(interior_entry(entry.quantity).name, &greatest);
  return all;
}

std::string interior_path(Body body) {
  return std::string(kInteriorGroup) + "/" + std::string(body_name(body));
}

void write_interior(hid_t step, Units units, InteriorField& interior) {
  const hdf5::Handle group = hdf5::create_group(step, std::string(kInteriorGroup));
  for (const Body body : interior.request().bodies) write_body(group.id(), units, interior, body);
}

std::vector<InteriorBody> read_interior(hid_t step, const std::filesystem::path& path) {
  std::vector<InteriorBody> bodies;
  for (const Body body : {Body::upper, Body::lower}) {
    if (!hdf5::has_link(step, interior_path(body))) continue;
    bodies.push_back(read_body(hdf5::open_group(step, interior_path(body)).id(), body, path));
  }
  return bodies;
}

}  // namespace slipfield
