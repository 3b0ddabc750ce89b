// SPDX-License-Identifier: Apache-2.0
// Figure of a sweep over the lateral position of a wheelset: where wheel and rail touch, as lines
// between their profiles, with the difference of the rolling radii, the equivalent conicity and the
// contact angle.
#pragma once

#include <filesystem>
#include <string>

#include "app/plot/gnuplot.h"
#include "io/pending_file.h"
#include "io/result/sweep_reader.h"

namespace slipfield {

// It is over the lateral position alone.
bool has_contact_lines(const SweepTable& table);

// gnuplot's commands; throws as write_contact_lines().
std::string contact_lines_script(const SweepFile& sweep, const std::string& name,
                                 PictureFormat format);

// `name`: of the file, for messages. Throws InputError where the sweep is not over the lateral
// position of a wheelset alone, or the profiles of its case cannot be read; as write_figure().
void write_contact_lines(const SweepFile& sweep, const std::string& name,
                         const std::filesystem::path& path, Overwrite overwrite);

}  // namespace slipfield
