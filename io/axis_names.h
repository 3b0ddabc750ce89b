// SPDX-License-Identifier: Apache-2.0
// Words by which instruments name the columns of a profile.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "io/plain_text.h"

namespace slipfield {

// Usual names for across the track, and for upwards, in English, German, French and Italian.
inline constexpr std::array kAcross{"lateral",   "width",    "breadth",     "horizontal",
                                    "breite",    "quer",     "largeur",     "transversal",
                                    "larghezza", "laterale", "trasversale", "orizzontale"};
inline constexpr std::array kUpwards{"vertical",  "height",   "depth",    "elevation", "hohe",
                                     "hoehe",     "tiefe",    "vertikal", "hauteur",   "profondeur",
                                     "ordonnee",  "altitude", "altezza",  "quota",     "profondita",
                                     "verticale", "ordinata", "heights"};

// The letters of a word in lower case without accents, from UTF-8 or Latin-1: "hohe" for "Höhe".
inline std::string plain_letters(std::string_view word) {
  // U+00C0 to U+00FF; the last byte in UTF-8 is 0x40 less.
  constexpr std::string_view kPlain =
      "aaaaaaaceeeeiiiidnooooo ouuuuy saaaaaaaceeeeiiiidnooooo ouuuuy y";
  std::string plain;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const auto byte = static_cast<unsigned char>(word[i]);
    const bool in_two = byte == 0xC3 && i + 1 < word.size() && (word[i + 1] & 0xC0) == 0x80;
    if (in_two)
      plain += kPlain[static_cast<unsigned char>(word[++i]) - 0x80U];
    else if (byte >= 0xC0)
      plain += kPlain[byte - 0xC0U];
    else
      plain += lower_case(word.substr(i, 1));
  }
  return plain;
}

}  // namespace slipfield
