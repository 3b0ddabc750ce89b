// SPDX-License-Identifier: Apache-2.0
#include "io/yaml/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "io/yaml/error.h"

namespace slipfield {
namespace {

constexpr std::size_t kExcerptWidth = 100;
constexpr std::size_t kExcerptBefore = 60;  // of a long line, how much stays before the caret
constexpr std::size_t kQuotedWidth = 60;

unsigned byte_at(std::string_view text, std::size_t position) {
  return static_cast<unsigned char>(text[position]);
}

bool is_continuation(std::string_view text, std::size_t position) {
  return (byte_at(text, position) & 0xC0U) == 0x80U;
}

// Length of the well-formed UTF-8 sequence at the position; 0: none.
std::size_t utf8_length(std::string_view text, std::size_t position) {
  const unsigned first = byte_at(text, position);
  if (first < 0x80U) return 1;
  std::size_t length = 0;
  unsigned code = 0;
  unsigned least = 0;  // smallest code that needs this length
  if ((first & 0xE0U) == 0xC0U) {
    length = 2, code = first & 0x1FU, least = 0x80U;
  } else if ((first & 0xF0U) == 0xE0U) {
    length = 3, code = first & 0x0FU, least = 0x800U;
  } else if ((first & 0xF8U) == 0xF0U) {
    length = 4, code = first & 0x07U, least = 0x10000U;
  } else {
    return 0;
  }
  if (position + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text, position + i)) return 0;
    code = (code << 6U) | (byte_at(text, position + i) & 0x3FU);
  }
  const bool surrogate = code >= 0xD800U && code <= 0xDFFFU;
  return (code < least || code > 0x10FFFFU || surrogate) ? 0 : length;
}

// Position of the first byte that a text file cannot contain; nothing if all is text.
std::optional<std::size_t> find_binary(std::string_view text) {
  std::size_t position = 0;
  while (position < text.size()) {
    const unsigned byte = byte_at(text, position);
    const bool control = byte < 0x20U && byte != '\t' && byte != '\n' && byte != '\r';
    const std::size_t length = utf8_length(text, position);
    const bool control_c1 =
        byte == 0xC2U && length == 2 && byte_at(text, position + 1) < 0xA0U;  // U+0080 to U+009F
    if (control || byte == 0x7FU || length == 0 || control_c1) return position;
    position += length;
  }
  return std::nullopt;
}

std::string with_unix_line_ends(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      result += text[i];
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      result += '\n';
    }
  }
  return result;
}

std::string read_bytes(const std::filesystem::path& path, const SourceWords& words) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (status.type() == std::filesystem::file_type::not_found)
    throw CaseError(
        fmt::format("{}: there is no such file; {} is needed", path.string(), words.needed));
  if (std::filesystem::is_directory(status))
    throw CaseError(fmt::format("{}: is a directory; {} is needed", path.string(), words.needed));
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes;
  if (file) {
    std::array<char, std::size_t{1} << 16U> block{};
    while (bytes.size() <= kMaxCaseBytes && file) {
      file.read(block.data(), block.size());
      bytes.append(block.data(), static_cast<std::size_t>(file.gcount()));
    }
  }
  if (!file.is_open() || file.bad()) {
    throw CaseError(fmt::format("{}: cannot be read ({}); {} is needed", path.string(),
                                std::generic_category().message(errno), words.needed));
  }
  return bytes;
}

}  // namespace

SourceText::SourceText(std::string name, std::string text, Kind kind)
    : name_(std::move(name)), text_(std::move(text)), kind_(kind), line_starts_{0} {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  }
}

std::string_view SourceText::line(int number) const {
  if (number < 0 || number >= line_count()) return {};
  const std::size_t begin = line_starts_[static_cast<std::size_t>(number)];
  const std::size_t end = text_.find('\n', begin);
  return std::string_view(text_).substr(begin, end == std::string::npos ? end : end - begin);
}

SourceText read_source(const std::filesystem::path& path, const SourceWords& words) {
  return make_source(path.string(), read_bytes(path, words), words);
}

