// SPDX-License-Identifier: Apache-2.0
// Modules of the Python package do the work of some commands: slipfield.figures draws figures and
// pages, slipfield.surface reads measured surfaces, slipfield.life wears profiles,
// slipfield.parquet writes tables. This program starts them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/output_rule.h"

namespace slipfield {

struct PythonModule {
  const char* name;
  const char* work;      // "figures and reports are drawn"
  const char* packages;  // that it needs, in words
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

// Runs `python3 -m MODULE ARGUMENTS` with `input` on its standard input, and passes its
// messages on. The package is that next to the program, of its build or its installation, or else
// the one that Python finds. Python is that of SLIPFIELD_PYTHON, or else the first one of python3
// and /usr/bin/python3 that has the packages. Returns its exit code. Throws Error where there is no
// Python with the packages (the sentence says what to install) or a signal ended it.
int run_python_module(const PythonModule& module, const std::vector<std::string>& arguments,
                      const std::string& input);

// Sends a signal to the Python that runs, if one does; for the handler of that signal.
void pass_on_to_python(int signal_number);

// An output of slipfield.figures: `kind` says which files may be replaced.
struct FigureOutput {
  std::filesystem::path path;
  FileKind kind = FileKind::picture;
  OutputRule rule;
  std::string what;    // "figure", for the line that says it was written
  bool quiet = false;  // without that line
};

// As run_python_module() with the output under a temporary name (--output, --format), which is
// moved into place when it is complete.
int write_by_figures(std::vector<std::string> arguments, const std::string& input,
                     const FigureOutput& output);

}  // namespace slipfield
