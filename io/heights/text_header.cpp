// SPDX-License-Identifier: Apache-2.0
// Names and units of columns, in a first line ("z [um]; y [um]") or in a comment ("# heights in
// um").
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <system_error>
#include <utility>

#include "io/axis_names.h"
#include "io/heights/formats.h"
#include "io/plain_text.h"
#include "io/yaml/source.h"

namespace slipfield {
namespace {

constexpr std::string_view kHeaderBlanks = " \t\r";

bool is_a_number(std::string_view word) {
  const std::string plain = plain_number(word);
  double value = 0.0;
  return std::from_chars(plain.data(), plain.data() + plain.size(), value).ec == std::errc{};
}

// A unit of length as people write it: in quotes, with the micro sign of Latin-1.
std::optional<double> metres_of_text(std::string_view unit) {
  const std::size_t first = unit.find_first_not_of(" \t\"'");
  if (first == std::string_view::npos) return std::nullopt;
  unit = unit.substr(first, unit.find_last_not_of(" \t\"'.") + 1 - first);
  if (unit == "\xb5m") return metres_of("um");
  if (const auto metres = metres_of(unit)) return metres;
  const std::string lower = lower_case(unit);  // MM is not a million metres
  return lower.size() > 1 ? metres_of(lower) : std::nullopt;
}

// A word of a line: "z", "y_mm", "height[um]"; or the unit of the words before it: "[um]", "in um".
struct HeaderWord {
  std::string text;
  std::string name;          // its letters and digits, without the unit
  std::string unit;          // empty if it has none
  bool ends_phrase = false;  // a comma, semicolon, tab or colon follows
};

std::string name_of_word(std::string_view word) {
  const std::string name = plain_name(plain_letters(word));
  return name.size() == 3 && name.ends_with("mm") ? name.substr(0, 1) : name;
}

HeaderWord header_word(std::string_view text) {
  HeaderWord word{std::string(text), {}, {}};
  const std::size_t open = text.find_first_of("[(");
  if (open != std::string_view::npos) {
    std::string_view inside = text.substr(open + 1);
    inside = inside.substr(0, inside.find_first_of("])"));
    inside.remove_prefix(std::min(inside.find_first_not_of(kHeaderBlanks), inside.size()));
    if (inside.starts_with("in ")) inside.remove_prefix(3);
    word.unit = inside;
    text = text.substr(0, open);
  } else if (const std::size_t at = text.find_last_of("/_"); at != std::string_view::npos) {
    if (metres_of_text(text.substr(at + 1))) {
      word.unit = text.substr(at + 1);
      text = text.substr(0, at);
    }
  }
  if (metres_of_text(word.unit)) {
    const std::size_t first = word.unit.find_first_not_of("\"' \t");
    word.unit = word.unit.substr(first, word.unit.find_last_not_of("\"'. \t") + 1 - first);
  }
  word.name = name_of_word(text);
  return word;
}

// Words between blanks, commas and semicolons that are not in brackets.
std::vector<HeaderWord> words_of_header(std::string_view line) {
  std::vector<HeaderWord> words;
  for (std::size_t at = 0; at < line.size();) {
    const char letter = line[at];
    const bool separates = letter == ',' || letter == ';' || letter == '\t';
    if (separates && !words.empty()) words.back().ends_phrase = true;
    if (separates || kHeaderBlanks.find(letter) != std::string_view::npos) {
      ++at;
      continue;
    }
    std::size_t end = at;
    for (int depth = 0; end < line.size(); ++end) {
      if (line[end] == '[' || line[end] == '(') ++depth;
      if (line[end] == ']' || line[end] == ')') --depth;
      if (depth <= 0 && std::string_view(" \t\r,;").find(line[end]) != std::string_view::npos)
        break;
    }
    words.push_back(header_word(line.substr(at, end - at)));
    words.back().ends_phrase = line[end - 1] == ':';
    at = end;
  }
  return words;
}

// The values that an entire map or list has.
constexpr std::array kValueNames{"z",       "value",   "values", "gap",    "gaps",
                                 "profile", "surface", "data",   "lengths"};
// A length of these is not that of the values.
constexpr std::array kOtherLengths{"x",     "step",       "spacing", "pixel",  "size", "range",
                                   "width", "resolution", "rms",     "rq",     "ra",   "sq",
                                   "sa",    "length",     "offset",  "radius", "xy",   "grid"};

template <std::size_t count>
bool is_among(const std::array<const char*, count>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// The column of that name; request.columns.size(): none.
std::size_t column_of(const HeightsRequest& request, std::string_view name) {
  const auto has = [&](const ColumnNames& names) {
    return std::ranges::any_of(names,
                               [&](std::string_view each) { return plain_name(each) == name; });
  };
  return static_cast<std::size_t>(std::ranges::find_if(request.columns, has) -
                                  request.columns.begin());
}

// "unit: um", "value units = um", "# z-unit: um"; empty for other lines.
std::string_view unit_after_key(std::string_view line) {
  const std::size_t end = line.find_first_of(":=");
  if (end == std::string_view::npos) return {};
  std::string key;
  for (const char letter : lower_case(line.substr(0, end)))
    if (is_ascii_letter(letter)) key.push_back(letter);
  for (const std::string_view of : {"value", "z", "height", "heights"})
    if (key.starts_with(of)) key.erase(0, of.size());
  if (key != "unit" && key != "units") return {};
  const std::size_t first = line.find_first_not_of(" \t", end + 1);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_first_of(" \t\r", first) - first);
}

// The units that a comment gives to the values: "z [um]", "heights in um", "y_um", not "pixel size
// [um]" or "surface [um] rms 0.5", phrases with numbers or with words of other lengths.
std::vector<std::string> units_of_values(const std::vector<HeaderWord>& words,
                                         const HeightsRequest& request) {
  const auto is_value = [&](const HeaderWord& word) {
    return is_among(kValueNames, word.name) || is_among(kUpwards, word.name) ||
           column_of(request, word.name) < request.columns.size();
  };
  const auto is_other = [&](const HeaderWord& word) {
    return column_of(request, word.name) == request.columns.size() &&
           (is_among(kOtherLengths, word.name) || is_a_number(word.text));
  };
  std::vector<std::string> units;
  for (std::size_t first = 0; first < words.size();) {
    std::size_t end = first;
    while (end < words.size() && !words[end].ends_phrase) ++end;
    end = std::min(end + 1, words.size());
    const auto phrase = std::span(words).subspan(first, end - first);
    first = end;
    if (std::ranges::any_of(phrase, is_other)) continue;
    bool values = false;
    for (std::size_t i = 0; i < phrase.size(); ++i) {
      values = values || is_value(phrase[i]);
      std::string unit = phrase[i].unit;
      if (unit.empty() && i > 0 && is_value(phrase[i - 1]) && phrase[i].name == "in" &&
          i + 1 < phrase.size())
        unit = phrase[i + 1].text;
      if (values && metres_of_text(unit)) units.push_back(unit);
      if (!unit.empty()) values = false;
    }
  }
  return units;
}

// A name of a column: several words if commas, semicolons or tabs separate the names.
struct HeaderName {
  std::vector<std::string> words;
  bool has_unit = false;
};

std::vector<HeaderName> names_of_header(const std::vector<HeaderWord>& words, bool separated) {
  std::vector<HeaderName> names;
  bool begins = true;
  for (const HeaderWord& word : words) {
    if (word.name.empty() && word.unit.empty()) continue;
    const bool unit_alone = word.name.empty();
    if (begins || (!separated && !unit_alone)) names.emplace_back();
    begins = separated && word.ends_phrase;
    if (!unit_alone) names.back().words.push_back(word.name);
    names.back().has_unit = names.back().has_unit || !word.unit.empty();
  }
  return names;
}

// The column that each name stands for, by the whole name or by its first known word; no column
// twice. request.columns.size(): not known.
std::vector<std::size_t> columns_of_names(const std::vector<HeaderName>& names,
                                          const HeightsRequest& request) {
  const std::size_t none = request.columns.size();
  std::vector<std::size_t> columns;
  for (const HeaderName& name : names) {
    std::size_t column = column_of(request, fmt::format("{}", fmt::join(name.words, "")));
    for (std::size_t i = 0; i < name.words.size() && column == none; ++i)
      column = column_of(request, name.words[i]);
    if (std::ranges::find(columns, column) != columns.end()) column = none;
    columns.push_back(column);
  }
  return columns;
}

bool is_separated(const std::vector<HeaderWord>& words) {
  return std::ranges::any_of(words, [](const HeaderWord& word) { return word.ends_phrase; });
}

// Words between blanks that are not one for each column, or of which too few are known to mean an
// order: "Crown of roller", "z vs y", "Profile Y".
bool is_title(const std::vector<HeaderWord>& words, std::size_t names, std::size_t known,
              std::size_t columns) {
  const std::size_t in_order = columns == 2 ? 2 : 1;
  return !is_separated(words) && (names != columns || known < in_order);
}

ColumnOrder order_of_columns(const std::vector<std::size_t>& columns) {
  ColumnOrder order(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) order[columns[i]] = i;
  return order;
}

}  // namespace

std::vector<ColumnNames> columns_of_profile() {
  std::vector<ColumnNames> columns{{"y"}, {"z"}};
  columns[0].insert(columns[0].end(), kAcross.begin(), kAcross.end());
  columns[0].emplace_back("x");  // a scanner's name for across
  columns[1].insert(columns[1].end(), kUpwards.begin(), kUpwards.end());
  return columns;
}

void TextHeader::require_unit(std::string_view unit, std::size_t number) const {
  const auto metres = metres_of_text(unit);
  if (request_.of != TableOf::lengths || !metres || *metres == request_.metres) return;
  refuse_heights(path_, fmt::format("line {} says that the values are in {}; accepted: the case's "
                                    "unit of length, {}, or an HDF5 file, whose units count",
                                    number, unit, request_.metres == 1.0 ? "m" : "mm"));
}

void TextHeader::refuse_names(std::string_view line, std::size_t number) const {
  std::vector<std::string_view> accepted;
  for (const ColumnNames& names : request_.columns) accepted.push_back(names.front());
  const std::size_t first = std::min(line.find_first_not_of(kHeaderBlanks), line.size());
  line = line.substr(first, line.find_last_not_of(kHeaderBlanks) + 1 - first);
  refuse_heights(
      path_, fmt::format("the names in line {}, {}, leave open which column is which; accepted: "
                         "{} in any order, or no line of names",
                         number, in_quotes(line), fmt::join(accepted, ", ")));
}

void TextHeader::take_comment(std::string_view line, std::size_t number, bool above) {
  line.remove_prefix(std::min(line.find_first_not_of("# \t\r"), line.size()));
  require_unit(unit_after_key(line), number);
  std::vector<HeaderWord> words = words_of_header(line);
  for (const std::string& unit : units_of_values(words, request_)) require_unit(unit, number);
  if (!above || named_ || !order_.empty() || request_.columns.empty()) return;
  if (!words.empty() && words.front().text.ends_with(':'))
    words.erase(words.begin());  // "Columns:"
  // Only names and nothing else: prose has its own order of words.
  const std::size_t none = request_.columns.size();
  const auto names = names_of_header(words, is_separated(words));
  const bool prose = std::ranges::any_of(words, [](const HeaderWord& word) {
    return is_a_number(word.text) || (word.name.empty() && word.unit.empty());
  });
  if (prose || std::ranges::any_of(names, [](const HeaderName& n) { return n.words.size() != 1; }))
    return;
  const auto columns = columns_of_names(names, request_);
  if (columns.size() == none && std::ranges::find(columns, none) == columns.end())
    order_ = order_of_columns(columns);
}

bool TextHeader::take_names(std::string_view line, std::size_t number) {
  const std::vector<HeaderWord> words = words_of_header(line);
  const auto is_number = [](const HeaderWord& word) { return is_a_number(word.text); };
  const auto is_empty = [](const HeaderWord& word) {
    return word.name.empty() && word.unit.empty();
  };
  if (std::ranges::any_of(words, is_number) || std::ranges::all_of(words, is_empty)) return false;
  for (const HeaderWord& word : words) require_unit(word.unit, number);
  named_ = true;
  order_.clear();
  const std::size_t none = request_.columns.size();
  if (none == 0) return true;
  const auto names = names_of_header(words, is_separated(words));
  const auto columns = columns_of_names(names, request_);
  std::vector<std::size_t> known = columns;
  std::erase(known, none);
  if (columns.size() == none && known.size() == none) {
    order_ = order_of_columns(columns);
    return true;
  }
  // Unknown names, of whatever language, go by place as long as those known agree.
  bool by_place = std::ranges::is_sorted(known);
  if (is_title(words, columns.size(), known.size(), none)) {
    by_place = true;
  } else if (columns.size() == none) {
    by_place = true;
    for (std::size_t i = 0; i < none; ++i)
      by_place = by_place && (columns[i] == none || columns[i] == i);
  }
  if (!by_place) refuse_names(line, number);
  return true;
}

}  // namespace slipfield
