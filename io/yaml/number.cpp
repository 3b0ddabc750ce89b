// SPDX-License-Identifier: Apache-2.0
#include "io/yaml/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <system_error>

#include "io/plain_text.h"
#include "io/yaml/source.h"

namespace slipfield {
namespace {

std::string_view without_sign(std::string_view word) {
  if (!word.empty() && (word[0] == '+' || word[0] == '-')) word.remove_prefix(1);
  return word;
}

std::size_t count_digits(std::string_view word) {
  return static_cast<std::size_t>(std::ranges::find_if_not(word, is_decimal_digit) - word.begin());
}

bool has_leading_zero(std::string_view body) {
  return body.size() > 1 && body[0] == '0' && is_decimal_digit(body[1]);
}

bool is_decimal(std::string_view body) {
  const std::size_t whole = count_digits(body);
  body.remove_prefix(whole);
  std::size_t fraction = 0;
  if (!body.empty() && body[0] == '.') {
    fraction = count_digits(body.substr(1));
    body.remove_prefix(1 + fraction);
  }
  if (whole + fraction == 0) return false;
  if (body.empty()) return true;
  if (body[0] != 'e' && body[0] != 'E') return false;
  body = without_sign(body.substr(1));
  return !body.empty() && count_digits(body) == body.size();
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  for (std::size_t at = text.find(from); at != std::string_view::npos; at = text.find(from)) {
    result.append(text.substr(0, at)).append(to);
    text.remove_prefix(at + from.size());
  }
  return result.append(text);
}

// Interprets signs and blanks of text processors, a decimal comma or Fortran's exponent; empty if
// the result is not a number either.
std::string meant_number(std::string_view word) {
  std::string text(word);
  for (const std::string_view minus : {"\xE2\x88\x92", "\xE2\x80\x93", "\xE2\x80\x94"})
    text = replaced(text, minus, "-");
  for (const std::string_view blank :
       {"\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89", "\xE2\x80\x87", " "})
    text = replaced(text, blank, "");
  if (std::ranges::count(text, ',') == 1 && text.find('.') == std::string::npos)
    text = replaced(text, ",", ".");
  for (char& letter : text)
    if (letter == 'D' || letter == 'd') letter = 'e';
  const std::string_view body = without_sign(text);
  return text != word && is_decimal(body) && !has_leading_zero(body) ? text : std::string();
}

// Explains a word that is not a plain decimal number but was perhaps meant as one.
std::string describe_word(std::string_view word, std::string_view wanted) {
  const std::string body = lower_case(without_sign(word));
  const std::string name = in_quotes(word);
  if (body == ".nan" || body == "nan" || body == ".inf" || body == "inf" || body == "infinity")
    return name + " is not finite";
  if (body.rfind("0x", 0) == 0) return name + " is hexadecimal";
  if (body.rfind("0o", 0) == 0) return name + " is octal";
  const bool digits_first = !body.empty() && is_decimal_digit(body[0]);
  if (digits_first && body.find(':') != std::string::npos) return name + " is sexagesimal";
  if (digits_first && body.find('_') != std::string::npos) return name + " has underscores";
  const bool comma = digits_first && body.find(',') != std::string::npos &&
                     body.find_first_not_of("0123456789., ") == std::string::npos;
  const std::string meant = meant_number(word);
  if (!meant.empty()) {
    const std::string hint = " (write " + meant + ")";
    return name + (comma ? " has a comma" : " is not " + std::string(wanted)) + hint;
  }
  if (comma) return name + " has a comma";
  return name + " is not " + std::string(wanted);
}

std::string octal_problem(std::string_view word) {
  return in_quotes(word) + " has a leading zero, which some readers take for octal";
}

}  // namespace

ParsedNumber<double> parse_number(std::string_view word) {
  const std::string_view body = without_sign(word);
  if (!is_decimal(body)) return {std::nullopt, describe_word(word, "a number")};
  if (has_leading_zero(body)) return {std::nullopt, octal_problem(word)};
  double value = 0.0;
  const auto [end, error] = std::from_chars(body.data(), body.data() + body.size(), value);
  if (error != std::errc{} || end != body.data() + body.size() || !std::isfinite(value))
    return {std::nullopt, in_quotes(word) + " does not fit a double"};
  return {word[0] == '-' ? -value : value, {}};
}

ParsedNumber<std::int64_t> parse_integer(std::string_view word) {
  const std::string_view body = without_sign(word);
  if (body.empty() || count_digits(body) != body.size())
    return {std::nullopt, describe_word(word, "an integer")};
  if (has_leading_zero(body)) return {std::nullopt, octal_problem(word)};
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(body.data(), body.data() + body.size(), value);
  if (error != std::errc{} || end != body.data() + body.size())
    return {std::nullopt, in_quotes(word) + " is too large"};
  return {word[0] == '-' ? -value : value, {}};
}

double as_decimal(double value, int digits, double rounding) {
  const double decimal = parse_number(fmt::format("{:.{}g}", value, digits)).value.value_or(value);
  return std::abs(decimal - value) <= rounding ? decimal : value;
}

// A half and a quarter turn give the doubles nearest to pi and pi/2.
double radians_from_degrees(double degrees) {
  return std::fmod(degrees, 360.0) / 180.0 * std::numbers::pi;
}

std::string degrees_text(double radians) {
  const double degrees = radians / std::numbers::pi * 180.0;
  const auto is_same = [radians](double value) { return radians_from_degrees(value) == radians; };
  for (int digits = 1; digits < 17; ++digits) {
    const double rounded = std::strtod(fmt::format("{:.{}g}", degrees, digits).c_str(), nullptr);
    if (is_same(rounded)) return fmt::format("{}", rounded);
  }
  for (const double neighbour :
       {std::nextafter(degrees, -HUGE_VAL), std::nextafter(degrees, HUGE_VAL)}) {
    if (is_same(neighbour)) return fmt::format("{}", neighbour);
  }
  return fmt::format("{}", degrees);
}

}  // namespace slipfield
