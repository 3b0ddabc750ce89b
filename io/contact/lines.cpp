// SPDX-License-Identifier: Apache-2.0
#include "io/contact/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "io/plain_text.h"
#include "io/yaml/error.h"

namespace slipfield {
namespace {

constexpr std::string_view kSeparators = " \t,=";
constexpr double kLargestInteger = 99999999.0;  // eight control digits

// As Fortran reads it: 1.5d-3, 1.5-3.
std::optional<double> parse_real(std::string text) {
  for (char& letter : text) {
    if (letter == 'd' || letter == 'D') letter = 'e';
  }
  const std::size_t sign = text.find_first_of("+-", 1);
  if (sign != std::string::npos && (is_decimal_digit(text[sign - 1]) || text[sign - 1] == '.'))
    text.insert(sign, 1, 'e');
  std::string_view body = text;
  if (body.size() > 1 && body[0] == '+' && body[1] != '-') body.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(body.data(), body.data() + body.size(), value);
  if (error != std::errc{} || end != body.data() + body.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::optional<double> parse_whole(std::string_view text) {
  const std::size_t digits = text.find_first_not_of("+-");
  if (digits > 1 || text.find_first_not_of("0123456789", digits) != std::string_view::npos)
    return std::nullopt;
  return parse_real(std::string(text));
}

// Radians; "90d" are degrees, "1.5r" radians.
std::optional<double> parse_angle(std::string_view text) {
  const char unit = text.back();
  const bool degrees = unit == 'd' || unit == 'D';
  if (degrees || unit == 'r' || unit == 'R') text.remove_suffix(1);
  const auto value = parse_real(std::string(text));
  if (!value) return std::nullopt;
  return degrees ? *value * std::numbers::pi / 180.0 : *value;
}

std::string_view describe(InputKind kind) {
  switch (kind) {
    case InputKind::integer:
      return "an integer";
    case InputKind::number:
      break;
    case InputKind::angle:
      return "an angle in radians, or in degrees with a d, such as 180d";
    case InputKind::name:
      return "a name in quotes";
  }
  return "a number";
}

}  // namespace

std::string name_at(const SourcePlace& place) {
  const std::string_view line = place.source->line(place.line);
  const auto start = static_cast<std::size_t>(place.column) + 1;
  return std::string(line.substr(start, line.find('\'', start) - start));
}

InputLines::InputLines(const SourceText& source, CaseDiagnostics& diagnostics)
    : source_(&source), diagnostics_(&diagnostics) {}

std::vector<InputLines::Word> InputLines::words_of(int line) const {
  const std::string_view text = source_->line(line);
  std::vector<Word> words;
  std::size_t position = 0;
  while (position < text.size() && text[position] != '%') {
    if (kSeparators.find(text[position]) != std::string_view::npos) {
      ++position;
      continue;
    }
    const std::size_t start = position;
    if (text[position] == '\'')
      position = std::min(text.find('\'', position + 1), text.size() - 1) + 1;
    else
      position = std::min(text.find_first_of(" \t,=%", position), text.size());
    words.push_back(
        {text.substr(start, position - start), {source_, line, static_cast<int>(start)}});
  }
  return words;
}

bool InputLines::next_line(std::vector<Word>& words) {
  words.clear();
  while (words.empty() && line_ < source_->line_count()) words = words_of(line_++);
  return !words.empty();
}

bool InputLines::at_end() {
  for (int line = line_; line < source_->line_count(); ++line)
    if (!words_of(line).empty()) return false;
  return true;
}

bool InputLines::parse(const Word& word, const InputField& field, InputNumber& number) {
  std::optional<double> value;
  switch (field.kind) {
    case InputKind::integer:
      value = parse_whole(word.text);
      break;
    case InputKind::number:
      value = parse_real(std::string(word.text));
      break;
    case InputKind::angle:
      value = parse_angle(word.text);
      break;
    case InputKind::name:
      if (word.text.size() > 1 && word.text.front() == '\'' && word.text.back() == '\'')
        value = 0.0;
      break;
  }
  if (!value) return false;
  number = {*value, word.place};
  const bool too_large = field.kind == InputKind::integer && std::abs(*value) > kLargestInteger;
  if (field.kind == InputKind::name || (field.range.contains(*value) && !too_large)) return true;
  diagnostics_->add(word.place, field.label,
                    fmt::format("{} is out of range", in_quotes(word.text)),
                    too_large ? fmt::format("an integer of at most {}", kLargestInteger)
                              : field.range.describe_one());
  number.value = 0.0;
  return true;
}

void InputLines::refuse_word(const Word& word, const InputField& field) {
  diagnostics_->add(word.place, field.label,
                    fmt::format("{} is not {}", in_quotes(word.text), describe(field.kind)));
  throw CaseError(diagnostics_->text());
}

void InputLines::refuse_end(std::string_view what) {
  const int last = std::max(source_->line_count() - 1, 0);
  diagnostics_->add({source_, last, 0}, what, "missing, for the file ends here",
                    "a file that ends with \"0 MODULE\" after its last case");
  throw CaseError(diagnostics_->text());
}

std::vector<InputNumber> InputLines::read(std::string_view what,
                                          std::span<const InputField> fields) {
  const auto optional = [](const InputField& field) {
    return field.presence == Presence::optional;
  };
  const auto required = static_cast<std::size_t>(
      std::find_if(fields.begin(), fields.end(), optional) - fields.begin());
  std::vector<InputNumber> numbers;
  std::vector<Word> words;
  while (numbers.size() < required) {
    if (!next_line(words)) refuse_end(what);
    for (const Word& word : words) {
      if (numbers.size() == fields.size()) break;
      const InputField& field = fields[numbers.size()];
      InputNumber number;
      if (parse(word, field, number)) {
        numbers.push_back(number);
        continue;
      }
      if (numbers.size() < required) refuse_word(word, field);
      break;  // a remark
    }
  }
  return numbers;
}

std::vector<InputNumber> InputLines::read_list(std::string_view label, std::size_t count,
                                               InputKind kind) {
  const InputField field{.label = label, .kind = kind};
  std::vector<InputNumber> numbers;
  std::vector<Word> words;
  while (numbers.size() < count) {
    if (!next_line(words)) refuse_end(label);
    for (const Word& word : words) {
      if (numbers.size() == count) break;
      InputNumber number;
      if (!parse(word, field, number)) refuse_word(word, field);
      numbers.push_back(number);
    }
  }
  return numbers;
}

}  // namespace slipfield
