// SPDX-License-Identifier: Apache-2.0
#include "io/checksum.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "solver/error.h"

namespace slipfield {
namespace {

constexpr std::size_t kWord = 8;  // bytes that are added together

// The remainders of all bytes by the polynomial of IEEE 802.3, first bit first: of a single byte,
// and of a byte followed by 1, 2, ... zero bytes.
constexpr std::array<std::array<std::uint32_t, 256>, kWord> kRemainders = [] {
  constexpr std::uint32_t kPolynomial = 0x04C11DB7;
  std::array<std::array<std::uint32_t, 256>, kWord> remainders{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte << 24U;
    for (std::size_t zeros = 0; zeros < kWord; ++zeros) {
      for (int bit = 0; bit < 8; ++bit)
        rest = (rest << 1U) ^ ((rest >> 31U) != 0 ? kPolynomial : 0U);
      remainders.at(zeros).at(byte) = rest;
    }
  }
  return remainders;
}();

std::uint32_t with_byte(std::uint32_t sum, std::uint8_t byte) {
  return (sum << 8U) ^ kRemainders[0].at((sum >> 24U) ^ byte);
}

// The remainder of a sum is the sum of remainders, so each byte of a word is looked up separately.
std::uint32_t with_bytes(std::uint32_t sum, std::span<const char> bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
  for (; bytes.size() >= kWord; bytes = bytes.subspan(kWord)) {
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < kWord; ++i) {
      const std::uint32_t before = i < 4 ? (sum >> (24U - 8U * i)) & 0xFFU : 0U;
      next ^= kRemainders[kWord - 1 - i][before ^ byte(i)];
    }
    sum = next;
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) sum = with_byte(sum, byte(i));
  return sum;
}

struct Cksum {
  std::uint32_t sum = 0;
  std::uint64_t bytes = 0;
};

// The checksum of the file's first `most` bytes, or of all; nothing if it cannot be read.
std::optional<Cksum> cksum_of(std::istream& file, std::uint64_t most) {
  Cksum found;
  std::vector<char> block(std::size_t{64} << 10U);
  while (file && found.bytes < most) {
    file.read(block.data(), static_cast<std::streamsize>(
                                std::min<std::uint64_t>(block.size(), most - found.bytes)));
    found.sum =
        with_bytes(found.sum, std::span(block).first(static_cast<std::size_t>(file.gcount())));
    found.bytes += static_cast<std::uint64_t>(file.gcount());
  }
  if (file.bad()) return std::nullopt;
  for (std::uint64_t rest = found.bytes; rest != 0; rest >>= 8U)
    found.sum = with_byte(found.sum, static_cast<std::uint8_t>(rest & 0xFFU));
  found.sum = ~found.sum;
  return found;
}

std::string end_text(const Cksum& sum) { return fmt::format("\ncksum {:>10}\n", sum.sum); }

}  // namespace

std::string cksum_line(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::ifstream file(path, std::ios::binary);
  const auto sum = file ? cksum_of(file, UINT64_MAX) : std::nullopt;
  return sum ? fmt::format("{} {} {}", sum->sum, sum->bytes, name) : "- - " + name;
}

std::string_view name_in_cksum_line(std::string_view line) {
  std::size_t at = 0;
  for (int number = 0; number < 2 && at != std::string_view::npos; ++number)
    at = line.find(' ', at + 1);
  return at == std::string_view::npos ? line : line.substr(at + 1);
}

std::string changed_between(std::span<const std::string> before, std::span<const std::string> now) {
  std::map<std::string_view, std::string_view> lines;
  for (const std::string& line : before) lines[name_in_cksum_line(line)] = line;
  for (const std::string& line : now) {
    const auto found = lines.find(name_in_cksum_line(line));
    if (found != lines.end() && found->second != line) return std::string(found->first);
  }
  return {};
}

std::string checksum_end(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const auto sum = file ? cksum_of(file, UINT64_MAX) : std::nullopt;
  if (!sum) throw Error(path.string() + ": cannot be read again for its checksum");
  return end_text(*sum);
}

void require_checksum(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : 0;
  const auto end = static_cast<std::streamoff>(end_text({}).size());
  std::string last(static_cast<std::size_t>(end), '\0');
  if (size >= end) {
    file.seekg(0);
    const auto sum = cksum_of(file, static_cast<std::uint64_t>(size - end));
    if (sum && file.read(last.data(), end) && last == end_text(*sum)) return;
  }
  throw InputError(
      path.string() +
      ": its checksum is not that of its bytes: some have changed, or another version wrote it");
}

}  // namespace slipfield
