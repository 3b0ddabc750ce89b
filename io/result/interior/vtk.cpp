// SPDX-License-Identifier: Apache-2.0
#include "io/result/vtk.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "io/result/interior/group.h"
#include "solver/interior/interior_points.h"

namespace slipfield {
namespace {

// Points of an UnstructuredGrid: beyond, its cells would take more than the values.
constexpr std::size_t kMostVtkPoints = 4'000'000;

struct InteriorStep {
  const WrittenStep* step = nullptr;
  std::vector<InteriorBody> bodies;
};

bool same_place(const InteriorStep& a, const InteriorStep& b) {
  return std::equal(a.bodies.begin(), a.bodies.end(), b.bodies.begin(), b.bodies.end(),
                    [](const InteriorBody& one, const InteriorBody& other) {
                      return one.body == other.body && one.depths == other.depths &&
                             one.x == other.x && one.y == other.y &&
                             one.quantities == other.quantities;
                    });
}

std::vector<InteriorStep> steps_with_interior(const hdf5::Handle& file,
                                              const std::string& steps_group,
                                              const std::vector<WrittenStep>& steps) {
  std::vector<InteriorStep> found;
  for (const WrittenStep& step : steps) {
    const hdf5::Handle group = hdf5::open_group(file.id(), steps_group + "/" + step.group);
    InteriorStep interior{&step, read_interior(group.id(), hdf5::describe(group.id()))};
    if (!interior.bodies.empty()) found.push_back(std::move(interior));
  }
  if (found.empty()) return found;
  const InteriorStep last = found.back();
  std::erase_if(found, [&](const InteriorStep& step) { return !same_place(step, last); });
  return found;
}

std::size_t point_count(const InteriorBody& body) {
  return body.depths.size() * body.x.size() * body.y.size();
}

double spacing_of(const std::vector<double>& values) {
  return values.size() > 1
             ? (values.back() - values.front()) / static_cast<double>(values.size() - 1)
             : 1.0;
}

bool is_even(const std::vector<double>& values) {
  constexpr double kRounding = 1.0e-9;  // of a spacing
  const double spacing = spacing_of(values);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::fabs(values[i] - values.front() - spacing * static_cast<double>(i)) >
        kRounding * spacing)
      return false;
  return true;
}

VtkImage image_of(const InteriorBody& body) {
  const auto last = [](const std::vector<double>& values) {
    return static_cast<std::int64_t>(values.size()) - 1;
  };
  const bool down = body.body == Body::lower;
  return {{last(body.x), last(body.y), last(body.depths)},
          {body.x.front(), body.y.front(), (down ? -1.0 : 1.0) * body.depths.front()},
          {spacing_of(body.x), spacing_of(body.y), spacing_of(body.depths)},
          down};
}

// Points and cells of the bodies, one after the other: hexahedra; for a cut, which has one point in
// a direction, quadrilaterals, lines or vertices.
struct Cells {
  std::vector<double> points;
  std::vector<std::int64_t> corners;
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::uint8_t> types;

  void add(const InteriorBody& body) {
    const auto first = static_cast<std::int64_t>(points.size() / 3);
    for (const double depth : body.depths)
      for (const double y : body.y)
        for (const double x : body.x)
          points.insert(points.end(), {x, y, height_of(body.body, depth)});
    const auto size = [](const std::vector<double>& values) {
      return static_cast<std::int64_t>(values.size());
    };
    const std::array<std::int64_t, 3> counts = {size(body.x), size(body.y), size(body.depths)};
    const std::array<std::int64_t, 3> strides = {1, counts[0], counts[0] * counts[1]};
    std::vector<std::int64_t> along;  // strides of the directions that have more than one point
    for (std::size_t i = 0; i < counts.size(); ++i)
      if (counts[i] > 1) along.push_back(strides[i]);
    const auto last = [](std::int64_t count) { return std::max<std::int64_t>(count - 1, 1); };
    for (std::int64_t k = 0; k < last(counts[2]); ++k)
      for (std::int64_t j = 0; j < last(counts[1]); ++j)
        for (std::int64_t i = 0; i < last(counts[0]); ++i)
          add_cell(first + i + j * strides[1] + k * strides[2], along);
  }

