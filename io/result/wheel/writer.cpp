// SPDX-License-Identifier: Apache-2.0
#include "io/result/wheel/writer.h"

#include <utility>

#include "io/hdf5/handle.h"
#include "io/result/axes/axes.h"
#include "io/result/axes/series.h"
#include "io/result/interior/group.h"
#include "io/result/parts.h"
#include "io/result/warnings.h"
#include "solver/wheel_rail/wheelset/wheelset_solver.h"

namespace slipfield {
namespace {

void write_patch(hid_t step, int number, int patch_number, SolvedPatch& patch, ResultHeader header,
                 const FieldChoice& fields, const WheelWriter::InteriorMaker& make_interior) {
  const hdf5::Handle group = hdf5::create_group(step, patch_name(patch_number));
  header.grid = patch.patch.grid;
  header.source = nullptr;  // once in a file
  write_result_header(group.id(), header, kResultFileType);
  for (const PatchEntry& entry : patch_table())
    hdf5::write_attribute(group.id(), std::string(entry.name), entry.get(patch));
  write_grid(group.id(), header.grid, header.units);
  const hdf5::Handle steps = hdf5::create_group(group.id(), std::string(kStepsGroup));
  write_step_group(steps.id(), header, fields, number, patch.input, patch.report, patch.solution);
  if (auto interior = make_interior ? make_interior(patch) : std::nullopt) {
    const hdf5::Handle written = hdf5::open_group(steps.id(), numbered_name(number));
    write_interior(written.id(), header.units, *interior);
    patch.report.interior = interior->summaries();
  }
  write_axes(group.id(), {numbered_name(number)});
  replace_outcome(group.id(), patch.report.outcome == Outcome::converged
                                  ? RunOutcome::converged
                                  : RunOutcome::not_converged);
}

std::vector<std::string> warnings_of_patch(const std::vector<std::string>& warnings, int patch) {
  const std::string start = "patch " + std::to_string(patch) + ": ";
  std::vector<std::string> own;
  for (const std::string& warning : warnings)
    if (warning.starts_with(start)) own.push_back(warning.substr(start.size()));
  return own;
}

}  // namespace

std::string patch_name(int patch) { return "patch_" + std::to_string(patch); }

struct WheelWriter::State {
  PendingFile pending;
  ResultHeader header;
  FieldChoice fields;
  Series series{};
  hdf5::Handle file{};  // closed before `pending` removes or moves the file
};

WheelWriter::WheelWriter(const std::filesystem::path& path, const ResultHeader& header,
                         const OutputRule& rule, FieldChoice fields,
                         const std::filesystem::path& temporary)
    : state_(new State{PendingFile(path, FileKind::result, rule, temporary), header,
                       std::move(fields)}) {
  guarded_write(state_->pending.path(), [&] {
    state_->file = hdf5::create_file(state_->pending.temporary_path());
    write_result_header(state_->file.id(), header, kWheelFileType);
    hdf5::create_group(state_->file.id(), std::string(kStepsGroup));
    hdf5::flush(state_->file);
  });
}

WheelWriter::~WheelWriter() { state_->file.discard(); }

const std::filesystem::path& WheelWriter::path() const { return state_->pending.path(); }

void WheelWriter::write_step(int number, SolvedWheelset& wheelset,
                             const std::vector<std::string>& warnings,
                             const InteriorMaker& interior) {
  guarded_write(state_->pending.path(), [&] {
    const hdf5::Handle steps = hdf5::open_group(state_->file.id(), std::string(kStepsGroup));
    const hdf5::Handle step = hdf5::create_group(steps.id(), numbered_name(number));
    hdf5::write_attribute(step.id(), "outcome", outcome_name(wheelset.outcome));
    if (!wheelset.message.empty()) hdf5::write_attribute(step.id(), "message", wheelset.message);
    for (const auto& [name, value] : wheelset_numbers(wheelset))
      hdf5::write_attribute(step.id(), name, value);
    int patch_number = 0;
    for (SolvedWheel& wheel : wheelset.wheels)
      for (SolvedPatch& patch : wheel.patches)
        write_patch(step.id(), number, ++patch_number, patch, state_->header, state_->fields,
                    interior);
    write_warnings(step.id(), warnings);
    for (int patch = 1; patch <= patch_number; ++patch)
      write_warnings(hdf5::open_group(step.id(), patch_name(patch)).id(),
                     warnings_of_patch(warnings, patch));
    hdf5::flush(state_->file);
  });
  state_->series.add(number, wheelset.outcome, wheelset_numbers(wheelset));
}

void WheelWriter::import_step(const std::filesystem::path& from, const WheelRecord& record) {
  const hdf5::Handle file = hdf5::open_file(from);
  const hdf5::Handle copies = hdf5::open_group(file.id(), std::string(kStepsGroup));
  guarded_write(state_->pending.path(), [&] {
    const hdf5::Handle steps = hdf5::open_group(state_->file.id(), std::string(kStepsGroup));
    hdf5::copy_group(copies.id(), numbered_name(record.number), steps.id(),
                     numbered_name(record.number));
    // A copy does without what refers to places in its file.
    const hdf5::Handle step = hdf5::open_group(steps.id(), numbered_name(record.number));
    for (const std::string& patch : hdf5::link_names(step.id()))
      if (patch.starts_with("patch_"))
        write_axes(hdf5::open_group(step.id(), patch).id(), {numbered_name(record.number)});
    hdf5::flush(state_->file);
  });
  state_->series.add(record.number, record.outcome, record.wheel);
}

void WheelWriter::finish(RunOutcome outcome, const std::vector<std::string>& warnings) {
  guarded_write(state_->pending.path(), [&] {
    write_warnings(state_->file.id(), warnings);
    if (outcome != RunOutcome::incomplete) {
      state_->series.write_numbers(state_->file.id(), state_->header.units);
      replace_outcome(state_->file.id(), outcome);
    }
    hdf5::flush(state_->file);
    state_->file.close("H5Fclose", state_->pending.temporary_path().string());
  });
  state_->pending.commit();
}

}  // namespace slipfield
