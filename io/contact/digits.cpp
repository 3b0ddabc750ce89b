// SPDX-License-Identifier: Apache-2.0
#include "io/contact/digits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace slipfield {
namespace {

constexpr std::array<DigitChoice, 6> kFirst{{
    {'P', "0123"},
    {'B', "0123456"},
    {'T', "0123"},
    {'N', "01"},
    {'F', "012"},
    {'S', "0123"},
}};
constexpr std::array<DigitChoice, 7> kSecond{{
    {'V', "023"},
    {'L', "012346"},
    {'D', "012"},
    {'C', "012349"},
    {'M', "012345"},
    {'Z', "012"},
    {'E', "01239"},
}};
constexpr std::array<DigitChoice, 8> kThird{{
    {'X', "01"},
    {'H', "013"},
    {'G', "012345"},
    {'I', "0123"},
    {'A', "012"},
    {'O', "012345"},
    {'W', "0123456789"},
    {'R', "0123"},
}};

std::string listed(std::string_view values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += i + 1 == values.size() ? " or " : ", ";
    text += values[i];
  }
  return text;
}

}  // namespace

void take_digits(const InputNumber& number, std::span<const DigitChoice> choices,
                 ControlDigits& digits, CaseDiagnostics& diagnostics) {
  int rest = number.integer();
  const std::string_view line = number.place.source->line(number.place.line);
  auto column = static_cast<int>(
      std::min(line.find_first_not_of("0123456789", static_cast<std::size_t>(number.place.column)),
               line.size()));
  for (std::size_t i = choices.size(); i-- > 0; rest /= 10) {
    const DigitChoice& choice = choices[i];
    column = std::max(column - 1, number.place.column);
    ControlDigit& digit = digits.at(choice.letter);
    digit = {rest % 10, {number.place.source, number.place.line, column}};
    if (choice.values.find(static_cast<char>('0' + digit.value)) == std::string_view::npos)
      diagnostics.add(
          digit.place,
          choice.name.empty() ? std::string(1, choice.letter) : std::string(choice.name),
          fmt::format("{} is not known here", digit.value), "accepted: " + listed(choice.values));
  }
  if (rest != 0)
    diagnostics.add(number.place, "control digits", "has too many digits",
                    fmt::format("at most {} of them", choices.size()));
}

void read_control_digits(InputLines& lines, InputCase& input, CaseDiagnostics& diagnostics) {
  constexpr std::array<InputField, 1> kFirstFields{digits_field("P-B-T-N-F-S")};
  const auto first = lines.read("P-B-T-N-F-S", kFirstFields);
  input.first_line = lines.line_number();
  constexpr std::array<InputField, 2> kSecondFields{
      digits_field("V-L-D-C-M-Z-E"), digits_field("GAPWGT, MATER2", Presence::optional)};
  const auto second = lines.read("V-L-D-C-M-Z-E", kSecondFields);
  constexpr std::array<InputField, 1> kThirdFields{digits_field("X-H-G-I-A-O-W-R")};
  const auto third = lines.read("X-H-G-I-A-O-W-R", kThirdFields);
  take_digits(first[0], kFirst, input.digits, diagnostics);
  take_digits(second[0], kSecond, input.digits, diagnostics);
  take_digits(third[0], kThird, input.digits, diagnostics);
  // 10 GAPWGT + M2; without it the earlier values stay.
  if (second.size() > 1) {
    input.damping = {second[1].integer() % 10, second[1].place};
    input.gap_weight = {second[1].integer() / 10, second[1].place};
  }
  if (input.damping.value > 2)
    diagnostics.add(second[1].place, kSecondFields[1].label,
                    fmt::format("there is no M2 = {}", input.damping.value),
                    "accepted: 0, 1 and 2, or none");
}

}  // namespace slipfield
