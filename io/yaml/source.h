// SPDX-License-Identifier: Apache-2.0
// The text of a case as the user wrote it, with places in it for error messages.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace slipfield {

// Limits on input, so that a wrong file causes an error message rather than exhausting the machine.
inline constexpr std::size_t kMaxCaseBytes = 16U << 20U;

class SourceText {
 public:
  enum class Kind {
    file,      // places read name:line:column
    argument,  // one line of the command line; places read as its name alone
  };
  SourceText(std::string name, std::string text, Kind kind);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] int line_count() const { return static_cast<int>(line_starts_.size()); }
  // The line without its newline; empty beyond the last one.
  [[nodiscard]] std::string_view line(int number) const;

 private:
  std::string name_;
  std::string text_;
  Kind kind_;
  std::vector<std::size_t> line_starts_;
};

// The line number of a place that is the whole text, for missing keys.
inline constexpr int kWholeSource = -1;

// Counted from 0, the column in bytes. The source must outlive its places.
struct SourcePlace {
  const SourceText* source = nullptr;
  int line = 0;
  int column = 0;
};

// Reads a case file: UTF-8 text (drops a byte order mark, converts line ends to \n) of at most
// kMaxCaseBytes. Otherwise throws CaseError with one sentence that ends with one of the words.
struct SourceWords {
  std::string_view needed = "a case file (YAML)";
  std::string_view encoding = "a case file is YAML in UTF-8";
  std::string_view start = "a case file, which starts with 'schema: 1'";
  std::string_view size = "a case file is a short text";
};
SourceText read_source(const std::filesystem::path& path, const SourceWords& words = {});
// The same for bytes without a file; `name` stands for it.
SourceText make_source(const std::string& name, const std::string& bytes,
                       const SourceWords& words = {});

// Whether the bytes are well-formed UTF-8.
bool is_utf8(std::string_view text);
// Escapes the text for a terminal: bytes that are not UTF-8 and control characters except tab and
// line feed become \x1b.
std::string escaped_text(std::string_view text);

// "case.yaml:3:14", counted from 1, the column in characters; "--set a.b=1" for an argument.
std::string describe_place(const SourcePlace& place);

// The source line and a caret under the place, two lines; long lines are cut around the caret.
std::string excerpt(const SourcePlace& place);

// Quotes the text for a message: replaces control characters and cuts long texts.
std::string in_quotes(std::string_view text);

}  // namespace slipfield
