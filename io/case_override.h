// --set key.path=value: changes the tree of a case before it is validated.
#pragma once

#include <string>

#include "io/case_diagnostics.h"
#include "io/case_source.h"
#include "io/yaml_tree.h"

namespace slipfield {

// The argument of --set as a source of places: messages name it instead of file:line:column.
SourceText override_source(const std::string& argument);

// Sets one value. `key.path`: keys joined by dots, list entries by number from 0
// (steps.0.normal.force); maps on the way are made where they are missing. `value`: YAML in one
// line. What is wrong with the argument is collected in `diagnostics`.
void apply_override(YamlNode& root, const SourceText& source, CaseDiagnostics& diagnostics);

}  // namespace slipfield
