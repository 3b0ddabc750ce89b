// SPDX-License-Identifier: Apache-2.0
#include "app/schema/form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "io/yaml/number.h"

namespace slipfield {
namespace {

using Json = nlohmann::ordered_json;

Json number_schema(const NumberRange& range) {
  Json schema{{"type", "number"}};
  if (std::isfinite(range.least))
    schema[range.lower == Bound::closed ? "minimum" : "exclusiveMinimum"] = range.least;
  if (std::isfinite(range.greatest))
    schema[range.upper == Bound::closed ? "maximum" : "exclusiveMaximum"] = range.greatest;
  return schema;
}

Json integer_schema(const IntegerRange& range) {
  Json schema{{"type", "integer"}};
  if (range.least == range.greatest) return {{"const", range.least}};
  schema["minimum"] = range.least;
  if (range.greatest < std::numeric_limits<std::int64_t>::max()) schema["maximum"] = range.greatest;
  return schema;
}

Json list_schema(const KeyForm& form, const Json& map_item) {
  Json schema{{"type", "array"}};
  std::vector<Json> items;
  for (const KeyForm& item : form.items) items.push_back(schema_of_form(item, map_item));
  if (!items.empty()) schema["items"] = any_of(items);
  if (form.least > 0) schema["minItems"] = form.least;
  if (form.most < std::numeric_limits<std::size_t>::max()) schema["maxItems"] = form.most;
  return schema;
}

// The default as a value: a number, a list or one of the key's words that the text begins with.
Json value_of(const std::string& text, const std::vector<KeyForm>& forms) {
  const std::string first = text.substr(0, text.find(' '));
  for (const KeyForm& form : forms) {
    const bool number = form.kind == KeyForm::Kind::number || form.kind == KeyForm::Kind::integer;
    if (number && parse_number(text).value) return Json::parse(text);
    const bool bare = form.kind == KeyForm::Kind::boolean || form.kind == KeyForm::Kind::list;
    if (bare && Json::accept(text)) return Json::parse(text);
    if (form.kind == KeyForm::Kind::word &&
        std::find(form.words.begin(), form.words.end(), first) != form.words.end())
      return first;
    if (form.kind == KeyForm::Kind::text && text.starts_with('/')) return text;
    if (form.kind == KeyForm::Kind::list && text.starts_with('[') && text.ends_with(']'))
      return Json::array({text.substr(1, text.size() - 2)});  // [von_mises, tresca]: below
  }
  return {};
}

}  // namespace

Json any_of(std::vector<Json> alternatives) {
  std::vector<Json> distinct;
  for (Json& alternative : alternatives)
    if (std::find(distinct.begin(), distinct.end(), alternative) == distinct.end())
      distinct.push_back(std::move(alternative));
  if (distinct.empty()) return Json::object();
  if (distinct.size() == 1) return distinct.front();
  return {{"anyOf", distinct}};
}

Json schema_of_form(const KeyForm& form, const Json& map_item) {
  switch (form.kind) {
    case KeyForm::Kind::number:
      return number_schema(form.numbers);
    case KeyForm::Kind::integer:
      return integer_schema(form.integers);
    case KeyForm::Kind::boolean:
      return {{"type", "boolean"}};
    case KeyForm::Kind::text:
      return {{"type", {"string", "number", "boolean"}}};
    case KeyForm::Kind::word:
      return {{"enum", form.words}};
    case KeyForm::Kind::list:
      return list_schema(form, map_item);
    case KeyForm::Kind::map:
      break;
  }
  return map_item;
}

void describe(Json& schema, const KeyReference* reference, const std::vector<KeyForm>& forms) {
  if (reference == nullptr || !schema.is_object()) return;
  std::string text = reference->value;
  if (!reference->default_text.empty() && reference->default_text != "required") {
    Json value = value_of(reference->default_text, forms);
    const bool words = value.is_array() && value.size() == 1 && value[0].is_string();
    if (value.is_null() || words)
      text += fmt::format(" (default: {})", reference->default_text);
    else
      schema["default"] = std::move(value);
  }
  schema["description"] = text;
}

}  // namespace slipfield
