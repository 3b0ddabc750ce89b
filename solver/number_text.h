// SPDX-License-Identifier: Apache-2.0
// A number in a message, with six digits.
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace slipfield {

inline std::string number_text(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", number);
  return text.data();
}

}  // namespace slipfield
