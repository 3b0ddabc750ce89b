// SPDX-License-Identifier: Apache-2.0
#include "io/result/writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "io/checksum.h"
#include "io/hdf5/handle.h"
#include "io/hdf5/ranks/shared_file.h"
#include "io/result/axes/axes.h"
#include "io/result/field_table.h"
#include "io/result/header.h"
#include "io/result/interior/group.h"
#include "io/result/parts.h"
#include "io/result/step_attributes.h"
#include "io/result/surface/table.h"
#include "io/result/table_writer.h"
#include "io/result/vtk.h"
#include "io/result/warnings.h"
#include "io/result/wheel/step_group.h"
#include "solver/ranks/ranks.h"

namespace slipfield {

std::string_view run_outcome_name(RunOutcome outcome) {
  switch (outcome) {
    case RunOutcome::converged:
      return "converged";
    case RunOutcome::not_converged:
      return "not_converged";
    case RunOutcome::incomplete:
      return "incomplete";
  }
  return "";
}

namespace {

// Attaches the scales of a point that is complete, or copied from another file.
void attach_point_axes(hid_t point) {
  const hdf5::Handle steps = hdf5::open_group(point, std::string(kStepsGroup));
  const std::vector<std::string> names = hdf5::link_names(steps.id());
  if (hdf5::has_link(point, "grid")) return write_axes(point, names);
  for (const std::string& name : names) write_copied_axes(hdf5::open_group(steps.id(), name).id());
}

// Tests whether the file can grow by this many bytes.
bool has_room(const std::filesystem::path& path, std::size_t bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct stat now {};
  bool room =
      fstat(file, &now) == 0 && posix_fallocate(file, now.st_size, static_cast<off_t>(bytes)) == 0;
  room = ftruncate(file, now.st_size) == 0 && room;
  return close(file) == 0 && room;
}

}  // namespace

struct ResultWriter::State {
  // A point whose steps are being written: a plain run's in the root, one of a sweep in a group.
  struct OpenPoint {
    std::string group;  // "/", "/points/0001"
    ResultHeader header;
    FieldChoice fields;
    std::vector<WrittenStep> written{};
    std::vector<StepRows> rows{};
    std::map<int, std::vector<std::string>> step_warnings{};

    [[nodiscard]] std::string steps_group() const {
      return group + (group == "/" ? "" : "/") + std::string(kStepsGroup);
    }
    [[nodiscard]] bool is_wheel() const { return header.grid.count() == 0; }
    [[nodiscard]] std::vector<std::string> fields_of(const StepInput& input) const {
      std::vector<std::string> names;
      for (const std::string& name : field_names(input))
        if (writes_field(fields, name)) names.push_back(name);
      return names;
    }
  };

  PendingFile pending;
  ResultHeader header;
  hdf5::Handle file{};                      // closed before `pending` removes or moves the file
  std::map<int, OpenPoint> points{};        // by number; 0: of a plain run
  std::optional<TableWriter> table{};       // of a sweep, made with the first block
  std::set<std::filesystem::path> tried{};  // parts whose points can be read
  bool is_part = false;                     // of a checkpoint, which ends with its checksum
  std::size_t at_edge = 0;                  // steps of a plain run, points of a sweep
  int first_at_edge = 0;
  std::vector<std::string> warnings{};

  void complete(RunOutcome outcome);
  void complete_run(OpenPoint& run, bool whole) const;
  void write_coordinates(const OpenPoint& run) const;
  void write_table(OpenPoint& run) const;
  void try_table(OpenPoint& run) const;
  void write_step_warnings(const OpenPoint& point) const;
  void make_group(const OpenPoint& point) const;
  void add_step(StepPlace place, const StepInput& input, const StepReport& report,
                std::vector<std::string> names);
  void add_copied(int number, hid_t steps, const std::filesystem::path& part);
  void share_rows(int number, const StepInput& input, const ContactSolution& solution);

  void note_edge(int number) {
    if (at_edge++ == 0) first_at_edge = number;
  }
  [[nodiscard]] hdf5::Handle points_group() const {
    const std::string name(kPointsGroup);
    return hdf5::has_link(file.id(), name) ? hdf5::open_group(file.id(), name)
                                           : hdf5::create_group(file.id(), name);
  }

