// SPDX-License-Identifier: Apache-2.0
// slipfield schema: the keys of a case, for editors and for programs that write cases.
#include "app/schema/schema.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/command/commands.h"
#include "app/console.h"
#include "solver/error.h"

namespace slipfield {

void add_schema_command(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand(
      "schema", "Print the JSON Schema of a case, for editors and for programs that write cases");
  command->footer(
      "Examples:\n"
      "  slipfield schema > slipfield.schema.json\n"
      "An editor with a YAML language server then completes keys, explains them and marks what is\n"
      "wrong, in files whose first line is\n"
      "  # yaml-language-server: $schema=slipfield.schema.json\n"
      "What the schema refuses `slipfield check` refuses, and more: what depends on several values "
      "or\non files.\n"
      "Exit codes: 0 done; 2 the command line is wrong.");
  command->callback([&action] {
    action = [] {
      print_line(case_schema().dump(1));
      return static_cast<int>(ExitCode::done);
    };
  });
}

}  // namespace slipfield
