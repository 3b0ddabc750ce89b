// SPDX-License-Identifier: Apache-2.0
#include "io/case/section.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "io/case/check/faults.h"
#include "io/yaml/suggestion.h"

namespace slipfield {
CaseSection::CaseSection(const YamlNode& node, const SourcePlace& place, std::string path,
                         CaseDiagnostics& diagnostics, Completeness completeness)
    : node_(&node),
      place_(place),
      path_(std::move(path)),
      diagnostics_(&diagnostics),
      completeness_(completeness) {
  if (node.kind == YamlNode::Kind::map) return;
  diagnostics.add(node.place, path_, describe_node(node), "a map with keys of its own");
  static const YamlNode kEmpty = YamlNode::empty_map();
  node_ = &kEmpty;
  completeness_ = Completeness::part;
  is_map_ = false;
}

void CaseSection::know(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
}

std::string CaseSection::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

SourcePlace CaseSection::key_place(std::string_view key) const {
  const auto index = node_->index_of(key);
  return index ? node_->keys[*index].place : place_;
}

void CaseSection::error_at_key(std::string_view key, std::string_view problem,
                               std::string_view accepted) {
  diagnostics_->add(key_place(key), path_of(key), problem, accepted);
}

void CaseSection::error_at_value(std::string_view key, std::string_view problem,
                                 std::string_view accepted) {
  const YamlNode* node = node_;
  for (std::string_view rest = key; node != nullptr && !rest.empty();) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    node = node->find(rest.substr(0, dot));
    rest.remove_prefix(std::min(dot + 1, rest.size()));
  }
  diagnostics_->add(node != nullptr ? node->place : place_, path_of(key), problem, accepted);
}

void CaseSection::warn_at_value(std::string_view key, std::string_view what) {
  const YamlNode* node = node_->find(key);
  diagnostics_->warn(node != nullptr ? node->place : place_, path_of(key), what);
}

void CaseSection::error_here(std::string_view problem, std::string_view accepted) {
  diagnostics_->add(place_, path_, problem, accepted);
}

const YamlNode* CaseSection::value(std::string_view key, std::string_view accepted,
                                   Presence presence) {
  know(key);
  const YamlNode* node = node_->find(key);
  if (node == nullptr) {
    if (presence == Presence::required && is_whole())
      diagnostics_->add_missing(place_, path_of(key), accepted);
    return nullptr;
  }
  if (node->kind == YamlNode::Kind::null) {
    diagnostics_->add(node->place, path_of(key), "has no value", accepted);
    return nullptr;
  }
  return node;
}

std::optional<double> CaseSection::number(std::string_view key, const NumberRange& range,
                                          Presence presence) {
  const YamlNode* node = value(key, range.describe_one(), presence);
  if (node == nullptr) return std::nullopt;
  return read_number(*node, path_of(key), range, *diagnostics_);
}

std::optional<std::int64_t> CaseSection::long_integer(std::string_view key,
                                                      const IntegerRange& range,
                                                      Presence presence) {
  const YamlNode* node = value(key, range.describe_one(), presence);
  if (node == nullptr) return std::nullopt;
  return read_integer(*node, path_of(key), range, *diagnostics_);
}

std::optional<int> CaseSection::integer(std::string_view key, const IntegerRange& range,
                                        Presence presence) {
  const auto result = long_integer(key, range, presence);
  if (!result) return std::nullopt;
  return static_cast<int>(*result);
}

std::optional<bool> CaseSection::boolean(std::string_view key, Presence presence) {
  const YamlNode* node = value(key, "true or false", presence);
  if (node == nullptr) return std::nullopt;
  const bool scalar = node->kind == YamlNode::Kind::scalar;
  if (scalar && (node->text == "true" || node->text == "false")) return node->text == "true";
  diagnostics_->add(
      node->place, path_of(key),
      scalar ? in_quotes(node->text) + " is neither true nor false" : describe_node(*node),
      "true or false");
  return std::nullopt;
}

std::optional<std::string> CaseSection::text(std::string_view key, std::string_view accepted,
                                             Presence presence) {
  const YamlNode* node = value(key, accepted, presence);
  if (node == nullptr) return std::nullopt;
  return read_text(*node, path_of(key), accepted, *diagnostics_);
}

std::optional<std::array<double, 2>> CaseSection::number_pair(std::string_view key,
                                                              const NumberRange& range,
                                                              std::string_view names,
                                                              Presence presence) {
  const YamlNode* node = value(key, range.describe_pair(names), presence);
  if (node == nullptr) return std::nullopt;
  return read_number_pair(*node, path_of(key), range, names, *diagnostics_);
}

std::optional<std::array<int, 2>> CaseSection::integer_pair(std::string_view key,
                                                            const IntegerRange& range,
                                                            std::string_view names,
                                                            Presence presence) {
  const std::string accepted = fmt::format("a list {} of two, each an {}", names, range.describe());
  const YamlNode* node = value(key, accepted, presence);
  if (node == nullptr || !is_pair(*node, path_of(key), accepted, *diagnostics_))
    return std::nullopt;
  const auto first = read_integer(node->items[0], path_of(key) + ".0", range, *diagnostics_);
  const auto second = read_integer(node->items[1], path_of(key) + ".1", range, *diagnostics_);
  if (!first || !second) return std::nullopt;
  return std::array<int, 2>{static_cast<int>(*first), static_cast<int>(*second)};
}

