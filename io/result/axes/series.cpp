// SPDX-License-Identifier: Apache-2.0
#include "io/result/axes/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "io/result/field_table.h"
#include "io/result/parts.h"

namespace slipfield {
namespace {

// Fields of any step, in the order of the first that has them.
std::vector<std::string> fields_of(const std::vector<WrittenStep>& steps) {
  std::vector<std::string> fields;
  for (const WrittenStep& step : steps)
    for (const std::string& field : step.fields)
      if (std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
  return fields;
}

// NaN, or 0 of bytes, where a step has no such field; unit and description of a step that has.
void write_field(hid_t root, hid_t group, const std::string& field, const Grid& grid,
                 const std::vector<WrittenStep>& steps) {
  std::vector<std::string> sources;
  std::string present;
  for (const WrittenStep& step : steps) {
    const bool has = std::find(step.fields.begin(), step.fields.end(), field) != step.fields.end();
    sources.push_back(has ? fmt::format("/{}/{}/{}", kStepsGroup, step.group, field) : "");
    if (has) present = sources.back();
  }
  const std::array shape = {static_cast<std::size_t>(grid.my), static_cast<std::size_t>(grid.mx)};
  hdf5::Handle stack = hdf5::stack_datasets(
      group, field, field == kDivisionName ? hdf5::Number::uint8 : hdf5::Number::float64, sources,
      shape);
  const hdf5::Handle source = hdf5::open_dataset(root, present);
  describe_dataset(std::move(stack), hdf5::read_string_attribute(source.id(), "units"),
                   hdf5::read_string_attribute(source.id(), "description"));
}

}  // namespace

void write_series(hid_t root, const Grid& grid, const std::vector<WrittenStep>& steps,
                  ResultAxes& axes) {
  const hdf5::Handle group = hdf5::create_group(root, std::string(kSeriesGroup));
  std::vector<std::int64_t> numbers;
  for (const WrittenStep& step : steps) numbers.push_back(step.number);
  const std::size_t shape[] = {numbers.size()};
  describe_dataset(
      hdf5::write_dataset(group.id(), "step", std::span<const std::int64_t>(numbers), shape), "-",
      "number of the step");
  hdf5::Scale step(group.id(), "step", "step");
  axes.link_into(group.id());
  for (const std::string& field : fields_of(steps)) {
    write_field(root, group.id(), field, grid, steps);
    axes.attach_series(group.id(), field, step);
  }
  step.finish();
}

}  // namespace slipfield
