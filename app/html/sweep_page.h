// SPDX-License-Identifier: Apache-2.0
// The report of a sweep: its keys, curves, the points that did not converge, its extremes, the
// table of points.
#pragma once

#include <filesystem>
#include <string>

namespace slipfield {

// Throws InputError where the file is no sweep, Error where gnuplot cannot draw.
std::string sweep_page(const std::filesystem::path& path);

}  // namespace slipfield