SourceText make_source(const std::string& name, const std::string& bytes,
                       const SourceWords& words) {
  if (bytes.size() > kMaxCaseBytes) {
    throw CaseError(
        fmt::format("{}: is larger than {} MiB; {}", name, kMaxCaseBytes >> 20U, words.size));
  }
  std::string_view text = bytes;
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  if (text.starts_with("\x89HDF\r\n\x1a\n")) {
    throw CaseError(
        fmt::format("{}: is a result (HDF5), not {}; `slipfield inspect {}` shows it "
                    "and holds its case",
                    name, words.needed, name));
  }
  if (const auto position = find_binary(text)) {
    throw CaseError(fmt::format(
        "{}: byte 0x{:02x} in line {} is not text; {}", name, byte_at(text, *position),
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(*position), '\n'),
        words.encoding));
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw CaseError(fmt::format("{}: is empty; accepted: {}", name, words.start));
  return {name, with_unix_line_ends(text), SourceText::Kind::file};
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string escaped_text(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const unsigned byte = byte_at(text, at);
    const std::size_t length = utf8_length(text, at);
    if (length == 0 || (byte < 0x20U && byte != '\t' && byte != '\n')) {
      shown += fmt::format("\\x{:02x}", byte);
      ++at;
      continue;
    }
    shown += text.substr(at, length);
    at += length;
  }
  return shown;
}

std::string describe_place(const SourcePlace& place) {
  if (place.source == nullptr) return "case";
  if (place.source->kind() == SourceText::Kind::argument) return place.source->name();
  if (place.line == kWholeSource) return place.source->name();
  const std::string_view line = place.source->line(place.line);
  const auto before = line.substr(0, static_cast<std::size_t>(std::max(place.column, 0)));
  std::size_t characters = 0;
  for (std::size_t i = 0; i < before.size(); ++i) characters += is_continuation(before, i) ? 0 : 1;
  return fmt::format("{}:{}:{}", place.source->name(), place.line + 1, characters + 1);
}

std::string excerpt(const SourcePlace& place) {
  if (place.source == nullptr || place.line == kWholeSource) return {};
  const bool is_text =
      place.source->kind() != SourceText::Kind::argument || !place.source->text().empty();
  if (!is_text) return {};  // a value set by a program
  std::string_view line = place.source->line(place.line);
  if (line.empty() && place.source->kind() != SourceText::Kind::file) return {};
  std::size_t caret = std::min(static_cast<std::size_t>(std::max(place.column, 0)), line.size());
  std::string shown;
  std::string below;
  if (line.size() > kExcerptWidth) {
    std::size_t begin = caret > kExcerptBefore ? caret - kExcerptBefore : 0;
    while (begin < caret && is_continuation(line, begin)) ++begin;
    std::size_t end = std::min(begin + kExcerptWidth, line.size());
    while (end < line.size() && is_continuation(line, end)) ++end;
    if (begin > 0) shown = below = "...";
    if (begin > 0) std::fill(below.begin(), below.end(), ' ');
    const bool cut = end < line.size();
    line = line.substr(begin, end - begin);
    caret -= begin;
    shown += line;
    if (cut) shown += "...";
  } else {
    shown = line;
  }
  for (std::size_t i = 0; i < caret; ++i) {
    if (!is_continuation(line, i)) below += line[i] == '\t' ? '\t' : ' ';
  }
  const std::string number = place.source->kind() == SourceText::Kind::file
                                 ? fmt::format("{:>5}", place.line + 1)
                                 : std::string(5, ' ');
  return fmt::format("{} | {}\n      | {}^", number, shown, below);
}

std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i >= kQuotedWidth && !is_continuation(text, i)) {
      result += "...";
      break;
    }
    const unsigned byte = byte_at(text, i);
    result += (byte < 0x20U || byte == 0x7FU) ? '?' : text[i];
  }
  return result + "'";
}

}  // namespace slipfield
