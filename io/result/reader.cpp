// SPDX-License-Identifier: Apache-2.0
#include "io/result/reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <utility>

#include "io/case/names.h"
#include "io/hdf5/handle.h"
#include "io/result/any_result.h"
#include "io/result/field_table.h"
#include "io/result/header.h"
#include "io/result/parts.h"
#include "io/result/step_attributes.h"
#include "io/result/surface/table.h"
#include "io/result/table_writer.h"
#include "io/result/warnings.h"
#include "io/result/wheel/step_group.h"

namespace slipfield {
namespace {

namespace fs = std::filesystem;

// "one of 1, 2, 7, ...", "7".
std::string accepted_points(hid_t file) {
  constexpr std::size_t kListed = 20;
  const hdf5::Handle points = hdf5::open_group(file, std::string(kPointsGroup));
  std::vector<std::string> names = hdf5::link_names(points.id());
  const bool more = names.size() > kListed;
  names.resize(std::min(names.size(), kListed));
  for (std::string& name : names) name.erase(0, name.find_first_not_of('0'));
  return fmt::format("{}{}{}", names.size() == 1 ? "" : "one of ", fmt::join(names, ", "),
                     more ? ", ..." : "");
}

// The greatest number of a point in the sweep's table; 0: it has none.
std::size_t points_of_table(hid_t file) {
  const std::string name = std::string(kTableGroup) + "/point";
  if (!hdf5::has_link(file, std::string(kTableGroup)) || !hdf5::has_link(file, name)) return 0;
  const std::vector<std::int64_t> points = hdf5::read_integers(file, name);
  return points.empty() ? 0 : static_cast<std::size_t>(std::ranges::max(points));
}

// The group of the file that is a result: its root, or a point of a sweep.
hdf5::Handle open_root(const hdf5::Handle& file, const fs::path& path, int point) {
  const std::string name = point_group(point);
  if (point == 0) return hdf5::open_group(file.id(), name);
  const bool has_fields = hdf5::has_link(file.id(), std::string(kPointsGroup));
  if (optional_text(file.id(), "file_type") != kSweepFileType)
    throw InputError(
        path.string() +
        ": this is not a sweep, and has no points; accepted: the file without a point");
  const std::size_t count = points_of_table(file.id());
  if (!has_fields && point > static_cast<int>(count))
    throw InputError(
        fmt::format("{}: there is no point {}; accepted: 1 to {}", path.string(), point, count));
  if (!has_fields)
    throw InputError(path.string() +
                     ": this file holds no fields of points; a sweep keeps them where its case "
                     "has `output.fields`, and `slipfield run CASE.yaml --point " +
                     std::to_string(point) + "` solves this point with them");
  if (!hdf5::has_link(file.id(), name))
    throw InputError(fmt::format("{}: it holds no fields of point {}; accepted: {}", path.string(),
                                 point, accepted_points(file.id())));
  return hdf5::open_group(file.id(), name);
}

// The groups of the selected contacts in the step: of one side, or all.
std::vector<std::string> contacts_of(const hdf5::Handle& step, const std::string& side) {
  std::vector<std::string> paths;
  for (int i = 1; hdf5::has_link(step.id(), contact_path(i)); ++i) {
    const hdf5::Handle contact = hdf5::open_group(step.id(), contact_path(i));
    if (side.empty() || hdf5::read_string_attribute(contact.id(), "side") == side)
      paths.push_back(contact_path(i));
  }
  return paths;
}

std::string accepted_contacts(std::size_t count) {
  return count == 0 ? "another step, for nothing touches in this one"
                    : (count == 1 ? "1, the only one" : fmt::format("1 to {}", count));
}

// The name of the selected step of a wheel.
std::string wheel_step_name(const hdf5::Handle& file, const fs::path& path, int step) {
  const hdf5::Handle steps = hdf5::open_group(file.id(), std::string(kStepsGroup));
  if (step == 0)
    for (const std::string& name : hdf5::link_names(steps.id()))
      step = std::max(step, step_number(name, path));
  if (!hdf5::has_link(steps.id(), numbered_name(step)))
    throw InputError(path.string() + ": there is no step " + std::to_string(step));
  return numbered_name(step);
}

// The path of the group of a contact of a wheel.
std::string contact_group(const hdf5::Handle& file, const fs::path& path,
                          const Selection& selection) {
  check_file_type(file.id(), path, kWheelFileType);
  const std::string step = wheel_step_name(file, path, selection.step);
  const std::string group = std::string(kStepsGroup) + "/" + step;
  const std::vector<std::string> contacts =
      contacts_of(hdf5::open_group(file.id(), group), selection.side);
  if (selection.contact < 1 || static_cast<std::size_t>(selection.contact) > contacts.size())
    throw InputError(fmt::format(
        "{}: step {} has no contact {}{}; accepted: {}", path.string(), std::stoi(step),
        selection.contact, selection.side.empty() ? "" : " of the " + selection.side + " wheel",
        accepted_contacts(contacts.size())));
  return group + "/" + contacts[static_cast<std::size_t>(selection.contact) - 1];
}

template <typename T>
void require_size(const std::vector<T>& values, std::size_t size, std::string_view name,
                  const fs::path& path) {
  if (values.size() != size)
    throw InputError(path.string() + ": /grid has " + std::to_string(values.size()) +
                     " values in its attribute " + std::string(name) + " instead of " +
                     std::to_string(size));
}

Grid read_grid(hid_t root, const fs::path& path) {
  const hdf5::Handle group = hdf5::open_group(root, "grid");
  const auto elements = hdf5::read_integers_attribute(group.id(), "elements");
  const auto spacing = hdf5::read_doubles_attribute(group.id(), "spacing");
  const auto origin = hdf5::read_doubles_attribute(group.id(), "origin");
  require_size(elements, 2, "elements", path);
  require_size(spacing, 2, "spacing", path);
  require_size(origin, 2, "origin", path);
  for (const std::int64_t count : elements)
    if (count < 1 || count > std::numeric_limits<int>::max())
      throw InputError(path.string() + ": /grid has " + std::to_string(count) +
                       " elements in one direction");
  for (int i = 0; i < 2; ++i)
    if (!(spacing[i] > 0) || !std::isfinite(spacing[i]) || !std::isfinite(origin[i]))
      throw InputError(fmt::format(
          "{}: /grid has the spacing {:g} and the origin {:g} in one direction; accepted: finite "
          "numbers, a spacing > 0",
          path.string(), spacing[i], origin[i]));
  Grid grid;
  grid.mx = static_cast<int>(elements[0]);
  grid.my = static_cast<int>(elements[1]);
  grid.dx = spacing[0];
  grid.dy = spacing[1];
  grid.x0 = origin[0];
  grid.y0 = origin[1];
  grid.boundary = boundary_named(optional_text(group.id(), "boundary"));
  return grid;
}

std::vector<IterationRecord> read_history(hid_t step, const fs::path& path) {
  const hdf5::Handle group = hdf5::open_group(step, "convergence");
  const auto phases = hdf5::read_bytes(group.id(), "phase");
  const auto iterations = hdf5::read_integers(group.id(), "iteration");
  const auto changes = hdf5::read_doubles(group.id(), "change");
  if (iterations.size() != phases.size() || changes.size() != phases.size())
    throw InputError(path.string() +
                     ": the convergence history of a step has columns of unequal "
                     "length");
  std::vector<IterationRecord> history;
  for (std::size_t i = 0; i < phases.size(); ++i)
    history.push_back({static_cast<Phase>(phases[i]), static_cast<int>(iterations[i]), changes[i]});
  return history;
}

// `path` of the file; `root`: the group that the step's path belongs to.
ResultStep read_step(hid_t root, const std::string& group_path, int number, const fs::path& path) {
  const hdf5::Handle group = hdf5::open_group(root, group_path);
  ResultStep step;
  step.number = number;
  step.group = group_path;
  read_step_attributes(group.id(), path, step.input, step.report);
  step.report.history = read_history(group.id(), path);
  step.warnings = read_warnings(group.id());
  if (step.warnings.empty() && step.report.touches_edge)  // from an older file
    step.warnings.emplace_back(kEdgeWarning);
  const std::vector<std::string> links = hdf5::link_names(group.id());
  for (const std::string& field : stored_field_names())
    if (std::find(links.begin(), links.end(), field) != links.end()) step.fields.push_back(field);
  return step;
}

// The same of a wheel.
ResultStep read_positions(hid_t steps, const std::string& name, const fs::path& path) {
  WheelRecord wheel = read_wheel_step(steps, name, path);
  ResultStep step;
  step.number = wheel.number;
  step.group = std::string(kStepsGroup) + "/" + name;
  step.report.outcome = wheel.outcome;
  step.report.message = wheel.message;
  step.warnings = wheel.warnings;
  step.wheel = std::make_shared<const WheelRecord>(std::move(wheel));
  return step;
}

std::vector<ResultStep> read_all_steps(hid_t root, const fs::path& path, bool wheel) {
  const hdf5::Handle group = hdf5::open_group(root, std::string(kStepsGroup));
  std::vector<ResultStep> steps;
  for (const std::string& name : hdf5::link_names(group.id()))
    steps.push_back(wheel ? read_positions(group.id(), name, path)
                          : read_step(root, std::string(kStepsGroup) + "/" + name,
                                      step_number(name, path), path));
  if (steps.empty()) throw InputError(path.string() + ": the result has no steps");
  std::sort(steps.begin(), steps.end(),
            [](const ResultStep& a, const ResultStep& b) { return a.number < b.number; });
  return steps;
}

// Damage that only causes an error is left to who reads it.
template <typename Read>
void leave_error(Read read) {
  try {
    read();
  } catch (const InputError&) {
  } catch (const Hdf5Error&) {
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace

struct ResultFile::State : ResultSteps {
  hdf5::Handle file;
  hdf5::Handle root;    // the group that is a result, or has the wheel's contact
  bool small = true;    // all fields are tried when the file is opened
  std::set<int> tried;  // steps of a large file

  void open(const Selection& selection);
  // Checks the step in a child process before its fields are read; in a large file, as far as
  // possible without reading all values, and without the interior.
  void ensure_tried(const ResultStep& step);
  void try_fields(std::span<const ResultStep> some) const;
  void try_interior(const ResultStep& step) const;
  // Reads from the interior: a large file's in a child process first.
  template <typename Read>
  auto read_inside(Read read) const {
    return small ? read_guarded(path, read) : read_untrusted(path, read);
  }
  // Opens a step's group and checks that `name` is there with the grid's shape.
  [[nodiscard]] hdf5::Handle open_field(const ResultStep& step, std::string_view name) {
    if (std::find(step.fields.begin(), step.fields.end(), name) == step.fields.end())
      throw InputError(fmt::format(
          "{}: step {} has no field \"{}\"; it holds {}, which `output.fields` of its case "
          "chose; accepted: a run with `output: {{fields: all}}`, of a sweep's point by "
          "`slipfield run CASE.yaml --point N`",
          path.string(), step.number, name,
          step.fields.empty() ? "no field" : fmt::format("{}", fmt::join(step.fields, ", "))));
    ensure_tried(step);
    hdf5::Handle group = hdf5::open_group(root.id(), step.group);
    const std::vector<std::size_t> shape = hdf5::dataset_shape(group.id(), std::string(name));
    const Grid& grid = info.header.grid;
    if (shape != std::vector{static_cast<std::size_t>(grid.my), static_cast<std::size_t>(grid.mx)})
      throw InputError(path.string() + ": " + step.group + "/" + std::string(name) +
                       " has not the shape (" + std::to_string(grid.my) + ", " +
                       std::to_string(grid.mx) + ") of the grid");
    return group;
  }
};

void ResultFile::State::open(const Selection& selection) {
  file = open_result(path);
  root = open_root(file, path, selection.point);
  if (selection.contact == 0) {
    check_file_type(root.id(), path, kResultFileType);
    info = read_result_info(root.id(), path);
    info.header.grid = read_grid(root.id(), path);
    steps = read_all_steps(root.id(), path, false);
    return;
  }
  const std::string group = contact_group(root, path, selection);
  const std::string in_steps = group.substr(kStepsGroup.size() + 1);
  info = read_result_info(root.id(), path);
  info.header.grid = read_grid(hdf5::open_group(root.id(), group).id(), path);
  steps = {
      read_step(root.id(), group, step_number(in_steps.substr(0, in_steps.find('/')), path), path)};
  info.warnings = steps.front().warnings;
}

void ResultFile::State::try_fields(std::span<const ResultStep> some) const {
  const std::vector<std::string> rows = row_field_names();
  for (const ResultStep& step : some) {
    const hdf5::Handle group = hdf5::open_group(root.id(), step.group);
    const auto try_field = [&](const std::string& name) {
      leave_error([&] {
        if (small || !hdf5::is_contiguous(group.id(), name)) hdf5::read_doubles(group.id(), name);
      });
    };
    std::ranges::for_each(step.fields, try_field);
    for (const std::string& name : rows)
      if (hdf5::has_link(group.id(), name)) try_field(name);
    if (small) leave_error([&] { try_interior(step); });
  }
}

void ResultFile::State::try_interior(const ResultStep& step) const {
  const hdf5::Handle group = hdf5::open_group(root.id(), step.group);
  for (const InteriorBody& body : read_interior(group.id(), path))
    for (const std::string& quantity : body.quantities)
      leave_error(
          [&] { hdf5::read_doubles(group.id(), interior_path(body.body) + "/" + quantity); });
}

// Also checks the next steps, which are likely to be requested next.
void ResultFile::State::ensure_tried(const ResultStep& step) {
  constexpr std::size_t kTogether = 1024;
  if (small || tried.count(step.number) > 0) return;
  const auto first = std::find_if(steps.begin(), steps.end(), [&](const ResultStep& other) {
    return other.number == step.number;
  });
  const auto some = std::span<const ResultStep>(first, steps.end());
  const auto next = some.first(std::min(kTogether, some.size()));
  try_in_child(path, [&] { try_fields(next); });
  for (const ResultStep& other : next) tried.insert(other.number);
}

ResultFile::ResultFile(const fs::path& path, const Selection& selection)
    : state_(std::make_unique<State>()) {
  constexpr std::uintmax_t kSmall = 32U << 20U;
  std::error_code error;  // open() reports it
  state_->path = path;
  state_->small = fs::file_size(path, error) < kSmall;
  try_in_child(path, [&] {
    read_guarded(path, [&] { state_->open(selection); });
    if (state_->small) state_->try_fields(state_->steps);
  });
  read_guarded(path, [&] { state_->open(selection); });
}

ResultFile::~ResultFile() = default;
ResultFile::ResultFile(ResultFile&&) noexcept = default;
ResultFile& ResultFile::operator=(ResultFile&&) noexcept = default;

const ResultSteps& ResultFile::all() const { return *state_; }

const ResultStep& ResultSteps::step(int number) const {
  if (number == 0) return steps.back();
  for (const ResultStep& step : steps)
    if (step.number == number) return step;
  const int first = steps.front().number;
  const int last = steps.back().number;
  throw InputError(fmt::format("{}: there is no step {}; {}", path.string(), number,
                               first == last ? fmt::format("the only one is {}", first)
                                             : fmt::format("the file holds {} steps from {} to {}",
                                                           steps.size(), first, last)));
}

std::vector<double> ResultFile::field(const ResultStep& step, std::string_view name) const {
  return read_guarded(state_->path, [&] {
    const hdf5::Handle group = state_->open_field(step, name);
    return hdf5::read_doubles(group.id(), std::string(name));
  });
}

std::vector<ElementState> ResultFile::element_division(const ResultStep& step) const {
  return read_guarded(state_->path, [&] {
    const hdf5::Handle group = state_->open_field(step, kDivisionName);
    std::vector<ElementState> division;
    for (const std::uint8_t value : hdf5::read_bytes(group.id(), std::string(kDivisionName))) {
      if (value > static_cast<std::uint8_t>(ElementState::plastic))
        throw InputError(state_->path.string() + ": " + step.group +
                         "/element_division holds the unknown state " + std::to_string(value));
      division.push_back(static_cast<ElementState>(value));
    }
    return division;
  });
}

std::vector<InteriorBody> ResultFile::interior(const ResultStep& step) const {
  return state_->read_inside([&] {
    return read_interior(hdf5::open_group(state_->root.id(), step.group).id(), state_->path);
  });
}

std::vector<double> ResultFile::interior_values(const ResultStep& step, const InteriorBody& body,
                                                const std::string& quantity) const {
  return state_->read_inside([&] {
    const hdf5::Handle group = hdf5::open_group(state_->root.id(), step.group);
    std::vector<double> values =
        hdf5::read_doubles(group.id(), interior_path(body.body) + "/" + quantity);
    if (values.size() != body.depths.size() * body.y.size() * body.x.size())
      throw InputError(fmt::format("{}: {}/{}/{} does not have one value for each depth and place",
                                   state_->path.string(), step.group, interior_path(body.body),
                                   quantity));
    return values;
  });
}

std::vector<double> ResultFile::row_field(const ResultStep& step, std::string_view name) const {
  return read_guarded(state_->path, [&] {
    state_->ensure_tried(step);
    const hdf5::Handle group = hdf5::open_group(state_->root.id(), step.group);
    const std::string dataset(name);
    if (!hdf5::has_link(group.id(), dataset)) return std::vector<double>();
    std::vector<double> values = hdf5::read_doubles(group.id(), dataset);
    if (values.size() != static_cast<std::size_t>(state_->info.header.grid.my))
      throw InputError(state_->path.string() + ": " + step.group + "/" + dataset +
                       " does not have one value for each row of the grid");
    return values;
  });
}

ContactSolution ResultFile::solution(const ResultStep& step) const {
  ContactSolution solution;
  for (const std::string& name : step.fields) {
    if (name == kDivisionName) solution.element_division = element_division(step);
    for (const FieldEntry& entry : field_table())
      if (name == entry.name) solution.*(entry.values) = field(step, name);
    for (const FieldEntry& entry : surface_field_table())
      if (name == entry.name) solution.*(entry.values) = field(step, name);
  }
  for (const FieldEntry& entry : row_field_table())
    solution.*(entry.values) = row_field(step, entry.name);
  return solution;
}

ResultFile read_result(const fs::path& path, const Selection& selection) {
  return ResultFile(path, selection);
}

ResultSteps read_steps(const fs::path& path, int point) {
  if (kind_of(path, point) != ResultKind::wheel)
    return ResultFile(path, Selection{.point = point}).all();
  return read_untrusted(path, [&] {
    const hdf5::Handle file = open_result(path);
    const hdf5::Handle root = open_root(file, path, point);
    check_file_type(root.id(), path, kWheelFileType);
    return ResultSteps{path, read_result_info(root.id(), path),
                       read_all_steps(root.id(), path, true)};
  });
}

}  // namespace slipfield
