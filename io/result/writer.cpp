// SPDX-License-Identifier: Apache-2.0
#include "io/result/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "io/hdf5/handle.h"
#include "io/hdf5/ranks/shared_file.h"
#include "io/result/axes/axes.h"
#include "io/result/axes/series.h"
#include "io/result/field_table.h"
#include "io/result/header.h"
#include "io/result/interior/group.h"
#include "io/result/interior/vtk.h"
#include "io/result/parts.h"
#include "io/result/step_attributes.h"
#include "io/result/surface/table.h"
#include "io/result/sweep_table.h"
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

struct ResultWriter::State {
  PendingFile pending;
  ResultHeader header;
  FieldChoice fields;
  hdf5::Handle file{};  // closed before `pending` removes or moves the file
  std::vector<WrittenStep> written{};
  std::vector<StepRows> rows{};
  std::vector<int> edge_steps{};
  std::map<int, std::vector<std::string>> step_warnings{};
  std::vector<std::string> warnings{};

  void complete(RunOutcome outcome);
  void write_coordinates();
  void write_table();
  void write_all_warnings();
  void add_step(int number, const StepInput& input, const StepReport& report,
                std::vector<std::string> names);
  void add_copied(int number, hid_t steps, const std::filesystem::path& part);
  void share_rows(int number, const StepInput& input, const ContactSolution& solution);

  [[nodiscard]] std::vector<std::string> written_fields(const StepInput& input) const {
    std::vector<std::string> names;
    for (const std::string& name : field_names(input))
      if (writes_field(fields, name)) names.push_back(name);
    return names;
  }

  template <typename Write>
  void guarded(Write write) {
    guarded_write(pending.path(), write);
  }
  // write(group of the steps), which makes that of this step: it is there whole or not at all.
  template <typename Write>
  void in_new_group(int number, Write write) {
    const hdf5::Handle steps = hdf5::open_group(file.id(), std::string(kStepsGroup));
    try {
      write(steps);
      hdf5::flush(file);
    } catch (const Error&) {
      hdf5::remove_link(steps.id(), numbered_name(number));
      throw;
    }
  }
  // The first rank has the file open, the others nothing.
  template <typename Write>
  void on_first_rank(Write write) {
    ranks::each([&] {
      if (ranks::is_first()) guarded(write);
    });
  }
};

void ResultWriter::State::write_coordinates() {
  std::vector<std::string> groups;
  for (const WrittenStep& step : written) groups.push_back(step.group);
  ResultAxes axes(file.id());
  axes.attach_steps(groups);
  write_series(file.id(), header.grid, written, axes);
  axes.finish();
}

void ResultWriter::State::write_table() {
  for (StepRows& step : rows)
    if (const auto told = step_warnings.find(step.step); told != step_warnings.end())
      step.warnings = joined_lines(told->second);
  TableWriter table(file.id(), header.units);
  table.write(table_of_steps(rows), true);
  table.finish();
}

// The first rank lets go of the file, all of them write their rows, and it takes the file up again.
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
      write_step_rows(steps.id(), header, fields, number, input, solution);
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

void ResultWriter::State::add_step(int number, const StepInput& input, const StepReport& report,
                                   std::vector<std::string> names) {
  written.push_back({numbered_name(number), number, std::move(names)});
  rows.push_back(rows_of_step(number, input, report));
  if (report.touches_edge) edge_steps.push_back(number);
}

// Of `steps` in the file `part`, from which the step was copied.
void ResultWriter::State::add_copied(int number, hid_t steps, const std::filesystem::path& part) {
  const std::string name = numbered_name(number);
  const hdf5::Handle step = hdf5::open_group(steps, name);
  if (is_wheel_step(step.id())) {
    rows.push_back(rows_of_step(read_wheel_step(steps, name, part)));
    return;
  }
  std::vector<std::string> fields_there;
  for (const std::string& field : stored_field_names())
    if (hdf5::has_link(step.id(), field)) fields_there.push_back(field);
  StepInput input;
  StepReport report;
  read_step_attributes(step.id(), part, input, report);
  add_step(number, input, report, std::move(fields_there));
  rows.back().warnings = joined_lines(read_warnings(step.id()));
}

void ResultWriter::State::write_all_warnings() {
  write_warnings(file.id(), warnings);
  const hdf5::Handle steps = hdf5::open_group(file.id(), std::string(kStepsGroup));
  for (const auto& [number, texts] : step_warnings)
    if (hdf5::has_link(steps.id(), numbered_name(number)))
      write_warnings(hdf5::open_group(steps.id(), numbered_name(number)).id(), texts);
}

