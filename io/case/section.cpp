// SPDX-License-Identifier: Apache-2.0
#include "io/case/section.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "io/yaml/suggestion.h"

namespace slipfield {
namespace {

const YamlNode& empty_map() {
  static const YamlNode node = [] {
    YamlNode map;
    map.kind = YamlNode::Kind::map;
    return map;
  }();
  return node;
}

}  // namespace

CaseSection::CaseSection(const YamlNode& node, const SourcePlace& place, std::string path,
                         CaseDiagnostics& diagnostics, Completeness completeness)
    : node_(&node),
      place_(place),
      path_(std::move(path)),
      diagnostics_(&diagnostics),
      completeness_(completeness) {
  if (node.kind == YamlNode::Kind::map) return;
  diagnostics.add(node.place, path_, describe_node(node), "a map with keys of its own");
  node_ = &empty_map();
  completeness_ = Completeness::part;
  is_map_ = false;
}

void CaseSection::know(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
  if (diagnostics_->observed() != nullptr) observed().key(key);
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
  const YamlNode* node = node_->find(key);
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
    if (diagnostics_->observed() != nullptr && presence == Presence::required && is_whole())
      observed().key(key).required = true;
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
  takes(key, [&] { return KeyForm{.kind = KeyForm::Kind::number, .numbers = range}; });
  const YamlNode* node = value(key, range.describe_one(), presence);
  if (node == nullptr) return std::nullopt;
  return read_number(*node, path_of(key), range, *diagnostics_);
}

double CaseSection::number_or(std::string_view key, const NumberRange& range, double otherwise) {
  return number(key, range, Presence::optional).value_or(otherwise);
}

std::optional<std::int64_t> CaseSection::long_integer(std::string_view key,
                                                      const IntegerRange& range,
                                                      Presence presence) {
  takes(key, [&] { return KeyForm{.kind = KeyForm::Kind::integer, .integers = range}; });
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
  takes(key, [&] { return KeyForm{.kind = KeyForm::Kind::boolean}; });
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
  takes(key, [&] { return KeyForm{.kind = KeyForm::Kind::text}; });
  const YamlNode* node = value(key, accepted, presence);
  if (node == nullptr) return std::nullopt;
  return read_text(*node, path_of(key), accepted, *diagnostics_);
}

std::optional<std::array<double, 2>> CaseSection::number_pair(std::string_view key,
                                                              const NumberRange& range,
                                                              std::string_view names,
                                                              Presence presence) {
  takes(key, [&] {
    return KeyForm{.kind = KeyForm::Kind::list,
                   .items = {{.kind = KeyForm::Kind::number, .numbers = range}},
                   .least = 2,
                   .most = 2};
  });
  const YamlNode* node = value(key, range.describe_pair(names), presence);
  if (node == nullptr) return std::nullopt;
  return read_number_pair(*node, path_of(key), range, names, *diagnostics_);
}

std::optional<std::array<int, 2>> CaseSection::integer_pair(std::string_view key,
                                                            const IntegerRange& range,
                                                            std::string_view names,
                                                            Presence presence) {
  takes(key, [&] {
    return KeyForm{.kind = KeyForm::Kind::list,
                   .items = {{.kind = KeyForm::Kind::integer, .integers = range}},
                   .least = 2,
                   .most = 2};
  });
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
  takes(key, [&] {
    return KeyForm{.kind = KeyForm::Kind::list,
                   .items = {{.kind = KeyForm::Kind::number, .numbers = range}},
                   .least = least};
  });
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
  takes(key, [&] { return list_form(list_form(number_form(range), 0), 0); });
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

std::optional<std::size_t> CaseSection::choose(std::string_view key,
                                               std::span<const std::string_view> names,
                                               std::span<const Support> support,
                                               Presence presence) {
  std::vector<std::string_view> supported;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (support[i] == Support::now) supported.push_back(names[i]);
  }
  takes(key, [&] {
    return KeyForm{.kind = KeyForm::Kind::word, .words = {supported.begin(), supported.end()}};
  });
  const std::string accepted = fmt::format("accepted: {}", fmt::join(supported, ", "));
  const YamlNode* node = value(key, accepted, presence);
  if (node == nullptr) return std::nullopt;
  if (node->kind != YamlNode::Kind::scalar) {
    diagnostics_->add(node->place, path_of(key), describe_node(*node), accepted);
    return std::nullopt;
  }
  const auto found = std::find(names.begin(), names.end(), node->text);
  if (found == names.end()) {
    diagnostics_->add(node->place, path_of(key), in_quotes(node->text) + " is not known",
                      accepted_words(node->text, supported));
    return std::nullopt;
  }
  const auto index = static_cast<std::size_t>(found - names.begin());
  if (support[index] == Support::later) {
    diagnostics_->add(node->place, path_of(key), in_quotes(node->text) + " is not supported yet",
                      accepted);
    return std::nullopt;
  }
  return index;
}

std::optional<CaseSection> CaseSection::section(std::string_view key, std::string_view accepted,
                                                Presence presence) {
  takes(key, [&] { return KeyForm{.kind = KeyForm::Kind::map}; });
  const YamlNode* node = value(key, accepted, presence);
  if (node == nullptr) return std::nullopt;
  if (node->kind != YamlNode::Kind::map) {
    diagnostics_->add(node->place, path_of(key), describe_node(*node), accepted);
    return std::nullopt;
  }
  return CaseSection(*node, key_place(key), path_of(key), *diagnostics_);
}

std::optional<std::string_view> CaseSection::one_of(std::span<const std::string_view> keys,
                                                    Presence presence) {
  const std::string accepted = fmt::format("exactly one of {}", fmt::join(keys, ", "));
  if (diagnostics_->observed() != nullptr)
    observed().add_group(
        {{keys.begin(), keys.end()}, presence == Presence::required && is_whole()});
  std::optional<std::string_view> given;
  bool contradiction = false;
  for (const std::string_view key : keys) {
    know(key);
    if (!has(key)) continue;
    if (given) {
      // The later of the two in the file is the one that contradicts.
      const bool in_order = *node_->index_of(*given) < *node_->index_of(key);
      error_at_key(in_order ? key : *given,
                   fmt::format("given together with {}", in_quotes(in_order ? *given : key)),
                   accepted);
      contradiction = true;
    }
    given = key;
  }
  if (!given && presence == Presence::required && is_whole())
    diagnostics_->add(place_, path_, fmt::format("none of {} is given", fmt::join(keys, ", ")),
                      accepted);
  return contradiction ? std::nullopt : given;
}

void CaseSection::refuse(std::string_view key, std::string_view problem,
                         std::string_view accepted) {
  recognised_.push_back(key);
  if (diagnostics_->observed() != nullptr) observed().key(key).refused = true;
  if (has(key)) error_at_key(key, problem, accepted);
}

void CaseSection::not_supported_yet(std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys)
    refuse(key, "is not supported yet", "a case without this key");
}

void CaseSection::finish() {
  if (diagnostics_->observed() != nullptr) observed().closed = true;
  const auto contains = [](const std::vector<std::string_view>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  for (const YamlKey& key : node_->keys) {
    if (contains(known_, key.name) || contains(recognised_, key.name)) continue;
    if (const auto nearest = nearest_word(key.name, known_))
      diagnostics_->misspelt(path_of(*nearest));
    const bool digits = key.name.find_first_not_of("0123456789") == std::string::npos;
    diagnostics_->add(key.place,
                      path_of(in_quotes(key.name).substr(1, in_quotes(key.name).size() - 2)),
                      digits ? "unknown key (a decimal comma? Write a point)" : "unknown key",
                      accepted_words(key.name, known_));
  }
}

}  // namespace slipfield
