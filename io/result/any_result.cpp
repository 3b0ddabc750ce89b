// SPDX-License-Identifier: Apache-2.0
#include "io/result/any_result.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <utility>

#include "io/hdf5/handle.h"
#include "io/hdf5/rows.h"
#include "io/result/header.h"
#include "io/result/parts.h"
#include "io/result/surface/table.h"
#include "io/result/table_writer.h"
#include "io/result/warnings.h"
#include "io/result/wheel/step_group.h"

namespace slipfield {
namespace {

namespace fs = std::filesystem;

// Reads some rows of the columns of /table, which must have equal lengths.
class RowReader {
 public:
  RowReader(const fs::path& path, hid_t group, std::size_t rows, std::size_t start,
            std::size_t count)
      : path_(path), group_(group), rows_(rows), start_(start), count_(count) {}

  [[nodiscard]] std::vector<double> doubles(const std::string& name) const {
    require_every_row(name);
    return hdf5::read_rows<double>(group_, name, start_, count_);
  }
  [[nodiscard]] std::vector<int> integers(const std::string& name) const {
    require_every_row(name);
    std::vector<int> numbers;
    for (const std::int64_t number : hdf5::read_rows<std::int64_t>(group_, name, start_, count_)) {
      if (number < 0 || number > std::numeric_limits<int>::max())
        throw InputError(fmt::format("{}: /table/{} holds {}", path_.string(), name, number));
      numbers.push_back(static_cast<int>(number));
    }
    return numbers;
  }
  [[nodiscard]] std::vector<std::uint8_t> bytes(const std::string& name) const {
    require_every_row(name);
    return hdf5::read_rows<std::uint8_t>(group_, name, start_, count_);
  }
  [[nodiscard]] std::vector<std::string> texts(const std::string& name) const {
    require_every_row(name);
    return hdf5::read_text_rows(group_, name, start_, count_);
  }
  [[nodiscard]] std::vector<std::vector<double>> lists(std::string_view name) const {
    require_every_row(std::string(name));
    return hdf5::read_list_rows(group_, std::string(name), start_, count_);
  }
  [[nodiscard]] hid_t group() const { return group_; }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  void require_every_row(const std::string& name) const {
    const std::size_t values = hdf5::row_count(group_, name);
    if (values != rows_)
      throw InputError(fmt::format("{}: /table/{} has {} values for {} rows", path_.string(), name,
                                   values, rows_));
  }

