// SPDX-License-Identifier: Apache-2.0
// The report of a result: what was computed, figures, totals, warnings, provenance and the case on
// one page.
#pragma once

#include <filesystem>
#include <string>

namespace slipfield {

// The page for a result, a sweep or a wheel on a rail. Throws InputError where the file is none,
// Error where gnuplot cannot draw.
std::string report_page(const std::filesystem::path& path);

}  // namespace slipfield
