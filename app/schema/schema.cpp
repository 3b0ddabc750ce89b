// SPDX-License-Identifier: Apache-2.0
#include "app/schema/schema.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/schema/explore.h"
#include "app/schema/form.h"
#include "app/schema/reference.h"
#include "io/provenance.h"

namespace slipfield {
namespace {

using Json = nlohmann::ordered_json;

// Keys and their values; and, apart, which of them have to be there. A sweep may give any of them,
// so that the second part holds for cases without one only.
enum class SchemaPart { values, presence };

bool is_list_of_maps(const KeyForm& form) {
  return form.kind == KeyForm::Kind::list && form.items.size() == 1 &&
         form.items[0].kind == KeyForm::Kind::map;
}

class SchemaWriter {
 public:
  SchemaWriter(SchemaPart part, Explorer& explorer) : part_(part), explorer_(explorer) {}

  Json section(const Branch& branch, const std::string& path) const {
    const Fork fork = explorer_.find_fork(branch, path);
    return fork.keys.empty() ? plain(branch, path) : forked(branch, path, fork);
  }

 private:
  // Nothing undecided matters.
  [[nodiscard]] Json plain(const Branch& branch, const std::string& path) const {
    const ObservedCase& explored = explorer_.explore(branch, path);
    const auto found = explored.sections.find(path);
    const ObservedSection shape =
        found == explored.sections.end() ? ObservedSection{} : found->second;
    Json schema = Json::object();
    Json properties = Json::object();
    Json required = Json::array();
    for (const ObservedKey& key : shape.keys) {
      if (key.required) required.push_back(key.name);
      Json value = key.refused ? Json(false) : value_of(branch, path, key);
      if (part_ == SchemaPart::values || (value.is_object() && !value.empty()))
        properties[key.name] = std::move(value);
    }
    if (part_ == SchemaPart::values) schema["type"] = "object";
    if (!properties.empty()) schema["properties"] = std::move(properties);
    if (part_ == SchemaPart::values && shape.closed) schema["additionalProperties"] = false;
    if (part_ == SchemaPart::presence && !required.empty())
      schema["required"] = std::move(required);
    Json rules = rules_of(shape);
    if (!rules.empty()) schema["allOf"] = std::move(rules);
    return schema;
  }

  [[nodiscard]] Json rules_of(const ObservedSection& shape) const {
    Json rules = Json::array();
    for (const ObservedGroup& group : shape.groups) {
      if (part_ == SchemaPart::presence && group.required) {
        Json one = Json::array();
        for (const std::string& key : group.keys) one.push_back({{"required", {key}}});
        rules.push_back({{"anyOf", std::move(one)}});
      }
      if (part_ == SchemaPart::presence) continue;
      for (std::size_t i = 0; i < group.keys.size(); ++i)
        for (std::size_t j = i + 1; j < group.keys.size(); ++j)
          rules.push_back({{"not", {{"required", {group.keys[i], group.keys[j]}}}}});
    }
    return rules;
  }

  // A key's value; in the presence part an empty object where it says nothing.
  [[nodiscard]] Json value_of(const Branch& branch, const std::string& path,
                              const ObservedKey& key) const {
    const std::string full = joined(path, key.name);
    std::vector<Json> alternatives;
    const bool words = std::any_of(key.forms.begin(), key.forms.end(), [](const KeyForm& form) {
      return form.kind == KeyForm::Kind::word;
    });
    bool has_map = false;
    bool has_maps = false;
    for (const KeyForm& form : key.forms) {
      if (words && form.kind == KeyForm::Kind::text) continue;  // the words are what is accepted
      // Once, however often the reader has asked.
      if (form.kind == KeyForm::Kind::map && std::exchange(has_map, true)) continue;
      if (is_list_of_maps(form) && std::exchange(has_maps, true)) continue;
      Json schema = schema_of(branch, full, form);
      if (part_ == SchemaPart::values || !schema.empty()) alternatives.push_back(std::move(schema));
    }
    Json schema = part_ == SchemaPart::presence && alternatives.size() > 1
                      ? Json{{"allOf", alternatives}}
                      : any_of(std::move(alternatives));
    if (part_ == SchemaPart::values && !key.forms.empty())
      describe(schema, find_reference(path, key.name, branch.word), key.forms);
    return schema;
  }

  [[nodiscard]] Json schema_of(const Branch& branch, const std::string& full,
                               const KeyForm& form) const {
    const bool maps = is_list_of_maps(form);
    if (form.kind == KeyForm::Kind::map || maps) {
      Branch below = branch;
      below.probe.put(full, maps ? ProbeCase::Value::maps : ProbeCase::Value::map);
      Json map = section(below, maps ? full + ".*" : full);
      if (!maps) return map;
      if (part_ == SchemaPart::values) return schema_of_form(form, map);
      return map.empty() ? map : Json{{"items", map}};
    }
    return part_ == SchemaPart::values ? schema_of_form(form, {}) : Json::object();
  }

  static Json condition_of(const Fork& fork, const Fork::Way& way) {
    if (fork.kind == Fork::Kind::word && !way.absent)
      return {{"properties", {{fork.keys[0], {{"enum", way.words}}}}}, {"required", fork.keys}};
    Json present = Json::array();
    if (fork.kind == Fork::Kind::presence) {
      for (const std::string& key : fork.keys) present.push_back({{"required", {key}}});
    } else {
      present.push_back({{"required", {way.absent ? fork.keys[0] : way.key}}});
    }
    Json any = present.size() == 1 ? present[0] : Json{{"anyOf", present}};
    return way.absent ? Json{{"not", std::move(any)}} : any;
  }

