// SPDX-License-Identifier: Apache-2.0
// A step of a wheel on a rail, or of both wheels of a wheelset, in the file of a ResultWriter:
//   /steps/0001             attributes: outcome, message, the numbers of table.h
//   /steps/0001/contacts/1  of both wheels those of the left one first: attributes of table.h, and as
//                           of a step of a result; `grid`; `side`, and `contact`: its number there
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/hdf5/handle.h"
#include "io/result/wheel/table.h"
#include "io/result/writer.h"

namespace slipfield {

std::string contact_path(int contact);  // "contacts/1"

// As ResultWriter::write_step of a wheelset; throws Hdf5Error.
void write_wheel_step(hid_t steps, const ResultHeader& header, const FieldChoice& fields,
                      int number, SolvedWheelset& wheelset,
                      const std::vector<std::string>& warnings, const InteriorMaker& interior);
// The step in the group of the steps. Throws InputError where the file is of an earlier program.
WheelRecord read_wheel_step(hid_t steps, const std::string& name,
                            const std::filesystem::path& path);
bool is_wheel_step(hid_t step);
// A copy of a step does without what refers to places in its file: this makes it again.
void write_copied_axes(hid_t step);

}  // namespace slipfield
