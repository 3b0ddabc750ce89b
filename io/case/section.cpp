// SPDX-License-Identifier: Apache-2.0
#include "io/case/section.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "io/case/check/faults.h"
#include "io/yaml/number.h"
#include "io/yaml/suggestion.h"

namespace slipfield {
namespace {

bool contains(const NumberRange& range, double value) { return range.contains(value); }
bool contains(const IntegerRange& range, std::int64_t value) {
  return value >= range.least && value <= range.greatest;
}

// Reads a scalar that may be a number (no list, no map, no quotes) in the range.
template <typename T, typename Range>
std::optional<T> parsed(const CaseValue& value, const Range& range,
                        ParsedNumber<T> (*parse)(std::string_view)) {
  const YamlNode& node = value.node;
  std::string problem;
  if (node.kind != YamlNode::Kind::scalar) {
    problem = describe_node(node);
  } else if (node.quotes == YamlNode::Quotes::given) {
    value.refuse(in_quotes(node.text) + " is quoted text",
                 range.describe_one() + ", without quotes");
    return std::nullopt;
  } else {
    auto number = parse(node.text);
    if (number.value && contains(range, *number.value)) return number.value;
    problem = number.value ? node.text + " is out of range" : std::move(number.problem);
  }
  value.refuse(problem, range.describe_one());
  return std::nullopt;
}

// Returns the fault of a text; empty if none.
std::string problem_of(const std::string& text) {
  const bool printable = std::ranges::none_of(text, [](char letter) {
    return static_cast<unsigned char>(letter) < 0x20U || letter == 0x7F;
  });
  if (!printable) return "has a line break or a control character";
  return text.empty() ? "is empty" : "";
}

}  // namespace

std::string describe_node(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "has no value";
    case YamlNode::Kind::sequence:
      return "is a list";
    case YamlNode::Kind::map:
      return "is a map";
    case YamlNode::Kind::scalar:
      break;
  }
  return "is " + in_quotes(node.text);
}

std::string accepted_list(const std::vector<std::string>& words) {
  return fmt::format("accepted: {}", fmt::join(words, ", "));
}

std::optional<double> CaseValue::number(const NumberRange& range) const {
  return parsed(*this, range, parse_number);
}

std::optional<std::int64_t> CaseValue::integer(const IntegerRange& range) const {
  return parsed(*this, range, parse_integer);
}

std::optional<bool> CaseValue::boolean() const {
  const bool scalar = node.kind == YamlNode::Kind::scalar;
  if (scalar && (node.text == "true" || node.text == "false")) return node.text == "true";
  refuse(scalar ? in_quotes(node.text) + " is neither true nor false" : describe_node(node),
         "true or false");
  return std::nullopt;
}

std::optional<std::string> CaseValue::text(std::string_view accepted) const {
  std::string text = node.text;
  while (!text.empty() && text.back() == '\n') text.pop_back();  // end of a block of text
  const bool scalar = node.kind == YamlNode::Kind::scalar;
  const std::string problem = scalar ? problem_of(text) : describe_node(node);
  if (!problem.empty())
    refuse(problem, accepted);
  else if (!is_utf8(text))  // the parser turns a byte of another encoding into these two
    refuse("has the escape \\_ or \\N", "the character itself, in UTF-8");
  else
    return text;
  return std::nullopt;
}

std::optional<std::size_t> CaseValue::word(const std::vector<std::string>& words) const {
  const auto found = std::ranges::find(words, node.text);
  const bool scalar = node.kind == YamlNode::Kind::scalar;
  if (scalar && found != words.end()) return static_cast<std::size_t>(found - words.begin());
  const std::vector<std::string_view> views(words.begin(), words.end());
  if (scalar)
    refuse(in_quotes(node.text) + " is not known", accepted_words(node.text, views));
  else
    refuse(describe_node(node), accepted_list(words));
  return std::nullopt;
}

