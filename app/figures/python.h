// SPDX-License-Identifier: Apache-2.0
// Some commands run modules of the Python package: slipfield.figures draws figures and pages,
// slipfield.surface reads measured surfaces, slipfield.life wears profiles, slipfield.parquet
// writes tables.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/output_rule.h"

namespace slipfield {

struct PythonModule {
  const char* name;
  const char* work;      // "figures and reports are drawn"
  const char* packages;  // the packages it needs, in words
  const char* install;   // how to get them
};
inline constexpr PythonModule kFigures{"slipfield.figures", "figures and reports are drawn",
                                       "matplotlib, h5py and jinja2",
                                       "apt-get install python3-matplotlib python3-h5py "
                                       "python3-jinja2"};
inline constexpr PythonModule kSurfaces{"slipfield.surface", "surfaces are read",
                                        "numpy, h5py and, for --plot, matplotlib",
                                        "apt-get install python3-numpy python3-h5py "
                                        "python3-matplotlib"};
inline constexpr PythonModule kLives{
    "slipfield.life", "lives are computed", "numpy, h5py and, for --plot, matplotlib",
    "apt-get install python3-numpy python3-h5py python3-matplotlib"};
inline constexpr PythonModule kParquet{"slipfield.parquet", "Parquet is written", "pyarrow",
                                       "pip install pyarrow"};

// Runs `python3 -m MODULE ARGUMENTS` with `input` on its standard input and passes its messages on.
// The package is the one next to the program (build or installation), else the one that Python
// finds. Python is SLIPFIELD_PYTHON, else the first of python3 and /usr/bin/python3 that has the
// packages. Returns its exit code. Throws Error if no Python has the packages (the message names
// what to install) or if a signal ended it.
int run_python_module(const PythonModule& module, const std::vector<std::string>& arguments,
                      const std::string& input);

// Sends a signal to the running Python, if any; for the handler of that signal.
void pass_on_to_python(int signal_number);

// An output of slipfield.figures; `kind` selects which files may be replaced.
struct FigureOutput {
  std::filesystem::path path;
  FileKind kind = FileKind::picture;
  OutputRule rule;
  std::string what;    // "figure", for the line that reports it
  bool quiet = false;  // omits that line
};

// Like run_python_module(), but the module writes to a temporary name (--output, --format), which
// is moved into place when it is complete.
int write_by_figures(std::vector<std::string> arguments, const std::string& input,
                     const FigureOutput& output);

}  // namespace slipfield
