// SPDX-License-Identifier: Apache-2.0
// The control digits of a case: three numbers whose digits are choices.
#pragma once

#include <span>
#include <string_view>

#include "io/contact/case.h"
#include "io/contact/lines.h"

namespace slipfield {

struct DigitChoice {
  char letter;
  std::string_view values;     // known to CONTACT
  std::string_view name = {};  // in messages; empty: the letter
};

constexpr InputField digits_field(std::string_view label, Presence presence = Presence::required) {
  return {.label = label, .kind = InputKind::integer, .range = kNotNegative, .presence = presence};
}

// Splits a number into its digits, the last choice being the last digit; leading zeros may be
// missing.
void take_digits(const InputNumber& number, std::span<const DigitChoice> choices,
                 ControlDigits& digits, CaseDiagnostics& diagnostics);

// Reports digits that no case may have.
void read_control_digits(InputLines& lines, InputCase& input, CaseDiagnostics& diagnostics);

}  // namespace slipfield
