// SPDX-License-Identifier: Apache-2.0
#include "io/result/wheel/step_group.h"

#include <optional>

#include "io/result/axes/axes.h"
#include "io/result/interior/group.h"
#include "io/result/parts.h"
#include "io/result/warnings.h"
#include "solver/wheel_rail/wheelset/wheelset_solver.h"

namespace slipfield {
namespace {

void write_patch(hid_t group, SolvedPatch& patch, ResultHeader header, const FieldChoice& fields,
                 const InteriorMaker& make_interior) {
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

void write_wheel_step(hid_t steps, const ResultHeader& header, const FieldChoice& fields,
                      int number, SolvedWheelset& wheelset,
                      const std::vector<std::string>& warnings, const InteriorMaker& interior) {
  const hdf5::Handle step = hdf5::create_group(steps, numbered_name(number));
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
      write_patch(group.id(), patch, header, fields, interior);
      write_warnings(group.id(), warnings_of_contact(warnings, number_in_step));
    }
  }
}

void write_copied_axes(hid_t step) {
  const hdf5::Handle contacts = hdf5::open_group(step, std::string(kContactsGroup));
  for (const std::string& contact : hdf5::link_names(contacts.id()))
    write_contact_axes(hdf5::open_group(contacts.id(), contact).id());
}

}  // namespace slipfield
