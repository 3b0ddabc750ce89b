// SPDX-License-Identifier: Apache-2.0
#include "io/result/sweep/sweep_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "io/hdf5/rows.h"
#include "io/result/field_table.h"
#include "io/result/parts.h"
#include "io/result/warnings.h"

namespace slipfield {
namespace {

constexpr std::size_t kChunk = kSweepBlock;

// A dataset of text cannot grow wider: its rows so far go into a wider one with its name.
void widen_texts(hid_t group, const std::string& name, std::size_t count, std::size_t width) {
  const std::string wider_name = name + ".wider";
  const hdf5::Handle wider = hdf5::create_text_rows(group, wider_name, {count, kChunk}, width);
  for (std::size_t start = 0; start < count; start += kChunk)
    hdf5::write_rows(wider, start,
                     hdf5::read_text_rows(group, name, start, std::min(kChunk, count - start)));
  hdf5::remove_link(group, name);
  hdf5::rename_link(group, wider_name, name);
}

void mark_spacing(const hdf5::Handle& dataset, const SweepInput& input) {
  hdf5::write_attribute(dataset.id(), "spacing",
                        input.spacing == Spacing::logarithmic ? "logarithmic" : "linear");
}

}  // namespace

SweepRows::SweepRows(hid_t root, SweepLayout layout, Units units)
    : layout_(std::move(layout)),
      units_(units),
      group_(hdf5::create_group(root, "sweep")),
      inputs_(hdf5::create_group(group_.id(), "inputs")) {
  std::vector<std::int64_t> shape(layout_.shape.begin(), layout_.shape.end());
  if (layout_.points != layout_.whole()) {
    hdf5::write_attribute(group_.id(), "sweep_shape", std::span<const std::int64_t>(shape));
    hdf5::write_attribute(group_.id(), "first_point", std::int64_t{layout_.points.first});
    if (!layout_.shard.is_whole())
      hdf5::write_attribute(group_.id(), "shard", shard_text(layout_.shard));
    shape = {layout_.points.count};
  }
  hdf5::write_attribute(group_.id(), "shape", std::span<const std::int64_t>(shape));
}

void SweepRows::write_numbers(hid_t group, const std::string& name, std::span<const double> values,
                              std::size_t start, const std::string& unit,
                              const std::string& description) {
  if (values.size() == count()) {
    const std::size_t shape[] = {count()};
    describe_dataset(hdf5::write_dataset(group, name, values, shape), unit, description);
    return;
  }
  if (!hdf5::has_link(group, name)) {
    if (std::all_of(values.begin(), values.end(), [](double value) { return std::isnan(value); }))
      return;
    describe_dataset(
        hdf5::create_rows(group, name, {count(), kChunk}, std::numeric_limits<double>::quiet_NaN()),
        unit, description);
  }
  hdf5::write_rows(hdf5::open_dataset(group, name), start, values);
}

void SweepRows::write_bytes(const std::string& name, std::span<const std::uint8_t> values,
                            std::size_t start, std::uint8_t fill, std::string_view description) {
  const hid_t group = group_.id();
  if (values.size() == count()) {
    const std::size_t shape[] = {count()};
    describe_dataset(hdf5::write_dataset(group, name, values, shape), "-", description);
    return;
  }
  if (!hdf5::has_link(group, name))
    describe_dataset(hdf5::create_rows(group, name, {count(), kChunk}, fill), "-", description);
  hdf5::write_rows(hdf5::open_dataset(group, name), start, values);
}

void SweepRows::write_texts(hid_t group, const std::string& name,
                            std::span<const std::string> texts, std::size_t start,
                            const std::string& unit, const std::string& description) {
  if (texts.size() == count()) {
    describe_dataset(hdf5::write_texts(group, name, texts), unit, description);
    return;
  }
  std::size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, text.size());
  if (!hdf5::has_link(group, name)) {
    describe_dataset(hdf5::create_text_rows(group, name, {count(), kChunk}, width), unit,
                     description);
  } else if (hdf5::text_width(hdf5::open_dataset(group, name)) < width) {
    widen_texts(group, name, count(), width);
    describe_dataset(hdf5::open_dataset(group, name), unit, description);
  }
  hdf5::write_rows(hdf5::open_dataset(group, name), start, texts);
}

void SweepRows::write_inputs(const SweepTable& block) {
  const bool first = !hdf5::has_link(group_.id(), "keys");
  const auto start = static_cast<std::size_t>(block.first_point - layout_.points.first);
  const std::string unit = "those of the case: " + std::string(units_name(units_));
  std::vector<std::string> keys;
  for (const SweepInput& input : block.inputs) {
    keys.push_back(input.key);
    const std::string description = "value of " + input.key + " in each point";
    if (input.is_number())
      write_numbers(inputs_.id(), input.key, input.numbers, start, unit, description);
    else
      write_texts(inputs_.id(), input.key, input.texts, start, unit, description);
    const hdf5::Handle dataset = hdf5::open_dataset(inputs_.id(), input.key);
    if (!hdf5::has_attribute(dataset.id(), "spacing")) mark_spacing(dataset, input);
  }
  if (first) hdf5::write_texts(group_.id(), "keys", keys).close("H5Dclose", "/sweep/keys");
}

void SweepRows::write(const SweepTable& block) {
  const auto start = static_cast<std::size_t>(block.first_point - layout_.points.first);
  write_inputs(block);
  for (const SweepColumn& column : block.columns)
    write_numbers(group_.id(), column.name, column.values, start,
                  std::string(unit_text(quantity_dimension(column.name), units_)),
                  std::string(quantity_description(column.name)));
  std::vector<std::uint8_t> outcomes;
  for (const PointOutcome outcome : block.outcomes)
    outcomes.push_back(static_cast<std::uint8_t>(outcome));
  write_bytes("outcome", outcomes, start, static_cast<std::uint8_t>(PointOutcome::not_run),
              kPointOutcomeDescription);
  write_bytes(std::string(kTouchesEdgeName), block.touches_edge, start, 0,
              "1 where contact reaches the edge of the grid");
  write_texts(group_.id(), "message", block.messages, start, "-",
              "why a point is not converged, or what a converged one remarks");
  write_texts(group_.id(), std::string(kWarningsName), block.warnings, start, "-",
              "what is suspicious in a point, a line each");
}

}  // namespace slipfield
