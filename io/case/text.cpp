// SPDX-License-Identifier: Apache-2.0
#include "io/case/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "io/plain_text.h"
#include "io/result/writer.h"

namespace slipfield {
namespace {

std::unique_ptr<CaseText> parse(std::filesystem::path path, SourceText source,
                                CaseDiagnostics& diagnostics) {
  auto text = std::make_unique<CaseText>(CaseText{std::move(path), std::move(source), {}, {}, {}});
  auto tree = parse_yaml(text->source.text(), text->source, diagnostics);
  if (!tree) diagnostics.throw_if_any();
  text->tree = std::move(*tree);
  return text;
}

// Whether the argument of --set leaves the numbers of the results unchanged.
bool keeps_numbers(std::string_view argument) {
  constexpr std::array<std::string_view, 5> kSections = {"title", "output", "solver", "interior",
                                                         "schema"};
  const std::string_view section = argument.substr(0, argument.find_first_of(".="));
  return std::ranges::find(kSections, section) != kSections.end();
}

void skip_expected(CaseText& text, const std::vector<std::string>& overrides) {
  const auto sets_expected = [](const std::string& argument) {
    return argument.starts_with("expected");
  };
  if (text.tree.find("expected") == nullptr || std::ranges::all_of(overrides, keeps_numbers) ||
      std::ranges::any_of(overrides, sets_expected))
    return;
  text.tree.erase("expected");
  text.skipped_expected = true;
}

constexpr const char* kForm = "--set key.path=value, for example --set normal.force=10";

constexpr SourceWords kFileWords{"a file with a value of the case (YAML)",
                                 "a value of a case is YAML in UTF-8", "a file that holds a value",
                                 "a value is a short text"};

YamlNode* descend_list(YamlNode& list, const PathSegment& segment, const std::string& path,
                       CaseDiagnostics& diagnostics) {
  const auto index = list_index(segment.name);
  if (index && *index < list.items.size()) return &list.items[*index];
  const std::string accepted = list.items.empty()
                                   ? std::string("a list with entries")
                                   : fmt::format("a number from 0 to {}", list.items.size() - 1);
  diagnostics.add(segment.place, path,
                  fmt::format("the list has no entry {}", in_quotes(segment.name)), accepted);
  return nullptr;
}

// Returns the node at the path, made if missing; its key then belongs to the path. Returns nullptr
// and reports an error if the path leads through a value.
YamlNode* descend(YamlNode& root, const std::vector<PathSegment>& segments,
                  CaseDiagnostics& diagnostics) {
  YamlNode* node = &root;
  std::string path;
  for (const PathSegment& segment : segments) {
    if (node->kind == YamlNode::Kind::sequence) {
      node = descend_list(*node, segment, path, diagnostics);
      if (node == nullptr) return nullptr;
    } else if (node->kind == YamlNode::Kind::scalar) {
      diagnostics.add(segment.place, path,
                      fmt::format("is the value {}, which has no key {}", in_quotes(node->text),
                                  in_quotes(segment.name)),
                      "the path of a value");
      return nullptr;
    } else {
      if (node->kind == YamlNode::Kind::null) {
        if (std::ranges::all_of(segment.name, is_decimal_digit)) {
          diagnostics.add(
              segment.place, path,
              fmt::format("the case has no such list, and so no entry {}", segment.name),
              "a list in the case, or a path without the number");
          return nullptr;
        }
        *node = YamlNode::empty_map(segment.place);
      }
      auto index = node->index_of(segment.name);
      if (!index) {
        index = node->items.size();
        node->keys.push_back({segment.name, segment.place});
        node->items.emplace_back();
        node->items.back().place = segment.place;
      }
      if (&segment == &segments.back()) node->keys[*index].place = segment.place;
      node = &node->items[*index];
    }
    path += (path.empty() ? "" : ".") + segment.name;
  }
  return node;
}

}  // namespace

void apply_overrides(CaseText& text, const std::vector<std::string>& overrides,
                     CaseDiagnostics& diagnostics) {
  for (const std::string& argument : overrides) {
    text.arguments.push_back(override_source(argument));
    apply_override(text.tree, text.arguments.back(), text.value_files, diagnostics);
  }
}

std::shared_ptr<const CaseSource> source_of(const CaseText& text) {
  CaseSource source{text.path.filename().string(), text.source.text(), {}};
  for (const SourceText& argument : text.arguments) source.overrides.push_back(argument.text());
  return std::make_shared<const CaseSource>(std::move(source));
}

std::unique_ptr<CaseText> read_case_text(const std::filesystem::path& path,
                                         const std::vector<std::string>& overrides,
                                         CaseDiagnostics& diagnostics) {
  auto text = parse(path, read_source(path), diagnostics);
  apply_overrides(*text, overrides, diagnostics);
  skip_expected(*text, overrides);
  return text;
}

std::unique_ptr<CaseText> make_case_text(const std::string& yaml, const std::string& name,
                                         const std::filesystem::path& folder,
                                         CaseDiagnostics& diagnostics) {
  return parse(folder / name, make_source(name, yaml), diagnostics);
}

std::optional<std::size_t> list_index(std::string_view segment) {
  std::size_t index = 0;
  const char* end = segment.data() + segment.size();
  const auto [stop, error] = std::from_chars(segment.data(), end, index);
  const bool is_plain = segment.size() == 1 || !segment.starts_with('0');
  return error == std::errc{} && stop == end && is_plain ? std::optional(index) : std::nullopt;
}

std::optional<std::vector<PathSegment>> split_path(std::string_view path, const SourcePlace& place,
                                                   std::string_view accepted,
                                                   CaseDiagnostics& diagnostics) {
  std::vector<PathSegment> segments;
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const SourcePlace at{place.source, place.line, place.column + static_cast<int>(begin)};
    if (end == begin) {
      diagnostics.add(at, "", fmt::format("a key of the path {} is empty", in_quotes(path)),
                      accepted);
      return std::nullopt;
    }
    segments.push_back({std::string(path.substr(begin, end - begin)), at});
    begin = end + 1;
  }
  if (segments.size() > kMaxYamlDepth) {
    diagnostics.add(segments.back().place, "",
                    fmt::format("the path {} is too deep", in_quotes(path)),
                    fmt::format("at most {} keys", kMaxYamlDepth));
    return std::nullopt;
  }
  return segments;
}

