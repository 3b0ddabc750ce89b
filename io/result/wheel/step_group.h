// SPDX-License-Identifier: Apache-2.0
// A step of a wheel on a rail, or of both wheels of a wheelset, in the file of a ResultWriter:
//   /steps/0001             attributes: outcome, message, the numbers of table.h
//   /steps/0001/contacts/1  the left wheel's first: attributes of table.h and of a result's step;
//                           `grid`; `side`, and `contact`: its number on that side
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/hdf5/handle.h"
#include "io/result/wheel/table.h"
#include "io/result/writer.h"

namespace slipfield {

std::string contact_path(int contact);  // "contacts/1"

// Writes like ResultWriter::write_step for a wheelset; throws Hdf5Error.
void write_wheel_step(hid_t steps, const ResultHeader& header, const FieldChoice& fields,
                      int number, SolvedWheelset& wheelset,
                      const std::vector<std::string>& warnings, const InteriorMaker& interior);
// Reads a step from the group of the steps. Throws InputError for files of earlier programs.
WheelRecord read_wheel_step(hid_t steps, const std::string& name,
                            const std::filesystem::path& path);
bool is_wheel_step(hid_t step);
// Restores references to places in the file, which a copied step loses.
void write_copied_axes(hid_t step);

}  // namespace slipfield
