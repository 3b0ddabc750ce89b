// SPDX-License-Identifier: Apache-2.0
// Figure of a wheel on its rail, or of both wheels: the profiles in contact, with the pressure over
// each contact.
#pragma once

#include <filesystem>

#include "io/pending_file.h"
#include "io/result/wheel/reader.h"

namespace slipfield {

// Of step `number`; 0: the last. Throws InputError where the file or the profiles of its case lack
// what is needed or the figure cannot be written, Error where it cannot be drawn.
void write_wheel_figure(const WheelFile& wheel, int number, const std::filesystem::path& path,
                        Overwrite overwrite);

}  // namespace slipfield
