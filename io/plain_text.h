// SPDX-License-Identifier: Apache-2.0
// Helpers for tables of numbers in text files: comments, and numbers as other programs write them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace slipfield {

inline bool is_decimal_digit(char letter) { return letter >= '0' && letter <= '9'; }
inline bool is_ascii_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

inline std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& letter : result)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter | 0x20);
  return result;
}

// Keeps only letters and digits, in lower case: "X_Offset", "x offset" and "XOffset" become one
// name.
inline std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char letter : lower_case(name))
    if (is_ascii_letter(letter) || is_decimal_digit(letter)) plain.push_back(letter);
  return plain;
}

// Cuts the line at the first of `starts`. A # within a word, as in Microsoft's 1.#QNAN, does not
// count.
inline std::string_view before_comment(std::string_view line, std::string_view starts) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (starts.find(line[i]) == std::string_view::npos) continue;
    constexpr std::string_view kSeparators = " \t\r,;";
    const bool in_word = line[i] == '#' && i > 0 && i + 1 < line.size() &&
                         kSeparators.find(line[i - 1]) == std::string_view::npos &&
                         (is_ascii_letter(line[i + 1]) || is_decimal_digit(line[i + 1]));
    if (!in_word) return line.substr(0, i);
  }
  return line;
}

inline std::string_view without_byte_order_mark(std::string_view line) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (line.substr(0, kMark.size()) == kMark) line.remove_prefix(kMark.size());
  return line;
}

// Converts a number for std::from_chars: without a plus, and with e for Fortran's 1.5D+02.
inline std::string plain_number(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  std::string text(word);
  const std::size_t at = text.find_first_of("dD");
  const bool exponent = at != std::string::npos && at > 0 && at + 1 < text.size() &&
                        (is_decimal_digit(text[at - 1]) || text[at - 1] == '.') &&
                        text.find_first_not_of("0123456789", at + 2) == std::string::npos &&
                        (is_decimal_digit(text[at + 1]) ||
                         (at + 2 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-')));
  if (exponent) text[at] = 'e';
  return text;
}

// In lower case: ".h5" for OUT.H5, "" if there is none.
inline std::string file_ending(const std::filesystem::path& path) {
  return lower_case(path.extension().string());
}

}  // namespace slipfield
