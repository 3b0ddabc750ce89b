// SPDX-License-Identifier: Apache-2.0
// Options of commands whose work a Python module does: passed on to it, which defines the same ones
// and their defaults (shared_options.cpp).
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/pending_file.h"

namespace slipfield {

struct PythonOption {
  const char* name;
  const char* group;
  const char* type;
  const char* help;
};

using GivenOptions = std::map<std::string, std::string>;  // empty values were not given

void add_python_options(CLI::App& command, std::span<const PythonOption> options,
                        GivenOptions& values);
// As arguments of the module.
std::vector<std::string> passed_options(const GivenOptions& values);

// Throws InputError unless the figure is a PNG, or there is none.
void require_png(const std::string& plot);

// A file that the module writes under its temporary name, which is passed as `option`; null for an
// empty path.
std::unique_ptr<PendingFile> pass_output(std::vector<std::string>& passed, const std::string& path,
                                         FileKind kind, const OutputRule& rule,
                                         const std::string& option);
// Throws Error if the module has not written it.
void commit_output(PendingFile& file);

}  // namespace slipfield