std::optional<std::vector<double>> CaseSection::number_list(std::string_view key,
                                                            const NumberRange& range,
                                                            std::size_t least, Presence presence) {
  const std::string accepted =
      fmt::format("a list of at least {}, each a {}", least, range.describe());
  const YamlNode* node = value(key, accepted, presence);
  if (node == nullptr) return std::nullopt;
  const bool list = node->kind == YamlNode::Kind::sequence;
  if (!list || node->items.size() < least) {
    diagnostics_->add(
        node->place, path_of(key),
        list ? fmt::format("is a list of {}", node->items.size()) : describe_node(*node), accepted);
    return std::nullopt;
  }
  std::vector<double> numbers;
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const std::string path = fmt::format("{}.{}", path_of(key), i);
    if (const auto number = read_number(node->items[i], path, range, *diagnostics_))
      numbers.push_back(*number);
  }
  if (numbers.size() != node->items.size()) return std::nullopt;
  return numbers;
}

std::optional<std::vector<double>> CaseSection::number_rows(std::string_view key,
                                                            const NumberRange& range,
                                                            const Columns& columns) {
  const std::string accepted =
      fmt::format("a list of rows, each a list whose values are each a {}", range.describe());
  const YamlNode* node = value(key, accepted, Presence::required);
  if (node == nullptr) return std::nullopt;
  if (node->kind != YamlNode::Kind::sequence) {
    error_at_value(key, describe_node(*node), accepted);
    return std::nullopt;
  }
  std::vector<double> values;
  for (std::size_t row = 0; row < node->items.size(); ++row) {
    const YamlNode& items = node->items[row];
    const std::string path = fmt::format("{}.{}", path_of(key), row);
    const bool list = items.kind == YamlNode::Kind::sequence;
    if (!list || items.items.size() != columns.count) {
      diagnostics_->add(
          items.place, path,
          list ? fmt::format("has {} numbers instead of {}", items.items.size(), columns.count)
               : describe_node(items),
          fmt::format("a list with one number for each {}", columns.noun));
      return std::nullopt;
    }
    for (std::size_t i = 0; i < columns.count; ++i) {
      const auto number =
          read_number(items.items[i], fmt::format("{}.{}", path, i), range, *diagnostics_);
      if (!number) return std::nullopt;
      values.push_back(*number);
    }
  }
  return values;
}

std::optional<std::size_t> CaseSection::word(std::string_view key,
                                             const std::vector<std::string>& words,
                                             Presence presence) {
  const std::string accepted = fmt::format("accepted: {}", fmt::join(words, ", "));
  const YamlNode* node = value(key, accepted, presence);
  if (node == nullptr) return std::nullopt;
  if (node->kind != YamlNode::Kind::scalar) {
    diagnostics_->add(node->place, path_of(key), describe_node(*node), accepted);
    return std::nullopt;
  }
  const auto found = std::find(words.begin(), words.end(), node->text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  const std::vector<std::string_view> views(words.begin(), words.end());
  diagnostics_->add(node->place, path_of(key), in_quotes(node->text) + " is not known",
                    accepted_words(node->text, views));
  return std::nullopt;
}

std::optional<CaseSection> CaseSection::section(std::string_view key, std::string_view accepted,
                                                Presence presence) {
  const YamlNode* node = value(key, accepted, presence);
  if (node == nullptr) return std::nullopt;
  if (node->kind != YamlNode::Kind::map) {
    diagnostics_->add(node->place, path_of(key), describe_node(*node), accepted);
    return std::nullopt;
  }
  CaseSection part(*node, key_place(key), path_of(key), *diagnostics_);
  part.assumed_ = assumed_;
  part.disregarded_ = disregarded_;
  for (std::size_t i = 0; i < node_->keys.size(); ++i)
    if (node_->items[i].kind == YamlNode::Kind::scalar)
      part.assume(node_->keys[i].name, node_->items[i].text);
  return part;
}

std::optional<std::string_view> CaseSection::word_of(std::string_view key) const {
  if (std::find(disregarded_.begin(), disregarded_.end(), key) != disregarded_.end())
    return std::nullopt;
  if (const YamlNode* node = node_->find(key)) return node->text;
  const auto found = std::find_if(assumed_.rbegin(), assumed_.rend(),
                                  [&](const Assumed& each) { return each.key == key; });
  return found == assumed_.rend() ? std::nullopt : std::optional(found->word);
}

void CaseSection::finish() {
  const auto contains = [](const std::vector<std::string_view>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  for (std::size_t i = 0; i < node_->keys.size(); ++i) {
    const YamlKey& key = node_->keys[i];
    if (contains(known_, key.name) || contains(recognised_, key.name)) continue;
    std::string accepted = accepted_words(key.name, known_);
    if (const auto nearest = nearest_word(key.name, known_))
      diagnostics_->misspelt(path_of(*nearest));
    else if (const auto other = nearest_word(key.name, recognised_))  // which needs another word
      accepted = fmt::format("did you mean '{}'? {}", *other, accepted);
    else if (const auto path = path_elsewhere(path_, key.name, node_->items[i]); !path.empty())
      accepted = fmt::format("did you mean '{}'? {}", path, accepted);
    const bool digits = key.name.find_first_not_of("0123456789") == std::string::npos;
    diagnostics_->add(
        key.place, path_of(in_quotes(key.name).substr(1, in_quotes(key.name).size() - 2)),
        digits ? "unknown key (a decimal comma? Write a point)" : "unknown key", accepted);
  }
}

}  // namespace slipfield
