// SPDX-License-Identifier: Apache-2.0
#include "app/plot/gnuplot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "app/plot/program/run.h"
#include "solver/error.h"

namespace slipfield {
namespace {

// Every format says at its end that it is complete.
bool is_complete(std::string_view picture, PictureFormat format) {
  if (format == PictureFormat::png) {
    constexpr std::string_view kEnd("IEND\xae\x42\x60\x82", 8);
    return picture.starts_with("\x89PNG\r\n\x1a\n") && picture.ends_with(kEnd);
  }
  if (format == PictureFormat::gif) return picture.starts_with("GIF8") && picture.ends_with(';');
  while (!picture.empty() && std::strchr(" \r\n", picture.back()) != nullptr)
    picture.remove_suffix(1);
  if (format == PictureFormat::pdf)
    return picture.starts_with("%PDF") && picture.ends_with("%%EOF");
  return picture.ends_with("</svg>");
}

// Bytes of the UTF-8 character that begins the text; 0 where it is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xc2 && first < 0xe0 ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  if (length < 3) return length;
  const unsigned char second = byte(1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second >= 0xa0;
  const bool beyond = first == 0xf4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    const bool c1_control = length == 2 && character < "\xc2\xa0";
    const bool no_character = character == "\xef\xbf\xbe" || character == "\xef\xbf\xbf";
    if (length == 0 || no_character)
      clean += "\xef\xbf\xbd";
    else if (c1_control || (length == 1 && (text[0] < ' ' || text[0] == '\x7f')))
      clean += ' ';
    else
      clean += character;
    text.remove_prefix(character.size());
  }
  return clean;
}

std::string gnuplot_text(std::string_view text) {
  std::string quoted = "'";
  for (const char byte : clean_text(text)) quoted.append(byte == '\'' ? 2 : 1, byte);
  return quoted + "'";
}

std::string gnuplot_floats(std::span<const double> values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<float>(values[i]);
    std::memcpy(&bytes[i * sizeof(float)], &value, sizeof(float));
  }
  return bytes;
}

std::string run_gnuplot(const std::string& script, PictureFormat format) {
  ProgramEnd end = run_program(
      {"gnuplot", "--default-settings"}, {script},
      "gnuplot, which draws the figures, is not installed (on Debian or Ubuntu: apt-get install "
      "gnuplot-nox)");
  if (!is_complete(end.output, format))
    throw Error(fmt::format("gnuplot delivered no complete picture: {}", end.message));
  return std::move(end.output);
}

}  // namespace slipfield
