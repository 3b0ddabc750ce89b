// SPDX-License-Identifier: Apache-2.0
// Makes tables of creep forces on the backend that is asked for.
#pragma once

#include <filesystem>

#include "app/run/solver_factory.h"
#include "io/output_rule.h"
#include "io/table/table_file.h"

namespace slipfield {

struct TableRun {
  std::filesystem::path output;
  BackendRequest backend;
  OutputRule rule;
  std::string command;
};

// Both throw InputError where the request makes no sense, the table does not fit into the memory or
// onto the disk, or the rule forbids the file, before anything is computed.
CreepTable run_table(const CreepTableRequest& request, const TableRun& run, TableOrigin& origin);
UsetabTable run_usetab(const CreepTableRequest& request, int every, const TableRun& run);

}  // namespace slipfield
