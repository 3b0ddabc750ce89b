// SPDX-License-Identifier: Apache-2.0
#include "io/result/wheel/step_group.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "io/result/axes/axes.h"
#include "io/result/header.h"
#include "io/result/interior/group.h"
#include "io/result/parts.h"
#include "io/result/step_attributes.h"
#include "io/result/warnings.h"
#include "solver/wheel_rail/wheelset/wheelset_solver.h"

namespace slipfield {
namespace {

void write_wheel_contact(hid_t group, SolvedPatch& one, ResultHeader header,
                         const FieldChoice& fields, const InteriorMaker& make_interior) {
  header.grid = one.patch.grid;
  for (const ContactEntry& entry : contact_table())
    hdf5::write_attribute(group, std::string(entry.name), entry.get(one));
  write_grid(group, header.grid, header.units);
  write_contact(group, header, fields, one.input, one.report, one.solution);
  if (auto interior = make_interior ? make_interior(one) : std::nullopt) {
    write_interior(group, header.units, *interior);
    one.report.interior = interior->summaries();
  }
  write_contact_axes(group);
}

void read_contact(hid_t group, const std::filesystem::path& path, WheelRecord& record) {
  StepInput input;
  StepReport report;
  read_step_attributes(group, path, input, report);
  NamedNumbers numbers = step_numbers(input, report);
  for (const ContactEntry& entry : contact_table()) {
    const std::string key(entry.name);
    numbers[key] = hdf5::read_double_attribute(group, key);
  }
  record.contacts.push_back(std::move(numbers));
  record.contact_sides.push_back(hdf5::read_string_attribute(group, "side"));
  record.touches_edge = record.touches_edge || report.touches_edge;
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
  write_warnings(step.id(), warnings);
  const hdf5::Handle contacts = hdf5::create_group(step.id(), std::string(kContactsGroup));
  int number_in_step = 0;
  for (SolvedWheel& wheel : wheelset.wheels) {
    std::int64_t number_of_side = 0;
    for (SolvedPatch& one : wheel.patches) {
      const hdf5::Handle group =
          hdf5::create_group(contacts.id(), std::to_string(++number_in_step));
      hdf5::write_attribute(group.id(), "side", side_name(wheel.side));
      hdf5::write_attribute(group.id(), "contact", ++number_of_side);
      write_wheel_contact(group.id(), one, header, fields, interior);
      write_warnings(group.id(), warnings_of_contact(warnings, number_in_step));
    }
  }
  // Includes the numbers of the contacts' interiors, which are known by now.
  for (const auto& [name, value] : wheel_record(number, wheelset).totals())
    hdf5::write_attribute(step.id(), name, value);
}

WheelRecord read_wheel_step(hid_t steps, const std::string& name,
                            const std::filesystem::path& path) {
  const hdf5::Handle group = hdf5::open_group(steps, name);
  WheelRecord record;
  record.number = step_number(name, path);
  record.outcome = hdf5::read_string_attribute(group.id(), "outcome") == "converged"
                       ? Outcome::converged
                       : Outcome::not_converged;
  record.message = optional_text(group.id(), "message");
  record.warnings = read_warnings(group.id());
  // Every step has the axle's height; the rest depends on the request and the program's version.
  for (const std::string& key : wheel_entry_names())
    if (key == "axle_z" || hdf5::has_attribute(group.id(), key))
      record.wheel[key] = hdf5::read_double_attribute(group.id(), key);
  const auto require_today = [&](hid_t object, const std::string& key) {
    if (!hdf5::has_attribute(object, key))
      throw InputError(fmt::format(
          "{}: this wheel on a rail has no {}, as those of earlier programs; accepted: the case, "
          "run again",
          path.string(), key));
  };
  require_today(group.id(), "side");
  record.side = hdf5::read_string_attribute(group.id(), "side");
  for (int number = 1; hdf5::has_link(group.id(), contact_path(number)); ++number) {
    const hdf5::Handle contact = hdf5::open_group(group.id(), contact_path(number));
    require_today(contact.id(), "contact_track_force_x");
    read_contact(contact.id(), path, record);
  }
  return record;
}

bool is_wheel_step(hid_t step) { return hdf5::has_link(step, std::string(kContactsGroup)); }

void write_copied_axes(hid_t step) {
  const hdf5::Handle contacts = hdf5::open_group(step, std::string(kContactsGroup));
  for (const std::string& contact : hdf5::link_names(contacts.id()))
    write_contact_axes(hdf5::open_group(contacts.id(), contact).id());
}

}  // namespace slipfield