std::optional<std::vector<CaseValue>> CaseValue::items(std::string_view accepted, std::size_t least,
                                                       std::size_t most) const {
  if (!is_list() || node.items.size() < least || node.items.size() > most) {
    refuse(!is_list()           ? describe_node(node)
           : node.items.empty() ? "is an empty list"
                                : fmt::format("is a list of {}", node.items.size()),
           accepted);
    return std::nullopt;
  }
  std::vector<CaseValue> values;
  values.reserve(node.items.size());
  for (std::size_t i = 0; i < node.items.size(); ++i)
    values.push_back({node.items[i], fmt::format("{}.{}", path, i), diagnostics});
  return values;
}

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
  if (std::ranges::find(known_, key) == known_.end()) known_.push_back(key);
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
  const YamlNode* node = find_path(node_, key_path(std::string(key)));
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

std::optional<CaseValue> CaseSection::at(std::string_view key, std::string_view accepted,
                                         Presence presence) {
  const YamlNode* node = value(key, accepted, presence);
  if (node == nullptr) return std::nullopt;
  return CaseValue{*node, path_of(key), *diagnostics_};
}

std::optional<std::int64_t> CaseSection::integer(std::string_view key, const IntegerRange& range,
                                                 Presence presence) {
  const auto value = at(key, range.describe_one(), presence);
  return value ? value->integer(range) : std::nullopt;
}

std::optional<std::string> CaseSection::text(std::string_view key, std::string_view accepted,
                                             Presence presence) {
  const auto value = at(key, accepted, presence);
  return value ? value->text(accepted) : std::nullopt;
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

std::vector<CaseSection> CaseSection::maps(std::string_view key, std::string_view accepted,
                                           Presence presence, Maps also) {
  std::vector<CaseSection> sections;
  const auto value = at(key, accepted, presence);
  if (!value) return sections;
  if (also == Maps::alone && value->node.kind == YamlNode::Kind::map)
    sections.emplace_back(value->node, key_place(key), value->path, *diagnostics_);
  else if (const auto items = value->items(accepted, also == Maps::none ? 0 : 1))
    for (const CaseValue& item : *items)
      sections.emplace_back(item.node, item.node.place, item.path, *diagnostics_);
  std::erase_if(sections, [](const CaseSection& section) { return !section.is_map(); });
  return sections;
}

std::optional<std::string_view> CaseSection::word_of(std::string_view key) const {
  if (std::ranges::find(disregarded_, key) != disregarded_.end()) return std::nullopt;
  if (const YamlNode* node = node_->find(key)) return node->text;
  const auto found = std::find_if(assumed_.rbegin(), assumed_.rend(),
                                  [&](const Assumed& each) { return each.key == key; });
  return found == assumed_.rend() ? std::nullopt : std::optional(found->word);
}

void CaseSection::finish() {
  const auto contains = [](const std::vector<std::string_view>& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
  };
  for (std::size_t i = 0; i < node_->keys.size(); ++i) {
    const YamlKey& key = node_->keys[i];
    if (contains(known_, key.name) || contains(recognised_, key.name)) continue;
    if (diagnostics_->is_full()) {  // what was meant takes time to find
      diagnostics_->add(key.place, key.name, "unknown key");
      continue;
    }
    std::string accepted = accepted_words(key.name, known_);
    if (const auto nearest = nearest_word(key.name, known_))
      diagnostics_->misspelt(path_of(*nearest));
    else if (const auto other = nearest_word(key.name, recognised_))  // which needs another word
      accepted = fmt::format("did you mean '{}'? {}", *other, accepted);
    else if (const auto path = path_elsewhere(path_, key.name, node_->items[i]); !path.empty())
      accepted = fmt::format("did you mean '{}'? {}", path, accepted);
    const bool digits = key.name.find_first_not_of("0123456789") == std::string::npos;
    const std::string quoted = in_quotes(key.name);
    diagnostics_->add_unknown_key(key.place, path_of(quoted.substr(1, quoted.size() - 2)), digits,
                                  accepted);
  }
}

}  // namespace slipfield