  template <typename Write>
  void guarded(Write write) {
    guarded_write(pending.path(), write);
  }
  // Calls write(group of the steps), which makes this step's group: all of it or nothing.
  template <typename Write>
  void in_new_group(StepPlace place, Write write) {
    const hdf5::Handle steps = hdf5::open_group(file.id(), points.at(place.point).steps_group());
    try {
      write(steps);
      hdf5::flush(file);
    } catch (const Error&) {
      hdf5::remove_link(steps.id(), numbered_name(place.step));
      throw;
    }
  }
  // Calls with the file on the first rank and nothing on the others.
  template <typename Write>
  void on_first_rank(Write write) {
    ranks::each([&] {
      if (ranks::is_first()) guarded(write);
    });
  }
};

// Makes the group of a point.
void ResultWriter::State::make_group(const OpenPoint& point) const {
  const hdf5::Handle group = point.group == "/" ? hdf5::open_group(file.id(), point.group)
                                                : hdf5::create_group(file.id(), point.group);
  write_result_header(group.id(), point.header,
                      point.is_wheel() ? kWheelFileType : kResultFileType);
  if (!point.is_wheel()) write_grid(group.id(), point.header.grid, point.header.units);
  hdf5::create_group(group.id(), std::string(kStepsGroup));
}

void ResultWriter::State::write_coordinates(const OpenPoint& run) const {
  std::vector<std::string> groups;
  for (const WrittenStep& step : run.written) groups.push_back(step.group);
  ResultAxes axes(file.id());
  axes.attach_steps(groups);
  write_series(file.id(), header.grid, run.written, axes);
  axes.finish();
}

void ResultWriter::State::write_table(OpenPoint& run) const {
  for (StepRows& step : run.rows) {
    if (const auto told = run.step_warnings.find(step.step); told != run.step_warnings.end())
      step.warnings = joined_lines(told->second);
    add_remark(step);
  }
  TableWriter rows(file.id(), header.units);
  rows.write(table_of_steps(run.rows), true);
  rows.finish();
}

// The first rank closes the file, all ranks write their rows, and the first rank reopens it.
void ResultWriter::State::share_rows(int number, const StepInput& input,
                                     const ContactSolution& solution) {
  const std::filesystem::path& path = pending.temporary_path();
  on_first_rank([&] { file.close("H5Fclose", path.string()); });
  std::string failure;
  try {
    hdf5::Handle shared;
    ranks::each([&] { shared = hdf5::open_shared(path); });
    {
      const hdf5::Handle steps = hdf5::open_group(shared.id(), std::string(kStepsGroup));
      write_step_rows(steps.id(), header, points.at(0).fields, number, input, solution);
    }
    ranks::each([&] { shared.close("H5Fclose", path.string()); });
  } catch (const Error& error) {
    if (!ranks::is_failure_shared()) throw;
    failure = error.what();
  }
  on_first_rank([&] {
    file = hdf5::change_file(path);
    if (failure.empty()) return;
    const hdf5::Handle steps = hdf5::open_group(file.id(), std::string(kStepsGroup));
    hdf5::remove_link(steps.id(), numbered_name(number));
  });
  if (!failure.empty())
    throw Error(pending.path().string() + ": the results could not be written: " + failure);
}

void ResultWriter::State::add_step(StepPlace place, const StepInput& input,
                                   const StepReport& report, std::vector<std::string> names) {
  OpenPoint& point = points.at(place.point);
  point.written.push_back({numbered_name(place.step), place.step, std::move(names)});
  point.rows.push_back(rows_of_step(place.step, input, report));
  if (report.touches_edge && place.point == 0) note_edge(place.step);
}

// Adds a step copied from `steps` in the file `part`.
void ResultWriter::State::add_copied(int number, hid_t steps, const std::filesystem::path& part) {
  const std::string name = numbered_name(number);
  const hdf5::Handle step = hdf5::open_group(steps, name);
  if (is_wheel_step(step.id())) {
    points.at(0).rows.push_back(rows_of_step(read_wheel_step(steps, name, part)));
    return;
  }
  std::vector<std::string> fields_there;
  for (const std::string& field : stored_field_names())
    if (hdf5::has_link(step.id(), field)) fields_there.push_back(field);
  StepInput input;
  StepReport report;
  read_step_attributes(step.id(), part, input, report);
  add_step(number, input, report, std::move(fields_there));
  points.at(0).rows.back().warnings = joined_lines(read_warnings(step.id()));
}

void ResultWriter::State::write_step_warnings(const OpenPoint& point) const {
  const hdf5::Handle steps = hdf5::open_group(file.id(), point.steps_group());
  for (const auto& [number, texts] : point.step_warnings)
    if (hdf5::has_link(steps.id(), numbered_name(number)))
      write_warnings(hdf5::open_group(steps.id(), numbered_name(number)).id(), texts);
}

void ResultWriter::State::complete_run(OpenPoint& run, bool whole) const {
  write_step_warnings(run);
  if (whole && !run.written.empty()) write_coordinates(run);
  if (!run.written.empty()) {
    const std::vector<WrittenStep> shown = whole ? run.written : std::vector{run.written.back()};
    if (!write_interior_vtk(file, std::string(kStepsGroup), shown))
      write_vtk(file, std::string(kStepsGroup), header.grid, shown);
  }
  if (whole && !run.rows.empty()) write_table(run);
  if (!whole) try_table(run);
}

// A run may have ended early because of a full disk, and HDF5 cannot close a file with unwritten
// data: the file then stays without a table.
void ResultWriter::State::try_table(OpenPoint& run) const {
  constexpr std::size_t kColumn = 4096;  // attributes, scale and references of a column
  constexpr std::size_t kRow = 512;      // keys and texts
  constexpr std::size_t kValue = 16;     // in its column, where other rows may have none
  std::size_t bytes = 0;
  std::size_t most = 0;
  std::size_t count = 0;
  for (const StepRows& step : run.rows) {
    bytes += 2 * (step.message.size() + step.warnings.size());
    for (const TableRow& row : step.rows) most = std::max(most, row.totals.size());
    count += step.rows.size();
  }
  bytes += count * (kRow + kValue * most);
  for (const auto& [number, texts] : run.step_warnings) bytes += 2 * joined_lines(texts).size();
  hdf5::flush(file);
  if (has_room(pending.temporary_path(), bytes + 2 * kColumn * total_names().size()))
    write_table(run);
}

void ResultWriter::State::complete(RunOutcome outcome) {
  const hid_t root = file.id();
  const bool whole = outcome != RunOutcome::incomplete;
  write_warnings(root, warnings);
  if (!header.sweep) complete_run(points.at(0), whole);
  if (table) table->finish();
  table.reset();
  hdf5::flush(file);
  if (whole) {  // incomplete until the end
    replace_outcome(root, outcome);
    hdf5::flush(file);
  }
  file.close("H5Fclose", pending.temporary_path().string());
}

ResultWriter::ResultWriter(const std::filesystem::path& path, const ResultHeader& header,
                           const OutputRule& rule, FieldChoice fields,
                           const std::filesystem::path& temporary)
    : state_(new State{PendingFile(path, FileKind::result, rule, temporary), header}) {
  const std::vector<std::string> known = stored_field_names();
  for (const std::string& name : fields.value_or(std::vector<std::string>()))
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError("there is no field \"" + name + "\" to write");
  if (!ranks::is_first()) state_->pending.leave_to_another();
  if (!header.sweep) state_->points[0] = {point_group(0), header, std::move(fields)};
  state_->on_first_rank([&] {
    state_->file = hdf5::create_file(state_->pending.temporary_path());
    if (header.sweep)
      write_result_header(state_->file.id(), header, kSweepFileType);
    else
      state_->make_group(state_->points.at(0));
    hdf5::flush(state_->file);
  });
}

ResultWriter::~ResultWriter() {
  if (!state_) return;
  state_->table.reset();
  state_->file.discard();
}

const std::filesystem::path& ResultWriter::path() const { return state_->pending.path(); }
int ResultWriter::steps_written() const {
  return static_cast<int>(state_->points.at(0).written.size());
}

void ResultWriter::write_step(StepPlace place, const StepInput& input, const StepReport& report,
                              const ContactSolution& solution, InteriorField* interior) {
  const State::OpenPoint& point = state_->points.at(place.point);
  state_->on_first_rank([&] {
    state_->in_new_group(place, [&](const hdf5::Handle& steps) {
      write_step_group(steps.id(), point.header, point.fields, place.step, input, report, solution);
      if (interior != nullptr) {
        const hdf5::Handle step = hdf5::open_group(steps.id(), numbered_name(place.step));
        write_interior(step.id(), point.header.units, *interior);
      }
    });
  });
  if (state_->header.rows) state_->share_rows(place.step, input, solution);
  std::vector<std::string> fields = point.fields_of(input);
  for (const FieldEntry& entry : surface_field_table())
    if (!(solution.*(entry.values)).empty() && writes_field(point.fields, entry.name))
      fields.emplace_back(entry.name);
  state_->add_step(place, input, report, std::move(fields));
  if (interior == nullptr) return;
  StepReport with_interior = report;
  with_interior.interior = interior->summaries();
  state_->points.at(place.point).rows.back() = rows_of_step(place.step, input, with_interior);
}

void ResultWriter::write_step(StepPlace place, const StepInput& input, const StepReport& report,
                              const FieldSource& source) {
  const State::OpenPoint& point = state_->points.at(place.point);
  state_->guarded([&] {
    state_->in_new_group(place, [&](const hdf5::Handle& steps) {
      write_step_group(steps.id(), point.header, point.fields, place.step, input, report, source);
    });
  });
  state_->add_step(place, input, report, point.fields_of(input));
}

void ResultWriter::write_step(StepPlace place, SolvedWheelset& wheelset,
                              const std::vector<std::string>& warnings,
                              const InteriorMaker& interior) {
  State::OpenPoint& point = state_->points.at(place.point);
  state_->guarded([&] {
    state_->in_new_group(place, [&](const hdf5::Handle& steps) {
      write_wheel_step(steps.id(), point.header, point.fields, place.step, wheelset, warnings,
                       interior);
    });
  });
  WheelRecord record = wheel_record(place.step, wheelset);
  record.warnings = warnings;
  point.rows.push_back(rows_of_step(record));
}

void ResultWriter::export_steps(int first, int last, const std::filesystem::path& part) const {
  const hdf5::Handle steps = hdf5::open_group(state_->file.id(), std::string(kStepsGroup));
  hdf5::Handle file = hdf5::change_file(part);
  {
    const hdf5::Handle copies = hdf5::open_group(file.id(), std::string(kStepsGroup));
    for (int number = first; number <= last; ++number) {
      const std::string name = numbered_name(number);
      if (hdf5::has_link(steps.id(), name)) hdf5::copy_group(steps.id(), name, copies.id(), name);
    }
  }
  file.close("H5Fclose", part.string());
}

void ResultWriter::import_steps(const std::filesystem::path& part, int last) {
  try_in_child(part, [&] {
    read_guarded(part,
                 [&] { hdf5::read_group(hdf5::open_file(part).id(), std::string(kStepsGroup)); });
  });
  const hdf5::Handle file = hdf5::open_file(part);
  const hdf5::Handle copies = hdf5::open_group(file.id(), std::string(kStepsGroup));
  std::vector<int> numbers;
  for (const std::string& name : hdf5::link_names(copies.id()))
    numbers.push_back(step_number(name, part));
  std::sort(numbers.begin(), numbers.end());
  for (const int number : numbers) {
    if (number > last) break;
    state_->guarded([&] {
      state_->in_new_group(number, [&](const hdf5::Handle& steps) {
        const std::string name = numbered_name(number);
        hdf5::copy_group(copies.id(), name, steps.id(), name);
        const hdf5::Handle step = hdf5::open_group(steps.id(), name);
        if (is_wheel_step(step.id())) write_copied_axes(step.id());
      });
    });
    state_->add_copied(number, copies.id(), part);
  }
}

void ResultWriter::begin_point(int point, const ResultHeader& header, FieldChoice fields) {
  state_->guarded([&] {
    const hdf5::Handle made = state_->points_group();
    state_->points[point] = {point_group(point), header, std::move(fields)};
    state_->make_group(state_->points.at(point));
  });
}

void ResultWriter::finish_point(int point, RunOutcome outcome,
                                const std::vector<std::string>& warnings) {
  state_->guarded([&] {
    const State::OpenPoint& open = state_->points.at(point);
    const hdf5::Handle group = hdf5::open_group(state_->file.id(), open.group);
    write_warnings(group.id(), warnings);
    state_->write_step_warnings(open);
    if (!open.is_wheel()) attach_point_axes(group.id());  // a wheel's contacts have them
    replace_outcome(group.id(), outcome);
  });
  state_->points.erase(point);
}

void ResultWriter::drop_point(int point) noexcept {
  if (state_->points.erase(point) > 0) hdf5::remove_link(state_->file.id(), point_group(point));
}

void ResultWriter::write_part(const std::filesystem::path& part, const SweepTable& table,
                              const std::vector<int>& points) {
  ResultHeader header = state_->header;
  header.sweep->points = table.points();
  ResultWriter copy(part, header, Overwrite::allow);
  copy.state_->is_part = true;
  copy.state_->guarded([&] {
    for (const int point : points) {
      const std::string name = numbered_name(point);
      if (!hdf5::has_link(state_->file.id(), std::string(kPointsGroup))) break;
      const hdf5::Handle ours = state_->points_group();
      if (hdf5::has_link(ours.id(), name))
        hdf5::copy_group(ours.id(), name, copy.state_->points_group().id(), name);
    }
  });
  copy.write_rows(table);
  copy.finish(RunOutcome::incomplete);
}

void ResultWriter::import_point(const std::filesystem::path& part, int point) {
  if (!state_->tried.contains(part)) {
    try_in_child(part, [&] {
      read_guarded(
          part, [&] { hdf5::read_group(hdf5::open_file(part).id(), std::string(kPointsGroup)); });
    });
    state_->tried.insert(part);
  }
  const hdf5::Handle file = hdf5::open_file(part);
  const hdf5::Handle theirs = hdf5::open_group(file.id(), std::string(kPointsGroup));
  state_->guarded([&] {
    const std::string name = numbered_name(point);
    const hdf5::Handle ours = state_->points_group();
    hdf5::copy_group(theirs.id(), name, ours.id(), name);
    attach_point_axes(hdf5::open_group(ours.id(), name).id());
  });
}

void ResultWriter::write_rows(const SweepTable& block) {
  const SweepLayout& layout = *state_->header.sweep;
  state_->guarded([&] {
    if (!state_->table) {
      state_->table.emplace(state_->file.id(), state_->header.units);
      state_->table->describe(layout);
    }
    state_->table->write(block, block.points() == layout.points);
  });
  for (const std::size_t row : block.steps())
    if (block.touches_edge[row] != 0) state_->note_edge(block.keys[row].point);
}

void ResultWriter::warn(StepPlace place, const std::string& text) {
  std::vector<std::string>& texts = state_->points.at(place.point).step_warnings[place.step];
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
}

void ResultWriter::set_warnings(std::vector<std::string> warnings) {
  state_->warnings = std::move(warnings);
}

std::string ResultWriter::edge_warning() const {
  if (state_->at_edge == 0) return {};
  const std::string what = state_->header.sweep ? "point" : "step";
  const std::string of_them = state_->header.sweep ? " points" : " of the steps";
  if (state_->at_edge == 1)
    return fmt::format("{} (in {} {})", kEdgeWarning, what, state_->first_at_edge);
  return fmt::format("{} ({}{}, first in {} {})", kEdgeWarning, state_->at_edge, of_them, what,
                     state_->first_at_edge);
}

void ResultWriter::finish(RunOutcome outcome) {
  ranks::each([&] {
    if (!ranks::is_first()) return;
    try {
      state_->guarded([&] {
        if (const std::string edge = edge_warning(); !edge.empty())
          hdf5::write_attribute(state_->file.id(), "warning", edge);
        state_->complete(outcome);
      });
    } catch (const Error& error) {
      if (state_->header.sweep || state_->points.at(0).rows.empty()) throw;
      state_->pending.keep();
      throw Error(fmt::format("{}; what could be written is in {}", error.what(),
                              state_->pending.temporary_path().string()));
    }
    if (state_->is_part)
      state_->pending.append(checksum_end(state_->pending.temporary_path()), "checkpoint");
    state_->pending.commit();
  });
}

}  // namespace slipfield
