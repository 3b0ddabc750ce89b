// SPDX-License-Identifier: Apache-2.0
// Figures and pages are drawn by the Python package slipfield.figures, which this program starts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/output_rule.h"

namespace slipfield {

// Runs `python3 -m slipfield.figures ARGUMENTS` with `input` on its standard input, and passes its
// messages on. The package is that next to the program, of its build or its installation, or else
// the one that Python finds. Python is that of SLIPFIELD_PYTHON, or else the first one of python3 and
// /usr/bin/python3 that has the packages. Returns its exit code. Throws Error where there is no
// Python with the packages (the sentence says what to install) or a signal ended it.
int run_figures(const std::vector<std::string>& arguments, const std::string& input);

// An output of the package: `kind` says which files may be replaced.
struct FigureOutput {
  std::filesystem::path path;
  FileKind kind = FileKind::picture;
  OutputRule rule;
  std::string what;  // "figure", for the line that says it was written
};

// As run_figures() with the output under a temporary name (--output, --format), which is moved into
// place when it is complete.
int write_by_figures(std::vector<std::string> arguments, const std::string& input,
                     const FigureOutput& output);

}  // namespace slipfield
