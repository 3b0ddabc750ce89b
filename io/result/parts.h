// SPDX-License-Identifier: Apache-2.0
// The parts of a result: in the root of its file and, if fields are requested, in each point of a
// sweep. Names, units and descriptions are those of field_table.h.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "io/hdf5/handle.h"
#include "io/hdf5/one_thread.h"
#include "io/result/writer.h"

namespace slipfield {

inline constexpr std::string_view kStepsGroup = "steps";
inline constexpr std::string_view kPointsGroup = "points";      // of a sweep
inline constexpr std::string_view kContactsGroup = "contacts";  // of a step of a wheel
inline constexpr std::string_view kSourceName = "case_source";
inline constexpr std::string_view kFilesName = "case_files";

// Runs `write` and converts a failure to one sentence with the file's name and the reason.
template <typename Write>
void guarded_write(const std::filesystem::path& path, Write write) {
  hdf5::prepare();  // whichever thread this is
  try {
    write();
  } catch (const Hdf5Error& error) {
    throw Error(path.string() + ": the results could not be written: " + error.reason());
  }
}

// "2026-01-01T00:00:00Z".
std::string utc_now();

// "0001", "0002", ...: the group of a step or point.
std::string numbered_name(int number);
// "/points/0001"; "/" for 0, a plain run.
std::string point_group(int point);
bool writes_field(const FieldChoice& fields, std::string_view name);

// Attributes `units` and `description`; closes the dataset.
void describe_dataset(hdf5::Handle dataset, std::string_view unit, std::string_view description);

// A dataset of one dimension, with its unit and description.
template <typename Values>
void write_list(hid_t group, std::string_view name, const Values& values, std::string_view unit,
                std::string_view description) {
  const std::size_t shape[] = {values.size()};
  describe_dataset(hdf5::write_dataset(group, std::string(name),
                                       std::span<const typename Values::value_type>(values), shape),
                   unit, description);
}

// Writes the attributes of the root, with the outcome `incomplete` for now, and the texts /case
// and, if known, /case_source.
void write_result_header(hid_t root, const ResultHeader& header, std::string_view file_type);
void replace_outcome(hid_t root, RunOutcome outcome);
void write_grid(hid_t root, const Grid& grid, Units units);

// Writes a step's group. If header.rows is set, the fields have no values yet; write_step_rows()
// adds them.
void write_step_group(hid_t steps, const ResultHeader& header, const FieldChoice& fields,
                      int number, const StepInput& input, const StepReport& report,
                      const ContactSolution& solution);
// The same for fields that come one at a time.
void write_step_group(hid_t steps, const ResultHeader& header, const FieldChoice& fields,
                      int number, const StepInput& input, const StepReport& report,
                      const FieldSource& source);
// The same for a contact of a wheel in its own group.
void write_contact(hid_t group, const ResultHeader& header, const FieldChoice& fields,
                   const StepInput& input, const StepReport& report,
                   const ContactSolution& solution);
// Writes each rank's rows of a step's fields to the file that all ranks have open. Collective.
void write_step_rows(hid_t steps, const ResultHeader& header, const FieldChoice& fields, int number,
                     const StepInput& input, const ContactSolution& solution);

}  // namespace slipfield
