// SPDX-License-Identifier: Apache-2.0
#include "io/result/wheel/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/hdf5/handle.h"
#include "io/result/header.h"
#include "io/result/parts.h"
#include "io/result/step_attributes.h"
#include "io/result/warnings.h"
#include "io/result/wheel/step_group.h"

namespace slipfield {
namespace {

void read_patch(hid_t group, const std::filesystem::path& path, WheelRecord& record) {
  StepInput input;
  StepReport report;
  read_step_attributes(group, path, input, report);
  NamedNumbers numbers = step_numbers(input, report);
  for (const PatchEntry& entry : patch_table()) {
    const std::string key(entry.name);
    numbers[key] = hdf5::read_double_attribute(group, key);
  }
  record.patches.push_back(std::move(numbers));
  record.patch_sides.push_back(hdf5::read_string_attribute(group, "side"));
  record.touches_edge = record.touches_edge || report.touches_edge;
}

WheelRecord read_step(hid_t steps, const std::string& name, const std::filesystem::path& path) {
  const hdf5::Handle group = hdf5::open_group(steps, name);
  WheelRecord record;
  record.number = step_number(name, path);
  record.outcome = hdf5::read_string_attribute(group.id(), "outcome") == "converged"
                       ? Outcome::converged
                       : Outcome::not_converged;
  record.message = optional_text(group.id(), "message");
  record.warnings = read_warnings(group.id());
  // Every step has the axle's height; the rest depends on what was asked for, and when.
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
    read_patch(contact.id(), path, record);
  }
  return record;
}

}  // namespace

const WheelRecord& WheelFile::step(int number) const {
  if (number == 0) return steps.back();
  for (const WheelRecord& record : steps)
    if (record.number == number) return record;
  throw InputError(path.string() + ": there is no step " + std::to_string(number) +
                   "; the file holds " + std::to_string(steps.size()) + " steps from " +
                   std::to_string(steps.front().number) + " to " +
                   std::to_string(steps.back().number));
}

WheelFile read_wheel_file(const std::filesystem::path& path) {
  return read_untrusted(path, [&] {
    const hdf5::Handle file = open_result(path);
    check_file_type(file.id(), path, kWheelFileType);
    WheelFile wheel;
    wheel.path = path;
    wheel.info = read_result_info(file.id(), path);
    const hdf5::Handle steps = hdf5::open_group(file.id(), std::string(kStepsGroup));
    for (const std::string& name : hdf5::link_names(steps.id()))
      wheel.steps.push_back(read_step(steps.id(), name, path));
    if (wheel.steps.empty()) throw InputError(path.string() + ": the result has no steps");
    std::sort(wheel.steps.begin(), wheel.steps.end(),
              [](const WheelRecord& a, const WheelRecord& b) { return a.number < b.number; });
    return wheel;
  });
}

}  // namespace slipfield