  // What all ways have in common, and for each way the rest under its condition.
  [[nodiscard]] Json forked(const Branch& branch, const std::string& path, const Fork& fork) const {
    std::vector<Json> schemas;
    for (const Fork::Way& way : fork.ways) schemas.push_back(section(way.branch, path));
    Json common = Json::object();
    if (part_ == SchemaPart::values) common["type"] = "object";
    Json properties = common_properties(branch, path, fork, schemas);
    if (!properties.empty()) common["properties"] = properties;
    if (part_ == SchemaPart::values && schemas.front().contains("additionalProperties"))
      common["additionalProperties"] = false;
    Json rules = Json::array();
    std::vector<std::pair<std::vector<std::size_t>, Json>> rests;
    for (std::size_t i = 0; i < schemas.size(); ++i) {
      Json rest = rest_of(schemas[i], properties, is_open(fork, i));
      const auto same = std::find_if(rests.begin(), rests.end(), [&](const auto& other) {
        return fork.kind == Fork::Kind::word && !fork.ways[i].absent &&
               !fork.ways[other.first[0]].absent && other.second == rest;
      });
      if (same != rests.end())
        same->first.push_back(i);
      else
        rests.emplace_back(std::vector<std::size_t>{i}, std::move(rest));
    }
    for (const auto& [ways, rest] : rests) {
      if (rest.empty()) continue;
      Fork::Way way = fork.ways[ways[0]];
      for (std::size_t j = 1; j < ways.size(); ++j)
        way.words.push_back(fork.ways[ways[j]].words[0]);
      rules.push_back({{"if", condition_of(fork, way)}, {"then", rest}});
    }
    const bool always = fork.kind == Fork::Kind::word &&
                        std::none_of(fork.ways.begin(), fork.ways.end(),
                                     [](const Fork::Way& way) { return way.absent; });
    if (part_ == SchemaPart::presence && always) common["required"] = fork.keys;
    if (!rules.empty()) common["allOf"] = std::move(rules);
    return common;
  }

  // Without its word a section refuses more keys. A sweep may give the word, so that nothing
  // follows from its absence.
  [[nodiscard]] bool is_open(const Fork& fork, std::size_t way) const {
    return part_ == SchemaPart::values && fork.kind == Fork::Kind::word && fork.ways[way].absent;
  }

  [[nodiscard]] Json common_properties(const Branch& branch, const std::string& path,
                                       const Fork& fork, const std::vector<Json>& schemas) const {
    Json properties = Json::object();
    for (const Json& schema : schemas) {
      if (!schema.contains("properties")) continue;
      for (const auto& [key, value] : schema["properties"].items()) {
        if (properties.contains(key)) continue;
        Json shared = shared_value(fork, schemas, key);
        const bool own = std::find(fork.keys.begin(), fork.keys.end(), key) != fork.keys.end();
        if (own && shared.is_null() && !value.empty()) shared = value;  // described differently
        if (!shared.is_null()) {
          properties[key] = shared;
        } else if (part_ == SchemaPart::values) {
          properties[key] = Json::object();
          describe(properties[key], find_reference(path, key, branch.word), {});
        }
      }
    }
    return properties;
  }

  // The key's schema where all ways that know something of it have the same; else null.
  [[nodiscard]] Json shared_value(const Fork& fork, const std::vector<Json>& schemas,
                                  const std::string& key) const {
    Json shared;
    for (std::size_t i = 0; i < schemas.size(); ++i) {
      if (is_open(fork, i)) continue;
      const Json value = property_of(schemas[i], key);
      if (value == Json::object() && part_ == SchemaPart::values) continue;  // nothing known
      if (shared.is_null())
        shared = value;
      else if (shared != value)
        return {};
    }
    return shared;
  }

  // false: no such key in that way.
  [[nodiscard]] Json property_of(const Json& schema, const std::string& key) const {
    const auto properties = schema.find("properties");
    if (properties != schema.end() && properties->contains(key)) return (*properties)[key];
    return part_ == SchemaPart::values && schema.contains("additionalProperties") ? Json(false)
                                                                                  : Json::object();
  }

  // What the way has besides what is common to all. `open`: without the keys that it refuses.
  [[nodiscard]] Json rest_of(const Json& schema, const Json& properties, bool open) const {
    Json rest = Json::object();
    Json own = Json::object();
    for (const auto& [key, value] : properties.items()) {
      const Json mine = property_of(schema, key);
      if (open && mine == false) continue;
      if (mine != value && !(mine == Json::object() && part_ == SchemaPart::values))
        own[key] = mine;
    }
    if (part_ == SchemaPart::presence && schema.contains("properties"))
      for (const auto& [key, value] : schema["properties"].items())
        if (!properties.contains(key)) own[key] = value;
    if (!own.empty()) rest["properties"] = std::move(own);
    for (const char* key : {"required", "allOf"})
      if (schema.contains(key)) rest[key] = schema[key];
    return rest;
  }

  SchemaPart part_;
  Explorer& explorer_;
};

}  // namespace

Json case_schema() {
  Json schema;
  schema["$schema"] = "http://json-schema.org/draft-07/schema#";
  schema["title"] = "A case of Slipfield";
  Explorer explorer;
  Json values = SchemaWriter(SchemaPart::values, explorer).section({}, "");
  Branch alone;
  alone.decided.emplace_back("sweep");
  const Json presence = SchemaWriter(SchemaPart::presence, explorer).section(alone, "");
  values["allOf"].push_back({{"if", {{"not", {{"required", {"sweep"}}}}}}, {"then", presence}});
  schema.update(values);
  return schema;
}

}  // namespace slipfield
