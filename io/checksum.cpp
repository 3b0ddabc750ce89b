// SPDX-License-Identifier: Apache-2.0
#include "io/checksum.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <vector>

namespace slipfield {
namespace {

// The remainders of all bytes by the polynomial of IEEE 802.3, first bit first.
constexpr std::array<std::uint32_t, 256> kRemainders = [] {
  constexpr std::uint32_t kPolynomial = 0x04C11DB7;
  std::array<std::uint32_t, 256> remainders{};
  for (std::uint32_t byte = 0; byte < remainders.size(); ++byte) {
    std::uint32_t rest = byte << 24U;
    for (int bit = 0; bit < 8; ++bit) rest = (rest << 1U) ^ ((rest >> 31U) != 0 ? kPolynomial : 0U);
    remainders.at(byte) = rest;
  }
  return remainders;
}();

std::uint32_t with_byte(std::uint32_t sum, std::uint8_t byte) {
  return (sum << 8U) ^ kRemainders.at((sum >> 24U) ^ byte);
}

}  // namespace

std::string cksum_line(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  std::ifstream file(path, std::ios::binary);
  if (!file) return "- - " + name;
  std::uint32_t sum = 0;
  std::uint64_t bytes = 0;
  std::vector<char> block(std::size_t{1} << 20U);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0) {
    for (std::streamsize i = 0; i < file.gcount(); ++i)
      sum = with_byte(sum, static_cast<std::uint8_t>(block[static_cast<std::size_t>(i)]));
    bytes += static_cast<std::uint64_t>(file.gcount());
  }
  if (file.bad()) return "- - " + name;
  for (std::uint64_t rest = bytes; rest != 0; rest >>= 8U)
    sum = with_byte(sum, static_cast<std::uint8_t>(rest & 0xFFU));
  return fmt::format("{} {} {}", ~sum, bytes, name);
}

}  // namespace slipfield
