// SPDX-License-Identifier: Apache-2.0
// "did you mean": finds the accepted word nearest to a misspelt one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace slipfield {

// Number of insertions, deletions, substitutions and swaps of neighbours that turn a into b,
// ignoring case.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest of `words` if at most a third of the letters differ (one may always differ); else the
// only one that begins with four or more letters of the word, or the only one that contains them.
std::optional<std::string_view> nearest_word(std::string_view word,
                                             std::span<const std::string_view> words);

// "did you mean 'x'? accepted: x, y, z"; the question only for a near miss.
std::string accepted_words(std::string_view word, std::span<const std::string_view> words);

// The same for too many words to list: "did you mean 'x' or 'y'? " and `all`, a sentence on where
// to find them. Near words have few other letters or contain the word.
std::string near_words(std::string_view word, std::span<const std::string> words,
                       std::string_view all);
inline constexpr std::string_view kAllNames = "`slipfield info --fields` lists all";
inline constexpr std::string_view kAcceptedNames =
    "accepted: a name that `slipfield info --fields` lists";

}  // namespace slipfield
