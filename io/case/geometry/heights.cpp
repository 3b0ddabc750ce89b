// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <system_error>

#include "io/case/geometry/shapes.h"
#include "io/heights/reader.h"
#include "solver/error.h"
#include "solver/problem_check.h"

namespace slipfield {
namespace {

struct SamplingKeys {
  std::optional<std::array<double, 2>> spacing;
  std::optional<std::array<double, 2>> origin;
  std::optional<Interpolation> interpolation;
  bool wrong = false;
};

// spacing, with origin and interpolation: the file's own grid.
SamplingKeys read_sampling(CaseSection& section) {
  SamplingKeys keys;
  keys.spacing = section.number_pair("spacing", kPositive, "[dx, dy]", Presence::optional);
  keys.origin = section.number_pair("origin", kAnyNumber, "[x0, y0]", Presence::optional);
  keys.interpolation = section.choice("interpolation", kInterpolations, Presence::optional);
  for (const std::string_view key : {"origin", "interpolation"}) {
    if (!section.has(key) || section.has("spacing")) continue;
    section.error_at_key(key, "given without 'spacing', which makes the file a grid of its own",
                         "spacing, or one value per element");
    keys.wrong = true;
  }
  keys.wrong = keys.wrong || (section.has("spacing") && !keys.spacing) ||
               (section.has("origin") && !keys.origin) ||
               (section.has("interpolation") && !keys.interpolation);
  return keys;
}

std::filesystem::path absolute_path(const std::filesystem::path& path) {
  if (names_array(path)) return path.filename();
  std::error_code failed;
  const auto absolute = std::filesystem::absolute(path, failed).lexically_normal();
  return failed ? path : absolute;
}

// Where the file's samples are; nothing where they do not reach over the element centres.
std::optional<HeightsSampling> find_samples(const ShapeReading& reading, const SamplingKeys& keys,
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
        fmt::format("its samples lie at x = {} to {}, y = {} to {}, the element centres at x = {} "
                    "to {}, y = {} to {}",
                    sampled.x(0), right, sampled.y(0), top, grid.x(0), grid.x(grid.mx - 1),
                    grid.y(0), grid.y(grid.my - 1)),
        "samples that reach over the whole grid, or a smaller grid");
    return std::nullopt;
  }
  return sampling;
}

// The file has coordinates, and the case says something else.
void warn_of_spacing(const ShapeReading& reading, const SamplingKeys& keys,
                     const Heights& heights) {
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

}  // namespace

void read_heights_shape(const ShapeReading& reading) {
  CaseSection& section = reading.section;
  const auto file = section.text("file",
                                 "the name of an HDF5, .npy or text file, from the folder "
                                 "of the case",
                                 Presence::required);
  const auto dataset =
      section.text("dataset", "the path of a dataset in an HDF5 file", Presence::optional);
  const auto of = section.choice("of", kHeightsOf, Presence::optional);
  const SamplingKeys keys = read_sampling(section);
  const bool wrong =
      keys.wrong || (section.has("dataset") && !dataset) || (section.has("of") && !of);
  if (!file || wrong || !reading.context.grid) return;
  HeightsShape shape;
  shape.of = of.value_or(HeightsOf::distance);
  HeightsRequest request;
  request.of = TableOf::lengths;
  request.form = TableForm::map;
  request.metres = reading.context.metres;
  request.dataset = dataset;
  if (!keys.spacing) {
    request.mx = reading.context.grid->mx;
    request.my = reading.context.grid->my;
  }
  if (shape.of == HeightsOf::distance && keys.interpolation != Interpolation::bicubic)
    request.infinity = Infinity::allowed;
  const std::filesystem::path path = reading.context.folder / *file;
  section.diagnostics().add_file(path);
  try {
    const auto heights = reading.context.files.read(path, request);
    HeightsFile origin{absolute_path(path), heights->dataset, std::nullopt};
    if (const auto warning = fill_value_warning(*heights))
      section.warn_at_value("file", fmt::format("{}: {}", *file, *warning));
    warn_of_spacing(reading, keys, *heights);
    if (keys.spacing) {
      origin.sampling = find_samples(reading, keys, *heights);
      if (!origin.sampling) return;
      shape.values =
          sample_heights(heights->values, sample_grid(*origin.sampling, heights->mx, heights->my),
                         origin.sampling->interpolation, *reading.context.grid);
    } else {
      shape.values = heights->values;
    }
    if (reading.keep(std::move(shape), {{"values", "file"}}))
      reading.geometry.heights_files.push_back(std::move(origin));
  } catch (const InputError& error) {
    section.error_at_value("file", error.what(), "");
  }
}

}  // namespace slipfield