void ResultWriter::State::complete(RunOutcome outcome) {
  const hid_t root = file.id();
  if (!edge_steps.empty())
    hdf5::write_attribute(root, "warning",
                          fmt::format("{} ({} of the steps, first in step {})", kEdgeWarning,
                                      edge_steps.size(), edge_steps.front()));
  write_all_warnings();
  // A run that ended early may have done so on a full disk: links take next to no space.
  const bool whole = outcome != RunOutcome::incomplete;
  if (whole && !written.empty()) write_coordinates();
  if (whole && !rows.empty()) write_table();
  if (!written.empty()) {
    const std::vector<WrittenStep> shown = whole ? written : std::vector{written.back()};
    if (!write_interior_vtk(file, std::string(kStepsGroup), shown))
      write_vtk(file, std::string(kStepsGroup), header.grid, shown);
  }
  hdf5::flush(file);
  if (whole) {  // it is incomplete from its beginning on
    replace_outcome(root, outcome);
    hdf5::flush(file);
  }
  file.close("H5Fclose", pending.temporary_path().string());
}

ResultWriter::ResultWriter(const std::filesystem::path& path, const ResultHeader& header,
                           const OutputRule& rule, FieldChoice fields,
                           const std::filesystem::path& temporary)
    : state_(new State{PendingFile(path, FileKind::result, rule, temporary), header,
                       std::move(fields)}) {
  const std::vector<std::string> known = stored_field_names();
  for (const std::string& name : state_->fields.value_or(std::vector<std::string>()))
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError("there is no field \"" + name + "\" to write");
  if (!ranks::is_first()) state_->pending.leave_to_another();
  state_->on_first_rank([&] {
    state_->file = hdf5::create_file(state_->pending.temporary_path());
    const hid_t root = state_->file.id();
    const bool wheel = header.grid.count() == 0;  // each contact has a grid of its own
    write_result_header(root, header, wheel ? kWheelFileType : kResultFileType);
    if (!wheel) write_grid(root, header.grid, header.units);
    hdf5::create_group(root, std::string(kStepsGroup));
    hdf5::flush(state_->file);
  });
}

ResultWriter::~ResultWriter() {
  if (state_) state_->file.discard();
}

const std::filesystem::path& ResultWriter::path() const { return state_->pending.path(); }
int ResultWriter::steps_written() const { return static_cast<int>(state_->written.size()); }

void ResultWriter::write_step(int number, const StepInput& input, const StepReport& report,
                              const ContactSolution& solution, InteriorField* interior) {
  state_->on_first_rank([&] {
    state_->in_new_group(number, [&](const hdf5::Handle& steps) {
      write_step_group(steps.id(), state_->header, state_->fields, number, input, report, solution);
      if (interior != nullptr) {
        const hdf5::Handle step = hdf5::open_group(steps.id(), numbered_name(number));
        write_interior(step.id(), state_->header.units, *interior);
      }
    });
  });
  if (state_->header.rows) state_->share_rows(number, input, solution);
  std::vector<std::string> fields = state_->written_fields(input);
  for (const FieldEntry& entry : surface_field_table())
    if (!(solution.*(entry.values)).empty() && writes_field(state_->fields, entry.name))
      fields.emplace_back(entry.name);
  state_->add_step(number, input, report, std::move(fields));
  if (interior == nullptr) return;
  StepReport with_interior = report;
  with_interior.interior = interior->summaries();
  state_->rows.back() = rows_of_step(number, input, with_interior);
}

void ResultWriter::write_step(int number, const StepInput& input, const StepReport& report,
                              const FieldSource& source) {
  state_->guarded([&] {
    state_->in_new_group(number, [&](const hdf5::Handle& steps) {
      write_step_group(steps.id(), state_->header, state_->fields, number, input, report, source);
    });
  });
  state_->add_step(number, input, report, state_->written_fields(input));
}

void ResultWriter::write_step(int number, SolvedWheelset& wheelset,
                              const std::vector<std::string>& warnings,
                              const InteriorMaker& interior) {
  state_->guarded([&] {
    state_->in_new_group(number, [&](const hdf5::Handle& steps) {
      write_wheel_step(steps.id(), state_->header, state_->fields, number, wheelset, warnings,
                       interior);
    });
  });
  WheelRecord record = wheel_record(number, wheelset);
  record.warnings = warnings;
  state_->rows.push_back(rows_of_step(record));
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

void ResultWriter::warn(int step, const std::string& text) {
  std::vector<std::string>& texts = state_->step_warnings[step];
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
}

void ResultWriter::set_warnings(std::vector<std::string> warnings) {
  state_->warnings = std::move(warnings);
}

void ResultWriter::finish(RunOutcome outcome) {
  ranks::each([&] {
    if (!ranks::is_first()) return;
    try {
      state_->guarded([&] { state_->complete(outcome); });
    } catch (const Error& error) {
      if (state_->rows.empty()) throw;
      state_->pending.keep();
      throw Error(fmt::format("{}; what could be written is in {}", error.what(),
                              state_->pending.temporary_path().string()));
    }
    state_->pending.commit();
  });
}

}  // namespace slipfield
