// SPDX-License-Identifier: Apache-2.0
#include "io/result/table_writer.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "io/hdf5/rows.h"
#include "io/hdf5/scales.h"
#include "io/result/field_table.h"
#include "io/result/parts.h"
#include "io/result/surface/table.h"
#include "io/result/warnings.h"

namespace slipfield {
namespace {

constexpr std::size_t kRowChunk = kSweepBlock;
constexpr const char* kRowScale = "row";

}  // namespace

TableWriter::TableWriter(hid_t root, Units units)
    : units_(units), group_(hdf5::create_group(root, std::string(kTableGroup))) {
  hdf5::write_attribute(group_.id(), "description",
                        "totals, a row for each point, step, side and contact");
}

void TableWriter::describe(const SweepLayout& layout) {
  std::vector<std::int64_t> shape(layout.shape.begin(), layout.shape.end());
  if (layout.points != layout.whole()) {
    hdf5::write_attribute(group_.id(), "sweep_shape", std::span<const std::int64_t>(shape));
    hdf5::write_attribute(group_.id(), "first_point", std::int64_t{layout.points.first});
    if (!layout.shard.is_whole())
      hdf5::write_attribute(group_.id(), "shard", shard_text(layout.shard));
    shape = {layout.points.count};
  }
  hdf5::write_attribute(group_.id(), "shape", std::span<const std::int64_t>(shape));
}

template <typename T>
void TableWriter::grow_column(const std::string& name, const std::vector<T>& values) {
  const hdf5::Handle dataset = hdf5::open_dataset(group_.id(), name);
  hdf5::extend_rows(dataset, before_ + values.size());
  hdf5::write_rows(dataset, before_, std::span<const T>(values));
}

template <typename T>
void TableWriter::write_column(const std::string& name, const std::vector<T>& values,
                               std::string_view unit, std::string_view description) {
  constexpr bool kText = std::is_same_v<T, std::string>;
  constexpr bool kList = std::is_same_v<T, std::vector<double>>;
  const hid_t group = group_.id();
  const bool is_new = columns_.insert(name).second;
  if constexpr (!kText && !kList)
    if (all_) return write_list(group, name, values, unit, description);
  if constexpr (kText || kList) {
    hdf5::RowCount rows{before_, kRowChunk};
    if (all_) rows = {values.size(), 0};
    const auto create = kText ? hdf5::create_text_rows : hdf5::create_list_rows;
    if (is_new) describe_dataset(create(group, name, rows), unit, description);
    if (all_)
      return hdf5::write_rows(hdf5::open_dataset(group, name), 0, std::span<const T>(values));
  } else if (is_new) {
    constexpr T kFill =
        std::is_same_v<T, double> ? static_cast<T>(std::numeric_limits<double>::quiet_NaN()) : T{};
    describe_dataset(hdf5::create_rows(group, name, {before_, kRowChunk}, kFill), unit,
                     description);
  }
  grow_column(name, values);
}

void TableWriter::write_inputs(const SweepTable& rows) {
  const std::string unit = "those of the case: " + std::string(units_name(units_));
  std::vector<std::string> keys;
  for (const SweepInput& input : rows.inputs) {
    keys.push_back(input.key);
    const std::string description = "value of the key " + input.key;
    if (input.is_number())
      write_column(input.key, input.numbers, unit, description);
    else
      write_column(input.key, input.texts, unit, description);
    const hdf5::Handle dataset = hdf5::open_dataset(group_.id(), input.key);
    if (!hdf5::has_attribute(dataset.id(), "spacing"))
      hdf5::write_attribute(dataset.id(), "spacing",
                            input.spacing == Spacing::logarithmic ? "logarithmic" : "linear");
  }
  if (!keys.empty() && !hdf5::has_attribute(group_.id(), "keys"))
    hdf5::write_attribute(group_.id(), "keys", joined_lines(keys));
}

void TableWriter::write_worn(const SweepTable& rows) {
  const auto is_empty = [](const WornRows& row) { return row.depth.empty(); };
  const std::string name(kWearProfileName);
  if (!columns_.contains(name) && std::ranges::all_of(rows.worn, is_empty)) return;
  std::vector<std::vector<double>> places;
  std::vector<std::vector<double>> depths;
  for (const WornRows& row : rows.worn) {
    places.push_back(row.y);
    depths.push_back(row.depth);
  }
  const std::string_view unit = unit_text(Dimension::length, units_);
  write_column(std::string(kWearProfilePlacesName), places, unit,
               "y of the rows of a contact's elements");
  write_column(name, depths, unit, kWearProfileDescription);
}

void TableWriter::write(const SweepTable& rows, bool all) {
  all_ = all;
  std::vector<std::int64_t> numbers;
  std::vector<std::int64_t> points;
  std::vector<std::int64_t> steps;
  std::vector<std::int64_t> contacts;
  std::vector<std::string> sides;
  std::vector<std::string> outcomes;
  for (std::size_t i = 0; i < rows.count(); ++i) {
    const RowKey& key = rows.keys[i];
    numbers.push_back(static_cast<std::int64_t>(before_ + i));
    points.push_back(key.point);
    steps.push_back(key.step);
    contacts.push_back(key.contact);
    sides.push_back(key.side);
    outcomes.emplace_back(point_outcome_name(rows.outcomes[i]));
  }
  write_column(kRowScale, numbers, "-", "number of the row, from 0");
  write_column("point", points, "-", "number of the point of a sweep, else 1");
  write_column("step", steps, "-", "number of the step; 0: the point has no result");
  write_column("side", sides, "-", "of a wheel on a rail: left, right, both; else empty");
  write_column("contact", contacts, "-",
               "contact of the side, from 1; 0: totals of the step or side");
  write_inputs(rows);
  write_column("outcome", outcomes, "-",
               "how the step or point ended: converged, not_converged, failed, not_run");
  write_column("message", rows.messages, "-",
               "why it is not converged, or what a converged one remarks");
  write_column(std::string(kWarningsName), rows.warnings, "-", "what is suspicious, a line each");
  write_column(std::string(kTouchesEdgeName), rows.touches_edge, "-",
               "1 where contact reaches the edge of the grid");
  std::set<std::string> written;
  for (const SweepColumn& column : rows.columns) {
    if (has_no_number(column)) continue;
    written.insert(column.name);
    write_column(column.name, column.values, unit_text(quantity_dimension(column.name), units_),
                 quantity_description(column.name));
  }
  write_worn(rows);
  before_ += rows.count();
  if (all_) return;
  for (const std::string& name : total_names())  // that these rows do not have
    if (columns_.contains(name) && !written.contains(name))
      hdf5::extend_rows(hdf5::open_dataset(group_.id(), name), before_);
}

void TableWriter::finish() {
  if (columns_.empty()) return;
  hdf5::Scale row(group_.id(), kRowScale, kRowScale);
  for (const std::string& name : columns_)
    if (name != kRowScale) hdf5::attach_scales(group_.id(), name, {&row});
  row.finish();
}

}  // namespace slipfield
