// SPDX-License-Identifier: Apache-2.0
// One key of the case as JSON Schema: its type and range, its description, its default.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/schema/reference.h"
#include "io/case/schema/observed.h"

namespace slipfield {

// Of a form that is no map; items that are maps come from `map_item`.
nlohmann::ordered_json schema_of_form(const KeyForm& form, const nlohmann::ordered_json& map_item);

// The alternatives as one schema; an empty object where none is known.
nlohmann::ordered_json any_of(std::vector<nlohmann::ordered_json> alternatives);

// Adds the description and, where it is a value of the key, the default.
void describe(nlohmann::ordered_json& schema, const KeyReference* reference,
              const std::vector<KeyForm>& forms);

}  // namespace slipfield
