// SPDX-License-Identifier: Apache-2.0
#include "app/plot/pair/sides.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "app/plot/curves/names.h"
#include "app/report/step_table.h"
#include "io/result/field_table.h"
#include "io/yaml/diagnostics.h"
#include "io/yaml/tree.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr std::size_t kMostKeysNamed = 3;
constexpr std::size_t kLongestValue = 40;

// A list of numbers or words is one value.
bool is_flat(const YamlNode& node) {
  return std::all_of(node.items.begin(), node.items.end(),
                     [](const YamlNode& item) { return item.kind == YamlNode::Kind::scalar; });
}

std::string flat_text(const YamlNode& node) {
  std::vector<std::string> texts;
  for (const YamlNode& item : node.items) texts.push_back(item.text);
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

void flatten(const YamlNode& node, const std::string& path,
             std::map<std::string, std::string>& values) {
  if (node.kind == YamlNode::Kind::map) {
    for (std::size_t i = 0; i < node.items.size(); ++i)
      flatten(node.items[i], path.empty() ? node.keys[i].name : path + "." + node.keys[i].name,
              values);
  } else if (node.kind == YamlNode::Kind::sequence && !is_flat(node)) {
    for (std::size_t i = 0; i < node.items.size(); ++i)
      flatten(node.items[i], fmt::format("{}[{}]", path, i + 1), values);
  } else {
    values[path] = node.kind == YamlNode::Kind::sequence ? flat_text(node) : node.text;
  }
}

std::map<std::string, std::string> values_of(const std::string& case_yaml) {
  CaseDiagnostics ignored;
  const SourceText source("case", case_yaml, SourceText::Kind::file);
  std::map<std::string, std::string> values;
  if (const std::optional<YamlNode> tree = parse_yaml(case_yaml, source, ignored))
    flatten(*tree, "", values);
  return values;
}

bool matters(const std::string& key) {
  constexpr std::array<std::string_view, 4> kOfNoInterest = {"title", "output", "expected",
                                                             "sweep"};
  return std::none_of(kOfNoInterest.begin(), kOfNoInterest.end(), [&](std::string_view section) {
    return key.starts_with(section) && (key.size() == section.size() ||
                                        key[section.size()] == '.' || key[section.size()] == '[');
  });
}

std::vector<std::string> cases_of(const std::vector<ResultHeader>& headers) {
  std::vector<std::string> cases;
  for (const ResultHeader& header : headers) cases.push_back(header.case_yaml);
  return cases;
}

std::string shortened(const std::string& value) {
  return value.size() <= kLongestValue ? value : value.substr(0, kLongestValue - 3) + "...";
}

}  // namespace

std::vector<std::string> side_names(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths)
    names.push_back(std::filesystem::path(path).filename().string());
  const std::set<std::string> different(names.begin(), names.end());
  return different.size() == names.size() ? names : paths;
}

namespace {

bool differs(const DifferingKey& key) {
  return std::any_of(key.values.begin(), key.values.end(),
                     [&](const auto& value) { return value != key.values.front(); });
}

// Of all keys those that differ. One that has the same values in all steps is named once, without
// the step: a resolved case repeats in each what holds for all.
std::vector<DifferingKey> of_all_steps(const std::vector<DifferingKey>& keys) {
  std::vector<DifferingKey> joined;
  for (const DifferingKey& key : keys) {
    if (!differs(key)) continue;
    const std::size_t end = key.key.starts_with("steps[") ? key.key.find("].") : std::string::npos;
    const std::string plain = end == std::string::npos ? key.key : key.key.substr(end + 2);
    const bool same = std::all_of(keys.begin(), keys.end(), [&](const DifferingKey& other) {
      const bool of_a_step = other.key.starts_with("steps[") && other.key.ends_with("]." + plain);
      return !of_a_step || other.values == key.values;
    });
    const DifferingKey named{same ? plain : key.key, key.values};
    const bool known = std::any_of(joined.begin(), joined.end(), [&](const DifferingKey& other) {
      return other.key == named.key;
    });
    if (!known) joined.push_back(named);
  }
  return joined;
}

}  // namespace

std::vector<DifferingKey> differing_keys(const std::vector<std::string>& cases) {
  std::vector<std::map<std::string, std::string>> all;
  std::set<std::string> keys;
  for (const std::string& text : cases) {
    all.push_back(values_of(text));
    for (const auto& [key, value] : all.back())
      if (matters(key)) keys.insert(key);
  }
  std::vector<DifferingKey> with_values;
  for (const std::string& key : keys) {
    DifferingKey found{key, {}};
    for (const auto& values : all) {
      const auto value = values.find(key);
      found.values.push_back(value == values.end() ? "-" : value->second);
    }
    with_values.push_back(std::move(found));
  }
  return of_all_steps(with_values);
}

std::vector<std::string> side_labels(const std::vector<std::string>& names,
                                     const std::vector<ResultHeader>& headers) {
  const std::vector<DifferingKey> differing = differing_keys(cases_of(headers));
  if (differing.size() != 1) return names;
  const ResultHeader& header = headers.front();
  const CurveName key = key_name(differing.front().key, header.case_yaml, header.units);
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < names.size(); ++i)
    labels.push_back(fmt::format("{} = {}{} ({})", key.name, shortened(differing.front().values[i]),
                                 key.factor == 1.0 && key.unit != "-" ? " " + key.unit : "",
                                 names[i]));
  return labels;
}

std::string difference_text(const std::vector<ResultHeader>& headers) {
  const std::vector<DifferingKey> differing = differing_keys(cases_of(headers));
  if (differing.empty()) return "The cases are the same.";
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(differing.size(), kMostKeysNamed); ++i) {
    std::vector<std::string> values;
    for (const std::string& value : differing[i].values) values.push_back(shortened(value));
    texts.push_back(fmt::format("{}: {}", differing[i].key, fmt::join(values, ", ")));
  }
  std::string text = fmt::format("The cases differ in {}", fmt::join(texts, "; "));
  if (differing.size() > kMostKeysNamed)
    text += fmt::format("; and in {}", counted(differing.size() - kMostKeysNamed, "key"));
  return text + ".";
}

void require_same_units(const std::vector<std::string>& paths,
                        const std::vector<ResultHeader>& headers) {
  for (std::size_t i = 1; i < headers.size(); ++i)
    if (headers[i].units != headers.front().units)
      throw InputError(fmt::format("{} is in {} and {} in {}; accepted: results in the same units",
                                   paths.front(), units_name(headers.front().units), paths[i],
                                   units_name(headers[i].units)));
}

std::string side_style(std::size_t side) {
  // Okabe and Ito's palette for colour-blind readers; dashes where curves lie on each other.
  constexpr std::array<std::string_view, kMostSides> kStyles = {
      "linecolor rgb '#0072B2'",
      "linecolor rgb '#D55E00' dashtype (12,7)",
      "linecolor rgb '#009E73' dashtype (4,4)",
      "linecolor rgb '#CC79A7' dashtype (16,4,4,4)",
      "linecolor rgb '#E69F00' dashtype (8,3)",
      "linecolor rgb '#202020' dashtype (2,3)"};
  return fmt::format("linewidth 1.8 {}", kStyles.at(side % kMostSides));
}

}  // namespace slipfield