 private:
  // The corners in VTK's order: around a square, then around the one above it.
  void add_cell(std::int64_t at, const std::vector<std::int64_t>& along) {
    constexpr std::array<std::uint8_t, 4> kTypes = {1, 3, 9, 12};  // VTK's, by dimension
    std::vector<std::int64_t> cell = {at};
    if (!along.empty()) cell.push_back(at + along[0]);
    if (along.size() > 1) cell.insert(cell.end(), {at + along[0] + along[1], at + along[1]});
    if (along.size() > 2)
      for (std::size_t i = 0; i < 4; ++i) cell.push_back(cell[i] + along[2]);
    corners.insert(corners.end(), cell.begin(), cell.end());
    offsets.push_back(static_cast<std::int64_t>(corners.size()));
    types.push_back(kTypes[along.size()]);
  }
};

template <typename T>
void write_column(hid_t group, const std::string& name, const std::vector<T>& values) {
  const std::size_t shape[] = {values.size()};
  hdf5::write_dataset(group, name, std::span<const T>(values), shape);
}

void write_cells(hid_t group, const std::vector<InteriorBody>& bodies) {
  write_vtk_type(group, "UnstructuredGrid");
  Cells grid;
  for (const InteriorBody& body : bodies) grid.add(body);
  write_column<std::int64_t>(group, "NumberOfPoints",
                             {static_cast<std::int64_t>(grid.points.size() / 3)});
  write_column<std::int64_t>(group, "NumberOfCells",
                             {static_cast<std::int64_t>(grid.types.size())});
  write_column<std::int64_t>(group, "NumberOfConnectivityIds",
                             {static_cast<std::int64_t>(grid.corners.size())});
  const std::size_t shape[] = {grid.points.size() / 3, 3};
  hdf5::write_dataset(group, "Points", std::span<const double>(grid.points), shape);
  write_column(group, "Connectivity", grid.corners);
  write_column(group, "Offsets", grid.offsets);
  write_column(group, "Types", grid.types);
}

// One dataset for each quantity, of all steps and bodies.
void write_values(hid_t group, const std::string& steps_group,
                  const std::vector<InteriorStep>& steps, bool image) {
  const hdf5::Handle points = hdf5::create_group(group, "PointData");
  const std::vector<InteriorBody>& bodies = steps.front().bodies;
  for (const std::string& name : bodies.front().quantities) {
    std::vector<std::string> sources;
    std::vector<std::vector<std::size_t>> shapes;
    for (const InteriorStep& step : steps) {
      for (const InteriorBody& body : bodies) {
        sources.push_back(fmt::format("/{}/{}/{}/{}", steps_group, step.step->group,
                                      interior_path(body.body), name));
        shapes.push_back({body.depths.size(), body.y.size(), body.x.size()});
      }
    }
    if (!image)
      hdf5::join_datasets(points.id(), name, sources, shapes);
    else if (sources.size() == 1)
      hdf5::link_hard(group, sources.front(), points.id(), name);
    else
      hdf5::stack_datasets(points.id(), name, hdf5::Number::float64, sources, shapes.front());
  }
  if (!image || steps.size() > 1) return;
  // The dimensions of the linked volume are where netCDF looks for them: in a parent group.
  const std::string body = fmt::format("/{}/{}/{}/", steps_group, steps.front().step->group,
                                       interior_path(bodies.front().body));
  for (const std::string name : {"depth", "y", "x"})
    hdf5::link_hard(group, body + name, group, name);
}

// `stride`: values of a step in the arrays of point data.
void write_times(hid_t group, const std::vector<InteriorStep>& steps, std::int64_t stride,
                 bool image) {
  const hdf5::Handle times = hdf5::create_group(group, "Steps");
  const std::size_t count = steps.size();
  std::vector<double> numbers;
  std::vector<std::int64_t> offsets;
  for (const InteriorStep& step : steps) {
    offsets.push_back(static_cast<std::int64_t>(numbers.size()) * stride);
    numbers.push_back(step.step->number);
  }
  hdf5::write_attribute(times.id(), "NSteps", static_cast<std::int64_t>(count));
  write_column(times.id(), "Values", numbers);
  if (!image) {
    const std::vector<std::int64_t> zeros(count, 0);
    const std::size_t shape[] = {count, 1};
    write_column(times.id(), "PartOffsets", zeros);
    write_column(times.id(), "NumberOfParts", std::vector<std::int64_t>(count, 1));
    write_column(times.id(), "PointOffsets", zeros);
    for (const std::string name : {"CellOffsets", "ConnectivityIdOffsets"})
      hdf5::write_dataset(times.id(), name, std::span<const std::int64_t>(zeros), shape);
  }
  const hdf5::Handle arrays = hdf5::create_group(times.id(), "PointDataOffsets");
  for (const std::string& name : steps.front().bodies.front().quantities)
    write_column(arrays.id(), name, offsets);
}

}  // namespace

bool write_interior_vtk(const hdf5::Handle& file, const std::string& steps_group,
                        const std::vector<WrittenStep>& written) {
  const std::vector<InteriorStep> steps = steps_with_interior(file, steps_group, written);
  if (steps.empty()) return false;
  const std::vector<InteriorBody>& bodies = steps.front().bodies;
  const bool image = bodies.size() == 1 && is_even(bodies.front().depths);
  std::size_t points = 0;
  for (const InteriorBody& body : bodies) points += point_count(body);
  if (!image && points > kMostVtkPoints) return false;
  const hdf5::Handle group = hdf5::create_group(file.id(), "VTKHDF");
  if (image)
    write_image(group.id(), image_of(bodies.front()));
  else
    write_cells(group.id(), bodies);
  write_values(group.id(), steps_group, steps, image);
  if (steps.size() > 1)
    write_times(group.id(), steps, image ? 1 : static_cast<std::int64_t>(points), image);
  return true;
}

}  // namespace slipfield