  const fs::path& path_;
  hid_t group_;
  std::size_t rows_;
  std::size_t start_;
  std::size_t count_;
};

std::vector<SweepInput> read_inputs(const RowReader& rows) {
  std::vector<SweepInput> inputs;
  for (const std::string& key : split_lines(optional_text(rows.group(), "keys"))) {
    SweepInput input;
    input.key = key;
    if (hdf5::holds_text(rows.group(), key)) {
      input.texts = rows.texts(key);
    } else {
      input.numbers = rows.doubles(key);
      for (const double number : input.numbers) input.texts.push_back(number_as_text(number));
    }
    const hdf5::Handle dataset = hdf5::open_dataset(rows.group(), key);
    if (optional_text(dataset.id(), "spacing") == "logarithmic")
      input.spacing = Spacing::logarithmic;
    inputs.push_back(std::move(input));
  }
  return inputs;
}

// Points of each entry, and their product.
struct Extents {
  std::vector<std::size_t> extents;
  std::size_t points = 1;
};

Extents read_shape(hid_t sweep, const std::string& name, const fs::path& path) {
  Extents shape;
  for (const std::int64_t extent : hdf5::read_integers_attribute(sweep, name)) {
    const bool good = extent > 0 && extent <= kMaxSweepPoints;
    if (good) shape.points *= static_cast<std::size_t>(extent);
    if (!good || shape.points > kMaxSweepPoints)
      throw InputError(path.string() + ": the shape of /table does not give its points");
    shape.extents.push_back(static_cast<std::size_t>(extent));
  }
  return shape;
}

Shard read_shard(hid_t sweep) {
  const std::string text = optional_text(sweep, "shard");
  const std::optional<Shard> shard = shard_from_text(text);
  return shard.value_or(Shard{});
}

// `own_shape`: of the file's own points.
SweepLayout read_layout(hid_t table, const fs::path& path, Extents& own_shape) {
  own_shape = read_shape(table, "shape", path);
  SweepLayout layout{{1, static_cast<int>(own_shape.points)}, own_shape.extents, {}};
  if (!hdf5::has_attribute(table, "sweep_shape")) return layout;
  layout.shape = read_shape(table, "sweep_shape", path).extents;
  const std::int64_t first = hdf5::read_integer_attribute(table, "first_point");
  if (first < 1 || first > layout.whole().count - layout.points.count + 1)
    throw InputError(path.string() + ": /table has points that its sweep does not have");
  layout.points.first = static_cast<int>(first);
  layout.shard = read_shard(table);
  return layout;
}

// The first row of the point or, without rows, of the next one; rows are in the order of points.
std::size_t first_row_of(hid_t table, std::size_t rows, int point) {
  std::size_t first = 0;
  std::size_t last = rows;
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    if (hdf5::read_rows<std::int64_t>(table, "point", middle, 1).front() < point)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

PointOutcome outcome_of(const std::string& text, const fs::path& path) {
  for (const PointOutcome outcome : {PointOutcome::converged, PointOutcome::not_converged,
                                     PointOutcome::failed, PointOutcome::not_run})
    if (text == point_outcome_name(outcome)) return outcome;
  throw InputError(path.string() + ": /table/outcome holds the unknown outcome \"" + text + "\"");
}

SweepTable read_rows(const RowReader& rows) {
  SweepTable table;
  const std::vector<int> points = rows.integers("point");
  const std::vector<int> steps = rows.integers("step");
  const std::vector<int> contacts = rows.integers("contact");
  std::vector<std::string> sides = rows.texts("side");
  for (std::size_t i = 0; i < points.size(); ++i)
    table.keys.push_back({points[i], steps[i], std::move(sides[i]), contacts[i]});
  for (const std::string& outcome : rows.texts("outcome"))
    table.outcomes.push_back(outcome_of(outcome, rows.path()));
  table.messages = rows.texts("message");
  table.warnings = rows.texts(std::string(kWarningsName));
  table.touches_edge = rows.bytes(std::string(kTouchesEdgeName));
  table.inputs = read_inputs(rows);
  for (const std::string& name : total_names())
    if (hdf5::has_link(rows.group(), name)) table.columns.push_back({name, rows.doubles(name)});
  table.worn.resize(table.count());
  if (!hdf5::has_link(rows.group(), std::string(kWearProfileName))) return table;
  std::vector<std::vector<double>> places = rows.lists(kWearProfilePlacesName);
  std::vector<std::vector<double>> depths = rows.lists(kWearProfileName);
  for (std::size_t i = 0; i < table.count(); ++i)
    table.worn[i] = {std::move(places[i]), std::move(depths[i])};
  return table;
}

hdf5::Handle open_table(hid_t root, const fs::path& path) {
  if (!hdf5::has_link(root, std::string(kTableGroup)))
    throw InputError(
        path.string() +
        ": this sweep has no /table, as those of earlier programs; accepted: the case, "
        "run again");
  return hdf5::open_group(root, std::string(kTableGroup));
}

// All rows of the points of the block, or of every point.
SweepTable read_table(hid_t root, const fs::path& path, const PointRange* block) {
  const hdf5::Handle group = open_table(root, path);
  Extents shape;
  const SweepLayout layout = read_layout(group.id(), path, shape);
  const PointRange points = block == nullptr ? layout.points : common_points(*block, layout.points);
  SweepTable table;
  if (points.count > 0) {
    const std::size_t all = hdf5::row_count(group.id(), "point");
    const std::size_t start = first_row_of(group.id(), all, points.first);
    const std::size_t end = first_row_of(group.id(), all, points.end());
    table = read_rows(RowReader(path, group.id(), all, start, end - start));
    int point = points.first - 1;
    for (const RowKey& key : table.keys) {
      if (key.point != point && key.point != point + 1) break;
      point = key.point;
    }
    if (point != points.end() - 1)
      throw InputError(path.string() + ": /table does not have its points one after another");
  }
  table.first_point = points.first;
  table.shape = std::move(shape.extents);
  return table;
}

std::vector<int> read_points_with_fields(hid_t root, const PointRange& points) {
  const std::string group(kPointsGroup);
  std::vector<int> numbers;
  if (!hdf5::has_link(root, group)) return numbers;
  const hdf5::Handle fields = hdf5::open_group(root, group);
  for (int number = points.first; number < points.end(); ++number)
    if (hdf5::has_link(fields.id(), numbered_name(number))) numbers.push_back(number);
  return numbers;
}

// read(root of the file, which is one of a sweep).
template <typename Read>
auto in_sweep_file(const fs::path& path, Read read) {
  return read_untrusted(path, [&] {
    const hdf5::Handle file = open_result(path);
    check_file_type(file.id(), path, kSweepFileType);
    return read(file.id());
  });
}

}  // namespace

AnyResult rows_of(const ResultSteps& result) {
  std::vector<StepRows> rows;
  for (const ResultStep& step : result.steps) {
    rows.push_back(step.wheel ? rows_of_step(*step.wheel)
                              : rows_of_step(step.number, step.input, step.report));
    rows.back().warnings = joined_lines(step.warnings);
    add_remark(rows.back());
  }
  const bool wheel = result.steps.front().wheel != nullptr;
  return {
      wheel ? ResultKind::wheel : ResultKind::one_contact, result.info, table_of_steps(rows), {}};
}

ResultKind kind_of(const fs::path& path, int point) {
  const std::string type = file_type_of(path, point);
  if (type == kSweepFileType) return ResultKind::sweep;
  return type == kWheelFileType ? ResultKind::wheel : ResultKind::one_contact;
}

int point_in(const fs::path& path, int point) {
  return kind_of(path) == ResultKind::sweep ? point : 0;
}

AnyResult read_any_result(const fs::path& path) {
  const ResultKind kind = kind_of(path);
  if (kind != ResultKind::sweep) return rows_of(read_steps(path));
  return in_sweep_file(path, [&](hid_t root) {
    AnyResult any{kind, read_result_info(root, path), read_table(root, path, nullptr), {}};
    any.with_fields = read_points_with_fields(root, any.rows.points());
    return any;
  });
}

SweepOutline read_sweep_outline(const fs::path& path) {
  return in_sweep_file(path, [&](hid_t root) {
    Extents ignored;
    SweepOutline outline{
        read_result_info(root, path), read_layout(open_table(root, path).id(), path, ignored), {}};
    outline.with_fields = read_points_with_fields(root, outline.layout.points);
    return outline;
  });
}

SweepTable read_sweep_rows(const fs::path& path, const PointRange& points) {
  return in_sweep_file(path, [&](hid_t root) { return read_table(root, path, &points); });
}

void read_in_blocks(const fs::path& path, const std::function<void(const AnyResult& block)>& take) {
  const ResultKind kind = kind_of(path);
  if (kind != ResultKind::sweep) return take(rows_of(read_steps(path)));
  const SweepOutline outline = read_sweep_outline(path);
  for (const PointRange& block : blocks_of(outline.layout.points))
    take({kind, outline.info, read_sweep_rows(path, block), outline.with_fields});
}

SweepTable selected_rows(const SweepTable& rows, const Selection& selection) {
  const auto is_meant = [&](const RowKey& key) {
    return (selection.point == 0 || key.point == selection.point) &&
           (selection.step == 0 || key.step == selection.step);
  };
  SweepTable meant = rows_where(rows, is_meant);
  if (selection.side.empty() && selection.contact == 0) return meant;
  return rows_of(meant, selection.side, selection.contact);
}

}  // namespace slipfield
