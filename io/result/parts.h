// SPDX-License-Identifier: Apache-2.0
// The parts of a result, which are in a file's root and, with fields asked for, in each point of
// a sweep. Names, units and descriptions are those of field_table.h.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "io/hdf5/handle.h"
#include "io/result/writer.h"

namespace slipfield {

inline constexpr std::string_view kStepsGroup = "steps";
inline constexpr std::string_view kPointsGroup = "points";      // of a sweep
inline constexpr std::string_view kContactsGroup = "contacts";  // of a step of a wheel
inline constexpr std::string_view kSourceName = "case_source";
inline constexpr std::string_view kFilesName = "case_files";

// Runs `write`; a write that fails becomes one sentence with the file's name and the reason.
template <typename Write>
void guarded_write(const std::filesystem::path& path, Write write) {
  try {
    write();
  } catch (const Hdf5Error& error) {
    throw Error(path.string() + ": the results could not be written: " + error.reason());
  }
}

// "2026-01-01T00:00:00Z".
std::string utc_now();

// "0001", "0002", ...: a group of a step or of a point.
std::string numbered_name(int number);
// "/points/0001"; with 0 "/", where a plain run is.
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

// Attributes of the root, with the outcome `incomplete` so far, and the texts /case and
// /case_source, where it is known.
void write_result_header(hid_t root, const ResultHeader& header, std::string_view file_type);
void replace_outcome(hid_t root, RunOutcome outcome);
void write_grid(hid_t root, const Grid& grid, Units units);

// A step in the group of the steps. Where header.rows is there, without the values of its fields,
// which write_step_rows() adds.
void write_step_group(hid_t steps, const ResultHeader& header, const FieldChoice& fields,
                      int number, const StepInput& input, const StepReport& report,
                      const ContactSolution& solution);
// With fields that come one at a time.
void write_step_group(hid_t steps, const ResultHeader& header, const FieldChoice& fields,
                      int number, const StepInput& input, const StepReport& report,
                      const FieldSource& source);
// The same of a contact of a wheel, in its own group.
void write_contact(hid_t group, const ResultHeader& header, const FieldChoice& fields,
                   const StepInput& input, const StepReport& report,
                   const ContactSolution& solution);
// The fields of a step on the rows of each rank, in the file that all of them have open. Together.
void write_step_rows(hid_t steps, const ResultHeader& header, const FieldChoice& fields, int number,
                     const StepInput& input, const ContactSolution& solution);

}  // namespace slipfield
