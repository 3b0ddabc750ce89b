#include "io/result/sweep_reader.h"

#include <utility>

#include "io/hdf5/handle.h"
#include "io/result/header.h"
#include "io/result/parts.h"
#include "io/result/sweep_writer.h"

namespace slipfield {
namespace {

namespace fs = std::filesystem;

template <typename T>
std::vector<T> of_every_point(std::vector<T> values, std::size_t count, const std::string& name,
                              const fs::path& path) {
  if (values.size() != count)
    throw InputError(path.string() + ": /sweep/" + name + " has " + std::to_string(values.size()) +
                     " values for " + std::to_string(count) + " points");
  return values;
}

std::vector<SweepInput> read_inputs(hid_t sweep, std::size_t count, const fs::path& path) {
  const hdf5::Handle group = hdf5::open_group(sweep, "inputs");
  std::vector<SweepInput> inputs;
  for (const std::string& key : hdf5::read_texts(sweep, "keys")) {
    SweepInput input;
    input.key = key;
    if (hdf5::holds_text(group.id(), key)) {
      input.texts = of_every_point(hdf5::read_texts(group.id(), key), count, key, path);
    } else {
      input.numbers = of_every_point(hdf5::read_doubles(group.id(), key), count, key, path);
      for (const double number : input.numbers) input.texts.push_back(number_as_text(number));
    }
    const hdf5::Handle dataset = hdf5::open_dataset(group.id(), key);
    if (optional_text(dataset.id(), "spacing") == "logarithmic")
      input.spacing = Spacing::logarithmic;
    inputs.push_back(std::move(input));
  }
  return inputs;
}

// Points of each entry, which multiply to the number of points.
std::vector<std::size_t> read_shape(hid_t sweep, std::size_t count, const fs::path& path) {
  std::vector<std::size_t> shape;
  std::size_t points = 1;
  bool good = true;
  for (const std::int64_t extent : hdf5::read_integers_attribute(sweep, "shape")) {
    good = good && extent > 0 && extent <= kMaxSweepPoints;
    if (!good) break;
    shape.push_back(static_cast<std::size_t>(extent));
    points *= shape.back();
    good = points <= kMaxSweepPoints;
  }
  if (!good || points != count)
    throw InputError(path.string() + ": the shape of /sweep does not give its " +
                     std::to_string(count) + " points");
  return shape;
}

SweepTable read_table(hid_t root, const fs::path& path) {
  const hdf5::Handle group = hdf5::open_group(root, "sweep");
  SweepTable table;
  for (const std::uint8_t outcome : hdf5::read_bytes(group.id(), "outcome")) {
    if (outcome > static_cast<std::uint8_t>(PointOutcome::not_run))
      throw InputError(path.string() + ": /sweep/outcome holds the unknown outcome " +
                       std::to_string(outcome));
    table.outcomes.push_back(static_cast<PointOutcome>(outcome));
  }
  const std::size_t count = table.count();
  table.messages = of_every_point(hdf5::read_texts(group.id(), "message"), count, "message", path);
  table.inputs = read_inputs(group.id(), count, path);
  table.shape = read_shape(group.id(), count, path);
  const std::string edge(kTouchesEdgeName);  // files of the first versions lack it
  table.touches_edge = hdf5::has_link(group.id(), edge)
                           ? of_every_point(hdf5::read_bytes(group.id(), edge), count, edge, path)
                           : std::vector<std::uint8_t>(count);
  for (const std::string& name : sweep_column_names())
    if (hdf5::has_link(group.id(), name))
      table.columns.push_back(
          {name, of_every_point(hdf5::read_doubles(group.id(), name), count, name, path)});
  return table;
}

std::vector<int> read_points_with_fields(hid_t root, std::size_t count) {
  const std::string group(kPointsGroup);
  std::vector<int> numbers;
  if (!hdf5::has_link(root, group)) return numbers;
  const hdf5::Handle points = hdf5::open_group(root, group);
  for (int number = 1; number <= static_cast<int>(count); ++number)
    if (hdf5::has_link(points.id(), numbered_name(number))) numbers.push_back(number);
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
    sweep.table = read_table(file.id(), path);
    sweep.with_fields = read_points_with_fields(file.id(), sweep.table.count());
    return sweep;
  });
}

}  // namespace slipfield
