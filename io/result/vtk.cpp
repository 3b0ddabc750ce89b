// SPDX-License-Identifier: Apache-2.0
#include "io/result/vtk.h"

#include <array>
#include <cstdint>
#include <span>

#include "io/result/axes/axes.h"
#include "io/result/surface/table.h"

namespace slipfield {
namespace {

void write_times(hid_t group, const std::vector<WrittenStep>& steps,
                 const std::vector<std::string>& fields) {
  const hdf5::Handle times = hdf5::create_group(group, "Steps");
  std::vector<double> values;
  std::vector<std::int64_t> offsets;
  for (const WrittenStep& step : steps) {
    offsets.push_back(static_cast<std::int64_t>(values.size()));
    values.push_back(step.number);
  }
  const std::size_t shape[] = {values.size()};
  hdf5::write_attribute(times.id(), "NSteps", static_cast<std::int64_t>(values.size()));
  hdf5::write_dataset(times.id(), "Values", std::span<const double>(values), shape);
  const hdf5::Handle planes = hdf5::create_group(times.id(), "CellDataOffsets");
  for (const std::string& field : fields)
    hdf5::write_dataset(planes.id(), field, std::span<const std::int64_t>(offsets), shape);
}

}  // namespace

void write_vtk_type(hid_t group, std::string_view type) {
  const std::array<std::int64_t, 2> version = {2, 0};
  hdf5::write_attribute(group, "Version", std::span<const std::int64_t>(version));
  hdf5::write_ascii_attribute(group, "Type", type);
}

void write_image(hid_t group, const VtkImage& image) {
  write_vtk_type(group, "ImageData");
  const auto& cells = image.cells;
  const std::array<std::int64_t, 6> extent = {0, cells[0], 0, cells[1], 0, cells[2]};
  const double z = image.down ? -1.0 : 1.0;
  const std::array direction = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, z};
  hdf5::write_attribute(group, "WholeExtent", std::span<const std::int64_t>(extent));
  hdf5::write_attribute(group, "Origin", std::span<const double>(image.origin));
  hdf5::write_attribute(group, "Spacing", std::span<const double>(image.spacing));
  hdf5::write_attribute(group, "Direction", std::span<const double>(direction));
}

void write_vtk(const hdf5::Handle& file, const std::string& steps_group, const Grid& grid,
               const std::vector<WrittenStep>& steps) {
  const hdf5::Handle group = hdf5::create_group(file.id(), "VTKHDF");
  write_image(group.id(),
              {{grid.mx, grid.my, 0}, {grid.x0, grid.y0, 0.0}, {grid.dx, grid.dy, 1.0}});
  const hdf5::Handle cells = hdf5::create_group(group.id(), "CellData");
  const bool several = steps.size() > 1;
  const std::string source =
      several ? std::string(kSeriesGroup) : steps_group + "/" + steps.front().group;
  const hdf5::Handle fields = hdf5::open_group(file.id(), source);
  std::vector<std::string> names;
  for (const std::string& field : stored_field_names())
    if (hdf5::has_link(fields.id(), field)) names.push_back(field);
  for (const std::string& field : names) hdf5::link_hard(fields.id(), field, cells.id(), field);
  // netCDF looks for the dimensions of the arrays in a group above: x and y are there already.
  if (several) hdf5::link_hard(fields.id(), "step", group.id(), "step");
  if (several) write_times(group.id(), steps, names);
}

}  // namespace slipfield
