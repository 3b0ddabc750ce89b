// SPDX-License-Identifier: Apache-2.0
#include "io/result/wheel/writer.h"

#include <utility>

#include "io/hdf5/handle.h"
#include "io/result/axes/axes.h"
#include "io/result/interior/group.h"
#include "io/result/parts.h"
#include "io/result/sweep_table.h"
#include "io/result/table_writer.h"
#include "io/result/warnings.h"
#include "solver/wheel_rail/wheelset/wheelset_solver.h"

namespace slipfield {
namespace {

void write_patch(hid_t group, SolvedPatch& patch, ResultHeader header, const FieldChoice& fields,
                 const WheelWriter::InteriorMaker& make_interior) {
  header.grid = patch.patch.grid;
  for (const PatchEntry& entry : patch_table())
    hdf5::write_attribute(group, std::string(entry.name), entry.get(patch));
  write_grid(group, header.grid, header.units);
  write_contact(group, header, fields, patch.input, patch.report, patch.solution);
  if (auto interior = make_interior ? make_interior(patch) : std::nullopt) {
    write_interior(group, header.units, *interior);
    patch.report.interior = interior->summaries();
  }
  write_contact_axes(group);
}

}  // namespace

std::string contact_path(int contact) {
  return std::string(kContactsGroup) + "/" + std::to_string(contact);
}

struct WheelWriter::State {
  PendingFile pending;
  ResultHeader header;
  FieldChoice fields;
  std::vector<StepRows> rows{};
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
    hdf5::write_attribute(step.id(), "side", side_name(wheelset));
    for (const auto& [name, value] : wheelset_numbers(wheelset))
      hdf5::write_attribute(step.id(), name, value);
    write_warnings(step.id(), warnings);
    const hdf5::Handle contacts = hdf5::create_group(step.id(), std::string(kContactsGroup));
    int number_in_step = 0;
    for (SolvedWheel& wheel : wheelset.wheels) {
      std::int64_t number_of_side = 0;
      for (SolvedPatch& patch : wheel.patches) {
        const hdf5::Handle group =
            hdf5::create_group(contacts.id(), std::to_string(++number_in_step));
        hdf5::write_attribute(group.id(), "side", side_name(wheel.side));
        hdf5::write_attribute(group.id(), "contact", ++number_of_side);
        write_patch(group.id(), patch, state_->header, state_->fields, interior);
        write_warnings(group.id(), warnings_of_contact(warnings, number_in_step));
      }
    }
    hdf5::flush(state_->file);
  });
  WheelRecord record = wheel_record(number, wheelset);
  record.warnings = warnings;
  state_->rows.push_back(rows_of_step(record));
}

void WheelWriter::import_step(const std::filesystem::path& from, const WheelRecord& record) {
  const hdf5::Handle file = hdf5::open_file(from);
  const hdf5::Handle copies = hdf5::open_group(file.id(), std::string(kStepsGroup));
  guarded_write(state_->pending.path(), [&] {
    const hdf5::Handle steps = hdf5::open_group(state_->file.id(), std::string(kStepsGroup));
    const std::string name = numbered_name(record.number);
    hdf5::copy_group(copies.id(), name, steps.id(), name);
    // A copy does without what refers to places in its file.
    const hdf5::Handle contacts =
        hdf5::open_group(steps.id(), name + "/" + std::string(kContactsGroup));
    for (const std::string& contact : hdf5::link_names(contacts.id()))
      write_contact_axes(hdf5::open_group(contacts.id(), contact).id());
    hdf5::flush(state_->file);
  });
  state_->rows.push_back(rows_of_step(record));
}

void WheelWriter::finish(RunOutcome outcome, const std::vector<std::string>& warnings) {
  guarded_write(state_->pending.path(), [&] {
    write_warnings(state_->file.id(), warnings);
    if (outcome != RunOutcome::incomplete) {
      TableWriter table(state_->file.id(), state_->header.units);
      table.write(table_of_steps(state_->rows), true);
      table.finish();
      replace_outcome(state_->file.id(), outcome);
    }
    hdf5::flush(state_->file);
    state_->file.close("H5Fclose", state_->pending.temporary_path().string());
  });
  state_->pending.commit();
}

}  // namespace slipfield
