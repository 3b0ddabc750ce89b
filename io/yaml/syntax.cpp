// SPDX-License-Identifier: Apache-2.0
#include "io/yaml/syntax.h"

#include <algorithm>
#include <string_view>

namespace slipfield {
namespace {

constexpr int kMaxOpenBrackets = 1000;
constexpr std::string_view kBlanksBetweenWords = " \t\n";

SourcePlace end_of(const SourceText& source) {
  int line = source.line_count() - 1;
  while (line > 0 && source.line(line).empty()) --line;
  return {&source, line, static_cast<int>(source.line(line).size())};
}

bool is_indented_by_tab(std::string_view line) {
  const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
  return line.substr(0, first).find('\t') != std::string_view::npos;
}

void drop(std::string_view& text, std::size_t count) {
  text.remove_prefix(std::min(count, text.size()));
}

}  // namespace

std::optional<SourcePlace> find_bracket_flood(const std::string& text, const SourceText& source) {
  int depth = 0;
  SourcePlace place{&source, 0, 0};
  for (const char letter : text) {
    if (letter == '[' || letter == '{') ++depth;
    if (letter == ']' || letter == '}') depth = std::max(depth - 1, 0);
    if (depth > kMaxOpenBrackets) return place;
    ++place.column;
    if (letter == '\n') {
      ++place.line;
      place.column = 0;
    }
  }
  return std::nullopt;
}

bool is_quote_closed(const SourcePlace& place) {
  std::string_view text = place.source->text();
  const std::string_view line = place.source->line(place.line);
  drop(text, static_cast<std::size_t>(line.data() - text.data()) +
                 static_cast<std::size_t>(place.column));
  while (!text.empty() && (text[0] == '&' || text[0] == '!')) {
    drop(text, text.find_first_of(kBlanksBetweenWords));
    drop(text, text.find_first_not_of(kBlanksBetweenWords));
  }
  if (text.empty() || (text[0] != '"' && text[0] != '\'')) return true;
  const char quote = text[0];
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      const bool doubled = quote == '\'' && i + 1 < text.size() && text[i + 1] == quote;
      if (!doubled) return true;
      ++i;
    }
  }
  return false;
}

SyntaxError describe_syntax_error(const YAML::Exception& error, const SourceText& source) {
  SyntaxError result;
  result.place = end_of(source);
  // At the end of the text the parser has lost its column.
  const bool at_end = error.mark.line == result.place.line && error.mark.column == 0;
  if (!error.mark.is_null() && error.mark.line <= result.place.line && !at_end)
    result.place = {&source, error.mark.line, std::max(error.mark.column, 0)};
  result.problem = "not valid YAML: " + error.msg;
  if (error.msg.rfind("the referenced anchor is not defined", 0) == 0) {  // 0.8 adds the name
    result.problem = "not valid YAML: the alias has no anchor before it";
    return result;
  }
  if (is_indented_by_tab(source.line(result.place.line))) {
    result.accepted = "indentation with spaces, not with tabs";
  } else if (error.msg == YAML::ErrorMsg::END_OF_MAP || error.msg == YAML::ErrorMsg::END_OF_SEQ) {
    result.accepted = "nothing after a value, and the same indentation for all keys of a map";
  } else if (error.msg == YAML::ErrorMsg::END_OF_MAP_FLOW) {
    result.accepted = "a '}' for every '{', and commas between its keys";
  } else if (error.msg == YAML::ErrorMsg::END_OF_SEQ_FLOW) {
    result.accepted = "a ']' for every '[', and commas between its values";
  } else if (error.msg == YAML::ErrorMsg::MAP_VALUE) {
    result.accepted = "one 'key: value' in a line, with the indentation of its map";
  }
  return result;
}

}  // namespace slipfield
