// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "io/case/geometry/shapes.h"
#include "io/heights/reader.h"
#include "solver/error.h"

namespace slipfield {
namespace {

struct Points {
  std::vector<double> y;
  std::vector<double> z;
};

std::optional<Points> read_lists(CaseSection& section) {
  const auto y = section.number_list("y", kAnyNumber, kLeastPoints, Presence::required);
  const auto z = section.number_list("z", kAnyNumber, kLeastPoints, Presence::required);
  section.refuse("dataset", "given without a file", "file, or y and z");
  if (!y || !z) return std::nullopt;
  return Points{*y, *z};
}

// A table of two columns, y and z.
std::optional<Points> read_points_file(const ShapeReading& reading) {
  CaseSection& section = reading.section;
  const auto file = section.text(
      "file", "the name of a text, .npy or HDF5 file of two columns, from the folder of the case",
      Presence::required);
  const auto dataset =
      section.text("dataset", "the path of a dataset in an HDF5 file", Presence::optional);
  section.refuse("z", "given together with 'file'", "file, or y and z");
  if (!file || (section.has("dataset") && !dataset)) return std::nullopt;
  HeightsRequest request;
  request.dataset = dataset;
  request.default_dataset = "/profile";
  request.of = TableOf::lengths;
  request.metres = reading.context.metres;
  request.mx = 2;
  const std::filesystem::path path = reading.context.folder / *file;
  section.diagnostics().add_file(path);
  try {
    const Heights table = read_heights(path, request);
    if (static_cast<std::size_t>(table.my) < kLeastPoints) {
      section.error_at_value("file", fmt::format("{} has {} point", *file, table.my),
                             fmt::format("at least {} points", kLeastPoints));
      return std::nullopt;
    }
    Heights heights = table;  // without y, whose values lie as far apart as they like
    for (std::size_t row = 0; row < heights.values.size(); row += 2)
      heights.values[row] = std::numeric_limits<double>::quiet_NaN();
    if (const auto warning = fill_value_warning(heights))
      section.warn_at_value("file", fmt::format("{}: {}", *file, *warning));
    Points points;
    for (std::size_t row = 0; row < table.values.size(); row += 2) {
      points.y.push_back(table.values[row]);
      points.z.push_back(table.values[row + 1]);
    }
    return points;
  } catch (const InputError& error) {
    section.error_at_value("file", error.what(), "");
    return std::nullopt;
  }
}

}  // namespace

void read_profile(const ShapeReading& reading) {
  CaseSection& section = reading.section;
  const auto form = section.one_of({"y", "file"}, Presence::required);
  std::optional<Points> points;
  if (form) {
    points = *form == "y" ? read_lists(section) : read_points_file(reading);
  } else {
    for (const std::string_view key : {"z", "dataset"}) section.value(key, "", Presence::optional);
  }
  const auto curvature = section.number("curvature_x", kAnyNumber, Presence::optional);
  const auto of = section.choice("of", kHeightsOf, Presence::optional);
  const bool wrong =
      (section.has("curvature_x") && !curvature) || (section.has("of") && !of) || !points;
  if (wrong) return;
  const std::string_view z = *form == "y" ? "z" : *form;
  reading.keep(
      ProfileShape{of.value_or(HeightsOf::distance), points->y, points->z, curvature.value_or(0.0)},
      {{"y", *form}, {"z", z}});
}

}  // namespace slipfield
