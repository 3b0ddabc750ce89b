// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy: magic, version, length of the header, header (a Python dictionary), values.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include "io/heights/formats.h"

static_assert(std::endian::native == std::endian::little, "values are copied as they are stored");

namespace slipfield {
namespace {

constexpr std::size_t kMaxHeader = 65536;

struct NpyHeader {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::size_t> shape;
};

// Reads the dictionary {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }, its three keys
// in any order. Each function returns false if the text has another form.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  bool parse(NpyHeader& header) {
    if (!take('{')) return false;
    unsigned keys = 0;
    while (!take('}')) {
      std::string key;
      if (!parse_string(key) || !take(':')) return false;
      unsigned bit = 0;
      if (key == "descr") {
        bit = 1;
        if (!parse_string(header.descr)) return false;
      } else if (key == "fortran_order") {
        bit = 2;
        if (!parse_bool(header.fortran_order)) return false;
      } else if (key == "shape") {
        bit = 4;
        if (!parse_shape(header.shape)) return false;
      }
      if (bit == 0 || (keys & bit) != 0) return false;
      keys |= bit;
      if (!take(',') && !next_is('}')) return false;
    }
    skip_blanks();
    return keys == 7 && text_.empty();
  }

 private:
  void skip_blanks() {
    const std::size_t start = text_.find_first_not_of(" \t\n");
    text_.remove_prefix(start == std::string_view::npos ? text_.size() : start);
  }
  bool next_is(char letter) {
    skip_blanks();
    return !text_.empty() && text_[0] == letter;
  }
  bool take(char letter) {
    if (!next_is(letter)) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool take_word(std::string_view word) {
    skip_blanks();
    if (text_.substr(0, word.size()) != word) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  bool parse_string(std::string& value) {
    const char quote = next_is('"') ? '"' : '\'';
    if (!take(quote)) return false;
    const std::size_t end = text_.find(quote);
    if (end == std::string_view::npos) return false;
    value = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return true;
  }
  bool parse_bool(bool& value) {
    value = take_word("True");
    return value || take_word("False");
  }
  bool parse_shape(std::vector<std::size_t>& shape) {
    if (!take('(')) return false;
    while (!take(')')) {
      skip_blanks();
      std::size_t extent = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), extent);
      if (error != std::errc{}) return false;
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      shape.push_back(extent);
      if (!take(',') && !next_is(')')) return false;
    }
    return true;
  }

  std::string_view text_;
};

template <typename T>
double decode(const char* bytes) {
  T value{};
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

struct ElementType {
  std::string_view descr;
  std::size_t size;
  double (*decode)(const char*);
};

constexpr std::array<ElementType, 12> kElementTypes{{
    {"<f8", 8, decode<double>},
    {"<f4", 4, decode<float>},
    {"|i1", 1, decode<std::int8_t>},
    {"|u1", 1, decode<std::uint8_t>},
    {"<i1", 1, decode<std::int8_t>},
    {"<u1", 1, decode<std::uint8_t>},
    {"<i2", 2, decode<std::int16_t>},
    {"<u2", 2, decode<std::uint16_t>},
    {"<i4", 4, decode<std::int32_t>},
    {"<u4", 4, decode<std::uint32_t>},
    {"<i8", 8, decode<std::int64_t>},
    {"<u8", 8, decode<std::uint64_t>},
}};

const ElementType& element_type(const std::filesystem::path& path, const std::string& descr) {
  for (const ElementType& type : kElementTypes) {
    if (type.descr == descr) return type;
  }
  refuse_heights(path, fmt::format("holds values of the type '{}'; little-endian float64, float32 "
                                   "or integers are needed (numpy: array.astype('<f8'))",
                                   descr));
}

std::string read_exactly(std::ifstream& file, const std::filesystem::path& path,
                         std::size_t count) {
  std::string bytes(count, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  if (static_cast<std::size_t>(file.gcount()) != count) refuse_heights(path, "is truncated");
  return bytes;
}

NpyHeader read_header(std::ifstream& file, const std::filesystem::path& path) {
  const std::string start = read_exactly(file, path, kNpyMagic.size() + 2);
  const int version = static_cast<unsigned char>(start[kNpyMagic.size()]);
  if (version < 1 || version > 3)
    refuse_heights(path, fmt::format("has the .npy version {}; 1 to 3 are known", version));
  const std::string length_bytes = read_exactly(file, path, version == 1 ? 2 : 4);
  std::size_t length = 0;
  for (std::size_t i = length_bytes.size(); i-- > 0;)
    length = length * 256 + static_cast<unsigned char>(length_bytes[i]);
  if (length > kMaxHeader) refuse_heights(path, "has a damaged .npy header (its length)");
  NpyHeader header;
  if (!HeaderParser(read_exactly(file, path, length)).parse(header))
    refuse_heights(path, "has a damaged .npy header, or one of a structured array");
  return header;
}

}  // namespace

Heights read_npy_heights(const std::filesystem::path& path, const HeightsRequest& request) {
  std::ifstream file(path, std::ios::binary);
  const NpyHeader header = read_header(file, path);
  const ElementType& type = element_type(path, header.descr);
  check_shape(path, header.shape, request);
  const std::size_t my = header.shape[0];
  const std::size_t mx = header.shape[1];
  const std::uintmax_t bytes_needed = mx * my * type.size;
  const std::uintmax_t bytes_there =
      std::filesystem::file_size(path) - static_cast<std::uintmax_t>(file.tellg());
  if (bytes_there != bytes_needed) {
    refuse_heights(path, fmt::format("has {} bytes of values; its header needs {}", bytes_there,
                                     bytes_needed));
  }
  std::vector<double> values(mx * my);
  // One stored row (C order) or column (Fortran order) at a time.
  const std::size_t lines = header.fortran_order ? mx : my;
  const std::size_t line_length = header.fortran_order ? my : mx;
  for (std::size_t line = 0; line < lines; ++line) {
    const std::string bytes = read_exactly(file, path, line_length * type.size);
    for (std::size_t i = 0; i < line_length; ++i) {
      const std::size_t index = header.fortran_order ? i * mx + line : line * mx + i;
      values[index] = type.decode(bytes.data() + i * type.size);
    }
  }
  return {std::move(values), static_cast<int>(mx), static_cast<int>(my), {}};
}

}  // namespace slipfield
