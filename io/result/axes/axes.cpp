// SPDX-License-Identifier: Apache-2.0
#include "io/result/axes/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/result/field_table.h"
#include "io/result/interior/group.h"
#include "io/result/parts.h"
#include "io/result/surface/table.h"

namespace slipfield {
namespace {

constexpr const char* kAxisX = "grid/x";
constexpr const char* kAxisY = "grid/y";
constexpr std::size_t kLeftForSeries = 100;  // fields

bool is_in(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Makes a link instead of a copy, if the group was copied from another file.
void link_again(hid_t from, const std::string& name, hid_t to, const std::string& new_name) {
  if (hdf5::has_link(to, new_name)) hdf5::remove_link(to, new_name);
  hdf5::link_hard(from, name, to, new_name);
}

// Attaches the coordinates of one body's interior to its datasets.
void attach_interior(hid_t body) {
  hdf5::Scale depth(body, "depth", "depth");
  hdf5::Scale x(body, "x", "x");
  hdf5::Scale y(body, "y", "y");
  constexpr std::string_view kByDepth = "_by_depth";
  constexpr std::string_view kAlongY = "_along_y";
  const std::vector<std::string> known = interior_names();
  for (const std::string& name : hdf5::link_names(body)) {
    if (is_in(known, name)) hdf5::attach_scales(body, name, {&depth, &y, &x});
    if (name.ends_with(kByDepth)) hdf5::attach_scales(body, name, {&depth});
    if (name.ends_with(kAlongY)) hdf5::attach_scales(body, name, {&y});
  }
  for (hdf5::Scale* scale : {&depth, &x, &y}) scale->finish();
}

// Fields of any step, in the order of the first step that has them.
std::vector<std::string> fields_of(const std::vector<WrittenStep>& steps) {
  std::vector<std::string> fields;
  for (const WrittenStep& step : steps)
    for (const std::string& field : step.fields)
      if (std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
  return fields;
}

// NaN, or 0 for bytes, if a step has no such field; unit and description of a step that has it.
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

ResultAxes::ResultAxes(hid_t result)
    : result_(result), x_(result, kAxisX, "x"), y_(result, kAxisY, "y") {}

void ResultAxes::link_into(hid_t group) const {
  link_again(result_, kAxisX, group, "x");
  link_again(result_, kAxisY, group, "y");
}

void ResultAxes::attach_step(hid_t step, const std::vector<std::string>& links) {
  for (const std::string& field : stored_field_names())
    if (is_in(links, field)) hdf5::attach_scales(step, field, {&y_, &x_});
  for (const std::string& name : row_field_names())
    if (is_in(links, name)) hdf5::attach_scales(step, name, {&y_});
  for (const Body body : {Body::upper, Body::lower})
    if (hdf5::has_link(step, interior_path(body)))
      attach_interior(hdf5::open_group(step, interior_path(body)).id());
}

void ResultAxes::attach_steps(const std::vector<std::string>& groups) {
  const std::size_t fields = stored_field_names().size() + 1;  // at most
  if (groups.size() * fields > hdf5::Scale::kMostAttached - kLeftForSeries) return;
  link_into(result_);
  const hdf5::Handle steps = hdf5::open_group(result_, std::string(kStepsGroup));
  for (const std::string& name : groups) {
    const hdf5::Handle step = hdf5::open_group(steps.id(), name);
    attach_step(step.id(), hdf5::link_names(step.id()));
  }
}

void ResultAxes::attach_series(hid_t group, const std::string& dataset, hdf5::Scale& step) {
  hdf5::attach_scales(group, dataset, {&step, &y_, &x_});
}

void ResultAxes::finish() {
  x_.finish();
  y_.finish();
}

void write_series(hid_t root, const Grid& grid, const std::vector<WrittenStep>& steps,
                  ResultAxes& axes) {
  const hdf5::Handle group = hdf5::create_group(root, std::string(kSeriesGroup));
  std::vector<std::int64_t> numbers;
  for (const WrittenStep& step : steps) numbers.push_back(step.number);
  write_list(group.id(), "step", numbers, "-", "number of the step");
  hdf5::Scale step(group.id(), "step", "step");
  axes.link_into(group.id());
  for (const std::string& field : fields_of(steps)) {
    write_field(root, group.id(), field, grid, steps);
    axes.attach_series(group.id(), field, step);
  }
  step.finish();
}

void write_contact_axes(hid_t contact) {
  ResultAxes axes(contact);
  axes.link_into(contact);
  axes.attach_step(contact, hdf5::link_names(contact));
  axes.finish();
}

void write_axes(hid_t result, const std::vector<std::string>& step_groups) {
  ResultAxes axes(result);
  axes.attach_steps(step_groups);
  axes.finish();
}

}  // namespace slipfield
