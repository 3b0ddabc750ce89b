// SPDX-License-Identifier: Apache-2.0
// Values of an input file of CONTACT, read one after another over its lines.
//
// A % starts a comment. Words are separated by blanks, tabs, commas and equals signs. The values of
// one list may go over several lines; what a line holds after the last one is a remark, and is
// skipped. Numbers may be written as in Fortran (1.5d-3), angles in radians or with a d in degrees
// (90d). Read from the sources of CONTACT (m_readline.f90, github.com/eve70a/CONTACT).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/case/section.h"
#include "io/yaml/source.h"

namespace slipfield {

enum class InputKind { integer, number, angle, name };

struct InputField {
  std::string_view label;  // CONTACT's name of the value
  InputKind kind = InputKind::number;
  NumberRange range = kAnyNumber;
  Presence presence = Presence::required;  // optional ones are at the end
};

struct InputNumber {
  double value = 0.0;  // integers too; of an angle the radians, of a name nothing
  SourcePlace place;
  [[nodiscard]] int integer() const { return static_cast<int>(value); }
};

// 'name' at its place, without the quotes.
std::string name_at(const SourcePlace& place);

class InputLines {
 public:
  // Both outlive the reader.
  InputLines(const SourceText& source, CaseDiagnostics& diagnostics);

  // The values of the fields, optional ones as far as they are there. `what`: names the list where
  // the file ends before it. A value outside of its range is an error after which reading
  // continues; a word that is not a value ends it, as CaseError with all that was wrong before.
  std::vector<InputNumber> read(std::string_view what, std::span<const InputField> fields);
  // `count` numbers of one label.
  std::vector<InputNumber> read_list(std::string_view label, std::size_t count,
                                     InputKind kind = InputKind::number);

  // Only comments and blanks are left.
  [[nodiscard]] bool at_end();
  // The line of the value read last, counted from 1.
  [[nodiscard]] int line_number() const { return line_; }

 private:
  struct Word {
    std::string_view text;
    SourcePlace place;
  };
  std::vector<Word> words_of(int line) const;
  // Reads on to the next line that has words; false at the end.
  bool next_line(std::vector<Word>& words);
  bool parse(const Word& word, const InputField& field, InputNumber& number);
  [[noreturn]] void refuse_word(const Word& word, const InputField& field);
  [[noreturn]] void refuse_end(std::string_view what);

  const SourceText* source_;
  CaseDiagnostics* diagnostics_;
  int line_ = 0;  // lines read so far
};

}  // namespace slipfield
