// SPDX-License-Identifier: Apache-2.0
#include "io/result/sweep_reader.h"

#include <optional>
#include <utility>

#include "io/hdf5/handle.h"
#include "io/hdf5/rows.h"
#include "io/result/header.h"
#include "io/result/parts.h"
#include "io/result/sweep/sweep_rows.h"
#include "io/result/sweep_writer.h"
#include "io/result/warnings.h"

namespace slipfield {
namespace {

namespace fs = std::filesystem;

// Reads the rows of a block from the datasets of /sweep, each of which has one for every point.
class RowReader {
 public:
  // points: of the file; block: those of them that are read.
  RowReader(const fs::path& path, const PointRange& points, const PointRange& block)
      : path_(path),
        points_(static_cast<std::size_t>(points.count)),
        start_(static_cast<std::size_t>(block.first - points.first)),
        count_(static_cast<std::size_t>(block.count)) {}

  [[nodiscard]] std::vector<double> doubles(hid_t group, const std::string& name) const {
    require_every_point(group, name);
    return hdf5::read_double_rows(group, name, start_, count_);
  }
  [[nodiscard]] std::vector<std::uint8_t> bytes(hid_t group, const std::string& name) const {
    require_every_point(group, name);
    return hdf5::read_byte_rows(group, name, start_, count_);
  }
  [[nodiscard]] std::vector<std::string> texts(hid_t group, const std::string& name) const {
    require_every_point(group, name);
    return hdf5::read_text_rows(group, name, start_, count_);
  }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  void require_every_point(hid_t group, const std::string& name) const {
    const std::vector<std::size_t> shape = hdf5::dataset_shape(group, name);
    std::size_t values = 1;
    for (const std::size_t extent : shape) values *= extent;
    if (values != points_)
      throw InputError(path_.string() + ": /sweep/" + name + " has " + std::to_string(values) +
                       " values for " + std::to_string(points_) + " points");
  }

  const fs::path& path_;
  std::size_t points_;
  std::size_t start_;
  std::size_t count_;
};

std::vector<SweepInput> read_inputs(hid_t sweep, const RowReader& rows) {
  const hdf5::Handle group = hdf5::open_group(sweep, "inputs");
  std::vector<SweepInput> inputs;
  for (const std::string& key : hdf5::read_texts(sweep, "keys")) {
    SweepInput input;
    input.key = key;
    if (hdf5::holds_text(group.id(), key)) {
      input.texts = rows.texts(group.id(), key);
    } else {
      input.numbers = rows.doubles(group.id(), key);
      for (const double number : input.numbers) input.texts.push_back(number_as_text(number));
    }
    const hdf5::Handle dataset = hdf5::open_dataset(group.id(), key);
    if (optional_text(dataset.id(), "spacing") == "logarithmic")
      input.spacing = Spacing::logarithmic;
    inputs.push_back(std::move(input));
  }
  return inputs;
}

// Points of each entry, and how many they make.
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
      throw InputError(path.string() + ": the shape of /sweep does not give its points");
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
SweepLayout read_layout(hid_t sweep, const fs::path& path, Extents& own_shape) {
  own_shape = read_shape(sweep, "shape", path);
  const std::vector<std::size_t> outcomes = hdf5::dataset_shape(sweep, "outcome");
  const std::size_t count = outcomes.size() == 1 ? outcomes.front() : 0;
  if (own_shape.points != count)
    throw InputError(path.string() + ": the shape of /sweep does not give its " +
                     std::to_string(count) + " points");
  SweepLayout layout{{1, static_cast<int>(count)}, own_shape.extents, {}};
  if (!hdf5::has_attribute(sweep, "sweep_shape")) return layout;
  layout.shape = read_shape(sweep, "sweep_shape", path).extents;
  const std::int64_t first = hdf5::read_integer_attribute(sweep, "first_point");
  if (first < 1 || first > layout.whole().count - layout.points.count + 1)
    throw InputError(path.string() + ": /sweep has points that its sweep does not have");
  layout.points.first = static_cast<int>(first);
  layout.shard = read_shard(sweep);
  return layout;
}

// The block of the table; all of it where there is none.
SweepTable read_table(hid_t root, const fs::path& path, const PointRange* block) {
  const hdf5::Handle group = hdf5::open_group(root, "sweep");
  Extents shape;
  const SweepLayout layout = read_layout(group.id(), path, shape);
  const PointRange points = block == nullptr ? layout.points : common_points(*block, layout.points);
  SweepTable table;
  table.first_point = points.first;
  table.shape = std::move(shape.extents);
  if (points.count == 0) return table;
  const RowReader rows(path, layout.points, points);
  for (const std::uint8_t outcome : rows.bytes(group.id(), "outcome")) {
    if (outcome > static_cast<std::uint8_t>(PointOutcome::not_run))
      throw InputError(path.string() + ": /sweep/outcome holds the unknown outcome " +
                       std::to_string(outcome));
    table.outcomes.push_back(static_cast<PointOutcome>(outcome));
  }
  table.messages = rows.texts(group.id(), "message");
  const std::string warnings(kWarningsName);  // older files lack it
  table.warnings = hdf5::has_link(group.id(), warnings) ? rows.texts(group.id(), warnings)
                                                        : std::vector<std::string>(rows.count());
  table.inputs = read_inputs(group.id(), rows);
  const std::string edge(kTouchesEdgeName);  // files of the first versions lack it
  table.touches_edge = hdf5::has_link(group.id(), edge) ? rows.bytes(group.id(), edge)
                                                        : std::vector<std::uint8_t>(rows.count());
  for (const std::string& name : sweep_column_names())
    if (hdf5::has_link(group.id(), name))
      table.columns.push_back({name, rows.doubles(group.id(), name)});
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

}  // namespace

bool is_sweep(const fs::path& path) { return file_type_of(path) == kSweepFileType; }

SweepFile read_sweep_file(const fs::path& path) {
  return read_untrusted(path, [&] {
    const hdf5::Handle file = open_result(path);
    check_file_type(file.id(), path, kSweepFileType);
    SweepFile sweep;
    sweep.info = read_result_info(file.id(), path);
    sweep.table = read_table(file.id(), path, nullptr);
    sweep.with_fields = read_points_with_fields(file.id(), sweep.table.points());
    return sweep;
  });
}

SweepOutline read_sweep_outline(const fs::path& path) {
  return read_untrusted(path, [&] {
    const hdf5::Handle file = open_result(path);
    check_file_type(file.id(), path, kSweepFileType);
    SweepOutline outline;
    outline.info = read_result_info(file.id(), path);
    Extents ignored;
    outline.layout = read_layout(hdf5::open_group(file.id(), "sweep").id(), path, ignored);
    outline.with_fields = read_points_with_fields(file.id(), outline.layout.points);
    return outline;
  });
}

SweepTable read_sweep_rows(const fs::path& path, const PointRange& points) {
  return read_untrusted(path, [&] {
    const hdf5::Handle file = open_result(path);
    check_file_type(file.id(), path, kSweepFileType);
    return read_table(file.id(), path, &points);
  });
}

}  // namespace slipfield
