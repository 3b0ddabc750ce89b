// SPDX-License-Identifier: Apache-2.0
#include "io/result/axes/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "io/result/error_attributes.h"
#include "io/result/parts.h"
#include "io/result/surface/table.h"

namespace slipfield {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

const ErrorEntry* find_error(std::string_view name) {
  for (const ErrorEntry& entry : error_table())
    if (entry.name == name) return &entry;
  return nullptr;
}

template <typename T>
void write_series_column(hid_t group, const std::string& name, const std::vector<T>& values,
                         std::string_view unit, std::string_view description) {
  const std::size_t shape[] = {values.size()};
  describe_dataset(hdf5::write_dataset(group, name, std::span<const T>(values), shape), unit,
                   description);
}

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

NamedNumbers step_numbers(const StepInput& input, const StepReport& report) {
  NamedNumbers numbers;
  for (const std::string& name : quantity_names()) {
    const bool of_step =
        has_quantity(input, name) || find_surface_number(name) != nullptr ||
        std::ranges::find(interior_quantity_names(), name) != interior_quantity_names().end();
    const double value = of_step ? quantity(report, input, name) : kNone;
    if (!std::isnan(value)) numbers[name] = value;
  }
  for (const ErrorEntry& entry : error_table())
    if (has_error(entry, report)) numbers[std::string(entry.name)] = (*report.error).*(entry.value);
  return numbers;
}

void Series::add(int step, Outcome outcome, const NamedNumbers& numbers) {
  const std::size_t before = steps_.size();
  steps_.push_back(step);
  converged_.push_back(outcome == Outcome::converged ? 1 : 0);
  for (const auto& [name, value] : numbers) {
    std::vector<double>& column = columns_[name];
    column.resize(before, kNone);
    column.push_back(value);
  }
}

hdf5::Scale Series::write_columns(hid_t group, Units units) const {
  write_series_column(group, "step", steps_, "-", "number of the step");
  hdf5::Scale step(group, "step", "step");
  const auto write = [&](const std::string& name, const auto& values, std::string_view unit,
                         const std::string& description) {
    write_series_column(group, name, values, unit, description);
    hdf5::attach_scales(group, name, {&step});
  };
  write("converged", converged_, "-", "1 where the step converged");
  for (const auto& [name, numbers] : columns_) {
    std::vector<double> column = numbers;
    column.resize(steps_.size(), kNone);
    if (const ErrorEntry* error = find_error(name))
      write(name, column, unit_text(error->dimension, units),
            fmt::format("estimated error of {}, a magnitude", error->quantity));
    else
      write(name, column, unit_text(quantity_dimension(name), units),
            std::string(quantity_description(name)));
  }
  return step;
}

void Series::write_numbers(hid_t root, Units units) const {
  const hdf5::Handle group = hdf5::create_group(root, std::string(kSeriesGroup));
  write_columns(group.id(), units).finish();
}

void Series::write(hid_t root, Units units, const Grid& grid, const std::vector<WrittenStep>& steps,
                   ResultAxes& axes) const {
  const hdf5::Handle group = hdf5::create_group(root, std::string(kSeriesGroup));
  hdf5::Scale step = write_columns(group.id(), units);
  axes.link_into(group.id());
  for (const std::string& field : fields_of(steps)) {
    write_field(root, group.id(), field, grid, steps);
    axes.attach_series(group.id(), field, step);
  }
  step.finish();
}

}  // namespace slipfield