bool fits_kind(const YamlNode& root, const std::vector<PathSegment>& path,
               CaseDiagnostics& diagnostics) {
  const PathSegment& first = path.front();
  constexpr std::string_view kKind = "wheel_rail";
  if (path.size() == 1 || first.name != kKind || root.find(kKind) != nullptr) return true;
  std::string whole;
  for (const PathSegment& segment : path) whole += (whole.empty() ? "" : ".") + segment.name;
  diagnostics.add(first.place, whole, "the case has no wheel_rail",
                  "a key of one contact, such as normal.force, or a case with wheel_rail");
  return false;
}

void replace_value(YamlNode& root, const std::vector<PathSegment>& path, YamlNode value,
                   CaseDiagnostics& diagnostics) {
  YamlNode* target = descend(root, path, diagnostics);
  if (target != nullptr) *target = std::move(value);
}

SourceText override_source(const std::string& argument) {
  constexpr std::size_t kMostShown = 60;  // bytes of a place; the line below an error has the rest
  std::string shown = argument;
  if (shown.size() > kMostShown) {
    std::size_t end = kMostShown - 3;
    const auto continues = [&] {
      return (static_cast<unsigned char>(shown[end]) & 0xC0U) == 0x80U;
    };
    while (end > 0 && continues()) --end;  // no letter in two
    shown.resize(end);
    shown += "...";
  }
  return {"--set " + shown, argument, SourceText::Kind::argument};
}

void apply_override(YamlNode& root, const SourceText& source, std::deque<SourceText>& files,
                    CaseDiagnostics& diagnostics) {
  const std::string& argument = source.text();
  const SourcePlace start{&source, 0, 0};
  if (std::ranges::any_of(argument,
                          [](char letter) { return static_cast<unsigned char>(letter) < 0x20U; })) {
    diagnostics.add(start, "", "has a line break or a control character", kForm);
    return;
  }
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos) {
    diagnostics.add(start, "", "has no '='", kForm);
    return;
  }
  const auto segments =
      split_path(std::string_view(argument).substr(0, equals), start, kForm, diagnostics);
  if (!segments || !fits_kind(root, *segments, diagnostics)) return;
  const std::size_t first = argument.find_first_not_of(' ', equals + 1);
  if (first == std::string::npos) {
    diagnostics.add({&source, 0, static_cast<int>(equals)}, argument.substr(0, equals),
                    "has no value", kForm);
    return;
  }
  std::optional<YamlNode> value;
  if (argument[first] == '@') {  // not the beginning of any YAML value
    const std::filesystem::path path = argument.substr(first + 1);
    const SourcePlace place{&source, 0, static_cast<int>(first)};
    if (path.empty()) {
      diagnostics.add(place, argument.substr(0, equals), "'@' has no file behind it",
                      "--set key.path=@FILE, a file with the value (YAML)");
      return;
    }
    try {
      files.push_back(read_source(path, kFileWords));
    } catch (const CaseError& error) {
      diagnostics.add(place, argument.substr(0, equals), error.what());
      return;
    }
    if (is_regular_file(path)) diagnostics.add_file(absolute(path));  // a pipe is read once
    value = parse_yaml(files.back().text(), files.back(), diagnostics);
  } else {
    // Replaces the path by blanks, to keep the columns of the value.
    value =
        parse_yaml(std::string(equals + 1, ' ') + argument.substr(equals + 1), source, diagnostics);
  }
  if (!value) return;
  replace_value(root, *segments, std::move(*value), diagnostics);
}

}  // namespace slipfield
