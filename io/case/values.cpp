// SPDX-License-Identifier: Apache-2.0
#include "io/case/values.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/yaml/number.h"

namespace slipfield {
namespace {

// Checks that the node is a scalar that may be a number: no list, no map, no quotes.
bool is_bare_scalar(const YamlNode& node, std::string_view path, const std::string& accepted,
                    CaseDiagnostics& diagnostics) {
  if (node.kind != YamlNode::Kind::scalar) {
    diagnostics.add(node.place, path, describe_node(node), accepted);
    return false;
  }
  if (node.quotes == YamlNode::Quotes::given) {
    diagnostics.add(node.place, path, in_quotes(node.text) + " is quoted text",
                    accepted + ", without quotes");
    return false;
  }
  return true;
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

std::optional<double> read_number(const YamlNode& node, std::string_view path,
                                  const NumberRange& range, CaseDiagnostics& diagnostics) {
  const std::string accepted = range.describe_one();
  if (!is_bare_scalar(node, path, accepted, diagnostics)) return std::nullopt;
  const auto parsed = parse_number(node.text);
  if (!parsed.value) {
    diagnostics.add(node.place, path, parsed.problem, accepted);
    return std::nullopt;
  }
  if (!range.contains(*parsed.value)) {
    diagnostics.add(node.place, path, node.text + " is out of range", accepted);
    return std::nullopt;
  }
  return parsed.value;
}

std::optional<std::int64_t> read_integer(const YamlNode& node, std::string_view path,
                                         const IntegerRange& range, CaseDiagnostics& diagnostics) {
  const std::string accepted = range.describe_one();
  if (!is_bare_scalar(node, path, accepted, diagnostics)) return std::nullopt;
  const auto parsed = parse_integer(node.text);
  if (!parsed.value) {
    diagnostics.add(node.place, path, parsed.problem, accepted);
    return std::nullopt;
  }
  if (*parsed.value < range.least || *parsed.value > range.greatest) {
    diagnostics.add(node.place, path, node.text + " is out of range", accepted);
    return std::nullopt;
  }
  return parsed.value;
}

bool is_pair(const YamlNode& node, std::string_view path, std::string_view accepted,
             CaseDiagnostics& diagnostics) {
  const bool list = node.kind == YamlNode::Kind::sequence;
  if (list && node.items.size() == 2) return true;
  diagnostics.add(node.place, path,
                  list ? fmt::format("is a list of {}", node.items.size()) : describe_node(node),
                  accepted);
  return false;
}

std::optional<std::array<double, 2>> read_number_pair(const YamlNode& node, std::string_view path,
                                                      const NumberRange& range,
                                                      std::string_view names,
                                                      CaseDiagnostics& diagnostics) {
  if (!is_pair(node, path, range.describe_pair(names), diagnostics)) return std::nullopt;
  const auto first = read_number(node.items[0], fmt::format("{}.0", path), range, diagnostics);
  const auto second = read_number(node.items[1], fmt::format("{}.1", path), range, diagnostics);
  if (!first || !second) return std::nullopt;
  return std::array<double, 2>{*first, *second};
}

std::optional<std::string> read_text(const YamlNode& node, std::string_view path,
                                     std::string_view accepted, CaseDiagnostics& diagnostics) {
  if (node.kind != YamlNode::Kind::scalar) {
    diagnostics.add(node.place, path, describe_node(node), accepted);
    return std::nullopt;
  }
  std::string text = node.text;
  while (!text.empty() && text.back() == '\n') text.pop_back();  // end of a block of text
  const bool printable = std::none_of(text.begin(), text.end(), [](char letter) {
    return static_cast<unsigned char>(letter) < 0x20U || letter == 0x7F;
  });
  if (!printable) {
    diagnostics.add(node.place, path, "has a line break or a control character", accepted);
    return std::nullopt;
  }
  // The parser makes a byte of another encoding of these two.
  if (!is_utf8(text)) {
    diagnostics.add(node.place, path, "has the escape \\_ or \\N",
                    "the character itself, in UTF-8");
    return std::nullopt;
  }
  if (text.empty()) {
    diagnostics.add(node.place, path, "is empty", accepted);
    return std::nullopt;
  }
  return text;
}

}  // namespace slipfield
