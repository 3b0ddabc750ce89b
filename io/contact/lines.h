// SPDX-License-Identifier: Apache-2.0
// Reads the values of a CONTACT input file one after another across its lines.
//
// A % starts a comment. Words are separated by blanks, tabs, commas and equals signs. The values of
// a list may span several lines; the rest of a line after its last value is a remark and skipped.
// Numbers may be written as in Fortran (1.5d-3, 1.5-3), angles in radians or with a d in degrees
// (90d). Read from the sources of CONTACT (m_readline.f90, github.com/eve70a/CONTACT).
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/case/section.h"
#include "io/yaml/number.h"
#include "io/yaml/source.h"

namespace slipfield {

enum class InputKind { integer, number, angle, name };

struct InputField {
  std::string_view label;  // CONTACT's name of the value
  InputKind kind = InputKind::number;
  NumberRange range = kAnyNumber;
  Presence presence = Presence::required;  // optional fields come last
};

struct InputNumber {
  double value = 0.0;  // also of integers; angles in radians; unused for names
  SourcePlace place;
  [[nodiscard]] int integer() const { return static_cast<int>(value); }
};

// 'name' at its place, without the quotes.
std::string name_at(const SourcePlace& place);

class InputLines {
 public:
  // Both must outlive the reader.
  InputLines(const SourceText& source, CaseDiagnostics& diagnostics);

  // Reads the values of the fields, optional ones as far as present. `what`: names the list if the
  // file ends before it. After a value out of range reading continues; a word that is not a value
  // ends it with a CaseError that has all errors so far.
  std::vector<InputNumber> read(std::string_view what, std::span<const InputField> fields);
  // `count` numbers of one label.
  std::vector<InputNumber> read_list(std::string_view label, std::size_t count,
                                     InputKind kind = InputKind::number);

  // Returns whether only comments and blanks are left.
  [[nodiscard]] bool at_end();
  // The line of the value read last, counted from 1.
  [[nodiscard]] int line_number() const { return line_; }

 private:
  struct Word {
    std::string_view text;
    SourcePlace place;
  };
  std::vector<Word> words_of(int line) const;
  // Advances to the next line with words; false at the end.
  bool next_line(std::vector<Word>& words);
  bool parse(const Word& word, const InputField& field, InputNumber& number);
  [[noreturn]] void refuse_word(const Word& word, const InputField& field);
  [[noreturn]] void refuse_end(std::string_view what);

  const SourceText* source_;
  CaseDiagnostics* diagnostics_;
  int line_ = 0;  // lines read
};

// Turns 0.4 - 0.1 = 0.30000000000000004 back into 0.3, but leaves 2/3 as it is: for sums and
// products of numbers with few digits.
inline double as_decimal(double value) {
  constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
  return as_decimal(value, 13, kRounding * std::fabs(value));
}

}  // namespace slipfield
